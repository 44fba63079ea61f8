// Which recursive relations hold in a state: the least model of the rules behind them.
//
// Components of relations that depend on each other are settled one after the other, what they depend on first. Within
// a component rules wait for their conditions and are counted down (Dowling and Gallier 1984), so the whole takes time
// linear in the size of the rules.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/frame.h"
#include "machine/state.h"

namespace stratagem::evaluate {

using ground::Atom;
using ground::Fluent;

class LeastModel {
  public:
    // What is worked out, for one thread.
    struct Memory {
        std::vector<std::uint8_t> holds;     // by local number
        std::vector<std::uint32_t> waiting;  // by local rule: conditions that do not hold yet
        std::vector<std::uint32_t> open;
    };

    // Of these atoms and all they depend on. Pre: none depends on moves.
    LeastModel(const analysis::RuleIndex& index, std::span<const Atom> atoms);

    bool empty() const { return wanted_.empty(); }
    // The fluents it depends on, ascending.
    std::span<const Fluent> fluents() const { return fluents_; }
    std::size_t rule_count() const { return rules_.size(); }

    Memory make_memory() const;
    void settle(const machine::State& state, Memory& memory) const;
    // By place in the atoms given.
    bool holds(const Memory& memory, std::size_t which) const { return memory.holds[wanted_[which]] != 0; }

  private:
    struct Rule {
        std::uint32_t head = 0;
        std::uint32_t first = 0;  // of its conditions
        std::uint32_t end = 0;
    };

    void collect(const analysis::RuleIndex& index, std::span<const Atom> atoms);
    void order_rules(const analysis::RuleIndex& index);
    void settle_component(std::size_t component, Memory& memory) const;

    std::vector<Atom> atoms_;            // by local number: the fluents first, then by component
    std::vector<std::uint32_t> number_;  // by atom: its local number
    std::vector<Fluent> fluents_;
    std::vector<std::uint32_t> wanted_;
    std::vector<Rule> rules_;                                    // by component
    std::vector<stratagem::Literal<std::uint32_t>> conditions_;  // by local number
    std::vector<std::uint32_t> component_rules_;                 // by component, and one more: its first rule
    std::vector<std::uint32_t> component_of_;                    // by local number
    std::vector<std::uint32_t> first_user_;  // by local number: rules of its own component that it is part of
    std::vector<std::uint32_t> users_;
};

}  // namespace stratagem::evaluate
