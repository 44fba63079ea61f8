// Whoever has more of what a goal asks for is not judged to be further from it: of two states of random games, one of
// which satisfies all literals of a goal that the other does and some more, the network never puts the other first.
#include <gtest/gtest.h>

#include "evaluate/neural_game.h"

namespace stratagem::evaluate::neural::testing {
namespace {

struct Totals {
    std::size_t networks = 0;
    std::size_t pairs = 0;  // one better than the other
    std::size_t apart = 0;  // and told apart
};

using Words = std::vector<std::uint64_t>;

// The literals of one goal, and which of them each state satisfies.
class GoalLiterals {
  public:
    GoalLiterals(const DomainTheory& theory, const DomainTheory::Goal& goal) : condition_(goal.condition) {
        const std::vector<bool> reached = reached_from(theory, goal.condition);
        for (std::uint32_t code = Code(1).code(); code < reached.size(); ++code) {
            const Code of = Code::from_code(code);
            if (reached[code] && theory.leaf(node_of(of))) literals_.push_back(of);
        }
    }

    void add(const GradedTheory& goals, const GradedTheory::Memory& memory, const std::vector<bool>& truth) {
        Words words(literals_.size() / 64 + 1, 0);
        for (std::size_t i = 0; i < literals_.size(); ++i) {
            if (DomainTheory::holds(truth, literals_[i])) words[i / 64] |= std::uint64_t{1} << i % 64;
        }
        states_.push_back({std::move(words), goals.answer(memory, condition_)});
    }

    void compare(Totals& totals) const {
        for (const Seen& more : states_) {
            for (const Seen& less : states_) {
                if (!strictly_more(more.satisfied, less.satisfied)) continue;
                ++totals.pairs;
                totals.apart += more.answer > less.answer ? 1 : 0;
                ASSERT_GE(more.answer, less.answer);
            }
        }
    }

  private:
    struct Seen {
        Words satisfied;
        double answer;
    };

    static bool strictly_more(const Words& more, const Words& less) {
        for (std::size_t i = 0; i < more.size(); ++i) {
            if ((less[i] & ~more[i]) != 0) return false;
        }
        return more != less;
    }

    Code condition_;
    std::vector<Code> literals_;
    std::vector<Seen> states_;
};

void check(const NeuralGame& game, std::size_t states, Totals& totals) {
    const GradedTheory& goals = game.evaluator->goals();
    std::vector<GoalLiterals> seen;
    for (const DomainTheory::Goal& goal : goals.theory().goals()) seen.emplace_back(goals.theory(), goal);
    Work work(*game.evaluator);
    machine::Random random(11);
    State state = game.machine->initial();
    for (std::size_t i = 0; i < states; ++i) {
        work.move_to(state);
        const std::vector<bool> truth = truth_of(goals, state);
        for (GoalLiterals& one : seen) one.add(goals, work.goals(), truth);
        game.advance(state, random);
    }
    for (const GoalLiterals& one : seen) {
        ++totals.networks;
        one.compare(totals);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

void report(const Totals& totals) {
    fmt::print("{} networks of goals: {} pairs of states, {} told apart\n", totals.networks, totals.pairs,
               totals.apart);
}

TEST(NeuralOrder, OfBundledGames) {
    Totals totals;
    for_each_bundled_game([&](const NeuralGame& game) { check(game, 80, totals); });
    if (HasFatalFailure()) return;
    report(totals);
    EXPECT_GE(totals.pairs, 10'000U);
    EXPECT_GE(totals.apart, 1'000U);
}

TEST(NeuralOrder, OfSharedGames) {
    Totals totals;
    for_each_shared_game(3, [&](const NeuralGame& game) { check(game, full_tests() ? 300 : sized(40), totals); });
    if (HasFatalFailure() || IsSkipped()) return;
    report(totals);
    EXPECT_GT(totals.networks, 0U);
}

}  // namespace
}  // namespace stratagem::evaluate::neural::testing
