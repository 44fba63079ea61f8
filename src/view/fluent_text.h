// A fluent as words: what drawing needs of it, whichever machine the game runs on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.h"

namespace stratagem::view {

struct FluentText {
    std::string relation;
    std::vector<std::string> arguments;  // each in KIF

    friend bool operator==(const FluentText&, const FluentText&) = default;
};

// From lower-case prefix KIF with single spaces, the form machines give: "(cell 1 (f x) b)". What is not balanced
// becomes a relation without arguments.
FluentText read_fluent(std::string_view kif);
std::string to_text(const FluentText& fluent);

// The fluents that hold, sorted by name with numbers by value.
std::vector<FluentText> fluents_of(const machine::Machine& machine, const machine::State& state);

// Names as people sort them: runs of digits by value, so that "c2" comes before "c10".
bool natural_less(std::string_view a, std::string_view b);

}  // namespace stratagem::view
