// Strongly connected components of a graph (Tarjan 1972), without recursion.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stratagem {

// For each of `count` nodes the number of its strongly connected component; the edges of node i are
// targets[first[i]] to targets[first[i + 1] - 1]. A component is numbered after all components it can reach.
std::vector<std::uint32_t> strongly_connected(std::uint32_t count, std::span<const std::uint32_t> first,
                                              std::span<const std::uint32_t> targets);

}  // namespace stratagem
