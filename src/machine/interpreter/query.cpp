#include "machine/interpreter/query.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/interpreter/engine.h"
#include "machine/term_text.h"

namespace stratagem::machine {

using gdl::Literal;
using gdl::Term;
using interpreter::ColumnUse;

namespace {

void add_variables(const gdl::TermPool& terms, Term pattern, std::vector<Term>& found) {
    if (terms.is_ground(pattern)) return;
    if (terms.is_variable(pattern)) {
        if (std::ranges::find(found, pattern) == found.end()) found.push_back(pattern);
        return;
    }
    for (const Term argument : terms.arguments(pattern)) add_variables(terms, argument, found);
}

// Variables that have a value whenever the literal holds. `found` keeps the order of first occurrence.
void add_bound_variables(const gdl::TermPool& terms, const Literal& literal, std::vector<Term>& found) {
    if (literal.kind == Literal::Kind::atom) {
        add_variables(terms, literal.atom, found);
    } else if (literal.kind == Literal::Kind::conjunction) {
        for (const Literal& part : literal.parts) add_bound_variables(terms, part, found);
    } else if (literal.kind == Literal::Kind::disjunction && !literal.parts.empty()) {
        std::vector<Term> common;
        add_bound_variables(terms, literal.parts.front(), common);
        for (const Literal& part : literal.parts) {
            std::vector<Term> here;
            add_bound_variables(terms, part, here);
            std::erase_if(common, [&](Term variable) { return std::ranges::find(here, variable) == here.end(); });
        }
        for (const Term variable : common) add_variables(terms, variable, found);
    }
}

std::vector<Literal> parse(gdl::TermPool& terms, std::string_view text) {
    std::optional<std::vector<Literal>> literals = parse_conjunction(terms, text);
    if (!literals) throw InvalidRules(fmt::format("not a conjunction of literals: {}", text));
    return std::move(*literals);
}

}  // namespace

Query::Query(Interpreter& interpreter, std::vector<Literal> literals)
    : interpreter_(&interpreter), literals_(std::move(literals)), of_prefix_(literals_.size() + 1, not_compiled) {
    for (const Literal& literal : literals_) add_bound_variables(interpreter.terms(), literal, variables_);
    all_ = compile(literals_.size(), variables_);
}

Query::Query(Interpreter& interpreter, std::string_view text) : Query(interpreter, parse(interpreter.terms(), text)) {}

std::uint32_t Query::compile(std::size_t literal_count, const std::vector<Term>& head) {
    const std::vector<Literal> body(literals_.begin(), literals_.begin() + static_cast<std::ptrdiff_t>(literal_count));
    std::size_t new_fluents = 0;
    const interpreter::Predicate predicate = interpreter_->rulebook_->add_query(body, head, new_fluents);
    if (new_fluents > 0) interpreter_->find_fluents_again();
    return interpreter_->engine_->pattern(predicate, std::vector(head.size(), ColumnUse::wanted));
}

bool Query::holds(std::size_t literal_count) {
    if (of_prefix_[literal_count] == not_compiled) of_prefix_[literal_count] = compile(literal_count, {});
    return interpreter_->engine_->solve(of_prefix_[literal_count], {}) > 0;
}

bool Query::holds() { return holds(length()); }

std::size_t Query::count() { return interpreter_->engine_->solve(all_, {}); }

std::vector<Term> Query::solutions() {
    std::vector<Term> result;
    interpreter_->engine_->solve(all_, {});
    interpreter_->engine_->for_each_answer(
        [&](const Term* values) { result.insert(result.end(), values, values + variables_.size()); });
    return result;
}

std::size_t Query::deepest() {
    // A beginning that can be satisfied has only beginnings that can: search by halves.
    std::size_t low = 0;
    std::size_t high = length();
    while (low < high) {
        const std::size_t middle = low + (high - low + 1) / 2;
        if (holds(middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

}  // namespace stratagem::machine
