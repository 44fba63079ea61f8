// Games that are what they seem to be in nearly all random games, and are not: what is called proved must not rest on
// what was only seen. The way to the state that is different is one of twenty choices of the same move.
#include <gtest/gtest.h>

#include "search/alpha_beta/alpha_beta.h"
#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

using analysis::Verdict;

// `who` may go on or stop in twenty steps; then comes the state `last`. Both had a choice before, without consequence.
std::string long_way(const std::string& who, const std::string& other) {
    std::string rules = R"(
        (role a) (role b) (init begin)
        (<= (legal a x) (true begin)) (<= (legal a y) (true begin)) (<= (legal b noop) (true begin))
        (<= (next middle) (true begin))
        (<= (legal b x) (true middle)) (<= (legal b y) (true middle)) (<= (legal a noop) (true middle))
        (<= (next (step 1)) (true middle))
        (<= (next (step ?m)) (true (step ?n)) (does WHO on) (succ ?n ?m))
        (<= (legal WHO stop) (true (step ?n))) (<= (legal WHO on) (true (step ?n)))
        (<= (legal OTHER noop) (true (step ?n)))
        (<= (next stopped) (does WHO stop))
        (<= (next last) (true (step 20)) (does WHO on))
        (<= terminal (true stopped))
    )";
    for (int i = 1; i < 20; ++i) rules += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")\n";
    const auto replace = [&](const std::string& word, const std::string& by) {
        for (std::size_t at = 0; (at = rules.find(word, at)) != std::string::npos;) rules.replace(at, word.size(), by);
    };
    replace("WHO", who);
    replace("OTHER", other);
    return rules;
}

// Where a has gone all the way, b may help him, or harm him at his own cost.
const std::string harm_at_own_cost = long_way("a", "b") + R"(
    (<= (legal b harm) (true last)) (<= (legal b help) (true last)) (<= (legal a noop) (true last))
    (<= (next harmed) (does b harm)) (<= (next helped) (does b help))
    (<= terminal (true harmed)) (<= terminal (true helped))
    (<= (goal a 50) (true stopped)) (<= (goal b 50) (true stopped))
    (<= (goal a 0) (true harmed)) (<= (goal b 20) (true harmed))
    (<= (goal a 60) (true helped)) (<= (goal b 40) (true helped))
)";

TEST(RareStates, AnEndThatDoesNotAddUp) {
    const Prepared game = prepared_rules(harm_at_own_cost);
    // As it seems.
    ASSERT_EQ(game.problem.facts.two_player_zero_sum, Verdict::observed);
    ASSERT_EQ(game.problem.facts.turn_taking, Verdict::observed);
    ASSERT_TRUE(alpha_beta_entry.can_handle(game.problem.facts));
    // As it is: a is sure of 50, and gets 60 if b plays for himself.
    const State start = game.machine->initial();
    for (const std::string name : {"solve", "maxn"}) {
        const Choice choice = game.make(name)->choose(start, Role{0}, {});
        EXPECT_EQ(choice.value, 60) << name;
        EXPECT_FALSE(choice.proved) << name;
    }
    const Choice forced = game.make("alphabeta")->choose(start, Role{0}, {});
    EXPECT_EQ(forced.value, 50);
    EXPECT_TRUE(forced.proved);
    for (const std::uint64_t count : {100U, 300U, 1000U, 3000U, 10'000U, 30'000U}) {
        for (const char* const name : {"uct", "solve", "maxn", "alphabeta", "paranoid"}) {
            const Choice choice = game.make(name)->choose(start, Role{0}, nodes(count));
            if (choice.proved) {
                EXPECT_EQ(choice.value, 50) << name << " " << count;
            }
        }
    }
}

// The one who seems to have nothing to say.
TEST(RareStates, ASecondPlayer) {
    std::string rules = harm_at_own_cost;
    const std::string choice_of_b = "(<= (legal b y) (true middle))";
    rules.erase(rules.find(choice_of_b), choice_of_b.size());
    const Prepared game = prepared_rules(rules);
    ASSERT_EQ(game.problem.facts.players, 1U);
    const State start = game.machine->initial();
    for (const char* const name : {"single", "solve", "maxn", "uct", "paranoid"}) {
        for (const std::uint64_t count : {100U, 1000U, 10'000U}) {
            const Choice choice = game.make(name)->choose(start, Role{0}, nodes(count));
            if (choice.proved) {
                EXPECT_EQ(choice.value, 50) << name << " " << count;
            }
        }
    }
    EXPECT_EQ(game.make("solve")->choose(start, Role{0}, {}).value, 60);
    EXPECT_FALSE(game.make("solve")->choose(start, Role{0}, {}).proved);
}

// b may go a long way, at the end of which a gets nothing and b no less. Nothing in the range of goal values keeps b
// from it, though b never gets more than 60 and all ends but one add up to 100.
TEST(RareStates, AnEndThatIsNotInTheTree) {
    const Prepared game = prepared_rules(long_way("b", "a") + R"(
        (<= (legal a noop) (true last)) (<= (legal b noop) (true last)) (<= (next robbed) (true last))
        (<= terminal (true robbed))
        (<= (goal a 40) (true stopped)) (<= (goal b 60) (true stopped))
        (<= (goal a 0) (true robbed)) (<= (goal b 60) (true robbed))
    )");
    ASSERT_EQ(game.problem.facts.two_player_zero_sum, Verdict::observed);
    const State start = game.machine->initial();
    for (const char* const name : {"uct", "solve", "maxn", "alphabeta", "paranoid"}) {
        for (const std::uint64_t count : {50U, 100U, 300U, 1000U, 3000U, 10'000U}) {
            const Choice choice = game.make(name)->choose(start, Role{0}, nodes(count));
            if (choice.proved) {
                EXPECT_EQ(choice.value, 0) << name << " " << count;
            }
        }
    }
    const Choice robbed = game.make("alphabeta")->choose(start, Role{0}, {});
    EXPECT_EQ(robbed.value, 0);
    EXPECT_TRUE(robbed.proved);
}

// At the end of the way both choose at once: worth 50 to who throws a coin, and not 0 as for one whose choice is known.
TEST(RareStates, AChoiceAtTheSameTime) {
    const Prepared game = prepared_rules(long_way("a", "b") + R"(
        (<= (legal a heads) (true last)) (<= (legal a tails) (true last))
        (<= (legal b heads) (true last)) (<= (legal b tails) (true last))
        (<= (next same) (does a ?c) (does b ?c) (true last))
        (<= (next different) (does a ?c) (does b ?d) (distinct ?c ?d) (true last))
        (<= terminal (true same)) (<= terminal (true different))
        (<= (goal a 30) (true stopped)) (<= (goal b 70) (true stopped))
        (<= (goal a 100) (true same)) (<= (goal b 0) (true same))
        (<= (goal a 0) (true different)) (<= (goal b 100) (true different))
    )");
    ASSERT_EQ(game.problem.facts.turn_taking, Verdict::observed);
    ASSERT_TRUE(alpha_beta_entry.can_handle(game.problem.facts));
    const State start = game.machine->initial();
    for (const char* const name : {"alphabeta", "solve", "maxn", "paranoid"}) {
        for (const std::uint32_t role : {0U, 1U}) {
            EXPECT_FALSE(game.make(name)->choose(start, Role{role}, depth(60)).proved) << name << " " << role;
        }
    }
    for (const std::uint64_t count : {100U, 1000U, 10'000U, 50'000U}) {
        EXPECT_FALSE(game.make("uct")->choose(start, Role{0}, nodes(count)).proved) << count;
    }
}

// Behind a win for sure it does not matter what the others know; behind anything less it does, also when the state in
// which both choose is found in the table by a later search.
TEST(RareStates, AChoiceAtTheSameTimeIsRememberedByTheTable) {
    const auto rules = [](const std::string& heads) {
        return R"(
        (role a) (role b) (init first)
        (<= (legal a x) (true first)) (<= (legal a y) (true first)) (<= (legal b noop) (true first))
        (<= (next second) (true first)) (<= (next third) (true second))
        (<= (legal a x) (true second)) (<= (legal a y) (true second)) (<= (legal b noop) (true second))
        (<= (legal ?r heads) (role ?r) (true third)) (<= (legal ?r tails) (role ?r) (true third))
        (<= (next (paid )" +
               heads + R"()) (true third) (does a heads) (does b heads))
        (<= (next (paid )" +
               heads + R"()) (true third) (does a heads) (does b tails))
        (<= (next (paid 100)) (true third) (does a tails) (does b tails))
        (<= (next (paid 0)) (true third) (does a tails) (does b heads))
        (inverse 100 0) (inverse 40 60) (inverse 0 100)
        (<= terminal (true (paid ?v))) (<= (goal a ?v) (true (paid ?v)))
        (<= (goal b ?w) (true (paid ?v)) (inverse ?v ?w)))";
    };
    for (const bool won : {false, true}) {
        const Prepared game = prepared_rules(rules(won ? "100" : "40"));
        const std::unique_ptr<Search> search = game.make("paranoid");
        const Choice first = search->choose(game.machine->initial(), Role{0}, {});
        EXPECT_EQ(first.value, won ? 100 : 40);
        EXPECT_EQ(first.proved, won);
        const Choice second = search->choose(game.walk(1, 1), Role{0}, {});
        EXPECT_EQ(second.value, won ? 100 : 40);
        EXPECT_EQ(second.proved, won);
    }
}

// Both always got the same, until one of them has the chance to get more alone.
TEST(RareStates, AFriendWhoIsNone) {
    const Prepared game = prepared_rules(long_way("a", "b") + R"(
        (role c) (<= (legal c noop))
        (<= (legal b share) (true last)) (<= (legal b take) (true last)) (<= (legal a noop) (true last))
        (<= (next shared) (does b share)) (<= (next taken) (does b take))
        (<= terminal (true shared)) (<= terminal (true taken))
        (<= (next (drawn ?m)) (does a ?m) (true begin)) (<= (next (drawn ?m)) (true (drawn ?m)))
        (<= (goal ?r 50) (friend ?r) (true stopped) (true (drawn x)))
        (<= (goal ?r 40) (friend ?r) (true stopped) (true (drawn y)))
        (friend a) (friend b)
        (<= (goal ?r 60) (friend ?r) (true shared)) (<= (goal a 0) (true taken)) (<= (goal b 100) (true taken))
        (<= (goal c 0))
    )");
    ASSERT_EQ(game.problem.facts.team[0], game.problem.facts.team[1]);
    const Choice together = game.make("paranoid")->choose(game.machine->initial(), Role{0}, depth(60));
    EXPECT_EQ(together.value, 60);
    EXPECT_FALSE(together.proved);
    const Choice alone = game.make("paranoid", "teams=off")->choose(game.machine->initial(), Role{0}, depth(60));
    EXPECT_EQ(alone.value, 50);
    EXPECT_TRUE(alone.proved);
}

// The table remembers what rests on chance, also when a later search starts behind it.
TEST(RareStates, ChanceIsRememberedByTheTable) {
    const Prepared game = prepared_rules(R"(
        (role random) (role player) (init start)
        (<= (legal player on) (true start)) (<= (legal player off) (true start)) (<= (legal random noop) (true start))
        (<= (next second) (true start)) (<= (next third) (true second))
        (<= (legal player on) (true second)) (<= (legal player off) (true second)) (<= (legal random noop) (true second))
        (<= (legal player noop) (true third))
        (<= (legal random heads) (true third)) (<= (legal random tails) (true third))
        (<= (next (paid 80)) (true third) (does random heads)) (<= (next (paid 20)) (true third) (does random tails))
        (<= terminal (true (paid ?v))) (<= (goal player ?v) (true (paid ?v))) (goal random 0)
    )");
    for (const char* const name : {"paranoid", "maxn"}) {
        const std::unique_ptr<Search> search = game.make(name);
        EXPECT_FALSE(search->choose(game.machine->initial(), Role{1}, {}).proved) << name;
        const State second = game.walk(1, 1);
        EXPECT_FALSE(search->choose(second, Role{1}, {}).proved) << name;
    }
}

}  // namespace
}  // namespace stratagem::search::testing
