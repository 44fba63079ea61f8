// States met in random play, and what was seen of each: the ground on which hypotheses are made or refuted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/neutral_order.h"
#include "machine/game.h"
#include "machine/stop.h"

namespace stratagem::analysis {

using ground::Fluent;
using ground::Move;
using ground::Role;
using machine::State;

// A set of samples: one bit for each.
class SampleSet {
  public:
    explicit SampleSet(std::size_t size = 0) : words_((size + 63) / 64, 0) {}

    void insert(std::size_t sample) { words_[sample / 64] |= std::uint64_t{1} << (sample % 64); }
    // Room for 64 more samples, of which these are in the set.
    void append(std::uint64_t word) { words_.push_back(word); }
    bool has(std::size_t sample) const { return (words_[sample / 64] >> (sample % 64) & 1U) != 0; }
    bool empty() const;
    std::size_t count() const;
    bool meets(const SampleSet& other) const;
    bool contains(const SampleSet& other) const;
    void add(const SampleSet& other);
    bool operator==(const SampleSet&) const = default;

  private:
    std::vector<std::uint64_t> words_;
};

struct Sample {
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    State state;
    std::uint32_t previous = none;  // the sample this one followed
    bool terminal = false;
    std::vector<std::optional<int>> goals;  // by role, where terminal
    std::vector<std::uint32_t> legal;       // by role: number of moves, where not
};

struct SampleLimits {
    std::size_t states = 4000;
    std::size_t game_length = 1000;  // longer games are left
    std::size_t bits = 400'000'000;  // states times fluents: in games of very many fluents, fewer states
    machine::Stop stop;
    std::uint64_t seed = 1;
};

class Samples {
  public:
    // Random games from the initial state, which is the first sample. At least that one is taken. The games are the
    // same whatever the names, as far as the neutral order goes.
    Samples(const machine::Game& game, std::size_t fluents, const SampleLimits& limits);

    std::span<const Sample> all() const { return samples_; }
    std::size_t size() const { return samples_.size(); }
    std::size_t games() const { return games_; }
    // As many as were wanted, or all there can be; false: time was up.
    bool complete() const { return complete_; }
    // Where the fluent held.
    const SampleSet& holding(Fluent fluent) const { return holding_[ground::index(fluent)]; }
    const SampleSet& everywhere() const { return everywhere_; }
    // What moves were drawn by; null without ground rules.
    const std::shared_ptr<const NeutralOrder>& order() const { return order_; }

  private:
    // Takes note of where fluents held in the samples since the last time. Pre: that is a whole word, or the end.
    void note();

    std::shared_ptr<const NeutralOrder> order_;
    std::vector<Sample> samples_;
    std::vector<SampleSet> holding_;
    SampleSet everywhere_;
    std::size_t noted_ = 0;             // samples
    std::vector<std::uint64_t> block_;  // by fluent: work space of note()
    std::size_t games_ = 0;
    bool complete_ = false;
};

}  // namespace stratagem::analysis
