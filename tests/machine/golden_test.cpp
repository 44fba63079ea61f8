// Matches of our own games recorded once, played again on every machine: this works wherever the project stands alone.
//
// tools/regenerate_golden records them anew (it runs this program with STRATAGEM_REGENERATE=1); look at the difference
// before committing it, since a change of these files is a change of what a game means.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "machine/interpreter/text_interpreter.h"
#include "machine/machine_games.h"
#include "machine/machine_text.h"
#include "machine/random.h"
#include "machine/tools/replay.h"
#include "machine/tools/trace.h"

namespace stratagem::machine {
namespace {

namespace fs = std::filesystem;

// Of different kinds: boards, captures, recursion through the state, simultaneous moves, one to three players, chance.
const std::vector<std::string> games = {
    "tic_tac_toe", "connect_four",        "breakthrough_6x6",    "english_draughts", "capture_go_3x3",
    "amazons",     "bidding_tic_tac_toe", "rock_paper_scissors", "farmers",          "maze_chase",
    "minichess",   "nim_four_heaps",      "blocks_world",        "knights_tour",     "three_player_tic_tac_toe",
    "kuhn_poker"};

fs::path file_of(const std::string& game) { return fs::path(STRATAGEM_TEST_DIR) / "golden" / (game + ".jsonl"); }

// A random match, described by the interpreter.
Trace record(const std::string& game, std::size_t match) {
    constexpr std::size_t most_steps = 40;
    const gdl::Description description = testing::bundled(game);
    TextInterpreter machine(description);
    Random random(2026, match);
    Trace trace;
    trace.game = game;
    trace.match = match;
    trace.roles = machine.roles();
    for (;;) {
        TraceStep& step = trace.steps.emplace_back();
        step.state = machine.state();
        step.terminal = machine.terminal();
        for (std::size_t role = 0; role < trace.roles.size(); ++role) {
            step.goals.push_back(machine.goal(role));
            if (!step.terminal) step.legals.push_back(machine.legal(role));
        }
        trace.truncated = !step.terminal && trace.steps.size() > most_steps;
        if (step.terminal || trace.truncated) return trace;
        for (const std::vector<std::string>& moves : step.legals) {
            step.moves.push_back(moves.at(random.below(static_cast<std::uint32_t>(moves.size()))));
        }
        machine.advance(step.moves);
    }
}

class Golden : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        const char* flag = std::getenv("STRATAGEM_REGENERATE");
        if (flag == nullptr || std::string_view(flag) != "1") return;
        std::ofstream file(file_of(GetParam()));
        for (std::size_t match = 0; match < 2; ++match) file << to_json(record(GetParam(), match)) << '\n';
    }
};

TEST_P(Golden, EveryMachineTellsTheSame) {
    const std::vector<Trace> traces = read_traces(file_of(GetParam()));
    ASSERT_EQ(traces.size(), 2U);
    const gdl::Description description = testing::bundled(GetParam());
    for (const MachineKind kind : {MachineKind::circuit, MachineKind::interpreter, MachineKind::check}) {
        const std::unique_ptr<Machine> machine = testing::made(description, kind);
        MachineText text(*machine);
        for (const Trace& trace : traces) {
            const ReplayResult result = replay(text, trace);
            EXPECT_EQ(result.steps, trace.steps.size());
            for (const Mismatch& mismatch : result.mismatches) {
                ADD_FAILURE() << fmt::format("{} match {} step {} {}: expected {}, got {}", to_string(kind),
                                             mismatch.match, mismatch.step, mismatch.what, mismatch.expected,
                                             mismatch.got);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Games, Golden, ::testing::ValuesIn(games), [](const auto& game) { return game.param; });

}  // namespace
}  // namespace stratagem::machine
