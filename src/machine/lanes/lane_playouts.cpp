#include "machine/lanes/lane_playouts.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace stratagem::machine::lanes {

LanePlayouts::LanePlayouts(std::shared_ptr<const LaneGame> game, std::uint64_t seed, std::uint64_t stream)
    : game_(std::move(game)), kernels_(kernels(game_->width())), random_(seed, stream) {
    const std::size_t fluents = game_->program().fluents.size();
    state_.resize(fluents + 1);
    next_.resize(fluents + 1);
    random_rows_.resize(game_->random_rows() + 1);
    result_rows_.resize(game_->rows().count);
    scratch_.resize(game_->scratch_rows() + 1);
    if (game_->score() != nullptr) {
        ended_.resize(fluents + 1);
        for (const ground::Fluent fluent : game_->scored()) scored_.push_back(ground::index(fluent));
    }
    queues_.resize(game_->phases().size());
    goal_counts_.resize(game_->program().goals.size());
    if (game_->phases().front().step_observed) samples_.emplace(*game_, kernels_);
    constexpr double instructions_between_looks = 100'000;
    looks_at_clock_every_ =
        static_cast<std::uint32_t>(std::max(1.0, instructions_between_looks / (64 + game_->instructions())));
}

Frame LanePlayouts::frame() {
    return {state_.data(), next_.data(), random_rows_.data(), result_rows_.data(), scratch_.data()};
}

bool LanePlayouts::collect(PlayoutStatistics* statistics) {
    if (!samples_) return statistics == nullptr;
    samples_->collect(statistics);
    return true;
}

void LanePlayouts::prepare(std::span<const PlayoutRequest> requests) {
    jobs_.resize(requests.size());
    for (auto& queue : queues_) queue.clear();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        Job& job = jobs_[i];
        const auto phase = game_->phase_of(*requests[i].start);
        if (!phase) throw std::invalid_argument("playouts from a state that is none of the game");
        job.phase = *phase;
        job.waiting = requests[i].count;
        job.held.clear();
        requests[i].start->for_each([&](Fluent fluent) { job.held.push_back(ground::index(fluent)); });
        results_[i] = PlayoutResult{};
        results_[i].goals.assign(game_->program().roles.size(), 0);
    }
    std::fill(goal_counts_.begin(), goal_counts_.end(), 0);
    live_ = Row{};
    ended_lanes_ = Row{};
    lane_steps_ = 0;
    oldest_ = now_;
    answer_terminal_starts(requests);
    for (std::uint32_t i = static_cast<std::uint32_t>(jobs_.size()); i-- > 0;) {
        if (jobs_[i].waiting > 0) queues_[jobs_[i].phase].push_back(i);
    }
}

// Games that are over before they begin never enter a lane.
void LanePlayouts::answer_terminal_starts(std::span<const PlayoutRequest> requests) {
    for (std::uint32_t phase = 0; phase < queues_.size(); ++phase) {
        for (std::uint32_t next = 0; next < jobs_.size();) {
            std::uint32_t count = 0;
            kernels_.clear(state_.data(), state_.size(), all_lanes);
            for (; next < jobs_.size() && count < lane_count; ++next) {
                if (jobs_[next].phase != phase) continue;
                for (const std::uint32_t fluent : jobs_[next].held) insert(state_[fluent], count);
                job_[count++] = next;
            }
            if (count == 0) continue;
            game_->phases()[phase].look->run(frame());
            const Row over = both(result_rows_[game_->rows().terminal], first_lanes(all_lanes, count));
            if (!any(over)) continue;
            if (game_->score() != nullptr) game_->score()->run(frame());
            for_each_lane(over, [&](std::size_t lane) {
                account_lane(lane, job_[lane], requests[job_[lane]].count);
                jobs_[job_[lane]].waiting = 0;
            });
        }
    }
}

void LanePlayouts::start_games() {
    auto& queue = queues_[phase_];
    if (queue.empty()) return;
    Row free = without(all_lanes, live_);
    if (!any(free)) return;
    kernels_.clear(state_.data(), state_.size(), free);
    while (!queue.empty() && any(free)) {
        const std::uint32_t number = queue.back();
        Job& job = jobs_[number];
        const std::uint32_t count = std::min(job.waiting, kernels_.count(free, free));
        const Row taken = first_lanes(free, count);
        job.waiting -= count;
        if (job.waiting == 0) queue.pop_back();
        kernels_.insert(state_.data(), job.held.data(), job.held.size(), taken);
        for_each_lane(taken, [&](std::size_t lane) {
            birth_[lane] = now_;
            job_[lane] = number;
        });
        live_ = either(live_, taken);
        free = without(free, taken);
    }
}

void LanePlayouts::look() {
    game_->phases()[phase_].look->run(frame());
    if (observer_) observer_({Moment::Kind::looked, state_.data(), result_rows_.data(), live_});
    const Row over = both(result_rows_[game_->rows().terminal], live_);
    if (any(over)) end_games(over);
    if (now_ - oldest_ >= max_steps_) cut_long_games();
}

void LanePlayouts::step() {
    const LaneGame::Phase& phase = game_->phases()[phase_];
    kernels_.fill(random_, random_rows_.data(), phase.random_rows);
    if (samples_ && !observer_ && samples_->due()) {
        Frame where = frame();
        where.results = samples_->take(state_.data(), live_);
        phase.step_observed->run(where);
        result_rows_[game_->rows().stuck] = where.results[game_->rows().stuck];
    } else {
        (observer_ ? phase.step_observed : phase.step)->run(frame());
    }
    std::swap(state_, next_);
    ++now_;
    lane_steps_ += kernels_.count(live_, live_);
    if (observer_) observer_({Moment::Kind::stepped, state_.data(), result_rows_.data(), live_});
    phase_ = phase.next;
    const Row stuck = both(result_rows_[game_->rows().stuck], live_);
    if (any(stuck)) cut_games(stuck, 1);
}

void LanePlayouts::end_games(const Row& lanes) {
    live_ = without(live_, lanes);
    // Results of earlier games in these lanes go out first: samples know lanes, not games.
    if (any(both(lanes, ended_lanes_))) score_ended();
    if (samples_) samples_->end(lanes);
    if (jobs_.size() > 1) {
        for_each_lane(lanes, [&](std::size_t lane) { results_[job_[lane]].steps += now_ - birth_[lane]; });
    }
    if (game_->score() == nullptr) return account(lanes, job_);
    kernels_.copy(state_.data(), ended_.data(), scored_.data(), scored_.size(), lanes);
    ended_lanes_ = either(ended_lanes_, lanes);
    if (jobs_.size() > 1) for_each_lane(lanes, [&](std::size_t lane) { ended_job_[lane] = job_[lane]; });
}

void LanePlayouts::score_ended() {
    if (!any(ended_lanes_)) return;
    Frame where = frame();
    where.state = ended_.data();
    game_->score()->run(where);
    account(ended_lanes_, ended_job_);
    ended_lanes_ = Row{};
}

// Pre: the goal rows belong to these lanes.
void LanePlayouts::account(const Row& lanes, const std::array<std::uint32_t, lane_count>& jobs) {
    if (samples_) samples_->score(lanes, result_rows_.data());
    if (jobs_.size() > 1) {
        for_each_lane(lanes, [&](std::size_t lane) { account_lane(lane, jobs[lane], 1); });
        return;
    }
    const Row unclear = both(lanes, result_rows_[game_->rows().conflict]);
    Row clear = lanes;
    if (any(unclear)) {
        for_each_lane(unclear, [&](std::size_t lane) { account_lane(lane, 0, 1); });
        clear = without(lanes, unclear);
    }
    results_[0].finished += kernels_.count(clear, clear);
    for (std::size_t i = 0; i < goal_counts_.size(); ++i) {
        goal_counts_[i] += kernels_.count(result_rows_[game_->rows().first_goal + i], clear);
    }
}

void LanePlayouts::account_lane(std::size_t lane, std::uint32_t job, std::uint32_t weight) {
    PlayoutResult& result = results_[job];
    result.finished += weight;
    const auto& goals = game_->program().goals;
    for (std::size_t i = 0; i < goals.size();) {
        const ground::Role role = goals[i].role;
        std::size_t holding = 0;
        int value = 0;
        for (; i < goals.size() && goals[i].role == role; ++i) {
            if (!has(result_rows_[game_->rows().first_goal + i], lane)) continue;
            ++holding;
            value = goals[i].value;
        }
        if (holding == 1) result.goals[ground::index(role)] += static_cast<std::uint64_t>(value) * weight;
    }
}

void LanePlayouts::cut_games(const Row& lanes, std::uint32_t unmade_steps) {
    live_ = without(live_, lanes);
    if (samples_) samples_->drop(lanes);
    for_each_lane(lanes, [&](std::size_t lane) {
        PlayoutResult& result = results_[job_[lane]];
        ++result.cut;
        result.stuck += unmade_steps;  // the step that could not be made
        if (jobs_.size() > 1) result.steps += now_ - birth_[lane] - unmade_steps;
        lane_steps_ -= unmade_steps;
    });
}

void LanePlayouts::cut_long_games() {
    Row lanes;
    oldest_ = now_;
    for_each_lane(live_, [&](std::size_t lane) {
        if (now_ - birth_[lane] >= max_steps_) {
            insert(lanes, lane);
        } else if (now_ - birth_[lane] > now_ - oldest_) {
            oldest_ = birth_[lane];
        }
    });
    cut_games(lanes, 0);
}

// When no game is live: on to a phase in which one can start. False: there is none left.
bool LanePlayouts::next_phase() {
    for (std::uint32_t phase = 0; phase < queues_.size(); ++phase) {
        if (queues_[phase].empty()) continue;
        phase_ = phase;
        return true;
    }
    return false;
}

void LanePlayouts::add_up() {
    if (game_->score() != nullptr) score_ended();
    if (samples_) samples_->abandon();
    if (jobs_.size() != 1) return;
    for_each_lane(live_, [&](std::size_t lane) { lane_steps_ -= now_ - birth_[lane]; });
    results_[0].steps += lane_steps_;
    const auto& goals = game_->program().goals;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        results_[0].goals[ground::index(goals[i].role)] += goal_counts_[i] * static_cast<std::uint64_t>(goals[i].value);
    }
}

void LanePlayouts::play(std::span<const PlayoutRequest> requests, std::span<PlayoutResult> results, const Stop& stop) {
    results_ = results;
    prepare(requests);
    for (std::uint32_t round = 1;; ++round) {
        if (!any(live_) && !next_phase()) break;
        start_games();
        step();
        look();
        if (round % looks_at_clock_every_ == 0 && stop.now()) break;
    }
    add_up();
}

}  // namespace stratagem::machine::lanes
