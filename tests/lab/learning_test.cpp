// Positions whose moves are proved, and how often whoever chooses keeps what they are worth.
#include <gtest/gtest.h>

#include <algorithm>

#include "evaluate/evaluator.h"
#include "lab/kept_values.h"
#include "machine/machine_games.h"

namespace stratagem::lab {
namespace {

using machine::Move;
using machine::Role;
using machine::State;

std::shared_ptr<const machine::GdlGame> game_of(const std::string& name) {
    return std::make_shared<const machine::GdlGame>(machine::testing::bundled(name));
}

ProvedPositions proved(const std::string& name, std::size_t plies, std::size_t count, std::uint64_t nodes) {
    ProofSettings settings;
    settings.plies = plies;
    settings.count = count;
    settings.nodes = nodes;
    settings.table_megabytes = 8;
    return prove_positions(game_of(name), player::Recipe("alphabeta"), settings);
}

// What a state of a game for two in turns is worth, worked out without any search of the project.
int worth(machine::Machine& machine, const State& state, Role role) {
    if (machine.terminal(state)) return machine.goal(state, role).value_or(0);
    std::vector<std::vector<Move>> legal(2);
    for (std::uint32_t i = 0; i < 2; ++i) machine.legal(state, Role{i}, legal[i]);
    const std::uint32_t player = legal[0].size() > 1 || legal[1].size() == 1 ? 0 : 1;
    int best = -1;
    State next;
    for (const Move move : legal[player]) {
        std::vector<Move> joint{legal[0].front(), legal[1].front()};
        joint[player] = move;
        machine.next(state, joint, next);
        const int value = worth(machine, next, role);
        const bool better = Role{player} == role ? value > best : value < best;
        if (best < 0 || better) best = value;
    }
    return best;
}

// Knows what every state is worth.
class Perfect final : public evaluate::Evaluator {
  public:
    explicit Perfect(std::shared_ptr<const machine::Game> game) : game_(std::move(game)) {}

    double value(const State& state, Role role) const override { return worth(*game_->make(), state, role); }
    evaluate::Explanation explain(const State&, Role) const override { return {}; }

  private:
    std::shared_ptr<const machine::Game> game_;
};

TEST(ProvedPositions, AreWorthWhatTheySay) {
    const ProvedPositions found = proved("tic_tac_toe", 4, 20, 1'000'000);
    ASSERT_EQ(found.positions.size(), 20U);
    EXPECT_EQ(found.unproved, 0U);
    EXPECT_GT(found.open(), 0U);
    const auto machine = game_of("tic_tac_toe")->make();
    State next;
    for (const ProvedPosition& position : found.positions) {
        EXPECT_EQ(position.path.size(), 4U);
        EXPECT_EQ(position.choices.size(), 5U);
        std::optional<ReachedPosition> reached = reach_position(*machine, position);
        ASSERT_TRUE(reached);
        for (std::size_t i = 0; i < position.choices.size(); ++i) {
            reached->joint[ground::index(position.player)] = reached->choices[i];
            machine->next(reached->state, reached->joint, next);
            EXPECT_EQ(position.choices[i].goal, worth(*machine, next, position.player));
        }
    }
}

TEST(ProvedPositions, OthersAreDrawnWhereAProofIsTooDear) {
    const ProvedPositions found = proved("tic_tac_toe", 1, 3, 100);
    EXPECT_GT(found.unproved, 0U);
    EXPECT_TRUE(found.positions.empty());
    EXPECT_TRUE(proved("tic_tac_toe", 30, 3, 100).positions.empty()) << "no game lasts so long";
}

TEST(ProvedPositions, AreReadAsTheyWereWritten) {
    const ProvedPositions found = proved("tic_tac_toe", 5, 5, 100'000);
    const std::string text = to_json(found);
    const auto read = positions_from_json(text);
    ASSERT_TRUE(std::holds_alternative<ProvedPositions>(read)) << std::get<std::string>(read);
    EXPECT_EQ(to_json(std::get<ProvedPositions>(read)), text);
    EXPECT_TRUE(std::holds_alternative<std::string>(positions_from_json("{}")));
    for (std::size_t length = 0; length + 2 < text.size(); length += 1 + text.size() / 50) {
        EXPECT_TRUE(std::holds_alternative<std::string>(positions_from_json(text.substr(0, length)))) << length;
    }
    EXPECT_FALSE(reach_position(*game_of("connect_three")->make(), found.positions.front()));
}

TEST(KeptValues, WhoKnowsKeepsThemAll) {
    const ProvedPositions found = proved("tic_tac_toe", 4, 20, 1'000'000);
    const auto game = game_of("tic_tac_toe");
    const auto perfect = kept_by_values(*game, Perfect(game), found);
    ASSERT_TRUE(perfect);
    EXPECT_EQ(perfect->share(), 1);
    EXPECT_EQ(perfect->open, found.open());
    // Who knows nothing keeps the part of moves that do, ends of the game aside.
    const auto blind = kept_by_values(*game, evaluate::ConstantEvaluator(), found);
    ASSERT_TRUE(blind);
    EXPECT_GT(blind->share_open(), 0);
    EXPECT_LT(blind->share_open(), 1);
    EXPECT_EQ(blind->kept - blind->kept_open, static_cast<double>(found.positions.size() - found.open()));
    const auto searched = kept_by_recipe(game, player::Recipe("alphabeta:table=8"), found, 100'000, 1, {});
    ASSERT_TRUE(searched);
    EXPECT_EQ(searched->share(), 1);
    EXPECT_FALSE(kept_by_values(*game_of("connect_three"), evaluate::ConstantEvaluator(), found));
}

}  // namespace
}  // namespace stratagem::lab
