// The order of coordinates comes from static relations, whatever they are called, and from names that count.
#include "view/coordinate_order.h"

#include <gtest/gtest.h>

#include "machine/machine_games.h"

namespace stratagem::view {
namespace {

using Names = std::vector<std::string>;

const std::string around =
    "(role r) (init on) (<= (legal r wait) (true on)) (<= terminal (not (true on))) (<= (goal r 100) (true on))";

machine::GdlGame game_with(const std::string& relations, machine::MachineKind kind = {}) {
    machine::MachineOptions options;
    options.kind = kind;
    return machine::GdlGame(machine::testing::described(around + relations), options);
}

OrderedDomain sorted(const std::string& relations, const std::set<std::string>& domain) {
    return CoordinateOrder(game_with(relations)).sort(domain);
}

const std::string week = "(after mo tu) (after tu we) (after we th)";

TEST(CoordinateOrder, ByASuccessor) {
    const OrderedDomain days = sorted(week, {"th", "tu", "mo", "we"});
    EXPECT_EQ(days.names, (Names{"mo", "tu", "we", "th"}));
    EXPECT_TRUE(days.ordered);
    EXPECT_EQ(sorted(week, {"tu", "we", "th"}).names, (Names{"tu", "we", "th"}));
    EXPECT_FALSE(sorted(week, {"mo", "we"}).ordered);        // two names may mean anything
    EXPECT_FALSE(sorted(week, {"mo", "tu", "xx"}).ordered);  // one it does not know
    EXPECT_FALSE(sorted("(other x o) (other o x)", {"x", "o"}).ordered);
}

TEST(CoordinateOrder, ByWhatRulesWorkOut) {
    const std::string less = "(<= (before ?a ?b) (after ?a ?b)) (<= (before ?a ?c) (after ?a ?b) (before ?b ?c))";
    EXPECT_EQ(sorted(week + less, {"we", "th", "mo"}).names, (Names{"mo", "we", "th"}));
    // Several chains in one relation order what is in one of them.
    const std::string two = "(then p a) (then a z) (then red blue) (then blue green)";
    EXPECT_EQ(sorted(two, {"a", "p", "z"}).names, (Names{"p", "a", "z"}));
    EXPECT_EQ(sorted(two, {"red", "blue", "green"}).names, (Names{"red", "blue", "green"}));
    EXPECT_FALSE(sorted(two, {"p", "a", "red"}).ordered);
    // No two ways.
    EXPECT_FALSE(sorted("(fork p q) (fork p s) (fork q s)", {"p", "q", "s", "tt"}).ordered);
}

TEST(CoordinateOrder, NamesThatCountSayWhichEndIsTheFirst) {
    EXPECT_EQ(sorted("(down 3 2) (down 2 1)", {"1", "2", "3"}).names, (Names{"1", "2", "3"}));
    EXPECT_EQ(sorted("(down c b) (down b a)", {"a", "b", "c"}).names, (Names{"a", "b", "c"}));
    EXPECT_EQ(sorted("(down we tu) (down tu mo)", {"mo", "tu", "we"}).names, (Names{"we", "tu", "mo"}));
}

TEST(CoordinateOrder, ByNamesWhereThereIsNoRelation) {
    const CoordinateOrder order;
    EXPECT_EQ(order.sort({"10", "9", "1"}).names, (Names{"1", "9", "10"}));
    EXPECT_TRUE(order.sort({"10", "9", "1"}).ordered);
    EXPECT_TRUE(order.sort({"c1", "c2", "c3"}).ordered);
    EXPECT_FALSE(order.sort({"c1", "c2", "blank"}).ordered);
    EXPECT_EQ(order.sort({"we", "mo", "tu"}).names, (Names{"mo", "tu", "we"}));
    EXPECT_FALSE(order.sort({"we", "mo", "tu"}).ordered);
}

TEST(CoordinateOrder, ARingIsCut) {
    const std::string ring = "(ring n e) (ring e s) (ring s w) (ring w n)";
    const OrderedDomain whole = sorted(ring, {"n", "e", "s", "w"});
    EXPECT_TRUE(whole.ordered);
    EXPECT_EQ(whole.names, (Names{"e", "s", "w", "n"}));
    EXPECT_EQ(sorted(ring, {"w", "n", "e"}).names, (Names{"w", "n", "e"}));
    EXPECT_FALSE(
        sorted("(beats rock scissors) (beats scissors paper) (beats paper rock)", {"rock", "scissors", "paper"})
            .ordered);
}

TEST(CoordinateOrder, WithoutGroundRulesByFacts) {
    const machine::GdlGame game = game_with(week, machine::MachineKind::interpreter);
    ASSERT_EQ(game.program(), nullptr);
    EXPECT_EQ(CoordinateOrder(game).sort({"th", "tu", "mo", "we"}).names, (Names{"mo", "tu", "we", "th"}));
}

}  // namespace
}  // namespace stratagem::view
