// stratagem lab features: which features are found in which games.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/lab_games.h"
#include "lab/feature_statistics.h"
#include "lab/paper_figures.h"

namespace stratagem::cli {

namespace {

using evaluate::feature::Feature;
using evaluate::feature::feature_kinds;
using lab::FeatureFindings;
using lab::FeatureTotals;
using Json = nlohmann::json;

struct LabFeaturesOptions {
    std::vector<std::string> games;
    std::string recipe = "nex-1.1f";
    double seconds = 10;
    std::uint64_t seed = 1;
    bool json = false;
};

std::string key_of(Feature feature) {
    std::string key(to_string(feature));
    std::ranges::replace(key, ' ', '_');
    return key;
}

Json to_json(const std::string& game, const FeatureFindings& one) {
    Json features = Json::object();
    for (std::size_t i = 0; i < feature_kinds; ++i) {
        const auto& count = one.counts.of(Feature(i));
        if (count.found == 0 && count.skipped.empty()) continue;
        Json skipped = Json::object();
        for (const auto& reason : count.skipped) skipped[std::string(reason.why)] = reason.count;
        features[key_of(Feature(i))] = {{"found", count.found}, {"left_out", std::move(skipped)}};
    }
    return {{"game", game},           {"features", std::move(features)},
            {"neurons", one.neurons}, {"analysis_seconds", one.analysis_seconds},
            {"seconds", one.seconds}, {"complete_analysis", one.complete_analysis}};
}

double part_of(std::size_t part, std::size_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

void print_totals(const FeatureTotals& totals) {
    fmt::print("\n{:<30} {:>7} {:>8} {:>8} {:>8}   {:>9} {:>9} {:>8}\n", "feature", "games", "of all", "thesis", "seen",
               "found", "per game", "thesis");
    for (std::size_t i = 0; i < feature_kinds; ++i) {
        const auto feature = static_cast<Feature>(i);
        const bool known = i < lab::thesis_features.size();
        if (!known && totals.found(feature) == 0) continue;
        fmt::print("{:<30} {:>7} {:>6.1f} % {:>8} {:>6.1f} %   {:>9} {:>9.2f} {:>8}\n", to_string(feature),
                   totals.games_with(feature), 100 * part_of(totals.games_with(feature), totals.games()),
                   known ? fmt::format("{:.1f} %", lab::thesis_features[i].percent) : "",
                   100 * part_of(totals.games_seen(feature), totals.games()), totals.found(feature),
                   part_of(totals.found(feature), totals.games()),
                   known ? fmt::format("{:.2f}", lab::thesis_features[i].per_game) : "");
    }
    fmt::print("{:<30} {:>7} {:>8} {:>8} {:>8}   {:>9} {:>9.2f} {:>8.2f}\n", "kinds and features in a game", "",
               fmt::format("{:.2f}", totals.types_per_game()), fmt::format("{:.1f}", lab::thesis_types_per_game), "",
               "", totals.features_per_game(), lab::thesis_features_per_game);
    fmt::print(
        "The last line counts the seven kinds of the thesis, which had {} games. Seen: in so many games the feature "
        "was\n"
        "found, or left out for one of the reasons below.\n",
        lab::thesis_feature_games);
    bool first = true;
    for (std::size_t i = 0; i < feature_kinds; ++i) {
        for (const auto& [why, count] : totals.skipped(Feature(i))) {
            if (first) fmt::print("\nLooked for and not used:\n");
            first = false;
            fmt::print("  {:<28} {:>9}  {}\n", to_string(Feature(i)), count, why);
        }
    }
    fmt::print("\n{:<30} {:>8} {:>8} {:>8}\n", "seconds for a game", "median", "90 %", "worst");
    const auto line = [](const char* name, const lab::Durations& seconds) {
        fmt::print("{:<30} {:>8.3f} {:>8.3f} {:>8.3f}\n", name, seconds.median(), seconds.ninth_decile(),
                   seconds.worst());
    };
    line("analysis", totals.analysis_seconds());
    line("with networks and features", totals.seconds());
    fmt::print("{} of {} analyses were cut short by the clock\n", totals.incomplete_analyses(), totals.games());
}

Json summary(const FeatureTotals& totals, const LabGames& games, const LabFeaturesOptions& options) {
    Json features = Json::object();
    for (std::size_t i = 0; i < feature_kinds; ++i) {
        const auto feature = static_cast<Feature>(i);
        Json one{{"games", totals.games_with(feature)},
                 {"percent", 100 * part_of(totals.games_with(feature), totals.games())},
                 {"games_seen", totals.games_seen(feature)},
                 {"found", totals.found(feature)},
                 {"per_game", part_of(totals.found(feature), totals.games())},
                 {"left_out", totals.skipped(feature)}};
        if (i < lab::thesis_features.size()) {
            const lab::ThesisFeature& thesis = lab::thesis_features[i];
            one["thesis"] = {{"games", thesis.games},
                             {"percent", thesis.percent},
                             {"found", thesis.found},
                             {"per_game", thesis.per_game}};
        }
        features[key_of(feature)] = std::move(one);
    }
    const auto times = [](const lab::Durations& one) {
        return Json{{"median", one.median()}, {"ninth_decile", one.ninth_decile()}, {"worst", one.worst()}};
    };
    return {{"summary", true},
            {"recipe", options.recipe},
            {"games", games.size()},
            {"measured", totals.games()},
            {"left_out", games.left_out_json()},
            {"features", std::move(features)},
            {"types_per_game", totals.types_per_game()},
            {"features_per_game", totals.features_per_game()},
            {"seconds", times(totals.seconds())},
            {"analysis_seconds", times(totals.analysis_seconds())},
            {"incomplete_analyses", totals.incomplete_analyses()}};
}

int run_lab_features(const LabFeaturesOptions& options) {
    const player::Recipe recipe(options.recipe);
    if (!lab::has_networks(recipe)) {
        throw OptionError(fmt::format("'{}' judges states without networks, so it has no features", options.recipe));
    }
    LabGames games(options.games);
    if (!games.ok()) return exit_code::usage;
    const Interruptible interruptible;
    FeatureTotals totals;
    std::optional<FeatureFindings> found;
    const LabGames::Visitor visitor{
        [&](const LabGames::Game& game, std::string& why) {
            const lab::FeatureSearch search{options.seconds, options.seed, interruptible.stop().flag};
            found = lab::find_features(game, recipe, search, why);
            return found.has_value();
        },
        [&](const std::string& game) {
            totals.add(*found);
            if (options.json) return print_json(to_json(game, *found));
            const std::string features = found->counts.to_text();
            fmt::print("{:<32} {:>7.3f} s{} {}\n", game, found->seconds, found->complete_analysis ? " " : "+",
                       features.empty() ? "none" : features);
        },
        [&](const LeftOut& one) {
            if (options.json) return print_json({{"game", one.game}, {"left_out", one.why}});
            fmt::print("{:<32} {}\n", one.game, one.why);
        }};
    const bool all = games.for_each(options.seconds, interruptible, visitor);
    if (options.json) {
        print_json(summary(totals, games, options));
    } else if (totals.games() > 0) {
        print_totals(totals);
        fmt::print("\n{} of {} games looked at\n{}", totals.games(), games.size(), games.left_out_text());
    }
    if (all) return games.exit_code();
    tell("stratagem: interrupted\n");
    return exit_code::interrupted;
}

int checked_run(const LabFeaturesOptions& options) {
    try {
        return run_lab_features(options);
    } catch (const OptionError& fault) {
        tell("stratagem: --recipe: {}\n", fault.what());
        return exit_code::usage;
    }
}

}  // namespace

void add_lab_features(CLI::App& lab, Context& context) {
    CLI::App& command = *lab.add_subcommand(
        "features", "Which features are found in how many games and how often, beside the table of the thesis");
    const auto options = std::make_shared<LabFeaturesOptions>();
    add_lab_games_option(command, options->games);
    command.add_option("--recipe", options->recipe, "Whose features to look for (stratagem list recipes)")
        ->capture_default_str()
        ->type_name("RECIPE");
    command
        .add_option("--seconds", options->seconds,
                    "For grounding a game, and again for its analysis (half of it) with networks and features")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--seed", options->seed, "Of the random games looked at")
        ->capture_default_str()
        ->check(seed_range());
    command.add_flag("--json", options->json, "One JSON object for each game and line, then one for the whole");
    command.footer(examples({"stratagem lab features", "stratagem lab features ../games --recipe nex --seconds 1"}) +
                   "\nA + after the seconds of a game: the clock cut its analysis short.");
    command.callback([options, &context] { context.exit_code = guarded([&] { return checked_run(*options); }); });
}

}  // namespace stratagem::cli
