#include "machine/term_text.h"

#include <algorithm>
#include <string>

namespace stratagem::machine {

using gdl::Literal;
using gdl::Symbol;
using gdl::Term;

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

// Every term of the text in order; nothing when parentheses do not match or a list does not begin with a word.
std::optional<std::vector<Term>> parse_terms(gdl::TermPool& terms, std::string_view text) {
    struct List {
        std::optional<Symbol> functor;
        std::vector<Term> parts;
    };
    std::vector<List> open(1);  // the outermost list is the text itself
    open.front().functor = Symbol{};
    std::size_t i = 0;
    while (i < text.size()) {
        if (is_blank(text[i])) {
            ++i;
        } else if (text[i] == '(') {
            if (open.size() > gdl::max_nesting) return {};
            open.emplace_back();
            ++i;
        } else if (text[i] == ')') {
            if (open.size() == 1 || !open.back().functor) return {};
            const Term term = terms.compound(*open.back().functor, open.back().parts);
            open.pop_back();
            open.back().parts.push_back(term);
            ++i;
        } else {
            std::string word;
            for (; i < text.size() && !is_blank(text[i]) && text[i] != '(' && text[i] != ')'; ++i) {
                const char c = text[i];
                word.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
            }
            const bool variable = word.front() == '?';
            if (variable && word.size() == 1) return {};
            if (variable) {
                if (!open.back().functor) return {};
                open.back().parts.push_back(terms.variable(terms.symbols().intern(word.substr(1))));
            } else if (!open.back().functor) {
                open.back().functor = terms.symbols().intern(word);
            } else {
                open.back().parts.push_back(terms.constant(terms.symbols().intern(word)));
            }
        }
        // A list that begins with a list has no functor for its parts.
        if (!open.back().functor && !open.back().parts.empty()) return {};
    }
    if (open.size() != 1) return {};
    return std::move(open.front().parts);
}

std::optional<Literal> to_literal(const gdl::TermPool& terms, Term term) {
    if (terms.is_variable(term)) return {};
    Literal literal;
    const Symbol symbol = terms.symbol(term);
    if (symbol == gdl::keyword::distinct) {
        literal.kind = Literal::Kind::distinct;
        literal.atom = term;
        if (terms.arity(term) != 2) return {};
        return literal;
    }
    if (symbol == gdl::keyword::negation) {
        literal.kind = Literal::Kind::negation;
        if (terms.arity(term) != 1) return {};
    } else if (symbol == gdl::keyword::conjunction) {
        literal.kind = Literal::Kind::conjunction;
    } else if (symbol == gdl::keyword::disjunction) {
        literal.kind = Literal::Kind::disjunction;
    } else {
        literal.atom = term;
        if (symbol == gdl::keyword::implies) return {};
        return literal;
    }
    for (const Term part : terms.arguments(term)) {
        std::optional<Literal> inner = to_literal(terms, part);
        if (!inner) return {};
        literal.parts.push_back(std::move(*inner));
    }
    return literal;
}

}  // namespace

std::optional<Term> parse_term(gdl::TermPool& terms, std::string_view text) {
    const auto parsed = parse_terms(terms, text);
    if (!parsed || parsed->size() != 1) return {};
    return parsed->front();
}

std::optional<std::vector<Literal>> parse_conjunction(gdl::TermPool& terms, std::string_view text) {
    const auto parsed = parse_terms(terms, text);
    if (!parsed) return {};
    std::vector<Literal> result;
    for (const Term term : *parsed) {
        std::optional<Literal> literal = to_literal(terms, term);
        if (!literal) return {};
        result.push_back(std::move(*literal));
    }
    return result;
}

}  // namespace stratagem::machine
