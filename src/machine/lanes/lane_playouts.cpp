#include "machine/lanes/lane_playouts.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "util/contract.h"

namespace stratagem::machine::lanes {

LanePlayouts::LanePlayouts(std::shared_ptr<const LaneGame> game, std::uint64_t seed, std::uint64_t stream)
    : game_(std::move(game)), kernels_(kernels(game_->width())), random_(seed, stream) {
    const std::size_t fluents = game_->program().fluents.size();
    const std::size_t goal_count = game_->program().goals.size();
    state_.resize(fluents + 1);
    next_.resize(fluents + 1);
    random_rows_.resize(game_->random_rows() + 1);
    result_rows_.resize(game_->rows().count);
    scratch_.resize(game_->scratch_rows() + 1);
    if (game_->score() != nullptr) {
        ended_.resize(fluents + 1);
        for (const ground::Fluent fluent : game_->scored()) kept_.push_back(ground::index(fluent));
    } else {
        ended_.resize(game_->rows().count);
        kept_.push_back(game_->rows().conflict);
        for (std::uint32_t i = 0; i < goal_count; ++i) kept_.push_back(game_->rows().first_goal + i);
    }
    queues_.resize(game_->phases().size());
    goal_counts_.resize(goal_count);
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

std::uint32_t LanePlayouts::open_job(std::uint32_t ticket, const State& start, std::uint32_t count) {
    const auto phase = game_->phase_of(start);
    if (!phase) throw std::invalid_argument("playouts from a state that is none of the game");
    const std::size_t roles = game_->program().roles.size();
    std::uint32_t number = 0;
    if (free_jobs_.empty()) {
        number = static_cast<std::uint32_t>(jobs_.size());
        jobs_.emplace_back();
        goals_.resize(jobs_.size() * roles);
    } else {
        number = free_jobs_.back();
        free_jobs_.pop_back();
    }
    Job& job = jobs_[number];
    job.ticket = ticket;
    job.phase = *phase;
    job.count = job.waiting = job.left = count;
    job.cut = job.stuck = 0;
    job.steps = 0;
    job.held.clear();
    start.for_each([&](Fluent fluent) { job.held.push_back(ground::index(fluent)); });
    std::fill_n(goals_.begin() + static_cast<std::ptrdiff_t>(number * roles), roles, 0);
    waiting_ += count;
    new_jobs_.push_back(number);
    return number;
}

// Games that are over before they begin never enter a lane.
void LanePlayouts::admit_jobs() {
    if (new_jobs_.empty()) return;
    for (std::uint32_t phase = 0; phase < queues_.size(); ++phase) admit_jobs_of(phase);
    new_jobs_.clear();
}

// Between two steps the rows of the next state are free: new starts are looked at there, a lane for each.
void LanePlayouts::admit_jobs_of(std::uint32_t phase) {
    Frame where = frame();
    where.state = next_.data();
    std::array<std::uint32_t, lane_count> candidates{};
    for (std::size_t next = 0; next < new_jobs_.size();) {
        std::uint32_t count = 0;
        for (; next < new_jobs_.size() && count < lane_count; ++next) {
            const Job& job = jobs_[new_jobs_[next]];
            if (job.phase != phase) continue;
            if (count == 0) kernels_.clear(next_.data(), next_.size(), all_lanes);
            for (const std::uint32_t fluent : job.held) insert(next_[fluent], count);
            candidates[count++] = new_jobs_[next];
        }
        if (count == 0) continue;
        game_->phases()[phase].look->run(where);
        const Row over = both(result_rows_[game_->rows().terminal], first_lanes(all_lanes, count));
        if (any(over) && game_->score() != nullptr) game_->score()->run(where);
        for (std::uint32_t lane = 0; lane < count; ++lane) {
            Job& job = jobs_[candidates[lane]];
            if (has(over, lane)) {
                const std::uint32_t games = std::exchange(job.waiting, 0);
                waiting_ -= games;
                account_lane(lane, candidates[lane], games, result_rows_.data());
            } else if (job.waiting > 0) {
                queues_[phase].push_back(candidates[lane]);
            } else {
                done_jobs_.push_back(candidates[lane]);
            }
        }
    }
}

void LanePlayouts::start_games() {
    auto& queue = queues_[phase_];
    if (queue.empty()) return;
    Row free = without(all_lanes, live_);
    std::uint32_t room = kernels_.count(free, free);
    if (room == 0) return;
    kernels_.clear(state_.data(), state_.size(), free);
    while (!queue.empty() && room > 0) {
        const std::uint32_t number = queue.front();
        Job& job = jobs_[number];
        const std::uint32_t count = std::min(job.waiting, room);
        const Row taken = first_lanes(free, count);
        room -= count;
        waiting_ -= count;
        job.waiting -= count;
        job.steps -= now_ * count;  // the end of each game adds its time
        if (job.waiting == 0) queue.pop_front();
        kernels_.insert(state_.data(), job.held.data(), job.held.size(), taken);
        for_each_lane(taken, [&](std::size_t lane) {
            birth_[lane] = static_cast<std::uint32_t>(now_);
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

// Results are counted when a lane ends its second game, for all lanes that have ended one by then: a few games end in
// every step, and to look at each step's few would take longer.
void LanePlayouts::end_games(const Row& lanes) {
    live_ = without(live_, lanes);
    if (any(both(lanes, ended_lanes_))) count_ended();
    if (samples_) samples_->end(lanes);
    kernels_.copy(game_->score() != nullptr ? state_.data() : result_rows_.data(), ended_.data(), kept_.data(),
                  kept_.size(), lanes);
    ended_lanes_ = either(ended_lanes_, lanes);
    if (by_rows_) return;
    for_each_lane(lanes, [&](std::size_t lane) {
        ended_job_[lane] = job_[lane];
        jobs_[job_[lane]].steps += now_;  // of which the start has taken away its own time
    });
}

void LanePlayouts::count_ended() {
    if (!any(ended_lanes_)) return;
    const Row* results = ended_.data();
    if (game_->score() != nullptr) {
        Frame where = frame();
        where.state = ended_.data();
        game_->score()->run(where);
        results = result_rows_.data();
    }
    account(ended_lanes_, results);
    ended_lanes_ = Row{};
}

void LanePlayouts::account(const Row& lanes, const Row* results) {
    if (samples_) samples_->score(lanes, results);
    const Row unclear = both(lanes, results[game_->rows().conflict]);
    Row clear = lanes;
    if (any(unclear)) {
        for_each_lane(unclear, [&](std::size_t lane) { account_lane(lane, ended_job_[lane], 1, results); });
        clear = without(lanes, unclear);
    }
    if (by_rows_) {
        account_rows(clear, results);
    } else {
        account_lanes(clear, results);
    }
}

// Pre of both: no role has several goal values in these lanes.
void LanePlayouts::account_rows(const Row& lanes, const Row* results) {
    end_games_of(0, kernels_.count(lanes, lanes));
    for (std::size_t i = 0; i < goal_counts_.size(); ++i) {
        goal_counts_[i] += kernels_.count(results[game_->rows().first_goal + i], lanes);
    }
}

void LanePlayouts::account_lanes(const Row& lanes, const Row* results) {
    const std::size_t roles = game_->program().roles.size();
    const auto& goals = game_->program().goals;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (goals[i].value == 0) continue;
        const std::size_t role = ground::index(goals[i].role);
        const auto value = static_cast<std::uint64_t>(goals[i].value);
        for_each_lane(both(results[game_->rows().first_goal + i], lanes),
                      [&](std::size_t lane) { goals_[ended_job_[lane] * roles + role] += value; });
    }
    for_each_lane(lanes, [&](std::size_t lane) { end_games_of(ended_job_[lane], 1); });
}

// Whatever the goals: of several values for one role none counts.
void LanePlayouts::account_lane(std::size_t lane, std::uint32_t job, std::uint32_t weight, const Row* results) {
    const auto& goals = game_->program().goals;
    for (std::size_t i = 0; i < goals.size();) {
        const ground::Role role = goals[i].role;
        std::size_t holding = 0;
        int value = 0;
        for (; i < goals.size() && goals[i].role == role; ++i) {
            if (!has(results[game_->rows().first_goal + i], lane)) continue;
            ++holding;
            value = goals[i].value;
        }
        if (holding != 1) continue;
        goals_[job * game_->program().roles.size() + ground::index(role)] += static_cast<std::uint64_t>(value) * weight;
    }
    end_games_of(job, weight);
}

void LanePlayouts::cut_games(const Row& lanes, std::uint32_t unmade_steps) {
    live_ = without(live_, lanes);
    if (samples_) samples_->drop(lanes);
    for_each_lane(lanes, [&](std::size_t lane) {
        Job& job = jobs_[job_[lane]];
        ++job.cut;
        job.stuck += unmade_steps;  // the step that could not be made
        if (!by_rows_) job.steps += now_ - unmade_steps;
        lane_steps_ -= unmade_steps;
        end_games_of(job_[lane], 1);
    });
}

void LanePlayouts::cut_long_games() {
    Row lanes;
    oldest_ = now_;
    for_each_lane(live_, [&](std::size_t lane) {
        if (age(lane) >= max_steps_) {
            insert(lanes, lane);
        } else {
            oldest_ = std::min(oldest_, now_ - age(lane));
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

void LanePlayouts::add_up_rows() {
    for_each_lane(live_, [&](std::size_t lane) { lane_steps_ -= age(lane); });
    jobs_[0].steps = lane_steps_;
    const auto& goals = game_->program().goals;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        goals_[ground::index(goals[i].role)] += goal_counts_[i] * static_cast<std::uint64_t>(goals[i].value);
    }
}

void LanePlayouts::write(const Job& job, std::uint32_t number, PlayoutResult& result) const {
    const std::size_t roles = game_->program().roles.size();
    const auto first = goals_.begin() + static_cast<std::ptrdiff_t>(number * roles);
    result.finished = job.count - job.left - job.cut;
    result.cut = job.cut;
    result.stuck = job.stuck;
    result.steps = job.steps;
    result.goals.assign(first, first + static_cast<std::ptrdiff_t>(roles));
}

void LanePlayouts::clear() {
    jobs_.clear();
    free_jobs_.clear();
    new_jobs_.clear();
    done_jobs_.clear();
    for (auto& queue : queues_) queue.clear();
    std::fill(goal_counts_.begin(), goal_counts_.end(), 0);
    if (samples_) samples_->abandon();
    live_ = Row{};
    ended_lanes_ = Row{};
    waiting_ = 0;
    lane_steps_ = 0;
    oldest_ = now_;
    done_count_ = 0;
    by_rows_ = false;
}

void LanePlayouts::play(std::span<const PlayoutRequest> requests, std::span<PlayoutResult> results, const Stop& stop) {
    STRATAGEM_EXPECTS(results.size() >= requests.size() && jobs_.size() == free_jobs_.size());
    clear();
    by_rows_ = requests.size() == 1;
    for (const PlayoutRequest& request : requests) open_job(0, *request.start, request.count);
    admit_jobs();
    for (std::uint32_t round = 1;; ++round) {
        if (!any(live_) && !next_phase()) break;
        start_games();
        step();
        look();
        if (round % looks_at_clock_every_ == 0 && stop.now()) break;
    }
    count_ended();
    for_each_lane(live_,
                  [&](std::size_t lane) { jobs_[job_[lane]].steps += now_ - age(lane); });  // stopped on their way
    if (by_rows_) add_up_rows();
    for (std::uint32_t i = 0; i < requests.size(); ++i) write(jobs_[i], i, results[i]);
    clear();
}

void LanePlayouts::add(std::uint32_t ticket, const State& start, std::uint32_t count) {
    open_job(ticket, start, count);
}

void LanePlayouts::advance(std::size_t waiting, const Stop& stop) {
    done_count_ = 0;
    const bool until_done = waiting_ <= waiting;
    admit_jobs();
    for (std::uint32_t round = 1;; ++round) {
        if (waiting_ <= waiting) {
            if (!until_done) break;
            count_ended();
            if (!done_jobs_.empty()) break;
        }
        if (!any(live_) && !next_phase()) break;
        start_games();
        step();
        look();
        if (round % looks_at_clock_every_ == 0 && stop.now()) break;
    }
    count_ended();
    for (const std::uint32_t number : done_jobs_) {
        Done& answer = next_done();
        answer.ticket = jobs_[number].ticket;
        write(jobs_[number], number, answer.result);
        free_jobs_.push_back(number);
    }
    done_jobs_.clear();
}

}  // namespace stratagem::machine::lanes
