#include "analysis/rings.h"

#include <unordered_map>
#include <unordered_set>

namespace stratagem::analysis {

namespace {

constexpr std::size_t shortest_ring = 3;

void add_rings(const ground::StaticRelation& relation, std::vector<Ring>& rings) {
    std::unordered_map<gdl::Term, gdl::Term> after;
    std::unordered_set<gdl::Term> reached;
    std::vector<gdl::Term> starts;  // in the order of the relation, so that the result has one
    for (std::size_t i = 0; i < relation.size(); ++i) {
        const gdl::Term from = relation.tuple(i)[0];
        const gdl::Term to = relation.tuple(i)[1];
        if (from == to || !after.emplace(from, to).second || !reached.insert(to).second) return;
        starts.push_back(from);
    }
    std::unordered_set<gdl::Term> seen;
    for (const gdl::Term start : starts) {
        if (seen.contains(start)) continue;
        Ring ring{relation.symbol(), {}};
        auto next = after.find(start);
        while (next != after.end() && seen.insert(next->first).second) {
            ring.elements.push_back(next->first);
            next = after.find(next->second);
        }
        // Everything follows one thing at most, so a way that comes back comes back to where it began.
        const bool closed = next != after.end() && next->first == start;
        if (closed && ring.elements.size() >= shortest_ring) rings.push_back(std::move(ring));
    }
}

}  // namespace

std::vector<Ring> find_rings(const ground::Statics& statics, const machine::Stop& stop) {
    std::vector<Ring> rings;
    for (const ground::StaticRelation& relation : statics) {
        if (stop.now()) break;
        if (relation.arity() == 2 && relation.complete()) add_rings(relation, rings);
    }
    return rings;
}

}  // namespace stratagem::analysis
