#include "machine/lanes/straight_line.h"

#include <algorithm>

#include "machine/lanes/cover.h"
#include "util/contract.h"

namespace stratagem::machine::lanes {

namespace {

constexpr Value nowhere = UINT32_MAX;

class Compiler {
  public:
    Compiler(const Logic& logic, std::span<const Signal> roots, unsigned arity, const Deadline& deadline)
        : logic_(logic), roots_(roots), cover_(logic, roots, arity, deadline) {}

    StraightLine compile(std::span<const Signal> first) {
        code_.input_count = logic_.input_count();
        place_.assign(logic_.size(), nowhere);
        inverse_.assign(logic_.size(), nowhere);
        for (std::uint32_t node = 1; node < logic_.size(); ++node) {
            if (logic_.is_input(node)) place_[node] = logic_.input_number(node);
        }
        // An operation that is only kept negated is made negated; who uses it sees to that in its own table.
        flipped_.assign(logic_.size(), false);
        std::vector<bool> kept_plain(logic_.size(), false);
        for (const Signal root : roots_) {
            (root.negated() ? flipped_ : kept_plain)[root.node()] = true;
        }
        for (std::uint32_t node = 0; node < logic_.size(); ++node) {
            flipped_[node] = flipped_[node] && !kept_plain[node] && logic_.is_gate(node);
        }
        for (const Signal signal : first) {
            if (cover_.is_used(signal.node())) make(signal.node());
        }
        for (std::uint32_t i = 0; i < roots_.size(); ++i) store(i);
        return std::move(code_);
    }

  private:
    // Post-order, deepest input first: values are made shortly before they are used.
    void make(std::uint32_t root) {
        open_.push_back(root);
        while (!open_.empty()) {
            const std::uint32_t node = open_.back();
            if (place_[node] != nowhere) {
                open_.pop_back();
                continue;
            }
            const Cut& cut = cover_.cut(node);
            bool ready = true;
            for (std::uint32_t i = 0; i < cut.size; ++i) {
                if (place_[cut.leaves[i]] == nowhere) {
                    open_.push_back(cut.leaves[i]);
                    ready = false;
                }
            }
            if (!ready) continue;
            open_.pop_back();
            emit(node, cut);
        }
    }

    void emit(std::uint32_t node, const Cut& cut) {
        Operation operation;
        operation.arity = static_cast<std::uint8_t>(cut.size);
        const std::uint8_t table = cover_.table(node);
        unsigned flips = 0;
        for (std::uint32_t i = 0; i < 3; ++i) {
            const std::uint32_t leaf = cut.leaves[i < cut.size ? i : 0];
            operation.inputs[i] = place_[leaf];
            if (i < cut.size && flipped_[leaf]) flips |= 1U << i;
        }
        for (unsigned row = 0; row < 8; ++row) {
            const bool value = (table >> (row ^ flips) & 1U) != 0;
            if (value != flipped_[node]) operation.table = static_cast<std::uint8_t>(operation.table | 1U << row);
        }
        place_[node] = add(operation);
    }

    Value add(const Operation& operation) {
        code_.operations.push_back(operation);
        return code_.input_count + static_cast<Value>(code_.operations.size()) - 1;
    }

    void store(std::uint32_t output) {
        const Signal root = roots_[output];
        if (root.node() == 0) {
            code_.constants.emplace_back(output, !root.negated());
            return;
        }
        make(root.node());
        Value value = place_[root.node()];
        if (root.negated() != flipped_[root.node()]) {
            if (inverse_[root.node()] == nowhere) inverse_[root.node()] = add({{value, value, value}, 1, 0x55});
            value = inverse_[root.node()];
        }
        code_.stores.push_back({static_cast<std::uint32_t>(code_.operations.size()), output, value});
    }

    const Logic& logic_;
    std::span<const Signal> roots_;
    Cover cover_;
    StraightLine code_;
    std::vector<Value> place_;  // by node
    std::vector<Value> inverse_;
    std::vector<bool> flipped_;  // by node: its operation gives the negation
    std::vector<std::uint32_t> open_;
};

}  // namespace

bool StraightLine::is_consistent() const {
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const Operation& operation = operations[i];
        if (operation.arity < 1 || operation.arity > 3) return false;
        for (const Value input : operation.inputs) {
            if (input >= input_count + i) return false;
        }
    }
    for (std::size_t i = 0; i < stores.size(); ++i) {
        if (stores[i].after > operations.size() || (i > 0 && stores[i].after < stores[i - 1].after)) return false;
        if (stores[i].value >= input_count + stores[i].after) return false;
    }
    return true;
}

StraightLine compile(const Logic& logic, std::span<const Signal> roots, unsigned arity, const Deadline& deadline,
                     std::span<const Signal> first) {
    StraightLine code = Compiler(logic, roots, arity, deadline).compile(first);
    STRATAGEM_ENSURES(code.is_consistent());
    return code;
}

}  // namespace stratagem::machine::lanes
