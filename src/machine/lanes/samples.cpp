#include "machine/lanes/samples.h"

#include <algorithm>

#include "util/contract.h"

namespace stratagem::machine::lanes {

Samples::Samples(const LaneGame& game, const Kernels& kernels) : game_(game), kernels_(kernels) {
    STRATAGEM_EXPECTS(std::ranges::all_of(game.phases(),
                                          [](const LaneGame::Phase& phase) { return phase.step_observed != nullptr; }));
    make_weights();
    choose_period();
}

// Goal values are 0 to 100, so seven bits say them all; where a role has fewer values, each is a row of its own.
void Samples::make_weights() {
    constexpr std::uint32_t bits = 7;
    const auto& goals = game_.program().goals;
    for (std::uint32_t begin = 0; begin < goals.size();) {
        std::uint32_t end = begin;
        std::uint32_t worthy = 0;
        for (; end < goals.size() && goals[end].role == goals[begin].role; ++end)
            worthy += goals[end].value > 0 ? 1 : 0;
        const std::uint32_t role = ground::index(goals[begin].role);
        if (worthy <= bits) {
            for (std::uint32_t i = begin; i < end; ++i) {
                if (goals[i].value > 0) weights_.push_back({role, static_cast<std::uint64_t>(goals[i].value), {i}});
            }
        } else {
            for (std::uint32_t bit = 0; bit < bits; ++bit) {
                Weight weight{role, std::uint64_t{1} << bit, {}};
                for (std::uint32_t i = begin; i < end; ++i) {
                    if ((goals[i].value >> bit & 1) != 0) weight.goals.push_back(i);
                }
                weights_.push_back(std::move(weight));
            }
        }
        begin = end;
    }
}

void Samples::choose_period() {
    constexpr double part = 0.07;     // of the time, by this count of instructions
    constexpr double per_count = 24;  // of one row with one weight
    constexpr double per_copy = 6;    // of one row
    const auto fluents = static_cast<double>(game_.program().fluents.size());
    const auto moves = static_cast<double>(game_.program().moves.size());
    const auto weights = static_cast<double>(weights_.size());
    const auto roles = static_cast<double>(std::max<std::size_t>(1, game_.program().roles.size()));
    const double cost =
        fluents * (per_copy + per_count * (1 + weights)) + moves * (per_copy + per_count * (1 + weights / roles));
    period_ = static_cast<std::uint32_t>(std::max(1.0, cost / (part * (game_.instructions() + 256))));
    // With a period of steps that phases divide, some phases would never be seen.
    if (period_ > 1) period_ |= 1U;
}

void Samples::collect(PlayoutStatistics* statistics) {
    abandon();
    statistics_ = statistics;
    if (statistics == nullptr) return;
    const ground::Program& program = game_.program();
    statistics->move_count.resize(program.moves.size(), 0);
    statistics->move_goals.resize(program.moves.size(), 0);
    statistics->fluent_count.resize(program.fluents.size(), 0);
    statistics->fluent_goals.resize(program.fluents.size() * program.roles.size(), 0);
}

Row* Samples::take(const Row* state, const Row& live) {
    since_ = 0;
    if (unused_.empty()) {
        auto made = std::make_unique<Snapshot>();
        made->state.resize(game_.program().fluents.size());
        made->results.resize(game_.rows().count);
        made->goals.resize(weights_.size());
        unused_.push_back(std::move(made));
    }
    open_.push_back(std::move(unused_.back()));
    unused_.pop_back();
    Snapshot& snapshot = *open_.back();
    std::copy_n(state, snapshot.state.size(), snapshot.state.begin());
    std::fill(snapshot.goals.begin(), snapshot.goals.end(), Row{});
    snapshot.playing = live;
    snapshot.ended = snapshot.counted = Row{};
    return snapshot.results.data();
}

void Samples::end(const Row& lanes) {
    for (const auto& snapshot : open_) {
        const Row now = both(snapshot->playing, lanes);
        snapshot->playing = without(snapshot->playing, now);
        snapshot->ended = either(snapshot->ended, now);
    }
}

void Samples::score(const Row& lanes, const Row* results) {
    for (const auto& snapshot : open_) {
        const Row now = both(snapshot->ended, lanes);
        if (!any(now)) continue;
        const Row clear = without(now, results[game_.rows().conflict]);  // several goal values count as none
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            for (const std::uint32_t goal : weights_[i].goals) {
                snapshot->goals[i] = either(snapshot->goals[i], both(clear, results[game_.rows().first_goal + goal]));
            }
        }
        snapshot->ended = without(snapshot->ended, now);
        snapshot->counted = either(snapshot->counted, now);
    }
    count_done();
}

void Samples::drop(const Row& lanes) {
    for (const auto& snapshot : open_) snapshot->playing = without(snapshot->playing, lanes);
    count_done();
}

void Samples::count_done() {
    for (std::size_t i = 0; i < open_.size();) {
        if (any(open_[i]->playing) || any(open_[i]->ended)) {
            ++i;
            continue;
        }
        count(*open_[i]);
        unused_.push_back(std::move(open_[i]));
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void Samples::count(Snapshot& snapshot) {
    const ground::Program& program = game_.program();
    const std::size_t roles = program.roles.size();
    PlayoutStatistics& sum = *statistics_;
    sum.samples += kernels_.count(snapshot.counted, snapshot.counted);
    for (std::size_t f = 0; f < program.fluents.size(); ++f) {
        const std::uint32_t held = kernels_.count(snapshot.state[f], snapshot.counted);
        if (held == 0) continue;
        sum.fluent_count[f] += held;
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            sum.fluent_goals[f * roles + weights_[i].role] +=
                weights_[i].worth * kernels_.count(snapshot.state[f], snapshot.goals[i]);
        }
    }
    for (std::size_t m = 0; m < program.moves.size(); ++m) {
        const Row& made = snapshot.results[game_.rows().first_made + m];
        const std::uint32_t times = kernels_.count(made, snapshot.counted);
        if (times == 0) continue;
        sum.move_count[m] += times;
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            if (weights_[i].role != ground::index(program.moves[m].role)) continue;
            sum.move_goals[m] += weights_[i].worth * kernels_.count(made, snapshot.goals[i]);
        }
    }
}

void Samples::abandon() {
    for (auto& snapshot : open_) unused_.push_back(std::move(snapshot));
    open_.clear();
}

}  // namespace stratagem::machine::lanes
