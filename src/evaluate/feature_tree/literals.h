// The fluents of a game as the literals that feature trees speak of, with the orders of their arguments.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/findings.h"
#include "evaluate/feature_tree/feature_tree.h"
#include "ground/program.h"
#include "machine/state.h"

namespace stratagem::evaluate::feature_tree {

class Literals {
  public:
    // Orders are those that the analysis found; without any, nothing is a corner, an edge or a place. Pre: `known` has
    // a program.
    explicit Literals(const analysis::Findings& known);

    std::size_t size() const { return program_->fluents.size(); }
    const ground::Program& program() const { return *program_; }
    const std::shared_ptr<const ground::Program>& shared_program() const { return program_; }
    gdl::Term term(machine::Fluent fluent) const { return program_->fluents[ground::index(fluent)]; }
    std::uint32_t arity(machine::Fluent fluent) const { return program_->terms.arity(term(fluent)); }

    // A qualifier with its atom looked up, for many fluents. Keeps references to both.
    class Matcher {
      public:
        Matcher(const Literals& literals, const Qualifier& qualifier);
        bool operator()(machine::Fluent fluent) const;

      private:
        const Literals& literals_;
        const Qualifier& qualifier_;
        gdl::Symbol atom_{};
        bool is_known_ = false;
    };
    // The place of an argument in its order, counted from the first value that the argument takes; nothing where there
    // is no argument or no order.
    std::optional<std::uint32_t> place(machine::Fluent fluent, std::uint32_t argument) const;
    // The other arguments, of which there is at least one, all have an order in which every two are comparable, and all
    // of them, or at least one, are its first or its last in this game.
    bool is_corner(machine::Fluent fluent, std::uint32_t content) const;
    bool is_edge(machine::Fluent fluent, std::uint32_t content) const;

  private:
    struct Places {
        std::unordered_map<gdl::Term, std::uint32_t> of;  // empty without an order
        std::uint32_t last = 0;
        bool linear = false;
    };
    enum class Extreme : std::uint8_t { no_board, inside, some, all };

    Extreme extreme(machine::Fluent fluent, std::uint32_t content) const;

    std::shared_ptr<const ground::Program> program_;
    std::vector<std::uint32_t> family_;        // by fluent
    std::vector<std::vector<Places>> places_;  // by family and argument
};

}  // namespace stratagem::evaluate::feature_tree
