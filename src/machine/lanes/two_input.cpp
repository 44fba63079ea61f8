#include "machine/lanes/two_input.h"

#include <stdexcept>
#include <utility>

#include "util/literal.h"

namespace stratagem::machine::lanes {

namespace {

using Kind = PlainOperation::Kind;

using Reference = stratagem::Literal<Value>;

class Translator {
  public:
    explicit Translator(const StraightLine& line) : line_(line) {
        result_.input_count = line.input_count;
        result_.constants = line.constants;
        for (Value i = 0; i < line.input_count; ++i) references_.emplace_back(i);
    }

    PlainLine translate() {
        std::size_t store = 0;
        for (std::size_t i = 0; i <= line_.operations.size(); ++i) {
            for (; store < line_.stores.size() && line_.stores[store].after == i; ++store) keep(line_.stores[store]);
            if (i < line_.operations.size()) references_.push_back(define(line_.operations[i]));
        }
        return std::move(result_);
    }

  private:
    Value add(Kind kind, Value a, Value b) {
        result_.operations.push_back({kind, a, b});
        return result_.input_count + static_cast<Value>(result_.operations.size()) - 1;
    }

    Reference define(const Operation& operation) {
        if (operation.arity > 2) throw std::logic_error("an operation of three inputs where two are the most");
        const Reference a = references_[operation.inputs[0]];
        const Reference b = references_[operation.inputs[1]];
        const unsigned flips = (a.negated() ? 1U : 0U) | (b.negated() ? 2U : 0U);
        unsigned table = 0;
        for (unsigned row = 0; row < 4; ++row) table |= (operation.table >> (row ^ flips) & 1U) << row;
        if (operation.arity == 1) table = (table & 1U) != 0 ? 0x5U : 0xAU;
        switch (table) {
            case 0x8:
                return {add(Kind::both, a.node(), b.node()), false};
            case 0x7:
                return {add(Kind::both, a.node(), b.node()), true};
            case 0x2:
                return {add(Kind::left_only, a.node(), b.node()), false};
            case 0xD:
                return {add(Kind::left_only, a.node(), b.node()), true};
            case 0x4:
                return {add(Kind::left_only, b.node(), a.node()), false};
            case 0xB:
                return {add(Kind::left_only, b.node(), a.node()), true};
            case 0xE:
                return {add(Kind::either, a.node(), b.node()), false};
            case 0x1:
                return {add(Kind::either, a.node(), b.node()), true};
            case 0x6:
                return {add(Kind::differ, a.node(), b.node()), false};
            case 0x9:
                return {add(Kind::differ, a.node(), b.node()), true};
            case 0xA:
                return {a.node(), false};
            case 0x5:
                return {a.node(), true};
            case 0xC:
                return {b.node(), false};
            case 0x3:
                return {b.node(), true};
            default:
                return {add(Kind::differ, a.node(), a.node()), table != 0};
        }
    }

    void keep(const Store& store) {
        const Reference reference = references_[store.value];
        const Value value =
            reference.negated() ? add(Kind::invert, reference.node(), reference.node()) : reference.node();
        result_.stores.push_back({static_cast<std::uint32_t>(result_.operations.size()), store.output, value});
    }

    const StraightLine& line_;
    PlainLine result_;
    std::vector<Reference> references_;
};

}  // namespace

PlainLine plain_line(const StraightLine& line) { return Translator(line).translate(); }

}  // namespace stratagem::machine::lanes
