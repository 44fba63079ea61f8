// A game in progress: a person and recipes at a table, with undo, hints, reasons, saving and resuming.
//
// Nothing here knows of a terminal, of lines or of words: whoever owns the session shows the game, says which move the
// person makes, and hears of the others' moves as they are made. Moves by chance, of a role named `random` as of the
// recipe `random`, depend on the seed and the step alone, so that going back or taking up a saved game never throws the
// dice again.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "session/adviser.h"
#include "session/play_game.h"
#include "session/saved_game.h"
#include "view/explanation.h"

namespace stratagem::session {

using view::Thought;

// Who sits at the table.
struct Settings {
    std::string game;                  // what it is saved as: where the rules are found again
    std::optional<Role> person;        // nothing: nobody, the recipes play by themselves
    std::vector<std::string> against;  // recipes of the other roles, in their order, without chance
    std::string hints = "best";
    double clock = 2;  // seconds for each thought
    std::uint64_t seed = 1;
    std::size_t threads = 1;
};

// A choice that was made by somebody other than the person.
struct Chosen {
    Role role{0};
    Move move{};
    const Thought* thought = nullptr;  // nothing: by chance
    double seconds = 0;
    bool interrupted = false;
};

// What the session tells the world, and asks of it. All of it may be left out.
struct World {
    // Before a recipe thinks, or has to prepare for that; what is returned is let go afterwards.
    std::function<std::shared_ptr<void>(const std::string& recipe, bool prepared)> thinking = {};
    std::function<void(const Chosen&)> chosen = {};
    // A recipe has no answer; its move will be by chance.
    std::function<void(const std::string& recipe, const std::string& why)> gave_up = {};
    // Set by somebody who does not want to wait any longer.
    const std::atomic<bool>* interrupt = nullptr;
};

class Session {
  public:
    // Throws OptionError for a recipe there is not. Pre: as many recipes as other roles.
    Session(std::shared_ptr<const machine::Game> game, Settings settings, World world = {});

    const Settings& settings() const { return settings_; }
    // State, legal moves, history, goals.
    PlayGame& game() { return game_; }
    const PlayGame& game() const { return game_; }
    // The person has a choice: nothing goes on without play().
    bool waits() const { return settings_.person && game_.chooses(*settings_.person); }
    // Legal moves of the person; empty without one.
    std::vector<std::string> move_names() const;

    // A step with this move of the person. Pre: it is legal.
    void play(Move own);
    // A step without the person, who has no choice. False where nobody had one. Pre: not over, and nobody waits.
    bool advance();

    // Back to the person's previous choice: how many steps that was; none where there is none.
    std::size_t undo();
    // What would be played for the person. Pre: there is one, and the game is not over.
    const Thought& hint();
    // The last thought: of who moved last, or the last hint. Where there is none, a hint is thought of, and nothing is
    // returned when the game is over.
    const Thought* why();

    // Goal values against those of the others.
    enum class Outcome { won, lost, shared, draw };
    // Nothing without a person or without others. Pre: the game is over.
    std::optional<Outcome> outcome();

    SavedGame saved() const;
    // Takes up a saved game, its players and moves. Returns what is wrong with it; then nothing has changed.
    std::string resume(const SavedGame& saved);

  private:
    bool interrupted() const { return world_.interrupt != nullptr && world_.interrupt->load(); }
    void seat_recipes();
    bool step(std::optional<Move> own);
    Move choose(Role role);
    Move dice(Role role) const;
    search::Choice think(Adviser& adviser, Role role);

    std::shared_ptr<const machine::Game> prepared_;
    Settings settings_;
    World world_;
    PlayGame game_;
    std::vector<std::unique_ptr<Adviser>> recipes_;  // by role; none for the person, and where dice are thrown
    std::unique_ptr<Adviser> adviser_;
    std::optional<Thought> last_thought_;
};

}  // namespace stratagem::session
