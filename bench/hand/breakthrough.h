// Breakthrough on 8 by 8 squares, on one 64-bit set per player.
//
// Square (column, row) is bit 8 * row + column, and the board is always seen by the player to move, who goes up: after
// each move the rows are turned over, which is one byte swap. The moves of a position are three sets of target squares,
// one for each direction; a move is chosen as the k-th bit of the three sets together, without listing them.
#pragma once

#include <bit>
#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "playout.h"

namespace stratagem::hand {

class Breakthrough {
  public:
    struct Move {
        unsigned from = 0;  // 8 * row + column, both from 0; row 0 is the home of the first player
        unsigned to = 0;

        bool operator==(const Move&) const = default;
    };

    // Calls visit(move) for each legal move. Pre: not terminal.
    template <class Visit>
    void for_each_legal(Visit visit) const {
        const Targets targets(mover_, waiting_);
        const auto visit_all = [&](std::uint64_t set, unsigned distance) {
            for_each_bit(set, [&](unsigned to) { visit(seen_by_first({to - distance, to})); });
        };
        visit_all(targets.left, left_step);
        visit_all(targets.ahead, ahead_step);
        visit_all(targets.right, right_step);
    }
    void apply(Move move) {
        move = seen_by_first(move);
        step(std::uint64_t{1} << move.from, std::uint64_t{1} << move.to);
    }
    // Who moved last reached the far row, which is the bottom row for the player to move, or took the last pawn.
    bool terminal() const { return (waiting_ & bottom_row) != 0 || mover_ == 0; }
    Winner winner() const {
        if (!terminal()) return Winner::none;
        return steps_ % 2 == 1 ? Winner::first : Winner::second;
    }
    Outcome outcome() const { return {steps_, winner()}; }

    // A uniformly random game from the beginning; watch(move) sees every move.
    template <class Watch = Unwatched>
    static Outcome playout(Random& random, Watch watch = {}) {
        Breakthrough game;
        do {
            const Targets targets(game.mover_, game.waiting_);
            const unsigned left = count(targets.left);
            const unsigned left_or_ahead = left + count(targets.ahead);
            const unsigned pick = random.below(left_or_ahead + count(targets.right));

            // The direction is a toss no branch predictor learns. So each set is asked for its member at the place
            // the pick has in it, and the two that do not contain it answer with nothing.
            const std::uint64_t place = std::uint64_t{1} << pick;
            const std::uint64_t to_left = member(targets.left, place);
            const std::uint64_t to_ahead = member(targets.ahead, place >> left);
            const std::uint64_t to_right = member(targets.right, place >> left_or_ahead);
            const std::uint64_t from = to_left >> left_step | to_ahead >> ahead_step | to_right >> right_step;
            const std::uint64_t to = to_left | to_ahead | to_right;
            watch(game.seen_by_first({index(from), index(to)}));
            game.step(from, to);
        } while (!game.terminal());
        return game.outcome();
    }

  private:
    static constexpr std::uint64_t bottom_row = 0xff;
    static constexpr std::uint64_t left_column = 0x0101'0101'0101'0101;
    static constexpr unsigned left_step = 7, ahead_step = 8, right_step = 9;

    struct Targets {
        std::uint64_t left, ahead, right;

        Targets(std::uint64_t own, std::uint64_t other)
            : left((own & ~left_column) << left_step & ~own),
              ahead(own << ahead_step & ~(own | other)),
              right((own & ~(left_column << 7)) << right_step & ~own) {}
    };

    static unsigned count(std::uint64_t set) { return static_cast<unsigned>(std::popcount(set)); }
    static unsigned index(std::uint64_t square) { return static_cast<unsigned>(std::countr_zero(square)); }

    // With place = 2^n, the n-th lowest member of the set counted from 0, as a set; nothing when the set has no more
    // than n members or place is 0.
    static std::uint64_t member(std::uint64_t set, std::uint64_t place) {
#ifdef __BMI2__
        return _pdep_u64(place, set);
#else
        if (place == 0) return 0;
        for (; place != 1; place >>= 1) set &= set - 1;
        return set & -set;
#endif
    }

    void step(std::uint64_t from, std::uint64_t to) {
        const std::uint64_t moved = mover_ ^ (from | to);
        mover_ = __builtin_bswap64(waiting_ & ~to);
        waiting_ = __builtin_bswap64(moved);
        ++steps_;
    }
    // Between the sight of the player to move and that of the first player, either way.
    Move seen_by_first(Move move) const {
        const unsigned turned = steps_ % 2 == 0 ? 0 : 56;
        return {move.from ^ turned, move.to ^ turned};
    }

    std::uint64_t mover_ = 0x0000'0000'0000'ffff;
    std::uint64_t waiting_ = 0xffff'0000'0000'0000;
    unsigned steps_ = 0;
};

}  // namespace stratagem::hand
