// Games in lanes, replayed move by move on the circuit: every state, legal move, end and goal value is compared.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "machine/circuit/circuit_machine.h"
#include "machine/lanes/lane_playouts.h"

namespace stratagem::machine::lanes::testing {

class LaneReplay {
  public:
    // Follows these lanes for at most so many steps of all of them together, then raises stopped().
    LaneReplay(std::shared_ptr<const LaneGame> game, CircuitMachine& machine, std::vector<std::size_t> lanes,
               std::size_t budget)
        : game_(std::move(game)), machine_(machine), lanes_(std::move(lanes)), budget_(budget) {
        followed_.resize(lanes_.size());
        const std::size_t fluents = game_->program().fluents.size();
        next_.resize(fluents + 1);
        random_.resize(game_->random_rows() + 1);
        scored_.resize(game_->rows().count);
        scratch_.resize(game_->scratch_rows() + 1);
        totals_.goals.assign(game_->program().roles.size(), 0);
    }

    // Plays the requested games of one start. Results are those of all lanes, totals() those of the followed ones.
    PlayoutResult play(LanePlayouts& playouts, const State& start, std::uint32_t count) {
        start_ = &start;
        for (Followed& lane : followed_) lane = {};
        playouts.observe([this](const Moment& moment) { see(moment); });
        const PlayoutRequest request{&start, count};
        PlayoutResult result;
        playouts.play({&request, 1}, {&result, 1}, Stop{Deadline::never(), &stopped_});
        return result;
    }

    bool stopped() const { return stopped_; }
    std::size_t steps() const { return steps_; }  // compared
    const PlayoutResult& totals() const { return totals_; }

  private:
    struct Followed {
        bool alive = false;
        State state;
    };

    void see(const Moment& moment) {
        if (stopped_) return;
        if (moment.kind == Moment::Kind::looked) score(moment);
        for (std::size_t i = 0; i < lanes_.size() && !stopped_; ++i) {
            if (moment.kind == Moment::Kind::stepped) {
                see_step(moment, lanes_[i], followed_[i]);
            } else {
                see_look(moment, lanes_[i], followed_[i]);
            }
            if (::testing::Test::HasFailure()) stopped_ = true;  // the first difference says it all
        }
    }

    // Goals that are computed apart are computed here in every state.
    void score(const Moment& moment) {
        goals_ = moment.results;
        if (game_->score() == nullptr) return;
        game_->score()->run({moment.state, next_.data(), random_.data(), scored_.data(), scratch_.data()});
        goals_ = scored_.data();
    }

    void see_look(const Moment& moment, std::size_t lane, Followed& followed) {
        ASSERT_EQ(has(moment.live, lane), followed.alive) << where(lane);
        if (!followed.alive) return;
        const bool terminal = machine_.terminal(followed.state);
        ASSERT_EQ(has(moment.results[game_->rows().terminal], lane), terminal) << where(lane);
        // In the order of roles and values: the circuit says nothing unless exactly one value holds.
        std::vector<std::vector<int>> held(machine_.role_count());
        const auto& goals = game_->program().goals;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            if (has(goals_[game_->rows().first_goal + i], lane)) {
                held[ground::index(goals[i].role)].push_back(goals[i].value);
            }
        }
        bool several = false;
        for (std::uint32_t role = 0; role < held.size(); ++role) {
            const std::optional<int> goal = machine_.goal(followed.state, Role{role});
            several = several || held[role].size() > 1;
            const auto lanes_goal = held[role].size() == 1 ? std::optional(held[role][0]) : std::nullopt;
            ASSERT_EQ(lanes_goal, goal) << where(lane) << " role " << role;
            if (terminal) totals_.goals[role] += static_cast<std::uint64_t>(goal.value_or(0));
        }
        ASSERT_EQ(has(goals_[game_->rows().conflict], lane), several) << where(lane);
        if (!terminal) return;
        ++totals_.finished;
        followed.alive = false;
    }

    void see_step(const Moment& moment, std::size_t lane, Followed& followed) {
        if (!has(moment.live, lane)) {
            ASSERT_FALSE(followed.alive) << where(lane);
            return;
        }
        if (!followed.alive) {
            followed = {true, *start_};
            ASSERT_FALSE(machine_.terminal(followed.state)) << "a game was started that is over";
        }
        std::vector<Move> joint;
        bool stuck = false;
        for (std::uint32_t role = 0; role < machine_.role_count(); ++role) {
            see_moves(moment, lane, followed.state, Role{role}, joint, stuck);
            if (::testing::Test::HasFatalFailure()) return;
        }
        ASSERT_EQ(has(moment.results[game_->rows().stuck], lane), stuck) << where(lane);
        if (stuck) {
            ++totals_.cut;
            ++totals_.stuck;
            followed.alive = false;
            return;
        }
        State next;
        machine_.next(followed.state, joint, next);
        for (std::uint32_t i = 0; i < game_->program().fluents.size(); ++i) {
            ASSERT_EQ(has(moment.state[i], lane), next.holds(Fluent{i}))
                << where(lane) << ' ' << machine_.fluent_name(Fluent{i});
        }
        followed.state = std::move(next);
        ++totals_.steps;
        if (++steps_ >= budget_) stopped_ = true;
    }

    // Exactly one move made, and it is legal; nothing at all where there is none.
    void see_moves(const Moment& moment, std::size_t lane, const State& state, Role role, std::vector<Move>& joint,
                   bool& stuck) {
        machine_.legal(state, role, legal_);
        stuck = stuck || legal_.empty();
        const auto& moves = game_->program().moves;
        std::size_t made = 0;
        std::size_t next_legal = 0;
        for (std::uint32_t i = 0; i < moves.size(); ++i) {
            if (moves[i].role != role) continue;
            const bool legal = next_legal < legal_.size() && legal_[next_legal] == Move{i};
            if (legal) ++next_legal;
            ASSERT_EQ(has(moment.results[game_->rows().first_legal + i], lane), legal)
                << where(lane) << " legal " << machine_.move_name(Move{i});
            if (!has(moment.results[game_->rows().first_made + i], lane)) continue;
            ASSERT_TRUE(legal) << where(lane) << " made " << machine_.move_name(Move{i});
            joint.push_back(Move{i});
            ++made;
        }
        ASSERT_EQ(made, legal_.empty() ? 0U : 1U) << where(lane) << " moves of role " << ground::index(role);
    }

    std::string where(std::size_t lane) const { return fmt::format("lane {} after {} steps of all", lane, steps_); }

    std::shared_ptr<const LaneGame> game_;
    CircuitMachine& machine_;
    std::vector<std::size_t> lanes_;
    std::size_t budget_;
    std::vector<Followed> followed_;
    const State* start_ = nullptr;
    const Row* goals_ = nullptr;
    std::vector<Row> next_, random_, scored_, scratch_;
    std::vector<Move> legal_;
    PlayoutResult totals_;
    std::size_t steps_ = 0;
    std::atomic<bool> stopped_ = false;
};

}  // namespace stratagem::machine::lanes::testing
