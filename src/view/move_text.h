// Which move somebody means by what he typed, and moves listed to choose from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stratagem::view {

// What was found among the names, by their places.
struct MoveMatch {
    std::vector<std::size_t> places;  // one: that is it; several: it could be any of these; none: nothing fits

    bool found() const { return places.size() == 1; }
    bool ambiguous() const { return places.size() > 1; }
};

// `names` as machines write them. In this order: the very move, with or without its parentheses, in any case and
// spacing; the number of a place, counted from 1; the beginning of one or several moves ("mark 1" of "(mark 1 2)"),
// whole words before parts of words; the arguments of a move without its first word ("1 2").
MoveMatch match_move(std::string_view typed, const std::vector<std::string>& names);

// Without outer parentheses, spaces folded, lower case: "(Mark  1 1)" becomes "mark 1 1".
std::string plain_move(std::string_view text);

// "1 (mark 1 1)   2 (mark 1 2)   …" in columns read downwards, with the numbers of match_move. `places`: which ones.
std::string move_columns(const std::vector<std::string>& names, const std::vector<std::size_t>& places,
                         std::size_t width);

}  // namespace stratagem::view
