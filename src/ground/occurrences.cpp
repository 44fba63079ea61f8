#include "ground/occurrences.h"

#include <algorithm>
#include <utility>

namespace stratagem::ground {

Occurrences::Occurrences(const std::vector<JoinClause>& clauses, Database& database) {
    for (std::uint32_t c = 0; c < clauses.size(); ++c) {
        const std::vector<JoinLiteral>& literals = clauses[c].literals();
        for (std::uint32_t l = 0; l < literals.size(); ++l) {
            if (literals[l].kind != JoinLiteral::Kind::positive || literals[l].complete) continue;
            relations_[index(literals[l].relation)].all.push_back({c, l});
        }
        database.tick(literals.size() + 1);
    }
    constexpr std::size_t few = 64;
    for (auto& [relation, places] : relations_) {
        if (places.all.size() > few) sort_out(places, clauses);
        database.tick(places.all.size());
    }
}

// By the first argument that is a constant.
void Occurrences::sort_out(OfRelation& places, const std::vector<JoinClause>& clauses) {
    std::vector<Occurrence> without;
    for (const Occurrence occurrence : places.all) {
        const std::vector<Pattern>& arguments = clauses[occurrence.clause].literals()[occurrence.literal].arguments;
        const auto constant = std::find_if(arguments.begin(), arguments.end(), [](const Pattern& argument) {
            return argument.kind == Pattern::Kind::constant;
        });
        if (constant == arguments.end()) {
            without.push_back(occurrence);
            continue;
        }
        const auto column = static_cast<std::uint32_t>(constant - arguments.begin());
        auto known = std::find(places.columns.begin(), places.columns.end(), column);
        if (known == places.columns.end()) {
            known = places.columns.insert(places.columns.end(), column);
            places.by_constant.emplace_back();
        }
        places.by_constant[static_cast<std::size_t>(known - places.columns.begin())][constant->term].push_back(
            occurrence);
    }
    places.all = std::move(without);
}

std::span<const Occurrence> Occurrences::of(const Database& database, RelationId relation, Relation::Row row) {
    const auto known = relations_.find(index(relation));
    if (known == relations_.end()) return {};  // a relation no rule asks for
    const OfRelation& places = known->second;
    if (places.columns.empty()) return places.all;
    found_ = places.all;
    for (std::size_t i = 0; i < places.columns.size(); ++i) {
        const auto fitting = places.by_constant[i].find(database[relation].relation.at(row, places.columns[i]));
        if (fitting == places.by_constant[i].end()) continue;
        found_.insert(found_.end(), fitting->second.begin(), fitting->second.end());
    }
    std::sort(found_.begin(), found_.end());
    return found_;
}

}  // namespace stratagem::ground
