#include "machine/circuit/phase_groups.h"

#include <algorithm>
#include <map>

namespace stratagem::machine {

namespace {

// More phases would cost more memory and time to build than they bring.
constexpr std::size_t most_phases = 8;
constexpr std::size_t most_names = 1000;

}  // namespace

std::vector<PhaseGroup> phase_groups(const ground::Program& program) {
    std::map<std::pair<gdl::Symbol, std::uint32_t>, PhaseGroup> by_name;
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
        const gdl::Term term = program.fluents[i];
        by_name[{program.terms.symbol(term), program.terms.arity(term)}].push_back(Fluent{i});
    }
    std::vector<PhaseGroup> small;
    for (auto& [name, group] : by_name) {
        if (group.size() <= most_phases) small.push_back(std::move(group));
    }
    // A game with so many names of few fluents has been written out; which of them are phases cannot be seen from
    // names.
    if (small.size() > most_names) return {};
    // Phases may go by two names, such as who is to place and who is to turn.
    std::vector<PhaseGroup> groups;
    for (std::size_t i = 0; i < small.size(); ++i) {
        if (small[i].size() >= 2) groups.push_back(small[i]);
        for (std::size_t k = i + 1; k < small.size(); ++k) {
            if (small[i].size() + small[k].size() > most_phases) continue;
            PhaseGroup both = small[i];
            both.insert(both.end(), small[k].begin(), small[k].end());
            groups.push_back(std::move(both));
        }
    }
    return groups;
}

bool exactly_one(const State& state, const PhaseGroup& group) {
    return std::count_if(group.begin(), group.end(), [&](Fluent fluent) { return state.holds(fluent); }) == 1;
}

Assumption assume(const PhaseGroup& group, std::size_t which) {
    Assumption assumption;
    for (std::size_t i = 0; i < group.size(); ++i) {
        (i == which ? assumption.holds : assumption.fails).push_back(group[i]);
    }
    return assumption;
}

}  // namespace stratagem::machine
