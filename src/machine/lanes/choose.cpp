#include "machine/lanes/choose.h"

#include <algorithm>
#include <memory>

#include "util/contract.h"

namespace stratagem::machine::lanes {

namespace {

using Number = std::vector<Signal>;  // lowest bit first

// How many bits the numbers 0..most have.
std::size_t width(std::size_t most) {
    std::size_t bits = 0;
    while (most >> bits != 0) ++bits;
    return bits;
}

// The sum, which is known to be at most `most`.
Number add(Logic& logic, const Number& a, const Number& b, std::size_t most) {
    Number sum;
    Signal carry = never;
    const std::size_t bits = width(most);
    for (std::size_t i = 0; i < bits; ++i) {
        const Signal x = i < a.size() ? a[i] : never;
        const Signal y = i < b.size() ? b[i] : never;
        const Signal half = logic.differ(x, y);
        sum.push_back(logic.differ(half, carry));
        carry = logic.most(x, y, carry);
    }
    return sum;
}

class Chooser {
  public:
    Chooser(Logic& logic, std::span<const Signal> candidates)
        : logic_(logic), candidates_(candidates), picked_(candidates.size(), never) {}

    Chosen choose(std::span<const Signal> random) {
        const auto root = count(0, candidates_.size());
        std::vector<Signal> bits(root->number.begin(), root->number.end());
        const Signal some = logic_.any(bits);
        descend(*root, rank(root->number, random), some);
        return {std::move(picked_), !some};
    }

  private:
    // Legal moves among candidates begin..end.
    struct Node {
        std::size_t begin = 0;
        std::size_t end = 0;
        Number number;
        std::unique_ptr<Node> left, right;
    };

    // Leaves of three: their count is one full adder.
    static constexpr std::size_t leaf = 3;

    std::unique_ptr<Node> count(std::size_t begin, std::size_t end) {
        auto node = std::make_unique<Node>();
        node->begin = begin;
        node->end = end;
        const std::size_t size = end - begin;
        if (size <= leaf) {
            const Signal a = candidates_[begin];
            const Signal b = size > 1 ? candidates_[begin + 1] : never;
            const Signal c = size > 2 ? candidates_[begin + 2] : never;
            node->number.push_back(logic_.differ(logic_.differ(a, b), c));
            if (size > 1) node->number.push_back(logic_.most(a, b, c));
            return node;
        }
        // The left half is three times a power of two: full leaves, and small numbers to compare with.
        std::size_t half = leaf;
        while (half * 2 < size) half *= 2;
        node->left = count(begin, begin + half);
        node->right = count(begin + half, end);
        node->number = add(logic_, node->left->number, node->right->number, size);
        return node;
    }

    Number rank(const Number& number, std::span<const Signal> random) {
        const std::size_t most = candidates_.size() - 1;
        if (most == 0) return {};
        if (random.size() == 1) return {logic_.both(random[0], number[1])};  // two candidates: only if both are legal
        Number result(number.size(), never);
        for (const Signal bit : random) {
            Signal carry = never;
            for (std::size_t i = 0; i < number.size(); ++i) {
                const Signal added = logic_.both(bit, number[i]);
                const Signal sum = logic_.differ(logic_.differ(result[i], added), carry);
                carry = logic_.most(result[i], added, carry);
                if (i > 0) result[i - 1] = sum;  // halved on the way
            }
            result[number.size() - 1] = carry;
        }
        result.resize(width(most));
        return result;
    }

    static Signal bit(const Number& number, std::size_t i) { return i < number.size() ? number[i] : never; }

    // Where `active`, the move of this rank among those below the node is picked.
    void descend(const Node& node, const Number& rank, Signal active) {
        if (node.left == nullptr) return pick(node, rank, active);
        // Borrow of rank - count of the left half: the rank lies in the left half.
        const Number& count = node.left->number;
        Number rest;
        Signal borrow = never;
        for (std::size_t i = 0; i < std::max(rank.size(), count.size()); ++i) {
            const Signal r = bit(rank, i);
            const Signal c = bit(count, i);
            rest.push_back(logic_.differ(logic_.differ(r, c), borrow));
            borrow = logic_.most(!r, c, borrow);
        }
        Number left = rank;
        left.resize(std::min(rank.size(), width(node.left->end - node.left->begin - 1)));
        rest.resize(std::min(rest.size(), width(node.right->end - node.right->begin - 1)));
        descend(*node.left, left, logic_.both(active, borrow));
        descend(*node.right, rest, logic_.both(active, !borrow));
    }

    void pick(const Node& node, const Number& rank, Signal active) {
        const std::size_t size = node.end - node.begin;
        const Signal low = bit(rank, 0);
        const Signal high = bit(rank, 1);
        if (size == 1) {
            picked_[node.begin] = active;
            return;
        }
        const Signal a = candidates_[node.begin];
        const Signal first = logic_.both(logic_.both(active, logic_.both(!low, !high)), a);
        picked_[node.begin] = first;
        if (size == 2) {
            picked_[node.begin + 1] = logic_.both(active, !first);
            return;
        }
        const Signal same = logic_.both(!logic_.differ(low, a), !high);  // rank is what the first one counts
        const Signal second = logic_.both(same, logic_.both(active, candidates_[node.begin + 1]));
        picked_[node.begin + 1] = second;
        picked_[node.begin + 2] = logic_.both(logic_.both(active, !first), !second);
    }

    Logic& logic_;
    std::span<const Signal> candidates_;
    std::vector<Signal> picked_;
};

}  // namespace

std::size_t random_bits(std::size_t candidates) {
    if (candidates <= 1) return 0;
    return candidates == 2 ? 1 : resolution + width(candidates);
}

Chosen choose(Logic& logic, std::span<const Signal> candidates, std::span<const Signal> random) {
    STRATAGEM_EXPECTS(random.size() == random_bits(candidates.size()));
    STRATAGEM_EXPECTS(std::ranges::find(candidates, never) == candidates.end());
    if (candidates.empty()) return {{}, always};
    return Chooser(logic, candidates).choose(random);
}

}  // namespace stratagem::machine::lanes
