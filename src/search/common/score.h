// What a line of play is worth to one side, as one number that alpha-beta can compare, and what is proved about it.
//
// Two kinds of values must never be taken for each other: the goal value of an end of the game, and an evaluator's
// opinion. A Score keeps them apart in its lowest bit and in its range: opinions lie strictly between the scores of the
// least and the greatest goal value the role can get, so a sure win is better than any opinion and a sure loss worse
// (as in Kuhlmann's thesis, section 4.5).
//
//   end of the game with goal g after n steps:   g * unit  + bonus      even
//       g above the middle of the role's goals:  bonus =   2 (max_steps - n)    sooner is better
//       g below the middle:                      bonus = - 2 (max_steps - n)    later is better
//   opinion h in [0, 100]:  (least + (most - least) h / 100) * unit, kept strictly inside, odd
//
// Steps are counted from the root of the search. Tables keep scores that count from their own state: see relative().
#pragma once

#include <algorithm>
#include <cstdint>

#include "util/contract.h"

namespace stratagem::search {

using Score = std::int32_t;

constexpr Score score_unit = 1 << 16;       // of one point of goal value
constexpr std::int32_t max_steps = 12'000;  // further ends of the game count as this far; 4 * max_steps < score_unit
constexpr Score score_infinity = 120 * score_unit;

// The scores of one role, whose goal values lie between `least` and `most`.
class ScoreScale {
  public:
    ScoreScale() = default;
    ScoreScale(int least, int most) : least_(least), most_(std::max(least, most)) {}

    int least() const { return least_; }
    int most() const { return most_; }

    // Of an end of the game, `steps` moves from the root.
    Score of_goal(int goal, std::int32_t steps) const {
        return goal * score_unit + side(goal) * 2 * (max_steps - std::min(steps, max_steps));
    }
    // Of an evaluator's value in [0, 100].
    Score of_opinion(double value) const {
        const double goal = least_ + (most_ - least_) * std::clamp(value, 0.0, 100.0) / 100.0;
        return inside(static_cast<Score>(goal * score_unit));
    }
    // Odd, and strictly between a sure loss and a sure win. For mean values too.
    Score inside(Score score) const {
        const Score low = least_ * score_unit + 1;
        const Score high = most_ * score_unit - 1;
        return (low < high ? std::clamp(score, low, high) : low) | 1;
    }

    // The same score seen from a state `steps` moves after the root, and back again.
    Score relative(Score score, std::int32_t steps) const {
        return is_opinion(score) ? score : score + 2 * side(goal(score)) * steps;
    }
    Score absolute(Score score, std::int32_t steps) const { return relative(score, -steps); }

    static bool is_opinion(Score score) { return (score & 1) != 0; }
    // The goal value of an end of the game. Pre: no opinion.
    static int goal(Score score) {
        STRATAGEM_EXPECTS(!is_opinion(score));
        return static_cast<int>((score + score_unit / 2) >> 16);
    }
    // Nobody can get more, or less.
    bool is_best(Score score) const { return !is_opinion(score) && goal(score) >= most_; }
    bool is_worst(Score score) const { return !is_opinion(score) && goal(score) <= least_; }
    // For people: a goal value, whole for ends of the game.
    double value(Score score) const {
        return is_opinion(score) ? static_cast<double>(score) / score_unit : static_cast<double>(goal(score));
    }

  private:
    int side(int goal) const { return 2 * goal > least_ + most_ ? 1 : 2 * goal < least_ + most_ ? -1 : 0; }

    int least_ = 0;
    int most_ = 100;
};

// A score with what is known for certain. The flags speak of goal values, not of the number of steps.
struct Result {
    Score score = 0;
    bool at_least = false;    // proved: the game is worth no less
    bool at_most = false;     // proved: the game is worth no more
    bool hoped = false;       // proofs rest on what others need not do: a mean, friends' help, knowing our move
    std::uint8_t height = 0;  // moves to the furthest state this rests on; 255: that far or further

    bool proved() const { return at_least && at_most; }
};

constexpr std::uint8_t max_height = 255;
constexpr std::uint8_t higher(std::uint8_t height) {
    return height == max_height ? max_height : static_cast<std::uint8_t>(height + 1);
}

}  // namespace stratagem::search
