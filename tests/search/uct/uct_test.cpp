#include "search/uct/uct.h"

#include <chrono>
#include <numeric>

#include "gdl/game_files.h"
#include "search/uct/uct_games.h"

namespace stratagem::search {
namespace {

using machine::testing::bundled;
using machine::testing::described;
using uct::testing::nodes;
using uct::testing::Prepared;

std::uint64_t arm_visits(const uct::Chooser& chooser) {
    std::uint64_t visits = 0;
    for (std::uint32_t i = 0; i < chooser.tried; ++i) visits += chooser.arms[i].visits;
    return visits;
}

class WinInFew : public ::testing::TestWithParam<std::string> {};

// Positions of random games in which exhaustive search finds a win within one or three moves.
TEST_P(WinInFew, IsFoundAndProved) {
    Prepared game(bundled(GetParam()));
    machine::Random random(11);
    int in_one = 0;
    int in_three = 0;
    for (int i = 0; i < 4000 && (in_one < 5 || in_three < 5); ++i) {
        const auto state = game.random_state(random, 4 + random.below(60));
        if (!state) continue;
        const auto mover = game.mover(*state);
        if (!mover) continue;
        const bool one = in_one < 5 && uct::testing::wins_within(game, *state, *mover, 1);
        const bool three = !one && in_three < 5 && uct::testing::wins_within(game, *state, *mover, 3) &&
                           !uct::testing::wins_within(game, *state, *mover, 1);
        if (!one && !three) continue;
        (one ? in_one : in_three) += 1;
        const auto search = game.make();
        const Choice choice = search->choose(*state, *mover, nodes(60'000));
        EXPECT_TRUE(choice.proved);
        EXPECT_DOUBLE_EQ(choice.value, 100);
        std::vector<Move> joint;
        for (std::uint32_t role = 0; role < 2; ++role) joint.push_back(game.legal(*state, role).front());
        joint[ground::index(*mover)] = *choice.move;
        // The shortest win is not promised, but a win behind the move is.
        const State next = game.after(*state, joint);
        if (one) {
            EXPECT_TRUE(game.machine->terminal(next));
        } else {
            EXPECT_TRUE(search->shared().tree.find(next)->exact);
        }
        EXPECT_FALSE(choice.line.empty());
    }
    EXPECT_GE(in_one, 3);
    EXPECT_GE(in_three, 3);
}

INSTANTIATE_TEST_SUITE_P(Games, WinInFew, ::testing::Values("tic_tac_toe", "connect_four", "breakthrough_6x6"),
                         [](const auto& one) { return one.param; });

TEST(Uct, OpensTheForkOfConnectFour) {
    Prepared game(bundled("connect_four"));
    State state = game.initial();
    for (const char* move : {"(drop 3)", "(drop 3)", "(drop 4)", "(drop 4)"}) state = game.after_named(state, {move});
    const auto search = game.make();
    const Choice choice = search->choose(state, *game.mover(state), nodes(100'000));
    EXPECT_TRUE(choice.proved);
    EXPECT_DOUBLE_EQ(choice.value, 100);
    EXPECT_TRUE(game.name(choice) == "(drop 2)" || game.name(choice) == "(drop 5)") << game.name(choice);
}

TEST(Uct, PlainFindsAWinInOne) {
    Prepared game(bundled("connect_four"));
    State state = game.initial();
    for (int i = 0; i < 3; ++i) {
        state = game.after_named(state, {"(drop 1)"});
        state = game.after_named(state, {"(drop 2)"});
    }
    const auto search = game.make_plain();
    const Choice choice = search->choose(state, *game.mover(state), nodes(2'000));
    EXPECT_EQ(game.name(choice), "(drop 1)");
    EXPECT_GT(choice.value, 95);
    EXPECT_FALSE(choice.proved);
}

TEST(Uct, VisitsAddUp) {
    for (const std::string options : {"", "transpositions=off", "lanes=off", "rave=on", "mast=on", "all_first=on"}) {
        Prepared game(bundled("breakthrough_6x6"));
        const auto search = game.make(options);
        const Choice choice = search->choose(game.initial(), Role{0}, nodes(3'000));
        const uct::Tree& tree = search->shared().tree;
        const uct::Node* const root = tree.find(game.initial());
        ASSERT_NE(root, nullptr);
        EXPECT_EQ(root->visits, 3'000U) << options;
        EXPECT_EQ(arm_visits(root->choosers[0]), root->visits) << options;
        EXPECT_TRUE(tree.is_consistent(*root)) << options;
        EXPECT_GE(choice.playouts, choice.nodes);
        EXPECT_LE(choice.nodes, 3'000U);
        // The sums of the arms are the sum of the state.
        double sum = 0;
        for (std::uint32_t i = 0; i < root->choosers[0].tried; ++i) sum += root->choosers[0].arms[i].sum;
        EXPECT_NEAR(sum, root->roles[ground::index(root->choosers[0].role)].sum, 1e-6);
    }
}

TEST(Uct, OneNodeForEachState) {
    Prepared game(bundled("tic_tac_toe"));
    const auto shared = game.make("solver=off");
    const Choice with = shared->choose(game.initial(), Role{0}, nodes(60'000));
    EXPECT_LE(with.nodes, 5'478U);  // states of the game
    EXPECT_GT(with.nodes, 1'000U);
    EXPECT_EQ(shared->shared().tree.size(), with.nodes + 1);
    const auto apart = game.make("solver=off,transpositions=off");
    const Choice without = apart->choose(game.initial(), Role{0}, nodes(60'000));
    EXPECT_GT(without.nodes, 2 * with.nodes);
}

TEST(Uct, KeepsItsTreeWhenTheMatchMovesOn) {
    for (const bool plain : {false, true}) {
        Prepared game(bundled("breakthrough_6x6"));
        const auto search = plain ? game.make_plain() : game.make();
        const Choice first = search->choose(game.initial(), Role{0}, nodes(4'000));
        ASSERT_FALSE(first.line.empty());
        const State next = game.after(game.initial(), first.line[0]);
        search->advance(next);
        const uct::Node* const kept = search->shared().tree.find(next);
        ASSERT_NE(kept, nullptr);
        const std::uint32_t before = kept->visits;
        EXPECT_GT(before, 100U);
        search->choose(next, *game.mover(next), nodes(500));
        EXPECT_EQ(search->shared().tree.find(next), kept);
        EXPECT_EQ(kept->visits, before + 500);
    }
}

TEST(Uct, RecyclesMemoryWithinAndBetweenMoves) {
    Prepared game(bundled("breakthrough_6x6"));
    const auto search = game.make("leaves=16,playouts=1", 1, 1, 1);  // one megabyte
    State state = game.initial();
    std::uint64_t created = 0;
    for (int move = 0; move < 4; ++move) {
        const Role mover = *game.mover(state);
        const Choice choice = search->choose(state, mover, nodes(8'000));
        created += choice.nodes;
        const uct::Tree& tree = search->shared().tree;
        EXPECT_LE(tree.bytes(), tree.bytes_limit());
        EXPECT_TRUE(tree.is_consistent(*tree.find(state)));
        ASSERT_TRUE(game.is_legal(state, mover, choice));
        state = game.after(state, choice.line.at(0));
        search->advance(state);
    }
    EXPECT_GT(created, 2 * search->shared().tree.size());
}

TEST(Uct, TheSameSeedIsTheSameSearch) {
    for (const std::string options : {"", "mast=on,rave=on", "lanes=off", "leaves=32,playouts=4"}) {
        for (const std::string name : {"connect_four", "rock_paper_scissors", "kuhn_poker"}) {
            Prepared game(bundled(name));
            std::vector<Choice> choices;
            std::vector<std::vector<std::uint32_t>> visits;
            for (const std::uint64_t seed : {5U, 5U, 6U}) {
                const auto search = game.make(options, 1, seed);
                choices.push_back(search->choose(game.initial(), Role{0}, nodes(3'000)));
                const uct::Node* const root = search->shared().tree.find(game.initial());
                visits.emplace_back();
                for (const uct::Chooser& chooser : root->choosing()) {
                    for (std::uint32_t i = 0; i < chooser.tried; ++i) visits.back().push_back(chooser.arms[i].visits);
                }
            }
            EXPECT_EQ(choices[0].move, choices[1].move) << name << options;
            EXPECT_DOUBLE_EQ(choices[0].value, choices[1].value) << name << options;
            EXPECT_EQ(choices[0].line, choices[1].line) << name << options;
            EXPECT_EQ(choices[0].playouts, choices[1].playouts) << name << options;
            EXPECT_EQ(visits[0], visits[1]) << name << options;
        }
    }
}

TEST(Uct, AnswersWithoutAnyTime) {
    Prepared game(bundled("breakthrough_6x6"));
    Budget expired;
    expired.stop.deadline = Deadline(Deadline::Clock::now() - std::chrono::seconds(1));
    const std::atomic<bool> flag = true;
    Budget interrupted;
    interrupted.stop.flag = &flag;
    for (const Budget& budget : {expired, interrupted, nodes(0)}) {
        for (const bool plain : {false, true}) {
            const auto search = plain ? game.make_plain() : game.make();
            std::vector<Choice> heard;
            const Choice choice =
                search->choose(game.initial(), Role{0}, budget, [&](const Choice& better) { heard.push_back(better); });
            EXPECT_TRUE(game.is_legal(game.initial(), Role{0}, choice));
            ASSERT_FALSE(heard.empty());
            EXPECT_TRUE(game.is_legal(game.initial(), Role{0}, heard.front()));
            EXPECT_TRUE(search->shared().tree.is_consistent(*search->shared().tree.find(game.initial())));
        }
    }
}

TEST(Uct, EndsAtOnceWhereThereIsNothingToChoose) {
    Prepared game(bundled("connect_four"));
    const auto search = game.make();
    const Choice choice = search->choose(game.initial(), Role{1}, {});  // not its turn, and all the time there is
    EXPECT_TRUE(game.is_legal(game.initial(), Role{1}, choice));
    EXPECT_GT(search->shared().tree.find(game.initial())->visits, 0U);
    // When it ponders it goes on until the budget ends.
    Budget pondering = nodes(2'000);
    pondering.pondering = true;
    search->choose(game.initial(), Role{1}, pondering);
    EXPECT_GE(search->shared().tree.find(game.initial())->visits, 2'000U);
}

TEST(Uct, MixesWhereItMust) {
    Prepared game(bundled("rock_paper_scissors"));
    const auto search = game.make("final=mixed");
    std::map<std::string, int> answers;
    for (int i = 0; i < 60; ++i) ++answers[game.name(search->choose(game.initial(), Role{0}, nodes(1'000)))];
    EXPECT_EQ(answers.size(), 3U);
    const uct::Node* const root = search->shared().tree.find(game.initial());
    ASSERT_EQ(root->chooser_count, 2U);
    for (const uct::Chooser& chooser : root->choosing()) {
        ASSERT_EQ(chooser.tried, 3U);
        EXPECT_EQ(arm_visits(chooser), root->visits);
        for (std::uint32_t i = 0; i < 3; ++i) {
            EXPECT_GT(chooser.arms[i].visits, root->visits / 10);
            EXPECT_LT(chooser.arms[i].visits, root->visits * 7 / 10);
        }
    }
}

// Left and right move at once and share what comes of it; goals are neither 0 nor 100.
const std::string meeting = R"(
    (role left) (role right)
    (init start)
    (place one) (place two) (place three)
    (<= (legal ?r (go ?p)) (role ?r) (place ?p))
    (<= (next (at ?r ?p)) (does ?r (go ?p)))
    (<= terminal (not (true start)))
    (<= somebody (true (at ?r two)))
    (<= (goal ?r 37) (role ?r) (true (at left two)) (true (at right two)))
    (<= (goal ?r 21) (role ?r) (true (at left two)) (not (true (at right two))))
    (<= (goal ?r 19) (role ?r) (true (at right two)) (not (true (at left two))))
    (<= (goal ?r 3) (role ?r) (not somebody))
)";

TEST(Uct, WorksWithAnyGoalsAndCommonInterests) {
    Prepared game(described(meeting));
    for (const std::uint32_t role : {0U, 1U}) {
        const auto search = game.make();
        const Choice choice = search->choose(game.initial(), Role{role}, nodes(3'000));
        EXPECT_EQ(game.name(choice), "(go two)");
        EXPECT_GT(choice.value, 25);
        EXPECT_LE(choice.value, 37);
    }
}

// After a step to the left, the second role has no legal move; no goal is defined anywhere but at the right end.
const std::string stuck = R"(
    (role walker) (role watcher)
    (init (at 2))
    (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal walker left) (true (at ?n)) (succ ?m ?n))
    (<= (legal walker right) (true (at ?n)))
    (<= (legal watcher look) (true (at ?n)) (distinct ?n 1))
    (<= (next (at ?m)) (does walker left) (true (at ?n)) (succ ?m ?n))
    (<= (next (at ?m)) (does walker right) (true (at ?n)) (succ ?n ?m))
    (<= terminal (true (at 4)))
    (<= (goal walker 80) (true (at 4)))
)";

TEST(Uct, SurvivesStatesInWhichSomebodyIsStuck) {
    for (const std::string options : {"", "lanes=off", "solver=off", "evaluator=leaf,evaluator_weight=1"}) {
        Prepared game(described(stuck));
        const auto search = game.make(options);
        const Choice choice = search->choose(game.initial(), Role{0}, nodes(500));
        EXPECT_EQ(game.name(choice), "right") << options;
        const State dead_end = game.after_named(game.initial(), {"left"});
        const Choice here = search->choose(dead_end, Role{0}, nodes(500));
        EXPECT_TRUE(game.is_legal(dead_end, Role{0}, here));
        const Choice there = search->choose(dead_end, Role{1}, nodes(500));
        EXPECT_FALSE(there.move);
    }
}

// Its machines number what they meet as they meet it, and still have to understand each other.
TEST(Uct, PlaysOnTheInterpreter) {
    Prepared game(bundled("tic_tac_toe"), machine::MachineKind::interpreter);
    for (const std::size_t threads : {1U, 3U}) {
        const auto search = game.make("", threads);
        State state = game.initial();
        while (!game.machine->terminal(state)) {
            std::vector<Move> joint;
            for (std::uint32_t role = 0; role < 2; ++role) {
                const Choice choice = search->choose(state, Role{role}, nodes(120));
                ASSERT_TRUE(game.is_legal(state, Role{role}, choice));
                joint.push_back(*choice.move);
            }
            EXPECT_TRUE(search->shared().tree.is_consistent(*search->shared().tree.find(state)));
            state = game.after(state, joint);
        }
    }
}

TEST(Uct, ThreadsShareOneTree) {
    for (const std::string options : {"", "lanes=off", "mast=on,rave=on", "leaves=8,playouts=4"}) {
        Prepared game(bundled("breakthrough_6x6"));
        const auto search = game.make(options, 3, 1, 2);
        for (int i = 0; i < 2; ++i) {
            const Choice choice = search->choose(game.initial(), Role{0}, nodes(6'000));
            EXPECT_TRUE(game.is_legal(game.initial(), Role{0}, choice));
        }
        const uct::Tree& tree = search->shared().tree;
        const uct::Node* const root = tree.find(game.initial());
        EXPECT_GE(root->visits, 12'000U);
        EXPECT_EQ(arm_visits(root->choosers[0]), root->visits);
        EXPECT_TRUE(tree.is_consistent(*root));
    }
}

TEST(Uct, ThreadsProveTheSame) {
    Prepared game(bundled("tic_tac_toe"));
    const auto search = game.make("", 3);
    const Choice choice = search->choose(game.initial(), Role{0}, nodes(400'000));
    EXPECT_TRUE(choice.proved);
    EXPECT_DOUBLE_EQ(choice.value, 50);
}

// Likes whatever the role owns more of: a stand-in for evaluators to come.
class Knowing final : public evaluate::Evaluator {
  public:
    explicit Knowing(Prepared& game) : minimax_(game) {}
    double value(const State& state, Role role) const override {
        const double first = minimax_.value(state);
        return role == Role{0} ? first : 100 - first;
    }
    evaluate::Explanation explain(const State&, Role) const override { return {"exhaustive search", 0, {}}; }

  private:
    mutable uct::testing::Minimax minimax_;
};

TEST(Uct, AnEvaluatorThatKnowsMakesFewVisitsEnough) {
    Prepared game(bundled("tic_tac_toe"));
    game.problem.evaluator = std::make_shared<Knowing>(game);
    uct::testing::Minimax minimax(game);
    machine::Random random(2);
    for (const std::string options :
         {"evaluator=leaf,evaluator_weight=1", "evaluator=prior,prior_visits=100", "evaluator=cutoff,cutoff=0"}) {
        for (int i = 0; i < 10; ++i) {
            const auto state = game.random_state(random, 1 + random.below(5));
            if (!state) continue;
            const Role mover = *game.mover(*state);
            const auto search = game.make(options + ",solver=off");
            const Choice choice = search->choose(*state, mover, nodes(200));
            std::vector<Move> joint;
            for (std::uint32_t role = 0; role < 2; ++role) joint.push_back(game.legal(*state, role).front());
            joint[ground::index(mover)] = *choice.move;
            EXPECT_EQ(minimax.value(game.after(*state, joint)), minimax.value(*state)) << options;
        }
    }
}

TEST(Uct, AConstantEvaluatorIsNone) {
    Prepared game(bundled("tic_tac_toe"));
    const auto with = game.make("evaluator=leaf,evaluator_weight=1");
    const auto without = game.make();
    const Choice a = with->choose(game.initial(), Role{0}, nodes(500));
    const Choice b = without->choose(game.initial(), Role{0}, nodes(500));
    EXPECT_EQ(a.move, b.move);
    EXPECT_DOUBLE_EQ(a.value, b.value);
    EXPECT_EQ(a.playouts, b.playouts);
}

// Every bundled game, a few moves with each of the ways to search.
TEST(Uct, PlaysEveryBundledGameLegally) {
    for (const std::filesystem::path& path : gdl::testing::bundled_files()) {
        SCOPED_TRACE(path.filename().string());
        Prepared game(machine::testing::described_file(path));
        std::vector<std::unique_ptr<uct::UctSearch>> searches;
        for (std::size_t role = 0; role < game.machine->role_count(); ++role) {
            searches.push_back(role % 2 == 0 ? game.make("", 1, role, 8) : game.make_plain(role));
        }
        State state = game.initial();
        for (int step = 0; step < 6 && !game.machine->terminal(state); ++step) {
            std::vector<Move> joint;
            for (std::uint32_t role = 0; role < searches.size(); ++role) {
                const Choice choice = searches[role]->choose(state, Role{role}, nodes(60));
                ASSERT_TRUE(game.is_legal(state, Role{role}, choice));
                EXPECT_GE(choice.value, 0);
                EXPECT_LE(choice.value, 100);
                joint.push_back(*choice.move);
            }
            state = game.after(state, joint);
            for (const auto& search : searches) search->advance(state);
        }
    }
}

TEST(Uct, ReportsItsAnswerAndALegalLine) {
    Prepared game(bundled("connect_four"));
    const auto search = game.make();
    std::vector<Choice> heard;
    const Choice choice =
        search->choose(game.initial(), Role{0}, nodes(20'000), [&](const Choice& better) { heard.push_back(better); });
    ASSERT_GE(heard.size(), 2U);
    EXPECT_EQ(heard.back().move, choice.move);
    State state = game.initial();
    for (const std::vector<Move>& joint : choice.line) {
        ASSERT_FALSE(game.machine->terminal(state));
        for (std::uint32_t role = 0; role < joint.size(); ++role) {
            const std::vector<Move> moves = game.legal(state, role);
            ASSERT_NE(std::ranges::find(moves, joint[role]), moves.end());
        }
        state = game.after(state, joint);
    }
}

TEST(Uct, OptionsAreChecked) {
    EXPECT_THROW(OptionValues(uct_entry.options, "evaluator=maybe"), OptionError);
    EXPECT_THROW(OptionValues(plain_entry.options, "rave=on"), OptionError);
    EXPECT_NO_THROW(OptionValues(uct_entry.options, "rave=on,exploration=0.7"));
}

}  // namespace
}  // namespace stratagem::search
