// Short forms for tests of the ground room: rules in, clauses or ground rules out, as lines of text.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/print.h"
#include "gdl/read.h"
#include "ground/clause.h"
#include "ground/ground.h"
#include "ground/predicate_graph.h"

namespace stratagem::ground::testing {

inline std::string text_of(const gdl::TermPool& terms, const Clause& clause) {
    std::string text = "(<= " + gdl::to_kif(terms, clause.head);
    for (const ClauseLiteral& literal : clause.body) {
        const std::string atom = gdl::to_kif(terms, literal.atom);
        text += literal.kind == ClauseLiteral::Kind::negative ? " (not " + atom + ")" : " " + atom;
    }
    return clause.body.empty() ? gdl::to_kif(terms, clause.head) : text + ")";
}

inline std::vector<std::string> texts_of(const gdl::TermPool& terms, const std::vector<Clause>& clauses) {
    std::vector<std::string> texts;
    for (const Clause& clause : clauses) texts.push_back(text_of(terms, clause));
    return texts;
}

// The clauses of all rules of a description, without any further transformation. Reading alone, so that fragments do.
inline std::vector<Clause> clauses_of(gdl::Description& description) {
    std::vector<Clause> clauses;
    Effort effort;
    for (const gdl::Rule& rule : description.rules) EXPECT_TRUE(to_clauses(rule, description.terms, clauses, effort));
    return clauses;
}

inline gdl::Description fragment(const std::string& rules) {
    gdl::ReadResult result = gdl::read("fragment.kif", rules);
    EXPECT_TRUE(result.ok()) << rules;
    return std::move(result.description);
}

// The least model of clauses that ask nothing of a state, by trying all facts for all conditions, level by level as the
// relations depend on each other. Too slow for games and too simple to be wrong.
class Model {
  public:
    Model(const std::vector<Clause>& clauses, gdl::TermPool& terms) : terms_(terms) {
        const PredicateGraph graph(clauses, terms);
        for (std::size_t component = 0; component < graph.components().size(); ++component) {
            for (bool changed = true; changed;) {
                const std::size_t before = facts_.size();
                for (const Clause& clause : clauses) {
                    if (graph.component(graph.of(clause.head)) == component) satisfy(clause, 0, {});
                }
                changed = facts_.size() > before;
            }
        }
    }

    std::set<std::string> texts() const {
        std::set<std::string> texts;
        for (const gdl::Term fact : facts_) texts.insert(gdl::to_kif(terms_, fact));
        return texts;
    }

  private:
    using Values = std::map<gdl::Term, gdl::Term>;  // by variable

    gdl::Term build(gdl::Term term, const Values& values) {
        if (terms_.is_variable(term)) return values.at(term);
        std::vector<gdl::Term> arguments;
        for (std::uint32_t i = 0; i < terms_.arity(term); ++i) {
            arguments.push_back(build(terms_.argument(term, i), values));
        }
        return terms_.compound(terms_.symbol(term), arguments);
    }

    bool match(gdl::Term pattern, gdl::Term term, Values& values) const {
        if (terms_.is_variable(pattern)) return values.try_emplace(pattern, term).first->second == term;
        if (terms_.symbol(pattern) != terms_.symbol(term) || terms_.arity(pattern) != terms_.arity(term)) return false;
        for (std::uint32_t i = 0; i < terms_.arity(term); ++i) {
            if (!match(terms_.argument(pattern, i), terms_.argument(term, i), values)) return false;
        }
        return true;
    }

    // Filters hold, once the positive conditions have given every variable a value.
    bool filters_hold(const Clause& clause, const Values& values) {
        return std::ranges::all_of(clause.body, [&](const ClauseLiteral& literal) {
            if (literal.kind == ClauseLiteral::Kind::positive) return true;
            const gdl::Term atom = build(literal.atom, values);
            if (terms_.symbol(atom) != gdl::keyword::distinct) return !facts_.contains(atom);
            const bool distinct = terms_.argument(atom, 0) != terms_.argument(atom, 1);
            return distinct == (literal.kind == ClauseLiteral::Kind::distinct);
        });
    }

    void satisfy(const Clause& clause, std::size_t at, const Values& values) {
        if (at == clause.body.size()) {
            if (filters_hold(clause, values)) facts_.insert(build(clause.head, values));
            return;
        }
        if (clause.body[at].kind != ClauseLiteral::Kind::positive) return satisfy(clause, at + 1, values);
        const std::vector<gdl::Term> facts(facts_.begin(), facts_.end());
        for (const gdl::Term fact : facts) {
            Values extended = values;
            if (match(clause.body[at].atom, fact, extended)) satisfy(clause, at + 1, extended);
        }
    }

    gdl::TermPool& terms_;
    std::set<gdl::Term> facts_;
};

inline std::set<std::string> model(const std::vector<Clause>& clauses, gdl::TermPool& terms) {
    return Model(clauses, terms).texts();
}

// Of the facts of a model those whose relation stands in the text.
inline std::set<std::string> only(const std::set<std::string>& facts, const std::string& relation) {
    std::set<std::string> chosen;
    for (const std::string& fact : facts) {
        if (fact == relation || fact.starts_with("(" + relation + " ")) chosen.insert(fact);
    }
    return chosen;
}

// The lines of a ground program, sorted, since the order of rules means nothing.
inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    std::ranges::sort(lines);
    return lines;
}

inline Program program_of(const std::string& rules) {
    const gdl::ReadResult read = gdl::read_and_check("test.kif", rules);
    EXPECT_TRUE(read.ok()) << rules;
    GroundResult result = ground(read.description);
    EXPECT_TRUE(result.program) << result.failure;
    if (!result.program) return {};
    EXPECT_TRUE(result.program->is_consistent());
    return std::move(*result.program);
}

}  // namespace stratagem::ground::testing
