// Connect Four on 8 columns and 6 rows, on one 64-bit set per player.
//
// Cell (column, row) is bit 7 * column + row: the seventh bit of each column stays empty, so that shifted lines never
// run over from one column into the next, and four in a row is two shifts and two ands in each direction (Tromp's
// layout). The columns that still take a disc are a packed list of the cells where it would come to rest; a full column
// is replaced by the last one, so choosing a move is one shift.
#pragma once

#include <cstdint>
#include <utility>

#include "playout.h"

namespace stratagem::hand {

class ConnectFour {
  public:
    using Move = unsigned;  // the column, from 0

    static constexpr unsigned columns = 8;
    static constexpr unsigned rows = 6;

    // The columns that are not full, as a set. Pre: not terminal.
    std::uint64_t legal() const {
        std::uint64_t result = 0;
        for (unsigned place = 0; place < open_; ++place) result |= std::uint64_t{1} << landing(place) / stride;
        return result;
    }
    void apply(Move column) {
        unsigned place = 0;
        while (landing(place) / stride != column) ++place;
        drop(place);
    }
    // Only who moved last can have made a line.
    bool terminal() const { return open_ == 0 || has_four(waiting_); }
    Winner winner() const {
        if (!has_four(waiting_)) return Winner::none;
        return steps_ % 2 == 1 ? Winner::first : Winner::second;
    }
    Outcome outcome() const { return {steps_, winner()}; }

    // A uniformly random game from the beginning; watch(move) sees every move.
    template <class Watch = Unwatched>
    static Outcome playout(Random& random, Watch watch = {}) {
        ConnectFour game;
        do {
            const unsigned place = random.below(game.open_);
            watch(Move{game.landing(place) / stride});
            game.drop(place);
        } while (!game.terminal());
        return game.outcome();
    }

  private:
    static constexpr unsigned stride = rows + 1;
    static constexpr std::uint64_t bottom_row = 0x0002'0408'1020'4081;
    static constexpr std::uint64_t top_row = bottom_row << (rows - 1);

    static bool has_four(std::uint64_t discs) {
        const auto in_direction = [discs](unsigned shift) {
            const std::uint64_t pairs = discs & (discs >> shift);
            return pairs & (pairs >> (2 * shift));
        };
        return (in_direction(1) | in_direction(stride - 1) | in_direction(stride) | in_direction(stride + 1)) != 0;
    }

    unsigned landing(unsigned place) const { return static_cast<unsigned>(landings_ >> (8 * place)) & 0xff; }
    void drop(unsigned place) {
        const unsigned cell = landing(place);
        mover_ |= std::uint64_t{1} << cell;
        landings_ += std::uint64_t{1} << (8 * place);
        if (top_row >> cell & 1) {
            --open_;
            landings_ ^= std::uint64_t{landing(place) ^ landing(open_)} << (8 * place);
        }
        std::swap(mover_, waiting_);
        ++steps_;
    }

    std::uint64_t mover_ = 0;
    std::uint64_t waiting_ = 0;
    std::uint64_t landings_ = 0x312a'231c'150e'0700;  // 7 * column in byte `column`
    unsigned open_ = columns;
    unsigned steps_ = 0;
};

}  // namespace stratagem::hand
