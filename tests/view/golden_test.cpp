// Pictures of bundled games, as data and as text, as they were looked at and found right once.
//
// tools/regenerate_golden writes the files anew (it runs this program with STRATAGEM_REGENERATE=1): look at the
// difference before committing it.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "machine/machine_games.h"
#include "machine/random.h"
#include "view/board.h"
#include "view/text_picture.h"

namespace stratagem::view {
namespace {

namespace fs = std::filesystem;

// After some random moves, what the last of them changed marked.
Picture picture_of(const machine::Game& game, std::size_t steps) {
    const std::unique_ptr<machine::Machine> machine = game.make();
    machine::Random random(1);
    machine::State state = machine->initial();
    machine::State before = state;
    for (std::size_t step = 0; step < steps && !machine->terminal(state); ++step) {
        std::vector<machine::Move> joint;
        std::vector<machine::Move> legal;
        for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
            machine->legal(state, machine::Role{role}, legal);
            joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        before = state;
        machine->next(before, joint, state);
    }
    const FluentTexts earlier = fluents_of(*machine, before);
    return Board(look_at(game)).picture(fluents_of(*machine, state), &earlier);
}

// A board, two numbers for boards, layers, no board at all.
class Golden : public ::testing::TestWithParam<std::string> {};

TEST_P(Golden, Picture) {
    const machine::GdlGame game(machine::testing::bundled(GetParam()));
    const Picture picture = picture_of(game, 5);
    const std::string drawn =
        nlohmann::json{{"picture", to_json(picture)}}.dump(1) + "\n" + to_text(picture, {.legend = true});
    const fs::path file = fs::path(STRATAGEM_TEST_DIR) / "golden" / (GetParam() + ".txt");
    const char* flag = std::getenv("STRATAGEM_REGENERATE");
    if (flag != nullptr && std::string_view(flag) == "1") std::ofstream(file) << drawn;
    ASSERT_TRUE(fs::exists(file)) << "run tools/regenerate_golden";
    EXPECT_EQ(gdl::testing::content_of(file), drawn);
}

INSTANTIATE_TEST_SUITE_P(Games, Golden, ::testing::Values("tic_tac_toe", "nine_board_tic_tac_toe", "maze_chase", "nim"),
                         [](const auto& game) { return game.param; });

}  // namespace
}  // namespace stratagem::view
