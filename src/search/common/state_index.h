// A set of states that numbers them in the order they came. Exact: states are compared, not only their hashes.
//
// Split by the hash into parts that grow one at a time, so that no insertion takes long even among millions of states.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "machine/state.h"
#include "util/contract.h"

namespace stratagem::search {

class StateIndex {
  public:
    using Number = std::uint32_t;
    static constexpr std::size_t most_states = UINT32_MAX;  // so many can be numbered

    std::size_t size() const { return states_.size(); }
    // Of the states, the tables and the allocations.
    std::size_t bytes() const { return bytes_; }
    const machine::State& state(Number number) const { return states_[number]; }

    // Nothing when it is not there.
    std::optional<Number> find(const machine::State& state) const {
        const Part& part = parts_[part_of(state)];
        const Number number = part.table.empty() ? free : part.table[place_of(part, state)];
        return number == free ? std::nullopt : std::optional(number);
    }
    // Its number, and whether it is new. Pre: fewer than `most_states`.
    std::pair<Number, bool> insert(const machine::State& state) {
        STRATAGEM_EXPECTS(states_.size() < most_states);
        Part& part = parts_[part_of(state)];
        if ((part.count + 1) * 2 > part.table.size()) grow(part);
        Number& number = part.table[place_of(part, state)];
        if (number != free) return {number, false};
        number = static_cast<Number>(states_.size());
        ++part.count;
        states_.push_back(state);
        constexpr std::size_t bytes_of_allocation = 16;
        bytes_ += sizeof(machine::State) + bytes_of_allocation + state.words().size_bytes();
        return {number, true};
    }

  private:
    static constexpr Number free = UINT32_MAX;  // a place of a table without a state
    static constexpr std::size_t part_count = 64;
    static constexpr unsigned part_shift = 58;

    struct Part {
        std::vector<Number> table;  // open addressing
        std::size_t count = 0;
    };

    static std::size_t part_of(const machine::State& state) { return state.hash() >> part_shift; }
    // Where it is, or where it would be.
    std::size_t place_of(const Part& part, const machine::State& state) const {
        const std::size_t mask = part.table.size() - 1;
        std::size_t place = state.hash() & mask;
        while (part.table[place] != free && !(states_[part.table[place]] == state)) place = (place + 1) & mask;
        return place;
    }
    void grow(Part& part) {
        std::vector<Number> old(part.table.empty() ? 16 : part.table.size() * 2, free);
        bytes_ += (old.size() - part.table.size()) * sizeof(Number);
        old.swap(part.table);
        const std::size_t mask = part.table.size() - 1;
        for (const Number number : old) {
            if (number == free) continue;
            std::size_t place = states_[number].hash() & mask;
            while (part.table[place] != free) place = (place + 1) & mask;
            part.table[place] = number;
        }
    }

    std::deque<machine::State> states_;
    std::array<Part, part_count> parts_;
    std::size_t bytes_ = 0;
};

}  // namespace stratagem::search
