// Statistics of lanes: which moves and fluents go with which results.
//
// Every so many steps a snapshot is taken of all lanes: their states and the moves they make. As the games end, their
// results are added to it lane by lane; when the last one has ended, everything is counted row by row, 512 games at a
// time. Following every move of every game would cost more than playing it; snapshots are taken as rarely as it takes
// to keep the cost below a given part of the play, and every position is as likely as any other to be in one.
#pragma once

#include <memory>
#include <vector>

#include "machine/lanes/kernels.h"
#include "machine/lanes/lane_game.h"
#include "machine/playouts.h"

namespace stratagem::machine::lanes {

class Samples {
  public:
    // Pre: the game was made with `statistics`.
    explicit Samples(const LaneGame& game, const Kernels& kernels);

    // Where results go; null: nowhere, and nothing is sampled.
    void collect(PlayoutStatistics* statistics);
    bool active() const { return statistics_ != nullptr; }
    std::uint32_t period() const { return period_; }

    // Whether the step that is about to be made is to be sampled.
    bool due() { return active() && ++since_ >= period_; }
    // Snapshot of the states; the result rows of the step, which tell the moves, belong into what is returned.
    Row* take(const Row* state, const Row& live);
    // Games ended; their goals will follow.
    void end(const Row& lanes);
    // Goals of games that ended are in these result rows.
    void score(const Row& lanes, const Row* results);
    // Games ended without a result.
    void drop(const Row& lanes);
    // Forgets what is unfinished.
    void abandon();

  private:
    struct Snapshot {
        std::vector<Row> state;
        std::vector<Row> results;     // of the step: the moves made
        std::vector<Row> goals;       // by weight
        Row playing, ended, counted;  // lanes whose game goes on, is over, has a result here
    };
    // A row of goals and what it is worth: a goal value, or one bit of all goal values of the role if these are fewer.
    struct Weight {
        std::uint32_t role = 0;
        std::uint64_t worth = 0;
        std::vector<std::uint32_t> goals;  // entries of Program::goals
    };

    void make_weights();
    void choose_period();
    void count(Snapshot& snapshot);
    void count_done();

    const LaneGame& game_;
    const Kernels& kernels_;
    PlayoutStatistics* statistics_ = nullptr;
    std::vector<Weight> weights_;
    std::vector<std::unique_ptr<Snapshot>> open_;
    std::vector<std::unique_ptr<Snapshot>> unused_;
    std::uint32_t period_ = 1;
    std::uint32_t since_ = 0;
};

}  // namespace stratagem::machine::lanes
