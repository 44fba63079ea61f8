// An order of fluents, moves and rules that depends neither on names nor on the order in which rules are written.
//
// Random play draws the third of five moves: which one that is would depend on how the author called things and in what
// order he wrote them down, and with it every number that comes from random games. Here moves are put in order by what
// they do. All atoms, rules, constants and static facts are the nodes of a graph, and nodes are told apart by what they
// are connected with, again and again (colour refinement). Where moves are left that are alike, one of them is declared
// special, and it goes on. If those were alike by a symmetry of the game, it does not matter which: the games that are
// played are the same, up to that symmetry.
//
// What it cannot do: tell apart what looks alike to refinement without being so, which regular graphs do, and finish in
// rules of millions of conditions. There numbers decide what is left, as they did before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ground/program.h"
#include "machine/random_play.h"
#include "machine/stop.h"

namespace stratagem::analysis {

class NeutralOrder {
  public:
    // `most_work`: connections looked at.
    explicit NeutralOrder(const ground::Program& program, const machine::Stop& stop = {},
                          std::size_t most_work = 20'000'000);

    // The place of a move among all moves.
    std::uint32_t place(ground::Move move) const { return moves_[ground::index(move)]; }
    // Classes of what could not be told apart before anything was declared special, in a neutral order: who has to
    // treat alike what is alike may go by these.
    std::uint32_t class_of(ground::Atom atom) const { return atoms_[ground::index(atom)]; }
    std::uint32_t class_of_rule(std::size_t rule) const { return rules_[rule]; }
    // The same for rules that differ in names and order only; and, but for a chance in 2^64, only for such as colour
    // refinement cannot tell apart.
    std::uint64_t fingerprint() const { return fingerprint_; }
    // Numbers decided nothing.
    bool complete() const { return complete_; }

    void sort(std::vector<ground::Move>& moves) const;

  private:
    std::vector<std::uint32_t> moves_, atoms_, rules_;
    std::uint64_t fingerprint_ = 0;
    bool complete_ = false;
};

// A position in which moves are drawn in a neutral order.
template <typename Position>
class NeutralPosition {
  public:
    // `order` may be null: then as they come.
    NeutralPosition(Position& position, const NeutralOrder* order)
        : position_(position), order_(order), legal_(position.role_count()) {}

    // NOLINTNEXTLINE(google-explicit-constructor): stands for the position wherever one is asked for
    operator Position&() { return position_; }
    std::size_t role_count() const { return legal_.size(); }
    bool terminal() { return position_.terminal(); }
    std::span<const ground::Move> legal(ground::Role role) {
        const auto found = position_.legal(role);
        std::vector<ground::Move>& moves = legal_[ground::index(role)];
        moves.assign(found.begin(), found.end());
        if (order_ != nullptr) order_->sort(moves);
        return moves;
    }
    void advance(std::span<const ground::Move> joint) { position_.advance(joint); }

  private:
    Position& position_;
    const NeutralOrder* order_;
    std::vector<std::vector<ground::Move>> legal_;
};

}  // namespace stratagem::analysis
