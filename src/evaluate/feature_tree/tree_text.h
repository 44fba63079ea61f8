// Feature trees as text: a line for each node, indented by two blanks under its parent, with the qualifier of the edge
// that leads to it and its aggregators. The root has a star for a qualifier.
//
//   * #
//     F:cell
//       C[2]
//         T[2]:white #
//       T[2]:white # O[0] O[1]
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "evaluate/feature_tree/feature_tree.h"

namespace stratagem::evaluate::feature_tree {

// What is wrong with a text, and where, both from 1.
struct TextProblem {
    std::size_t line = 0;
    std::size_t column = 0;
    std::string message;
};
std::string to_text(const TextProblem& problem);

// What parse_tree reads as the same tree.
std::string to_text(const FeatureTree& tree);

// Empty lines and what follows a semicolon at the beginning of a line are left out.
std::variant<FeatureTree, TextProblem> parse_tree(std::string_view text);

}  // namespace stratagem::evaluate::feature_tree
