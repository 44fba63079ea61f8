#include "gdl/layout.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "gdl/print.h"
#include "gdl/scanner.h"
#include "util/contract.h"

namespace stratagem::gdl {

namespace {

char marker(Notation notation) { return notation == Notation::kif ? ';' : '%'; }

void move_to_own_lines(std::vector<Remark>& from, std::vector<Remark>& to) {
    for (Remark& remark : from) to.push_back({std::move(remark.text), true});
    from.clear();
}

}  // namespace

// ---- From the tree to boxes --------------------------------------------------------------------------------------

BoxBuilder::BoxBuilder(const Description& description, Notation notation)
    : description_(description), tree_(description.syntax), notation_(notation) {}

const Comment* BoxBuilder::take_comment(std::uint32_t offset) {
    if (next_comment_ == tree_.comments.size() || tree_.comments[next_comment_].span.begin >= offset) return nullptr;
    return &tree_.comments[next_comment_++];
}

Remark BoxBuilder::remark(const Comment& comment) const {
    std::string text(description_.source->text(comment.span));
    while (!text.empty() && Scanner::is_blank(text.back())) text.pop_back();
    const char own = text.empty() ? '\0' : text.front();  // infix has two
    for (char& c : text) {
        if (c != own) break;
        c = marker(notation_);
    }
    return {std::move(text), comment.own_line};
}

void BoxBuilder::collect(std::uint32_t offset, std::vector<Remark>& remarks) {
    while (const Comment* comment = take_comment(offset)) remarks.push_back(remark(*comment));
}

std::uint32_t BoxBuilder::end_of(Node statement) const {
    // The tree ends an infix statement at its last word; the full stop may come after comments.
    const std::uint32_t end = tree_[statement].span.end;
    if (tree_.notation == Notation::kif) return end;
    const std::string_view text = description_.source->text();
    auto comment = std::lower_bound(tree_.comments.begin(), tree_.comments.end(), end,
                                    [](const Comment& c, std::uint32_t offset) { return c.span.begin < offset; });
    std::uint32_t at = end;
    while (at < text.size()) {
        if (comment != tree_.comments.end() && comment->span.begin == at) {
            at = comment->span.end;
            ++comment;
        } else if (Scanner::is_blank(text[at])) {
            ++at;
        } else {
            break;
        }
    }
    return at < text.size() && text[at] == '.' ? at + 1 : end;
}

bool BoxBuilder::is_rule(Node node) const {
    const Node first = tree_[node].first_child;
    return tree_[node].kind == NodeKind::list && first != Node::none && tree_[first].kind == NodeKind::word &&
           tree_[first].symbol == keyword::implies;
}

StatementBox BoxBuilder::build(Node statement) {
    STRATAGEM_EXPECTS(next_comment_ == tree_.comments.size() ||
                      tree_.comments[next_comment_].span.begin >= tree_[statement].span.begin);
    const std::uint32_t end = end_of(statement);
    StatementBox result;
    if (is_rule(statement)) {
        const Node head = tree_[tree_[statement].first_child].next_sibling;
        result.box.style = Box::Style::rule;
        if (notation_ == Notation::kif) {
            result.box.open = "(<= ";
            result.box.close = ")";
        } else {
            result.box.arrow = " :-";
            result.box.separator = ",";
        }
        add_parts(result, head, end, true);
        // A rule without conditions is a fact.
        if (result.box.parts.size() == 1) result.box = Box(std::move(result.box.parts.front()));
    } else {
        result = build(statement, false);
        collect(end, result.after);
    }
    if (notation_ == Notation::infix) {
        result.box.close += '.';
        ++result.box.width;
    }
    return result;
}

StatementBox BoxBuilder::word(Node node) const {
    const SyntaxNode& syntax = tree_[node];
    const std::string_view name = description_.terms.symbols().name(syntax.symbol);
    StatementBox result;
    std::string& text = result.box.open;
    if (notation_ == Notation::infix) {
        text = syntax.kind == NodeKind::variable ? infix_variable(name) : infix_word(name);
    } else {
        if (syntax.kind == NodeKind::variable) text = '?';
        text += name;
    }
    result.box.width = count_characters(text);
    return result;
}

StatementBox BoxBuilder::build(Node node, bool is_condition) {
    if (tree_[node].kind != NodeKind::list) return word(node);
    const Node name = tree_[node].first_child;
    const Node first = tree_[name].next_sibling;
    StatementBox result;
    if (first == Node::none) {
        result = word(name);  // (terminal) is terminal
        collect(tree_[node].span.end, result.after);
        return result;
    }
    // In infix a single operand would lose its "or": it is written as a function, 'or'(a), and so is all inside it.
    const bool single = tree_[first].next_sibling == Node::none;
    const Symbol symbol = tree_[name].symbol;
    const bool is_connective = is_condition && gdl::is_connective(symbol) && symbol != keyword::implies &&
                               (notation_ == Notation::kif || single == (symbol == keyword::negation));
    result.box = shell(node, is_connective);
    add_parts(result, first, tree_[node].span.end, is_connective);
    return result;
}

Box BoxBuilder::shell(Node list, bool is_connective) const {
    const Symbol symbol = tree_[tree_[list].first_child].symbol;
    const std::string_view name = description_.terms.symbols().name(symbol);
    const bool has_operands = is_connective && symbol != keyword::negation;
    Box box;
    box.style = has_operands ? Box::Style::operands : Box::Style::arguments;
    box.close = ")";
    if (notation_ == Notation::kif) {
        box.open = "(";
        box.open += name;
        box.open += ' ';
        return box;
    }
    box.separator = ",";
    if (!is_connective) {
        box.open = infix_word(name) + '(';
    } else if (symbol == keyword::negation) {
        box.style = Box::Style::prefix;
        box.open = "~";
        box.close.clear();
    } else {
        box.open = "(";
        if (symbol == keyword::disjunction) box.separator = " ;";
    }
    return box;
}

// `first` and its siblings become the parts. In a rule the first is the head, which is no condition. Only the places of
// the parts are looked at, never that of the name: in infix the name of a rule or disjunction stands between the parts.
void BoxBuilder::add_parts(StatementBox& result, Node first, std::uint32_t end, bool are_conditions) {
    Box& box = result.box;
    std::vector<Remark> pending;
    for (Node node = first; node != Node::none; node = tree_[node].next_sibling) {
        collect(tree_[node].span.begin, pending);
        StatementBox part = build(node, are_conditions && !(box.style == Box::Style::rule && node == first));
        move_to_own_lines(part.before, pending);
        if (box.parts.empty()) {
            move_to_own_lines(pending, result.before);
        } else {
            box.remarks_inside = box.remarks_inside || !pending.empty();
            box.parts.back().remarks = std::move(pending);
        }
        pending = std::move(part.after);
        box.remarks_inside = box.remarks_inside || part.box.remarks_inside;
        box.parts.push_back(std::move(part.box));
    }
    collect(end, pending);
    result.after = std::move(pending);
    measure(box);
}

void BoxBuilder::measure(Box& box) const {
    box.width = count_characters(box.open) + box.close.size();
    for (const Box& part : box.parts) box.width += part.width;
    if (!box.parts.empty()) box.width += (box.parts.size() - 1) * (box.separator.size() + 1);
}

// ---- From boxes to lines -----------------------------------------------------------------------------------------

void Typesetter::append(std::string_view text, std::size_t width) {
    out_ += text;
    column_ += width;
}

void Typesetter::start_line(std::size_t indent) {
    out_ += '\n';
    out_.append(indent, ' ');
    column_ = indent;
}

void Typesetter::new_line(bool blank) {
    if (out_.empty()) return;
    if (blank) out_ += '\n';
    start_line(0);
}

void Typesetter::trailing(const Remark& remark) {
    append("  ", 2);
    append(remark.text, remark.text.size());
}

void Typesetter::remarks(const std::vector<Remark>& remarks, std::size_t indent) {
    bool first = true;
    for (const Remark& remark : remarks) {
        if (first && !remark.own_line) {
            trailing(remark);
        } else {
            start_line(indent);
            append(remark.text, remark.text.size());
        }
        first = false;
    }
}

bool Typesetter::fits(const Box& box, std::size_t after) const {
    if (box.style == Box::Style::rule || box.remarks_inside) return false;
    return column_ + box.width + after <= line_width;
}

void Typesetter::set_flat(const Box& box) {
    append(box.open, count_characters(box.open));
    for (std::size_t i = 0; i < box.parts.size(); ++i) {
        set_flat(box.parts[i]);
        if (i + 1 == box.parts.size()) break;
        append(box.separator, box.separator.size());
        append(" ", 1);
    }
    append(box.close, box.close.size());
}

bool Typesetter::set(const Box& box, std::size_t after) {
    if (fits(box, after)) {
        set_flat(box);
        return true;
    }
    set_broken(box, after);
    append(box.close, box.close.size());
    return box.style == Box::Style::word;
}

void Typesetter::set_broken(const Box& box, std::size_t after) {
    const std::size_t step = notation_ == Notation::kif ? 2 : 4;
    const std::size_t start = column_;
    append(box.open, count_characters(box.open));
    const std::size_t indent = std::min(box.style == Box::Style::operands ? column_ : start + step, deepest_indent);
    // After a part that took several lines, or a comment, nothing goes on on the same line.
    bool line_is_open = false;
    for (std::size_t i = 0; i < box.parts.size(); ++i) {
        const Box& part = box.parts[i];
        const bool last = i + 1 == box.parts.size();
        const std::string_view separator = box.style == Box::Style::rule && i == 0 ? box.arrow : box.separator;
        const std::size_t part_after = last ? box.close.size() + after : separator.size();
        if (line_is_open && fits(part, part_after + 1)) {
            append(" ", 1);
        } else if (i > 0) {
            start_line(indent);
        }
        const bool on_one_line = set(part, part_after);
        line_is_open = box.style == Box::Style::arguments && on_one_line && part.remarks.empty();
        if (!last) append(separator, separator.size());
        remarks(part.remarks, indent);
    }
}

void Typesetter::statement(const StatementBox& statement) {
    const Box& box = statement.box;
    for (const Remark& remark : statement.before) {
        append(remark.text, remark.text.size());
        start_line(0);
    }
    const std::vector<Remark>& after = statement.after;
    if (after.empty() || statement.ends_line()) {
        set(box, 0);
        if (!after.empty()) trailing(after.front());
        return;
    }
    // Conditions put out of use by a comment sign often stand last: they stay inside, and the closing text follows.
    const std::size_t indent = notation_ == Notation::kif ? 2 : 4;
    if (fits(box, 0)) {
        Box open_box = box;
        open_box.close.clear();
        set_flat(open_box);
    } else {
        set_broken(box, 0);
    }
    // (terminal) became a bare word that nothing closes.
    remarks(after, box.close.empty() ? 0 : indent);
    if (box.close.empty()) return;
    start_line(indent);
    append(box.close, box.close.size());
}

}  // namespace stratagem::gdl
