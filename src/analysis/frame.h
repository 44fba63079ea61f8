// The rules of a game as clauses, for one state: what holds in it, as literals that are made when they are asked for.
//
// An atom holds iff the body of one of its rules does. For rules that are recursive this says less than the least
// model: atoms may support each other in a circle. Whatever follows from it is true all the same, so proofs are sound.
// When a model turns out to rest on such a circle, refine() adds a clause that forbids it (loop formulas; Lin and Zhao,
// "ASSAT: computing answer sets of a logic program by SAT solvers", 2004).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/clauses.h"
#include "ground/program.h"
#include "util/contract.h"

namespace stratagem::analysis {

using ground::Atom;
using ground::Fluent;
using ground::Move;
using ground::Role;

// The rules of each head, of rules that outlive it.
class HeadIndex {
  public:
    HeadIndex(const ground::Rules& rules, const ground::AtomNumbers& numbers);
    HeadIndex(const HeadIndex&) = delete;
    HeadIndex& operator=(const HeadIndex&) = delete;

    const ground::Rules& all() const { return all_; }
    const ground::AtomNumbers& numbers() const { return numbers_; }
    std::span<const std::uint32_t> rules(Atom head) const {
        return std::span(rules_).subspan(starts_[ground::index(head)],
                                         starts_[ground::index(head) + 1] - starts_[ground::index(head)]);
    }

    // Groups of atoms that depend on each other positively, those of more than one rule around: recursive ones.
    std::span<const std::vector<Atom>> circles() const { return circles_; }
    bool recursive(Atom atom) const { return circle_of_[ground::index(atom)] != none; }
    // Pre: recursive(atom).
    std::uint32_t circle(Atom atom) const {
        STRATAGEM_EXPECTS(recursive(atom));
        return circle_of_[ground::index(atom)];
    }

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    void find_circles();

    const ground::Rules& all_;
    ground::AtomNumbers numbers_;
    std::vector<std::uint32_t> starts_;  // by atom
    std::vector<std::uint32_t> rules_;
    std::vector<std::vector<Atom>> circles_;
    std::vector<std::uint32_t> circle_of_;  // by atom
};

// The same of a whole program, for all its frames.
class RuleIndex : public HeadIndex {
  public:
    explicit RuleIndex(const ground::Program& program) : HeadIndex(program, program.numbers()), program_(program) {}

    const ground::Program& program() const { return program_; }

  private:
    const ground::Program& program_;
};

class Frame {
  public:
    // `fluents` by fluent: their literals; where empty, they are new variables.
    Frame(const RuleIndex& index, Clauses& clauses, std::vector<Literal> fluents = {});

    const ground::Program& program() const { return index_.program(); }
    Clauses& clauses() { return clauses_; }

    Literal fluent(Fluent fluent) const { return literals_[ground::index(fluent)]; }
    Literal does(Move move) { return literal(program().atom(move)); }
    // False for Atom::none.
    Literal literal(Atom atom);
    Literal legal(Move move) { return literal(program().legal[ground::index(move)]); }
    Literal next(Fluent fluent) { return literal(program().next[ground::index(fluent)]); }
    Literal terminal() { return literal(program().terminal); }

    // After a model was found: forbids atoms that hold only because of each other. False: there are none.
    bool refine();

  private:
    void define(Atom atom);
    Literal known_or_new(Atom atom);
    Literal body(std::uint32_t rule);
    void refine(const std::vector<Atom>& circle);
    bool rests_on(std::uint32_t rule, std::uint32_t mark) const;

    const RuleIndex& index_;
    Clauses& clauses_;
    std::vector<Literal> literals_;  // by atom; 0: not asked for yet
    std::vector<Atom> undefined_;    // have a literal, but no rules yet
    std::vector<Literal> work_, bodies_;
    std::unordered_map<std::uint32_t, Literal> body_of_;  // by rule of a recursive atom
    std::vector<std::uint32_t> marks_;                    // by atom, for refine()
    std::uint32_t mark_ = 0;
    std::vector<std::vector<Literal>> loops_;  // clauses found by refine()
};

}  // namespace stratagem::analysis
