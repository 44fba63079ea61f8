// Random games in 512 lanes, behind the interface of all playouts.
//
// Games are started in the order of the requests and lanes, whatever the width, so the same seed gives the same games.
// No game is given up because others were faster: exactly the requested games are started, and all are played to the
// end. All lanes make their step together; a game whose turn it is not to begin (phases, lane_game.h) waits a step.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "machine/lanes/kernels.h"
#include "machine/lanes/lane_game.h"
#include "machine/lanes/samples.h"
#include "machine/playouts.h"
#include "util/contract.h"

namespace stratagem::machine::lanes {

// What tests see of a step, while it is valid.
struct Moment {
    enum class Kind : std::uint8_t { looked, stepped };

    Kind kind = Kind::looked;
    const Row* state = nullptr;    // looked at; after a step: what it led to
    const Row* results = nullptr;  // numbered by LaneGame::rows()
    Row live;                      // lanes that take part
};

class LanePlayouts final : public Playouts {
  public:
    LanePlayouts(std::shared_ptr<const LaneGame> game, std::uint64_t seed, std::uint64_t stream = 0);

    std::size_t batch() const override { return lane_count; }
    void play(std::span<const PlayoutRequest> requests, std::span<PlayoutResult> results,
              const Stop& stop = {}) override;

    void add(std::uint32_t ticket, const State& start, std::uint32_t count) override;
    void advance(std::size_t waiting, const Stop& stop = {}) override;
    std::size_t waiting() const override { return waiting_; }
    void clear() override;

    // Only where the game was made with `statistics`.
    bool collect(PlayoutStatistics* statistics) override;

    // Pre: the game was made with `observe`. Called after every look and step.
    void observe(std::function<void(const Moment&)> observer) {
        STRATAGEM_EXPECTS(game_->rows().first_legal > 0);
        observer_ = std::move(observer);
    }

  private:
    // One request while it is being served.
    struct Job {
        std::vector<std::uint32_t> held;  // fluents of its start
        std::uint32_t ticket = 0;
        std::uint32_t phase = 0;
        std::uint32_t count = 0;    // games
        std::uint32_t waiting = 0;  // of them, not started yet
        std::uint32_t left = 0;     // whose results are not counted yet
        std::uint32_t cut = 0;
        std::uint32_t stuck = 0;
        std::uint64_t steps = 0;
    };

    std::uint32_t open_job(std::uint32_t ticket, const State& start, std::uint32_t count);
    void admit_jobs();
    void admit_jobs_of(std::uint32_t phase);
    void start_games();
    void look();
    void step();
    void end_games(const Row& lanes);
    void cut_games(const Row& lanes, std::uint32_t unmade_steps);
    void cut_long_games();
    // Pre: the goal rows of `results` belong to these lanes. The same for the next ones. Not checked: rows do not know
    // whose they are.
    void account(const Row& lanes, const Row* results);
    void account_rows(const Row& lanes, const Row* results);
    void account_lane(std::size_t lane, std::uint32_t job, std::uint32_t weight, const Row* results);
    void account_lanes(const Row& lanes, const Row* results);
    void end_games_of(std::uint32_t job, std::uint32_t games) {
        jobs_[job].left -= games;
        if (jobs_[job].left == 0) done_jobs_.push_back(job);
    }
    void count_ended();
    void add_up_rows();
    void write(const Job& job, std::uint32_t number, PlayoutResult& result) const;
    bool next_phase();
    Frame frame();
    // Steps of the game in a lane. Pre: it is live.
    std::uint32_t age(std::size_t lane) const {
        STRATAGEM_EXPECTS(has(live_, lane));
        return static_cast<std::uint32_t>(now_) - birth_[lane];
    }

    std::shared_ptr<const LaneGame> game_;
    const Kernels& kernels_;
    RandomRows random_;
    std::function<void(const Moment&)> observer_;
    std::optional<Samples> samples_;

    std::vector<Row> state_, next_, random_rows_, result_rows_, scratch_;
    // Of games whose results are still to be counted: their last states where goals have a code of their own, else what
    // the last look said.
    std::vector<Row> ended_;
    std::vector<std::uint32_t> kept_;  // rows of `ended_` that matter
    Row ended_lanes_;
    std::array<std::uint32_t, lane_count> ended_job_{};

    std::vector<Job> jobs_;
    std::vector<std::uint32_t> free_jobs_;
    std::vector<std::uint64_t> goals_;               // by job, then role: sums of goal values
    std::vector<std::uint32_t> new_jobs_;            // still to be admitted
    std::vector<std::deque<std::uint32_t>> queues_;  // by phase: jobs with games to start
    std::vector<std::uint32_t> done_jobs_;
    std::size_t waiting_ = 0;                 // games
    bool by_rows_ = false;                    // there is a single job: its results are counted row by row
    std::vector<std::uint64_t> goal_counts_;  // by goal entry, in that case
    Row live_;
    std::array<std::uint32_t, lane_count> job_{};    // by lane
    std::array<std::uint32_t, lane_count> birth_{};  // by lane: when its game was started
    std::uint64_t now_ = 0;                          // steps since the beginning
    std::uint64_t oldest_ = 0;                       // no live game was started earlier
    std::uint64_t lane_steps_ = 0;                   // of a single job, ended or not
    std::uint32_t phase_ = 0;
    std::uint32_t looks_at_clock_every_ = 1;
};

}  // namespace stratagem::machine::lanes
