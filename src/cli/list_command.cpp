// stratagem list: what there is to choose from.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "evaluate/registry.h"
#include "gdl/game_file.h"
#include "machine/make_machine.h"
#include "player/recipe.h"
#include "search/registry.h"

namespace stratagem::cli {

namespace {

int list_games(bool json) {
    const std::vector<gdl::GameCard> games = gdl::bundled_games();
    if (games.empty()) {
        tell("stratagem: the folder of bundled games was not found; set STRATAGEM_GAMES to its path\n");
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

nlohmann::json options_json(std::span<const Option> options) {
    nlohmann::json list = nlohmann::json::array();
    for (const Option& option : options) {
        nlohmann::json one{{"name", option.name}, {"default", option.standard}, {"help", option.help}};
        switch (option.kind) {
            case Option::Kind::flag:
                one["kind"] = "flag";
                break;
            case Option::Kind::integer:
            case Option::Kind::real:
                one["kind"] = option.kind == Option::Kind::integer ? "integer" : "real";
                one["least"] = option.least;
                one["most"] = option.most;
                break;
            case Option::Kind::choice:
                one["kind"] = "choice";
                one["choices"] = option.choices;
                break;
        }
        list.push_back(std::move(one));
    }
    return list;
}

std::string values_of(const Option& option) {
    switch (option.kind) {
        case Option::Kind::flag:
            return "on|off";
        case Option::Kind::integer:
        case Option::Kind::real:
            return fmt::format("{} to {}", option.least, option.most);
        case Option::Kind::choice:
            return std::string(option.choices);
    }
    return {};
}

void print_options(std::span<const Option> options) {
    for (const Option& option : options) {
        fmt::print("              {}={}  {} ({})\n", option.name, option.standard, option.help, values_of(option));
    }
}

// What is registered with a name, a line about it, and options.
template <typename Entry>
int list_entries(std::span<const Entry> table, bool json) {
    for (const Entry& entry : table) {
        if (json) {
            print_json({{"name", entry.name}, {"about", entry.about}, {"options", options_json(entry.options)}});
        } else {
            fmt::print("{:<12}  {}\n", entry.name, entry.about);
            print_options(entry.options);
        }
    }
    return exit_code::success;
}

int list_recipes(bool json) {
    for (const player::RecipeEntry& entry : player::recipe_table()) {
        nlohmann::json searches = nlohmann::json::array();
        for (const player::RecipeSearch& one : entry.searches) searches.push_back(one.name);
        if (json) {
            nlohmann::json options = options_json(player::evaluator_options(entry));
            for (nlohmann::json& one : options_json(player::search_options(entry))) options.push_back(std::move(one));
            for (nlohmann::json& one : options_json(player::recipe_options())) options.push_back(std::move(one));
            print_json({{"name", entry.name},
                        {"about", entry.about},
                        {"searches", std::move(searches)},
                        {"evaluator", entry.evaluator.empty() ? "constant" : entry.evaluator},
                        {"options", std::move(options)}});
        } else {
            fmt::print("{:<12}  {}\n", entry.name, entry.about);
            print_options(player::evaluator_options(entry));
            print_options(player::search_options(entry));
        }
    }
    if (!json) {
        fmt::print("\nEvery recipe has these options besides, as in uct:threads=2\n");
        print_options(player::recipe_options());
    }
    return exit_code::success;
}

}  // namespace

void add_list(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand(
        "list", "Show what there is: games, recipes, evaluators, searches, machines, diagnostics");
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
    CLI::App& recipes = *command.add_subcommand("recipes", "The ways to play, for --players and --recipe");
    recipes.fallthrough();
    recipes.callback([json, &context] { context.exit_code = list_recipes(*json); });
    CLI::App& evaluators = *command.add_subcommand("evaluators", "The ways to judge a state, with their options");
    evaluators.fallthrough();
    evaluators.callback([json, &context] { context.exit_code = list_entries(evaluate::evaluator_table(), *json); });
    CLI::App& searches = *command.add_subcommand("searches", "The searches recipes are made of, with their options");
    searches.fallthrough();
    searches.callback([json, &context] { context.exit_code = list_entries(search::search_table(), *json); });
    command.require_subcommand(1);
    command.footer(examples({"stratagem list games", "stratagem list recipes", "stratagem list games --json"}));
}

}  // namespace stratagem::cli
