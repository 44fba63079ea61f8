// Infix, in the manner of Prolog:   legal(W, mark(X, Y)) :- true(cell(X, Y, b)), ~true(control(other)).
//
// docs/infix.md defines it. Statements end with a full stop, which may be missing where the next statement begins
// with a word: after a complete condition a word can start nothing else. Variables begin with a capital or an
// underscore. The result is the very tree the KIF reader makes of the same rules.
#include <fmt/format.h>

#include <algorithm>

#include "gdl/reader.h"
#include "gdl/scanner.h"

namespace stratagem::gdl {

namespace {

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_upper_or_underscore(char c) { return (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_lower_or_digit(c) || is_upper_or_underscore(c); }

// Thrown inside this file only, to leave a statement with a fault; caught in run().
struct StatementFault {};

class InfixReader {
  public:
    InfixReader(const Source& source, SymbolTable& symbols, SyntaxTree& tree, Diagnostics& diagnostics)
        : source_(source), symbols_(symbols), scanner_(source, symbols, tree, diagnostics, '%'), tree_(tree) {}

    void run() {
        read_statements();
        name_anonymous();
    }

  private:
    void read_statements() {
        for (skip_to_operand(); !scanner_.at_end(); skip_to_operand()) {
            try {
                depth_ = 0;
                anonymous_in_statement_ = 0;
                const Node node = statement();
                tree_.statements.push_back(node);
            } catch (const StatementFault&) {
                skip_to_next_statement();
            }
        }
    }

    // A list under construction: children are chained as they come.
    struct Children {
        Node first = Node::none;
        Node last = Node::none;
        std::size_t count = 0;
    };

    // A variable written as an underscore, and how many stand before it in its statement.
    struct Anonymous {
        Node node;
        std::uint32_t place;
    };

    // Counts nesting, so that recursion is bounded whatever the text. What counts as too deep is the tree (see list()),
    // so that both notations allow the same; a name or variable at the bottom counts here, but is no list.
    class Nested {
      public:
        explicit Nested(InfixReader& reader) : reader_(reader) {
            if (++reader_.depth_ > max_nesting + 2) reader_.fail_too_deep(reader_.scanner_.offset());
        }
        ~Nested() { --reader_.depth_; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;

      private:
        InfixReader& reader_;
    };

    [[noreturn]] void fail(std::string_view code, std::string message) {
        fail_at(scanner_.offset(), code, std::move(message));
    }

    [[noreturn]] void fail_at(std::uint32_t at, std::string_view code, std::string message) {
        const std::uint32_t end = at < source_.text().size() ? at + 1 : at;
        scanner_.report(code, {at, end}, std::move(message));
        throw StatementFault{};
    }

    [[noreturn]] void fail_too_deep(std::uint32_t at) {
        fail_at(at, "E104", fmt::format("nested more than {} deep", max_nesting));
    }

    [[noreturn]] void fail_expected(std::string_view what) {
        if (scanner_.at_end()) fail("E116", fmt::format("expected {}, but the text ends here", what));
        fail("E116", fmt::format("expected {}", what));
    }

    void append(Children& children, Node node) {
        if (children.last == Node::none) {
            children.first = node;
        } else {
            tree_[children.last].next_sibling = node;
        }
        children.last = node;
        ++children.count;
    }

    Node list(Children children, std::uint32_t begin) {
        const Node node = scanner_.add(NodeKind::list, {begin, end_});
        tree_[node].first_child = children.first;
        heights_.resize(tree_.nodes.size());
        std::uint32_t height = 0;
        for (const Node child : tree_.children(node)) height = std::max(height, heights_[index(child)]);
        heights_[index(node)] = height + 1;
        if (height + 1 > max_nesting) fail_too_deep(begin);
        return node;
    }

    // Where a statement, a condition or a term must begin, a semicolon cannot mean "or": it begins a comment, as in
    // KIF.
    void skip_to_operand() {
        for (scanner_.skip_blanks(); scanner_.peek() == ';'; scanner_.skip_blanks()) scanner_.skip_comment();
    }

    // Takes `token` if it stands here (after blanks).
    bool take(std::string_view token) {
        scanner_.skip_blanks();
        if (source_.text().substr(scanner_.offset(), token.size()) != token) return false;
        scanner_.advance(static_cast<std::uint32_t>(token.size()));
        end_ = scanner_.offset();
        return true;
    }

    bool at_word() {
        scanner_.skip_blanks();
        return is_lower_or_digit(scanner_.peek()) || scanner_.peek() == '\'';
    }

    Node statement() {
        skip_to_operand();
        const std::uint32_t begin = scanner_.offset();
        if (!at_word()) fail_expected("the name of a relation at the start of a statement");
        const Node head = term();
        scanner_.skip_blanks();
        const std::uint32_t arrow = scanner_.offset();
        if (!take(":-") && !take("<=")) {
            skip_to_operand();
            end_statement();
            return head;
        }
        Children children;
        append(children, scanner_.add(NodeKind::word, {arrow, arrow + 2}, keyword::implies));
        append(children, head);
        skip_to_operand();
        if (scanner_.peek() != '.') {
            const Node body = disjunction(&children);
            if (body != Node::none) append(children, body);
        }
        const Node node = list(children, begin);
        end_statement();
        return node;
    }

    void end_statement() {
        if (take(".")) return;
        if (scanner_.at_end() || at_word()) return;
        fail_expected("',' or '.' after a condition");
    }

    // With `target`, a plain conjunction is chained right into it (the body of a rule) and Node::none returned.
    Node disjunction(Children* target = nullptr) {
        scanner_.skip_blanks();
        const std::uint32_t begin = scanner_.offset();
        Children parts;
        const std::uint32_t operands_begin = begin;
        Children first = conjunction();
        if (!at_or()) {
            if (target == nullptr) return as_one(first, operands_begin);
            for (Node node = first.first; node != Node::none;) {
                const Node next = tree_[node].next_sibling;
                tree_[node].next_sibling = Node::none;
                append(*target, node);
                node = next;
            }
            return Node::none;
        }
        const std::uint32_t sign = scanner_.offset();
        append(parts, scanner_.add(NodeKind::word, {sign, sign + 1}, keyword::disjunction));
        append(parts, as_one(first, operands_begin));
        while (at_or()) {
            scanner_.advance();
            scanner_.skip_blanks();
            const std::uint32_t part_begin = scanner_.offset();
            const Children part = conjunction();
            append(parts, as_one(part, part_begin));
        }
        return list(parts, begin);
    }

    bool at_or() {
        scanner_.skip_blanks();
        return scanner_.peek() == ';' || scanner_.peek() == '|';
    }

    Children conjunction() {
        Children children;
        append(children, unary());
        while (take(",") || take("&")) append(children, unary());
        return children;
    }

    Node as_one(Children children, std::uint32_t begin) {
        if (children.count == 1) return children.first;
        Children all;
        append(all, scanner_.add(NodeKind::word, {begin, begin + 1}, keyword::conjunction));
        tree_[all.last].next_sibling = children.first;
        return list(all, begin);
    }

    Node unary() {
        const Nested nested(*this);
        skip_to_operand();
        const std::uint32_t begin = scanner_.offset();
        if (take("~") || take("\\+") || take_not()) {
            Children children;
            append(children, scanner_.add(NodeKind::word, {begin, end_}, keyword::negation));
            append(children, unary());
            return list(children, begin);
        }
        if (take("(")) {
            const Node inner = disjunction();
            if (!take(")")) fail_expected("')'");
            return inner;
        }
        if (!at_word()) fail_expected("a condition");
        return term();
    }

    bool take_not() {
        if (source_.text().substr(scanner_.offset(), 3) != "not" || is_name_part(scanner_.peek(3))) return false;
        scanner_.advance(3);
        end_ = scanner_.offset();
        return true;
    }

    Node term() {
        const Nested nested(*this);
        skip_to_operand();
        const std::uint32_t begin = scanner_.offset();
        const char c = scanner_.peek();
        if (is_upper_or_underscore(c) || c == '?') return variable();
        if (!is_lower_or_digit(c) && c != '\'') fail_expected("a name or a variable");
        const Node functor = word();
        // Only directly after the name: "p (q)" is a missing comma.
        if (scanner_.peek() != '(') return functor;
        scanner_.advance();
        Children children;
        append(children, functor);
        do {
            append(children, term());
        } while (take(","));
        if (!take(")")) fail_expected("',' or ')' between arguments");
        return list(children, begin);
    }

    Node word() {
        const std::uint32_t begin = scanner_.offset();
        const Symbol symbol = scanner_.peek() == '\'' ? quoted(begin, NodeKind::word) : plain(begin);
        return scanner_.add(NodeKind::word, {begin, end_}, symbol);
    }

    Symbol plain(std::uint32_t begin) {
        while (!scanner_.at_end() && is_name_part(scanner_.peek())) scanner_.advance();
        end_ = scanner_.offset();
        return scanner_.intern(source_.text({begin, end_}), {begin, end_});
    }

    Symbol quoted(std::uint32_t begin, NodeKind kind) {
        const std::string_view text = source_.text();
        std::string name;
        std::uint32_t at = begin + 1;
        for (; at < text.size() && text[at] != '\'' && text[at] != '\n' && text[at] != '\r'; ++at) {
            if (text[at] == '\\' && at + 1 < text.size()) ++at;
            name += text[at];
        }
        // Reading goes on behind the quotation mark: the full stop is somewhere on this line.
        scanner_.advance();
        if (at >= text.size() || text[at] != '\'') fail_at(begin, "E117", "this quoted name is never closed");
        end_ = at + 1;
        scanner_.advance(end_ - scanner_.offset());
        // Whatever is quoted must be writable in KIF too, where blanks and parentheses end a name.
        const bool writable = !name.empty() && name.find_first_of("();") == std::string::npos &&
                              name.find(byte_order_mark) == std::string::npos &&
                              std::none_of(name.begin(), name.end(), Scanner::is_blank) &&
                              std::none_of(name.begin(), name.end(), Scanner::is_forbidden) &&
                              (kind == NodeKind::variable || name.front() != '?');
        if (!writable) {
            scanner_.report("E116", {begin, end_},
                            "a quoted name may not be empty, start with '?' or contain blanks, "
                            "control characters, parentheses or semicolons");
            throw StatementFault{};
        }
        return scanner_.intern(name, {begin, end_});
    }

    Node variable() {
        const std::uint32_t begin = scanner_.offset();
        if (scanner_.peek() == '?') {
            scanner_.advance();
            const std::uint32_t name_begin = scanner_.offset();
            const bool is_quoted = scanner_.peek() == '\'';
            const Symbol symbol = is_quoted ? quoted(name_begin, NodeKind::variable) : plain(name_begin);
            if (end_ == name_begin) {
                scanner_.report("E118", {begin, end_}, "'?' without the name of a variable");
                throw StatementFault{};
            }
            return scanner_.add(NodeKind::variable, {begin, end_}, symbol);
        }
        const Symbol symbol = plain(begin);
        const Node node = scanner_.add(NodeKind::variable, {begin, end_}, symbol);
        if (source_.text({begin, end_}) == "_") anonymous_.push_back({node, anonymous_in_statement_++});
        return node;
    }

    // A lone underscore is a variable of its own each time. Their names are chosen when all others are known; each
    // statement may use them anew.
    void name_anonymous() {
        std::vector<Symbol> names;
        std::uint32_t number = 0;
        for (const Anonymous& variable : anonymous_) {
            while (names.size() <= variable.place) {
                const std::string name = fmt::format("any{}", ++number);
                if (Symbol known{}; !symbols_.find(name, known)) names.push_back(symbols_.intern(name));
            }
            tree_[variable.node].symbol = names[variable.place];
        }
    }

    // Goes on after the next full stop that is followed by a blank or the end.
    void skip_to_next_statement() {
        while (!scanner_.at_end()) {
            const char c = scanner_.peek();
            if (c == '%' || (c == ';' && scanner_.peek(1) == ';')) {
                scanner_.skip_blanks();
                continue;
            }
            scanner_.advance();
            if (c == '.' && (scanner_.at_end() || Scanner::is_blank(scanner_.peek()) || scanner_.peek() == '%')) return;
        }
    }

    const Source& source_;
    SymbolTable& symbols_;
    Scanner scanner_;
    SyntaxTree& tree_;
    std::uint32_t end_ = 0;  // where the last token ended
    std::uint32_t depth_ = 0;
    std::vector<std::uint32_t> heights_;  // of the lists in the tree, by node; 0 for other nodes
    std::vector<Anonymous> anonymous_;
    std::uint32_t anonymous_in_statement_ = 0;
};

}  // namespace

void read_infix(const Source& source, SymbolTable& symbols, SyntaxTree& tree, Diagnostics& diagnostics) {
    tree = SyntaxTree{};
    tree.notation = Notation::infix;
    tree.nodes.reserve(source.text().size() / 4);
    InfixReader(source, symbols, tree, diagnostics).run();
}

}  // namespace stratagem::gdl
