// The text as a tree: lists and words with their places, comments beside them.
//
// Both notations (prefix KIF and infix) are read into this one form; from here on nothing knows which it was.
// It is what the formatter prints (comments are kept) and what the builder turns into rules. In infix,
// p(X) :- q(X), ~r(X) becomes the tree of (<= (p ?x) (q ?x) (not (r ?x))).
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/source.h"
#include "gdl/symbol.h"

namespace stratagem::gdl {

enum class Node : std::uint32_t { none = 0xFFFFFFFFU };

constexpr std::uint32_t index(Node node) { return static_cast<std::uint32_t>(node); }

enum class NodeKind : std::uint8_t { word, variable, list };

struct SyntaxNode {
    Span span;
    Node first_child = Node::none;
    Node next_sibling = Node::none;
    Symbol symbol{};  // of a word or variable (without the question mark)
    NodeKind kind = NodeKind::word;
};

// The text of a comment includes its marker (';' or '%') but no line break.
struct Comment {
    Span span;
    bool own_line = false;  // nothing but blanks before it on its line
};

enum class Notation : std::uint8_t { kif, infix };

// Limits that keep hostile input cheap. Real descriptions stay far below: nesting under 20, arity under 40.
inline constexpr std::uint32_t max_nesting = 1000;
inline constexpr std::uint32_t max_arity = 1000;
inline constexpr std::uint32_t max_word_bytes = 64 * 1024;

class SyntaxTree {
  public:
    Notation notation = Notation::kif;
    std::vector<SyntaxNode> nodes;
    std::vector<Node> statements;  // top-level forms in the order of the text
    std::vector<Comment> comments;

    const SyntaxNode& operator[](Node node) const { return nodes[index(node)]; }
    SyntaxNode& operator[](Node node) { return nodes[index(node)]; }

    // Iteration over the children of a list: for (Node child : tree.children(node)).
    class ChildRange;
    ChildRange children(Node node) const;
};

class SyntaxTree::ChildRange {
  public:
    class Iterator {
      public:
        Iterator(const SyntaxTree* tree, Node node) : tree_(tree), node_(node) {}
        Node operator*() const { return node_; }
        Iterator& operator++() {
            node_ = (*tree_)[node_].next_sibling;
            return *this;
        }
        bool operator==(const Iterator& other) const { return node_ == other.node_; }

      private:
        const SyntaxTree* tree_;
        Node node_;
    };

    ChildRange(const SyntaxTree* tree, Node first) : tree_(tree), first_(first) {}
    Iterator begin() const { return {tree_, first_}; }
    Iterator end() const { return {tree_, Node::none}; }

  private:
    const SyntaxTree* tree_;
    Node first_;
};

inline SyntaxTree::ChildRange SyntaxTree::children(Node node) const { return {this, (*this)[node].first_child}; }

}  // namespace stratagem::gdl
