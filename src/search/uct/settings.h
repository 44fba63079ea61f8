// What can be set about a Monte-Carlo tree search.
#pragma once

#include <cstdint>

namespace stratagem::search::uct {

enum class FinalMove : std::uint8_t { visits, value, mixed };
enum class EvaluatorUse : std::uint8_t { none, leaf, prior, cutoff };

struct Settings {
    double exploration = 0.2;   // C of UCB1, for values in [0, 1]
    double fpu = 0.0;           // an untried move counts as tried once, with the mean of the state less this
    bool all_first = false;     // every move of a state once before any of them twice, whatever `fpu` says
    double virtual_loss = 0.5;  // how much of a loss a visit counts whose result is not known yet
    bool transpositions = true;
    bool solver = true;
    bool mast = false;
    bool rave = false;
    bool history = false;  // untried moves in the order of their averages in playouts
    bool lanes = true;     // playouts by the batch if the machine has them
    double greedy = 0.6;
    double rave_equivalence = 500;
    FinalMove final_move = FinalMove::visits;
    EvaluatorUse evaluator = EvaluatorUse::none;
    double evaluator_weight = 0.5;
    double prior_visits = 10;
    std::uint32_t cutoff = 10;
    std::uint32_t leaves = 0;    // under way at the same time; 0: what the tree has use for
    std::uint32_t playouts = 0;  // from each leaf; 0: by the measured costs of both
};

}  // namespace stratagem::search::uct
