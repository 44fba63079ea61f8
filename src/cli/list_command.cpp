// stratagem list: what there is to choose from.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/program_map.h"
#include "evaluate/registry.h"
#include "gdl/game_file.h"
#include "machine/game.h"
#include "player/recipe.h"
#include "player/spelled_out.h"
#include "search/registry.h"
#include "util/number_text.h"

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

nlohmann::json option_json(const Option& option, const std::string& value) {
    nlohmann::json one{{"name", option.name}, {"default", value}, {"help", option.help}};
    if (!option.needs.empty()) one["needs"] = option.needs;
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
        case Option::Kind::text:
            one["kind"] = "text";
            break;
    }
    return one;
}

// `values` are those in effect where nothing else is said: of a recipe, what it sets.
nlohmann::json options_json(std::span<const Option> options, const OptionValues& values) {
    nlohmann::json list = nlohmann::json::array();
    for (const Option& option : options) list.push_back(option_json(option, values.text(option.name)));
    return list;
}

std::string values_of(const Option& option) {
    switch (option.kind) {
        case Option::Kind::flag:
            return "on|off";
        case Option::Kind::integer:
        case Option::Kind::real:
            return fmt::format("{} to {}", number_text(option.least), number_text(option.most));
        case Option::Kind::choice:
            return std::string(option.choices);
        case Option::Kind::text:
            return "a name";
    }
    return {};
}

void print_option(const Option& option, const std::string& value, const std::string& more = {}) {
    fmt::print("  {:<26}  {} ({}){}{}\n", fmt::format("{}={}", option.name, value), option.help, values_of(option),
               option.needs.empty() ? "" : fmt::format("; needs {}", option.needs), more);
}

void print_options(std::span<const Option> options, const OptionValues& values) {
    for (const Option& option : options) print_option(option, values.text(option.name));
}

int unknown_entry(std::string_view kind, const std::string& name, const std::vector<std::string>& names) {
    const std::optional<std::string> near = gdl::nearest_name(name, names);
    tell("stratagem: there is no {} '{}'; {}\n", kind, name,
         near ? fmt::format("did you mean '{}'?", *near) : fmt::format("there are: {}", fmt::join(names, ", ")));
    return exit_code::usage;
}

// Whether a search asks the evaluator: an opinion without anybody who wants it has no effect.
nlohmann::json asking(const search::SearchEntry& entry) {
    if (entry.asks.empty()) return "always";
    return entry.asks;
}
nlohmann::json asking(const evaluate::EvaluatorEntry&) { return {}; }

// What is registered with a name, a line about it, and options; all of it, or one by its name.
template <typename Entry>
int list_entries(std::string_view kind, std::span<const Entry> table, const std::string& name, bool json) {
    std::vector<std::string> names;
    for (const Entry& entry : table) {
        names.emplace_back(entry.name);
        if (!name.empty() && entry.name != name) continue;
        const OptionValues defaults(entry.options, "");
        if (json) {
            nlohmann::json one{
                {"name", entry.name}, {"about", entry.about}, {"options", options_json(entry.options, defaults)}};
            if (const nlohmann::json asks = asking(entry); !asks.is_null()) one["asks_evaluator"] = asks;
            print_json(one);
        } else {
            fmt::print("{:<12}  {}\n", entry.name, entry.about);
            print_options(entry.options, defaults);
            if (const nlohmann::json asks = asking(entry); !asks.is_null()) {
                fmt::print("  asks the evaluator: {}\n", asks.get<std::string>());
            }
        }
    }
    if (!name.empty() && std::ranges::find(names, name) == names.end()) return unknown_entry(kind, name, names);
    return exit_code::success;
}

// What a recipe is made of, with the values it sets.
struct RecipeParts {
    explicit RecipeParts(const player::Recipe& of)
        : recipe(of),
          entry(*of.entry()),
          judging(player::evaluator_options(entry), of.options_for_evaluator()),
          searching(player::search_options(of)),
          common(of.common()) {}

    std::string evaluator() const { return std::string(entry.evaluator.empty() ? "constant" : entry.evaluator); }
    std::string searches(std::string_view between, bool kinds = false) const {
        std::string text;
        for (const player::RecipeSearch& one : entry.searches) {
            text += fmt::format("{}{}", text.empty() ? "" : between, one.name);
            if (kinds && one.only != nullptr) text += fmt::format(" {}", one.only->words);
        }
        return text;
    }

    const player::Recipe& recipe;
    const player::RecipeEntry& entry;
    OptionValues judging;
    std::vector<player::SearchOption> searching;
    OptionValues common;
};

void print_recipe_json(const RecipeParts& parts) {
    const player::RecipeEntry& entry = parts.entry;
    nlohmann::json searches = nlohmann::json::array();
    for (const player::RecipeSearch& one : entry.searches) searches.push_back(one.name);
    nlohmann::json options = options_json(player::evaluator_options(entry), parts.judging);
    for (const player::SearchOption& one : parts.searching) {
        options.push_back(option_json(one.option, one.value));
        options.back()["of"] = one.searches;
    }
    for (auto& one : options_json(player::recipe_options(), parts.common)) options.push_back(std::move(one));
    print_json({{"name", entry.name},
                {"about", entry.about},
                {"searches", std::move(searches)},
                {"evaluator", parts.evaluator()},
                {"options", std::move(options)}});
}

void print_recipe(const RecipeParts& parts) {
    const player::RecipeEntry& entry = parts.entry;
    fmt::print("{}: {}\n\n", entry.name, entry.about);
    if (entry.solve_first) fmt::print("first        solves the game, if it is small enough\n");
    fmt::print("searches by  {}{}\n", parts.searches(", else ", true),
               entry.searches.size() > 1 ? ": the first that can handle the game" : "");
    const bool judges = player::evaluator_of(entry) != nullptr;
    fmt::print("judges by    {}\n", judges ? parts.evaluator() : "how games end, nothing else");
    const auto section = [&](std::string_view of, std::span<const Option> options, const OptionValues& values) {
        if (options.empty()) return;
        fmt::print("\nOptions of {}, with their values in {}\n", of, parts.recipe.text());
        print_options(options, values);
    };
    section(parts.evaluator(), player::evaluator_options(entry), parts.judging);
    if (!parts.searching.empty()) {
        fmt::print("\nOptions of {}, with their values in {}\n", parts.searches(", "), parts.recipe.text());
        for (const player::SearchOption& one : parts.searching) {
            const bool some = one.searches.size() < entry.searches.size();
            print_option(one.option, one.value, some ? fmt::format(" [{}]", fmt::join(one.searches, ", ")) : "");
        }
    }
    section("every recipe", player::recipe_options(), parts.common);
    if (parts.recipe.is_pair()) {
        fmt::print("\nOptions follow a colon, those of the search before the '+': {}:OPTION=VALUE+{}:OPTION=VALUE\n",
                   entry.searches.front().name, entry.evaluator);
    } else {
        fmt::print("\nOptions follow a colon: {}:threads=2\n", entry.name);
    }
}

int list_recipe(const std::string& text, bool json) {
    try {
        const player::Recipe recipe(text);
        const RecipeParts parts(recipe);
        json ? print_recipe_json(parts) : print_recipe(parts);
        return exit_code::success;
    } catch (const OptionError& fault) {
        tell("stratagem: {}\n", fault.what());
        return exit_code::usage;
    }
}

int list_recipes(bool json) {
    if (!json) fmt::print("{:<11} {:<9} {}\n", "recipe", "judges by", "");
    for (const player::RecipeEntry& entry : player::recipe_table()) {
        if (json) {
            const player::Recipe recipe(entry.name);
            print_recipe_json(RecipeParts(recipe));
            continue;
        }
        const std::string sets = entry.judging.empty() ? std::string() : fmt::format(" [{}]", entry.judging);
        fmt::print("{:<11} {:<9} {}{}\n", entry.name, entry.evaluator.empty() ? "-" : entry.evaluator, entry.about,
                   sets);
    }
    if (json) return exit_code::success;
    fmt::print(
        "\nAny evaluator under any search is a recipe too: SEARCH+EVALUATOR, each with options of its own, such as\n"
        "alphabeta:nonuniform=off+fuzzy:power=5 ('stratagem list searches', 'stratagem list evaluators').\n"
        "'stratagem list recipes RECIPE' has all about one: its searches, options and their values.\n");
    return exit_code::success;
}

nlohmann::json command_option_json(const CLI::Option& option) {
    return {{"name", option_name(option)},
            {"value", takes_value(option) ? value_name(option) : ""},
            {"kind", !takes_value(option)      ? "flag"
                     : is_whole_number(option) ? "whole number"
                     : is_number(option)       ? "number"
                                               : "text"},
            {"range", value_range(option)},
            {"default", takes_value(option) ? option.get_default_str() : ""},
            {"required", option.get_required()},
            {"about", option.get_description()}};
}

void list_command(const CLI::App& app, bool json) {
    const std::string name = full_name(app).substr(full_name(app).find(' ') + 1);
    if (json) {
        nlohmann::json arguments = nlohmann::json::array();
        nlohmann::json options = arguments;
        for (const CLI::Option* one : positional_arguments(app)) arguments.push_back(command_option_json(*one));
        for (const CLI::Option* one : named_options(app)) options.push_back(command_option_json(*one));
        print_json({{"name", name},
                    {"about", app.get_description()},
                    {"arguments", std::move(arguments)},
                    {"options", std::move(options)}});
    } else {
        fmt::print("{:<18} {}\n", name, app.get_description());
    }
    for (const CLI::App* inner : visible_commands(app)) list_command(*inner, json);
}

int list_commands(const CLI::App& program, bool json) {
    for (const CLI::App* one : visible_commands(program)) list_command(*one, json);
    return exit_code::success;
}

}  // namespace

void add_list(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand(
        "list", "Show what there is: games, recipes, evaluators, searches, machines, diagnostics, commands");
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
    const auto name = std::make_shared<std::string>();
    recipes.add_option("RECIPE", *name, "All about this one, which may be any SEARCH+EVALUATOR");
    recipes.callback([json, name, &context] {
        context.exit_code = name->empty() ? list_recipes(*json) : list_recipe(*name, *json);
    });
    CLI::App& evaluators = *command.add_subcommand("evaluators", "The ways to judge a state, with their options");
    evaluators.fallthrough();
    evaluators.add_option("EVALUATOR", *name, "Only this one");
    evaluators.callback([json, name, &context] {
        context.exit_code = list_entries("evaluator", evaluate::evaluator_table(), *name, *json);
    });
    CLI::App& searches = *command.add_subcommand("searches", "The searches recipes are made of, with their options");
    searches.fallthrough();
    searches.add_option("SEARCH", *name, "Only this one");
    searches.callback(
        [json, name, &context] { context.exit_code = list_entries("search", search::search_table(), *name, *json); });
    CLI::App& commands =
        *command.add_subcommand("commands", "The commands of this program; with --json their options too");
    commands.fallthrough();
    commands.callback([json, &program, &context] { context.exit_code = list_commands(program, *json); });
    command.require_subcommand(1);
    command.footer(examples({"stratagem list games", "stratagem list recipes", "stratagem list recipes nex",
                             "stratagem list recipes uct+neural", "stratagem list games --json"}));
}

}  // namespace stratagem::cli
