#include "analysis/orders.h"

#include <gtest/gtest.h>

#include "machine/same_game.h"

namespace stratagem::analysis {
namespace {

// A game around some relations.
std::vector<Order> orders_of(const std::string& relations) {
    const gdl::Description description = machine::testing::described(
        "(role r) (init on) (<= (legal r wait) (true on)) (<= terminal (not (true on))) (<= (goal r 100) (true on))" +
        relations);
    return find_orders(description, {});
}

TEST(Orders, SuccessorsAreFoundWhateverTheirNames) {
    const auto orders = orders_of("(hippo aster ping) (hippo ping fresh) (hippo fresh quiet)");
    ASSERT_EQ(orders.size(), 1U);
    EXPECT_EQ(orders[0].kind, Order::Kind::successor);
    EXPECT_TRUE(orders[0].linear);
    EXPECT_EQ(orders[0].elements, (std::vector<std::string>{"aster", "ping", "fresh", "quiet"}));
    EXPECT_EQ(orders[0].index_of("fresh"), 2U);
    EXPECT_EQ(orders[0].index_of("hippo"), std::nullopt);
    EXPECT_EQ(orders[0].steps("aster", "quiet"), 3U);
    EXPECT_EQ(orders[0].steps("quiet", "aster"), std::nullopt);
    EXPECT_EQ(orders[0].steps("ping", "ping"), 0U);
    EXPECT_TRUE(orders[0].follows("ping", "fresh"));
    EXPECT_FALSE(orders[0].follows("fresh", "ping"));
    EXPECT_FALSE(orders[0].follows("aster", "fresh"));
    EXPECT_FALSE(orders[0].follows("ping", "ping"));
    EXPECT_FALSE(orders[0].follows("ping", "hippo"));
}

TEST(Orders, TransitiveRelationsComeDownToTheirCovering) {
    const auto orders =
        orders_of("(s 1 2) (s 2 3) (s 3 4) (<= (less ?a ?b) (s ?a ?b)) (<= (less ?a ?c) (s ?a ?b) (less ?b ?c))");
    ASSERT_EQ(orders.size(), 2U);
    for (const Order& order : orders) {
        EXPECT_EQ(order.elements, (std::vector<std::string>{"1", "2", "3", "4"})) << order.relation;
        EXPECT_EQ(order.steps("1", "4"), 3U);
        EXPECT_EQ(order.kind, order.relation == "s" ? Order::Kind::successor : Order::Kind::order);
    }
}

TEST(Orders, ReflexiveOrdersAreOrders) {
    const auto orders = orders_of("(le a a) (le b b) (le c c) (le a b) (le b c) (le a c)");
    ASSERT_EQ(orders.size(), 1U);
    EXPECT_EQ(orders[0].longest, 2U);
}

TEST(Orders, WhatIsNoneIsLeftOut) {
    EXPECT_TRUE(orders_of("(r a b) (r b c) (r c a)").empty()) << "a cycle";
    EXPECT_TRUE(orders_of("(r a b) (r b a) (r b c)").empty()) << "not antisymmetric";
    EXPECT_TRUE(orders_of("(r a b) (r a c) (r b d)").empty()) << "neither functional nor transitive";
    EXPECT_TRUE(orders_of("(r a b) (r c d) (r e f)").empty()) << "no three in a row";
    EXPECT_TRUE(orders_of("(<= (r a b) (true on)) (<= (r b c) (true on))").empty()) << "depends on the state";
}

TEST(Orders, PartialOrdersHaveLevels) {
    const auto orders = orders_of("(o a b) (o a c) (o b d) (o c d) (o a d)");
    ASSERT_EQ(orders.size(), 1U);
    EXPECT_FALSE(orders[0].linear);
    EXPECT_EQ(orders[0].index_of("a"), 0U);
    EXPECT_EQ(orders[0].index_of("b"), 1U);
    EXPECT_EQ(orders[0].index_of("d"), 2U);
    EXPECT_EQ(orders[0].steps("a", "d"), 2U);
    EXPECT_EQ(orders[0].steps("b", "c"), std::nullopt);
}

}  // namespace
}  // namespace stratagem::analysis
