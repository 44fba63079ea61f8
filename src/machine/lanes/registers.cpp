#include "machine/lanes/registers.h"

#include <algorithm>
#include <utility>

#include "util/contract.h"

namespace stratagem::machine::lanes {

namespace {

constexpr Value no_value = UINT32_MAX;

}  // namespace

void Uses::seal() {
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    times_.resize(first_.back());
    rewind();
}

void Uses::rewind() { position_.assign(first_.begin(), first_.end() - 1); }

void Uses::add(Value value, std::uint32_t time) { times_[position_[value]++] = time; }

Registers::Registers(std::uint32_t count, std::size_t values, Uses& uses, std::function<bool(Value)> in_memory,
                     std::function<void(Value, Register)> spill)
    : uses_(uses),
      in_memory_(std::move(in_memory)),
      spill_(std::move(spill)),
      register_(values, no_register),
      value_(count, no_value) {
    for (Register i = count; i-- > 0;) free_.push_back(i);
}

Register Registers::take(Value value, std::span<const Value> kept, std::uint32_t now) {
    if (free_.empty()) {
        Register latest = no_register;
        std::uint64_t when = 0;
        for (Register i = 0; i < value_.size(); ++i) {
            if (std::find(kept.begin(), kept.end(), value_[i]) != kept.end()) continue;
            // What is in memory needs no store, and later reads are operands that cost next to nothing.
            constexpr std::uint64_t advantage = 8;
            const std::uint64_t next = uses_.next(value_[i]);
            STRATAGEM_EXPECTS(next >= now);
            const std::uint64_t late =
                next == Uses::not_again ? UINT64_MAX : (next - now) * (in_memory_(value_[i]) ? advantage : 1);
            if (latest == no_register || late > when) {
                latest = i;
                when = late;
            }
        }
        const Value victim = value_[latest];
        if (uses_.next(victim) != Uses::not_again && !in_memory_(victim)) spill_(victim, latest);
        release(victim);
    }
    const Register place = free_.back();
    free_.pop_back();
    register_[value] = place;
    value_[place] = value;
    return place;
}

void Registers::release(Value value) {
    const Register place = register_[value];
    if (place == no_register) return;
    register_[value] = no_register;
    value_[place] = no_value;
    free_.push_back(place);
}

void Registers::hand_over(Value from, Value to) {
    const Register place = register_[from];
    register_[from] = no_register;
    register_[to] = place;
    value_[place] = to;
}

}  // namespace stratagem::machine::lanes
