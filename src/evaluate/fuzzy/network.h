// Conjunctions and disjunctions over leaves as flat arrays, and their fuzzy values.
//
// A disjunction is kept as a negated conjunction of negated parts, so that there is one kind of inner node. Of every
// node the q-th powers of its value and of the rest to 1 are kept, since that is what the nodes above add up. Sums are
// always made anew and in the same order, so that a value does not depend on the states seen before; to make a change
// in a wide node cheap all the same, its sum is made of the sums of shares, which are nodes of their own.
//
// Nodes that only comparisons ask for are crisp: true or false and nothing in between, so that a change ends where it
// no longer makes a difference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/comparisons.h"
#include "evaluate/fuzzy/norms.h"

namespace stratagem::evaluate::fuzzy {

class Network {
  public:
    // A node or its negation.
    using Code = stratagem::Literal<std::uint32_t>;

    // The values of all nodes.
    struct Values {
        std::vector<double> value;         // by node
        std::vector<double> sum;           // by node: of the powers of its parts
        std::vector<double> power;         // by code: (1 - x)^q of its value x
        std::vector<std::uint8_t> fails;   // by code: x <= 0.5
        std::vector<std::uint64_t> dirty;  // bit by node: to be made anew
    };

    explicit Network(const Norms& norms)
        : norms_(norms), true_(norms.leaf(norms.atom(true))), false_(norms.leaf(norms.atom(false))) {}

    // Other norms over the same nodes: values made before mean nothing any more.
    void use(const Norms& norms) {
        norms_ = norms;
        true_ = norms.leaf(norms.atom(true));
        false_ = norms.leaf(norms.atom(false));
    }

    std::uint32_t add_leaf();
    // Pre: parts were added before.
    std::uint32_t add_conjunction(std::span<const Code> parts) { return add(parts, false); }
    std::uint32_t add_disjunction(std::span<const Code> parts) { return add(parts, true); }
    std::uint32_t add_crisp_conjunction(std::span<const Code> parts) { return add_node(parts, false, Kind::crisp); }
    std::uint32_t add_crisp_disjunction(std::span<const Code> parts);
    // Of a comparison, whose inputs are these, in its order. It must outlive the network.
    std::uint32_t add_comparison(const Comparison& comparison, std::span<const Code> inputs);
    // To be called after the last add.
    void finish();

    // Whole-object audit: every node comes after its parts, which know it.
    bool is_consistent() const;

    std::size_t size() const { return nodes_.size(); }
    std::size_t edge_count() const { return edges_.size(); }
    const Norms& norms() const { return norms_; }

    // All leaves false, nothing else worked out. Pre: finish() came after the last add.
    Values make_values() const;
    double value(const Values& values, Code at) const {
        return at.negated() ? 1 - values.value[at.node()] : values.value[at.node()];
    }
    // Sets a leaf and marks what depends on it.
    void set_leaf(Values& values, std::uint32_t leaf, double value) const;
    void set_leaf(Values& values, std::uint32_t leaf, bool holds) const;
    // Works out every inner node.
    void compute_all(Values& values) const;
    // Works out the nodes above leaves that were set since.
    void compute_changes(Values& values) const;

  private:
    static constexpr std::size_t widest = 48;  // nodes of more parts are made of shares
    static constexpr std::size_t share = 16;

    enum class Kind : std::uint8_t {
        leaf,
        fuzzy,
        share,  // of a wider node: only its sum counts
        crisp,
        comparison,
    };
    struct Node {
        std::uint32_t first = 0;  // of its edges
        std::uint32_t end = 0;
        Kind kind = Kind::leaf;
        bool negated = false;          // a disjunction
        std::uint32_t comparison = 0;  // place in comparisons_
    };

    std::uint32_t add(std::span<const Code> parts, bool disjunction);
    std::uint32_t add_node(std::span<const Code> parts, bool negated, Kind kind);
    // Whether the node changed.
    bool compute(Values& values, std::uint32_t number) const;
    bool compute_crisp(Values& values, std::uint32_t number) const;
    bool compute_comparison(Values& values, std::uint32_t number) const;
    bool set(Values& values, std::uint32_t number, const Norms::Result& value) const;
    void mark_users(Values& values, std::uint32_t number) const;

    Norms norms_;
    Norms::Result true_, false_;
    std::vector<Node> nodes_;
    std::vector<Code> edges_;
    std::vector<std::uint32_t> first_user_;  // by node, and one more
    std::vector<std::uint32_t> users_;
    std::vector<const Comparison*> comparisons_;
};

}  // namespace stratagem::evaluate::fuzzy
