// One statement as a tree of boxes, ready to be set on lines: private to the formatter.
//
// A box is a word, or parts between an opening and a closing text. Both notations are boxes with other texts, so
// that breaking lines and keeping comments is written once. A box is set on one line when it fits and no comment
// stands inside it; else its parts are spread over lines. The line a comment ends can then never hold code after it.
//
// Comments stand only between parts. The builder moves the others to the nearest such place: one before the first
// part goes before the whole box, one after the last part goes after it, up to the statement itself. This normal form
// is what makes formatting idempotent, and it needs no closing parenthesis on a line of its own inside a statement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gdl/description.h"

namespace stratagem::gdl {

// A comment with the marker of the notation it is printed in.
struct Remark {
    std::string text;
    bool own_line = false;
};

struct Box {
    enum class Style : std::uint8_t {
        word,       // `open` alone
        prefix,     // ~ and its one part
        arguments,  // broken lines are filled with parts
        operands,   // one part on each line, aligned
        rule,       // the head, then one part on each line; never on one line
    };

    Style style = Style::word;
    std::string open;
    std::string_view arrow;      // of a rule: after the head
    std::string_view separator;  // after each part but the last
    std::string close;
    std::vector<Box> parts;
    std::vector<Remark> remarks;  // between this box and the next part of the box around it
    bool remarks_inside = false;
    std::size_t width = 0;  // characters when set on one line
};

struct StatementBox {
    Box box;
    std::vector<Remark> before;  // on lines of their own
    std::vector<Remark> after;   // before the closing text, unless ends_line()

    // The only comment after the last part can stand at the end of the line, behind the closing text.
    bool ends_line() const { return after.size() == 1 && !after.front().own_line; }
};

// Turns statements into boxes, handing out the comments of the description in their order.
class BoxBuilder {
  public:
    BoxBuilder(const Description& description, Notation notation);

    // Takes the next comment if it begins before `offset`. Null when there is none.
    const Comment* take_comment(std::uint32_t offset);
    Remark remark(const Comment& comment) const;

    // Where the statement ends, an infix full stop included.
    std::uint32_t end_of(Node statement) const;
    // Pre: comments before the statement were taken.
    StatementBox build(Node statement);

  private:
    StatementBox build(Node node, bool is_condition);
    StatementBox word(Node node) const;
    void add_parts(StatementBox& result, Node first, std::uint32_t end, bool are_conditions);
    Box shell(Node list, bool is_connective) const;
    bool is_rule(Node node) const;
    void measure(Box& box) const;
    void collect(std::uint32_t offset, std::vector<Remark>& remarks);

    const Description& description_;
    const SyntaxTree& tree_;
    Notation notation_;
    std::size_t next_comment_ = 0;
};

// Sets boxes on lines.
class Typesetter {
  public:
    static constexpr std::size_t line_width = 100;
    // Deep nesting would otherwise cost a line of blanks for each word.
    static constexpr std::size_t deepest_indent = 60;

    explicit Typesetter(Notation notation) : notation_(notation) {}

    // Starts a new line (after an empty one if `blank`), unless the text is still empty.
    void new_line(bool blank);
    void statement(const StatementBox& statement);
    // A comment at the end of the current line.
    void trailing(const Remark& remark);
    void append(std::string_view text, std::size_t width);

    // Whether the box can stand on one line when `after` characters must follow it.
    bool fits(const Box& box, std::size_t after) const;
    std::string take() { return std::move(out_); }

  private:
    void start_line(std::size_t indent);
    void remarks(const std::vector<Remark>& remarks, std::size_t indent);
    // True when it took one line.
    bool set(const Box& box, std::size_t after);
    void set_flat(const Box& box);
    // All but the closing text.
    void set_broken(const Box& box, std::size_t after);

    Notation notation_;
    std::string out_;
    std::size_t column_ = 0;
};

}  // namespace stratagem::gdl
