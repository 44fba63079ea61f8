#include "analysis/samples.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "machine/playout.h"
#include "util/contract.h"

namespace stratagem::analysis {

namespace {

constexpr std::size_t word_bits = 64;

}  // namespace

bool SampleSet::empty() const {
    return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
}

std::size_t SampleSet::count() const {
    std::size_t sum = 0;
    for (const std::uint64_t word : words_) sum += static_cast<std::size_t>(std::popcount(word));
    return sum;
}

bool SampleSet::meets(const SampleSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if ((words_[i] & other.words_[i]) != 0) return true;
    }
    return false;
}

bool SampleSet::contains(const SampleSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if ((other.words_[i] & ~words_[i]) != 0) return false;
    }
    return true;
}

void SampleSet::add(const SampleSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
}

namespace {

// Keeps every state but the initial one of later games, which is the same every time.
class Sampler : public machine::PlayVisitor {
  public:
    // `seen` is called after each new sample.
    Sampler(std::vector<Sample>& samples, const SampleLimits& limits, std::function<void()> seen)
        : samples_(samples), limits_(limits), seen_(std::move(seen)) {}

    // No use in another game: there are enough samples, time is up, or all games are over before they begin.
    bool done() const { return done_; }

    bool on_state(machine::MachinePosition& position, std::size_t step) {
        if (step >= limits_.game_length) return false;
        keep(position, step, false);
        return !done_;
    }
    void on_end(machine::MachinePosition& position, machine::PlayoutEnd end, std::size_t steps) {
        if (end == machine::PlayoutEnd::terminal && steps < limits_.game_length) keep(position, steps, true);
        const bool over = end == machine::PlayoutEnd::terminal || end == machine::PlayoutEnd::no_legal_move;
        done_ = done_ || (over && steps == 0);
    }

  private:
    void keep(machine::MachinePosition& position, std::size_t step, bool terminal) {
        if (step == 0) previous_ = Sample::none;
        if (step > 0 || samples_.empty()) {
            samples_.push_back(look(position, terminal));
            samples_.back().previous = previous_;
            previous_ = static_cast<std::uint32_t>(samples_.size() - 1);
            seen_();
        } else {
            previous_ = 0;
        }
        done_ = samples_.size() >= limits_.states || limits_.stop.now();
    }
    static Sample look(machine::MachinePosition& position, bool terminal) {
        Sample sample;
        sample.state = position.current();
        sample.terminal = terminal;
        for (std::uint32_t role = 0; role < position.role_count(); ++role) {
            if (terminal) {
                sample.goals.push_back(position.goal(Role{role}));
            } else {
                sample.legal.push_back(static_cast<std::uint32_t>(position.legal(Role{role}).size()));
            }
        }
        return sample;
    }

    std::vector<Sample>& samples_;
    const SampleLimits& limits_;
    std::function<void()> seen_;
    std::uint32_t previous_ = Sample::none;
    bool done_ = false;
};

}  // namespace

Samples::Samples(const machine::Game& game, std::size_t fluents, const SampleLimits& limits)
    : holding_(fluents), block_(fluents, 0) {
    SampleLimits affordable = limits;
    affordable.states = std::min(limits.states, std::max<std::size_t>(word_bits, limits.bits / (fluents + 1)));
    if (const auto program = game.program()) order_ = std::make_shared<const NeutralOrder>(*program, limits.stop);
    const auto machine = game.make();
    machine::MachinePosition position(*machine);
    NeutralPosition neutral(position, order_.get());
    machine::Random random(limits.seed);
    machine::RandomJoint joint;
    std::size_t steps = 0;
    // A word at a time, while the clock runs: noting it all at the end would take as long as playing.
    Sampler sampler(samples_, affordable, [this] {
        if (samples_.size() % word_bits == 0) note();
    });
    // The sampler ends it: at least the initial state is looked at, however short the time.
    for (; !sampler.done(); ++games_) {
        position.go_to(machine->initial());
        machine::play_randomly(neutral, random, {}, joint, steps, sampler);
    }
    complete_ = !limits.stop.now();
    note();
    block_ = {};
}

void Samples::note() {
    STRATAGEM_EXPECTS(noted_ % 64 == 0 && samples_.size() - noted_ <= 64);
    if (noted_ == samples_.size()) return;
    std::uint64_t all = 0;
    for (std::size_t i = noted_; i < samples_.size(); ++i) {
        const std::uint64_t bit = std::uint64_t{1} << (i - noted_);
        all |= bit;
        samples_[i].state.for_each([&](Fluent fluent) { block_[ground::index(fluent)] |= bit; });
    }
    everywhere_.append(all);
    for (std::size_t i = 0; i < holding_.size(); ++i) holding_[i].append(std::exchange(block_[i], 0));
    noted_ = samples_.size();
}

}  // namespace stratagem::analysis
