#include "evaluate/feature/leaf_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "util/contract.h"

namespace stratagem::evaluate::feature {

namespace {

constexpr double unit = 0x1p40;  // of nearness, of which there is little for each way
constexpr std::uint32_t unreachable = 0xFFFFFFFFU;

// Nearer to one of the places is farther from another: in every goal that speaks of this one; or, where only the end or
// a goal that draws nobody does, in all of them together.
bool names_all_places(const analysis::ArgumentDistances& distances, const analysis::Family& family, Fluent leaf,
                      const Namings& namings) {
    const auto on_the_way = [&](Fluent other) { return distances.between(other, leaf).has_value(); };
    bool drawn = false;
    for (const Naming& naming : namings) {
        if (!naming.draws || !naming.fluents[ground::index(leaf)]) continue;
        drawn = true;
        const auto missing = [&](Fluent other) { return !naming.fluents[ground::index(other)] && on_the_way(other); };
        if (std::ranges::any_of(family.members, missing)) return false;
    }
    if (drawn) return true;
    return std::ranges::none_of(family.members, [&](Fluent other) {
        const auto has = [&](const Naming& naming) { return naming.fluents[ground::index(other)]; };
        return std::ranges::none_of(namings, has) && on_the_way(other);
    });
}

}  // namespace

LeafFeatures::LeafFeatures(const analysis::Findings& analysis, const analysis::ArgumentDistances* distances,
                           const FeatureSettings& settings, std::span<const Leaf> leaves, const Namings& namings,
                           const machine::Stop& stop)
    : settings_(settings),
      roles_(analysis.program()->roles.size()),
      leaf_of_(analysis.program()->fluents.size(), none),
      measure_(leaves.size(), Measure::none),
      longest_(leaves.size(), 1),
      always_(leaves.size(), 0),
      stays_(leaves.size(), false),
      gone_(leaves.size(), false),
      found_(analysis.program()->fluents.size()),
      blocks_(analysis.program()->fluents.size()) {
    for (const Leaf& leaf : leaves) {
        leaf_of_[ground::index(leaf.fluent)] = static_cast<std::uint32_t>(fluents_.size());
        fluents_.push_back(leaf.fluent);
    }
    if (settings.distances && distances != nullptr) find_distances(analysis, *distances, leaves, namings, stop);
    if (settings.persistence) find_persistence(analysis, stop);
    if (settings.admissible) find_paths(analysis, leaves, stop);
    finish();
}

// A.2.2: where a goal speaks of all there is on the way to a fluent, its distance says nothing; and who can go away
// from a fluent by himself need not fear being near.
bool LeafFeatures::excluded(const analysis::ArgumentDistances& distances, const analysis::Family& family,
                            const Leaf& leaf, const Namings& namings) {
    if (names_all_places(distances, family, leaf.fluent, namings)) {
        counts_.skip(Feature::fixed_distance, "a goal names all places");
        return true;
    }
    // It, or what may become it: nobody moves on from where the game ends.
    const auto moves_it = [&](machine::Role role) {
        return std::ranges::any_of(family.members, [&](Fluent other) {
            return distances.moved_by(other, role) &&
                   (other == leaf.fluent || distances.distance(other, leaf.fluent).has_value());
        });
    };
    const auto mover = std::ranges::find_if(leaf.avoided_by, moves_it);
    if (mover != leaf.avoided_by.end()) {
        if (settings_.mobility) {
            const std::uint32_t number = leaf_of_[ground::index(leaf.fluent)];
            movers_.push_back({number, *mover});
            measure_[number] = Measure::mobility;
            counts_.find(Feature::mobility);
        }
        counts_.skip(Feature::fixed_distance, "moved by who avoids it");
        return true;
    }
    return false;
}

// Families by how many of their fluents only the end speaks of, fewest first: an order without names.
std::vector<std::size_t> LeafFeatures::families_of_end(const analysis::Findings& analysis,
                                                       std::span<const Leaf> leaves) const {
    const std::vector<analysis::Family>& families = analysis.families();
    std::vector<std::pair<std::size_t, std::size_t>> counts(families.size());  // by family: of the end, of all
    std::vector<std::size_t> order;
    for (std::size_t f = 0; f < families.size(); ++f) {
        order.push_back(f);
        counts[f].second = families[f].members.size();
        for (const Fluent fluent : families[f].members) {
            const std::uint32_t leaf = leaf_of_[ground::index(fluent)];
            counts[f].first += leaf != none && !leaves[leaf].in_goals ? 1 : 0;
        }
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t f) { return counts[f]; });
    return order;
}

// All leaves of a family or none: which of them came first would be a matter of their numbers.
template <typename Add>
void LeafFeatures::add_of_end(const analysis::Family& family, std::span<const Leaf> leaves, Feature feature,
                              Add&& add) {
    const std::size_t before = way_count_;
    const auto too_spread = [&] {
        return static_cast<double>(way_count_) > settings_.most_spread * static_cast<double>(leaf_of_.size());
    };
    std::vector<bool> added(fluents_.size(), false);
    std::size_t count = 0;
    for (const Fluent fluent : family.members) {
        const std::uint32_t leaf = leaf_of_[ground::index(fluent)];
        if (leaf == none || leaves[leaf].in_goals || too_spread() || !add(leaf)) continue;
        added[leaf] = true;
        ++count;
    }
    if (count == 0 || !too_spread()) {
        for (; count > 0; --count) counts_.find(feature);
        return;
    }
    way_count_ = before;
    for (std::vector<Way>& ways : found_) std::erase_if(ways, [&](const Way& way) { return added[way.leaf]; });
    for (std::size_t leaf = 0; leaf < added.size(); ++leaf) {
        if (!added[leaf]) continue;
        measure_[leaf] = Measure::none;
        always_[leaf] = 0;
        counts_.skip(feature, "of the end alone");
    }
}

void LeafFeatures::find_distances(const analysis::Findings& analysis, const analysis::ArgumentDistances& distances,
                                  std::span<const Leaf> leaves, const Namings& namings, const machine::Stop& stop) {
    std::vector<std::uint32_t> from(leaf_of_.size() + 1, unreachable);
    const auto add = [&](std::size_t f, std::uint32_t leaf) {
        const analysis::Family& family = analysis.families()[f];
        if (excluded(distances, family, leaves[leaf], namings)) return false;
        if (stop.now()) {
            counts_.skip(Feature::fixed_distance, "no time");
            return false;
        }
        std::ranges::fill(from, unreachable);
        for (const Fluent other : family.members) {
            if (other == fluents_[leaf]) continue;
            from[ground::index(other)] = distances.distance(other, fluents_[leaf]).value_or(unreachable);
        }
        return add_ways(leaf, from, distances.longest(f), Measure::arguments);
    };
    for (std::size_t f = 0; f < analysis.families().size(); ++f) {
        if (!distances.measured(f)) continue;
        for (const Fluent fluent : analysis.families()[f].members) {
            const std::uint32_t leaf = leaf_of_[ground::index(fluent)];
            if (leaf != none && leaves[leaf].in_goals && add(f, leaf)) counts_.find(Feature::fixed_distance);
        }
    }
    for (const std::size_t f : families_of_end(analysis, leaves)) {
        if (!distances.measured(f)) continue;
        add_of_end(analysis.families()[f], leaves, Feature::fixed_distance,
                   [&](std::uint32_t leaf) { return add(f, leaf); });
    }
}

void LeafFeatures::find_persistence(const analysis::Findings& analysis, const machine::Stop& stop) {
    using analysis::Verdict;
    const analysis::Persistence& known = analysis.persistence();
    const auto stays = [&](Fluent fluent) {
        return ground::index(fluent) < known.stays.size() && known.stays[ground::index(fluent)] == Verdict::proved;
    };
    for (std::size_t leaf = 0; leaf < fluents_.size(); ++leaf) {
        const std::uint32_t number = ground::index(fluents_[leaf]);
        stays_[leaf] = stays(fluents_[leaf]);
        gone_[leaf] = number < known.gone.size() && known.gone[number] == Verdict::proved;
        if (stays_[leaf]) counts_.find(Feature::true_persistence);
        if (gone_[leaf]) counts_.find(Feature::false_persistence);
    }
    if (!known.complete) {
        counts_.skip(Feature::true_persistence, "of the proofs unfinished");
        counts_.skip(Feature::false_persistence, "of the proofs unfinished");
    }
    // What excludes something and stays, excludes it for good.
    for (const analysis::Group& group : analysis.groups()) {
        if (!group.at_most_one || group.verdict != Verdict::proved || stop.now()) continue;
        for (const Fluent holding : group.fluents) {
            if (!stays(holding)) continue;
            for (const Fluent other : group.fluents) {
                const std::uint32_t leaf = leaf_of_[ground::index(other)];
                if (other == holding || leaf == none || ++way_count_ > settings_.most_ways) continue;
                blocks_[ground::index(holding)].push_back(leaf);
                counts_.find(Feature::mutual_exclusion);
            }
        }
    }
}

void LeafFeatures::find_paths(const analysis::Findings& analysis, std::span<const Leaf> leaves,
                              const machine::Stop& stop) {
    if (analysis.graph() == nullptr) {
        counts_.skip(Feature::admissible_distance, "no fluent graph");
        return;
    }
    const auto add = [&](std::uint32_t leaf) {
        if (measure_[leaf] != Measure::none) return false;
        if (stop.now()) {
            counts_.skip(Feature::admissible_distance, "no time");
            return false;
        }
        const std::vector<std::uint16_t> table = analysis.graph()->distances_to(fluents_[leaf]);
        std::uint32_t longest = 0;
        std::vector<std::uint32_t> from;
        for (const std::uint16_t steps : table) {
            from.push_back(steps == analysis::FluentGraph::never ? unreachable : steps);
            if (steps != analysis::FluentGraph::never) longest = std::max<std::uint32_t>(longest, steps);
        }
        // Where everything that leads to it does so at once, a path says nothing but that there is one.
        if (longest == 0) {
            counts_.skip(Feature::admissible_distance, "of one step or none");
            return false;
        }
        return add_ways(leaf, from, longest, Measure::graph);
    };
    for (std::uint32_t leaf = 0; leaf < fluents_.size(); ++leaf) {
        if (leaves[leaf].in_goals && add(leaf)) counts_.find(Feature::admissible_distance);
    }
    for (const std::size_t f : families_of_end(analysis, leaves)) {
        add_of_end(analysis.families()[f], leaves, Feature::admissible_distance, add);
    }
}

bool LeafFeatures::add_ways(std::uint32_t leaf, std::span<const std::uint32_t> from, std::uint32_t longest,
                            Measure measure) {
    const auto leads = [](std::uint32_t steps) { return steps != unreachable && steps > 0; };
    const auto count = static_cast<std::size_t>(std::ranges::count_if(from, leads));
    if (count == 0 || way_count_ + count > settings_.most_ways) return false;
    way_count_ += count;
    longest_[leaf] = longest;
    measure_[leaf] = measure;
    for (std::size_t i = 0; i + 1 < from.size(); ++i) {
        if (leads(from[i])) found_[i].push_back({leaf, share(leaf, from[i])});
    }
    if (leads(from.back())) always_[leaf] = share(leaf, from.back());
    return true;
}

void LeafFeatures::finish() {
    std::ranges::sort(movers_, {}, &Mover::leaf);
    auto made = std::make_shared<Ways>();
    made->first.push_back(0);
    for (const std::vector<Way>& ways : found_) {
        made->all.insert(made->all.end(), ways.begin(), ways.end());
        made->first.push_back(static_cast<std::uint32_t>(made->all.size()));
    }
    ways_ = std::move(made);
    found_ = {};
}

void LeafFeatures::leave_out_ways(Memory& memory, const std::vector<bool>& used) const {
    constexpr std::size_t most = 500'000;  // copies of more take longer than they save
    if (ways_->all.size() > most) return;
    auto made = std::make_shared<Ways>();
    made->first.push_back(0);
    for (std::size_t from = 0; from + 1 < ways_->first.size(); ++from) {
        for (std::uint32_t w = ways_->first[from]; w < ways_->first[from + 1]; ++w) {
            if (used[ways_->all[w].leaf]) made->all.push_back(ways_->all[w]);
        }
        made->first.push_back(static_cast<std::uint32_t>(made->all.size()));
    }
    memory.ways = std::move(made);
}

std::int64_t LeafFeatures::share(std::uint32_t leaf, std::uint32_t steps) const {
    const double distance = steps / longest_[leaf];
    return static_cast<std::int64_t>(unit * std::min(std::pow(distance, -settings_.power), 0x1p16));
}

LeafFeatures::Memory LeafFeatures::make_memory() const {
    Memory memory;
    memory.freedom.assign(roles_, 0.5);
    memory.ways = ways_;
    memory.nearness = always_;
    memory.blocked.assign(fluents_.size(), 0);
    memory.changed.assign(fluents_.size(), 1);
    for (std::uint32_t i = 0; i < fluents_.size(); ++i) memory.open.push_back(i);
    return memory;
}

machine::Role LeafFeatures::mover(std::uint32_t leaf) const {
    return std::ranges::lower_bound(movers_, leaf, {}, &Mover::leaf)->role;
}

void LeafFeatures::set_freedom(machine::Role role, double freedom, Memory& memory) const {
    if (memory.freedom[ground::index(role)] == freedom) return;
    memory.freedom[ground::index(role)] = freedom;
    for (const Mover& one : movers_) {
        if (one.role != role || memory.changed[one.leaf] != 0) continue;
        memory.changed[one.leaf] = 1;
        memory.open.push_back(one.leaf);
    }
}

void LeafFeatures::flip(Fluent fluent, bool holds, Memory& memory) const {
    const std::uint32_t number = ground::index(fluent);
    const auto touch = [&](std::uint32_t leaf) {
        if (memory.changed[leaf] != 0) return;
        memory.changed[leaf] = 1;
        memory.open.push_back(leaf);
    };
    if (leaf_of_[number] != none) touch(leaf_of_[number]);
    for (std::uint32_t w = memory.ways->first[number]; w < memory.ways->first[number + 1]; ++w) {
        const Way& way = memory.ways->all[w];
        memory.nearness[way.leaf] += holds ? way.share : -way.share;
        touch(way.leaf);
    }
    for (const std::uint32_t leaf : blocks_[number]) {
        memory.blocked[leaf] += holds ? 1 : none;  // adding `none` takes one away
        touch(leaf);
    }
}

// 0: there is no way.
double LeafFeatures::distance(std::uint32_t leaf, const Memory& memory) const {
    if (memory.nearness[leaf] <= 0) return 0;
    const double nearness = static_cast<double>(memory.nearness[leaf]) / unit;
    return settings_.power == 2 ? 1 / std::sqrt(nearness) : std::pow(nearness, -1 / settings_.power);
}

Reference LeafFeatures::reference_of(Fluent fluent, const Reference& reference) const {
    if (!likelihood_) return reference;
    // The sign is the truth now, whatever is likely; and the nearer the end, the less will change.
    constexpr double least = 0.1;
    const double end = (reference.probably_true - settings_.probable) / (1 - settings_.probable);
    const auto sure = [&](double likely) {
        const double far = least + (1 - least) * likely;
        return far + (1 - far) * end;
    };
    return {-sure(1 - likelihood_->at_end(fluent, false)), sure(likelihood_->at_end(fluent, true))};
}

LeafFeatures::Judgement LeafFeatures::judge_as_it_is(Fluent fluent, bool holds, const Memory& memory,
                                                     const Reference& reference) const {
    const std::uint32_t leaf = leaf_of_[ground::index(fluent)];
    STRATAGEM_EXPECTS(leaf != none);
    if (holds && stays_[leaf]) return {1, true};
    if (!holds && (gone_[leaf] || memory.blocked[leaf] > 0)) return {-1, true};
    return {reference_of(fluent, reference).plain(holds), false};
}

LeafFeatures::Judgement LeafFeatures::judge(Fluent fluent, bool holds, const Memory& memory,
                                            const Reference& reference) const {
    const std::uint32_t leaf = leaf_of_[ground::index(fluent)];
    const Judgement plain = judge_as_it_is(fluent, holds, memory, reference);
    if (holds || plain.certain || measure_[leaf] == Measure::none) return plain;
    // Who is forced to little may avoid it for long.
    if (measure_[leaf] == Measure::mobility) {
        const double freedom = memory.freedom[ground::index(mover(leaf))];
        return {reference_of(fluent, reference).by_distance(freedom, settings_.sound), false};
    }
    const double far = distance(leaf, memory);
    // No way at all: for good, where the graph says so. Distances of arguments are no proof.
    if (far == 0) return measure_[leaf] == Measure::graph ? Judgement{-1, true} : plain;
    return {reference_of(fluent, reference).by_distance(far, settings_.sound), false};
}

std::string LeafFeatures::say(Fluent fluent, bool holds, const Memory& memory) const {
    const std::uint32_t leaf = leaf_of_[ground::index(fluent)];
    if (leaf == none) return {};
    if (holds) return stays_[leaf] ? "stays" : "";
    if (gone_[leaf]) return "gone for good";
    if (memory.blocked[leaf] > 0) return "excluded for good";
    if (measure_[leaf] == Measure::none) return {};
    if (measure_[leaf] == Measure::mobility) return "to be avoided";
    const double far = distance(leaf, memory);
    if (far == 0) return "out of reach";
    return fmt::format("{:.2g} {} away", far * longest_[leaf], measure_[leaf] == Measure::graph ? "steps" : "places");
}

}  // namespace stratagem::evaluate::feature
