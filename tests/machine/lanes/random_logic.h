// Random logic for tests of the passes from logic to code, with two ways to know what it means: what each signal was
// asked to be, kept aside while building, and the evaluation of the graph. Each word is 64 assignments of the inputs.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "machine/lanes/straight_line.h"
#include "machine/lanes/two_input.h"
#include "machine/random.h"

namespace stratagem::machine::lanes::testing {

using Words = std::vector<std::uint64_t>;

inline std::uint64_t signed_word(Signal signal, std::uint64_t word) { return signal.negated() ? ~word : word; }

// By node.
inline Words evaluate(const Logic& logic, std::span<const std::uint64_t> inputs) {
    Words value(logic.size(), ~std::uint64_t{0});
    for (std::uint32_t node = 1; node < logic.size(); ++node) {
        if (logic.is_input(node)) {
            value[node] = inputs[logic.input_number(node)];
            continue;
        }
        const auto [left, right] = logic.node(node);
        value[node] = signed_word(left, value[left.node()]) & signed_word(right, value[right.node()]);
    }
    return value;
}

// By output; what no store and no constant gives is 0xABAD.
inline Words evaluate(const StraightLine& line, std::span<const std::uint64_t> inputs, std::size_t outputs) {
    Words value(inputs.begin(), inputs.end());
    for (const Operation& operation : line.operations) {
        std::uint64_t result = 0;
        for (unsigned row = 0; row < 8; ++row) {
            std::uint64_t here = (operation.table >> row & 1U) != 0 ? ~std::uint64_t{0} : 0;
            for (unsigned i = 0; i < 3; ++i) {
                const std::uint64_t input = value[operation.inputs[i]];
                here &= (row >> i & 1U) != 0 ? input : ~input;
            }
            result |= here;
        }
        value.push_back(result);
    }
    Words result(outputs, 0xABAD);
    for (const Store& store : line.stores) result[store.output] = value[store.value];
    for (const auto& [output, constant] : line.constants) result[output] = constant ? ~std::uint64_t{0} : 0;
    return result;
}

inline Words evaluate(const PlainLine& line, std::span<const std::uint64_t> inputs, std::size_t outputs) {
    using Kind = PlainOperation::Kind;
    Words value(inputs.begin(), inputs.end());
    for (const PlainOperation& operation : line.operations) {
        const std::uint64_t a = value[operation.a];
        const std::uint64_t b = value[operation.b];
        switch (operation.kind) {
            case Kind::both:
                value.push_back(a & b);
                break;
            case Kind::left_only:
                value.push_back(a & ~b);
                break;
            case Kind::either:
                value.push_back(a | b);
                break;
            case Kind::differ:
                value.push_back(a ^ b);
                break;
            case Kind::invert:
                value.push_back(~a);
                break;
        }
    }
    Words result(outputs, 0xABAD);
    for (const Store& store : line.stores) result[store.output] = value[store.value];
    for (const auto& [output, constant] : line.constants) result[output] = constant ? ~std::uint64_t{0} : 0;
    return result;
}

class RandomLogic {
  public:
    RandomLogic(std::uint64_t seed, std::size_t inputs, std::size_t operations) : random_(seed) {
        keep(always, ~std::uint64_t{0});
        for (std::size_t i = 0; i < inputs; ++i) {
            values.push_back(random_.next());
            keep(logic.input(), values.back());
        }
        for (std::size_t i = 0; i < operations; ++i) add();
    }

    Logic logic;
    Words values;                 // of the inputs
    std::vector<Signal> signals;  // the constant, inputs, results of operations
    Words meant;                  // what they are to be

    // Some of the signals, often negated, some of them twice.
    std::pair<std::vector<Signal>, Words> roots(std::size_t count) {
        std::pair<std::vector<Signal>, Words> result;
        for (std::size_t i = 0; i < count; ++i) {
            const auto [signal, word] = any();
            result.first.push_back(signal);
            result.second.push_back(word);
        }
        return result;
    }

    Random& random() { return random_; }

  private:
    using Meant = std::pair<Signal, std::uint64_t>;

    // Mostly recent ones, which makes the graph deep.
    Meant any() {
        const auto size = static_cast<std::uint32_t>(signals.size());
        const std::uint32_t near = size < 12 || random_.below(3) == 0 ? size : 12;
        const std::uint32_t i = size - 1 - random_.below(near);
        return random_.below(2) == 0 ? Meant{signals[i], meant[i]} : Meant{!signals[i], ~meant[i]};
    }

    void keep(Signal signal, std::uint64_t word) {
        signals.push_back(signal);
        meant.push_back(word);
    }

    void add() {
        const auto [a, x] = any();
        const auto [b, y] = any();
        const auto [c, z] = any();
        switch (random_.below(7)) {
            case 0:
                return keep(logic.both(a, b), x & y);
            case 1:
                return keep(logic.either(a, b), x | y);
            case 2:
                return keep(logic.differ(a, b), x ^ y);
            case 3:
                return keep(logic.choose(a, b, c), (x & y) | (~x & z));
            case 4:
                return keep(logic.most(a, b, c), (x & y) | (x & z) | (y & z));
            default:
                return add_many();
        }
    }

    void add_many() {
        std::vector<Signal> list;
        std::uint64_t all = ~std::uint64_t{0};
        std::uint64_t some = 0;
        for (std::uint32_t i = random_.below(6); i-- > 0;) {
            const auto [signal, word] = any();
            list.push_back(signal);
            all &= word;
            some |= word;
        }
        if (random_.below(2) == 0) return keep(logic.all(list), all);
        keep(logic.any(list), some);
    }

    Random random_;
};

}  // namespace stratagem::machine::lanes::testing
