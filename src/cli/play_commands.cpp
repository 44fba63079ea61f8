// What a person can say in a game besides moves.
#include <fmt/format.h>

#include <array>

#include "cli/play_dialogue.h"
#include "machine/machine_text.h"
#include "view/move_text.h"
#include "view/text_lines.h"

namespace stratagem::cli {

std::span<const PlayDialogue::Command> PlayDialogue::commands() {
    static constexpr std::array list{
        Command{"help", "this list", &PlayDialogue::help},
        Command{"moves", "all legal moves; moves WORD: those that begin so", &PlayDialogue::moves},
        Command{"board", "draws the board again, and says what the signs mean", &PlayDialogue::board},
        Command{"state", "the whole state as facts", &PlayDialogue::state},
        Command{"undo", "back to your previous choice", &PlayDialogue::undo},
        Command{"hint", "what the program would play for you", &PlayDialogue::hint},
        Command{"why", "what was thought of the last move or hint: value, effort, expected line", &PlayDialogue::why},
        Command{"save", "save FILE: puts the game away", &PlayDialogue::save},
        Command{"load", "load FILE: takes up a game put away", &PlayDialogue::load},
        Command{"resign", "gives up and leaves", &PlayDialogue::resign},
        Command{"quit", "leaves", &PlayDialogue::quit},
    };
    return list;
}

void PlayDialogue::help(const std::string&) {
    print(
        "A move is typed as its number, as its text with or without parentheses, or as as much of its beginning as no\n"
        "other move shares. On boards the first coordinate runs across, the second upwards.\n");
    for (const Command& command : commands()) print(fmt::format("  {:<7} {}\n", command.name, command.about));
    print("If a move is called like a command, /help, /undo … are the commands.\n");
}

void PlayDialogue::moves(const std::string& rest) {
    const std::vector<std::string> names = session_.move_names();
    if (names.empty()) {
        print("There are no moves: the game is over.\n");
        return;
    }
    const std::string wanted = view::plain_move(rest);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (view::plain_move(names[i]).starts_with(wanted)) places.push_back(i);
    }
    if (places.empty()) {
        print(fmt::format("No legal move begins with '{}'.\n", wanted));
    } else {
        show_moves(places, true);
    }
}

void PlayDialogue::board(const std::string&) { show_board(true); }

void PlayDialogue::state(const std::string&) {
    print(view::wrapped(machine::fluent_names(game().machine(), game().state()), settings_.width));
}

void PlayDialogue::undo(const std::string&) {
    const std::size_t steps = session_.undo();
    if (steps == 0) {
        print("There is nothing to take back.\n");
        return;
    }
    print(fmt::format("{} taken back.\n", steps_text(steps)));
    show_board(false);
    run();
}

void PlayDialogue::hint(const std::string&) {
    if (game().over()) {
        print("The game is over.\n");
        return;
    }
    const view::Thought& thought = session_.hint();
    print(fmt::format("hint: {} ({}: {})\n", game().machine().move_name(*thought.choice.move), thought.thinker,
                      view::value_text(thought.choice)));
}

void PlayDialogue::why(const std::string&) {
    if (const view::Thought* const thought = session_.why()) {
        print(view::to_text(view::explain(game().machine(), *thought), settings_.width));
    } else {
        print("Nothing has been thought about this position, and the game is over.\n");
    }
}

void PlayDialogue::save(const std::string& rest) {
    if (rest.empty()) {
        print("save needs the name of a file: save my_game.json\n");
        return;
    }
    const std::string problem = session::write_saved_game(rest, session_.saved());
    print(problem.empty() ? fmt::format("Saved. To go on: stratagem play --load {}\n", rest)
                          : fmt::format("{} could not be written: {}\n", rest, problem));
}

void PlayDialogue::load(const std::string& rest) {
    std::string problem;
    const std::optional<session::SavedGame> found = session::load_saved_game(rest, problem);
    if (found) problem = session_.resume(*found);
    if (!problem.empty()) {
        print(fmt::format("{} cannot be taken up: {}\n", rest.empty() ? "A file without a name" : rest, problem));
        return;
    }
    begin();
}

void PlayDialogue::resign(const std::string&) {
    if (game().over()) {
        print("The game is over already.\n");
    } else {
        print(fmt::format("You resign after {}.\n", steps_text(game().steps())));
    }
    finished_ = true;
}

void PlayDialogue::quit(const std::string&) { finished_ = true; }

}  // namespace stratagem::cli
