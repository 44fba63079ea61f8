// A player that is told everything in words: rules as text, roles and moves by name.
//
// That is how the world speaks to it, over the network or over a pipe, so whoever serves a match need not know whether
// the player thinks in this process (LocalTextPlayer) or in one of its own (room worker).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdl/read.h"
#include "player/player.h"

namespace stratagem::player {

struct TextMatch {
    std::string name;  // of the rules, for messages to people
    std::string rules;
    std::optional<gdl::Notation> notation = gdl::Notation::kif;  // nothing: guessed
    std::string role;                                            // lower-case prefix KIF
    Clocks clocks;
    // The fluents that hold where the match begins; nothing: as the rules say.
    std::optional<std::vector<std::string>> state = {};
};

// What came of reading the rules.
struct Opening {
    bool known = false;              // they have been read, or cannot be
    std::string fault;               // not empty: the match cannot be played, and why
    std::vector<std::string> roles;  // in their order
    std::size_t own = 0;
    bool sees = false;  // they say what players see (GDL-II)
};

// For one match; used by one thread at a time, but for abort().
class TextPlayer {
  public:
    virtual ~TextPlayer() = default;

    // Returns when everything is ready, or at the end of the start clock. Called once, first.
    virtual Opening start(const TextMatch& match, TimePoint received) = 0;
    // What start() returned, or more, if it had to return before the rules were read.
    virtual Opening opening() const = 0;
    // The joint move made last (nothing in the first turn), in the order of roles. Answers within the play clock.
    virtual Answer play(std::span<const std::string> last, TimePoint received) = 0;
    // The same where the move is not the player's to choose.
    virtual void watch(std::span<const std::string> last, TimePoint received) = 0;
    // Whether these moves can be made where the match stands; nothing when that cannot be told by the deadline.
    virtual std::optional<bool> fits(std::span<const std::string> moves, Deadline deadline) = 0;
    // The match is over: lets go of everything. Nothing of it runs any more when this returns.
    virtual void stop() = 0;
    // From any thread: whatever is under way returns at once, with what it has; nothing new is begun.
    virtual void abort() = 0;
};

// The game of rules that were read, ready at once, and whom it is played by. Null and a fault in `opening` when they
// cannot be used.
std::shared_ptr<const machine::Game> read_match(const TextMatch& match, Opening& opening);

// In this process.
class LocalTextPlayer final : public TextPlayer {
  public:
    // `prepared`: the game of the match, if it was made ready before.
    LocalTextPlayer(Recipe recipe, PlayerSettings settings, std::shared_ptr<const machine::Game> prepared = nullptr);

    Opening start(const TextMatch& match, TimePoint received) override;
    Opening opening() const override { return opening_; }
    Answer play(std::span<const std::string> last, TimePoint received) override { return player_.play(last, received); }
    void watch(std::span<const std::string> last, TimePoint received) override { player_.watch(last, received); }
    std::optional<bool> fits(std::span<const std::string> moves, Deadline deadline) override {
        return player_.fits(moves, deadline);
    }
    void stop() override { player_.stop(); }
    void abort() override { player_.abort(); }

  private:
    std::shared_ptr<const machine::Game> prepared_;
    Player player_;
    Opening opening_;
};

}  // namespace stratagem::player
