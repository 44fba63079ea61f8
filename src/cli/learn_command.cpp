// stratagem learn: weights of a linear evaluation, learned by playing.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "arena/statistics.h"
#include "cli/learning_run.h"
#include "evaluate/linear/linear_evaluator.h"
#include "evaluate/linear/weights_file.h"
#include "learn/quick_match.h"
#include "machine/circuit/circuit.h"
#include "util/output_file.h"

namespace stratagem::cli {

namespace {

namespace linear = evaluate::linear;

struct LearnOptions {
    LearningOptions learning;
    std::string out;
    std::size_t matches = 100;
    bool json = false;
};

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
        learn_and_look(options_.learning, play_, interruptible_, [&](double seconds) { tell_point(seconds); });
    }
    const std::vector<Point>& points() const { return points_; }

  private:
    void tell_point(double seconds) {
        const linear::LinearEvaluator evaluator(game_->circuit()->shared_program(), play_.model());
        learn::QuickMatch match;
        match.games = options_.matches;
        match.seed = options_.learning.seed + points_.size();
        const machine::Stop stop = interruptible_.stop(Deadline::after(std::chrono::seconds(20)));
        Point point{seconds, play_.played(), {}};
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
        points_.push_back(point);
    }
    const LearnOptions& options_;
    std::shared_ptr<const machine::Game> game_;
    linear::SelfPlay& play_;
    const Interruptible& interruptible_;
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
    (void)learning_settings(options.learning);
    if (!options.out.empty()) {
        if (const WriteProblem problem = cannot_write(options.out)) {
            tell("stratagem: --out: {}\n", *problem);
            return exit_code::usage;
        }
    }
    const Interruptible interruptible;
    const ReadyToLearn ready = make_ready_to_learn(options.learning, context, interruptible);
    if (!ready.game) return ready.exit_code;
    linear::SelfPlay* const play = ready.play.get();
    const std::string name = game_name(options.learning.game);
    const linear::Model empty = play->model();
    if (!options.json) {
        fmt::print("{}: {} cells, {} patterns in {} looks, {} weights\n", name, empty.tuples->cells().size(),
                   empty.tuples->patterns().size(), empty.tuples->looks(), empty.weights.size());
    }
    Learning learning(options, ready.game, *play, interruptible);
    learning.run();
    if (!options.json) fmt::print("\n{}", plot(learning.points()));
    const std::string weights = linear::to_json(play->model(), *ready.game->circuit()->shared_program());
    if (options.out.empty()) {
        if (options.json) print_json({{"weights", nlohmann::json::parse(weights)}});
    } else if (const WriteProblem problem = write_file(options.out, weights)) {
        tell("stratagem: --out: {}\n", *problem);
        return exit_code::usage;
    } else if (options.json) {
        print_json({{"weights", options.out}});
    } else {
        fmt::print("\nweights in {}: stratagem match {} --players alphabeta+linear:weights={},uct\n", options.out,
                   options.learning.game, options.out);
    }
    return interruptible.interrupted() ? exit_code::interrupted : exit_code::success;
}

}  // namespace

void add_learn(CLI::App& program, Context& context) {
    CLI::App& command =
        *program.add_subcommand("learn", "Learn weights of cells and patterns, by playing against itself");
    const auto options = std::make_shared<LearnOptions>();
    add_learning_options(command, options->learning);
    command.add_option("--out", options->out, "File for the weights, to be used as linear:weights=FILE");
    command.add_option("--matches", options->matches, "Games against random moves for each line")
        ->check(whole_number(0, 1'000'000))
        ->capture_default_str();
    add_limit_options(command, options->learning.machine);
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
