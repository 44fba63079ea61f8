#include "machine/lanes/logic.h"

#include <utility>

namespace stratagem::machine::lanes {

namespace {

// What simplify answers when there is nothing to simplify; no node has this number.
constexpr Signal undecided = Signal::from_code(0xFFFFFFFFU);

}  // namespace

Logic::Logic() : nodes_(1), is_input_(1, false), slots_(1024, 0) {}

Signal Logic::input() {
    const Signal signal(size(), false);
    nodes_.push_back({Signal::from_code(input_count_++), Signal()});
    is_input_.push_back(true);
    return signal;
}

std::size_t Logic::hash(Signal a, Signal b) {
    std::uint64_t value = (std::uint64_t{a.code()} << 32 | b.code()) * 0x9E3779B97F4A7C15ULL;
    value ^= value >> 29;
    return static_cast<std::size_t>(value * 0xBF58476D1CE4E5B9ULL >> 16);
}

void Logic::grow() {
    std::vector<std::uint32_t> larger(slots_.size() * 2, 0);
    const std::size_t mask = larger.size() - 1;
    for (const std::uint32_t node : slots_) {
        if (node == 0) continue;
        std::size_t slot = hash(nodes_[node].left, nodes_[node].right) & mask;
        while (larger[slot] != 0) slot = (slot + 1) & mask;
        larger[slot] = node;
    }
    slots_ = std::move(larger);
}

// One signal against the inputs of the other, which is a conjunction.
Signal Logic::simplify(Signal a, Signal b) const {
    if (!is_gate(b.node())) return undecided;
    const Node& inner = nodes_[b.node()];
    if (!b.negated()) {
        if (inner.left == a || inner.right == a) return b;        // a and (a and x)
        if (inner.left == !a || inner.right == !a) return never;  // a and (not a and x)
    } else {
        if (inner.left == !a || inner.right == !a) return a;  // a and not (not a and x)
    }
    return undecided;
}

Signal Logic::both(Signal a, Signal b) {
    for (;;) {
        if (a.code() > b.code()) std::swap(a, b);
        if (a == never || a == !b) return never;
        if (a == always || a == b) return b;
        if (const Signal simple = simplify(a, b); simple != undecided) return simple;
        if (const Signal simple = simplify(b, a); simple != undecided) return simple;
        // a and not (a and x) is a and not x.
        const auto shorten = [this](Signal plain, Signal& other) {
            if (!other.negated() || !is_gate(other.node())) return false;
            const Node& inner = nodes_[other.node()];
            if (inner.left == plain) {
                other = !inner.right;
            } else if (inner.right == plain) {
                other = !inner.left;
            } else {
                return false;
            }
            return true;
        };
        if (!shorten(a, b) && !shorten(b, a)) break;
    }
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(a, b) & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
        const Node& known = nodes_[slots_[slot]];
        if (known.left == a && known.right == b) return {slots_[slot], false};
    }
    const std::uint32_t node = size();
    nodes_.push_back({a, b});
    is_input_.push_back(false);
    slots_[slot] = node;
    if (++gate_count_ * 2 > slots_.size()) grow();
    return {node, false};
}

// Two at a time onto one running result: three inputs make one instruction later, and a chain keeps one value alive
// where a balanced tree would keep several.
Signal Logic::all(const std::vector<Signal>& signals) {
    if (signals.empty()) return always;
    // What is itself a conjunction can only be merged with the running result alone; so pairs are made of the others.
    std::vector<Signal> plain;
    Signal result = always;
    for (const Signal signal : signals) {
        if (is_gate(signal.node())) {
            result = both(result, signal);
        } else {
            plain.push_back(signal);
        }
    }
    std::size_t i = 0;
    if (result == always && plain.size() % 2 == 1) result = plain[i++];
    for (; i + 1 < plain.size(); i += 2) result = both(result, both(plain[i], plain[i + 1]));
    if (i < plain.size()) result = both(result, plain[i]);
    return result;
}

Signal Logic::any(std::vector<Signal> signals) {
    for (Signal& signal : signals) signal = !signal;
    return !all(signals);
}

}  // namespace stratagem::machine::lanes
