// Automorphisms of a coloured graph: nauty behind one call.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "machine/stop.h"

namespace stratagem::analysis {

// Nodes with colours and edges without direction.
class ColouredGraph {
  public:
    std::uint32_t add(std::uint32_t colour) {
        colours_.push_back(colour);
        return static_cast<std::uint32_t>(colours_.size() - 1);
    }
    void join(std::uint32_t a, std::uint32_t b) { edges_.emplace_back(a, b); }

    std::size_t size() const { return colours_.size(); }
    const std::vector<std::uint32_t>& colours() const { return colours_; }
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges() const { return edges_; }

  private:
    std::vector<std::uint32_t> colours_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

struct Automorphisms {
    std::vector<std::vector<int>> generators;  // by node: what it becomes
    double size = 1;                           // of the group they generate
    bool complete = false;                     // false: time was up, or there were too many generators
};

// Pre: the graph has a node.
Automorphisms find_automorphisms(const ColouredGraph& coloured, const machine::Stop& stop);

}  // namespace stratagem::analysis
