// A session as a conversation: lines in, text out.
//
// Nothing here knows of a terminal; whoever owns the dialogue reads the lines, shows the text, and says whether
// somebody interrupts. The same lines give the same text wherever the recipes do not depend on time. What the words
// mean is decided here, what they do in session/session.h.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "session/session.h"
#include "view/board.h"

namespace stratagem::cli {

// "1 step", "2 steps".
std::string steps_text(std::size_t steps);

struct DialogueSettings {
    std::string title;  // what the game is called
    session::Settings table;
    bool colour = false;
    std::size_t width = 80;
};

// What the dialogue needs of the world.
struct DialogueWorld {
    std::function<void(std::string_view)> print;
    // Called before thinking; what it returns is let go afterwards.
    std::function<std::shared_ptr<void>(const std::string& what)> thinking = {};
    // Set by somebody who does not want to wait any longer.
    const std::atomic<bool>* interrupt = nullptr;
};

class PlayDialogue {
  public:
    // As a session is made.
    PlayDialogue(const std::shared_ptr<const machine::Game>& game, DialogueSettings settings, DialogueWorld world);
    PlayDialogue(const PlayDialogue&) = delete;  // the session talks to it
    PlayDialogue& operator=(const PlayDialogue&) = delete;

    // Says what is played and goes on to where the person has a choice.
    void begin();
    // One line of the person: a move or a command.
    void hear(std::string_view line);
    // Nothing more is to be heard: left, resigned, or watched to the end.
    bool finished() const { return finished_; }
    std::string prompt() const;

    session::Session& session() { return session_; }

  private:
    struct Command {
        std::string_view name;
        std::string_view about;
        void (PlayDialogue::*run)(const std::string& rest);
    };
    static std::span<const Command> commands();

    session::World ears();
    void print(std::string_view text) const { world_.print(text); }
    bool interrupted() const { return world_.interrupt != nullptr && world_.interrupt->load(); }
    session::PlayGame& game() { return session_.game(); }
    const session::PlayGame& game() const { return session_.game(); }
    std::optional<machine::Role> person() const { return session_.settings().person; }
    std::string name_of(machine::Role role) const;

    // Steps until the person has a choice or the game is over.
    void run();
    void tell_choice(const session::Chosen& chosen);
    void try_move(const std::string& typed);
    void show_board(bool legend);
    void show_turn();
    void show_moves(const std::vector<std::size_t>& places, bool all);
    void announce_end();

    void help(const std::string& rest);
    void moves(const std::string& rest);
    void board(const std::string& rest);
    void state(const std::string& rest);
    void undo(const std::string& rest);
    void hint(const std::string& rest);
    void why(const std::string& rest);
    void save(const std::string& rest);
    void load(const std::string& rest);
    void resign(const std::string& rest);
    void quit(const std::string& rest);

    DialogueSettings settings_;
    DialogueWorld world_;
    session::Session session_;
    view::Board board_;
    machine::State shown_;  // drawn last
    bool finished_ = false;
};

}  // namespace stratagem::cli
