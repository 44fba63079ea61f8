// Tactical positions with the moves that their author accepts, when these stand beside the project: which of them each
// serious recipe solves with a number of nodes, on one thread, so that the same comes out everywhere. The table of
// those that are solved, positions_solved.json, may only get better: a position that is no longer solved is a failure,
// and one that is solved now is told of. tools/positions_table makes the table anew.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "machine/machine_games.h"
#include "player/engine.h"

namespace stratagem::player {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path shared() { return fs::path(STRATAGEM_SOURCE_DIR).parent_path() / "shared"; }

json read_json(const fs::path& path) { return json::parse(gdl::testing::content_of(path)); }

struct Position {
    std::string name;  // the game, and which position of it
    std::string game;
    machine::Role role;
    std::vector<std::string> fluents;
    std::set<std::string> accepted;
};

std::vector<Position> positions() {
    std::vector<Position> found;
    const fs::path file = shared() / "recorded" / "positions.json";
    if (!fs::exists(file)) return found;
    std::map<std::string, int> count;
    for (const json& one : read_json(file)) {
        const std::string game = one["game"];
        found.push_back({fmt::format("{} {}", game, ++count[game]), game,
                         machine::Role{one["role_index"].get<std::uint32_t>()}, one["state"], one["accepted"]});
    }
    return found;
}

// Grounding once for all positions of a game.
std::shared_ptr<const machine::Game> game_of(const std::string& name) {
    machine::MachineOptions options;
    options.build_limit_seconds = 600;  // the same machine on a busy computer
    return std::make_shared<const machine::GdlGame>(
        machine::testing::described_file(shared() / "games" / (name + ".kif")), options);
}

// The move that is chosen, by name.
std::string answer(const Recipe& recipe, const std::shared_ptr<const machine::Game>& prepared, const Position& position,
                   std::uint64_t nodes) {
    const std::unique_ptr<machine::Machine> machine = prepared->make();
    machine::State state = machine->initial();
    state.clear();
    for (const std::string& name : position.fluents) {
        const std::optional<machine::Fluent> fluent = machine->find_fluent(name);
        // What no play reaches is unknown to the circuit, and does not matter to it.
        if (fluent) state.insert(*fluent);
    }
    EXPECT_FALSE(machine->terminal(state)) << position.name;
    EngineSettings settings;
    settings.nodes = nodes;
    settings.role = position.role;
    settings.search.table_megabytes = 32;
    const std::unique_ptr<Engine> engine = make_engine(recipe, prepared, settings);
    search::Budget budget;
    budget.max_nodes = nodes;
    const search::Choice choice = engine->search->choose(state, position.role, budget);
    return choice.move ? machine->move_name(*choice.move) : "nothing";
}

// Where tools/positions_table wants to read what was chosen; no file otherwise.
std::ofstream report_file() {
    const char* path = std::getenv("STRATAGEM_POSITIONS_REPORT");
    return path != nullptr ? std::ofstream(path, std::ios::app) : std::ofstream();
}

// Other than those of the test, where it wants to know what more or fewer nodes would do.
std::uint64_t nodes_or(std::uint64_t usual) {
    const char* text = std::getenv("STRATAGEM_POSITIONS_NODES");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : usual;
}

struct Trial {
    std::string recipe;
    std::uint64_t nodes;
};

void PrintTo(const Trial& trial, std::ostream* out) { *out << trial.recipe << " with " << trial.nodes << " nodes"; }

class Positions : public ::testing::TestWithParam<Trial> {};

TEST_P(Positions, AreSolvedAsBefore) {
    const std::vector<Position> all = positions();
    if (all.empty()) GTEST_SKIP() << "no positions beside the project";
    const std::string name = GetParam().recipe;
    const std::uint64_t nodes = nodes_or(GetParam().nodes);
    const Recipe recipe(name);
    const json table = read_json(fs::path(STRATAGEM_TEST_DIR) / "positions_solved.json");
    const std::set<std::string> solved_before = table.value(name, std::set<std::string>());
    std::ofstream report = report_file();
    std::map<std::string, std::shared_ptr<const machine::Game>> games;
    for (const Position& position : all) {
        if (!games.contains(position.game)) games[position.game] = game_of(position.game);
        const std::string move = answer(recipe, games[position.game], position, nodes);
        const bool solved = position.accepted.contains(move);
        if (solved_before.contains(position.name)) {
            EXPECT_TRUE(solved) << position.name << " is no longer solved: " << move;
        } else if (solved) {
            fmt::print("could be added to positions_solved.json: {} solves {}\n", name, position.name);
        }
        report << json{{"recipe", name},
                       {"nodes", nodes},
                       {"position", position.name},
                       {"move", move},
                       {"accepted", position.accepted},
                       {"solved", solved}}
                      .dump()
               << '\n';
    }
}

INSTANTIATE_TEST_SUITE_P(Recipes, Positions,
                         ::testing::Values(Trial{"best", 2'000}, Trial{"uct", 20'000}, Trial{"mcts-plain", 4'000},
                                           Trial{"flux", 20'000}, Trial{"nex", 20'000}, Trial{"blind", 20'000},
                                           Trial{"solve", 20'000}),
                         [](const auto& test) {
                             std::string name = test.param.recipe;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace stratagem::player
