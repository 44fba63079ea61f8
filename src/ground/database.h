// All relations of a game while it is being grounded, and how atoms of the language map to them.
//
// Fluents and moves are taken apart: (true (cell 1 2 x)) is the tuple (1 2 x) of a relation of its own for
// true/cell, so that joins can look into fluents by argument. (does r (mark 1 2)) is (r 1 2) of does/mark. Where a rule
// says (true ?f) or (does ?r ?m) with a variable in that place, a second relation holds the same atoms as whole terms.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gdl/term.h"
#include "ground/effort.h"
#include "ground/relation.h"

namespace stratagem::ground {

enum class RelationId : std::uint32_t {};

constexpr std::uint32_t index(RelationId id) { return static_cast<std::uint32_t>(id); }

// An atom during grounding; renumbered when the Program is made.
using WorkAtom = std::uint32_t;

enum class RelationKind : std::uint8_t { plain, fluent, move, any_fluent, any_move };

struct RelationInfo {
    RelationKind kind = RelationKind::plain;
    gdl::Symbol symbol{};  // relation, fluent or move name
    bool state_dependent = false;
    bool in_program = true;  // its atoms appear in the ground program
    std::size_t cap = 0;     // more possible atoms than this stop grounding; 0: no cap
    std::size_t possible = 0;
    Relation relation;
    std::vector<WorkAtom> atoms;  // by row
};

// Where an atom lives.
struct AtomPlace {
    RelationId relation{};
    Relation::Row row = 0;
};

class Database {
  public:
    explicit Database(gdl::TermPool& terms) : terms_(terms) {}

    gdl::TermPool& terms() { return terms_; }

    // Relations are made on first mention. `arity` counts the arguments of the relation as stored.
    RelationId plain(gdl::Symbol symbol, std::uint32_t arity);
    RelationId fluent(gdl::Symbol symbol, std::uint32_t arity);
    RelationId move(gdl::Symbol symbol, std::uint32_t arity);  // arity without the role
    RelationId any_fluent();
    RelationId any_move();

    RelationInfo& operator[](RelationId id) { return relations_[index(id)]; }
    const RelationInfo& operator[](RelationId id) const { return relations_[index(id)]; }
    std::size_t relation_count() const { return relations_.size(); }

    // The relation that a body literal with this atom asks, and the arguments it is asked with.
    RelationId resolve(gdl::Term atom, std::vector<gdl::Term>& arguments);

    RelationId resolve_fluent(gdl::Term term, std::vector<gdl::Term>& arguments);

    WorkAtom intern(RelationId relation, std::span<const gdl::Term> tuple);
    // By the whole ground term; the functor decides the relation.
    WorkAtom intern_fluent(gdl::Term term);
    WorkAtom intern_move(gdl::Term role, gdl::Term term);

    bool is_possible(WorkAtom atom) const { return possible_[atom]; }
    // True when it was not possible before. The atom is found by joins only once it is activated.
    bool make_possible(WorkAtom atom);
    void activate(WorkAtom atom);
    // The place of an active fluent or move in the relation of whole terms, if there is one.
    std::optional<AtomPlace> twin(WorkAtom atom);

    std::size_t atom_count() const { return places_.size(); }
    const AtomPlace& place(WorkAtom atom) const { return places_[atom]; }
    // The atom as a term of the language: (true …), (does …) or the plain relation.
    gdl::Term term(WorkAtom atom);
    // What a fluent atom or move atom holds: the fluent; the move without its role.
    gdl::Term inner_term(WorkAtom atom);

    std::size_t bytes() const;

    // Called for each row a join looks at, or for as much other work.
    void tick(std::size_t steps = 1) { effort.spend(steps); }
    Effort effort;

  private:
    // The whole-term tuple of a fluent or move; false when no rule asks for whole terms.
    bool twin_tuple(WorkAtom atom, RelationId& relation, std::vector<gdl::Term>& tuple);
    RelationId find_or_make(RelationKind kind, gdl::Symbol symbol, std::uint32_t arity);

    gdl::TermPool& terms_;
    std::vector<RelationInfo> relations_;
    std::unordered_map<std::uint64_t, RelationId> by_key_;
    std::vector<AtomPlace> places_;
    std::vector<bool> possible_;
    bool has_any_fluent_ = false;
    bool has_any_move_ = false;
    RelationId any_fluent_{};
    RelationId any_move_{};
    std::vector<gdl::Term> scratch_;
};

}  // namespace stratagem::ground
