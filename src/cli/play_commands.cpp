// What a person can say in a game besides moves.
#include <fmt/format.h>

#include <array>

#include "cli/move_text.h"
#include "cli/play_session.h"
#include "machine/machine_text.h"

namespace stratagem::cli {

std::span<const PlaySession::Command> PlaySession::commands() {
    static constexpr std::array list{
        Command{"help", "this list", &PlaySession::help},
        Command{"moves", "all legal moves; moves WORD: those that begin so", &PlaySession::moves},
        Command{"board", "draws the board again, and says what the signs mean", &PlaySession::board},
        Command{"state", "the whole state as facts", &PlaySession::state},
        Command{"undo", "back to your previous choice", &PlaySession::undo},
        Command{"hint", "what the program would play for you", &PlaySession::hint},
        Command{"why", "what was thought of the last move or hint: value, effort, expected line", &PlaySession::why},
        Command{"save", "save FILE: puts the game away", &PlaySession::save},
        Command{"load", "load FILE: takes up a game put away", &PlaySession::load},
        Command{"resign", "gives up and leaves", &PlaySession::resign},
        Command{"quit", "leaves", &PlaySession::quit},
    };
    return list;
}

void PlaySession::help(const std::string&) {
    print(
        "A move is typed as its number, as its text with or without parentheses, or as as much of its beginning as no\n"
        "other move shares. On boards the first coordinate runs across, the second upwards.\n");
    for (const Command& command : commands()) print(fmt::format("  {:<7} {}\n", command.name, command.about));
    print("If a move is called like a command, /help, /undo … are the commands.\n");
}

void PlaySession::moves(const std::string& rest) {
    const std::vector<std::string> names = own_moves();
    if (names.empty()) {
        print("There are no moves: the game is over.\n");
        return;
    }
    const std::string wanted = plain_move(rest);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (plain_move(names[i]).starts_with(wanted)) places.push_back(i);
    }
    if (places.empty()) {
        print(fmt::format("No legal move begins with '{}'.\n", wanted));
    } else {
        show_moves(places, true);
    }
}

void PlaySession::board(const std::string&) { show_board(true); }

void PlaySession::state(const std::string&) {
    print(wrapped(machine::fluent_names(game_.machine(), game_.state()), settings_.width));
}

void PlaySession::undo(const std::string&) {
    const std::optional<std::size_t> step = settings_.person ? game_.last_choice(*settings_.person) : std::nullopt;
    if (!step) {
        print("There is nothing to take back.\n");
        return;
    }
    const std::size_t steps = game_.steps() - *step;
    game_.back_to(*step);
    last_thought_.reset();
    print(fmt::format("{} taken back.\n", steps_text(steps)));
    show_board(false);
    run();
}

ThoughtOf PlaySession::think_for_person() {
    const Role role = *settings_.person;
    return {adviser_->recipe(), role, game_.state(), think(*adviser_, role), true};
}

void PlaySession::hint(const std::string&) {
    if (game_.over()) {
        print("The game is over.\n");
        return;
    }
    last_thought_ = think_for_person();
    const search::Choice& choice = last_thought_->choice;
    print(fmt::format("hint: {} ({}: {})\n", game_.machine().move_name(*choice.move), adviser_->recipe(),
                      value_text(choice)));
}

void PlaySession::why(const std::string&) {
    if (!last_thought_) {
        if (game_.over()) {
            print("Nothing has been thought about this position, and the game is over.\n");
            return;
        }
        last_thought_ = think_for_person();
    }
    print(explain(game_, *last_thought_, settings_.width));
}

SavedGame PlaySession::saved() const {
    SavedGame saved;
    saved.game = settings_.game;
    saved.rules = rules_hash(*prepared_);
    if (settings_.person) saved.role = game_.role_name(*settings_.person);
    saved.against = settings_.against;
    saved.hints = settings_.hints;
    saved.clock = settings_.clock;
    saved.seed = settings_.seed;
    for (std::size_t step = 0; step < game_.steps(); ++step) saved.moves.push_back(game_.joint_names(step));
    return saved;
}

std::string PlaySession::restore(const SavedGame& saved) {
    if (saved.rules != rules_hash(*prepared_)) return fmt::format("it is of {} or of other rules", saved.game);
    PlaySettings settings = settings_;
    settings.person.reset();
    for (const Role role : seats(game_)) {
        if (game_.role_name(role) == saved.role) settings.person = role;
    }
    if (!saved.role.empty() && !settings.person) return fmt::format("there is no role '{}'", saved.role);
    if (saved.against.size() + (settings.person ? 1 : 0) != seats(game_).size())
        return "it names too few or many players";
    settings.against = saved.against;
    settings.hints = saved.hints;
    settings.clock = saved.clock;
    settings.seed = saved.seed;
    const SavedGame before = this->saved();
    if (std::string problem = game_.replay(saved.moves); !problem.empty()) return problem;
    std::swap(settings_, settings);
    try {
        make_minds();
    } catch (const OptionError& fault) {
        std::swap(settings_, settings);
        game_.replay(before.moves);
        return fault.what();
    }
    return "";
}

void PlaySession::save(const std::string& rest) {
    if (rest.empty()) {
        print("save needs the name of a file: save my_game.json\n");
        return;
    }
    const std::string problem = write_saved_game(rest, saved());
    print(problem.empty() ? fmt::format("Saved. To go on: stratagem play --load {}\n", rest)
                          : fmt::format("{} could not be written: {}\n", rest, problem));
}

void PlaySession::load(const std::string& rest) {
    std::string problem;
    const std::optional<SavedGame> found = load_saved_game(rest, problem);
    if (found) problem = restore(*found);
    if (!problem.empty()) {
        print(fmt::format("{} cannot be taken up: {}\n", rest.empty() ? "A file without a name" : rest, problem));
        return;
    }
    begin();
}

void PlaySession::resign(const std::string&) {
    if (game_.over()) {
        print("The game is over already.\n");
    } else {
        print(fmt::format("You resign after {}.\n", steps_text(game_.steps())));
    }
    finished_ = true;
}

void PlaySession::quit(const std::string&) { finished_ = true; }

}  // namespace stratagem::cli
