// The contents of all tuples of a state, followed from state to state.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/linear/tuples.h"
#include "machine/state.h"

namespace stratagem::evaluate::linear {

class Follower {
  public:
    // Begins where no fluent holds.
    explicit Follower(const Tuples& tuples)
        : tuples_(tuples),
          contents_(tuples.size(), 0),
          is_touched_(tuples.size(), 0),
          words_((tuples.fluent_count() + 63) / 64, 0) {}

    std::span<const std::uint32_t> contents() const { return contents_; }
    std::size_t phase() const { return tuples_.phase(contents_); }

    // Tells of every tuple that may change the weight it had and then, of all of them, the one it has.
    template <typename Leave, typename Enter>
    void move_to(const machine::State& state, const Leave& leave, const Enter& enter) {
        const std::span<const std::uint64_t> words = state.words();
        for (std::size_t w = 0; w < words_.size(); ++w) {
            const std::uint64_t now = w < words.size() ? words[w] : 0;
            for (std::uint64_t changed = now ^ words_[w]; changed != 0; changed &= changed - 1) {
                const auto bit = static_cast<std::uint32_t>(std::countr_zero(changed));
                const bool holds = (now >> bit & 1U) != 0;
                for (const Tuples::Use use : tuples_.uses(machine::Fluent{static_cast<std::uint32_t>(w * 64) + bit})) {
                    std::uint32_t& content = contents_[use.tuple];
                    if (is_touched_[use.tuple] == 0) {
                        is_touched_[use.tuple] = 1;
                        touched_.push_back(use.tuple);
                        leave(tuples_.weight(use.tuple, content));
                    }
                    content += holds ? use.stride : -use.stride;
                }
            }
            words_[w] = now;
        }
        for (const std::uint32_t tuple : touched_) {
            is_touched_[tuple] = 0;
            enter(tuples_.weight(tuple, contents_[tuple]));
        }
        touched_.clear();
    }

  private:
    const Tuples& tuples_;
    std::vector<std::uint32_t> contents_;  // by tuple
    std::vector<std::uint32_t> touched_;
    std::vector<std::uint8_t> is_touched_;  // by tuple
    std::vector<std::uint64_t> words_;
};

}  // namespace stratagem::evaluate::linear
