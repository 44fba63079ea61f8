#include "analysis/argument_distances.h"

#include <gtest/gtest.h>

#include "analysis/analysis.h"
#include "gdl/print.h"
#include "machine/circuit/circuit.h"
#include "machine/same_game.h"

namespace stratagem::analysis {
namespace {

struct Measured {
    explicit Measured(const std::string& rules) : Measured(machine::testing::described(rules)) {}
    explicit Measured(gdl::Description rules)
        : description(std::move(rules)),
          prepared(description),
          program(prepared.circuit()->program()),
          index(program),
          families(make_families(program)),
          orders(find_orders(program.statics, program.terms, {})),
          samples(prepared, program.fluents.size(),
                  SampleLimits{.states = 50, .game_length = 50, .stop = {}, .seed = 1}),
          distances(index, families, orders, find_argument_orders(program, families, orders, {}, samples), {}) {}

    Fluent fluent(const std::string& text) const {
        for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
            if (gdl::to_kif(program.terms, program.fluents[i]) == text) return Fluent{i};
        }
        ADD_FAILURE() << text;
        return Fluent{0};
    }
    std::size_t family(const std::string& name) const {
        for (std::size_t i = 0; i < families.size(); ++i) {
            if (program.terms.symbols().name(families[i].name) == name) return i;
        }
        ADD_FAILURE() << name;
        return 0;
    }
    std::optional<std::uint32_t> distance(const std::string& from, const std::string& to) const {
        return distances.distance(fluent(from), fluent(to));
    }
    // Fluents with these arguments, "" for any.
    FluentPattern pattern(const std::string& name, const std::vector<std::string>& arguments) const {
        FluentPattern result{family(name), {}};
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            result.arguments.emplace_back();
            for (const gdl::Term value : families[result.family].values[i]) {
                if (gdl::to_kif(program.terms, value) == arguments[i]) result.arguments.back() = value;
            }
        }
        return result;
    }

    gdl::Description description;
    machine::GdlGame prepared;
    const ground::Program& program;
    RuleIndex index;
    std::vector<Family> families;
    std::vector<Order> orders;
    Samples samples;
    ArgumentDistances distances;
};

// A runner who goes up by one or by two and may not turn round, and a token of another kind that has no order.
const std::string runner = R"(
    (role r) (role s) (init (at 1)) (init (lamp red))
    (after 1 2) (after 2 3) (after 3 4) (after 4 5)
    (<= (legal r run) (true (at ?x))) (<= (legal r jump) (true (at ?x)))
    (<= (legal s red) (true (at ?x))) (<= (legal s green) (true (at ?x)))
    (<= (next (at ?y)) (true (at ?x)) (does r run) (after ?x ?y))
    (<= (next (at ?z)) (true (at ?x)) (does r jump) (after ?x ?y) (after ?y ?z))
    (<= (next (lamp ?c)) (does s ?c))
    (<= terminal (true (at 5))) (<= terminal (true (at 4)))
    (<= (goal r 100) (true (at 5))) (<= (goal s 0) (true (at ?x)))
)";

TEST(ArgumentDistances, FollowTheWayTheRulesLead) {
    const Measured game(runner);
    const std::size_t at = game.family("at");
    EXPECT_TRUE(game.distances.measured(at));
    EXPECT_EQ(game.program.terms.symbols().name(game.orders.at(game.distances.order(at, 0).value()).relation), "after");
    EXPECT_EQ(game.distance("(at 1)", "(at 4)"), 3U);
    EXPECT_EQ(game.distance("(at 4)", "(at 4)"), 0U);
    EXPECT_EQ(game.distance("(at 4)", "(at 1)"), std::nullopt);
    EXPECT_EQ(game.distances.between(game.fluent("(at 4)"), game.fluent("(at 1)")), 3U);
    EXPECT_EQ(game.distances.longest(at), 4U);
}

TEST(ArgumentDistances, NeedAnOrder) {
    const Measured game(runner);
    EXPECT_FALSE(game.distances.measured(game.family("lamp")));
    EXPECT_EQ(game.distance("(lamp red)", "(lamp green)"), std::nullopt);
    EXPECT_EQ(game.distance("(lamp red)", "(lamp red)"), 0U);
    EXPECT_EQ(game.distance("(lamp red)", "(at 1)"), std::nullopt);
}

TEST(ArgumentDistances, KnowWhoMoves) {
    const Measured game(runner);
    EXPECT_TRUE(game.distances.moved_by(game.fluent("(at 2)"), Role{0}));
    EXPECT_FALSE(game.distances.moved_by(game.fluent("(at 5)"), Role{0}));
    EXPECT_FALSE(game.distances.moved_by(game.fluent("(at 2)"), Role{1}));
}

TEST(ArgumentDistances, OfCompleteSetsSayNothing) {
    const Measured game(runner);
    const auto at = [&](int place) { return game.fluent(fmt::format("(at {})", place)); };
    EXPECT_FALSE(game.distances.complete(std::vector{at(5)}));
    EXPECT_FALSE(game.distances.complete(std::vector{at(5), at(3)}));
    EXPECT_TRUE(game.distances.complete(std::vector{at(5), at(4), at(3), at(2), at(1)}));
}

// Two pieces on a board of 4 x 4; the order stands in the conditions of the moves, and moves come in one relation.
const std::string walkers = R"(
    (role r) (init (on fox 1 1)) (init (on hen 4 3))
    (next_to 1 2) (next_to 2 3) (next_to 3 4)
    (<= (beside ?a ?b) (next_to ?a ?b)) (<= (beside ?a ?b) (next_to ?b ?a))
    (<= (legal r (walk ?p ?x ?y ?z ?y)) (true (on ?p ?x ?y)) (beside ?x ?z))
    (<= (legal r (walk ?p ?x ?y ?x ?z)) (true (on ?p ?x ?y)) (beside ?y ?z))
    (<= (next (on ?p ?x ?y)) (does r (walk ?p ?a ?b ?x ?y)))
    (<= (next (on ?p ?x ?y)) (true (on ?p ?x ?y)) (does r (walk ?q ?a ?b ?c ?d)) (distinct ?p ?q))
    (<= terminal (true (on fox ?x ?y)) (true (on hen ?x ?y)))
    (<= (goal r 100) (true (on fox ?x ?y)) (true (on hen ?x ?y)))
    (<= (goal r 0) (true (on fox ?x ?y)) (not (true (on hen ?x ?y))))
)";

TEST(ArgumentDistances, AddUpOverArguments) {
    const Measured game(walkers);
    EXPECT_EQ(game.distance("(on fox 1 1)", "(on fox 4 3)"), 5U);
    EXPECT_EQ(game.distance("(on fox 4 3)", "(on fox 1 1)"), 5U);
    EXPECT_EQ(game.distance("(on fox 1 1)", "(on hen 1 1)"), std::nullopt);
    EXPECT_EQ(game.distances.longest(game.family("on")), 6U);
}

// A king on places with names of their own: the rules know two directions, each an order by itself, and no numbers.
TEST(ArgumentDistances, OrdersThatFitEquallyWellAreWalkedAlongTogether) {
    const std::string rules = R"(
        (role r) (init (at a1))
        ({0} a1 b1) ({0} b1 c1) ({0} a2 b2) ({0} b2 c2) ({0} a3 b3) ({0} b3 c3)
        ({1} a1 a2) ({1} a2 a3) ({1} b1 b2) ({1} b2 b3) ({1} c1 c2) ({1} c2 c3)
        (<= (beside ?x ?y) ({0} ?x ?y)) (<= (beside ?x ?y) ({0} ?y ?x))
        (<= (beside ?x ?y) ({1} ?x ?y)) (<= (beside ?x ?y) ({1} ?y ?x))
        (<= (legal r (go ?y)) (true (at ?x)) (beside ?x ?y))
        (<= (next (at ?y)) (does r (go ?y)))
        (<= terminal (true (at c3))) (<= (goal r 100) (true (at c3)))
    )";
    for (const auto& [one, other] : {std::pair("east", "north"), std::pair("north", "east")}) {
        const Measured game(fmt::format(fmt::runtime(rules), one, other));
        EXPECT_EQ(game.orders.size(), 2U);
        EXPECT_EQ(game.distance("(at a1)", "(at c3)"), 4U);
        EXPECT_EQ(game.distance("(at c1)", "(at a1)"), 2U);
        EXPECT_EQ(game.distance("(at a3)", "(at a1)"), 2U);
    }
}

TEST(ArgumentDistances, FromAStateToAPattern) {
    const Measured game(walkers);
    const machine::State start = game.samples.all()[0].state;
    EXPECT_EQ(game.distances.distance(start, game.pattern("on", {"fox", "4", "3"})), 5U);
    EXPECT_EQ(game.distances.distance(start, game.pattern("on", {"fox", "4", ""})), 3U);
    EXPECT_EQ(game.distances.distance(start, game.pattern("on", {"", "4", "2"})), 1U);
    EXPECT_EQ(game.distances.distance(start, game.pattern("on", {"", "", ""})), 0U);
}

TEST(ArgumentDistances, OfRealGames) {
    const Measured pawns(machine::testing::bundled("breakthrough"));
    EXPECT_EQ(pawns.distance("(cell 1 2 white)", "(cell 1 5 white)"), 3U);
    EXPECT_EQ(pawns.distance("(cell 1 5 white)", "(cell 1 2 black)"), std::nullopt);
    const Measured chess(machine::testing::bundled("minichess"));
    EXPECT_EQ(chess.distance("(at white_king a 1)", "(at white_king d 3)"), 5U);
    EXPECT_EQ(chess.distance("(at white_king a 1)", "(at black_king a 1)"), std::nullopt);
    const Measured marks(machine::testing::bundled("tic_tac_toe"));
    EXPECT_FALSE(marks.distances.measured(marks.family("cell")));
}

}  // namespace
}  // namespace stratagem::analysis
