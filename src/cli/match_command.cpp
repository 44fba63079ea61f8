// stratagem match: players against each other, and what their results are worth.
#include <memory>

#include "cli/matches.h"

namespace stratagem::cli {

void add_match(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand("match", "Let players play against each other");
    const auto options = std::make_shared<MatchesOptions>();
    options->match.player.ponder = false;
    add_matches_options(command, *options);
    command.footer(
        examples({"stratagem match connect_four --players uct,random --matches 4 --swap --play-clock 0.2",
                  "stratagem match tic_tac_toe --players best,uct:threads=2,blind --swap --json",
                  "stratagem match nim --players best,http://localhost:9147 --record matches.db"}) +
        "\nMeans are given with their 95 % confidence interval: Wilson's for wins, draws and losses, Student's for\n"
        "graded points. The win rate is a player's part of all points made in its matches.");
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return run_matches(*options, context); }); });
}

}  // namespace stratagem::cli
