// Which value is in which register, for code without jumps.
//
// The future is known, so the value that is needed again latest makes room (Belady, 1966). A value that makes room and
// is still needed goes to scratch memory unless it is in memory already (inputs always are).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "machine/lanes/straight_line.h"

namespace stratagem::machine::lanes {

using Register = std::uint32_t;
inline constexpr Register no_register = UINT32_MAX;

// All uses of all values, in the order of time.
class Uses {
  public:
    // Call for every use, times ascending for each value; then seal().
    explicit Uses(std::size_t values) : first_(values + 1, 0) {}
    void count(Value value) { ++first_[value + 1]; }
    void seal();
    void add(Value value, std::uint32_t time);

    static constexpr std::uint32_t not_again = UINT32_MAX;
    // The first use later than those passed.
    std::uint32_t next(Value value) const {
        return position_[value] < first_[value + 1] ? times_[position_[value]] : not_again;
    }
    // The use at `time`, if that is the next one, has happened.
    void pass(Value value, std::uint32_t time) {
        while (next(value) <= time) ++position_[value];
    }
    void rewind();

  private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> position_;
    std::vector<std::uint32_t> times_;
};

class Registers {
  public:
    // `spill` stores a register to memory and must make in_memory() true from then on.
    Registers(std::uint32_t count, std::size_t values, Uses& uses, std::function<bool(Value)> in_memory,
              std::function<void(Value, Register)> spill);

    Register of(Value value) const { return register_[value]; }
    // A register for a value; others than `kept` may lose theirs. Pre: uses before now are passed.
    Register take(Value value, std::span<const Value> kept, std::uint32_t now);
    void release(Value value);
    // The register now holds another value.
    void hand_over(Value from, Value to);

  private:
    Uses& uses_;
    std::function<bool(Value)> in_memory_;
    std::function<void(Value, Register)> spill_;
    std::vector<Register> register_;  // by value
    std::vector<Value> value_;        // by register
    std::vector<Register> free_;
};

}  // namespace stratagem::machine::lanes
