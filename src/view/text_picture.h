// A picture as lines of text: signs in columns, the first row at the bottom, as on a chess board.
#pragma once

#include <string>

#include "view/picture.h"
#include "view/text_lines.h"

namespace stratagem::view {

struct TextStyle {
    bool colour = false;      // for a terminal
    bool legend = false;      // say which sign stands for what
    bool others = true;       // list what is no part of a grid
    std::size_t width = 100;  // in characters
};

Lines lay_out(const Picture& picture, const TextStyle& style = {});
// They for a terminal.
std::string to_text(const Picture& picture, const TextStyle& style = {});

}  // namespace stratagem::view
