// stratagem lab selection: which features of a grown tree matches select, round by round.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "arena/statistics.h"
#include "cli/lab_games.h"
#include "lab/selection.h"
#include "util/output_file.h"

namespace stratagem::cli {

namespace {

using lab::SelectedFeatures;
using lab::SelectionSearch;

struct LabSelectionOptions {
    std::vector<std::string> games;
    std::string by = "matches";
    SelectionSearch search;
    std::string out;
    bool json = false;
};

arena::Sample sample_of(const std::vector<double>& points) {
    arena::Sample sample;
    for (const double one : points) sample.add(one);
    return sample;
}

nlohmann::json selection_json(const std::string& game, const SelectedFeatures& found) {
    nlohmann::json rounds = nlohmann::json::array();
    for (std::size_t i = 0; i < found.selection.rounds.size(); ++i) {
        const learn::SelectionRound& round = found.selection.rounds[i];
        rounds.push_back({{"candidates", round.candidates},
                          {"matches", round.matches},
                          {"brought_back", round.brought_back},
                          {"feature", found.names[i]},
                          {"effect", round.effect},
                          {"p", round.p},
                          {"corrected", round.corrected},
                          {"below", round.below},
                          {"accepted", round.accepted}});
    }
    nlohmann::json result{{"game", game},
                          {"nodes", found.nodes},
                          {"complete", found.complete},
                          {"features", found.features},
                          {"varying", found.varying},
                          {"random_games", found.games},
                          {"states", found.states},
                          {"rounds", std::move(rounds)}};
    if (found.spread > 0) {
        result["error"] = found.error;
        result["spread"] = found.spread;
    }
    if (!found.points.empty()) result["score"] = sample_of(found.points).mean();
    return result;
}

std::string selection_text(const std::string& game, const SelectedFeatures& found, const SelectionSearch& search) {
    std::string text = fmt::format("{}: {} nodes{}, {} features, {} of them vary in {} random games\n", game,
                                   found.nodes, found.complete ? "" : "+", found.features, found.varying, found.games);
    for (std::size_t i = 0; i < found.selection.rounds.size(); ++i) {
        const learn::SelectionRound& round = found.selection.rounds[i];
        text += fmt::format("  {:>2}  {:<40} {:>+7.1f} {:>9.2g} {:>9.2g}  {:>4} of {:<5} {:>8}  {}\n", i + 1,
                            found.names[i], round.effect, round.p, round.corrected, round.below, round.candidates,
                            round.matches,
                            !round.accepted                                   ? "the end"
                            : round.corrected < search.selection.significance ? "chosen"
                                                                              : "chosen; not if corrected");
    }
    if (found.spread > 0) {
        text += fmt::format("  fitted to {} states of random games: {:.1f} % of the outcome explained\n", found.states,
                            100 * (1 - found.error / found.spread));
    }
    if (search.by == SelectionSearch::By::playouts && found.model.empty()) {
        text += "  random games do not tell good states from bad ones\n";
    }
    if (!found.points.empty()) {
        text += fmt::format("  one move ahead against random moves: {}\n", arena::mean_text(sample_of(found.points)));
    }
    return text;
}

// Now and then a line, for those who wait.
class SelectionProgressLines {
  public:
    void begin() { last_ = std::chrono::steady_clock::now(); }
    void operator()(const learn::SelectionProgress& progress) {
        constexpr auto between = std::chrono::seconds(15);
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < between) return;
        last_ = now;
        tell("round {}, trial {} of {}, {} matches\n", progress.round, progress.trial + 1, progress.trials,
             progress.matches);
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

int run_lab_selection(const LabSelectionOptions& options) {
    LabGames games(options.games);
    if (!games.ok()) return exit_code::usage;
    std::error_code problem;
    if (!options.out.empty() && !std::filesystem::is_directory(options.out, problem)) {
        tell("stratagem: --out: '{}' is no folder\n", options.out);
        return exit_code::usage;
    }
    const Interruptible interruptible;
    SelectionSearch search = options.search;
    search.by = options.by == "matches" ? SelectionSearch::By::matches : SelectionSearch::By::playouts;
    search.stop = interruptible.stop();
    const auto lines = std::make_shared<SelectionProgressLines>();
    search.progress = [lines](const learn::SelectionProgress& progress) { (*lines)(progress); };
    std::optional<SelectedFeatures> found;
    std::string unwritten;
    if (!options.json && search.by == SelectionSearch::By::matches) {
        fmt::print("{:>4}  {:<40} {:>7} {:>9} {:>9}  {:>13} {:>8}\n", "round", "best feature", "effect", "p",
                   "corrected", "p below limit", "matches");
    }
    const LabGames::Visitor visitor{[&](const LabGames::Game& game, std::string& why) {
                                        lines->begin();
                                        found = lab::find_selection(game, search, why);
                                        return found.has_value();
                                    },
                                    [&](const std::string& game) {
                                        if (options.json) {
                                            print_json(selection_json(game, *found));
                                        } else {
                                            fmt::print("{}", selection_text(game, *found, search));
                                        }
                                        if (options.out.empty() || found->model.empty()) return;
                                        const auto path = std::filesystem::path(options.out) / (game + ".json");
                                        if (const WriteProblem wrong = write_file(path, found->model))
                                            unwritten = *wrong;
                                    },
                                    [&](const LeftOut& one) {
                                        if (options.json)
                                            return print_json({{"game", one.game}, {"left_out", one.why}});
                                        fmt::print("{}: {}\n", one.game, one.why);
                                    }};
    const bool all = games.for_each(search.seconds, interruptible, visitor);
    if (options.json) {
        print_json({{"summary", true},
                    {"games", games.size()},
                    {"measured", games.visited()},
                    {"left_out", games.left_out_json()}});
    }
    if (!unwritten.empty()) {
        tell("stratagem: --out: {}\n", unwritten);
        return exit_code::usage;
    }
    if (all) return games.exit_code();
    tell("stratagem: interrupted\n");
    return exit_code::interrupted;
}

}  // namespace

void add_lab_selection(CLI::App& lab, Context& context) {
    CLI::App& command = *lab.add_subcommand(
        "selection",
        "Which features made of the words of literals change who wins, selected by matches round by round");
    const auto options = std::make_shared<LabSelectionOptions>();
    SelectionSearch& search = options->search;
    learn::SelectionSettings& selection = search.selection;
    add_lab_games_option(command, options->games);
    command.add_option("--by", options->by, "Select by matches, or weigh all features by what came of random playouts")
        ->check(CLI::IsMember({"matches", "playouts"}))
        ->capture_default_str();
    command.add_option("--trials", selection.trials, "Pairs of matches for each feature and round")
        ->check(whole_number(2, 1'000'000))
        ->capture_default_str();
    command.add_option("--depth", selection.match.depth, "Moves that both players look ahead")
        ->check(whole_number(1, 20))
        ->capture_default_str();
    command.add_option("--rounds", selection.rounds, "Features to be selected, at most")
        ->check(whole_number(1, 1'000))
        ->capture_default_str();
    command.add_option("--discount", selection.discount, "Of the weights, from round to round")
        ->check(real_number(0.01, 1))
        ->capture_default_str();
    command.add_option("--others", selection.others, "How likely a feature that is not tried has a weight")
        ->check(real_number(0, 1))
        ->capture_default_str();
    command.add_flag("--even-spread", selection.even_spread, "Divide features by their spread in random games");
    command.add_flag("--corrected", selection.corrected, "Let the Bonferroni-corrected probability decide");
    command.add_option("--opening", selection.match.opening, "Moves by chance at the beginning of a match")
        ->check(whole_number(0, 1'000))
        ->capture_default_str();
    command.add_option("--longest", selection.match.longest, "Moves of a match; then it is drawn")
        ->check(whole_number(1, 100'000))
        ->capture_default_str();
    command.add_option("--grown", search.prepare.growth.nodes, "Nodes that the tree may have")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    command.add_flag("--negations", search.prepare.growth.negations,
                     "Grow features of what something is not, besides corners and edges");
    command.add_option("--outcomes", search.prepare.outcomes.states, "States of random games to keep")
        ->check(whole_number(1, 10'000'000))
        ->capture_default_str();
    command
        .add_option("--seconds", search.seconds,
                    "For grounding a game, again for its analysis, and again for growing and random games")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--out", options->out, "Folder for weights: GAME.json, to be used as tree:weights=FILE");
    command.add_option("--seed", selection.seed, "Of all that is drawn")->capture_default_str()->check(seed_range());
    command.add_flag("--json", options->json, "One JSON object for each game and line, then one for the whole");
    command.footer(examples({"stratagem lab selection hallway --trials 20 --depth 1",
                             "stratagem lab selection capture_go_4x4 --even-spread --corrected --out .",
                             "stratagem lab selection connect_four --by playouts --out ."}) +
                   "\nEffect: points out of 100 with weight +1 less those with -1, for the first role. Corrected: p "
                   "times the\nnumber of features tried.");
    command.callback([options, &context] {
        options->search.prepare.outcomes.seed = options->search.selection.seed;
        options->search.regression.seed = options->search.selection.seed;
        context.exit_code = guarded([&] { return run_lab_selection(*options); });
    });
}

}  // namespace stratagem::cli
