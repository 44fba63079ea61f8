// Monte-Carlo tree search with evaluators that are made from the rules.
#include <gtest/gtest.h>

#include "evaluate/registry.h"
#include "search/uct/uct_games.h"

namespace stratagem::search {
namespace {

using machine::testing::bundled;
using machine::testing::described;
using uct::testing::nodes;
using uct::testing::Prepared;

constexpr std::array uses{"evaluator=leaf", "evaluator=leaf,evaluator_weight=1", "evaluator=prior",
                          "evaluator=cutoff,cutoff=2"};

void judge_by(Prepared& game, std::string_view name, std::string_view options = "") {
    const evaluate::EvaluatorEntry* entry = evaluate::find_evaluator(name);
    ASSERT_NE(entry, nullptr);
    const evaluate::Material material = evaluate::make_material(game.problem.game, std::nullopt, nullptr, 1);
    const auto made = entry->make(material, OptionValues(entry->options, options));
    ASSERT_NE(made, nullptr);
    game.problem.evaluator = made;
}

// Counts who asks how: each thread has opinions of its own, and only those are asked.
class Counting final : public evaluate::Evaluator {
  public:
    explicit Counting(std::shared_ptr<const evaluate::Evaluator> inner) : inner_(std::move(inner)) {}
    double value(const State& state, Role role) const override {
        ++plain;
        return inner_->value(state, role);
    }
    evaluate::Explanation explain(const State& state, Role role) const override { return inner_->explain(state, role); }
    std::unique_ptr<evaluate::Evaluation> start() const override {
        ++started;
        return std::make_unique<Opinions>(*this);
    }

    mutable std::atomic<std::size_t> plain = 0, started = 0, asked = 0;

  private:
    class Opinions final : public evaluate::Evaluation {
      public:
        explicit Opinions(const Counting& of) : of_(of), inner_(of.inner_->start()) {}
        double value(const State& state, Role role) override {
            ++of_.asked;
            const double value = inner_->value(state, role);
            // The increments lead to what is found from nothing.
            EXPECT_NEAR(value, of_.inner_->value(state, role), 1e-9);
            return value;
        }
        void begin_at(const State& state) override { inner_->begin_at(state); }

      private:
        const Counting& of_;
        std::unique_ptr<evaluate::Evaluation> inner_;
    };

    std::shared_ptr<const evaluate::Evaluator> inner_;
};

TEST(UctWithEvaluators, PlaysLegallyInGamesOfEveryKind) {
    for (const char* name : {"connect_four", "bidding_tic_tac_toe", "rock_paper_scissors", "three_player_tic_tac_toe",
                             "eight_puzzle", "skirmish"}) {
        for (const char* evaluator : {"fuzzy", "neural"}) {
            Prepared game(bundled(name));
            judge_by(game, evaluator);
            for (const std::string options : uses) {
                for (const std::size_t threads : {1UL, 3UL}) {
                    SCOPED_TRACE(std::string(name) + " " + evaluator + " " + options);
                    const auto search = game.make(options, threads, 1, 8);
                    State state = game.initial();
                    for (int step = 0; step < 3 && !game.machine->terminal(state); ++step) {
                        std::vector<Move> joint;
                        for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) {
                            const Choice choice = search->choose(state, Role{role}, nodes(60));
                            ASSERT_TRUE(game.is_legal(state, Role{role}, choice));
                            EXPECT_GE(choice.value, 0);
                            EXPECT_LE(choice.value, 100);
                            joint.push_back(*choice.move);
                        }
                        EXPECT_TRUE(search->shared().tree.is_consistent(*search->shared().tree.find(state)));
                        state = game.after(state, joint);
                        search->advance(state);
                    }
                }
            }
        }
    }
}

TEST(UctWithEvaluators, EachThreadAsksOpinionsOfItsOwn) {
    for (const char* name : {"connect_four", "bidding_tic_tac_toe"}) {
        for (const char* evaluator : {"fuzzy", "neural"}) {
            Prepared game(bundled(name));
            judge_by(game, evaluator);
            for (const std::string options : uses) {
                for (const std::size_t threads : {1UL, 2UL}) {
                    SCOPED_TRACE(std::string(name) + " " + evaluator + " " + options);
                    const auto counting = std::make_shared<Counting>(game.problem.evaluator);
                    const auto plain = std::exchange(game.problem.evaluator, counting);
                    const auto search = game.make(options, threads, 1, 8);
                    (void)search->choose(game.initial(), Role{0}, nodes(300));
                    game.problem.evaluator = plain;
                    EXPECT_EQ(counting->started, threads);
                    EXPECT_EQ(counting->plain, 0U);
                    // As prior only where one role decides.
                    const bool simultaneous = std::string_view(name) == "bidding_tic_tac_toe";
                    if (!simultaneous || !options.starts_with("evaluator=prior")) {
                        EXPECT_GT(counting->asked, 50U);
                    }
                }
            }
        }
    }
}

TEST(UctWithEvaluators, OneThreadIsTheSameSearchInEveryRun) {
    Prepared game(bundled("breakthrough_6x6"));
    judge_by(game, "neural");
    for (const std::string options : uses) {
        const Choice first = game.make(options)->choose(game.initial(), Role{0}, nodes(500));
        const Choice second = game.make(options)->choose(game.initial(), Role{0}, nodes(500));
        EXPECT_EQ(first.move, second.move) << options;
        EXPECT_EQ(first.value, second.value) << options;
        EXPECT_EQ(first.playouts, second.playouts) << options;
        if (options.ends_with("weight=1")) {
            EXPECT_EQ(first.playouts, 0U);
        }
    }
}

// What is proved does not depend on opinions.
// An end right behind a state that gets its moves is not the end of that state: the other move wins.
TEST(UctWithEvaluators, TakeNoEndForThatOfTheStateBefore) {
    Prepared game(described(R"(
        (role r) (init start) (<= (legal r go) (true start))
        (<= (legal r win) (true choice)) (<= (legal r lose) (true choice))
        (<= (next choice) (true start)) (<= (next won) (does r win)) (<= (next lost) (does r lose))
        (<= terminal (true won)) (<= terminal (true lost))
        (<= (goal r 100) (true won)) (<= (goal r 0) (not (true won)))
    )"));
    judge_by(game, "fuzzy");
    for (const std::string options : uses) {
        for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
            const Choice choice = game.make(options, 1, seed)->choose(game.initial(), Role{0}, nodes(1000));
            EXPECT_DOUBLE_EQ(choice.value, 100) << options << ", seed " << seed;
        }
    }
}

TEST(UctWithEvaluators, ProvesTheSame) {
    Prepared game(bundled("tic_tac_toe"));
    judge_by(game, "fuzzy");
    for (const std::string options : uses) {
        const Choice choice = game.make(options, 2)->choose(game.initial(), Role{0}, nodes(400'000));
        EXPECT_TRUE(choice.proved) << options;
        EXPECT_DOUBLE_EQ(choice.value, 50) << options;
    }
}

}  // namespace
}  // namespace stratagem::search
