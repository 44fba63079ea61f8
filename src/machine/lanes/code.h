// Straight-line code bound to memory and ready to run, 512 lanes at a time.
//
// A row is 512 bits, one for each lane, and lies in one of five places: the state before the step, the state after it,
// random bits, results (whatever else is computed) and scratch. Code for narrower words makes several passes over the
// same rows, so what is computed does not depend on the width.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "machine/lanes/row.h"
#include "machine/lanes/straight_line.h"

namespace stratagem::machine::lanes {

enum class Place : std::uint8_t { state, next, random, results };

struct RowName {
    Place place = Place::state;
    std::uint32_t number = 0;
};

// Where the inputs of the code come from and where its outputs go.
struct Binding {
    std::vector<RowName> inputs;
    std::vector<RowName> outputs;
};

struct Frame {
    const Row* state = nullptr;
    Row* next = nullptr;
    const Row* random = nullptr;
    Row* results = nullptr;
    Row* scratch = nullptr;  // at least scratch_rows()
};

class Code {
  public:
    virtual ~Code() = default;

    virtual void run(const Frame& frame) const = 0;
    virtual std::size_t scratch_rows() const = 0;
    // Instructions, or entries of the table.
    virtual std::size_t size() const = 0;
};

// How lanes are run: how many bits one operation works on, and whether it is machine code made for the game.
enum class Width : std::uint8_t { portable64, avx2, avx512 };

struct WidthEntry {
    Width width;
    std::string_view name;  // "64", "256", "512"
    unsigned arity;         // inputs of one operation
};
const WidthEntry& entry_of(Width width);
std::optional<Width> find_width(std::string_view name);
// What this processor (and this build) can do; the portable one always.
bool is_available(Width width);
Width widest();

// Throws std::runtime_error when the machine code cannot be made (memory).
std::unique_ptr<const Code> make_code(const StraightLine& line, const Binding& binding, Width width);

// The two ways, for make_code.
std::unique_ptr<const Code> make_table_code(const StraightLine& line, const Binding& binding);
std::unique_ptr<const Code> make_native_code(const StraightLine& line, const Binding& binding, Width width);
bool native_is_available(Width width);

}  // namespace stratagem::machine::lanes
