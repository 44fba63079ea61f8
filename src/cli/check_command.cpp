// stratagem check: are these rules valid, and if not, what is wrong where?
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "cli/run_game.h"
#include "gdl/game_file.h"
#include "machine/tools/simulate.h"
#include "util/number_text.h"

namespace stratagem::cli {

namespace {

struct CheckOptions {
    std::vector<std::string> games;
    std::optional<gdl::Notation> notation;
    bool json = false;
    bool strict = false;
    bool no_warnings = false;
    machine::SimulationOptions simulation{.games = 0, .stop = {}};
    machine::MachineOptions machine;
    double seconds = 60;
};

nlohmann::json to_json(const gdl::Source& source, const gdl::Diagnostic& diagnostic) {
    const gdl::Position position = source.position(diagnostic.span.begin);
    return {{"severity", gdl::to_string(diagnostic.severity)},
            {"code", diagnostic.code},
            {"line", position.line},
            {"column", position.column},
            {"text", source.text(diagnostic.span).substr(0, 200)},
            {"message", diagnostic.message},
            {"hint", diagnostic.hint}};
}

nlohmann::json to_json(const machine::Simulation& simulation) {
    nlohmann::json roles = nlohmann::json::array();
    for (const machine::SimulatedRole& role : simulation.roles) {
        const bool seen = role.best >= 0;
        roles.push_back({{"role", role.name},
                         {"wins", role.wins},
                         {"win_found", role.wins > 0},
                         {"best", seen ? nlohmann::json(role.best) : nlohmann::json()},
                         {"worst", seen ? nlohmann::json(role.worst) : nlohmann::json()}});
    }
    nlohmann::json findings = nlohmann::json::array();
    for (const machine::SimulationFinding& finding : simulation.findings) {
        findings.push_back({{"code", finding.code},
                            {"role", finding.role.empty() ? nlohmann::json() : nlohmann::json(finding.role)},
                            {"message", finding.message},
                            {"games", finding.games},
                            {"steps", finding.steps},
                            {"moves", finding.moves}});
    }
    return {{"games", simulation.games},     {"ended", simulation.ended},       {"steps", simulation.steps},
            {"longest", simulation.longest}, {"complete", !simulation.stopped}, {"win_found", simulation.win_found()},
            {"roles", std::move(roles)},     {"findings", std::move(findings)}};
}

// What is said of one game: reading it, and playing it if that was asked for and possible.
struct FileVerdict {
    std::shared_ptr<gdl::ReadResult> result;  // shared with the game that is made of it to be played
    std::optional<machine::Simulation> simulation;
    bool valid = false;
    int play_code = exit_code::success;  // of playing: a limit, machines that disagree, an interruption
};

// Nobody reads more of a hopeless file; the count says how hopeless it is.
constexpr std::size_t most_shown = 100;

// What is shown: errors before warnings where not all fit, in the order of the text.
std::vector<const gdl::Diagnostic*> shown(const gdl::Diagnostics& diagnostics, const CheckOptions& options) {
    std::size_t errors = 0;
    for (const gdl::Diagnostic& one : diagnostics.all()) errors += one.severity == gdl::Severity::error ? 1U : 0U;
    std::size_t errors_left = std::min(errors, most_shown);
    std::size_t warnings_left = options.no_warnings ? 0 : most_shown - errors_left;
    std::vector<const gdl::Diagnostic*> result;
    for (const gdl::Diagnostic& one : diagnostics.all()) {
        std::size_t& left = one.severity == gdl::Severity::error ? errors_left : warnings_left;
        if (left == 0) continue;
        --left;
        result.push_back(&one);
    }
    return result;
}

// Found but not shown.
std::size_t hidden(const gdl::Diagnostics& diagnostics, std::size_t shown, const CheckOptions& options) {
    return diagnostics.errors() + (options.no_warnings ? 0 : diagnostics.warnings()) - shown;
}

void report_json(const std::string& file, const FileVerdict& verdict, const CheckOptions& options) {
    const gdl::ReadResult& result = *verdict.result;
    nlohmann::json diagnostics = nlohmann::json::array();
    for (const gdl::Diagnostic* diagnostic : shown(result.diagnostics, options)) {
        diagnostics.push_back(to_json(*result.description.source, *diagnostic));
    }
    const std::size_t more = hidden(result.diagnostics, diagnostics.size(), options);
    nlohmann::json object = {{"file", file},
                             {"valid", verdict.valid},
                             {"errors", result.diagnostics.errors()},
                             {"warnings", result.diagnostics.warnings()},
                             {"rules", result.description.rules.size()},
                             {"diagnostics", std::move(diagnostics)},
                             {"not_shown", more}};
    if (verdict.simulation) object["simulation"] = to_json(*verdict.simulation);
    print_json(object);
}

std::string count(std::size_t number, std::string_view what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

void report_simulation(const machine::Simulation& simulation) {
    fmt::print("  {}, {} ended; longest {}", count(simulation.games, "random game"), simulation.ended,
               count(simulation.longest, "step"));
    for (const machine::SimulatedRole& role : simulation.roles) {
        if (role.best < 0) continue;
        fmt::print("; {}: {} to {}, {}", role.name, role.worst, role.best,
                   role.wins > 0 ? count(role.wins, "win") : "no win found");
    }
    fmt::print("\n");
}

void report_text(const std::string& file, const FileVerdict& verdict, const CheckOptions& options) {
    const gdl::ReadResult& result = *verdict.result;
    const bool colour = use_colour(stdout);
    const gdl::Diagnostics& diagnostics = result.diagnostics;
    const std::vector<const gdl::Diagnostic*> list = shown(diagnostics, options);
    for (const gdl::Diagnostic* diagnostic : list) {
        fmt::print("{}", gdl::render(*result.description.source, *diagnostic, colour));
    }
    if (const std::size_t more = hidden(diagnostics, list.size(), options); more > 0) {
        fmt::print("({} more not shown)\n", more);
    }
    fmt::print("{}: {} ({}, {}, {})\n", file, verdict.valid ? "valid" : "INVALID",
               count(result.description.rules.size(), "rule"), count(diagnostics.errors(), "error"),
               count(diagnostics.warnings(), "warning"));
    if (verdict.simulation) report_simulation(*verdict.simulation);
}

// Plays valid rules; what is found joins the other diagnostics.
void simulate(FileVerdict& verdict, const CheckOptions& options) {
    gdl::ReadResult& result = *verdict.result;
    verdict.play_code = guarded([&] {
        const auto game = prepare({verdict.result, &result.description}, options.machine);
        const Interruptible interruptible;
        machine::SimulationOptions simulation = options.simulation;
        simulation.stop = interruptible.stop(Deadline::after(std::chrono::duration<double>(options.seconds)));
        std::atomic<std::size_t> played = 0;
        simulation.on_game = [&](std::size_t games) { played = games; };
        {
            const Waiting waiting([&] {
                return fmt::format("playing {}: {} of {} random games", result.description.source->name(),
                                   with_commas(played.load()), with_commas(simulation.games));
            });
            verdict.simulation = machine::simulate(result.description, *game->make(), simulation);
        }
        if (!verdict.simulation->stopped) return exit_code::success;
        tell("stratagem: {} after {} of {} random games\n",
             interruptible.interrupted() ? "interrupted" : "time ran out (--seconds)", verdict.simulation->games,
             simulation.games);
        return interruptible.interrupted() ? exit_code::interrupted : exit_code::limit;
    });
    if (!verdict.simulation) return;
    machine::add_diagnostics(result.description, *verdict.simulation, result.diagnostics);
    result.diagnostics.sort();
}

int run_check(const CheckOptions& options) {
    std::size_t invalid = 0;
    std::size_t unreadable = 0;
    int play_code = exit_code::success;
    for (const std::string& game : options.games) {
        gdl::GameText text = gdl::find_game(game);
        if (!text.ok()) {
            ++unreadable;
            tell("stratagem: {}\n", text.error);
            continue;
        }
        FileVerdict verdict;
        verdict.result = std::make_shared<gdl::ReadResult>(
            gdl::read_and_check(std::move(text.name), std::move(text.text), options.notation));
        if (options.simulation.games > 0 && verdict.result->ok()) simulate(verdict, options);
        play_code = std::max(play_code, verdict.play_code);
        verdict.valid = verdict.result->ok() && (!options.strict || verdict.result->diagnostics.warnings() == 0);
        if (!verdict.valid) ++invalid;
        (options.json ? report_json : report_text)(game, verdict, options);
        flush_output();
        if (verdict.play_code == exit_code::interrupted) return exit_code::interrupted;
    }
    if (options.games.size() > 1 && !options.json) {
        fmt::print("{} checked: {} valid, {} invalid, {} unreadable\n", count(options.games.size(), "file"),
                   options.games.size() - invalid - unreadable, invalid, unreadable);
    }
    if (unreadable > 0) return exit_code::usage;
    return invalid > 0 ? exit_code::no : play_code;
}

}  // namespace

void add_check(CLI::App& program, Context& context) {
    CLI::App& command =
        *program.add_subcommand("check", "Check that rules are valid; say what is wrong, where and how to mend it");
    const auto options = std::make_shared<CheckOptions>();
    command.add_option("FILE", options->games, "Paths, bundled games, repository folders, or - for standard input")
        ->required();
    add_notation_option(command, options->notation);
    command.add_flag("--strict", options->strict, "Take warnings as errors");
    command.add_flag("--no-warnings", options->no_warnings, "Show errors only");
    command.add_flag("--json", options->json, "One JSON object per file and line");
    command
        .add_option("--simulate", options->simulation.games,
                    "Also play this many random games: does everybody always have a move, a goal value, an end?")
        ->type_name("N")
        ->check(whole_number(0, 1'000'000'000));
    command.add_option("--seed", options->simulation.seed, "Of the random games")
        ->capture_default_str()
        ->check(seed_range());
    command
        .add_option("--max-steps", options->simulation.max_steps, "Random games longer than this count as not ending")
        ->capture_default_str()
        ->check(step_range());
    command.add_option("--seconds", options->seconds, "Time for the random games of one file")
        ->check(seconds_range())
        ->capture_default_str();
    add_machine_option(command, options->machine);
    add_limit_options(command, options->machine);
    command.footer(
        examples({"stratagem check my_game.kif", "stratagem check games/*.kif --strict",
                  "stratagem check my_game.kif --simulate 1000", "cat rules.txt | stratagem check - --json"}) +
        "\nExit code: 0 all valid, 1 some invalid, 2 some unreadable, 3 no time to play them. Each code is explained "
        "in "
        "docs/diagnostics.md\nand by 'stratagem list diagnostics'.");
    command.callback([options, &context] { context.exit_code = run_check(*options); });
}

}  // namespace stratagem::cli
