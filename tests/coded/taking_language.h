// The smallest language games can be written in, as an example of another one than GDL: "take 1 2 3 from 7".
//
// Two take counters from a pile in turn, one of these numbers at a time, and who cannot take any has lost. What it
// takes to have a language is here all the same: a reader that finds every fault with its place, and a ground program
// made from what was read. See docs/add_a_game_language.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gdl/diagnostic.h"
#include "machine/program_game.h"

namespace stratagem::taking {

struct ReadResult {
    std::shared_ptr<const gdl::Source> source;
    std::vector<gdl::Diagnostic> faults;               // by place
    std::shared_ptr<const machine::ProgramGame> game;  // null where there is a fault
};

// `name`: what to call the text before people.
ReadResult read(std::string name, std::string text);

}  // namespace stratagem::taking
