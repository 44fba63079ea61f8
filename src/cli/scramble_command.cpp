// stratagem scramble: the same game under other names.
#include <fmt/format.h>

#include <fstream>
#include <memory>

#include "cli/command.h"
#include "gdl/scramble.h"

namespace stratagem::cli {

namespace {

struct ScrambleOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    std::uint64_t seed = 1;
    std::string map_file;
    bool json = false;
};

int run_scramble(const ScrambleOptions& options, Context& context) {
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    const gdl::Scrambled scrambled = gdl::scramble(*description, options.seed);
    if (!options.map_file.empty()) {
        std::ofstream file(options.map_file);
        file << nlohmann::json(scrambled.names).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
        if (!file.flush()) {
            tell("stratagem: cannot write {}\n", options.map_file);
            return exit_code::usage;
        }
    }
    if (options.json) {
        print_json({{"seed", options.seed}, {"text", scrambled.text}, {"names", scrambled.names}});
    } else {
        fmt::print("{}", scrambled.text);
    }
    return exit_code::success;
}

}  // namespace

void add_scramble(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand(
        "scramble", "Rename everything but the keywords and shuffle the rules: the same game, unrecognisable");
    const auto options = std::make_shared<ScrambleOptions>();
    command.add_option("FILE", options->game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    add_notation_option(command, options->notation);
    command.add_option("--seed", options->seed, "The same seed gives the same names")
        ->capture_default_str()
        ->check(seed_range());
    command.add_option("--map", options->map_file, "Also write which name became which, as JSON, to this file");
    command.add_flag("--json", options->json, "One JSON object with text and names");
    command.footer(examples({"stratagem scramble tic_tac_toe --seed 7 > unknown.kif"}));
    command.callback([options, &context] { context.exit_code = run_scramble(*options, context); });
}

}  // namespace stratagem::cli
