// The surface of KIF: words and parentheses, as far as messages need it.
//
// Messages are read from strangers. Everything here is one pass over the text without recursion, and what is kept is
// bounded by the caller; meaning is left to the language room.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stratagem::protocol {

struct KifToken {
    enum class Kind { open, close, word, bad, end };  // bad: a character that has no place in a text

    Kind kind = Kind::end;
    std::string_view text;
    std::size_t at = 0;  // bytes from the beginning
};

// One token after the other; blanks, comments and byte order marks are skipped.
class KifTokens {
  public:
    explicit KifTokens(std::string_view text) : text_(text) {}

    KifToken next();

  private:
    void skip_blanks();

    std::string_view text_;
    std::size_t at_ = 0;
};

// A word or a whole list, as it was written.
struct KifPart {
    std::string_view text;
    std::size_t at = 0;

    bool is_list() const { return text.starts_with('('); }
};

struct KifParts {
    std::vector<KifPart> parts;
    std::string fault;  // not empty: the text is no list of so many parts, and why
    std::size_t fault_at = 0;

    bool ok() const { return fault.empty(); }
};

// The parts of the one list a text consists of. More than `most` parts, or lists nested more than gdl::max_nesting
// deep, are a fault, as is anything before or after the list.
KifParts split_list(std::string_view text, std::size_t most);

// A word or list in the form used everywhere inside: lower case, single spaces, no comments, (noop) as noop.
std::string normal_form(std::string_view text);

// Without blanks, NULs and byte order marks at either end: programs that count the end of a string send it along.
std::string_view trimmed(std::string_view text);

// ASCII only: names of a game are folded like this by the language room too.
std::string lower_case(std::string_view text);

// For a line of a log: at most so many bytes, without line breaks and control characters.
std::string one_line(std::string_view text, std::size_t most = 160);

}  // namespace stratagem::protocol
