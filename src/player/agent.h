// Whoever plays a role of a match, as its referee sees it: a player of this process, one at the other end of a wire, or
// a person. The referee (arena/match.h) trusts none of them; it judges what comes back and when.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "player/player.h"

namespace stratagem::player {

// How many nodes a move is searched with, in the place of a clock; nothing: the clock decides.
inline std::optional<std::uint64_t> nodes_of(const Recipe& recipe, const PlayerSettings& settings) {
    return recipe.nodes() ? recipe.nodes() : settings.nodes;
}

struct MatchStart {
    std::string match_id;
    std::shared_ptr<const machine::Game> game;  // made ready, for those who need not do that themselves
    machine::Role role{0};
    Clocks clocks;
    // The fluents that hold where the match begins; nothing: as the rules say.
    std::optional<std::vector<std::string>> state = {};
};

struct Reply {
    enum class Kind : std::uint8_t {
        move,         // an answer came; whether it is legal is not said
        late,         // none came while it was waited for
        unreachable,  // nobody there, or no answer that could be understood
    };

    Kind kind = Kind::unreachable;
    std::string move;  // prefix KIF; case and spaces as they came
    // For kinds other than move: what happened, in a few words for people. With an answer: what is odd about it, such
    // as a greeting that is not the usual one, or why it is no move at all (then `move` is empty).
    std::string problem;
    // What it thought, where that is known.
    Answer::Source source = Answer::Source::search;
    search::Choice choice;
    bool thought_known = false;
};

// What a player of ours answered.
inline Reply to_reply(Answer answer) {
    Reply reply;
    reply.kind = Reply::Kind::move;
    reply.move = std::move(answer.move);
    reply.source = answer.source;
    reply.choice = std::move(answer.choice);
    reply.thought_known = true;
    return reply;
}

// For one match; used by one thread at a time, but for abort().
class Agent {
  public:
    virtual ~Agent() = default;

    // What it is called in records.
    virtual std::string name() const = 0;
    // Thinks elsewhere, so that it may be asked at the same time as others without taking their processor.
    virtual bool elsewhere() const = 0;

    // Whether a match may begin elsewhere than the rules say (MatchStart::state): not where a protocol has no words
    // for it.
    virtual bool begins_anywhere() const { return false; }
    // Whether clocks count for it; they do not where it was given a number of nodes instead.
    virtual bool has_clock() const { return true; }

    // Returns when it is ready, or when it is not to be waited for any longer: Kind::move means ready.
    virtual Reply start(const MatchStart& match) = 0;
    // The joint move made last (nothing in the first turn), in the order of roles.
    virtual Reply play(std::span<const std::string> last) = 0;
    // The same in a turn whose move somebody else makes: no answer is wanted. Whoever cannot be told so is asked.
    virtual void watch(std::span<const std::string> last) { (void)play(last); }
    // The match came to its end by this joint move.
    virtual void stop(std::span<const std::string> last) = 0;
    // From any thread: the match is given up; whatever is under way returns soon.
    virtual void abort() = 0;
};

}  // namespace stratagem::player
