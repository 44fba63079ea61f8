// stratagem host: a game manager, for players that speak the GGP protocol.
#include <memory>

#include "cli/matches.h"

namespace stratagem::cli {

void add_host(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand("host", "Manage matches between players elsewhere, over HTTP");
    const auto options = std::make_shared<MatchesOptions>();
    options->match.player.ponder = false;
    options->start_clock = 30;
    options->play_clock = 10;
    options->tell_faults = true;
    add_matches_options(command, *options);
    command.footer(
        examples({"stratagem host tic_tac_toe --players http://localhost:9147,random --scramble --json-dir matches",
                  "stratagem host nim --players http://localhost:9147,http://localhost:9148 --matches 4 --swap"}) +
        "\nstratagem serve --port 9147 is such a player.\n"
        "\nThe same as match, with the clocks and the talk of a game manager: what is wrong with an answer is told on\n"
        "standard error, marked in the record (TO late, IL illegal, CE unreachable), and replaced by a random legal\n"
        "move.");
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return run_matches(*options, context); }); });
}

}  // namespace stratagem::cli
