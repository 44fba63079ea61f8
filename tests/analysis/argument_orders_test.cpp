// Which order an argument has: one that the rules connect it with, and not any that happens to know its values.
#include "analysis/argument_orders.h"

#include <gtest/gtest.h>

#include "analysis/argument_domains.h"
#include "machine/same_game.h"

namespace stratagem::analysis {
namespace {

// A walker on a long way, of which only the beginning can be reached; and goods that have prices.
const std::string market = R"(
    (role r)
    (init (at 1)) (init (price 1)) (init (lamp 1)) (init (token 1))
    (beside 1 2) (beside 2 1) (beside 2 3) (beside 3 2)
    (<= (next (token ?y)) (true (token ?x)) (beside ?x ?y))
    (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
    (dearer 1 2) (dearer 2 3) (dearer 3 4)
    (before 4 3) (before 3 2) (before 2 1)
    (<= (legal r walk) (true (at ?x))) (<= (legal r raise) (true (at ?x)))
    (<= (next (at ?y)) (true (at ?x)) (does r walk) (step ?x ?y up))
    (<= (next (at ?x)) (true (at ?x)) (does r raise))
    (<= (step ?x ?y up) (after ?x ?y) (near ?y))
    (near 2) (near 3) (near 4)
    (<= (next (price ?y)) (true (price ?x)) (does r raise) (dearer ?x ?y))
    (<= (next (price ?x)) (true (price ?x)) (does r walk))
    (<= (next (lamp 2)) (true (lamp 1))) (<= (next (lamp 3)) (true (lamp 2))) (<= (next (lamp 1)) (true (lamp 3)))
    (<= terminal (true (at 4))) (<= terminal (true (price 4)))
    (<= (goal r 100) (true (at 4))) (<= (goal r 0) (true (price ?x)) (before ?x ?y))
)";

struct Ordered {
    Ordered() : game(machine::testing::described(market)), families(make_families(*game.program())) {
        const ground::Program& program = *game.program();
        SampleLimits limits;
        limits.states = 50;
        const Samples samples(game, program.fluents.size(), limits);
        const std::vector<Order> orders = find_orders(program.statics, program.terms, {});
        known = find_argument_orders(program, families, orders, ArgumentDomains(game), samples);
        for (const Order& order : orders) relations.emplace_back(program.terms.symbols().name(order.relation));
    }
    // The relation that orders the only argument; empty: none.
    std::string order_of(const std::string& name) const {
        for (std::size_t i = 0; i < families.size(); ++i) {
            if (game.program()->terms.symbols().name(families[i].name) != name) continue;
            return known.of(i, 0) ? relations[*known.of(i, 0)] : "";
        }
        ADD_FAILURE() << name;
        return "";
    }

    machine::GdlGame game;
    std::vector<Family> families;
    ArgumentOrders known;
    std::vector<std::string> relations;
};

TEST(ArgumentOrders, AreThoseTheRulesConnect) {
    const Ordered game;
    EXPECT_EQ(game.order_of("at"), "after") << "through another relation, although prices have fewer values";
    EXPECT_EQ(game.order_of("price"), "dearer") << "from the lower end";
    EXPECT_EQ(game.order_of("lamp"), "") << "no variable leads from lamps to an order";
    EXPECT_EQ(game.order_of("token"), "dearer") << "what is beside each other follows each other there";
}

TEST(ArgumentDomains, ConnectWhatSharesAVariable) {
    const Ordered game;
    const ArgumentDomains domains(game.game);
    const auto symbol = [&](const char* name) {
        gdl::Symbol found{};
        EXPECT_TRUE(game.game.program()->terms.symbols().find(name, found)) << name;
        return found;
    };
    EXPECT_FALSE(domains.empty());
    EXPECT_EQ(domains.find(symbol("after"), 2, 0), domains.find(symbol("after"), 2, 1));
    EXPECT_EQ(domains.find(symbol("at"), 1, 0), domains.find(symbol("after"), 2, 0));
    EXPECT_NE(domains.find(symbol("at"), 1, 0), domains.find(symbol("price"), 1, 0));
    EXPECT_EQ(domains.find(symbol("at"), 1, 1), std::nullopt);
    EXPECT_TRUE(domains.connected(symbol("price"), 1, 0, symbol("before"), 2));
    EXPECT_FALSE(domains.connected(symbol("price"), 1, 0, symbol("after"), 2));
    EXPECT_TRUE(ArgumentDomains().connected(symbol("price"), 1, 0, symbol("after"), 2)) << "nothing is known";
}

}  // namespace
}  // namespace stratagem::analysis
