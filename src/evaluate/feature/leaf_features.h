// What a fluent that goals speak of is worth beyond being true or false: how far it is from holding, and whether it
// will stay as it is (thesis, sections 4.3 to 4.5).
//
// In this order, as far as the time goes: distances along ordered arguments ("fixed distance"), what stays or is gone
// for good, then, where there was no such distance, paths in the fluent graph ("admissible distance").
//
// Several fluents may lead to one. Their distances d combine to (sum of d^-p)^(-1/p): the nearest counts most, and
// every further one brings it nearer. As with networks, sums are whole numbers: following the game gives the same as
// starting anew.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/argument_distances.h"
#include "evaluate/feature/feature_counts.h"
#include "evaluate/feature/likelihood.h"
#include "evaluate/feature/reference.h"
#include "machine/stop.h"

namespace stratagem::evaluate::feature {

using ground::Fluent;

struct FeatureSettings {
    // Of leaves.
    bool distances = false;
    bool persistence = false;
    bool admissible = false;
    bool mobility = false;  // moves can be counted: what is avoided by who moves it is judged by them
    // Of conditions: numbers that are compared, alternatives that are alike, things that are to meet.
    bool orders = false;
    bool chains = false;  // with orders: numbers counted step by step, where a step fails
    bool solutions = false;
    bool partial = false;
    bool variable = false;

    bool sound = true;      // see Reference::by_distance
    double power = 2;       // p of combined distances
    double probable = 0.5;  // t_p far from the end
    bool likely = false;    // what may change by how often it did, in random games
    std::size_t most_ways = 4'000'000;
    // What only the end speaks of has distances, family by family, while there are no more ways than this from a
    // fluent, on the mean: with each of them a move costs more, and the end says less than the goals.
    double most_spread = 16;

    bool any_of_leaves() const { return distances || persistence || admissible; }
    bool any_of_conditions() const { return orders || solutions || partial || variable; }
};

// A fluent that goals or the end speak of.
struct Leaf {
    Fluent fluent{};
    // Roles that win only if it does not hold: that it is far away is no merit if they move it themselves (A.2.2).
    std::vector<machine::Role> avoided_by;
    bool in_goals = true;  // else only the end speaks of it
};

// What a condition speaks of: of all it asks for, or of all it asks not to be.
struct Naming {
    bool draws = true;  // somebody to it or away from it; else the end, or a goal of the standard value
    std::vector<bool> fluents;
};
using Namings = std::vector<Naming>;

class LeafFeatures {
  public:
    // From a fluent to a leaf.
    struct Way {
        std::uint32_t leaf = 0;
        std::int64_t share = 0;  // of nearness
    };
    struct Ways {
        std::vector<std::uint32_t> first;  // by fluent, and one more
        std::vector<Way> all;
    };
    // What is known of the state, for one thread.
    struct Memory {
        std::shared_ptr<const Ways> ways;
        std::vector<std::int64_t> nearness;  // by leaf: sum of d^-p, in units
        std::vector<double> freedom;         // by role: how little it is forced, in [0, 1]
        std::vector<std::uint32_t> blocked;  // by leaf: fluents that hold, stay, and exclude it
        std::vector<std::uint8_t> changed;   // by leaf
        std::vector<std::uint32_t> open;     // leaves that changed
    };
    struct Judgement {
        double value = 0;
        bool certain = false;
    };

    // Leaves ascending by fluent. Neither the analysis nor distances, which may be null, are needed afterwards.
    LeafFeatures(const analysis::Findings& analysis, const analysis::ArgumentDistances* distances,
                 const FeatureSettings& settings, std::span<const Leaf> leaves, const Namings& namings,
                 const machine::Stop& stop);

    // From now on what may change is worth what it was at the end of random games.
    void set_likelihood(std::shared_ptr<const Likelihood> likelihood) { likelihood_ = std::move(likelihood); }

    Memory make_memory() const;
    // The role is forced so little. Needed where a feature wants_mobility().
    void set_freedom(machine::Role role, double freedom, Memory& memory) const;
    bool wants_mobility() const { return !movers_.empty(); }
    // The fluent now holds, or no longer.
    void flip(Fluent fluent, bool holds, Memory& memory) const;
    // Calls use(fluent) for each leaf whose judgement may have changed since; flips of leaves themselves included.
    template <typename Use>
    void for_each_change(Memory& memory, Use&& use) const {
        for (const std::uint32_t leaf : memory.open) {
            memory.changed[leaf] = 0;
            use(fluents_[leaf]);
        }
        memory.open.clear();
    }
    // From now on nobody asks how far away leaves are that counts(fluent) is false of.
    template <typename Counts>
    void prune(Memory& memory, Counts&& counts) const {
        std::vector<bool> used;
        for (const Fluent fluent : fluents_) used.push_back(counts(fluent));
        leave_out_ways(memory, used);
    }
    // Pre: the fluent is a leaf. By what stays as it is alone, without distances, and by both.
    Judgement judge_as_it_is(Fluent fluent, bool holds, const Memory& memory, const Reference& reference) const;
    Judgement judge(Fluent fluent, bool holds, const Memory& memory, const Reference& reference) const;
    // In words, for people; empty where there is nothing to say.
    std::string say(Fluent fluent, bool holds, const Memory& memory) const;

    const FeatureSettings& settings() const { return settings_; }
    const FeatureCounts& counts() const { return counts_; }

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    enum class Measure : std::uint8_t { none, arguments, graph, mobility };

    void find_distances(const analysis::Findings& analysis, const analysis::ArgumentDistances& distances,
                        std::span<const Leaf> leaves, const Namings& namings, const machine::Stop& stop);
    bool excluded(const analysis::ArgumentDistances& distances, const analysis::Family& family, const Leaf& leaf,
                  const Namings& namings);
    void find_persistence(const analysis::Findings& analysis, const machine::Stop& stop);
    void find_paths(const analysis::Findings& analysis, std::span<const Leaf> leaves, const machine::Stop& stop);
    std::vector<std::size_t> families_of_end(const analysis::Findings& analysis, std::span<const Leaf> leaves) const;
    template <typename Add>
    void add_of_end(const analysis::Family& family, std::span<const Leaf> leaves, Feature feature, Add&& add);
    // `from` by fluent, and one more: for what holds in every state.
    bool add_ways(std::uint32_t leaf, std::span<const std::uint32_t> from, std::uint32_t longest, Measure measure);
    void finish();
    void leave_out_ways(Memory& memory, const std::vector<bool>& used) const;
    std::int64_t share(std::uint32_t leaf, std::uint32_t steps) const;
    double distance(std::uint32_t leaf, const Memory& memory) const;
    machine::Role mover(std::uint32_t leaf) const;
    // f_p and t_p of one fluent.
    Reference reference_of(Fluent fluent, const Reference& reference) const;

    FeatureSettings settings_;
    FeatureCounts counts_;
    std::size_t roles_ = 0;
    std::vector<Fluent> fluents_;         // by leaf
    std::vector<std::uint32_t> leaf_of_;  // by fluent
    std::vector<Measure> measure_;        // by leaf
    struct Mover {
        std::uint32_t leaf = 0;
        machine::Role role{};
    };
    std::vector<Mover> movers_;                       // of leaves judged by mobility, ascending
    std::vector<double> longest_;                     // by leaf: what steps are divided by
    std::vector<std::int64_t> always_;                // by leaf: nearness in every state
    std::vector<bool> stays_, gone_;                  // by leaf: once true, once false
    std::vector<std::vector<Way>> found_;             // by fluent, while they are being found
    std::vector<std::vector<std::uint32_t>> blocks_;  // by fluent: leaves it excludes for good
    std::shared_ptr<const Ways> ways_;
    std::size_t way_count_ = 0;
    std::shared_ptr<const Likelihood> likelihood_;  // null: one constant for all
};

}  // namespace stratagem::evaluate::feature
