#include "util/strongly_connected.h"

#include <algorithm>

namespace stratagem {

namespace {

constexpr std::uint32_t nothing = 0xFFFFFFFFU;

}  // namespace

std::vector<std::uint32_t> strongly_connected(std::uint32_t count, std::span<const std::uint32_t> first,
                                              std::span<const std::uint32_t> targets) {
    struct Visit {
        std::uint32_t node;
        std::uint32_t edge;
    };
    std::vector<std::uint32_t> component(count, nothing);
    std::vector<std::uint32_t> order(count, nothing);  // when a node was first seen
    std::vector<std::uint32_t> low(count, nothing);    // the earliest node known to be reachable and still open
    std::vector<std::uint32_t> open;                   // nodes whose component is not known yet
    std::vector<Visit> path;
    std::uint32_t seen = 0;
    std::uint32_t components = 0;

    const auto enter = [&](std::uint32_t node) {
        order[node] = low[node] = seen++;
        open.push_back(node);
        path.push_back({node, first[node]});
    };
    for (std::uint32_t root = 0; root < count; ++root) {
        if (order[root] != nothing) continue;
        enter(root);
        while (!path.empty()) {
            const std::uint32_t node = path.back().node;
            if (path.back().edge < first[node + 1]) {
                const std::uint32_t target = targets[path.back().edge++];
                if (order[target] == nothing) {
                    enter(target);
                } else if (component[target] == nothing) {
                    low[node] = std::min(low[node], order[target]);
                }
                continue;
            }
            path.pop_back();
            if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[node]);
            if (low[node] != order[node]) continue;
            std::uint32_t member = nothing;
            do {
                member = open.back();
                open.pop_back();
                component[member] = components;
            } while (member != node);
            ++components;
        }
    }
    return component;
}

}  // namespace stratagem
