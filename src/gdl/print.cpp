// Printing on one line. Depth of recursion is the nesting of the term, which the readers bound by max_nesting.
#include "gdl/print.h"

#include <algorithm>

namespace stratagem::gdl {

namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_identifier_character(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }

void append_kif(std::string& out, const TermPool& terms, Term term) {
    const std::string_view name = terms.symbols().name(terms.symbol(term));
    if (terms.is_variable(term)) {
        out += '?';
        out += name;
        return;
    }
    const auto arguments = terms.arguments(term);
    if (arguments.empty()) {
        out += name;
        return;
    }
    out += '(';
    out += name;
    for (const Term argument : arguments) {
        out += ' ';
        append_kif(out, terms, argument);
    }
    out += ')';
}

void append_kif(std::string& out, const TermPool& terms, const Literal& literal) {
    switch (literal.kind) {
        case Literal::Kind::atom:
        case Literal::Kind::distinct:
            append_kif(out, terms, literal.atom);
            return;
        case Literal::Kind::negation:
            out += "(not";
            break;
        case Literal::Kind::conjunction:
            out += "(and";
            break;
        case Literal::Kind::disjunction:
            out += "(or";
            break;
    }
    for (const Literal& part : literal.parts) {
        out += ' ';
        append_kif(out, terms, part);
    }
    out += ')';
}

void append_infix(std::string& out, const TermPool& terms, Term term) {
    const std::string_view name = terms.symbols().name(terms.symbol(term));
    if (terms.is_variable(term)) {
        out += infix_variable(name);
        return;
    }
    out += infix_word(name);
    const auto arguments = terms.arguments(term);
    if (arguments.empty()) return;
    char before = '(';
    for (const Term argument : arguments) {
        out += before;
        if (before == ',') out += ' ';
        append_infix(out, terms, argument);
        before = ',';
    }
    out += ')';
}

void append_quoted(std::string& out, std::string_view name) {
    out += '\'';
    for (const char c : name) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    out += '\'';
}

}  // namespace

std::string to_kif(const TermPool& terms, Term term) {
    std::string out;
    append_kif(out, terms, term);
    return out;
}

std::string to_kif(const TermPool& terms, const Literal& literal) {
    std::string out;
    append_kif(out, terms, literal);
    return out;
}

std::string to_kif(const TermPool& terms, const Rule& rule) {
    std::string out;
    if (rule.body.empty()) {
        append_kif(out, terms, rule.head);
        return out;
    }
    out += "(<= ";
    append_kif(out, terms, rule.head);
    for (const Literal& literal : rule.body) {
        out += ' ';
        append_kif(out, terms, literal);
    }
    out += ')';
    return out;
}

std::string infix_word(std::string_view name) {
    // The connectives spelt as identifiers; <= needs quotes for its characters already.
    const bool connective = name == "not" || name == "or" || name == "and";
    const bool plain = !name.empty() && (is_lower(name.front()) || is_digit(name.front())) &&
                       std::all_of(name.begin(), name.end(), is_identifier_character);
    if (plain && !connective) return std::string(name);
    std::string out;
    append_quoted(out, name);
    return out;
}

std::string infix_variable(std::string_view name) {
    const bool plain =
        !name.empty() && (is_lower(name.front()) || (name.front() == '_' && name.size() > 1)) &&
        std::all_of(name.begin(), name.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
    if (!plain) {
        std::string out = "?";
        append_quoted(out, name);
        return out;
    }
    std::string out(name);
    if (is_lower(out.front())) out.front() = static_cast<char>(out.front() - 'a' + 'A');
    return out;
}

std::string to_infix(const TermPool& terms, Term term) {
    std::string out;
    append_infix(out, terms, term);
    return out;
}

}  // namespace stratagem::gdl
