// From text to a Description: the one place where the passes of the language room are put together.
#pragma once

#include <optional>
#include <string>

#include "gdl/description.h"
#include "gdl/diagnostic.h"

namespace stratagem::gdl {

struct ReadResult {
    Description description;  // holds what could be understood, even when there are errors
    Diagnostics diagnostics;

    bool ok() const { return !diagnostics.has_errors(); }
};

// Reads only: words, lists, rules. The notation is guessed from the text unless given.
ReadResult read(std::string name, std::string text, std::optional<Notation> notation = {});

// Reads, then checks the validity conditions that need no play (check.h); diagnostics in the order of the text.
ReadResult read_and_check(std::string name, std::string text, std::optional<Notation> notation = {});

}  // namespace stratagem::gdl
