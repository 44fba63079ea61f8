// Choosing which nodes of a graph become operations, and of which inputs. See straight_line.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "machine/lanes/logic.h"
#include "util/deadline.h"

namespace stratagem::machine::lanes {

// The inputs of one operation: nodes that together decide the value of a node.
struct Cut {
    std::array<std::uint32_t, 3> leaves{};  // ascending
    std::uint32_t size = 0;
    std::uint32_t visits = 0;  // of nodes, when the function is worked out from the leaves
};

class Cover {
  public:
    Cover(const Logic& logic, std::span<const Signal> roots, unsigned arity, const Deadline& deadline);

    // Nothing for nodes that do not become operations.
    bool is_used(std::uint32_t node) const { return uses_[node] > 0 && logic_.is_gate(node); }
    const Cut& cut(std::uint32_t node) const { return best_[node]; }
    // The function of a cut as a table.
    std::uint8_t table(std::uint32_t node) const;

  private:
    static constexpr std::uint32_t most_cuts = 5;  // kept for each node; more found nothing better in measurements

    void find_cuts(std::uint32_t node);
    void add(std::uint32_t node, const Cut& cut, double flow);
    double flow_of(const Cut& cut) const;
    template <bool taking>
    std::uint32_t change(std::uint32_t node);
    void count_uses(std::span<const Signal> roots);
    std::uint8_t evaluate(std::uint32_t node, const Cut& cut) const;

    const Logic& logic_;
    unsigned arity_;
    std::vector<Cut> cuts_;            // most_cuts for each node
    std::vector<double> cut_flow_;     // the same
    std::vector<std::uint8_t> count_;  // cuts of a node
    std::vector<double> flow_;         // of the best cut
    std::vector<Cut> best_;
    std::vector<std::uint32_t> fanout_;
    std::vector<std::uint32_t> uses_;                            // by operations and roots
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open_;  // work space: nodes and how deep they are
};

}  // namespace stratagem::machine::lanes
