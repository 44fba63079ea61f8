// The order and spacing of statements; how one statement is set on lines is in layout.h.
//
// Statements and the comments between them are kept in their order. Blank lines of the source are kept, several as
// one. Facts that share a line in the source share one here as long as they fit: tables such as
// (succ 1 2) (succ 2 3) read better in rows.
#include "gdl/format.h"

#include "gdl/layout.h"

namespace stratagem::gdl {

namespace {

class Formatter {
  public:
    Formatter(const Description& description, Notation notation)
        : source_(*description.source), tree_(description.syntax), builder_(description, notation), lines_(notation) {}

    std::string run() {
        for (const Node statement : tree_.statements) {
            comments_before(tree_[statement].span.begin);
            add(statement);
        }
        comments_before(static_cast<std::uint32_t>(source_.text().size()));
        std::string text = lines_.take();
        if (!text.empty()) text += '\n';
        return text;
    }

  private:
    // What the last line ends with: decides what may follow on it.
    enum class LineEnd : std::uint8_t { fact, statement, comment };

    // 0: on the same line, 1: on the next, 2: after at least one blank line.
    int lines_down_to(std::uint32_t offset) const {
        const std::string_view between = source_.text({end_, offset});
        int count = 0;
        for (std::size_t i = 0; i < between.size() && count < 2; ++i) {
            const bool lone_return = between[i] == '\r' && (i + 1 == between.size() || between[i + 1] != '\n');
            if (between[i] == '\n' || lone_return) ++count;
        }
        return count;
    }

    void comments_before(std::uint32_t offset) {
        while (const Comment* comment = builder_.take_comment(offset)) {
            const Remark remark = builder_.remark(*comment);
            const int lines = lines_down_to(comment->span.begin);
            if (lines == 0 && line_end_ != LineEnd::comment) {
                lines_.trailing(remark);
            } else {
                lines_.new_line(lines == 2);
                lines_.append(remark.text, remark.text.size());
            }
            line_end_ = LineEnd::comment;
            end_ = comment->span.end;
        }
    }

    void add(Node node) {
        const StatementBox statement = builder_.build(node);
        const int lines = lines_down_to(tree_[node].span.begin);
        const bool bare = statement.before.empty() && statement.after.empty();
        const bool same_line = lines == 0 && line_end_ == LineEnd::fact && bare && lines_.fits(statement.box, 1);
        if (same_line) {
            lines_.append(" ", 1);
        } else {
            lines_.new_line(lines == 2);
        }
        const bool is_fact = bare && lines_.fits(statement.box, 0);
        const bool comment_last = !statement.after.empty() && (statement.box.close.empty() || statement.ends_line());
        lines_.statement(statement);
        line_end_ = is_fact ? LineEnd::fact : comment_last ? LineEnd::comment : LineEnd::statement;
        end_ = builder_.end_of(node);
    }

    const Source& source_;
    const SyntaxTree& tree_;
    BoxBuilder builder_;
    Typesetter lines_;
    LineEnd line_end_ = LineEnd::comment;  // at the start nothing can be continued
    std::uint32_t end_ = 0;                // in the source: of what was printed last
};

}  // namespace

std::string format(const Description& description, Notation notation) {
    return description.source ? Formatter(description, notation).run() : std::string{};
}

}  // namespace stratagem::gdl
