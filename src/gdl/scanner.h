// What both notations share when walking over a text: blanks, comments, forbidden characters, names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gdl/diagnostic.h"
#include "gdl/syntax.h"

namespace stratagem::gdl {

// Some editors put it before the first character, and files joined together have it in the middle: it counts as a
// blank.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class Scanner {
  public:
    Scanner(const Source& source, SymbolTable& symbols, SyntaxTree& tree, Diagnostics& diagnostics,
            char comment_marker);

    bool at_end() const { return at_ >= text_.size(); }
    char peek(std::uint32_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    std::uint32_t offset() const { return at_; }
    void advance(std::uint32_t count = 1) { at_ += count; }
    bool at_byte_order_mark() const { return peek() == '\xEF' && text_.substr(at_, 3) == byte_order_mark; }
    // First character of its line.
    bool at_line_start() const { return at_ == 0 || text_[at_ - 1] == '\n' || text_[at_ - 1] == '\r'; }

    // Moves past white space, comments (which are recorded) and forbidden characters (which are reported).
    void skip_blanks();
    // Records a comment that begins here, whatever its marker, and moves to the end of its line.
    void skip_comment();

    // Interns a name in lower case, reporting names that are too long or no UTF-8. Too long ones are cut.
    Symbol intern(std::string_view name, Span span);

    Node add(NodeKind kind, Span span, Symbol symbol = {});
    void report(std::string_view code, Span span, std::string message, std::string hint = {}) {
        diagnostics_.add(code, span, std::move(message), std::move(hint));
    }

    std::string_view text() const { return text_; }
    SyntaxTree& tree() { return tree_; }

    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
    static bool is_forbidden(char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && !is_blank(c)) || byte == 0x7F;
    }

  private:
    // Infix has two markers: ';;' can mean nothing else there.
    bool at_comment() const {
        return peek() == comment_marker_ || (comment_marker_ != ';' && peek() == ';' && peek(1) == ';');
    }

    std::string_view text_;
    std::uint32_t at_ = 0;
    char comment_marker_;
    SymbolTable& symbols_;
    SyntaxTree& tree_;
    Diagnostics& diagnostics_;
    std::string folded_;  // reused for each name
};

// Well-formed UTF-8 throughout.
bool is_utf8(std::string_view text);

}  // namespace stratagem::gdl
