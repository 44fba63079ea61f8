#include "machine/lanes/cover.h"

#include <algorithm>
#include <stdexcept>

namespace stratagem::machine::lanes {

namespace {

bool contains(const Cut& larger, const Cut& smaller) {
    return std::includes(larger.leaves.begin(), larger.leaves.begin() + larger.size, smaller.leaves.begin(),
                         smaller.leaves.begin() + smaller.size);
}

// False when the leaves of both are more than `arity`, or too much lies above them: where few inputs decide everything,
// all nodes could have the inputs as leaves, and there are exponentially many ways down to them.
bool merge(const Cut& a, const Cut& b, unsigned arity, Cut& result) {
    constexpr std::uint32_t most_visits = 100;
    result.visits = a.visits + b.visits + 1;
    if (result.visits > most_visits) return false;
    std::uint32_t i = 0;
    std::uint32_t k = 0;
    result.size = 0;
    while (i < a.size || k < b.size) {
        if (result.size == arity) return false;
        std::uint32_t leaf = 0;
        if (k == b.size || (i < a.size && a.leaves[i] <= b.leaves[k])) {
            leaf = a.leaves[i];
            if (k < b.size && b.leaves[k] == leaf) ++k;
            ++i;
        } else {
            leaf = b.leaves[k++];
        }
        result.leaves[result.size++] = leaf;
    }
    return true;
}

Cut single(std::uint32_t node) { return {{node, 0, 0}, 1, 0}; }

}  // namespace

Cover::Cover(const Logic& logic, std::span<const Signal> roots, unsigned arity, const Deadline& deadline)
    : logic_(logic), arity_(arity) {
    const std::uint32_t size = logic.size();
    fanout_.assign(size, 0);
    std::vector<bool> needed(size, false);
    for (const Signal root : roots) {
        needed[root.node()] = true;
        ++fanout_[root.node()];
    }
    for (std::uint32_t node = size; node-- > 0;) {
        if (!needed[node] || !logic.is_gate(node)) continue;
        for (const Signal input : {logic.node(node).left, logic.node(node).right}) {
            needed[input.node()] = true;
            ++fanout_[input.node()];
        }
    }
    cuts_.resize(std::size_t{size} * most_cuts);
    cut_flow_.resize(cuts_.size());
    count_.assign(size, 0);
    flow_.assign(size, 0);
    best_.resize(size);
    uses_.assign(size, 0);
    for (std::uint32_t node = 0; node < size; ++node) {
        if ((node & 0xFFFFU) == 0 && deadline.expired()) throw std::runtime_error("time ran out while building lanes");
        if (needed[node] && logic.is_gate(node)) find_cuts(node);
    }
    count_uses(roots);
    // Exact local area: what each cut would cost, given what all the others use.
    for (int round = 0; round < 2 && !deadline.expired(); ++round) {
        for (std::uint32_t node = 0; node < size; ++node) {
            if (!is_used(node) || count_[node] < 2) continue;
            change<false>(node);
            std::uint32_t least = UINT32_MAX;
            Cut choice = best_[node];
            for (std::uint32_t i = 0; i < count_[node]; ++i) {
                best_[node] = cuts_[std::size_t{node} * most_cuts + i];
                const std::uint32_t cost = change<true>(node);
                change<false>(node);
                if (cost < least) {
                    least = cost;
                    choice = best_[node];
                }
            }
            best_[node] = choice;
            change<true>(node);
        }
        count_uses(roots);
    }
    cuts_ = {};
    cut_flow_ = {};
}

double Cover::flow_of(const Cut& cut) const {
    double flow = 1;
    for (std::uint32_t i = 0; i < cut.size; ++i) {
        flow += flow_[cut.leaves[i]] / std::max(1U, fanout_[cut.leaves[i]]);
    }
    return flow;
}

void Cover::add(std::uint32_t node, const Cut& cut, double flow) {
    const std::size_t first = std::size_t{node} * most_cuts;
    std::uint32_t& count = best_[node].size;  // borrowed while cuts are being found
    for (std::uint32_t i = 0; i < count; ++i) {
        if (contains(cut, cuts_[first + i])) return;
    }
    std::uint32_t place = 0;
    while (place < count && cut_flow_[first + place] <= flow) ++place;
    if (place == most_cuts) return;
    count = std::min(count + 1, most_cuts);
    for (std::uint32_t i = count - 1; i > place; --i) {
        cuts_[first + i] = cuts_[first + i - 1];
        cut_flow_[first + i] = cut_flow_[first + i - 1];
    }
    cuts_[first + place] = cut;
    cut_flow_[first + place] = flow;
}

void Cover::find_cuts(std::uint32_t node) {
    const std::uint32_t left = logic_.node(node).left.node();
    const std::uint32_t right = logic_.node(node).right.node();
    best_[node].size = 0;
    for (std::uint32_t i = 0; i <= count_[left]; ++i) {
        const Cut a = i == 0 ? single(left) : cuts_[std::size_t{left} * most_cuts + i - 1];
        for (std::uint32_t k = 0; k <= count_[right]; ++k) {
            const Cut b = k == 0 ? single(right) : cuts_[std::size_t{right} * most_cuts + k - 1];
            Cut both;
            if (merge(a, b, arity_, both)) add(node, both, flow_of(both));
        }
    }
    count_[node] = static_cast<std::uint8_t>(best_[node].size);
    flow_[node] = cut_flow_[std::size_t{node} * most_cuts];
    best_[node] = cuts_[std::size_t{node} * most_cuts];
}

// Puts the node's operation and whatever only it needs into use, or out of use again; returns how many operations that
// concerns. Only looks some levels deep: a long chain would be walked from each of its nodes. What is wrong below is
// put right by count_uses().
template <bool taking>
std::uint32_t Cover::change(std::uint32_t node) {
    constexpr std::uint32_t deepest = 8;
    std::uint32_t cost = 0;
    open_.assign(1, {node, 0});
    while (!open_.empty()) {
        const auto [top, depth] = open_.back();
        open_.pop_back();
        const Cut& cut = best_[top];
        ++cost;
        for (std::uint32_t i = 0; i < cut.size; ++i) {
            std::uint32_t& uses = uses_[cut.leaves[i]];
            if constexpr (!taking) --uses;
            const bool concerned = uses == 0 && logic_.is_gate(cut.leaves[i]);
            if constexpr (taking) ++uses;
            if (concerned && depth < deepest) open_.emplace_back(cut.leaves[i], depth + 1);
        }
    }
    return cost;
}

void Cover::count_uses(std::span<const Signal> roots) {
    std::fill(uses_.begin(), uses_.end(), 0);
    for (const Signal root : roots) ++uses_[root.node()];
    for (std::uint32_t node = logic_.size(); node-- > 0;) {
        if (!is_used(node)) continue;
        for (std::uint32_t i = 0; i < best_[node].size; ++i) ++uses_[best_[node].leaves[i]];
    }
}

// Between a node and its leaves lie few nodes (see merge), so recursion is shallow.
std::uint8_t Cover::evaluate(std::uint32_t node, const Cut& cut) const {
    static constexpr std::array<std::uint8_t, 3> columns{0xAA, 0xCC, 0xF0};
    for (std::uint32_t i = 0; i < cut.size; ++i) {
        if (cut.leaves[i] == node) return columns[i];
    }
    const auto side = [&](Signal signal) {
        const std::uint8_t value = evaluate(signal.node(), cut);
        return static_cast<std::uint8_t>(signal.negated() ? ~value : value);
    };
    return static_cast<std::uint8_t>(side(logic_.node(node).left) & side(logic_.node(node).right));
}

std::uint8_t Cover::table(std::uint32_t node) const { return evaluate(node, best_[node]); }

}  // namespace stratagem::machine::lanes
