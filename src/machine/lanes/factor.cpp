#include "machine/lanes/factor.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace stratagem::machine::lanes {

namespace {

using Pair = std::uint64_t;  // two codes of signals, the smaller one first

Pair pair_of(Signal a, Signal b) {
    const std::uint64_t x = std::min(a.code(), b.code());
    const std::uint64_t y = std::max(a.code(), b.code());
    return x << 32 | y;
}

struct MixPair {
    std::size_t operator()(Pair pair) const {
        pair *= 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(pair ^ pair >> 31);
    }
};

class Factorer {
  public:
    // Pairs of a gate grow with the square of its inputs; beyond these sizes only what is small is looked at.
    static constexpr std::size_t widest_gate = 40;
    static constexpr std::size_t most_pairs = 2'000'000;

    Factorer(GateInputs& gates, const Deadline& deadline) : gates_(gates), deadline_(deadline) {}

    void run() {
        for (std::uint32_t node = 0; node < gates_.size(); ++node) {
            if (!takes_part(node)) continue;
            for (const Signal signal : gates_[node]) users_[signal.code()].push_back(node);
            for_each_pair(gates_[node], [&](Pair pair) { ++count_[pair]; });
            if (count_.size() > most_pairs) break;
        }
        for (const auto& [pair, count] : count_) {
            if (count >= 2) queue_.push({count, ~pair});
        }
        std::size_t rounds = 0;
        while (!queue_.empty()) {
            if ((++rounds & 255U) == 0 && deadline_.expired()) return;
            const auto [count, inverse] = queue_.top();
            queue_.pop();
            const Pair pair = ~inverse;
            const auto known = count_.find(pair);
            if (known == count_.end() || known->second < 2) continue;
            if (known->second != count) {
                queue_.push({known->second, inverse});  // what was queued is out of date
                continue;
            }
            extract(Signal::from_code(static_cast<std::uint32_t>(pair >> 32)),
                    Signal::from_code(static_cast<std::uint32_t>(pair)));
        }
    }

  private:
    bool takes_part(std::uint32_t node) const { return gates_[node].size() >= 2 && gates_[node].size() <= widest_gate; }

    template <typename Visitor>
    static void for_each_pair(const std::vector<Signal>& signals, Visitor&& visit) {
        for (std::size_t i = 0; i < signals.size(); ++i) {
            for (std::size_t k = i + 1; k < signals.size(); ++k) visit(pair_of(signals[i], signals[k]));
        }
    }

    void extract(Signal a, Signal b) {
        // A gate that is just this pair is the shared gate; else there is a new one.
        std::vector<std::uint32_t> both;
        const auto& fewer = users_[a.code()].size() < users_[b.code()].size() ? users_[a.code()] : users_[b.code()];
        for (const std::uint32_t node : fewer) {
            const auto& inputs = gates_[node];
            if (std::find(inputs.begin(), inputs.end(), a) != inputs.end() &&
                std::find(inputs.begin(), inputs.end(), b) != inputs.end()) {
                both.push_back(node);
            }
        }
        std::sort(both.begin(), both.end());
        both.erase(std::unique(both.begin(), both.end()), both.end());
        count_.erase(pair_of(a, b));
        if (both.size() < 2) return;
        const auto same =
            std::find_if(both.begin(), both.end(), [&](std::uint32_t n) { return gates_[n].size() == 2; });
        auto shared = static_cast<std::uint32_t>(gates_.size());
        if (same != both.end()) {
            shared = *same;
        } else {
            gates_.push_back({a, b});
            users_[a.code()].push_back(shared);
            users_[b.code()].push_back(shared);
        }
        const Signal pair(shared, false);
        for (const std::uint32_t node : both) {
            if (node == shared) continue;
            std::vector<Signal>& inputs = gates_[node];
            std::erase_if(inputs, [&](Signal s) { return s == a || s == b; });
            for (const Signal other : inputs) {
                lower(pair_of(a, other));
                lower(pair_of(b, other));
                raise(pair_of(pair, other));
            }
            inputs.push_back(pair);
            users_[pair.code()].push_back(node);
        }
    }

    void lower(Pair pair) {
        const auto known = count_.find(pair);
        if (known != count_.end() && known->second > 0) --known->second;
    }
    void raise(Pair pair) {
        const std::uint32_t count = ++count_[pair];
        if (count >= 2) queue_.push({count, ~pair});
    }

    GateInputs& gates_;
    const Deadline& deadline_;
    std::unordered_map<Pair, std::uint32_t, MixPair> count_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> users_;  // by code of the signal; may be out of date
    // Most frequent first; among equals the smallest pair, so that the result is the same in every run.
    std::priority_queue<std::pair<std::uint32_t, Pair>> queue_;
};

}  // namespace

GateInputs factor(const GateGraph& graph, const std::vector<bool>& needed, const Deadline& deadline) {
    GateInputs gates(graph.nodes.size());
    for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
        if (graph.nodes[node].kind != NodeKind::gate || !needed[node]) continue;
        const auto inputs = graph.inputs_of(node);
        gates[node].assign(inputs.begin(), inputs.end());
    }
    Factorer(gates, deadline).run();
    return gates;
}

}  // namespace stratagem::machine::lanes
