// stratagem lab structures: structures found by templates beside those found by meaning.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/lab_games.h"
#include "lab/structure_comparison.h"

namespace stratagem::cli {

namespace {

using lab::structure_counts;
using lab::StructureComparison;
using lab::StructureCount;

struct LabStructuresOptions {
    std::vector<std::string> games;
    double seconds = 10;
    std::uint64_t seed = 1;
    bool all = false;
    bool json = false;
};

struct StructureTotals {
    std::size_t games = 0, differ = 0, cut_short = 0;
    StructureComparison::Counts by_templates{}, by_meaning{};
    StructureComparison::Counts games_that_differ{};

    void add(const StructureComparison& one) {
        ++games;
        differ += one.differ() ? 1U : 0U;
        cut_short += one.complete ? 0U : 1U;
        for (std::size_t i = 0; i < structure_counts; ++i) {
            by_templates[i] += one.by_templates[i];
            by_meaning[i] += one.by_meaning[i];
            games_that_differ[i] += one.by_templates[i] != one.by_meaning[i] ? 1U : 0U;
        }
    }
};

nlohmann::json counts_json(const StructureComparison::Counts& counts) {
    nlohmann::json result = nlohmann::json::object();
    for (std::size_t i = 0; i < structure_counts; ++i) {
        result[std::string(to_string(static_cast<StructureCount>(i)))] = counts[i];
    }
    return result;
}

nlohmann::json comparison_json(const std::string& game, const StructureComparison& one) {
    return {{"game", game},
            {"templates", counts_json(one.by_templates)},
            {"meaning", counts_json(one.by_meaning)},
            {"templates_alone", one.templates_alone},
            {"meaning_alone", one.meaning_alone},
            {"states", one.states},
            {"complete", one.complete}};
}

std::string pair_text(std::size_t found, std::size_t meant) {
    return found == meant ? fmt::format("{}", found) : fmt::format("{} / {}", found, meant);
}

void print_comparison(const std::string& game, const StructureComparison& one) {
    std::string line = fmt::format("{:<36}{}", game, one.complete ? " " : "+");
    for (std::size_t i = 0; i < structure_counts; ++i) {
        line += fmt::format(" {:>9}", pair_text(one.by_templates[i], one.by_meaning[i]));
    }
    fmt::print("{}\n", line);
    for (const std::string& part : one.templates_alone) fmt::print("    templates alone: {}\n", part);
    for (const std::string& part : one.meaning_alone) fmt::print("    meaning alone:   {}\n", part);
}

void print_structure_totals(const StructureTotals& totals) {
    fmt::print("\n{:<12} {:>10} {:>10} {:>14}\n", "", "templates", "meaning", "games differ");
    for (std::size_t i = 0; i < structure_counts; ++i) {
        fmt::print("{:<12} {:>10} {:>10} {:>14}\n", to_string(static_cast<StructureCount>(i)), totals.by_templates[i],
                   totals.by_meaning[i], totals.games_that_differ[i]);
    }
    fmt::print("{} of {} games differ in something; {} were cut short by the clock\n", totals.differ, totals.games,
               totals.cut_short);
}

int run_lab_structures(const LabStructuresOptions& options) {
    LabGames games(options.games);
    if (!games.ok()) return exit_code::usage;
    const Interruptible interruptible;
    StructureTotals totals;
    std::optional<StructureComparison> found;
    if (!options.json) {
        std::string head = fmt::format("{:<36} ", "game");
        for (std::size_t i = 0; i < structure_counts; ++i) {
            head += fmt::format(" {:>9}", to_string(static_cast<StructureCount>(i)));
        }
        fmt::print("{}\n", head);
    }
    const LabGames::Visitor visitor{
        [&](const LabGames::Game& game, std::string& why) {
            found = lab::compare_structures(game, {options.seconds, options.seed, interruptible.stop().flag}, why);
            return found.has_value();
        },
        [&](const std::string& game) {
            totals.add(*found);
            if (options.json) return print_json(comparison_json(game, *found));
            if (options.all || found->differ()) print_comparison(game, *found);
        },
        [&](const LeftOut& one) {
            if (options.json) return print_json({{"game", one.game}, {"left_out", one.why}});
            fmt::print("{:<36} {}\n", one.game, one.why);
        }};
    const bool all = games.for_each(options.seconds, interruptible, visitor);
    if (options.json) {
        print_json({{"summary", true},
                    {"games", games.size()},
                    {"measured", totals.games},
                    {"differ", totals.differ},
                    {"cut_short", totals.cut_short},
                    {"templates", counts_json(totals.by_templates)},
                    {"meaning", counts_json(totals.by_meaning)},
                    {"games_that_differ", counts_json(totals.games_that_differ)},
                    {"left_out", games.left_out_json()}});
    } else if (totals.games > 0) {
        print_structure_totals(totals);
        fmt::print("\n{} of {} games looked at\n{}", totals.games, games.size(), games.left_out_text());
    }
    if (all) return games.exit_code();
    tell("stratagem: interrupted\n");
    return exit_code::interrupted;
}

}  // namespace

void add_lab_structures(CLI::App& lab, Context& context) {
    CLI::App& command = *lab.add_subcommand(
        "structures",
        "Boards, pieces, quantities and counters found by the templates of Kuhlmann's thesis beside "
        "those found by meaning: games in which they differ");
    const auto options = std::make_shared<LabStructuresOptions>();
    add_lab_games_option(command, options->games);
    command
        .add_option("--seconds", options->seconds,
                    "For grounding a game, and again for its analysis; a tenth of it for the templates")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--seed", options->seed, "Of the random games looked at")
        ->capture_default_str()
        ->check(seed_range());
    command.add_flag("--all", options->all, "Also games in which they are the same");
    command.add_flag("--json", options->json, "One JSON object for each game and line, then one for the whole");
    command.footer(examples({"stratagem lab structures", "stratagem lab structures ../games --seconds 2 --json"}) +
                   "\nTwo numbers: by templates / by meaning. A + after the name: the clock cut something short.");
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return run_lab_structures(*options); }); });
}

}  // namespace stratagem::cli
