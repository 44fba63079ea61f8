// stratagem lab spread: how many states evaluators tell apart.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/lab_games.h"
#include "lab/spread.h"
#include "player/recipe_text.h"

namespace stratagem::cli {

namespace {

using lab::ToldApart;
using lab::ValueSpread;
using nlohmann::json;

struct Options {
    std::vector<std::string> games;
    std::string recipes = "flux:fit=paper,flux";
    double seconds = 10;
    std::size_t positions = 50;
    std::uint64_t seed = 1;
    bool json = false;
};

struct SpreadTotals {
    explicit SpreadTotals(std::size_t recipes) : all{0, 0, std::vector<ToldApart>(recipes)}, blind(recipes, 0) {}

    void add(const ValueSpread& one) {
        ++games;
        all.choices += one.choices;
        all.moves += one.moves;
        for (std::size_t i = 0; i < one.by.size(); ++i) {
            all.by[i].values += one.by[i].values;
            all.by[i].flat += one.by[i].flat;
            all.by[i].at_ends += one.by[i].at_ends;
            blind[i] += one.choices > 0 && one.by[i].flat == one.choices ? 1U : 0U;
        }
    }

    std::size_t games = 0;
    ValueSpread all;
    std::vector<std::size_t> blind;  // by recipe: games in which every choice is flat
};

json to_json(const ValueSpread& one, const std::vector<player::Recipe>& recipes) {
    json by = json::array();
    for (std::size_t i = 0; i < recipes.size(); ++i) {
        by.push_back({{"recipe", recipes[i].text()},
                      {"values", one.by[i].values},
                      {"flat", one.by[i].flat},
                      {"at_ends", one.by[i].at_ends}});
    }
    return {{"choices", one.choices}, {"moves", one.moves}, {"by", std::move(by)}};
}

std::string row(const std::string& name, const ValueSpread& one) {
    std::string text = fmt::format("{:<32} {:>7} {:>7}", name, one.choices, one.moves);
    for (const ToldApart& told : one.by) {
        text += fmt::format("  {:>7} {:>6} {:>6}", told.values, told.flat, told.at_ends);
    }
    return text + "\n";
}

std::string head(const std::vector<player::Recipe>& recipes) {
    std::string names, text = fmt::format("{:<32} {:>7} {:>7}", "game", "choices", "moves");
    for (std::size_t i = 0; i < recipes.size(); ++i) {
        names += fmt::format("{}: {}\n", i + 1, recipes[i].text());
        text += fmt::format("  {:>7} {:>6} {:>6}", fmt::format("{} values", i + 1), "flat", "ends");
    }
    return names + text + "\n";
}

std::vector<player::Recipe> read_recipes(const std::string& text) {
    std::vector<player::Recipe> recipes;
    for (const std::string& one : player::split_recipes(text)) {
        recipes.emplace_back(one);
        if (player::evaluator_of(*recipes.back().entry()) == nullptr) {
            throw OptionError(fmt::format("recipe '{}' has no evaluator: to it every state is worth the same", one));
        }
    }
    if (recipes.empty()) throw OptionError("none is named");
    return recipes;
}

int run(const Options& options) {
    const std::vector<player::Recipe> recipes = read_recipes(options.recipes);
    LabGames games(options.games);
    if (!games.ok()) return exit_code::usage;
    const Interruptible interruptible;
    SpreadTotals totals(recipes.size());
    std::optional<ValueSpread> found;
    if (!options.json) fmt::print("{}", head(recipes));
    const LabGames::Visitor visitor{
        [&](const LabGames::Game& game, std::string& why) {
            const lab::SpreadSearch search{options.seconds, options.positions, options.seed, interruptible.stop().flag};
            found = lab::measure_spread(game, recipes, search, why);
            return found.has_value();
        },
        [&](const std::string& game) {
            totals.add(*found);
            if (!options.json) return fmt::print("{}", row(game, *found));
            json one = to_json(*found, recipes);
            one["game"] = game;
            print_json(one);
        },
        [&](const LeftOut& one) {
            if (options.json) return print_json({{"game", one.game}, {"left_out", one.why}});
            fmt::print("{:<32} {}\n", one.game, one.why);
        }};
    const bool all = games.for_each(options.seconds, interruptible, visitor);
    if (options.json) {
        json summary = to_json(totals.all, recipes);
        summary["summary"] = true;
        summary["games"] = games.size();
        summary["measured"] = totals.games;
        summary["left_out"] = games.left_out_json();
        for (std::size_t i = 0; i < recipes.size(); ++i) summary["by"][i]["games_all_flat"] = totals.blind[i];
        print_json(summary);
    } else if (totals.games > 0) {
        fmt::print("{}", row("all", totals.all));
        for (std::size_t i = 0; i < recipes.size(); ++i) {
            fmt::print("{}: in {} games every choice is flat\n", recipes[i].text(), totals.blind[i]);
        }
        fmt::print("\n{} of {} games measured\n{}", totals.games, games.size(), games.left_out_text());
    }
    if (all) return games.exit_code();
    tell("stratagem: interrupted\n");
    return exit_code::interrupted;
}

int checked_run(const Options& options) {
    try {
        return run(options);
    } catch (const OptionError& fault) {
        tell("stratagem: --recipes: {}\n", fault.what());
        return exit_code::usage;
    }
}

}  // namespace

void add_lab_spread(CLI::App& lab, Context& context) {
    CLI::App& command = *lab.add_subcommand(
        "spread", "How many states the evaluators of recipes tell apart, in positions of random games");
    const auto options = std::make_shared<Options>();
    add_lab_games_option(command, options->games);
    command.add_option("--recipes", options->recipes, "Whose evaluators to ask, separated by commas")
        ->capture_default_str()
        ->type_name("RECIPE,…");
    command.add_option("--positions", options->positions, "Random games, of each of which one position is looked at")
        ->capture_default_str()
        ->check(whole_number(1, 1'000'000));
    command
        .add_option("--seconds", options->seconds,
                    "For grounding a game, and again for its analysis (half of it) with evaluators")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--seed", options->seed, "Of the random games looked at")
        ->capture_default_str()
        ->check(seed_range());
    command.add_flag("--json", options->json, "One JSON object for each game and line, then one for the whole");
    command.footer(
        examples({"stratagem lab spread", "stratagem lab spread ../games --recipes flux:fit=paper,flux,nex"}) +
        "\nChoices: positions and roles that have one, with so many moves that do not end the game. Values: of moves "
        "of\n"
        "one choice, different ones. Flat: choices whose moves are all worth the same. Ends: moves worth exactly 0 or "
        "100.");
    command.callback([options, &context] { context.exit_code = guarded([&] { return checked_run(*options); }); });
}

}  // namespace stratagem::cli
