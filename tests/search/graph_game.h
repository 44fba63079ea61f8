// Random games on a graph, with or without cycles: two players move a token along edges until it comes to an end.
//
// Small enough that what each side can force is worked out by going over all nodes until nothing changes.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "machine/random.h"

namespace stratagem::search::testing {

struct GraphGame {
    static constexpr int open = -1;

    struct Node {
        bool white_moves = true;
        std::vector<std::size_t> edges;  // none: an end
        int goal = 0;                    // for white, of an end; black gets 100 minus this
    };
    std::vector<Node> nodes;

    GraphGame(std::size_t size, bool cycles, std::uint64_t seed) {
        machine::Random random(seed);
        const auto below = [&](std::size_t bound) { return random.below(static_cast<std::uint32_t>(bound)); };
        for (std::size_t i = 0; i < size; ++i) {
            Node node;
            node.white_moves = below(2) == 0;
            const bool end = i > 0 && (i + 1 == size || below(4) == 0);
            const std::size_t edges = end ? 0 : 1 + below(3);
            for (std::size_t k = 0; k < edges; ++k) {
                node.edges.push_back(cycles ? below(size) : i + 1 + below(size - i - 1));
            }
            constexpr int goals[] = {0, 30, 50, 100};
            node.goal = goals[below(4)];
            nodes.push_back(node);
        }
    }

    std::string rules() const {
        std::string text = R"(
            (role white) (role black) (other white black) (other black white)
            (init (at n0))
            (<= (legal ?p (go ?m)) (true (at ?n)) (mover ?n ?p) (edge ?n ?m ?x))
            (<= (legal ?q noop) (true (at ?n)) (mover ?n ?p) (other ?p ?q))
            (<= (next (at ?x)) (true (at ?n)) (mover ?n ?p) (does ?p (go ?m)) (edge ?n ?m ?x))
            (<= terminal (true (at ?n)) (end ?n ?w ?b))
            (<= (goal white ?w) (true (at ?n)) (end ?n ?w ?b))
            (<= (goal black ?b) (true (at ?n)) (end ?n ?w ?b))
        )";
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::string name = "n" + std::to_string(i);
            if (nodes[i].edges.empty()) {
                text += "(end " + name + " " + std::to_string(nodes[i].goal) + " " +
                        std::to_string(100 - nodes[i].goal) + ")\n";
                continue;
            }
            text += "(mover " + name + (nodes[i].white_moves ? " white)" : " black)");
            for (std::size_t k = 0; k < nodes[i].edges.size(); ++k) {
                text += "(edge " + name + " m" + std::to_string(k) + " n" + std::to_string(nodes[i].edges[k]) + ")";
            }
            text += "\n";
        }
        return text;
    }

    // By node: white's goal value if both play well, or open where a side can rather go on for ever.
    std::vector<int> values() const {
        std::vector<int> least(nodes.size(), -1);   // that white can force
        std::vector<int> most(nodes.size(), 1000);  // that black can force
        int best = -1;                              // that can come up at all
        int worst = 1000;
        for (const std::size_t i : reachable()) {
            if (!nodes[i].edges.empty()) continue;
            best = std::max(best, nodes[i].goal);
            worst = std::min(worst, nodes[i].goal);
        }
        for (const int goal : {100, 50, 30, 0}) {
            spread([&](std::size_t i) { return nodes[i].goal >= goal; }, true,
                   [&](std::size_t i) { least[i] = std::max(least[i], goal); });
        }
        for (const int goal : {0, 30, 50, 100}) {
            spread([&](std::size_t i) { return nodes[i].goal <= goal; }, false,
                   [&](std::size_t i) { most[i] = std::min(most[i], goal); });
        }
        std::vector<int> result(nodes.size(), open);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (least[i] == most[i] || least[i] == best) result[i] = least[i];
            if (most[i] == worst) result[i] = worst;
        }
        return result;
    }

    // From the first node.
    std::vector<std::size_t> reachable() const {
        std::vector<std::size_t> found{0};
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (const std::size_t next : nodes[found[i]].edges) {
                if (std::find(found.begin(), found.end(), next) == found.end()) found.push_back(next);
            }
        }
        return found;
    }

  private:
    template <typename Good, typename Reach>
    void spread(Good&& good, bool for_white, Reach&& reach) const {
        std::vector<bool> in(nodes.size(), false);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                if (in[i]) continue;
                const Node& node = nodes[i];
                bool any = false;
                bool all = true;
                for (const std::size_t next : node.edges) {
                    any = any || in[next];
                    all = all && in[next];
                }
                in[i] = node.edges.empty() ? good(i) : node.white_moves == for_white ? any : all;
                changed = changed || in[i];
            }
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (in[i]) reach(i);
        }
    }
};

}  // namespace stratagem::search::testing
