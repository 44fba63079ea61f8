// The ground rules of a game: a finite propositional program. One of the six nouns of the house.
//
// Every atom that can ever hold has a number (rules.h) and a name. Among those that are derived are next(f) for each
// fluent, legal(r, m) for each move, goal(r, v) and terminal. Static relations were evaluated while grounding: no rule
// has a condition on them, and they stand beside the rules as tables.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdl/term.h"
#include "ground/rules.h"
#include "ground/statics.h"

namespace stratagem::ground {

struct GroundMove {
    Role role{};
    gdl::Term term{};
};

struct GoalEntry {
    Role role{};
    int value = 0;
    Atom atom = Atom::none;
};

// A percept of a game of incomplete information (GDL-II).
struct PerceptEntry {
    Role role{};
    gdl::Term term{};
    Atom atom = Atom::none;
};

class Program : public Rules {
  public:
    gdl::TermPool terms;
    std::vector<gdl::Term> roles;
    std::vector<gdl::Term> fluents;  // by Fluent
    std::vector<GroundMove> moves;   // by Move; the moves of one role are consecutive, roles in order
    std::vector<gdl::Term> derived;  // by Atom minus first_derived(): what the atom says
    std::vector<Fluent> initial;     // sorted

    std::vector<Atom> next;        // by Fluent: the atom next(f), or none when it can never hold again
    std::vector<Atom> legal;       // by Move
    std::vector<GoalEntry> goals;  // sorted by role and value
    std::vector<PerceptEntry> percepts;
    Atom terminal = Atom::none;  // none: the game has no end

    Statics statics;  // of `terms`

    std::uint32_t first_move_atom() const { return static_cast<std::uint32_t>(fluents.size()); }
    std::uint32_t first_derived() const { return static_cast<std::uint32_t>(fluents.size() + moves.size()); }
    std::uint32_t atom_count() const { return static_cast<std::uint32_t>(first_derived() + derived.size()); }
    AtomNumbers numbers() const { return {first_move_atom(), first_derived(), atom_count()}; }
    Atom atom(Fluent fluent) const { return Atom{index(fluent)}; }
    Atom atom(Move move) const { return Atom{first_move_atom() + index(move)}; }

    // "(true (cell 1 1 b))", "(does x noop)", "(legal x noop)": prefix KIF of any atom.
    std::string name(Atom atom) const;
    // The rules as text, one per line, for people and tests.
    std::string to_text() const;

    // Whole-object audit: numbers in range, nothing twice, moves grouped by role, heads derived, statics sound. For
    // programs that do not come from grounding, tests and debug builds.
    bool is_consistent() const;
};

}  // namespace stratagem::ground
