// A person playing against recipes: lines in, text out.
//
// Nothing here knows of a terminal; whoever owns the session reads the lines, shows the text, and says whether somebody
// interrupts. The same lines give the same text wherever the recipes do not depend on time. Moves by chance, of a role
// named `random` as of the recipe `random`, depend on the seed and the step alone, so that going back or taking up a
// saved game never throws the dice again.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "view/board.h"
#include "view/explanation.h"
#include "session/adviser.h"
#include "session/play_game.h"
#include "session/saved_game.h"

namespace stratagem::session {

struct PlaySettings {
    std::string title;                 // what it is called
    std::string game;                  // what it is saved as: where the rules are found again
    std::optional<Role> person;        // nothing: nobody, the recipes play by themselves
    std::vector<std::string> against;  // recipes of the other roles, in their order, without chance
    std::string hints = "best";
    double clock = 2;  // seconds for each thought
    std::uint64_t seed = 1;
    std::size_t threads = 1;
    bool colour = false;
    std::size_t width = 80;
};

// What the session needs of the world.
struct PlayWorld {
    std::function<void(std::string_view)> print;
    // Called before thinking; what it returns is let go afterwards.
    std::function<std::shared_ptr<void>(const std::string& what)> thinking = {};
    // Set by somebody who does not want to wait any longer.
    const std::atomic<bool>* interrupt = nullptr;
};

class PlaySession {
  public:
    // Throws OptionError for a recipe there is not. Pre: as many recipes as other roles.
    PlaySession(std::shared_ptr<const machine::Game> prepared, PlaySettings settings, PlayWorld world);

    // Takes up a saved game, its players and moves. Returns what is wrong with it; then nothing has changed.
    std::string restore(const SavedGame& saved);
    // Says what is played and goes on to where the person has a choice.
    void begin();
    // One line of the person: a move or a command.
    void hear(std::string_view line);
    // Nothing more is to be heard: left, resigned, or watched to the end.
    bool finished() const { return finished_; }
    std::string prompt() const;

    PlayGame& game() { return game_; }
    SavedGame saved() const;

    // The roles that can be played: all but chance.
    static std::vector<Role> seats(const PlayGame& game);

  private:
    struct Command {
        std::string_view name;
        std::string_view about;
        void (PlaySession::*run)(const std::string& rest);
    };
    static std::span<const Command> commands();

    void print(std::string_view text) const { world_.print(text); }
    bool interrupted() const { return world_.interrupt != nullptr && world_.interrupt->load(); }
    void make_minds();

    // Steps until the person has a choice or the game is over.
    void run();
    void step(std::optional<Move> own);
    Move choose(Role role);
    Move dice(Role role) const;
    search::Choice think(Mind& mind, Role role);
    ThoughtOf think_for_person();

    void try_move(const std::string& typed);
    void show_board(bool legend);
    void show_turn();
    void show_moves(const std::vector<std::size_t>& places, bool all);
    void announce_end();
    std::vector<std::string> own_moves() const;
    std::string name_of(Role role) const;

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

    std::shared_ptr<const machine::Game> prepared_;
    PlaySettings settings_;
    PlayWorld world_;
    PlayGame game_;
    Board board_;
    std::vector<std::unique_ptr<Mind>> minds_;  // by role; none for the person, and where dice are thrown
    std::unique_ptr<Mind> adviser_;
    std::optional<ThoughtOf> last_thought_;
    State shown_;  // drawn last
    bool finished_ = false;
};

}  // namespace stratagem::session
