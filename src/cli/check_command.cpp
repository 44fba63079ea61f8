// stratagem check: are these rules valid, and if not, what is wrong where?
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "cli/command.h"
#include "gdl/game_file.h"

namespace stratagem::cli {

namespace {

struct Options {
    std::vector<std::string> games;
    std::optional<gdl::Notation> notation;
    bool json = false;
    bool strict = false;
    bool no_warnings = false;
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

void report_json(const std::string& file, const gdl::ReadResult& result, bool valid, const Options& options) {
    nlohmann::json diagnostics = nlohmann::json::array();
    for (const gdl::Diagnostic& diagnostic : result.diagnostics.all()) {
        if (options.no_warnings && diagnostic.severity == gdl::Severity::warning) continue;
        diagnostics.push_back(to_json(*result.description.source, diagnostic));
    }
    print_json({{"file", file},
                {"valid", valid},
                {"errors", result.diagnostics.errors()},
                {"warnings", result.diagnostics.warnings()},
                {"rules", result.description.rules.size()},
                {"diagnostics", std::move(diagnostics)}});
}

std::string count(std::size_t number, std::string_view what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

void report_text(const std::string& file, const gdl::ReadResult& result, bool valid, const Options& options) {
    const bool colour = use_colour(stdout);
    const gdl::Diagnostics& diagnostics = result.diagnostics;
    for (const gdl::Diagnostic& diagnostic : diagnostics.all()) {
        if (options.no_warnings && diagnostic.severity == gdl::Severity::warning) continue;
        fmt::print("{}", gdl::render(*result.description.source, diagnostic, colour));
    }
    if (diagnostics.dropped() > 0) fmt::print("({} more not shown)\n", diagnostics.dropped());
    fmt::print("{}: {} ({}, {}, {})\n", file, valid ? "valid" : "INVALID",
               count(result.description.rules.size(), "rule"), count(diagnostics.errors(), "error"),
               count(diagnostics.warnings(), "warning"));
}

int run(const Options& options) {
    std::size_t invalid = 0;
    std::size_t unreadable = 0;
    for (const std::string& game : options.games) {
        gdl::GameText text = gdl::find_game(game);
        if (!text.ok()) {
            ++unreadable;
            fmt::print(stderr, "stratagem: {}\n", text.error);
            continue;
        }
        const gdl::ReadResult result =
            gdl::read_and_check(std::move(text.name), std::move(text.text), options.notation);
        const bool valid = result.ok() && (!options.strict || result.diagnostics.warnings() == 0);
        if (!valid) ++invalid;
        (options.json ? report_json : report_text)(game, result, valid, options);
    }
    if (options.games.size() > 1 && !options.json) {
        fmt::print("{} checked: {} valid, {} invalid, {} unreadable\n", count(options.games.size(), "file"),
                   options.games.size() - invalid - unreadable, invalid, unreadable);
    }
    if (unreadable > 0) return exit_code::usage;
    return invalid > 0 ? exit_code::no : exit_code::success;
}

}  // namespace

void add_check(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand("check", "Check that rules are valid; say what is wrong, where and how to mend it");
    const auto options = std::make_shared<Options>();
    command.add_option("FILE", options->games, "Paths, bundled games, repository folders, or - for standard input")
        ->required();
    add_notation_option(command, options->notation);
    command.add_flag("--strict", options->strict, "Take warnings as errors");
    command.add_flag("--no-warnings", options->no_warnings, "Show errors only");
    command.add_flag("--json", options->json, "One JSON object per file and line");
    command.footer(examples({"stratagem check my_game.kif", "stratagem check games/*.kif --strict",
                             "cat rules.txt | stratagem check - --json"}) +
                   "\nExit code: 0 all valid, 1 some invalid, 2 some unreadable. Each code is explained in "
                   "docs/diagnostics.md\nand by 'stratagem list diagnostics'.");
    command.callback([options, &context] { context.exit_code = run(*options); });
}

}  // namespace stratagem::cli
