// Random games by the batch: what a tree search asks of a machine when it wants to know how a state tends to end.
//
// One interface for lanes, which play hundreds of games at once, and for any other machine, which plays them one after
// the other (Game::make_playouts chooses). Used by one thread at a time; make one for each thread. The same seed gives
// the same games whatever the processor.
//
// There are two ways to ask. play() answers all requests of a call at its end: the machine idles more and more while
// the longest games come to theirs. add(), advance() and done() are a stream: requests come in while earlier ones are
// still being played, so the machine stays busy, and answers come out in the order in which games happen to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include "machine/state.h"
#include "machine/stop.h"
#include "util/contract.h"

namespace stratagem::machine {

struct PlayoutRequest {
    const State* start = nullptr;  // must be a reachable state of the game
    std::uint32_t count = 1;       // games to play from it
};

// Sums over the games from one start.
struct PlayoutResult {
    std::uint32_t finished = 0;        // games that reached a terminal state
    std::uint32_t cut = 0;             // games that reached the limit of moves or got stuck
    std::uint32_t stuck = 0;           // those of them that reached a state where a role has no legal move
    std::uint64_t steps = 0;           // of all these games
    std::vector<std::uint64_t> goals;  // by role: sum of goal values over the finished games; no value counts as 0

    double mean(std::size_t role) const {
        return finished == 0 ? 50.0 : static_cast<double>(goals[role]) / static_cast<double>(finished);
    }
};

// How games went on from positions of playouts, by what was done and what held there. Every position of the playouts is
// equally likely to be sampled; `samples` says how many were.
struct PlayoutStatistics {
    std::uint64_t samples = 0;
    std::vector<std::uint64_t> move_count;    // by move: samples in which it was made
    std::vector<std::uint64_t> move_goals;    // by move: their sum of goal values of the role that made it
    std::vector<std::uint64_t> fluent_count;  // by fluent: samples in which it held
    std::vector<std::uint64_t> fluent_goals;  // by fluent, then role: their sum of goal values

    // Nothing known: 50.
    double move_mean(Move move) const {
        const std::size_t i = ground::index(move);
        return i >= move_count.size() || move_count[i] == 0
                   ? 50.0
                   : static_cast<double>(move_goals[i]) / static_cast<double>(move_count[i]);
    }
    void clear() { *this = PlayoutStatistics{}; }
};

class Playouts {
  public:
    virtual ~Playouts() = default;

    // So many games in one call of play() keep the machine busy; fewer waste some of its speed.
    virtual std::size_t batch() const = 0;
    // Fewer than the requested games were played where `stop` ended it; the results say how many.
    virtual void play(std::span<const PlayoutRequest> requests, std::span<PlayoutResult> results,
                      const Stop& stop = {}) = 0;

    // An answer of the stream: the ticket given to add().
    struct Done {
        std::uint32_t ticket = 0;
        PlayoutResult result;
    };
    // Another request. The state is copied. Pre: no play() while anything of the stream is left (where play() would
    // lose it, it looks).
    virtual void add(std::uint32_t ticket, const State& start, std::uint32_t count);
    // Plays on until no more than `waiting` games wait to be started, or if that is so already, until a request is
    // done; or nothing is left to play, or `stop` says so. What is under way then goes on with the next call.
    virtual void advance(std::size_t waiting, const Stop& stop = {});
    // Requests that ended in the last advance().
    std::span<const Done> done() const { return std::span(done_).first(done_count_); }
    // Games added and not started yet.
    virtual std::size_t waiting() const { return queued_games_; }
    // Forgets everything in the stream.
    virtual void clear();

    // Collects statistics from now on, into an object that must outlive this one (or null: no more). Not every playouts
    // can: false.
    virtual bool collect(PlayoutStatistics*) { return false; }

    // Longest game in moves, from its start; longer ones are cut. Pre: at least 1.
    void set_max_steps(std::size_t steps) {
        STRATAGEM_EXPECTS(steps >= 1);
        max_steps_ = steps;
    }
    std::size_t max_steps() const { return max_steps_; }

  protected:
    // A place for the next answer, with whatever memory it had.
    Done& next_done() {
        if (done_count_ == done_.size()) done_.emplace_back();
        return done_[done_count_++];
    }

    std::size_t max_steps_ = 100'000;
    std::size_t done_count_ = 0;

  private:
    struct Queued {
        std::uint32_t ticket = 0;
        std::uint32_t count = 0;
        State start;
    };

    std::vector<Done> done_;
    std::deque<Queued> queue_;
    std::size_t queued_games_ = 0;
};

}  // namespace stratagem::machine
