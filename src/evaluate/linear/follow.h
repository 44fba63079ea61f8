// The sum of all weights of a state, followed from state to state, for one view.
//
// Fluents that change move the sum by their weights. Cells that change move the looks that see them: where it is one
// cell, each look is read where it was and where it is; where there are more, looks are moved first and those that were
// touched are read once. A state may also be only peeked at, which is taken back without reading anything.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/linear/tuples.h"
#include "machine/state.h"

namespace stratagem::evaluate::linear {

// `Weight`: of a table; `Sum`: of sums and of single fluents.
template <typename Weight, typename Sum>
class Follower {
  public:
    // Weights by entry, for each of `seats` sums; of fluents by fluent of the state. Both outlive this, and may change
    // (add_up). Begins where no fluent holds.
    Follower(const Tuples& tuples, std::size_t view, const Weight* weights, const Sum* fluents, std::size_t seats)
        : tuples_(tuples),
          view_(view),
          weights_(weights),
          fluents_(fluents),
          seats_(seats),
          has_looks_(tuples.looks() > 0),
          entries_(tuples.begin(view).begin(), tuples.begin(view).end()),
          is_touched_(entries_.size(), 0),
          digits_(tuples.cells().size(), 0),
          is_changed_(digits_.size(), 0),
          words_((tuples.cells().fluent_count() + 63) / 64, 0),
          sums_(seats, 0),
          peeked_(seats, 0) {
        const Cells& cells = tuples.cells();
        for (std::uint32_t i = 0; i < cells.fluent_count(); ++i) {
            cell_of_.push_back({cells.cell_of(machine::Fluent{i}), cells.digit(machine::Fluent{i})});
        }
        for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
            most_.push_back(static_cast<std::uint32_t>(cells.contents(cell) - 1));
        }
        add_up();
    }

    // The entries all looks are at.
    std::span<const std::uint32_t> entries() const { return entries_; }
    Sum sum(std::size_t seat) const { return sums_[seat]; }

    void move_to(const machine::State& state) {
        if (seats_ == 1) {
            step<true, true>(state.words());
        } else {
            step<true, false>(state.words());
        }
    }
    // What the sums would be there; valid until the next question.
    Sum peek(const machine::State& state, std::size_t seat) {
        if (seats_ == 1) {
            step<false, true>(state.words());
        } else {
            step<false, false>(state.words());
        }
        return peeked_[seat];
    }
    // After weights have changed.
    void add_up() {
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            Sum sum = Sum(weights_[seat]);
            for (std::size_t w = 0; w < words_.size(); ++w) {
                for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
                    sum += fluents_[(w * 64 + static_cast<std::size_t>(std::countr_zero(word))) * seats_ + seat];
                }
            }
            for (const std::uint32_t entry : entries_) sum += Sum(weights_[entry * seats_ + seat]);
            sums_[seat] = sum;
        }
    }

  private:
    struct Place {
        std::uint32_t cell, digit;
    };
    struct Before {
        std::uint32_t what, was;
    };

    template <bool stay_there, bool one>
    void step(std::span<const std::uint64_t> words) {
        std::vector<Sum>& sums = stay_there ? sums_ : peeked_;
        if constexpr (!stay_there) std::copy(sums_.begin(), sums_.end(), peeked_.begin());
        // For a single sum, in a register.
        Sum sum = one ? sums_[0] : Sum{};
        const auto add = [&](auto* from, std::size_t at, bool plus) {
            if constexpr (one) {
                sum += plus ? Sum(from[at]) : -Sum(from[at]);
            } else {
                for (std::size_t seat = 0; seat < seats_; ++seat) {
                    sums[seat] += plus ? Sum(from[at * seats_ + seat]) : -Sum(from[at * seats_ + seat]);
                }
            }
        };
        for (std::size_t w = 0; w < words_.size(); ++w) {
            const std::uint64_t now = w < words.size() ? words[w] : 0;
            for (std::uint64_t changed = now ^ words_[w]; changed != 0; changed &= changed - 1) {
                const auto bit = static_cast<std::uint32_t>(std::countr_zero(changed));
                const bool holds = (now >> bit & 1U) != 0;
                add(fluents_, w * 64 + bit, holds);
                if (!has_looks_) continue;
                const Place place = cell_of_[w * 64 + bit];
                if (is_changed_[place.cell] == 0) {
                    is_changed_[place.cell] = 1;
                    changed_.push_back({place.cell, digits_[place.cell]});
                }
                digits_[place.cell] += holds ? place.digit : -place.digit;
            }
            if constexpr (stay_there) words_[w] = now;
        }
        if (changed_.size() == 1) {
            look_again_at_one<stay_there>(add);
        } else if (changed_.size() > 1) {
            look_again_at_several<stay_there>(add);
        }
        for (const auto [cell, was] : changed_) {
            is_changed_[cell] = 0;
            if constexpr (!stay_there) digits_[cell] = was;
        }
        changed_.clear();
        if constexpr (one) sums[0] = sum;
    }
    // Where a single cell has changed, as in most moves of games of marks, each look changes once.
    template <bool stay_there, typename Add>
    void look_again_at_one(const Add& add) {
        const auto [cell, was] = changed_.front();
        const std::span<const std::uint32_t> looks = tuples_.looks_at(view_, cell);
        const std::uint32_t* const before = tuples_.steps(view_, cell, content(cell, was));
        const std::uint32_t* const after = tuples_.steps(view_, cell, content(cell, digits_[cell]));
        for (std::size_t i = 0; i < looks.size(); ++i) {
            std::uint32_t& entry = entries_[looks[i]];
            const std::uint32_t next = entry + after[i] - before[i];
            add(weights_, next, true);
            add(weights_, entry, false);
            if constexpr (stay_there) entry = next;
        }
    }
    template <bool stay_there, typename Add>
    void look_again_at_several(const Add& add) {
        for (const auto [cell, was] : changed_) {
            const std::span<const std::uint32_t> looks = tuples_.looks_at(view_, cell);
            const std::uint32_t* const before = tuples_.steps(view_, cell, content(cell, was));
            const std::uint32_t* const after = tuples_.steps(view_, cell, content(cell, digits_[cell]));
            for (std::size_t i = 0; i < looks.size(); ++i) {
                const std::uint32_t look = looks[i];
                if (is_touched_[look] == 0) {
                    is_touched_[look] = 1;
                    touched_.push_back({look, entries_[look]});
                }
                entries_[look] += after[i] - before[i];
            }
        }
        for (const auto [look, was] : touched_) {
            is_touched_[look] = 0;
            std::uint32_t& entry = entries_[look];
            add(weights_, entry, true);
            add(weights_, was, false);
            if constexpr (!stay_there) entry = was;
        }
        touched_.clear();
    }
    // Cells are exclusive as far as was seen. Should two of their fluents hold at once, something stands for both that
    // does not depend on how the state came about.
    std::uint32_t content(std::uint32_t cell, std::uint32_t digits) const { return std::min(digits, most_[cell]); }

    const Tuples& tuples_;
    std::size_t view_;
    const Weight* weights_;
    const Sum* fluents_;
    std::size_t seats_;
    bool has_looks_;
    std::vector<std::uint32_t> entries_;  // by look
    std::vector<std::uint8_t> is_touched_;
    std::vector<std::uint32_t> digits_;  // by cell: the sum of what it holds
    std::vector<std::uint8_t> is_changed_;
    std::vector<std::uint64_t> words_;
    std::vector<Sum> sums_, peeked_;   // by seat
    std::vector<Place> cell_of_;       // by fluent
    std::vector<std::uint32_t> most_;  // by cell
    std::vector<Before> changed_, touched_;
};

}  // namespace stratagem::evaluate::linear
