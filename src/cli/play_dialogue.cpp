#include "cli/play_dialogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "view/move_text.h"
#include "view/text_picture.h"

namespace stratagem::cli {

namespace {

using machine::Role;

constexpr std::size_t short_list = 10;  // lines of moves that are shown without being asked for

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return "";
    return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

std::string_view verdict(session::Session::Outcome outcome) {
    switch (outcome) {
        case session::Session::Outcome::won:
            return " You win.";
        case session::Session::Outcome::lost:
            return " You lose.";
        case session::Session::Outcome::shared:
            return " You share the first place.";
        case session::Session::Outcome::draw:
            return " A draw.";
    }
    return "";
}

}  // namespace

std::string steps_text(std::size_t steps) { return fmt::format("{} step{}", steps, steps == 1 ? "" : "s"); }

PlayDialogue::PlayDialogue(const std::shared_ptr<const machine::Game>& game, DialogueSettings settings,
                           DialogueWorld world)
    : settings_(std::move(settings)),
      world_(std::move(world)),
      session_(game, settings_.table, ears()),
      board_(view::look_at(*game)) {}

session::World PlayDialogue::ears() {
    session::World ears;
    ears.interrupt = world_.interrupt;
    ears.chosen = [this](const session::Chosen& chosen) { tell_choice(chosen); };
    ears.gave_up = [this](const std::string& recipe, const std::string& why) {
        print(fmt::format("{} gave up: {}\n", recipe, why));
    };
    if (world_.thinking) {
        ears.thinking = [this](const std::string& recipe, bool prepared) {
            return world_.thinking(fmt::format("{} {}", recipe, prepared ? "thinks" : "prepares"));
        };
    }
    return ears;
}

std::string PlayDialogue::name_of(Role role) const {
    return person() == role ? fmt::format("{} (you)", game().role_name(role)) : game().role_name(role);
}

std::string PlayDialogue::prompt() const {
    if (game().over() || !person()) return "over> ";
    return game().role_name(*person()) + "> ";
}

void PlayDialogue::begin() {
    std::string others;
    std::size_t next = 0;
    for (std::uint32_t role = 0; role < game().role_count(); ++role) {
        if (person() == Role{role}) continue;
        const bool chance = game().is_chance(Role{role});
        others += fmt::format("{}{}{}", others.empty() ? "" : ", ", game().role_name(Role{role}),
                              chance ? " (chance)" : fmt::format(" ({})", session_.settings().against[next++]));
    }
    if (person()) {
        print(fmt::format("{}: you play {}{}.\nType a move by its number or its text, or help.\n", settings_.title,
                          game().role_name(*person()), others.empty() ? "" : " against " + others));
    } else {
        print(fmt::format("{}: {}.\n", settings_.title, others));
    }
    if (game().steps() > 0) print(fmt::format("Going on after step {}.\n", game().steps()));
    show_board(true);
    run();
}

void PlayDialogue::run() {
    while (!game().over()) {
        if (session_.waits()) {
            if (game().state() != shown_) show_board(false);
            show_turn();
            return;
        }
        if (!session_.advance()) {
            const std::size_t step = game().steps() - 1;
            print(fmt::format("no choice: {}\n",
                              view::describe(game().machine(), game().before(step), game().joint(step))));
        }
        if (person()) continue;
        if (interrupted()) {
            print("Interrupted.\n");
            finished_ = true;
            return;
        }
        show_board(false);
    }
    if (game().state() != shown_) show_board(false);
    announce_end();
    if (!person()) finished_ = true;
}

void PlayDialogue::tell_choice(const session::Chosen& chosen) {
    const std::string who = game().role_name(chosen.role);
    const std::string move = game().machine().move_name(chosen.move);
    if (chosen.thought == nullptr) {
        print(fmt::format("{} plays {}, by chance\n", who, move));
        return;
    }
    print(fmt::format("{}{} plays {}{} ({}, {:.1f} s{})\n", settings_.colour ? "\x1b[1m" : "", who, move,
                      settings_.colour ? "\x1b[0m" : "", chosen.thought->thinker, chosen.seconds,
                      chosen.interrupted ? ", interrupted" : ""));
}

void PlayDialogue::try_move(const std::string& typed) {
    if (game().over()) {
        print("The game is over. undo takes moves back, save keeps it, quit leaves.\n");
        return;
    }
    const view::MoveMatch match = view::match_move(typed, session_.move_names());
    if (match.ambiguous()) {
        print(fmt::format("'{}' could be:\n", typed));
        show_moves(match.places, true);
    } else if (!match.found()) {
        print(fmt::format("'{}' is neither a legal move nor a command; moves lists the moves, help the commands.\n",
                          typed));
    } else {
        session_.play(game().legal(*person())[match.places.front()]);
        run();
    }
}

void PlayDialogue::hear(std::string_view line) {
    const std::string text = trimmed(line);
    if (text.empty() || finished_) return;
    const bool forced = text.front() == '/';
    const std::vector<std::string> names = session_.move_names();
    const std::string plain = view::plain_move(text);
    // A move that is called like a command is a move; a slash makes it a command again.
    const bool is_move =
        !forced && std::ranges::any_of(names, [&](const std::string& name) { return view::plain_move(name) == plain; });
    const std::string typed = forced ? text.substr(1) : text;
    const std::size_t space = std::min(typed.find_first_of(" \t"), typed.size());
    std::string word = view::plain_move(typed.substr(0, space));
    if (word == "?") word = "help";
    if (word == "q" || word == "exit") word = "quit";
    const auto found = std::ranges::find(commands(), word, &Command::name);
    if (!is_move && !typed.starts_with('(') && found != commands().end()) {
        (this->*found->run)(trimmed(typed.substr(space)));
    } else if (forced) {
        print(fmt::format("There is no command '{}'; help lists them.\n", word));
    } else {
        try_move(typed);
    }
}

void PlayDialogue::show_board(bool legend) {
    const view::FluentTexts before = view::fluents_of(game().machine(), shown_);
    const view::FluentTexts now = view::fluents_of(game().machine(), game().state());
    const view::TextStyle style{.colour = settings_.colour, .legend = legend, .width = settings_.width};
    print("\n" + view::to_text(board_.picture(now, legend ? nullptr : &before), style));
    shown_ = game().state();
}

void PlayDialogue::show_turn() {
    std::vector<std::size_t> places(session_.move_names().size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    print("\n");
    show_moves(places, false);
}

void PlayDialogue::show_moves(const std::vector<std::size_t>& places, bool all) {
    const std::string text = view::move_columns(session_.move_names(), places, settings_.width);
    if (all || static_cast<std::size_t>(std::ranges::count(text, '\n')) <= short_list) {
        print(text);
    } else {
        print(fmt::format("{} moves: moves lists them, moves WORD those that begin so.\n", places.size()));
    }
}

void PlayDialogue::announce_end() {
    if (const std::optional<Role> stuck = game().stuck()) {
        print(fmt::format("\nThe game cannot go on after {}: {} has no legal move.\n", steps_text(game().steps()),
                          name_of(*stuck)));
        return;
    }
    std::string goals;
    for (const Role role : game().seats()) {
        const std::optional<int> goal = game().goal(role);
        goals +=
            fmt::format("{}{} {}", goals.empty() ? "" : ", ", name_of(role), goal ? std::to_string(*goal) : "no value");
    }
    const std::optional<session::Session::Outcome> outcome = session_.outcome();
    print(fmt::format("\nThe game is over after {}: {} (of 100).{}\n", steps_text(game().steps()), goals,
                      outcome ? verdict(*outcome) : ""));
}

}  // namespace stratagem::cli
