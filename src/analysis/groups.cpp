#include "analysis/groups.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <optional>

#include "util/contract.h"

namespace stratagem::analysis {

namespace {

constexpr std::size_t most_single = 64;      // members of a family that are tried one by one in mixed groups
constexpr std::size_t most_parts = 12;       // of a mixed group
constexpr std::size_t most_steps = 400'000;  // in looking for mixed groups
constexpr std::uint32_t most_arguments = 6;  // families with more have only their simplest groups tried

// Nothing where two of the fluents were seen together.
struct Seen {
    bool together = false;
    SampleSet where;
};

Seen see(std::span<const Fluent> fluents, const Samples& samples) {
    Seen seen{false, SampleSet(samples.size())};
    for (const Fluent fluent : fluents) {
        if (seen.where.meets(samples.holding(fluent))) return {true, SampleSet(0)};
        seen.where.add(samples.holding(fluent));
    }
    return seen;
}

// Sets of output arguments, the larger ones first: a group of them says more.
std::vector<std::uint32_t> output_sets(std::uint32_t arity) {
    std::vector<std::uint32_t> sets;
    const std::uint32_t all = (1U << std::min(arity, 31U)) - 1;
    if (arity <= most_arguments) {
        for (std::uint32_t set = 1; set <= all; ++set) sets.push_back(set);
    } else {
        for (std::uint32_t argument = 0; argument < std::min(arity, 31U); ++argument) {
            sets.push_back(1U << argument);
            sets.push_back(all & ~(1U << argument));
        }
        sets.push_back(all);
    }
    std::ranges::stable_sort(sets, std::greater<>(), [](std::uint32_t set) { return std::popcount(set); });
    return sets;
}

class Finder {
  public:
    Finder(const ground::Program& program, std::span<const Family> families, const Samples& samples,
           const machine::Stop& stop)
        : program_(program), families_(families), samples_(samples), stop_(stop), groups_of_(program.fluents.size()) {}

    void add_family(std::uint32_t number, std::uint32_t outputs) {
        std::map<std::vector<gdl::Term>, std::vector<Fluent>> parts;
        for (const Fluent fluent : families_[number].members) {
            if (out_of_time()) return;
            parts[inputs_of(fluent, outputs)].push_back(fluent);
        }
        for (auto& [inputs, fluents] : parts) {
            if (out_of_time()) return;
            consider(number, outputs, std::move(fluents));
        }
    }

    // Fluents of any families that are never seen together and of which there is always one: a piece is in the box, in
    // the hand or on the board. Parts are groups found so far and single fluents; a set of parts is looked for in which
    // one begins where the other ends.
    void add_mixed() {
        std::vector<Part> parts = make_parts();
        std::ranges::stable_sort(parts, std::greater<>(), [](const Part& part) { return part.count; });
        std::size_t steps = 0;
        for (std::size_t first = 0; first < parts.size() && steps < most_steps && !stop_.now(); ++first) {
            for (const bool same_value : {true, false}) {
                if (same_value && !parts[first].value) continue;
                steps += complete(parts, first, same_value);
            }
        }
    }

    std::vector<Group> take() { return std::move(groups_); }

  private:
    bool out_of_time() {
        constexpr std::uint32_t between_looks = 256;
        return looks_++ % between_looks == 0 && stop_.now();
    }

    // Fluents never seen together.
    struct Part {
        std::vector<Fluent> fluents;
        SampleSet where;
        std::size_t count = 0;
        std::optional<gdl::Term> value;  // the only input, or the argument of a single fluent
    };

    std::vector<Part> make_parts() {
        std::vector<Part> parts;
        const auto add = [&](std::vector<Fluent> fluents, std::optional<gdl::Term> value) {
            Seen seen = see(fluents, samples_);
            const std::size_t count = seen.where.count();
            if (count == 0 || count == samples_.size()) return;
            parts.push_back({std::move(fluents), std::move(seen.where), count, value});
        };
        for (const Group& group : groups_) {
            if (out_of_time()) return {};
            if (group.at_least_one) continue;
            const std::vector<gdl::Term> inputs = inputs_of(group.fluents.front(), group.outputs);
            add(group.fluents, inputs.size() == 1 ? std::optional(inputs[0]) : std::nullopt);
        }
        for (const Family& family : families_) {
            if (family.arity > 1 || family.members.size() > most_single) continue;
            for (const Fluent fluent : family.members) {
                const std::vector<gdl::Term> inputs = inputs_of(fluent, 0);
                add({fluent}, inputs.size() == 1 ? std::optional(inputs[0]) : std::nullopt);
            }
        }
        return parts;
    }

    // Adds parts to one of them, greedily, as long as they do not meet; a group if they cover everything. Returns the
    // number of comparisons.
    std::size_t complete(const std::vector<Part>& parts, std::size_t first, bool same_value) {
        std::vector<Fluent> fluents = parts[first].fluents;
        SampleSet where = parts[first].where;
        std::size_t used = 1;
        std::size_t left = samples_.size() - parts[first].count;
        for (std::size_t i = 0; i < parts.size() && left > 0; ++i) {
            const Part& part = parts[i];
            if (i == first || part.count > left) continue;
            if (same_value && part.value != parts[first].value) continue;
            if (where.meets(part.where)) continue;
            where.add(part.where);
            left -= part.count;
            fluents.insert(fluents.end(), part.fluents.begin(), part.fluents.end());
            if (++used > most_parts) break;
        }
        if (left == 0 && used > 1) {
            // A fluent that was never seen may stand in several parts that do not meet.
            std::ranges::sort(fluents);
            fluents.erase(std::unique(fluents.begin(), fluents.end()), fluents.end());
            consider(Group::mixed, 0, std::move(fluents));
        }
        return parts.size();
    }

    std::vector<gdl::Term> inputs_of(Fluent fluent, std::uint32_t outputs) const {
        std::vector<gdl::Term> inputs;
        const gdl::Term term = program_.fluents[ground::index(fluent)];
        for (std::uint32_t argument = 0; argument < program_.terms.arity(term); ++argument) {
            if ((argument < 32 && (outputs >> argument & 1U) != 0)) continue;
            inputs.push_back(program_.terms.argument(term, argument));
        }
        return inputs;
    }

    void consider(std::uint32_t family, std::uint32_t outputs, std::vector<Fluent> fluents) {
        if (fluents.size() < 2) return;
        const Seen seen = see(fluents, samples_);
        if (seen.together) return;
        const bool always = seen.where == samples_.everywhere();
        for (const std::uint32_t other : groups_of_[ground::index(fluents.front())]) {
            const Group& larger = groups_[other];
            if (always && !larger.at_least_one) continue;
            if (std::ranges::includes(larger.fluents, fluents)) return;
        }
        for (const Fluent fluent : fluents) {
            groups_of_[ground::index(fluent)].push_back(static_cast<std::uint32_t>(groups_.size()));
        }
        groups_.push_back({family, outputs, std::move(fluents), true, always, Verdict::observed});
    }

    const ground::Program& program_;
    std::span<const Family> families_;
    const Samples& samples_;
    const machine::Stop& stop_;
    std::uint32_t looks_ = 0;
    std::vector<Group> groups_;
    std::vector<std::vector<std::uint32_t>> groups_of_;  // by fluent
};

void add_all(Finder& finder, std::span<const Family> families, const machine::Stop& stop) {
    for (std::uint32_t number = 0; number < families.size(); ++number) {
        for (const std::uint32_t outputs : output_sets(families[number].arity)) {
            if (stop.now()) return;
            finder.add_family(number, outputs);
        }
    }
    finder.add_mixed();
}

}  // namespace

bool Group::is_consistent(std::size_t fluent_count) const {
    if (fluents.empty() || (!at_most_one && !at_least_one)) return false;
    return std::ranges::adjacent_find(fluents, std::ranges::greater_equal{}) == fluents.end() &&
           ground::index(fluents.back()) < fluent_count;
}

std::vector<Group> find_groups(const ground::Program& program, std::span<const Family> families, const Samples& samples,
                               const machine::Stop& stop) {
    Finder finder(program, families, samples, stop);
    add_all(finder, families, stop);
    std::vector<Group> groups = finder.take();
    STRATAGEM_ENSURES(
        std::ranges::all_of(groups, [&](const Group& group) { return group.is_consistent(program.fluents.size()); }));
    return groups;
}

}  // namespace stratagem::analysis
