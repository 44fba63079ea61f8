#include "ground/database.h"

namespace stratagem::ground {

using gdl::Symbol;
using gdl::Term;
namespace keyword = gdl::keyword;

RelationId Database::find_or_make(RelationKind kind, Symbol symbol, std::uint32_t arity) {
    // Arity is at most max_arity + 1 and so fits 28 bits easily.
    const std::uint64_t key =
        std::uint64_t{gdl::index(symbol)} << 32 | std::uint64_t{arity} << 4 | static_cast<std::uint64_t>(kind);
    const auto [found, added] = by_key_.try_emplace(key, RelationId{static_cast<std::uint32_t>(relations_.size())});
    if (added) relations_.push_back({.kind = kind, .symbol = symbol, .relation = Relation(arity), .atoms = {}});
    return found->second;
}

RelationId Database::plain(Symbol symbol, std::uint32_t arity) {
    return find_or_make(RelationKind::plain, symbol, arity);
}
RelationId Database::fluent(Symbol symbol, std::uint32_t arity) {
    return find_or_make(RelationKind::fluent, symbol, arity);
}
RelationId Database::move(Symbol symbol, std::uint32_t arity) {
    return find_or_make(RelationKind::move, symbol, arity + 1);
}
RelationId Database::any_fluent() {
    has_any_fluent_ = true;
    return any_fluent_ = find_or_make(RelationKind::any_fluent, keyword::true_, 1);
}
RelationId Database::any_move() {
    has_any_move_ = true;
    return any_move_ = find_or_make(RelationKind::any_move, keyword::does, 2);
}

RelationId Database::resolve_fluent(Term term, std::vector<Term>& arguments) {
    if (terms_.is_variable(term)) {
        arguments.assign(1, term);
        return any_fluent();
    }
    const auto inner = terms_.arguments(term);
    arguments.assign(inner.begin(), inner.end());
    return fluent(terms_.symbol(term), terms_.arity(term));
}

RelationId Database::resolve(Term atom, std::vector<Term>& arguments) {
    arguments.clear();
    const Symbol symbol = terms_.symbol(atom);
    const auto append = [&](Term compound) {
        const auto inner = terms_.arguments(compound);
        arguments.insert(arguments.end(), inner.begin(), inner.end());
    };
    if (symbol == keyword::true_ && terms_.arity(atom) == 1) {
        return resolve_fluent(terms_.argument(atom, 0), arguments);
    }
    if (symbol == keyword::does && terms_.arity(atom) == 2) {
        const Term inner = terms_.argument(atom, 1);
        arguments.push_back(terms_.argument(atom, 0));
        if (terms_.is_variable(inner)) {
            arguments.push_back(inner);
            return any_move();
        }
        append(inner);
        return move(terms_.symbol(inner), terms_.arity(inner));
    }
    append(atom);
    return plain(symbol, terms_.arity(atom));
}

WorkAtom Database::intern(RelationId relation, std::span<const Term> tuple) {
    RelationInfo& info = relations_[index(relation)];
    // Atoms of the any-relations are those of the relation by name.
    if (info.kind == RelationKind::any_fluent) return intern_fluent(tuple[0]);
    if (info.kind == RelationKind::any_move) return intern_move(tuple[0], tuple[1]);
    bool added = false;
    const Relation::Row row = info.relation.intern(tuple, added);
    if (!added) return info.atoms[row];
    const auto atom = static_cast<WorkAtom>(places_.size());
    places_.push_back({relation, row});
    possible_.push_back(false);
    info.atoms.push_back(atom);
    return atom;
}

WorkAtom Database::intern_fluent(Term term) {
    const auto inner = terms_.arguments(term);
    return intern(fluent(terms_.symbol(term), terms_.arity(term)), inner);
}

WorkAtom Database::intern_move(Term role, Term term) {
    const RelationId relation = move(terms_.symbol(term), terms_.arity(term));
    scratch_.assign(1, role);
    const auto inner = terms_.arguments(term);
    scratch_.insert(scratch_.end(), inner.begin(), inner.end());
    return intern(relation, scratch_);
}

bool Database::make_possible(WorkAtom atom) {
    if (possible_[atom]) return false;
    possible_[atom] = true;
    ++relations_[index(places_[atom].relation)].possible;
    return true;
}

bool Database::twin_tuple(WorkAtom atom, RelationId& relation, std::vector<Term>& tuple) {
    const AtomPlace place = places_[atom];
    const RelationInfo& info = relations_[index(place.relation)];
    const bool is_move = info.kind == RelationKind::move;
    if (!(is_move && has_any_move_) && !(info.kind == RelationKind::fluent && has_any_fluent_)) return false;
    relation = is_move ? any_move_ : any_fluent_;
    tuple.clear();
    if (is_move) tuple.push_back(info.relation.at(place.row, 0));
    tuple.push_back(inner_term(atom));
    return true;
}

void Database::activate(WorkAtom atom) {
    const AtomPlace place = places_[atom];
    relations_[index(place.relation)].relation.activate(place.row);
    RelationId id{};
    if (!twin_tuple(atom, id, scratch_)) return;
    RelationInfo& twin = relations_[index(id)];
    bool added = false;
    const Relation::Row row = twin.relation.intern(scratch_, added);
    if (added) twin.atoms.push_back(atom);
    twin.relation.activate(row);
}

std::optional<AtomPlace> Database::twin(WorkAtom atom) {
    RelationId id{};
    if (!twin_tuple(atom, id, scratch_)) return std::nullopt;
    return AtomPlace{id, relations_[index(id)].relation.find(scratch_)};
}

Term Database::inner_term(WorkAtom atom) {
    const AtomPlace place = places_[atom];
    const RelationInfo& info = relations_[index(place.relation)];
    auto tuple = info.relation.tuple(place.row);
    if (info.kind == RelationKind::move) tuple = tuple.subspan(1);
    return terms_.compound(info.symbol, tuple);
}

Term Database::term(WorkAtom atom) {
    const Term inner = inner_term(atom);
    const AtomPlace place = places_[atom];
    const RelationInfo& info = relations_[index(place.relation)];
    if (info.kind == RelationKind::fluent) return terms_.compound(keyword::true_, std::span(&inner, 1));
    if (info.kind != RelationKind::move) return inner;
    const Term arguments[] = {info.relation.at(place.row, 0), inner};
    return terms_.compound(keyword::does, arguments);
}

std::size_t Database::bytes() const {
    std::size_t total = places_.capacity() * sizeof(AtomPlace) + possible_.capacity() / 8;
    for (const RelationInfo& info : relations_) {
        total += info.relation.bytes() + info.atoms.capacity() * sizeof(WorkAtom);
    }
    return total;
}

}  // namespace stratagem::ground
