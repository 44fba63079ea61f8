// A recorded match under other names, so that it fits rules that were scrambled.
#pragma once

#include <map>
#include <string>

#include "machine/tools/trace.h"

namespace stratagem::machine {

// Every word of a term under its new name; words without one stay.
std::string renamed(const std::string& term, const std::map<std::string, std::string>& names);

// Roles, fluents and moves of the whole trace; lists are sorted anew. Keys of `names` are lower case.
void rename(Trace& trace, const std::map<std::string, std::string>& names);

}  // namespace stratagem::machine
