// The text of a description and where things stand in it.
//
// Everything that can be wrong with rules is reported with a line and a column, so every form made from a
// text keeps byte offsets (Span) into its Source. Lines and columns are worked out only when a message is
// printed: offsets are small to store and cheap to keep while reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stratagem::gdl {

// Half-open range of byte offsets.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    bool operator==(const Span&) const = default;
};

// Both count from 1; columns count characters (UTF-8 code points), not bytes.
struct Position {
    std::uint32_t line = 1;
    std::uint32_t column = 1;

    bool operator==(const Position&) const = default;
};

// Larger texts are refused by the reader: a description of a game is a few kilobytes, and spans are 32 bits.
inline constexpr std::size_t max_source_bytes = std::size_t{64} << 20;

class Source {
  public:
    Source(std::string name, std::string text);

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }
    std::string_view text(Span span) const;

    Position position(std::uint32_t offset) const;
    // The line alone: much cheaper when the line is long.
    std::uint32_t line_number(std::uint32_t offset) const;
    // The line without its line break. Lines count from 1.
    std::string_view line(std::uint32_t number) const;

  private:
    std::string name_;
    std::string text_;
    std::vector<std::uint32_t> line_starts_;
};

// Bytes of the UTF-8 character the text starts with; 0 when it starts with none, or with a broken one.
std::size_t character_length(std::string_view text);

// Number of UTF-8 code points; bytes that are no valid UTF-8 count one each.
std::uint32_t count_characters(std::string_view text);

}  // namespace stratagem::gdl
