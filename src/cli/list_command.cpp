// stratagem list: what there is to choose from.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "gdl/game_file.h"
#include "machine/make_machine.h"

namespace stratagem::cli {

namespace {

int list_games(bool json) {
    const std::vector<gdl::GameCard> games = gdl::bundled_games();
    if (games.empty()) {
        fmt::print(stderr, "stratagem: the folder of bundled games was not found; set STRATAGEM_GAMES to its path\n");
        return exit_code::usage;
    }
    std::size_t width = 0;
    for (const gdl::GameCard& game : games) width = std::max(width, game.name.size());
    for (const gdl::GameCard& game : games) {
        if (json) {
            print_json({{"name", game.name},
                        {"title", game.title},
                        {"about", game.about},
                        {"players", game.players},
                        {"value", game.value},
                        {"path", game.path.string()}});
            continue;
        }
        fmt::print("{:<{}}  {}\n", game.name, width, game.about);
        if (!game.value.empty() && game.value != "unknown") fmt::print("{:<{}}  value: {}\n", "", width, game.value);
    }
    if (!json) fmt::print("\n{} games. Any command takes these names where it takes a FILE.\n", games.size());
    return exit_code::success;
}

int list_diagnostics(bool json) {
    for (const gdl::DiagnosticCode& code : gdl::diagnostic_codes()) {
        if (json) {
            print_json({{"code", code.code}, {"title", code.title}, {"remedy", code.remedy}});
        } else {
            fmt::print("{}  {}\n      {}\n", code.code, code.title, code.remedy);
        }
    }
    return exit_code::success;
}

int list_machines(bool json) {
    for (const machine::MachineEntry& entry : machine::machine_table()) {
        if (json) {
            print_json({{"name", entry.name}, {"about", entry.about}});
        } else {
            fmt::print("{:<11}  {}\n", entry.name, entry.about);
        }
    }
    return exit_code::success;
}

}  // namespace

void add_list(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand("list", "Show what there is: bundled games, machines, diagnostics");
    const auto json = std::make_shared<bool>(false);
    command.add_flag("--json", *json, "One JSON object per line");
    command.fallthrough();
    CLI::App& games = *command.add_subcommand("games", "The bundled games, with their value where it is known");
    games.fallthrough();
    games.callback([json, &context] { context.exit_code = list_games(*json); });
    CLI::App& diagnostics = *command.add_subcommand("diagnostics", "What each code that `check` prints means");
    diagnostics.fallthrough();
    diagnostics.callback([json, &context] { context.exit_code = list_diagnostics(*json); });
    CLI::App& machines = *command.add_subcommand("machines", "The ways to run a game, for --machine");
    machines.fallthrough();
    machines.callback([json, &context] { context.exit_code = list_machines(*json); });
    command.require_subcommand(1);
    command.footer(examples({"stratagem list games", "stratagem list games --json"}));
}

}  // namespace stratagem::cli
