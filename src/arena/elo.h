// How strong players are, as numbers on one scale: 400 points of difference are odds of ten to one.
//
// The model is that of Bradley and Terry ("Rank analysis of incomplete block designs", Biometrika 1952), which Elo's
// formula is: a beats b with the probability 1 / (1 + 10^((b - a) / 400)). The ratings are those under which the
// results are most likely (Newton's method), a draw counting as half a win each way. Every pair that met is given one
// drawn game beside the real ones: without it who won everything would have an infinite rating, and with many games it
// is nothing.
//
// The interval comes from the curvature of the likelihood (Fisher information), with the mean of the ratings held at 0.
// A draw says more than the half win and half loss it is counted as, so with many draws intervals are wider than they
// need be. Results of one pair over many games are taken as independent.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace stratagem::arena {

struct Comparison {
    std::size_t a = 0;
    std::size_t b = 0;
    double score = 0.5;  // of a: 1 it was better, 0 worse
    double weight = 1;   // how many games it stands for
};

struct Rating {
    double elo = 0;         // the mean of those that can be compared is 0
    double ci95 = 0;        // half the width of the interval
    std::size_t group = 0;  // ratings of different groups have nothing to do with each other: no games join them
};

// By player; nothing for those who were never compared. Comparisons of a player with itself are skipped.
std::vector<std::optional<Rating>> elo_ratings(std::size_t players, std::span<const Comparison> comparisons);

}  // namespace stratagem::arena
