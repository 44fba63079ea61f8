// stratagem perft: how many ways there are to play the first steps.
#include <fmt/format.h>

#include <memory>

#include "cli/run_game.h"
#include "machine/tools/perft.h"

namespace stratagem::cli {

namespace {

struct PerftOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    machine::MachineOptions machine;
    std::size_t depth = 0;
    double seconds = 0;  // 0: no limit
    bool json = false;
};

int finish(machine::PerftEnd end, bool interrupted) {
    if (end == machine::PerftEnd::complete) return exit_code::success;
    if (interrupted) {
        tell("stratagem: interrupted\n");
        return exit_code::interrupted;
    }
    const std::string_view why = end == machine::PerftEnd::stopped ? "time ran out (--seconds)"
                                 : end == machine::PerftEnd::out_of_memory
                                     ? "the states of the next depth need too much memory"
                                     : "more paths than 64 bits can count";
    tell("stratagem: stopped: {}\n", why);
    return exit_code::limit;
}

int run_perft(const PerftOptions& options, Context& context) {
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    const auto game = prepare(description, options.machine);
    const std::unique_ptr<machine::Machine> machine = game->make();

    const Interruptible interruptible;
    machine::PerftOptions perft;
    perft.max_depth = options.depth;
    perft.max_bytes = std::min(perft.max_bytes, options.machine.build_limit_bytes);
    perft.stop = interruptible.stop(
        options.seconds > 0 ? Deadline::after(std::chrono::duration<double>(options.seconds)) : Deadline::never());
    if (!options.json)
        fmt::print("{:>5} {:>20} {:>18} {:>14} {:>9}\n", "depth", "nodes", "terminals", "distinct", "seconds");
    const machine::PerftEnd end = machine::perft(*machine, perft, [&](const machine::PerftLevel& level) {
        if (options.json) {
            print_json({{"game", game_name(options.game)},
                        {"machine", machine::to_string(game->kind())},
                        {"depth", level.depth},
                        {"nodes", level.nodes},
                        {"terminals", level.terminals},
                        {"distinct", level.distinct},
                        {"stuck", level.stuck},
                        {"seconds", level.seconds}});
        } else {
            fmt::print("{:>5} {:>20} {:>18} {:>14} {:>9.3f}\n", level.depth, with_commas(level.nodes),
                       with_commas(level.terminals), with_commas(level.distinct), level.seconds);
            if (level.stuck > 0)
                fmt::print("      {} paths end where a role has no legal move\n", with_commas(level.stuck));
        }
        flush_output();
    });
    return finish(end, interruptible.interrupted());
}

}  // namespace

void add_perft(CLI::App& program, Context& context) {
    CLI::App& command =
        *program.add_subcommand("perft", "Count the ways to play the first steps, and the states they lead to");
    const auto options = std::make_shared<PerftOptions>();
    command.add_option("FILE", options->game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    command.add_option("--depth", options->depth, "Count up to this many steps")
        ->required()
        ->check(whole_number(0, 10'000));
    add_machine_option(command, options->machine);
    add_limit_options(command, options->machine);
    add_notation_option(command, options->notation);
    command.add_option("--seconds", options->seconds, "Stop after this time, with the depths counted by then")
        ->check(seconds_range());
    command.add_flag("--json", options->json, "One JSON object for each depth and line");
    command.footer(
        examples({"stratagem perft tic_tac_toe --depth 9"}) +
        "\nNodes are paths of joint moves of that length, terminals those that end there, distinct the different "
        "states\nthey lead to. Exit code 3 when time or memory ran out.");
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return run_perft(*options, context); }); });
}

}  // namespace stratagem::cli
