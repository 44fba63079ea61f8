// Whoever has more of what a goal asks for is not judged to be further from it: of two states of random games, one of
// which satisfies all literals of a goal that the other does and some more, the network never puts the other first.
#include <gtest/gtest.h>

#include <filesystem>

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
        for (Code of = code(1); of < reached.size(); ++of) {
            if (reached[of] && theory.leaf(node_of(of))) literals_.push_back(of);
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

void check_all(NeuralGame& game, std::size_t states, Totals& totals) {
    for (const Transformation kind : {Transformation::cilp, Transformation::local, Transformation::soft}) {
        SCOPED_TRACE(static_cast<int>(kind));
        game.set(settings_for(kind));
        check(game, states, totals);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

void report(const Totals& totals) {
    fmt::print("{} networks of goals: {} pairs of states, {} told apart\n", totals.networks, totals.pairs,
               totals.apart);
}

TEST(NeuralOrder, OfBundledGames) {
    Totals totals;
    for (const std::filesystem::path& path : gdl::testing::bundled_files()) {
        SCOPED_TRACE(path.stem().string());
        NeuralGame game(machine::testing::described_file(path));
        if (game.evaluator) check_all(game, 80, totals);
        if (HasFatalFailure()) return;
    }
    report(totals);
    EXPECT_GE(totals.pairs, 10'000U);
    EXPECT_GE(totals.apart, 1'000U);
}

// A sample of the collection beside the project; all of it, with more states, in the full tests.
TEST(NeuralOrder, OfSharedGames) {
    const std::vector<std::filesystem::path> files = gdl::testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no ../shared/games beside the project";
    Totals totals;
    for (std::size_t i = full_tests() ? 0 : 3; i < files.size(); i += full_tests() ? 1 : 40) {
        SCOPED_TRACE(files[i].stem().string());
        gdl::ReadResult read = gdl::read_and_check(files[i].filename().string(), gdl::testing::content_of(files[i]));
        if (!read.ok()) continue;
        NeuralGame game(std::move(read.description));
        if (game.evaluator) check_all(game, full_tests() ? 300 : 40, totals);
        if (HasFatalFailure()) return;
    }
    report(totals);
    EXPECT_GT(totals.networks, 0U);
}

}  // namespace
}  // namespace stratagem::evaluate::neural::testing
