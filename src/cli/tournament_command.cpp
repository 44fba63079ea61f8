// stratagem tournament: many games, every player against every other, kept in a database and told on a page.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>

#include "arena/record.h"
#include "cli/entrants.h"
#include "cli/run_game.h"
#include "cli/tables.h"
#include "cli/tournament.h"

namespace stratagem::cli {

namespace {

constexpr std::string_view example = R"({
  "name": "A first tournament",
  "games": ["tic_tac_toe", "breakthrough_6x6"],
  "players": ["uct", "random", {"name": "cautious", "player": "alphabeta:threads=1"}],
  "matches": 4,
  "swap": true,
  "start_clock": 1,
  "play_clock": 0.1,
  "seed": 1
}
)";

int run_tournament(const TournamentOptions& options, Context& context) {
    if (options.example) {
        fmt::print("{}", example);
        return exit_code::success;
    }
    if (options.file.empty()) {
        tell("stratagem: tournament needs a SPEC.json; --example prints one\n");
        return exit_code::usage;
    }
    std::ifstream file(options.file, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file) {
        tell("stratagem: cannot read {}\n", options.file);
        return exit_code::usage;
    }
    try {
        arena::TournamentSpec spec = arena::read_spec(text.str(), options.file);
        if (!options.database.empty()) spec.database = options.database;
        if (!options.report.empty()) spec.report = options.report;
        if (!options.records.empty()) spec.records = options.records;
        if (options.parallel) spec.parallel = *options.parallel;
        if (options.player.nodes) spec.nodes = options.player.nodes;
        spec.table_megabytes = std::min(spec.table_megabytes, options.table_megabytes);
        Tournament tournament{options, std::move(spec)};
        return run_tournament(tournament, context);
    } catch (const arena::SpecError& fault) {
        tell("stratagem: {}\n", fault.what());
    } catch (const arena::StoreError& fault) {
        tell("stratagem: {}\n", fault.what());
    } catch (const arena::RecordError& fault) {
        tell("stratagem: {}\n", fault.what());
    }
    return exit_code::usage;
}

}  // namespace

void add_tournament(CLI::App& program, Context& context) {
    CLI::App& command =
        *program.add_subcommand("tournament", "Every player against every other in many games, with a report");
    const auto options = std::make_shared<TournamentOptions>();
    command.add_option("SPEC", options->file, "What to play: a JSON file (docs/arena.md explains it)");
    command.add_flag("--example", options->example, "Print such a file, to begin with");
    command.add_option("--database", options->database, "Keep the matches here (default: beside SPEC, with .db)");
    command.add_option("--report", options->report, "Write the page here (default: beside SPEC, with .html)");
    command.add_option("--json-dir", options->records, "Write every match to this folder, as public managers do")
        ->type_name("DIR");
    command.add_flag("--in-process", options->in_process,
                     "Let recipes think in this process, where one that crashes ends the tournament: for debugging");
    command
        .add_option("--jobs,--parallel", options->parallel,
                    "Matches at a time (default: as many as do not disturb each other's clocks)")
        ->check(whole_number(1, 1'024));
    command
        .add_option("--tries", options->tries,
                    "How often a match may be begun without coming to an end, as when it crashes, until it counts as "
                    "failed")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    command
        .add_option("--boards", options->board_megabytes,
                    "Megabytes of boards on the page; matches beyond that are told how to view them")
        ->check(real_number(0, 1'000))
        ->capture_default_str();
    add_nodes_option(command, options->player);
    add_limit_options(command, options->player.machine, &options->table_megabytes);
    command.add_flag("--abort-on-error", options->abort_on_error,
                     "End with exit code 1 at the first move that is illegal, late or does not come");
    add_table_option(command, options->tables);
    command.add_flag("--log", options->log, "What the players think, on standard error");
    command.add_flag("--json", options->json, "One JSON object for each match played and line, then one for the whole");
    command.footer(
        examples({"stratagem tournament --example > first.json", "stratagem tournament first.json"}) +
        "\nWhatever ends it, the same command goes on where it stopped: matches that were played are kept and\n"
        "not played again. With more \"matches\" in SPEC, only the new ones are played.");
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return run_tournament(*options, context); }); });
}

}  // namespace stratagem::cli
