// stratagem format: rules pretty-printed, in either notation.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command.h"
#include "gdl/format.h"
#include "gdl/game_file.h"

namespace stratagem::cli {

namespace fs = std::filesystem;

namespace {

struct FormatOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    bool infix = false;
    bool in_place = false;
    bool check = false;
};

// The text is replaced only when the new one was written completely: nothing is lost on a full disk.
// A link stays a link, and the file keeps its permissions.
bool replace_file(const std::string& game, const std::string& text) {
    std::error_code fault;
    const fs::path path = fs::canonical(game, fault);
    if (fault) return false;
    fs::path temporary = path;
    temporary += ".formatting";
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    if (file) fs::permissions(temporary, fs::status(path, fault).permissions(), fault);
    if (file && !fault) fs::rename(temporary, path, fault);
    if (file && !fault) return true;
    fs::remove(temporary, fault);
    return false;
}

int run_format(const FormatOptions& options) {
    std::error_code ignored;
    if (options.in_place && !fs::is_regular_file(options.game, ignored)) {
        tell("stratagem: --in-place needs the path of a file, and '{}' is none\n", options.game);
        return exit_code::usage;
    }
    gdl::GameText text = gdl::find_game(options.game);
    if (!text.ok()) {
        tell("stratagem: {}\n", text.error);
        return exit_code::usage;
    }
    const std::string before = text.text;
    // Only what cannot be read stops formatting: authors format unfinished games too.
    const gdl::ReadResult result = gdl::read(std::move(text.name), std::move(text.text), options.notation);
    if (!result.ok()) {
        for (const gdl::Diagnostic& diagnostic : result.diagnostics.all()) {
            tell("{}", gdl::render(*result.description.source, diagnostic, use_colour(stderr)));
        }
        tell("stratagem: {} was not formatted\n", options.game);
        return exit_code::no;
    }
    const std::string formatted =
        gdl::format(result.description, options.infix ? gdl::Notation::infix : gdl::Notation::kif);
    if (options.check) {
        if (formatted == before) return exit_code::success;
        tell("stratagem: {} is not formatted\n", options.game);
        return exit_code::no;
    }
    if (!options.in_place) {
        fmt::print("{}", formatted);
        return exit_code::success;
    }
    if (formatted == before) return exit_code::success;
    if (replace_file(options.game, formatted)) return exit_code::success;
    tell("stratagem: cannot write {}\n", options.game);
    return exit_code::usage;
}

}  // namespace

void add_format(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand("format", "Pretty-print rules; comments are kept");
    const auto options = std::make_shared<FormatOptions>();
    command.add_option("FILE", options->game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    add_notation_option(command, options->notation);
    command.add_flag("--infix", options->infix, "Print in infix (Prolog style) instead of prefix KIF");
    const CLI::Option* in_place = command.add_flag("--in-place", options->in_place, "Write the result back to FILE");
    command.add_flag("--check", options->check, "Print nothing; exit 1 if FILE is not formatted")
        ->excludes(const_cast<CLI::Option*>(in_place));
    command.footer(examples({"stratagem format connect_four --infix", "stratagem format my_game.kif --in-place"}));
    command.callback([options, &context] { context.exit_code = run_format(*options); });
}

}  // namespace stratagem::cli
