// Kuhlmann's selection of features by matches (thesis, section 7.2.3): which of them, given a weight, change who wins.
//
// In rounds. For each trial of a round every feature draws a weight from {−1, 0, 1}. Then each feature in turn is the
// pivot: two matches, one in which an agent gives the pivot −1 and one in which it gives it +1, against an opponent who
// gives it 0 and everything else the opposite sign, which means that both judge states alike but for the pivot. The
// feature with the greatest mean difference between the two matches wins the round; if Student's t finds it
// significant, it is given that sign for good. Weights of the next round are smaller by a factor.
//
// Our readings. A feature is a number of the state, and its weight says how good it is for the first role; who plays
// the second one judges by the opposite. The agent takes both roles in turn, from trial to trial. The matches of a
// trial share their chance (openings, choices among equals), and the t-test is that of pairs. The best of hundreds of
// features is almost always below 0.05, so the Bonferroni-corrected probability is told as well.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "evaluate/feature_tree/prepare.h"
#include "learn/depth_match.h"

namespace stratagem::learn {

struct SelectionSettings {
    std::size_t trials = 30;  // of a round
    std::size_t rounds = 10;  // at most
    double discount = 0.9;
    double others = 2.0 / 3;   // how likely another feature has a weight at all
    bool even_spread = false;  // weights are of features divided by their spread in random games
    bool corrected = false;    // the corrected probability decides
    double significance = 0.05;
    DepthMatch match;
    std::uint64_t seed = 1;
};

struct SelectionRound {
    std::size_t candidates = 0;
    std::size_t matches = 0;
    std::size_t brought_back = 0;  // features that were constant and changed in these matches
    // The best one.
    std::size_t feature = 0;
    double effect = 0;     // mean points of the agent out of 100 with +1, less those with −1
    double p = 1;          // Student's t
    double corrected = 1;  // times the candidates, at most 1
    // How many of the candidates have p below the significance.
    std::size_t below = 0;
    bool accepted = false;
};

struct Selection {
    std::vector<SelectionRound> rounds;
    std::vector<double> weights;  // by feature; 0 for all that were not chosen
    bool complete = false;        // it did not stop for want of time
};

struct SelectionProgress {
    std::size_t round = 0, trial = 0, trials = 0, matches = 0;
};

// Features that random games found constant are watched in all matches, and stand for the next round once they changed.
// The same by the seed. Pre: the game has two roles, and one gets what the other loses.
Selection select_features(const machine::Game& game, evaluate::feature_tree::Prepared& prepared,
                          const SelectionSettings& settings, const machine::Stop& stop,
                          const std::function<void(const SelectionProgress&)>& progress = {});

// An evaluation of such weights, for both roles: a logit of 0 is the mean over random games, and 1 a deviation.
evaluate::feature_tree::TreeModel model_of(const evaluate::feature_tree::Prepared& prepared,
                                           const std::vector<double>& weights, const ground::Program& program);

}  // namespace stratagem::learn
