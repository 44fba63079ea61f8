// Tic-tac-toe on two sets of nine bits, with a table of the sets that hold a line.
//
// The blank cells are a packed list besides; a marked cell is replaced by the last one, so choosing a move is one
// shift, and neither the choice nor the test for the end needs a loop or a branch.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "playout.h"

namespace stratagem::hand {

// For each set of cells: whether it holds three in a row.
inline constexpr std::array<bool, 512> holds_three = [] {
    std::array<bool, 512> result = {};
    for (unsigned set = 0; set < result.size(); ++set) {
        for (const unsigned line : {0007U, 0070U, 0700U, 0111U, 0222U, 0444U, 0421U, 0124U}) {
            result[set] |= (set & line) == line;
        }
    }
    return result;
}();

class TicTacToe {
  public:
    using Move = unsigned;  // cell 3 * row + column, both from 0

    static constexpr unsigned cells = 9;

    // The cells that may be marked, as a set. Pre: not terminal.
    std::uint64_t legal() const {
        std::uint64_t result = 0;
        for (unsigned place = 0; place < cells - steps_; ++place) result |= std::uint64_t{1} << blank(place);
        return result;
    }
    void apply(Move cell) {
        unsigned place = 0;
        while (blank(place) != cell) ++place;
        mark(place);
    }
    // Only who moved last can have made a line.
    bool terminal() const { return holds_three[waiting_] || steps_ == cells; }
    Winner winner() const {
        if (!holds_three[waiting_]) return Winner::none;
        return steps_ % 2 == 1 ? Winner::first : Winner::second;
    }
    Outcome outcome() const { return {steps_, winner()}; }

    // A uniformly random game from the beginning; watch(move) sees every move.
    template <class Watch = Unwatched>
    static Outcome playout(Random& random, Watch watch = {}) {
        TicTacToe game;
        do {
            const unsigned place = random.below(cells - game.steps_);
            watch(Move{game.blank(place)});
            game.mark(place);
        } while (!game.terminal());
        return game.outcome();
    }

  private:
    unsigned blank(unsigned place) const { return static_cast<unsigned>(blanks_ >> (4 * place)) & 15; }
    void mark(unsigned place) {
        const unsigned cell = blank(place);
        mover_ |= 1U << cell;
        std::swap(mover_, waiting_);
        ++steps_;
        blanks_ ^= std::uint64_t{cell ^ blank(cells - steps_)} << (4 * place);
    }

    unsigned mover_ = 0;
    unsigned waiting_ = 0;
    std::uint64_t blanks_ = 0x8'7654'3210;
    unsigned steps_ = 0;
};

}  // namespace stratagem::hand
