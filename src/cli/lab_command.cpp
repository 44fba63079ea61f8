// stratagem lab: experiments over many games.
#include "cli/command.h"

namespace stratagem::cli {

void add_lab(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand("lab",
                                                "Experiments over many games: what evaluators tell apart, which "
                                                "features are found, which stage plays best, how "
                                                "well is learned");
    command.require_subcommand(1);
    add_lab_resolution(command, context);
    add_lab_spread(command, context);
    add_lab_features(command, context);
    add_lab_stages(command, context);
    add_lab_structures(command, context);
    add_lab_heuristics(command, context);
    add_lab_selection(command, context);
    add_lab_learning(command, context);
    command.footer(examples({"stratagem lab resolution connect_four tic_tac_toe", "stratagem lab features",
                             "stratagem lab stages connect_four --pairs nex:flux --matches 4 --play-clock 0.2"}));
}

}  // namespace stratagem::cli
