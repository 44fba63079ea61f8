// `stratagem` without arguments: what it can do, in a few seconds, with no input and no terminal needed.
#include <fmt/format.h>

#include "build_info.h"
#include "cli/command.h"
#include "gdl/game_file.h"

namespace stratagem::cli {

int showcase() {
    const std::string game = "tic_tac_toe";
    const gdl::GameText text = gdl::find_game(game);
    if (!text.ok()) {
        fmt::print(stderr, "stratagem: {}\n", text.error);
        return exit_code::usage;
    }
    fmt::print("Stratagem {}, a general game player: rules in, play out.\n\n", build_info::version);

    gdl::ReadResult result = gdl::read_and_check(text.name, text.text);
    fmt::print("Reading the bundled game {}: {} rules, {} errors, {} warnings.\n", game,
               result.description.rules.size(), result.diagnostics.errors(), result.diagnostics.warnings());

    // A fault every author makes once: the last rule loses its parenthesis.
    std::string broken = text.text;
    if (const std::size_t last = broken.find_last_of(')'); last != std::string::npos) broken.erase(last, 1);
    fmt::print("\nThe same rules with one parenthesis lost:\n\n");
    const gdl::ReadResult fault = gdl::read_and_check("broken.kif", broken);
    for (const gdl::Diagnostic& diagnostic : fault.diagnostics.all()) {
        fmt::print("{}", gdl::render(*fault.description.source, diagnostic, use_colour(stdout)));
    }
    fmt::print("\nTry next:\n"
               "  ./stratagem list games\n"
               "  ./stratagem format connect_four --infix\n"
               "  ./stratagem check your_game.kif\n");
    return exit_code::success;
}

}  // namespace stratagem::cli
