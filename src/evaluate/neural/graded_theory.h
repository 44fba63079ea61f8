// A domain theory with its network, and the values of one state after another.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "evaluate/least_model.h"
#include "evaluate/neural/transform.h"

namespace stratagem::evaluate::neural {

struct TransformationSettings {
    enum class Kind : std::uint8_t { cilp, local, soft };

    Kind kind = Kind::soft;
    double difference = 1;  // of the local transformation
    SoftSettings soft;
    Limits leaves;      // what leaves may be
    bool sound = true;  // else of the local transformation: comparisons count as true or false, too
};

// What features its conditions have.
using FindNodeFeatures = std::function<NodeFeatures(const DomainTheory&)>;

class GradedTheory {
  public:
    // For one thread.
    struct Memory {
        Network::Values values;
        LeastModel::Memory recursion;
        bool recursion_changed = true;
        bool fresh = true;
    };

    GradedTheory(const analysis::RuleIndex& index, const DomainTheory::Settings& settings,
                 const TransformationSettings& transformation, const machine::Stop& stop,
                 const FindNodeFeatures& find = {});

    const DomainTheory& theory() const { return theory_; }
    const Network& network() const { return network_; }
    Network& network() { return network_; }
    const feature::FeatureCounts& feature_counts() const { return features_.counts(); }
    const LeastModel& recursion() const { return recursion_; }
    bool has_leaf(Fluent fluent) const { return leaf_of_[ground::index(fluent)] != none; }

    Memory make_memory() const;
    // The fluent now holds, or no longer: whether relations that depend on themselves have to be settled anew.
    void flip(Fluent fluent, Memory& memory) const {
        memory.recursion_changed = memory.recursion_changed || watched_[ground::index(fluent)];
    }
    // Nothing happens where the fluent is no leaf.
    void set_leaf(Fluent fluent, double value, bool certain, Memory& memory) const;
    // Works out what changed. `plain`: of other leaves that are true; the others are its opposite.
    void settle(const machine::State& state, double plain, Memory& memory) const;

    // Only states that come after the one that was settled last are settled from now on.
    void prune(Memory& memory) const;
    // What the fluent is worth may still change, and make a difference.
    bool counts(Fluent fluent, const Memory& memory) const {
        const std::uint32_t leaf = leaf_of_[ground::index(fluent)];
        if (leaf == none || memory.values.certain[leaf] != 0) return false;
        return asked_[leaf] || memory.values.upwards->leads_anywhere(leaf);
    }

    double answer(const Memory& memory, Code of) const { return network_.answer(memory.values, of); }

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    Network transformed(const TransformationSettings& settings, const machine::Stop& stop) const;
    std::vector<Atom> find_leaves(std::size_t fluents);
    void count_at_first(const ground::Program& program);
    std::vector<Code> roots() const;

    DomainTheory theory_;
    NodeFeatures features_;
    Network network_;
    std::vector<std::uint32_t> leaf_of_;         // by fluent: its neuron, or none
    std::vector<std::uint32_t> recursive_leaf_;  // by place in recursion_
    LeastModel recursion_;
    std::vector<bool> asked_;    // by node: a goal, or the end
    std::vector<bool> watched_;  // by fluent: recursion_ depends on it
};

}  // namespace stratagem::evaluate::neural
