// A tree with weights for its features, for every role.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evaluate/feature_tree/feature_tree.h"
#include "ground/program.h"

namespace stratagem::evaluate::feature_tree {

struct TreeModel {
    // The logit of what a role may expect is bias + scale · Σ weight · feature.
    struct Seat {
        double least = 0, most = 100;  // of its goal values
        double bias = 0;
        double scale = 1;
        std::vector<double> weights;  // by feature; empty for who has no opinion
    };

    FeatureTree tree;
    std::vector<Seat> seats;  // by role

    // Without the features that nobody weighs.
    TreeModel pruned() const;
};

// JSON, with the tree as text, a line for each node. Roles are told by name; whether the words of the tree are those of
// a game is not looked at: qualifiers that nothing matches let nothing through.
std::string to_json(const TreeModel& model, const ground::Program& program);
// Or what is wrong with the text, for people.
std::variant<TreeModel, std::string> model_from_json(std::string_view text, const ground::Program& program);

}  // namespace stratagem::evaluate::feature_tree
