#include "analysis/orders.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "analysis/analysis.h"
#include "gdl/print.h"
#include "gdl/scramble.h"
#include "ground/ground.h"
#include "machine/same_game.h"

namespace stratagem::analysis {
namespace {

using Names = std::vector<std::string>;

// The orders of a game, asked for by the words of its rules.
struct Orders {
    explicit Orders(ground::Program of)
        : program(std::move(of)), found(find_orders(program.statics, program.terms, {})) {}

    // Of no term of the program where the text is none.
    gdl::Term term(const std::string& text) const {
        for (std::uint32_t i = 0; i < program.terms.size(); ++i) {
            if (gdl::to_kif(program.terms, gdl::Term{i}) == text) return gdl::Term{i};
        }
        return gdl::Term{static_cast<std::uint32_t>(program.terms.size())};
    }
    std::string relation(const Order& order) const { return std::string(program.terms.symbols().name(order.relation)); }
    Names elements(const Order& order) const {
        Names names;
        for (const gdl::Term element : order.elements) names.push_back(gdl::to_kif(program.terms, element));
        return names;
    }
    auto index_of(const std::string& element) const { return found.at(0).index_of(term(element)); }
    bool follows(const std::string& from, const std::string& to) const {
        return found.at(0).follows(term(from), term(to));
    }
    auto steps(const std::string& from, const std::string& to) const { return found.at(0).steps(term(from), term(to)); }

    ground::Program program;
    std::vector<Order> found;
};

ground::Program grounded(const gdl::Description& description) {
    ground::GroundResult result = ground::ground(description);
    EXPECT_TRUE(result.program) << result.failure;
    return result.program ? std::move(*result.program) : ground::Program{};
}

// Of a game around some relations, which nothing else asks for.
Orders orders_of(const std::string& relations) {
    return Orders(grounded(machine::testing::described(
        "(role r) (init on) (<= (legal r wait) (true on)) (<= terminal (not (true on))) (<= (goal r 100) (true on))" +
        relations)));
}

TEST(Orders, SuccessorsAreFoundWhateverTheirNames) {
    const Orders orders = orders_of("(hippo aster ping) (hippo ping fresh) (hippo fresh quiet)");
    ASSERT_EQ(orders.found.size(), 1U);
    EXPECT_EQ(orders.found[0].kind, Order::Kind::successor);
    EXPECT_TRUE(orders.found[0].linear);
    EXPECT_EQ(orders.relation(orders.found[0]), "hippo");
    EXPECT_EQ(orders.elements(orders.found[0]), (Names{"aster", "ping", "fresh", "quiet"}));
    EXPECT_EQ(orders.index_of("fresh"), 2U);
    EXPECT_EQ(orders.index_of("on"), std::nullopt);
    EXPECT_EQ(orders.steps("aster", "quiet"), 3U);
    EXPECT_EQ(orders.steps("quiet", "aster"), std::nullopt);
    EXPECT_EQ(orders.steps("ping", "ping"), 0U);
    EXPECT_TRUE(orders.follows("ping", "fresh"));
    EXPECT_FALSE(orders.follows("fresh", "ping"));
    EXPECT_FALSE(orders.follows("aster", "fresh"));
    EXPECT_FALSE(orders.follows("ping", "ping"));
}

TEST(Orders, TransitiveRelationsComeDownToTheirCovering) {
    const Orders orders =
        orders_of("(s 1 2) (s 2 3) (s 3 4) (<= (less ?a ?b) (s ?a ?b)) (<= (less ?a ?c) (s ?a ?b) (less ?b ?c))");
    ASSERT_EQ(orders.found.size(), 2U);
    for (const Order& order : orders.found) {
        EXPECT_EQ(orders.elements(order), (Names{"1", "2", "3", "4"})) << orders.relation(order);
        EXPECT_EQ(order.steps(orders.term("1"), orders.term("4")), 3U);
        EXPECT_EQ(order.kind, orders.relation(order) == "s" ? Order::Kind::successor : Order::Kind::order);
    }
}

TEST(Orders, ReflexiveOrdersAreOrders) {
    const Orders orders = orders_of("(le a a) (le b b) (le c c) (le a b) (le b c) (le a c)");
    ASSERT_EQ(orders.found.size(), 1U);
    EXPECT_EQ(orders.found[0].longest, 2U);
}

TEST(Orders, WhatIsNoneIsLeftOut) {
    const auto none = [](const std::string& relations) { return orders_of(relations).found.empty(); };
    EXPECT_TRUE(none("(r a b) (r b c) (r c a)")) << "a cycle";
    EXPECT_TRUE(none("(r a b) (r b a) (r b c)")) << "not antisymmetric";
    EXPECT_TRUE(none("(r a b) (r a c) (r b d)")) << "neither functional nor transitive";
    EXPECT_TRUE(none("(r a b) (r c d) (r e f)")) << "no three in a row";
    EXPECT_TRUE(none("(<= (r a b) (true on)) (<= (r b c) (true on))")) << "depends on the state";
}

TEST(Orders, PartialOrdersHaveLevels) {
    const Orders orders = orders_of("(o a b) (o a c) (o b d) (o c d) (o a d)");
    ASSERT_EQ(orders.found.size(), 1U);
    EXPECT_FALSE(orders.found[0].linear);
    EXPECT_EQ(orders.elements(orders.found[0]), (Names{"a", "b", "c", "d"}));
    EXPECT_EQ(orders.index_of("a"), 0U);
    EXPECT_EQ(orders.index_of("b"), 1U);
    EXPECT_EQ(orders.index_of("d"), 2U);
    EXPECT_EQ(orders.steps("a", "d"), 2U);
    EXPECT_EQ(orders.steps("b", "c"), std::nullopt);
}

TEST(Orders, OfFunctionTerms) {
    // Grounding makes such relations flat: (after (day ?x) …) becomes a relation of its own.
    const Orders orders = orders_of("(after (day 1) (day 2)) (after (day 2) (day 3)) (after (day 3) end)");
    ASSERT_EQ(orders.found.size(), 1U);
    EXPECT_EQ(orders.elements(orders.found[0]), (Names{"(day 1)", "(day 2)", "(day 3)", "end"}));
    const Orders used = orders_of(
        "(after (day 1) (day 2)) (after (day 2) (day 3)) (after (day 3) end)"
        "(init (now (day 1))) (<= (next (now ?y)) (true (now ?x)) (after ?x ?y))");
    ASSERT_EQ(used.found.size(), 1U);
    EXPECT_EQ(used.elements(used.found[0]), orders.elements(orders.found[0]));
}

TEST(Orders, OfAProgramMadeInCode) {
    ground::Program program;
    const auto number = [&](int i) {
        return program.terms.constant(program.terms.symbols().intern(std::to_string(i)));
    };
    const gdl::Symbol before = program.terms.symbols().intern("before");
    for (const auto& [a, b] : {std::pair(7, 4), {4, 9}}) {
        const std::vector<gdl::Term> tuple{number(a), number(b)};
        program.statics.add(program.terms, program.terms.compound(before, tuple));
    }
    const Orders orders(program);
    ASSERT_EQ(orders.found.size(), 1U);
    EXPECT_EQ(orders.elements(orders.found[0]), (Names{"7", "4", "9"}));
    program.statics.relation(before, 2).set_incomplete();
    EXPECT_TRUE(find_orders(program.statics, program.terms, {}).empty()) << "what is left out could make it anything";
}

// By relation: kind, whether it is a line, and elements by index, in names of the game before it was scrambled.
using Described = std::map<std::string, std::tuple<Order::Kind, bool, std::vector<std::set<std::string>>>>;

Described described(const Orders& orders, const std::map<std::string, std::string>& old_names) {
    const auto old = [&](std::string_view name) {
        const auto found = old_names.find(std::string(name));
        return found == old_names.end() ? std::string(name) : found->second;
    };
    const gdl::TermPool& terms = orders.program.terms;
    const auto text = [&](gdl::Term term, const auto& self) -> std::string {
        std::string result = old(terms.symbols().name(terms.symbol(term)));
        for (const gdl::Term argument : terms.arguments(term)) result += " (" + self(argument, self) + ")";
        return result;
    };
    Described result;
    for (const Order& order : orders.found) {
        std::vector<std::set<std::string>> levels(order.longest + 1);
        for (std::size_t i = 0; i < order.elements.size(); ++i) {
            levels[order.index[i]].insert(text(order.elements[i], text));
        }
        result[old(orders.relation(order))] = {order.kind, order.linear, levels};
    }
    return result;
}

TEST(Orders, DoNotDependOnNames) {
    for (const std::string name : {"breakthrough", "minichess", "othello", "connect_four", "nim", "racetrack_corridor",
                                   "chinese_checkers", "towers_of_hanoi", "skirmish"}) {
        SCOPED_TRACE(name);
        const gdl::Description description = machine::testing::bundled(name);
        const Described known = described(Orders(grounded(description)), {});
        EXPECT_FALSE(known.empty());
        for (const std::uint64_t seed : {3U, 4U}) {
            const gdl::Scrambled scrambled = gdl::scramble(description, seed);
            std::map<std::string, std::string> old_names;
            for (const auto& [old, made] : scrambled.names) old_names[made] = old;
            EXPECT_EQ(described(Orders(grounded(machine::testing::described(scrambled.text))), old_names), known);
        }
    }
}

}  // namespace
}  // namespace stratagem::analysis
