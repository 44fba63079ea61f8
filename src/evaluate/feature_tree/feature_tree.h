// A tree of features (Kuhlmann's thesis, section 7.1): edges let through some of the literals that hold in a state,
// nodes make numbers of what arrives.
//
// Qualifiers speak of the words of a literal, so that a tree can be written down, read, and understood without a game:
//
//   F:atom     the functor is atom
//   T[i]:atom  the argument i, from 0, is the constant atom, or a term with that functor; T[1.0]:atom is the first
//              argument of what stands at 1, and so on inwards (an extension: the thesis leaves nested terms out)
//   C[i]       a corner of the board whose content is argument i: the others are all the first or the last of their
//              orders
//   E[i]       its edge: at least one of them is
//   ~Q         not Q
//
// Aggregators are # (how many) and O[i]: the place of argument i in its order. Of several literals it is the sum of
// their places; the thesis speaks of one literal only. What a game makes of all this stands in literals.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stratagem::evaluate::feature_tree {

struct Qualifier {
    enum class Kind : std::uint8_t { functor, argument, corner, edge };

    Kind kind = Kind::functor;
    bool negated = false;
    std::vector<std::uint32_t> path;  // of an argument; of corner and edge, the one place of the content
    std::string atom;                 // of functor and argument

    bool operator==(const Qualifier&) const = default;
};

struct Aggregator {
    enum class Kind : std::uint8_t { count, order };

    Kind kind = Kind::count;
    std::uint32_t argument = 0;  // of an order

    bool operator==(const Aggregator&) const = default;
};

struct Node {
    std::uint32_t parent = 0;  // of the root: itself
    Qualifier qualifier;       // of the edge that leads here; the root has none
    std::vector<Aggregator> aggregators;

    bool operator==(const Node&) const = default;
};

// A value of the vector that a tree makes of a state.
struct Feature {
    std::uint32_t node = 0;
    Aggregator aggregator;
};

class FeatureTree {
  public:
    // Only a root that counts nothing.
    FeatureTree() : FeatureTree(std::vector<Node>(1)) {}
    // In any order in which parents come before their children; it is kept among the children of a node.
    // Pre: the first is the root.
    explicit FeatureTree(const std::vector<Node>& nodes);

    // As they are written: every node before its children, the root first.
    const std::vector<Node>& nodes() const { return nodes_; }
    // By node, then as its aggregators stand.
    const std::vector<Feature>& features() const { return features_; }
    std::size_t depth(std::uint32_t node) const;
    // "F:cell T[2]:white #".
    std::string name(const Feature& feature) const;

    // With these features only, and the nodes that lead to them. Pre: one for each feature.
    FeatureTree pruned(const std::vector<bool>& keep) const;

    // Whole-object audit: every node stands behind its parent, in the order of writing.
    bool is_consistent() const;
    bool operator==(const FeatureTree& other) const { return nodes_ == other.nodes_; }

  private:
    std::vector<Node> nodes_;
    std::vector<Feature> features_;
};

std::string to_text(const Qualifier& qualifier);
std::string to_text(const Aggregator& aggregator);

}  // namespace stratagem::evaluate::feature_tree
