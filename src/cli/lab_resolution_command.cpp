// stratagem lab resolution: how far apart networks see the states after the first move.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "cli/lab_games.h"
#include "lab/paper_figures.h"
#include "lab/resolution.h"

namespace stratagem::cli {

namespace {

using lab::Resolution;
using lab::ResolutionTotals;
using lab::transformations;
using Json = nlohmann::json;

struct LabResolutionOptions {
    std::vector<std::string> games;
    double seconds = 10;
    bool json = false;
};

void print_head() {
    fmt::print("{:<32} {:>5} {:>7}", "", "", "");
    for (const auto& one : transformations) fmt::print("  {:^19}", one.name);
    fmt::print("\n{:<32} {:>5} {:>7}", "game", "goal", "states");
    for (std::size_t i = 0; i < transformations.size(); ++i) fmt::print("  {:>11} {:>7}", "interval", "values");
    fmt::print("\n");
}

void print_row(const std::string& game, const Resolution& one) {
    fmt::print("{:<32} {:>5} {:>7}", game, one.goal, fmt::format("{}{}", one.states, one.all_states ? "" : "+"));
    for (const lab::Spread& spread : one.by) fmt::print("  {:>11.4g} {:>7}", spread.interval(), spread.distinct);
    fmt::print("\n");
}

Json to_json(const std::string& game, const Resolution& one) {
    Json result{{"game", game},           {"role", one.role},     {"goal", one.goal},
                {"trivial", one.trivial}, {"states", one.states}, {"all_states", one.all_states}};
    for (std::size_t i = 0; i < transformations.size(); ++i) {
        const lab::Spread& spread = one.by[i];
        result[std::string(transformations[i].key)] = {{"interval", spread.interval()},
                                                       {"lowest", spread.lowest},
                                                       {"highest", spread.highest},
                                                       {"distinct", spread.distinct},
                                                       {"seconds", spread.seconds}};
    }
    return result;
}

std::string change_name(std::size_t from) {
    return fmt::format("{} to {}", transformations[from].name, transformations[from + 1].name);
}

void print_changes(const ResolutionTotals& totals) {
    fmt::print("\n{:<46} {:>6} {:>7} {:>6} {:>8} {:>12} {:>6}\n", "output intervals", "games", "larger", "equal",
               "smaller", "more values", "fewer");
    for (std::size_t i = 0; i + 1 < transformations.size(); ++i) {
        const ResolutionTotals::Change& change = totals.change(i);
        fmt::print("{:<46} {:>6} {:>7} {:>6} {:>8} {:>12} {:>6}\n", change_name(i), totals.games(), change.larger,
                   change.equal, change.smaller, change.more_values, change.fewer_values);
    }
    for (const lab::PaperResolution& paper : lab::paper_resolutions) {
        fmt::print("{:<46} {:>6} {:>7} {:>6} {:>8} {:>12} {:>6}\n", fmt::format("{}: {}", change_name(0), paper.source),
                   paper.games, paper.larger, paper.equal, paper.smaller, paper.more_values, 0);
    }
}

void print_means(const ResolutionTotals& totals) {
    fmt::print("\nMeans of log10 of the intervals; none counts as 2^-53, which is {:.2f}.\n{:<46} {:>6}",
               std::log10(lab::least_interval), "", "games");
    for (const auto& one : transformations) fmt::print(" {:>8}", one.name);
    fmt::print("\n");
    const auto line = [](const char* name, const ResolutionTotals::Means& means) {
        fmt::print("{:<46} {:>6}", name, means.games);
        for (std::size_t i = 0; i < transformations.size(); ++i) fmt::print(" {:>8.2f}", means.of(i));
        fmt::print("\n");
    };
    line("all games", totals.all());
    line("games with a goal of several parts", totals.nontrivial());
    line("games with a larger interval under 1.1", totals.larger());
    for (const lab::PaperResolution& paper : lab::paper_resolutions) {
        fmt::print("{:<46} {:>6} {:>8.2f} {:>8.2f}\n", paper.source, paper.games, paper.mean_log_cilp,
                   paper.mean_log_local);
    }
    const lab::PaperResolution& thesis = lab::paper_resolutions.front();
    fmt::print("{:<46} {:>6} {:>8.2f} {:>8.2f}\n", "thesis, games with a larger interval under 1.1", thesis.larger,
               thesis.larger_log_cilp, thesis.larger_log_local);
}

void print_seconds(const ResolutionTotals& totals) {
    fmt::print("\n{:<46} {:>8} {:>8} {:>8}\n", "seconds to make the networks of a game", "median", "90 %", "worst");
    for (std::size_t i = 0; i < transformations.size(); ++i) {
        const lab::Durations& seconds = totals.seconds(i);
        fmt::print("{:<46} {:>8.3f} {:>8.3f} {:>8.3f}\n", transformations[i].name, seconds.median(),
                   seconds.ninth_decile(), seconds.worst());
    }
}

Json means_json(const ResolutionTotals::Means& means) {
    Json result{{"games", means.games}};
    for (std::size_t i = 0; i < transformations.size(); ++i) {
        result[std::string(transformations[i].key)] = means.games > 0 ? Json(means.of(i)) : Json();
    }
    return result;
}

Json summary(const ResolutionTotals& totals, const LabGames& games) {
    Json changes = Json::array(), seconds = Json::object(), papers = Json::array();
    for (std::size_t i = 0; i + 1 < transformations.size(); ++i) {
        const ResolutionTotals::Change& change = totals.change(i);
        changes.push_back({{"from", transformations[i].key},
                           {"to", transformations[i + 1].key},
                           {"larger", change.larger},
                           {"equal", change.equal},
                           {"smaller", change.smaller},
                           {"more_values", change.more_values},
                           {"fewer_values", change.fewer_values}});
    }
    for (std::size_t i = 0; i < transformations.size(); ++i) {
        const lab::Durations& one = totals.seconds(i);
        seconds[std::string(transformations[i].key)] = {
            {"median", one.median()}, {"ninth_decile", one.ninth_decile()}, {"worst", one.worst()}};
    }
    for (const lab::PaperResolution& paper : lab::paper_resolutions) {
        papers.push_back({{"source", paper.source},
                          {"games", paper.games},
                          {"larger", paper.larger},
                          {"equal", paper.equal},
                          {"smaller", paper.smaller},
                          {"more_values", paper.more_values},
                          {"mean_log10", {{"cilp", paper.mean_log_cilp}, {"local", paper.mean_log_local}}}});
    }
    return {{"summary", true},
            {"games", games.size()},
            {"measured", totals.games()},
            {"left_out", games.left_out_json()},
            {"changes", std::move(changes)},
            {"mean_log10",
             {{"all", means_json(totals.all())},
              {"nontrivial", means_json(totals.nontrivial())},
              {"larger", means_json(totals.larger())}}},
            {"seconds", std::move(seconds)},
            {"papers", std::move(papers)}};
}

int run_lab_resolution(const LabResolutionOptions& options) {
    LabGames games(options.games);
    if (!games.ok()) return exit_code::usage;
    const Interruptible interruptible;
    ResolutionTotals totals;
    std::optional<Resolution> found;
    if (!options.json) print_head();
    const LabGames::Visitor visitor{[&](const LabGames::Game& game, std::string& why) {
                                        lab::ResolutionSettings settings;
                                        settings.seconds = options.seconds;
                                        settings.abort = interruptible.stop().flag;
                                        found = lab::measure_resolution(*game, settings, why);
                                        return found.has_value();
                                    },
                                    [&](const std::string& game) {
                                        totals.add(*found);
                                        if (options.json) return print_json(to_json(game, *found));
                                        print_row(game, *found);
                                    },
                                    [&](const LeftOut& one) {
                                        if (options.json)
                                            return print_json({{"game", one.game}, {"left_out", one.why}});
                                        fmt::print("{:<32} {}\n", one.game, one.why);
                                    }};
    const bool all = games.for_each(options.seconds, interruptible, visitor);
    if (options.json) {
        print_json(summary(totals, games));
    } else if (totals.games() > 0) {
        print_changes(totals);
        print_means(totals);
        print_seconds(totals);
        fmt::print("\n{} of {} games measured\n{}", totals.games(), games.size(), games.left_out_text());
    }
    if (all) return games.exit_code();
    tell("stratagem: interrupted\n");
    return exit_code::interrupted;
}

}  // namespace

void add_lab_resolution(CLI::App& lab, Context& context) {
    CLI::App& command = *lab.add_subcommand(
        "resolution", "How far apart networks see the states after the first move, beside the papers' figures");
    const auto options = std::make_shared<LabResolutionOptions>();
    add_lab_games_option(command, options->games);
    command.add_option("--seconds", options->seconds, "For grounding a game, and for making each of its networks")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_flag("--json", options->json, "One JSON object for each game and line, then one for the whole");
    command.footer(
        examples({"stratagem lab resolution", "stratagem lab resolution connect_four_8x6 ../games --seconds 5"}) +
        "\nFor the first role and its goal of 100 (else its greatest), over all states one move from the initial\n"
        "one: the difference between the greatest and the least output of its network, and how many values\n"
        "there are. 1.0 is C-IL2P, 1.1 the local transformation, soft that of nex; no features. Differences\n"
        "below 1e-15 count as none.");
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return run_lab_resolution(*options); }); });
}

}  // namespace stratagem::cli
