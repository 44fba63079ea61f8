// Rules over numbered atoms, whatever the atoms are called: what is left of a program for who only wants to know what
// follows from what.
//
// Three kinds of atoms stand next to each other in one numbering: first the fluents (what the state holds), then the
// moves (what the players do), then everything derived from them.
//
// Rules with the same head are alternatives; an atom holds iff the body of one of its rules does, taken as the least
// model level by level (rules are stratified, and may be recursive).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

// Where the kinds of atoms begin and end.
struct AtomNumbers {
    std::uint32_t first_move = 0;
    std::uint32_t first_derived = 0;
    std::uint32_t count = 0;
};

class Rules {
  public:
    std::size_t rule_count() const { return heads_.size(); }
    Atom head(std::size_t rule) const { return heads_[rule]; }
    std::span<const Condition> body(std::size_t rule) const {
        return std::span(bodies_).subspan(body_starts_[rule], body_starts_[rule + 1] - body_starts_[rule]);
    }
    void add_rule(Atom head, std::span<const Condition> body) {
        heads_.push_back(head);
        bodies_.insert(bodies_.end(), body.begin(), body.end());
        body_starts_.push_back(bodies_.size());
    }

  private:
    std::vector<Atom> heads_;
    std::vector<Condition> bodies_;
    std::vector<std::size_t> body_starts_{0};
};

}  // namespace stratagem::ground
