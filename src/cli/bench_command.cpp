// stratagem bench: how fast, and whether still the same.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>

#include "cli/run_game.h"
#include "gdl/game_file.h"
#include "machine/lanes/lane_game.h"
#include "machine/tools/bench_playouts.h"
#include "machine/tools/signature.h"
#include "player/search_signature.h"
#include "util/fnv_hash.h"

namespace stratagem::cli {

namespace {

struct PlayoutsOptions {
    std::vector<std::string> games;
    std::optional<gdl::Notation> notation;
    machine::MachineOptions machine;
    machine::BenchOptions bench;
    double seconds = 5;
    bool json = false;
};

struct SignatureOptions {
    machine::MachineOptions machine;
    machine::SignatureOptions signature;
    bool json = false;
};

void report(const std::string& file, const machine::GdlGame& game, const machine::BenchResult& result,
            const PlayoutsOptions& options) {
    const auto playouts = static_cast<double>(result.playouts);
    const auto steps = static_cast<double>(result.steps);
    const double per_second = result.seconds > 0 ? 1.0 / result.seconds : 0;
    const double steps_per_playout = result.playouts > 0 ? steps / playouts : 0;
    if (options.json) {
        nlohmann::json object{{"game", game_name(file)},
                              {"machine", machine::to_string(game.kind())},
                              {"threads", options.bench.threads},
                              {"seed", options.bench.seed},
                              {"playouts", result.playouts},
                              {"steps", result.steps},
                              {"seconds", result.seconds},
                              {"playouts_per_second", playouts * per_second},
                              {"steps_per_second", steps * per_second},
                              {"steps_per_playout", steps_per_playout},
                              {"too_long", result.too_long},
                              {"stuck", result.stuck},
                              {"build_seconds", game.statistics().build_seconds},
                              {"peak_mb", peak_megabytes()}};
        if (game.kind() == machine::MachineKind::lanes) {
            const auto lanes = game.compiled()->lane_game();
            object["lanes"] = {{"width", machine::lanes::entry_of(lanes->width()).name},
                               {"phases", lanes->phases().size()},
                               {"instructions_per_step", lanes->instructions()}};
        }
        if (options.bench.statistics) object["samples"] = result.samples;
        print_json(object);
    } else {
        fmt::print(
            "{:<28} {:<11} {:>12} games/s {:>13} steps/s {:>7.1f} steps/game  built in {:.3f} s, peak {:.0f} MB\n",
            game_name(file), machine::to_string(game.kind()),
            with_commas(static_cast<std::uint64_t>(playouts * per_second)),
            with_commas(static_cast<std::uint64_t>(steps * per_second)), steps_per_playout,
            game.statistics().build_seconds, peak_megabytes());
    }
    flush_output();
    if (result.too_long > 0) {
        tell("stratagem: {}: {} games were cut after {} steps\n", file, result.too_long, options.bench.max_steps);
    }
    if (result.stuck > 0) {
        tell("stratagem: {}: {} games ended where a role has no legal move\n", file, result.stuck);
    }
}

int bench_playouts(const PlayoutsOptions& options) {
    int worst = exit_code::success;
    if (const auto width = machine::lanes::find_width(options.machine.lane_width);
        width && !machine::lanes::is_available(*width)) {
        tell("stratagem: this processor has no words of {} bits\n", options.machine.lane_width);
        return exit_code::usage;
    }
    for (const std::string& game : options.games) {
        bool interrupted = false;
        const int code = guarded([&] {
            Context context;
            const std::shared_ptr<const gdl::Description> description = load(game, context, options.notation);
            if (!description) return context.exit_code;
            const auto prepared = prepare(description, options.machine);
            const Interruptible interruptible;
            // Compiled before the clock starts.
            if (options.bench.statistics && prepared->kind() == machine::MachineKind::lanes) {
                prepared->compiled()->lane_game(true, Interruptible::flag());
            }
            Progress progress;
            const auto start = Deadline::Clock::now();
            const machine::BenchResult result = machine::bench_playouts(
                *prepared, options.bench,
                interruptible.stop(Deadline::after(std::chrono::duration<double>(options.seconds))), [&] {
                    progress.show([&] {
                        const auto so_far = std::chrono::duration<double>(Deadline::Clock::now() - start).count();
                        return fmt::format("{}: {:.0f} of {:.0f} s", game_name(game), so_far, options.seconds);
                    });
                });
            progress.clear();
            interrupted = interruptible.interrupted();
            report(game, *prepared, result, options);
            if (result.fault.empty()) return exit_code::success;
            tell("stratagem: {}: {}\n", game, result.fault);
            return result.limit_hit ? exit_code::limit : exit_code::no;
        });
        worst = std::max(worst, code);
        if (interrupted) {
            tell("stratagem: interrupted\n");
            return exit_code::interrupted;
        }
    }
    return worst;
}

std::string hexadecimal(std::uint64_t number) { return fmt::format("{:016x}", number); }

int bench_signature(const SignatureOptions& options) {
    const std::vector<gdl::GameCard> games = gdl::bundled_games();
    if (games.empty()) {
        tell("stratagem: the folder of bundled games was not found; set STRATAGEM_GAMES to its path\n");
        return exit_code::usage;
    }
    std::uint64_t sum = 0;
    std::uint64_t search_sum = 0;
    // Searches depend on the order of moves, which is the circuit's.
    const bool with_search = options.machine.kind == machine::MachineKind::circuit;
    nlohmann::json parts = nlohmann::json::object();
    Progress progress;
    for (const gdl::GameCard& game : games) {
        progress.show([&] { return game.name; });
        Context context;
        const std::shared_ptr<const gdl::Description> description = load(game.source(), context);
        if (!description) return context.exit_code;
        const std::shared_ptr<const machine::Game> prepared = prepare(description, options.machine);
        const std::uint64_t one = machine::signature(*prepared->make(), options.signature);
        sum = combine_hashes(sum, one);
        if (with_search) {
            player::SearchSignatureOptions search;
            search.seed = options.signature.seed;
            search_sum = combine_hashes(search_sum, player::search_signature(prepared, search));
        }
        parts[game.name] = hexadecimal(one);
        if (!options.json) {
            progress.clear();
            fmt::print("{:<32} {}\n", game.name, hexadecimal(one));
            flush_output();
        }
    }
    progress.clear();
    if (options.json) {
        nlohmann::json object{{"signature", hexadecimal(sum)},
                              {"seed", options.signature.seed},
                              {"machine", machine::to_string(options.machine.kind)},
                              {"games", std::move(parts)}};
        if (with_search) object["search_signature"] = hexadecimal(search_sum);
        print_json(object);
    } else {
        fmt::print("signature {}\n", hexadecimal(sum));
        if (with_search) fmt::print("search signature {}\n", hexadecimal(search_sum));
    }
    return exit_code::success;
}

void add_playouts(CLI::App& bench, Context& context) {
    CLI::App& command = *bench.add_subcommand("playouts", "Random complete games a second");
    const auto options = std::make_shared<PlayoutsOptions>();
    command.add_option("FILE", options->games, "Paths, bundled games, repository folders, or - for standard input")
        ->required();
    add_machine_option(command, options->machine, MachineUse::playouts);
    add_limit_options(command, options->machine);
    command
        .add_option("--width", options->machine.lane_width,
                    "Bits that lanes work on at once; by default as many as the processor can")
        ->check(CLI::IsMember({"64", "256", "512"}).description(""))
        ->type_name("64|256|512");
    command.add_flag("--statistics", options->bench.statistics, "Collect statistics of moves and fluents meanwhile");
    add_notation_option(command, options->notation);
    command.add_option("--seconds", options->seconds, "How long to play each game")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--threads", options->bench.threads, "Each with a machine of its own")
        ->check(thread_range())
        ->capture_default_str();
    command.add_option("--seed", options->bench.seed, "The same seed plays the same games")
        ->capture_default_str()
        ->check(seed_range());
    command.add_option("--max-steps", options->bench.max_steps, "Games longer than this are cut")
        ->capture_default_str()
        ->check(step_range());
    command.add_flag("--json", options->json, "One JSON object for each game and line");
    command.footer(examples({"stratagem bench playouts connect_four breakthrough --seconds 2",
                             "stratagem bench playouts connect_four --machine lanes --threads 2"}));
    command.callback([options, &context] { context.exit_code = bench_playouts(*options); });
}

void add_signature(CLI::App& bench, Context& context) {
    CLI::App& command = *bench.add_subcommand("signature",
                                              "One number over random games of all bundled games, which changes only "
                                              "when the meaning of a game does, and one "
                                              "over what the searches think in them");
    const auto options = std::make_shared<SignatureOptions>();
    add_machine_option(command, options->machine);
    add_limit_options(command, options->machine);
    command.add_option("--seed", options->signature.seed, "Of the random games")
        ->check(seed_range())
        ->capture_default_str();
    command.add_flag("--json", options->json, "One JSON object");
    command.footer(examples({"stratagem bench signature"}) +
                   "\nEvery machine must give the same first number; the second is given for circuits.");
    command.callback([options, &context] { context.exit_code = guarded([&] { return bench_signature(*options); }); });
}

}  // namespace

void add_bench(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand(
        "bench", "Measure: random games a second, searching, and a signature of what is played");
    command.require_subcommand(1);
    add_playouts(command, context);
    add_bench_search(command, context);
    add_signature(command, context);
    command.footer(examples({"stratagem bench playouts connect_four --seconds 2", "stratagem bench signature"}));
}

}  // namespace stratagem::cli
