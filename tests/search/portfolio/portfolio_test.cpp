// The portfolio: which answer is followed, who searches by what, and the crew of threads.
#include "search/portfolio/portfolio.h"

#include <gmock/gmock.h>

#include <set>

#include "search/portfolio/thread_crew.h"
#include "search/portfolio/tie_breaker.h"
#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

using ::testing::ElementsAre;

Nomination nominated(std::uint32_t move, std::uint32_t depth, bool blind = false) {
    Nomination one;
    one.choice.move = Move{move};
    one.choice.depth = depth;
    one.choice.judged = !blind;
    one.blind = blind;
    return one;
}

TEST(Nomination, TheDeepestIsFollowed) {
    const std::vector<Nomination> all{nominated(0, 3), nominated(1, 5), nominated(2, 4)};
    EXPECT_EQ(choose_nomination(all, Prefer::depth, nullptr), 1u);
    EXPECT_EQ(choose_nomination({}, Prefer::depth, nullptr), std::nullopt);
    EXPECT_EQ(choose_nomination(std::vector<Nomination>(3), Prefer::depth, nullptr), std::nullopt)
        << "nobody names a move";
}

TEST(Nomination, AProofGoesBeforeDepth) {
    std::vector<Nomination> all{nominated(0, 30), nominated(1, 2, true), nominated(2, 9)};
    EXPECT_EQ(choose_nomination(all, Prefer::depth, nullptr), 0u);
    all[1].choice.proved = true;
    EXPECT_EQ(choose_nomination(all, Prefer::depth, nullptr), 1u);
}

// However deep it looked: it knows nothing as long as it proves nothing.
TEST(Nomination, BlindSearchCountsOnlyWithAProof) {
    std::vector<Nomination> all{nominated(0, 30, true), nominated(1, 2)};
    EXPECT_EQ(choose_nomination(all, Prefer::depth, nullptr), 1u);
    all[0].choice.judged = true;
    EXPECT_EQ(choose_nomination(all, Prefer::depth, nullptr), 1u);
    all[1].choice.move.reset();
    EXPECT_EQ(choose_nomination(all, Prefer::depth, nullptr), 0u) << "there is nobody else";
}

TEST(Nomination, EqualsAreChosenByChance) {
    const std::vector<Nomination> all{nominated(0, 4), nominated(1, 5), nominated(2, 5), nominated(3, 5)};
    machine::Random random(1);
    std::set<std::size_t> seen;
    for (int i = 0; i < 100; ++i) seen.insert(*choose_nomination(all, Prefer::depth, &random));
    EXPECT_THAT(seen, ElementsAre(1, 2, 3));
    EXPECT_EQ(choose_nomination(all, Prefer::depth, nullptr), 1u);
}

TEST(Nomination, ForOnePlayerTheValueCounts) {
    std::vector<Nomination> all{nominated(0, 9), nominated(1, 2)};
    all[0].choice.value = 20;
    all[1].choice.value = 60;
    EXPECT_EQ(choose_nomination(all, Prefer::value, nullptr), 1u);
}

// Says what it is told to say.
class FakeCrew final : public Crew {
  public:
    explicit FakeCrew(std::size_t workers, std::vector<Choice> answers)
        : workers_(workers), answers_(std::move(answers)) {}
    std::size_t workers() const override { return workers_; }
    std::vector<Choice> search(const State&, Role, std::span<const Assignment> assignments, const Budget&,
                               const Heard& heard) override {
        answers_.resize(assignments.size());
        for (std::size_t i = 0; i < answers_.size(); ++i) heard(i, answers_[i]);
        return answers_;
    }

  private:
    std::size_t workers_;
    std::vector<Choice> answers_;
};

TEST(Portfolio, EverybodyHasAHeuristicAndOneIsBlind) {
    const Prepared game = prepared("tic_tac_toe");
    const PortfolioSettings settings{{"one", "two"}, Prefer::depth, 1};
    const Portfolio few(game.problem, settings, std::make_unique<FakeCrew>(1, std::vector<Choice>{}));
    EXPECT_THAT(few.assignments(), ElementsAre(Assignment{}, Assignment{0, 0}, Assignment{1, 0}));
    const Portfolio many(game.problem, settings, std::make_unique<FakeCrew>(6, std::vector<Choice>{}));
    EXPECT_THAT(many.assignments(), ElementsAre(Assignment{}, Assignment{0, 0}, Assignment{1, 0}, Assignment{0, 1},
                                                Assignment{1, 1}, Assignment{0, 2}));
}

TEST(Portfolio, FollowsTheCrewAndReports) {
    const Prepared game = prepared("tic_tac_toe");
    const std::vector<Move> legal = game.legal(game.machine->initial(), 0);
    std::vector<Choice> answers(3);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        answers[i].move = legal[i + 1];
        answers[i].depth = static_cast<std::uint32_t>(i == 0 ? 20 : i);
        answers[i].judged = i > 0;
        answers[i].nodes = 10;
    }
    Portfolio portfolio(game.problem, {{"one", "two"}, Prefer::depth, 1}, std::make_unique<FakeCrew>(1, answers));
    std::vector<Move> told;
    const Choice choice = portfolio.choose(game.machine->initial(), Role{0}, {},
                                           [&](const Choice& so_far) { told.push_back(*so_far.move); });
    EXPECT_EQ(choice.move, legal[3]);
    EXPECT_EQ(choice.nodes, 30u);
    EXPECT_THAT(choice.note, ::testing::HasSubstr("by two of 3"));
    EXPECT_THAT(told, ElementsAre(legal[0], legal[1], legal[2], legal[3])) << "a move at once, and better ones later";
    Portfolio silent(game.problem, {{"one"}, Prefer::depth, 1}, std::make_unique<FakeCrew>(1, std::vector<Choice>{}));
    EXPECT_EQ(silent.choose(game.machine->initial(), Role{0}, {}).move, legal[0]);
}

// Offers so many opinions.
class Several final : public evaluate::Evaluator {
  public:
    explicit Several(std::size_t count) : count_(count) {}
    double value(const machine::State&, machine::Role) const override { return 50; }
    evaluate::Explanation explain(const machine::State&, machine::Role) const override { return {}; }
    std::vector<Part> parts() const override {
        std::vector<Part> result;
        for (std::size_t i = 0; i < count_; ++i) {
            result.push_back(
                {"part " + std::to_string(i), std::make_shared<TieBreaker>(std::make_shared<NoiseEvaluator>(), i + 1)});
        }
        return result;
    }

  private:
    std::size_t count_;
};

TEST(Portfolio, IsTheSameWithAnyNumberOfThreads) {
    Prepared game = prepared("connect_four");
    game.problem.evaluator = std::make_shared<Several>(4);
    const auto few = game.make("portfolio");
    const auto again = game.make("portfolio");
    const auto more = game.make("portfolio", "", 3);
    for (const std::size_t steps : {0U, 6U, 20U}) {
        const State state = game.walk(steps, 2);
        const Role role{game.mover(state)};
        const Choice choice = few->choose(state, role, nodes(3000));
        EXPECT_LE(choice.nodes, 3000u);
        EXPECT_EQ(again->choose(state, role, nodes(3000)).move, choice.move);
        const Choice other = more->choose(state, role, nodes(3000));
        EXPECT_EQ(other.move, choice.move);
        EXPECT_EQ(other.nodes, choice.nodes);
    }
    // Fewer nodes than heuristics.
    EXPECT_TRUE(
        game.is_legal(game.machine->initial(), 0, few->choose(game.machine->initial(), Role{0}, nodes(2)).move));
}

TEST(Portfolio, EndsWithTheClockAndTheFlag) {
    Prepared game = prepared("connect_four");
    game.problem.evaluator = std::make_shared<Several>(20);
    for (const std::size_t threads : {1U, 2U}) {
        const auto search = game.make("portfolio", "", threads);
        Budget budget;
        budget.stop.deadline = Deadline::after(std::chrono::milliseconds(300));
        const Choice choice = search->choose(game.machine->initial(), Role{0}, budget);
        EXPECT_LT(choice.seconds, 2);
        EXPECT_GT(choice.depth, 0u);
        const std::atomic<bool> stopped{true};
        budget = {};
        budget.stop.flag = &stopped;
        EXPECT_TRUE(search->choose(game.machine->initial(), Role{0}, budget).move);
    }
}

TEST(Portfolio, SeesAWinWhateverHeuristicsSay) {
    Prepared game = prepared("tic_tac_toe");
    game.problem.evaluator = std::make_shared<Several>(3);
    const auto search = game.make("portfolio");
    Budget budget;
    budget.stop.deadline = Deadline::after(std::chrono::seconds(60));
    const State state = game.late(6, 1);
    const Choice choice = search->choose(state, Role{game.mover(state)}, budget);
    EXPECT_TRUE(choice.proved);
    EXPECT_LT(choice.seconds, 20) << "a proof ends it";
}

}  // namespace
}  // namespace stratagem::search::testing
