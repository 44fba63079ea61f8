// The ground rules of a game: a finite propositional program. One of the six nouns of the house.
//
// Every atom that can ever hold has a number. Three kinds of atoms stand next to each other in one numbering:
// first the fluents (what the state holds), then the moves (what the players do), then everything derived from
// them, among it next(f) for each fluent, legal(r, m) for each move, goal(r, v) and terminal. Static relations were
// evaluated while grounding: no rule has a condition on them, and they stand beside the rules as tables.
//
// Rules with the same head are alternatives; an atom holds iff the body of one of its rules does, taken as the least
// model level by level (rules are stratified, and may be recursive).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdl/term.h"
#include "ground/statics.h"
#include "util/literal.h"

namespace stratagem::ground {

enum class Fluent : std::uint32_t {};
enum class Move : std::uint32_t {};  // a role and what it does: no two roles share a Move
enum class Role : std::uint32_t {};
enum class Atom : std::uint32_t { none = 0xFFFFFFFFU };

constexpr std::uint32_t index(Fluent fluent) { return static_cast<std::uint32_t>(fluent); }
constexpr std::uint32_t index(Move move) { return static_cast<std::uint32_t>(move); }
constexpr std::uint32_t index(Role role) { return static_cast<std::uint32_t>(role); }
constexpr std::uint32_t index(Atom atom) { return static_cast<std::uint32_t>(atom); }

// An atom or its negation in a body: Condition(atom) or !Condition(atom).
using Condition = stratagem::Literal<Atom>;

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

class Program {
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
    Atom atom(Fluent fluent) const { return Atom{index(fluent)}; }
    Atom atom(Move move) const { return Atom{first_move_atom() + index(move)}; }

    std::size_t rule_count() const { return heads_.size(); }
    Atom head(std::size_t rule) const { return heads_[rule]; }
    std::span<const Condition> body(std::size_t rule) const {
        return std::span(bodies_).subspan(body_starts_[rule], body_starts_[rule + 1] - body_starts_[rule]);
    }
    void add_rule(Atom head, std::span<const Condition> body);

    // "(true (cell 1 1 b))", "(does x noop)", "(legal x noop)": prefix KIF of any atom.
    std::string name(Atom atom) const;
    // The rules as text, one per line, for people and tests.
    std::string to_text() const;

    // Whole-object audit: numbers in range, nothing twice, moves grouped by role, heads derived, statics sound. For
    // programs that do not come from grounding, tests and debug builds.
    bool is_consistent() const;

  private:
    std::vector<Atom> heads_;
    std::vector<Condition> bodies_;
    std::vector<std::size_t> body_starts_{0};
};

}  // namespace stratagem::ground
