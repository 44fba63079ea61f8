// Code as a table of operations that a loop runs through: the portable way, in words of 64 lanes. The eight words of a
// row are done together, so that what it costs to find out what to do is shared by them.
//
// Each entry is and, and-not, or, xor without a branch: (a & m1) ^ (b & m2) ^ (a & b & m3) ^ m4, with masks by kind. A
// branch by kind would be mispredicted at every other entry.
#include <algorithm>
#include <utility>

#include "machine/lanes/code.h"
#include "machine/lanes/two_input.h"

namespace stratagem::machine::lanes {

namespace {

using Kind = PlainOperation::Kind;

constexpr std::size_t place_count = 5;  // those of rows, and scratch
constexpr std::uint32_t scratch_place = 4;

// A row: in which place, and its number there.
struct Address {
    std::uint32_t code = 0;  // number << 3 | place
};

struct Entry {
    Address a, b, result;
    std::uint32_t kind = 0;
};

struct Masks {
    std::uint64_t a, b, both, inverse;
};
constexpr std::uint64_t on = ~std::uint64_t{0};
constexpr std::array<Masks, 5> masks{
    Masks{0, 0, on, 0},    // both
    Masks{on, 0, on, 0},   // left_only: a ^ (a & b)
    Masks{on, on, on, 0},  // either: a ^ b ^ (a & b)
    Masks{on, on, 0, 0},   // differ
    Masks{on, 0, 0, on},   // invert
};

class TableCode final : public Code {
  public:
    TableCode(const PlainLine& line, const Binding& binding) { build(line, binding); }

    void run(const Frame& frame) const override {
        // Scratch and results are written, the others only read; one table of pointers keeps the loop simple.
        const std::array<Row*, place_count> base{const_cast<Row*>(frame.state), frame.next,
                                                 const_cast<Row*>(frame.random), frame.results, frame.scratch};
        const auto at = [&](Address address) -> Row& { return base[address.code & 7U][address.code >> 3]; };
        for (const Entry& entry : entries_) {
            const Row& a = at(entry.a);
            const Row& b = at(entry.b);
            Row& result = at(entry.result);
            const Masks m = masks[entry.kind];
            Row value;  // apart, since the result may be one of the inputs
            for (std::size_t i = 0; i < row_words; ++i) {
                value.words[i] =
                    ((a.words[i] & m.a) ^ (b.words[i] & m.b) ^ (a.words[i] & b.words[i] & m.both)) ^ m.inverse;
            }
            result = value;
        }
        for (const auto& [address, value] : constants_) at(address) = value ? all_lanes : Row{};
    }
    std::size_t scratch_rows() const override { return slots_; }
    std::size_t size() const override { return entries_.size(); }

  private:
    static Address row(RowName name) { return {name.number << 3 | static_cast<std::uint32_t>(name.place)}; }

    void build(const PlainLine& line, const Binding& binding) {
        const std::size_t values = line.input_count + line.operations.size();
        // When it may go: operation i takes place at time 2i + 1, stores before operation i at 2i.
        std::vector<std::uint32_t> last_use(values, 0);
        for (std::uint32_t i = 0; i < line.operations.size(); ++i) {
            last_use[line.operations[i].a] = 2 * i + 1;
            last_use[line.operations[i].b] = 2 * i + 1;
        }
        for (const Store& store : line.stores) last_use[store.value] = std::max(last_use[store.value], 2 * store.after);
        std::vector<Address> address(values);
        for (Value i = 0; i < line.input_count; ++i) address[i] = row(binding.inputs[i]);
        std::vector<std::uint32_t> free;
        const auto release = [&](Value value, std::uint32_t time) {
            if (value >= line.input_count && last_use[value] == time && (address[value].code & 7U) == scratch_place) {
                free.push_back(address[value].code >> 3);
                last_use[value] = UINT32_MAX;  // once
            }
        };
        std::size_t store = 0;
        for (std::uint32_t i = 0;; ++i) {
            for (; store < line.stores.size() && line.stores[store].after == i; ++store) {
                const Value value = line.stores[store].value;
                // Copies: a ^ nothing.
                entries_.push_back({address[value], address[value], row(binding.outputs[line.stores[store].output]),
                                    static_cast<std::uint32_t>(Kind::both)});
                release(value, 2 * i);
            }
            if (i == line.operations.size()) break;
            const PlainOperation& operation = line.operations[i];
            const Address a = address[operation.a];
            const Address b = address[operation.b];
            release(operation.a, 2 * i + 1);
            release(operation.b, 2 * i + 1);
            auto slot = static_cast<std::uint32_t>(slots_);
            if (free.empty()) {
                ++slots_;
            } else {
                slot = free.back();
                free.pop_back();
            }
            const Value value = line.input_count + i;
            address[value] = {slot << 3 | scratch_place};
            entries_.push_back({a, b, address[value], static_cast<std::uint32_t>(operation.kind)});
        }
        for (const auto& [output, value] : line.constants) constants_.emplace_back(row(binding.outputs[output]), value);
    }

    std::vector<Entry> entries_;
    std::vector<std::pair<Address, bool>> constants_;
    std::size_t slots_ = 0;
};

}  // namespace

std::unique_ptr<const Code> make_table_code(const StraightLine& line, const Binding& binding) {
    return std::make_unique<TableCode>(plain_line(line), binding);
}

}  // namespace stratagem::machine::lanes
