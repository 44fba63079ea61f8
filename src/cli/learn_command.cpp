// stratagem learn: weights of a linear evaluation, learned by playing.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "arena/statistics.h"
#include "cli/run_game.h"
#include "evaluate/linear/learn.h"
#include "evaluate/linear/linear_evaluator.h"
#include "evaluate/linear/weights_file.h"
#include "evaluate/registry.h"
#include "gdl/game_file.h"
#include "learn/quick_match.h"
#include "machine/circuit/circuit.h"
#include "util/output_file.h"

namespace stratagem::cli {

namespace {

namespace linear = evaluate::linear;

struct LearnOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    double seconds = 60;
    std::uint64_t games = 0;
    std::string features;
    std::string out;
    std::size_t lines = 12;
    std::size_t matches = 100;
    std::uint64_t seed = 1;
    machine::MachineOptions machine;
    bool json = false;
};

linear::LearnSettings settings_of(const LearnOptions& options) {
    const evaluate::EvaluatorEntry* entry = evaluate::find_evaluator("linear");
    linear::LearnSettings settings = linear::settings_of(OptionValues(entry->options, options.features));
    settings.play.seed = options.seed;
    return settings;
}

// One line of progress: how far, and how strong against random moves.
struct Point {
    double seconds = 0;
    linear::SelfPlayed played;
    arena::Sample score;
};

class Learning {
  public:
    Learning(const LearnOptions& options, std::shared_ptr<const machine::Game> game, linear::SelfPlay& play,
             const Interruptible& interruptible)
        : options_(options), game_(std::move(game)), play_(play), interruptible_(interruptible) {}

    void run() {
        if (!options_.json)
            fmt::print("{:>9} {:>10} {:>13} {:>7}  points against random moves\n", "seconds", "games", "states",
                       "error");
        // Points in time come closer at the beginning, where most is learned.
        double next = options_.seconds / static_cast<double>(1ULL << std::min<std::size_t>(options_.lines - 1, 20));
        while (true) {
            const auto begin = std::chrono::steady_clock::now();
            const bool by_games = options_.games > 0;
            const double left = by_games ? 1 : std::min(next, options_.seconds) - seconds_;
            const machine::Stop stop =
                interruptible_.stop(Deadline::after(std::chrono::duration<double>(std::max(left, 0.001))));
            play_.run(stop);
            seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            const bool over = interruptible_.interrupted() || play_.is_over() ||
                              (by_games ? play_.played().games >= options_.games : seconds_ >= options_.seconds);
            if (by_games && !over && play_.played().games < next_games_) continue;
            next_games_ = 2 * std::max<std::uint64_t>(play_.played().games, 100);
            next *= 2;
            tell_point();
            if (over) return;
        }
    }
    const std::vector<Point>& points() const { return points_; }

  private:
    void tell_point() {
        const linear::LinearEvaluator evaluator(game_->circuit()->shared_program(), play_.model());
        learn::QuickMatch match;
        match.games = options_.matches;
        match.seed = options_.seed + points_.size();
        const machine::Stop stop = interruptible_.stop(Deadline::after(std::chrono::seconds(20)));
        Point point{seconds_, play_.played(), {}};
        for (const double one : learn::play_quickly(*game_, &evaluator, nullptr, match, stop)) point.score.add(one);
        if (options_.json) {
            nlohmann::json line{{"seconds", point.seconds},
                                {"games", point.played.games},
                                {"states", point.played.states},
                                {"error", point.played.error}};
            if (point.score.count() > 0) line["score"] = point.score.mean();
            print_json(line);
        } else {
            fmt::print("{:>9.1f} {:>10} {:>13} {:>7.3f}  {}\n", point.seconds, point.played.games, point.played.states,
                       point.played.error, arena::mean_text(point.score));
            std::fflush(stdout);
        }
        points_.push_back(std::move(point));
    }
    const LearnOptions& options_;
    std::shared_ptr<const machine::Game> game_;
    linear::SelfPlay& play_;
    const Interruptible& interruptible_;
    double seconds_ = 0;
    std::uint64_t next_games_ = 100;
    std::vector<Point> points_;
};

// Points over seconds, each line of progress a column.
std::string plot(const std::vector<Point>& points) {
    constexpr int rows = 10;
    std::string text;
    for (int row = rows; row-- > 0;) {
        text += fmt::format("{:>5} |", (row + 1) * 100 / rows);
        for (const Point& point : points) {
            const double filled = point.score.count() > 0 ? point.score.mean() * rows / 100 - row : 0;
            text += filled >= 0.75 ? "  ███" : filled >= 0.25 ? "  ▄▄▄" : "     ";
        }
        text += "\n";
    }
    text += fmt::format("{:>5} +", 0);
    for (std::size_t i = 0; i < points.size(); ++i) text += "-----";
    text += fmt::format("\n{:>7}", "s");
    for (const Point& point : points) text += fmt::format("{:>5.3g}", point.seconds);
    return text + "\n";
}

int run_learn(const LearnOptions& options, Context& context) {
    const linear::LearnSettings settings = settings_of(options);
    if (!options.out.empty()) {
        if (const WriteProblem problem = cannot_write(options.out)) {
            tell("stratagem: --out: {}\n", *problem);
            return exit_code::usage;
        }
    }
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    const std::shared_ptr<const machine::Game> given = prepare(description, options.machine);
    const Interruptible interruptible;
    evaluate::Material material;
    std::unique_ptr<linear::SelfPlay> play;
    {
        const Waiting waiting(fmt::format("looking for cells and patterns in {}", game_name(options.game)));
        constexpr double seconds = 20;
        material = evaluate::make_material(given, seconds, interruptible.stop().flag, options.seed);
        if (material.analysis) {
            play = linear::prepare_learning(*material.game, *material.analysis, material.asked.get(), settings,
                                            material.stop);
        }
    }
    if (interruptible.interrupted()) return exit_code::interrupted;
    if (!play) {
        tell("stratagem: {} has no circuit to learn from\n", game_name(options.game));
        return exit_code::limit;
    }
    const linear::Model empty = play->model();
    if (!options.json) {
        fmt::print("{}: {} cells, {} patterns, {} weights, {} of them different\n", game_name(options.game),
                   empty.tuples->cells().size(), empty.tuples->pattern_count(), empty.weights.size(),
                   play->played().weights);
    }
    Learning learning(options, material.game, *play, interruptible);
    learning.run();
    if (!options.json) fmt::print("\n{}", plot(learning.points()));
    const std::string weights = linear::to_json(play->model(), *material.game->circuit()->shared_program());
    if (options.out.empty()) {
        if (options.json) print_json({{"weights", nlohmann::json::parse(weights)}});
    } else if (const WriteProblem problem = write_file(options.out, weights)) {
        tell("stratagem: --out: {}\n", *problem);
        return exit_code::usage;
    } else if (options.json) {
        print_json({{"weights", options.out}});
    } else {
        fmt::print("\nweights in {}: stratagem match {} --players alphabeta+linear:weights={},uct\n", options.out,
                   options.game, options.out);
    }
    return interruptible.interrupted() ? exit_code::interrupted : exit_code::success;
}

}  // namespace

void add_learn(CLI::App& program, Context& context) {
    CLI::App& command =
        *program.add_subcommand("learn", "Learn weights of cells and patterns, by playing against itself");
    const auto options = std::make_shared<LearnOptions>();
    command.add_option("FILE", options->game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    CLI::Option* seconds = command.add_option("--seconds", options->seconds, "How long to learn")
                               ->check(seconds_range())
                               ->capture_default_str();
    command.add_option("--games", options->games, "How many games to learn from, instead of a time")
        ->check(whole_number(1, 1'000'000'000'000))
        ->excludes(seconds);
    command
        .add_option("--features", options->features,
                    "Options of the evaluator linear, such as walks=4 (list evaluators linear)")
        ->type_name("SET");
    command.add_option("--out", options->out, "File for the weights, to be used as linear:weights=FILE");
    command.add_option("--lines", options->lines, "Lines of progress: the time between two doubles")
        ->check(whole_number(1, 20))
        ->capture_default_str();
    command.add_option("--matches", options->matches, "Games against random moves for each line")
        ->check(whole_number(0, 1'000'000))
        ->capture_default_str();
    command.add_option("--seed", options->seed, "Of the games")->capture_default_str()->check(seed_range());
    add_notation_option(command, options->notation);
    add_limit_options(command, options->machine);
    command.add_flag("--json", options->json, "One JSON object for each line of progress, the last with the weights");
    command.footer(
        examples({"stratagem learn connect_four --seconds 60 --out connect_four.json",
                  "stratagem learn hallway --games 10000 --features patterns=off",
                  "stratagem evaluate connect_four --evaluator linear:weights=connect_four.json --explain"}));
    command.callback([options, &context] {
        context.exit_code = guarded([&] {
            try {
                return run_learn(*options, context);
            } catch (const OptionError& fault) {
                tell("stratagem: --features: {}\n", fault.what());
                return exit_code::usage;
            }
        });
    });
}

}  // namespace stratagem::cli
