// Safety against its definition: a rule with disjunctions is as safe as all the plain rules it stands for.
//
// The checker never multiplies disjunctions out. Here random small bodies are multiplied out, each plain rule is judged
// by the letter of the specification, and both must blame the same occurrences.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gdl/check.h"
#include "gdl/read.h"

namespace stratagem::gdl {
namespace {

using Clause = std::vector<const Literal*>;  // atoms, distinct literals and negations

std::string random_condition(std::mt19937& random, int depth) {
    const auto pick = [&](int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); };
    const auto variable = [&] { return fmt::format("?{}", "xyz"[pick(3)]); };
    switch (depth == 0 ? pick(3) : pick(7)) {
        case 0:
            return fmt::format("(p {})", variable());
        case 1:
            return fmt::format("(not (p {}))", variable());
        case 2:
            return fmt::format("(distinct {} c)", variable());
        case 3:
            return fmt::format("(not {})", random_condition(random, depth - 1));
        default:
            break;
    }
    std::string text = pick(2) == 0 ? "(or" : "(and";
    for (int i = 1 + pick(3); i > 0; --i) text += " " + random_condition(random, depth - 1);
    return text + ")";
}

std::vector<Clause> multiply_out(const Literal& literal) {
    std::vector<Clause> result;
    if (literal.kind == Literal::Kind::disjunction) {
        for (const Literal& part : literal.parts) {
            for (Clause& clause : multiply_out(part)) result.push_back(std::move(clause));
        }
        return result;
    }
    if (literal.kind != Literal::Kind::conjunction) return {{&literal}};
    result.emplace_back();
    for (const Literal& part : literal.parts) {
        std::vector<Clause> longer;
        for (const Clause& clause : result) {
            for (const Clause& more : multiply_out(part)) {
                longer.push_back(clause);
                longer.back().insert(longer.back().end(), more.begin(), more.end());
            }
        }
        result = std::move(longer);
    }
    return result;
}

// The only variables here are first arguments, so an atom is blamed or it is not.
std::set<std::uint32_t> blamed_by_definition(const Description& description, const Rule& rule) {
    const auto variable = [&](Term atom) { return description.terms.argument(atom, 0); };
    const auto begin = [&](Node node) { return description.span(node).begin; };
    Literal body;
    body.kind = Literal::Kind::conjunction;
    body.parts = rule.body;
    std::set<std::uint32_t> blamed;
    for (const Clause& clause : multiply_out(body)) {
        std::set<Term> bound;
        for (const Literal* literal : clause) {
            if (literal->kind == Literal::Kind::atom) bound.insert(variable(literal->atom));
        }
        const auto judge = [&](const Literal& leaf, bool) {
            if (!bound.contains(variable(leaf.atom))) blamed.insert(begin(leaf.node));
        };
        for (const Literal* literal : clause) for_each_atom(*literal, true, judge);
        if (!bound.contains(variable(rule.head))) blamed.insert(begin(rule.head_node));
    }
    return blamed;
}

TEST(CheckSafetyProperty, AgreesWithTheDefinitionOnRandomBodies) {
    std::mt19937 random(20090917);
    int faulty = 0;
    int sound = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string text = "(<= (h ?x)";
        for (int i = 0; i < 1 + round % 3; ++i) text += " " + random_condition(random, 3);
        const ReadResult result = read("random", text + ")");
        ASSERT_TRUE(result.ok()) << text;
        Diagnostics diagnostics;
        check(result.description, diagnostics);
        std::set<std::uint32_t> blamed;
        for (const Diagnostic& diagnostic : diagnostics.all()) {
            // The diagnostic points at the variable; the atom begins at the parenthesis before it.
            const std::size_t open = result.description.source->text().rfind('(', diagnostic.span.begin);
            if (diagnostic.code[1] == '5') blamed.insert(static_cast<std::uint32_t>(open));
        }
        const auto expected = blamed_by_definition(result.description, result.description.rules.front());
        ASSERT_EQ(blamed, expected) << text;
        ++(expected.empty() ? sound : faulty);
    }
    EXPECT_GT(sound, 50);
    EXPECT_GT(faulty, 500);
}

}  // namespace
}  // namespace stratagem::gdl
