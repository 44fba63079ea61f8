#include "cli/learning_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "evaluate/registry.h"
#include "gdl/game_file.h"

namespace stratagem::cli {

namespace linear = evaluate::linear;

void add_learning_options(CLI::App& command, LearningOptions& options) {
    command.add_option("FILE", options.game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    CLI::Option* seconds = command.add_option("--seconds", options.seconds, "How long to learn")
                               ->check(seconds_range())
                               ->capture_default_str();
    command.add_option("--games", options.games, "How many games to learn from, instead of a time")
        ->check(whole_number(1, 1'000'000'000'000))
        ->excludes(seconds);
    command
        .add_option("--features", options.features,
                    "Options of the evaluator linear, such as walks=4 (list evaluators linear)")
        ->type_name("SET");
    command.add_option("--lines", options.lines, "Lines of progress: the time between two doubles")
        ->check(whole_number(1, 20))
        ->capture_default_str();
    command.add_option("--seed", options.seed, "Of the games")->capture_default_str()->check(seed_range());
    add_notation_option(command, options.notation);
}

linear::LearnSettings learning_settings(const LearningOptions& options) {
    const evaluate::EvaluatorEntry* entry = evaluate::find_evaluator("linear");
    linear::LearnSettings settings = linear::settings_of(OptionValues(entry->options, options.features));
    settings.play.seed = options.seed;
    return settings;
}

ReadyToLearn make_ready_to_learn(const LearningOptions& options, Context& context, const Interruptible& interruptible) {
    const linear::LearnSettings settings = learning_settings(options);
    ReadyToLearn result;
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) {
        result.exit_code = context.exit_code;
        return result;
    }
    const std::shared_ptr<const machine::Game> given = prepare(description, options.machine);
    {
        const Waiting waiting(fmt::format("looking for cells and patterns in {}", game_name(options.game)));
        // No longer than what is learned is worth.
        const double seconds = options.games > 0 ? 60 : std::clamp(options.seconds, 5.0, 60.0);
        const evaluate::Material material =
            evaluate::make_material(given, seconds, interruptible.stop().flag, options.seed);
        if (material.analysis) {
            result.play = linear::prepare_learning(*material.game, *material.analysis, material.asked.get(), settings,
                                                   material.stop);
        }
        if (result.play) result.game = material.game;
    }
    if (interruptible.interrupted()) {
        result.game = nullptr;
        result.exit_code = exit_code::interrupted;
    } else if (!result.game) {
        tell("stratagem: {} has no circuit to learn from\n", game_name(options.game));
        result.exit_code = exit_code::limit;
    }
    return result;
}

void learn_and_look(const LearningOptions& options, linear::SelfPlay& play, const Interruptible& interruptible,
                    const std::function<void(double seconds)>& look) {
    double next = options.seconds / static_cast<double>(1ULL << std::min<std::size_t>(options.lines - 1, 20));
    std::uint64_t next_games = 100;
    double seconds = 0;
    while (true) {
        const auto begin = std::chrono::steady_clock::now();
        const bool by_games = options.games > 0;
        const double left = by_games ? 1 : std::min(next, options.seconds) - seconds;
        const machine::Stop stop =
            interruptible.stop(Deadline::after(std::chrono::duration<double>(std::max(left, 0.001))));
        play.run(stop, by_games ? std::min(next_games, options.games) : UINT64_MAX);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const bool over = interruptible.interrupted() || play.is_over() ||
                          (by_games ? play.played().games >= options.games : seconds >= options.seconds);
        if (by_games && !over && play.played().games < next_games) continue;
        next_games = 2 * std::max<std::uint64_t>(play.played().games, 100);
        next *= 2;
        look(seconds);
        if (over) return;
    }
}

}  // namespace stratagem::cli
