#include "analysis/samples.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "machine/random.h"

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

class Sampler {
  public:
    Sampler(machine::Machine& machine, const SampleLimits& limits)
        : machine_(machine), limits_(limits), random_(limits.seed) {}

    // One game from the start; false when there is no use in another. `seen` is called after each new sample.
    template <typename Seen>
    bool play(std::vector<Sample>& samples, Seen&& seen) {
        std::uint32_t previous = Sample::none;
        State state = machine_.initial();
        for (std::size_t step = 0; step < limits_.game_length; ++step) {
            // The initial state is the same every time.
            if (step == 0 && !samples.empty()) {
                previous = 0;
            } else {
                samples.push_back(look(state));
                samples.back().previous = previous;
                previous = static_cast<std::uint32_t>(samples.size() - 1);
                seen();
            }
            if (samples.size() >= limits_.states || limits_.stop.now()) return false;
            if (machine_.terminal(state) || !choose(state)) return step > 0;
            machine_.next(state, joint_, next_);
            std::swap(state, next_);
        }
        return true;
    }

  private:
    Sample look(const State& state) {
        Sample sample;
        sample.state = state;
        sample.terminal = machine_.terminal(state);
        for (std::uint32_t role = 0; role < machine_.role_count(); ++role) {
            if (sample.terminal) {
                sample.goals.push_back(machine_.goal(state, Role{role}));
            } else {
                machine_.legal(state, Role{role}, legal_);
                sample.legal.push_back(static_cast<std::uint32_t>(legal_.size()));
            }
        }
        return sample;
    }
    bool choose(const State& state) {
        joint_.clear();
        for (std::uint32_t role = 0; role < machine_.role_count(); ++role) {
            machine_.legal(state, Role{role}, legal_);
            if (legal_.empty()) return false;
            joint_.push_back(legal_[random_.below(static_cast<std::uint32_t>(legal_.size()))]);
        }
        return true;
    }

    machine::Machine& machine_;
    const SampleLimits& limits_;
    machine::Random random_;
    State next_;
    std::vector<Move> legal_, joint_;
};

}  // namespace

Samples::Samples(const machine::Game& game, std::size_t fluents, const SampleLimits& limits)
    : holding_(fluents), block_(fluents, 0) {
    SampleLimits affordable = limits;
    affordable.states = std::min(limits.states, std::max<std::size_t>(word_bits, limits.bits / (fluents + 1)));
    const auto machine = game.make();
    Sampler sampler(*machine, affordable);
    bool more = true;
    while (more) {
        // A word at a time, while the clock runs: noting it all at the end would take as long as playing.
        more = sampler.play(samples_, [this] {
            if (samples_.size() % word_bits == 0) note();
        });
        ++games_;
    }
    note();
    block_ = {};
}

void Samples::note() {
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
