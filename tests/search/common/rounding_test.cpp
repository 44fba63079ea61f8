#include "search/common/rounding.h"

#include <gtest/gtest.h>

#include "search/search_games.h"

namespace stratagem::search {
namespace {

using machine::testing::bundled;
using testing::Prepared;

// The order of noise, in differences that scores lose.
class Faint final : public evaluate::Evaluator {
  public:
    double value(const State& state, Role role) const override { return 40 + 1e-9 * noise_.value(state, role); }
    evaluate::Explanation explain(const State&, Role) const override { return {"faint", 0, {}}; }

  private:
    testing::NoiseEvaluator noise_;
};

TEST(Rounding, OpinionsAreSpreadOutWhereScoresWouldLoseThem) {
    Prepared game(bundled("connect_four"));
    std::vector<std::string> lines;
    SearchSettings settings;
    settings.log = [&](const std::string& line) { lines.push_back(line); };
    EXPECT_EQ(evaluator_for_scores(game.problem, settings), game.problem.evaluator) << "a constant stays one";
    game.problem.evaluator = std::make_shared<testing::NoiseEvaluator>();
    EXPECT_EQ(evaluator_for_scores(game.problem, settings), game.problem.evaluator) << "nothing is lost";
    EXPECT_TRUE(lines.empty());
    game.problem.evaluator = std::make_shared<Faint>();
    EXPECT_NE(evaluator_for_scores(game.problem, settings), game.problem.evaluator);
    EXPECT_EQ(lines.size(), 1U);
    Prepared at_once(bundled("rock_paper_scissors"));
    at_once.problem.evaluator = game.problem.evaluator;
    EXPECT_EQ(evaluator_for_scores(at_once.problem, settings), at_once.problem.evaluator) << "more than order matters";
    std::atomic<bool> stop = true;
    settings.stop.flag = &stop;
    EXPECT_EQ(evaluator_for_scores(game.problem, settings), game.problem.evaluator) << "there is no time for it";
}

// Searches that round see the differences. (MaxN too, but it weighs what a role gets against what the others get.)
TEST(Rounding, SearchesThatRoundTellStatesApart) {
    Prepared game(bundled("connect_four"));
    game.problem.evaluator = std::make_shared<Faint>();
    Budget budget;
    budget.max_depth = 1;
    for (const char* name : {"alphabeta", "paranoid"}) {
        const Choice choice = game.make(name, "nonuniform=off")->choose(game.machine->initial(), Role{0}, budget);
        double best = 0;
        for (const Move move : game.legal(game.machine->initial(), 0)) {
            State next;
            game.machine->next(game.machine->initial(),
                               std::vector<Move>{move, game.legal(game.machine->initial(), 1).front()}, next);
            best = std::max(best, game.problem.evaluator->value(next, Role{0}));
        }
        State next;
        game.machine->next(game.machine->initial(),
                           std::vector<Move>{*choice.move, game.legal(game.machine->initial(), 1).front()}, next);
        EXPECT_EQ(game.problem.evaluator->value(next, Role{0}), best) << name;
    }
}

}  // namespace
}  // namespace stratagem::search
