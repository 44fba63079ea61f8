#include "ground/static_tables.h"

#include <algorithm>
#include <map>

#include "ground/made_names.h"
#include "util/contract.h"

namespace stratagem::ground {

using gdl::Term;

namespace {

bool is_of_author(const gdl::TermPool& terms, const PredicateKey& key) {
    return !gdl::is_keyword(key.first) && !is_made_name(terms.symbols().name(key.first));
}

// The relation of the rules that a flat one is a part of; itself if it is none.
PredicateKey whole(const Unpacked& unpacked, PredicateKey key) {
    for (auto flat = unpacked.find(key); flat != unpacked.end(); flat = unpacked.find(key)) key = flat->second.relation;
    return key;
}

// A tuple of a flat relation as one of the relation it came from, function by function.
void put_together(const Unpacked& unpacked, PredicateKey key, gdl::TermPool& terms, std::vector<Term>& tuple) {
    for (auto flat = unpacked.find(key); flat != unpacked.end(); flat = unpacked.find(key)) {
        const Packing& packing = flat->second;
        const auto first = tuple.begin() + packing.position;
        const auto last = first + packing.function.second;
        const Term packed = terms.compound(packing.function.first, std::span(first, last));
        tuple.insert(tuple.erase(first, last), packed);
        key = packing.relation;
    }
}

}  // namespace

Statics make_statics(const Database& database, const std::set<PredicateKey>& settled, const Unpacked& unpacked,
                     const Statics& known, gdl::TermPool& terms) {
    struct Parts {
        std::size_t tuples = 0;
        std::vector<std::pair<PredicateKey, const Relation*>> relations;
    };
    std::map<PredicateKey, Parts> found;
    for (std::uint32_t i = 0; i < database.relation_count(); ++i) {
        const RelationInfo& info = database[RelationId{i}];
        const PredicateKey key{info.symbol, info.relation.arity()};
        if (info.kind != RelationKind::plain || info.relation.active_rows() == 0 || !settled.contains(key)) continue;
        const PredicateKey of = whole(unpacked, key);
        if (!is_of_author(terms, of) || known.find(of.first, of.second) != nullptr) continue;
        Parts& parts = found[of];
        parts.tuples += info.relation.active_rows();
        parts.relations.emplace_back(key, &info.relation);
    }
    std::vector<std::pair<std::size_t, PredicateKey>> by_size;
    Statics statics;
    for (const auto& [key, parts] : found) {
        by_size.emplace_back(parts.tuples * key.second, key);
        statics.relation(key.first, key.second);  // in their order, since making one in between takes longer
    }
    std::ranges::sort(by_size);
    std::size_t room = Statics::most_terms - std::min(Statics::most_terms, known.term_count());
    std::vector<Term> tuple;
    for (const auto& [size, key] : by_size) {
        StaticRelation& kept = statics.relation(key.first, key.second);
        for (const auto& [part, relation] : found[key].relations) {
            for (const Relation::Row row : relation->active()) {
                if (kept.size() == Statics::most_tuples || room < key.second) {
                    kept.set_incomplete();
                    break;
                }
                room -= key.second;
                tuple.assign(relation->tuple(row).begin(), relation->tuple(row).end());
                put_together(unpacked, part, terms, tuple);
                kept.add(tuple);
            }
        }
    }
    return statics;
}

Statics merged(const Statics& one, const Statics& other) {
    STRATAGEM_EXPECTS(std::ranges::none_of(one, [&](const StaticRelation& relation) {
        return other.find(relation.symbol(), relation.arity()) != nullptr;
    }));
    Statics result;
    auto from = other.begin();
    const auto take = [&](const StaticRelation& relation) {
        result.relation(relation.symbol(), relation.arity()) = relation;
    };
    const auto key = [](const StaticRelation& relation) { return std::pair(relation.symbol(), relation.arity()); };
    for (const StaticRelation& relation : one) {
        for (; from != other.end() && key(*from) < key(relation); ++from) take(*from);
        take(relation);
    }
    for (; from != other.end(); ++from) take(*from);
    return result;
}

std::vector<Clause> unasked_clauses(const std::vector<Clause>& clauses, const gdl::TermPool& terms,
                                    const PredicateGraph& graph, Effort& effort) {
    using Predicate = PredicateGraph::Predicate;
    constexpr std::uint32_t arity_of_orders = 2;
    std::map<Predicate, std::vector<const Clause*>> by_head;
    std::vector<Predicate> open;
    for (const Clause& clause : clauses) {
        effort.spend(clause.body.size() + 1);
        const Predicate head = graph.of(clause.head);
        const PredicateKey key{terms.symbol(clause.head), terms.arity(clause.head)};
        if (graph.is_state_dependent(head)) continue;
        by_head[head].push_back(&clause);
        if (!graph.is_needed(head) && key.second == arity_of_orders && is_of_author(terms, key)) open.push_back(head);
    }
    std::set<Predicate> reached;
    std::vector<Clause> result;
    while (!open.empty()) {
        const Predicate head = open.back();
        open.pop_back();
        if (!reached.insert(head).second) continue;
        for (const Clause* clause : by_head[head]) {
            effort.spend(clause->body.size() + 1);
            result.push_back(*clause);
            for (const ClauseLiteral& literal : clause->body) open.push_back(graph.of(literal.atom));
        }
    }
    return result;
}

}  // namespace stratagem::ground
