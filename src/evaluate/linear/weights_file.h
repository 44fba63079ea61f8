// Weights kept in files: JSON, with fluents by name, so that they can be read where the rules are the same.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "evaluate/linear/model.h"

namespace stratagem::evaluate::linear {

std::string to_json(const Model& model, const ground::Program& program);

// Or what is wrong with the text, for people.
std::variant<Model, std::string> model_from_json(std::string_view text, const ground::Program& program);

}  // namespace stratagem::evaluate::linear
