// stratagem lab heuristics: single features as heuristics against blind search.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "arena/statistics.h"
#include "cli/lab_games.h"
#include "cli/tables.h"
#include "lab/heuristics.h"
#include "player/recipe_text.h"

namespace stratagem::cli {

namespace {

using evaluate::single::FeatureSet;
using lab::HeuristicTrial;
using lab::HeuristicTrials;

struct LabHeuristicsOptions {
    std::vector<std::string> games;
    std::string only, roles;
    std::string structures = "templates";
    std::string blind = "noise";
    std::vector<std::string> tables;
    HeuristicTrials trials;
    machine::MachineOptions machine;
    std::size_t best = 0;
    bool list = false;
    bool json = false;
};

// Of a game: its features, or what came of their trials.
struct TriedGame {
    std::shared_ptr<const FeatureSet> set;
    std::vector<HeuristicTrial> trials;
};

std::string wins_text(const HeuristicTrial& one) {
    if (one.matches() == 0) return "-";
    const arena::Range range = arena::wilson95(static_cast<double>(one.wins), static_cast<double>(one.matches()));
    return fmt::format("{}/{} [{:.0f}, {:.0f}] %", one.wins, one.matches(), 100 * range.low, 100 * range.high);
}

nlohmann::json trial_json(const std::string& game, const HeuristicTrial& one) {
    nlohmann::json result{{"game", game},
                          {"role", one.role},
                          {"heuristic", one.heuristic},
                          {"wins", one.wins},
                          {"matches", one.matches()},
                          {"points", one.points.mean()},
                          {"left_out", one.left_out}};
    if (one.matches() > 0) {
        const arena::Range range = arena::wilson95(static_cast<double>(one.wins), static_cast<double>(one.matches()));
        result["wilson95"] = {range.low, range.high};
    }
    return result;
}

void list_features(const std::string& game, const FeatureSet& set, bool json) {
    for (std::size_t i = 0; i < set.features.size(); ++i) {
        const evaluate::single::Feature& feature = set.features[i];
        if (json) {
            print_json({{"game", game},
                        {"number", i + 1},
                        {"feature", feature.name},
                        {"low", feature.low},
                        {"high", feature.high},
                        {"promise", set.promise[i]}});
            continue;
        }
        std::string promise;
        for (const double one : set.promise[i]) promise += fmt::format(" {:>6.2f}", one);
        fmt::print("{:>3}  {:<48} {:>4} to {:>5}  {}\n", i + 1, feature.name, feature.low, feature.high, promise);
    }
}

// How many of a role's trials are shown: the best ones, and blind.
std::vector<HeuristicTrial> shown(const std::vector<HeuristicTrial>& trials, std::size_t best) {
    std::vector<HeuristicTrial> result;
    std::string role;
    std::size_t place = 0;
    for (const HeuristicTrial& one : trials) {
        if (one.role != role) place = 0;
        role = one.role;
        const bool heuristic = one.heuristic != "blind";
        if (best == 0 || !heuristic || place < best) result.push_back(one);
        place += heuristic ? 1U : 0U;
    }
    return result;
}

int run_lab_heuristics(LabHeuristicsOptions options) {
    check_tables(options.tables);
    LabGames games(options.games);
    if (!games.ok()) return exit_code::usage;
    const Interruptible interruptible;
    HeuristicTrials& settings = options.trials;
    settings.abort = interruptible.stop().flag;
    settings.by_templates = options.structures == "templates";
    settings.noise = options.blind == "noise";
    settings.only = player::split_options(options.only);
    settings.roles = player::split_options(options.roles);
    arena::Table table{"Single-feature heuristics against blind search",
                       {{"game"}, {"role"}, {"heuristic"}, {"wins", true}, {"points", true}},
                       {},
                       {{"matches", std::to_string(settings.matches)},
                        {"nodes a move", std::to_string(settings.nodes)},
                        {"moves by chance first", std::to_string(settings.opening)},
                        {"blind", options.blind},
                        {"structures", options.structures}}};
    std::optional<TriedGame> tried;
    const LabGames::Visitor visitor{
        [&](const LabGames::Game& game, std::string& why) {
            tried = TriedGame{lab::features_of(game, settings, why), {}};
            if (tried->set == nullptr) return false;
            if (!options.list) tried->trials = lab::try_heuristics(game, tried->set, settings, {});
            return true;
        },
        [&](const std::string& game) {
            if (!options.json) fmt::print("{}: {} features\n", game, tried->set->features.size());
            if (options.list) return list_features(game, *tried->set, options.json);
            for (const HeuristicTrial& one : shown(tried->trials, options.best)) {
                table.rows.push_back({game, one.role, one.heuristic, wins_text(one), arena::mean_text(one.points)});
                if (options.json) {
                    print_json(trial_json(game, one));
                } else {
                    fmt::print("  {:<12} {:<44} {:>20}  points {}{}\n", one.role, one.heuristic, wins_text(one),
                               arena::mean_text(one.points),
                               one.left_out > 0 ? fmt::format(", {} too long", one.left_out) : "");
                }
            }
        },
        [&](const LeftOut& one) {
            if (options.json) return print_json({{"game", one.game}, {"left_out", one.why}});
            fmt::print("{}: {}\n", one.game, one.why);
        }};
    const bool all = games.for_each(options.machine, interruptible, visitor);
    write_tables(options.tables, table);
    if (all) return games.exit_code();
    tell("stratagem: interrupted\n");
    return exit_code::interrupted;
}

}  // namespace

void add_lab_heuristics(CLI::App& lab, Context& context) {
    CLI::App& command = *lab.add_subcommand(
        "heuristics", "Every single feature of a game, made large and made small, as a heuristic against blind search");
    const auto options = std::make_shared<LabHeuristicsOptions>();
    HeuristicTrials& trials = options->trials;
    add_lab_games_option(command, options->games);
    command.add_flag("--list", options->list,
                     "Only list the features: number, name, range, and how they go along with each role's goal value");
    command.add_option("--matches", trials.matches, "Of each heuristic in each seat")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    command.add_option("--nodes", trials.nodes, "States for each move, of both")
        ->check(whole_number(1, 1'000'000'000))
        ->capture_default_str();
    command.add_option("--opening", trials.opening, "Moves by chance at the beginning")
        ->check(whole_number(0, 1000))
        ->capture_default_str();
    command.add_option("--longest", trials.longest, "Moves; longer matches are left out")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    command.add_option("--only", options->only, "Heuristics to try, such as max:pawn.white.3, separated by commas");
    command.add_option("--roles", options->roles, "Whose seats, separated by commas");
    command.add_option("--best", options->best, "Show so many of each role, and blind; 0: all")
        ->check(whole_number(0, 1'000'000))
        ->capture_default_str();
    command
        .add_option("--blind", options->blind,
                    "How the blind player chooses among equals: noise on values, or the first move")
        ->check(CLI::IsMember({"noise", "first"}))
        ->capture_default_str();
    command.add_option("--structures", options->structures, "Where features come from: templates or meaning")
        ->check(CLI::IsMember({"templates", "meaning"}))
        ->capture_default_str();
    command.add_option("--seconds", trials.seconds, "For the analysis of a game")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--seed", trials.seed, "Of matches and random games")
        ->check(seed_range())
        ->capture_default_str();
    add_limit_options(command, options->machine);
    add_table_option(command, options->tables);
    command.add_flag("--json", options->json, "One JSON object for each heuristic and seat");
    command.footer(examples({"stratagem lab heuristics hallway --list",
                             "stratagem lab heuristics hallway --only max:pawn.white.3 --roles white",
                             "stratagem lab heuristics breakthrough_6x6 connect_three --matches 20 --nodes 500"}) +
                   "\nWins: matches in which the role got the most it can get, with the 95 % Wilson interval. Blind: "
                   "the\nsame search without a heuristic in that seat.");
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return run_lab_heuristics(*options); }); });
}

}  // namespace stratagem::cli
