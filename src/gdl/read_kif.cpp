// Prefix KIF: parentheses, words, comments from ';' to the end of the line.
//
// The usual fault is a missing ')': everything after it then nests inside one rule. Two facts of the language
// find the place. First, (<= ...) never nests, so meeting "(<=" inside a form proves that the form was not closed.
// Second, people start statements in the first column: when the text ends inside a form it is read again, now
// taking each '(' in the first column as the start of a statement. Each unclosed form is then reported where it begins.
#include <fmt/format.h>

#include "gdl/reader.h"
#include "gdl/scanner.h"

namespace stratagem::gdl {

namespace {

class KifReader {
  public:
    KifReader(const Source& source, SymbolTable& symbols, SyntaxTree& tree, Diagnostics& diagnostics,
              bool first_column_starts_statement)
        : source_(source),
          scanner_(source, symbols, tree, diagnostics, ';'),
          tree_(tree),
          first_column_starts_statement_(first_column_starts_statement) {}

    // Returns false when the text ended inside a form.
    bool run() {
        for (scanner_.skip_blanks(); !scanner_.at_end(); scanner_.skip_blanks()) {
            const char c = scanner_.peek();
            if (c == '(') {
                open();
            } else if (c == ')') {
                close();
            } else {
                word();
            }
        }
        if (open_.empty()) return true;
        report_unclosed(scanner_.offset());
        close_all(scanner_.offset());
        return false;
    }

  private:
    struct OpenList {
        Node node;
        Node last_child;
    };

    void attach(Node node) {
        if (open_.empty()) {
            tree_.statements.push_back(node);
            return;
        }
        OpenList& list = open_.back();
        if (list.last_child == Node::none) {
            tree_[list.node].first_child = node;
        } else {
            tree_[list.last_child].next_sibling = node;
        }
        list.last_child = node;
    }

    bool starts_rule() const {
        // "(" blanks "<=" and then no further character of a word.
        std::uint32_t ahead = 1;
        while (Scanner::is_blank(scanner_.peek(ahead))) ++ahead;
        return scanner_.peek(ahead) == '<' && scanner_.peek(ahead + 1) == '=' && !is_word(scanner_.peek(ahead + 2));
    }

    void open() {
        const std::uint32_t at = scanner_.offset();
        if (!open_.empty() && (starts_rule() || (first_column_starts_statement_ && scanner_.at_line_start()))) {
            report_unclosed(at);
            close_all(at);
        }
        scanner_.advance();
        if (too_deep_ > 0 || open_.size() >= max_nesting) {
            if (too_deep_ == 0) {
                scanner_.report("E104", {at, at + 1}, fmt::format("parentheses nested more than {} deep", max_nesting));
                cut_ = true;
            }
            ++too_deep_;
            return;
        }
        const Node node = scanner_.add(NodeKind::list, {at, at + 1});
        attach(node);
        open_.push_back({node, Node::none});
    }

    void close() {
        const std::uint32_t at = scanner_.offset();
        scanner_.advance();
        if (too_deep_ > 0) {
            --too_deep_;
            return;
        }
        if (open_.empty()) {
            scanner_.report("E102", {at, at + 1}, "this ')' closes nothing");
            return;
        }
        const OpenList list = open_.back();
        open_.pop_back();
        tree_[list.node].span.end = at + 1;
        if (list.last_child == Node::none && !cut_) {
            scanner_.report("E103", tree_[list.node].span, "empty list ()");
        }
        if (open_.empty()) drop_if_cut();
    }

    // A form cut short would only give follow-up errors: the statement is dropped.
    void drop_if_cut() {
        if (cut_ && !tree_.statements.empty()) tree_.statements.pop_back();
        cut_ = false;
    }

    void word() {
        const std::uint32_t begin = scanner_.offset();
        while (!scanner_.at_end() && is_word(scanner_.peek()) && !scanner_.at_byte_order_mark()) scanner_.advance();
        const Span span{begin, scanner_.offset()};
        if (too_deep_ > 0) return;
        std::string_view name = source_.text(span);
        NodeKind kind = NodeKind::word;
        if (name.front() == '?') {
            kind = NodeKind::variable;
            name.remove_prefix(1);
            if (name.empty()) scanner_.report("E118", span, "'?' without the name of a variable");
        }
        attach(scanner_.add(kind, span, scanner_.intern(name, span)));
    }

    void report_unclosed(std::uint32_t at) {
        const Span statement = tree_[open_.front().node].span;
        const bool at_end = at >= source_.text().size();
        const std::string hint = at_end ? fmt::format("the text ends and {}", missing())
                                        : fmt::format("the next statement starts on line {}; before it {}",
                                                      source_.line_number(at), missing());
        scanner_.report("E101", {statement.begin, statement.begin + 1}, "this form is never closed", hint);
    }

    std::string missing() const {
        const std::size_t count = open_.size() + too_deep_;
        return fmt::format("{} ')' {} missing", count, count == 1 ? "is" : "are");
    }

    void close_all(std::uint32_t at) {
        for (const OpenList& list : open_) tree_[list.node].span.end = at;
        open_.clear();
        too_deep_ = 0;
        cut_ = true;
        drop_if_cut();
    }

    static bool is_word(char c) {
        return c != '(' && c != ')' && c != ';' && !Scanner::is_blank(c) && !Scanner::is_forbidden(c);
    }

    const Source& source_;
    Scanner scanner_;
    SyntaxTree& tree_;
    std::vector<OpenList> open_;
    std::size_t too_deep_ = 0;  // parentheses open beyond the limit; their content is skipped
    bool cut_ = false;          // the statement being read is not complete in the tree
    bool first_column_starts_statement_;
};

}  // namespace

void read_kif(const Source& source, SymbolTable& symbols, SyntaxTree& tree, Diagnostics& diagnostics) {
    for (const bool first_column_starts_statement : {false, true}) {
        tree = SyntaxTree{};
        tree.notation = Notation::kif;
        tree.nodes.reserve(source.text().size() / 4);
        Diagnostics found;
        KifReader reader(source, symbols, tree, found, first_column_starts_statement);
        const bool complete = reader.run();
        if (complete || first_column_starts_statement) {
            diagnostics.append(found);
            return;
        }
    }
}

}  // namespace stratagem::gdl
