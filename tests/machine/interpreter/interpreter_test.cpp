// The meaning of rules, feature by feature, on descriptions small enough to work out by hand.
#include "machine/interpreter/interpreter.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "gdl/print.h"
#include "gdl/read.h"
#include "machine/term_text.h"

namespace stratagem::machine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Strings = std::vector<std::string>;

// One role `r` whose legal moves are the answers under test.
class Game {
  public:
    explicit Game(const std::string& rules, const Limits& limits = {})
        : interpreter(gdl::read("test.kif", rules).description, limits) {}

    gdl::Term term(const std::string& text) { return *parse_term(interpreter.terms(), text); }
    std::vector<gdl::Term> terms(const Strings& texts) {
        std::vector<gdl::Term> result;
        for (const std::string& text : texts) result.push_back(term(text));
        return result;
    }
    Strings text(const Facts& facts) {
        Strings result;
        for (const gdl::Term fact : facts) result.push_back(gdl::to_kif(interpreter.terms(), fact));
        std::ranges::sort(result);
        return result;
    }

    void set_state(const Strings& fluents) { interpreter.set_state(terms(fluents)); }
    Strings legal(const std::string& role = "r") { return text(interpreter.legal(term(role))); }
    Strings goals(const std::string& role = "r") { return text(interpreter.goals(term(role))); }
    Strings next(const Strings& moves) { return text(interpreter.next(terms(moves))); }

    Interpreter interpreter;
};

TEST(Interpreter, AnswersTheFiveQuestions) {
    Game game(R"(
        (role white) (role black)
        (init (heap 3)) (init (control white))
        (succ 0 1) (succ 1 2) (succ 2 3)
        (other white black) (other black white)
        (<= (legal ?p take) (true (control ?p)) (true (heap ?n)) (succ ?m ?n))
        (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
        (<= (next (heap ?m)) (does ?p take) (true (heap ?n)) (succ ?m ?n))
        (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
        (<= terminal (true (heap 0)))
        (<= (goal ?p 100) (true (heap 0)) (true (control ?q)) (other ?p ?q))
        (<= (goal ?p 0) (true (heap 0)) (true (control ?p))))");
    EXPECT_THAT(game.text(game.interpreter.initial()), ElementsAre("(control white)", "(heap 3)"));
    EXPECT_THAT(game.legal("white"), ElementsAre("take"));
    EXPECT_THAT(game.legal("black"), ElementsAre("noop"));
    EXPECT_THAT(game.next({"take", "noop"}), ElementsAre("(control black)", "(heap 2)"));
    EXPECT_FALSE(game.interpreter.terminal());
    EXPECT_THAT(game.goals("white"), IsEmpty());
    game.set_state({"(heap 0)", "(control black)"});
    EXPECT_TRUE(game.interpreter.terminal());
    EXPECT_THAT(game.goals("white"), ElementsAre("100"));
    EXPECT_THAT(game.goals("black"), ElementsAre("0"));
}

TEST(Interpreter, KeepsTheOrderOfRolesAndDropsRepeatedOnes) {
    Game game("(role zoe) (role adam) (role zoe) (init a)");
    EXPECT_THAT(game.interpreter.roles(), ElementsAre(game.term("zoe"), game.term("adam")));
}

TEST(Interpreter, SetsOfFactsHaveNoDuplicates) {
    Game game("(role r) (init a) (init a) (q 1) (q 1) (<= (legal r ?x) (q ?x)) (<= (legal r 1) (true a)) (legal r 1)");
    EXPECT_THAT(game.text(game.interpreter.initial()), ElementsAre("a"));
    EXPECT_THAT(game.legal(), ElementsAre("1"));
    game.set_state({"a", "b", "a"});
    EXPECT_EQ(game.interpreter.state().size(), 2U);
}

TEST(Interpreter, ZeroArityComesWithAndWithoutParentheses) {
    Game game(
        "(role r) (init go) (<= (legal r x) (true (go)) ready) (<= (ready) (not (stopped))) (<= terminal (ready))");
    EXPECT_THAT(game.legal(), ElementsAre("x"));
    EXPECT_TRUE(game.interpreter.terminal());
}

TEST(Interpreter, GoalsMayHaveSeveralValuesOrNone) {
    Game game("(role r) (role s) (init a) (goal r 100) (<= (goal r 0) (true a)) (<= (goal s 50) (true b))");
    EXPECT_THAT(game.goals("r"), ElementsAre("0", "100"));
    EXPECT_THAT(game.goals("s"), IsEmpty());
}

TEST(Interpreter, RecursionOverFactsIsTheLeastFixpoint) {
    Game game(R"((role r) (init x) (edge a b) (edge b c) (edge c a) (edge d a)
        (<= (path ?x ?y) (edge ?x ?y))
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= (legal r ?y) (path a ?y))
        (<= (goal r ?x) (path ?x d)))");
    EXPECT_THAT(game.legal(), ElementsAre("a", "b", "c"));
    EXPECT_THAT(game.goals(), IsEmpty());
}

TEST(Interpreter, MutualRecursionThroughTheStateFollowsTheState) {
    Game game(R"((role r) (init (link 0 1)) (init (link 1 2)) (init (link 2 3))
        (<= (even 0))
        (<= (even ?y) (odd ?x) (true (link ?x ?y)))
        (<= (odd ?y) (even ?x) (true (link ?x ?y)))
        (<= (legal r ?x) (even ?x)) (<= (goal r ?x) (odd ?x)))");
    EXPECT_THAT(game.legal(), ElementsAre("0", "2"));
    EXPECT_THAT(game.goals(), ElementsAre("1", "3"));
    game.set_state({"(link 0 0)"});
    EXPECT_THAT(game.legal(), ElementsAre("0"));
    EXPECT_THAT(game.goals(), ElementsAre("0"));
}

TEST(Interpreter, RecursionDeeperThanAnyStackIsFine) {
    std::string rules =
        "(role r) (init x) (reached 0) (<= (reached ?y) (reached ?x) (succ ?x ?y))"
        "(<= (legal r yes) (reached 20000)) (<= (down ?x) (succ ?y ?x) (down ?y)) (down 0)"
        "(<= (goal r 100) (down 20000))";
    for (int i = 0; i < 20000; ++i) rules += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
    Game game(rules);
    EXPECT_THAT(game.legal(), ElementsAre("yes"));
    EXPECT_THAT(game.goals(), ElementsAre("100"));
}

TEST(Interpreter, ChainsOfRulesDeeperThanAnyStackAreFine) {
    std::string rules = "(role r) (init x) (<= (p0 ?x) (true ?x)) (<= (legal r ?x) (p20000 ?x))";
    for (int i = 0; i < 20000; ++i) {
        rules += "(<= (p" + std::to_string(i + 1) + " ?x) (p" + std::to_string(i) + " ?x))";
    }
    Game game(rules);
    EXPECT_THAT(game.legal(), ElementsAre("x"));
}

TEST(Interpreter, ChainsThatDoubleAtEachLevelAreComputedOnce) {
    std::string rules = "(role r) (init x) (<= (p0 ?x) (true ?x)) (<= (legal r ?x) (p60 ?x))";
    for (int i = 0; i < 60; ++i) {
        const std::string below = "(p" + std::to_string(i) + " ?x)";
        rules +=
            "(<= (p" + std::to_string(i + 1) + " ?x) " + below + " (not (no ?x)) (or " + below + " " + below + "))";
    }
    Game game(rules);
    EXPECT_THAT(game.legal(), ElementsAre("x"));
}

TEST(Interpreter, NegationSeesCompletedStrata) {
    Game game(R"((role r) (init (on a)) (init (on c)) (node a) (node b) (node c) (edge a b)
        (<= (lit ?x) (true (on ?x)))
        (<= (lit ?y) (lit ?x) (edge ?x ?y))
        (<= (dark ?x) (node ?x) (not (lit ?x)))
        (<= all_lit (not some_dark))
        (<= some_dark (dark ?x))
        (<= (legal r ?x) (dark ?x))
        (<= terminal all_lit))");
    EXPECT_THAT(game.legal(), IsEmpty());
    EXPECT_TRUE(game.interpreter.terminal());
    game.set_state({"(on b)"});
    EXPECT_THAT(game.legal(), ElementsAre("a", "c"));
    EXPECT_FALSE(game.interpreter.terminal());
}

TEST(Interpreter, NegationStratifiedOnlyAtomByAtomIsUnderstood) {
    Game game(R"((role r) (role s) (init (won r))
        (<= (goal ?p 100) (true (won ?p)))
        (<= (goal ?p 0) (role ?p) (not (goal ?p 100))))");
    EXPECT_THAT(game.goals("r"), ElementsAre("100"));
    EXPECT_THAT(game.goals("s"), ElementsAre("0"));
}

TEST(Interpreter, NegationOfItselfIsRefused) {
    Game game("(role r) (init a) (<= p (not q)) (<= q (not p)) (<= terminal p) (legal r x)");
    EXPECT_THROW(game.interpreter.terminal(), InvalidRules);
    EXPECT_THAT(game.legal(), ElementsAre("x"));  // still usable
    Game longer("(role r) (init a) (<= p (not q)) (<= q p s) (<= s p (true a)) (<= terminal p)");
    EXPECT_THROW(longer.interpreter.terminal(), InvalidRules);
}

TEST(Interpreter, VariablesOnlyInANegationMeanThereIsNone) {
    Game game(R"((role r) (init (cell 1 x)) (init (cell 2 b)) (node 1) (node 2) (node 3)
        (<= (legal r ?n) (node ?n) (not (true (cell ?n ?any))))
        (<= (goal r ?n) (node ?n) (not (and (true (cell ?n ?v)) (distinct ?v b)))))");
    EXPECT_THAT(game.legal(), ElementsAre("3"));
    EXPECT_THAT(game.goals(), ElementsAre("2", "3"));
}

TEST(Interpreter, OrAndNotNestArbitrarily) {
    Game game(R"((role r) (init (f 1)) (init (f 2)) (init (g 3)) (num 1) (num 2) (num 3) (num 4)
        (<= (legal r ?x) (num ?x) (or (true (f ?x)) (and (true (g ?x)) (not (or (true (f 3)) (true (h ?x)))))))
        (<= (goal r ?x) (num ?x) (not (or (true (f ?x)) (true (g ?x)))) (not (not (num ?x)))))");
    EXPECT_THAT(game.legal(), ElementsAre("1", "2", "3"));
    EXPECT_THAT(game.goals(), ElementsAre("4"));
    game.set_state({"(g 3)", "(h 3)"});
    EXPECT_THAT(game.legal(), IsEmpty());
}

TEST(Interpreter, BranchesThatBindDifferentVariablesAreDistributed) {
    // ?x comes from one branch, ?y from the other; `pair` provides what a branch does not.
    Game game(R"((role r) (init (a 1)) (init (b 20)) (pair 1 10) (pair 2 20) (pair 3 30)
        (<= (legal r (m ?x ?y)) (or (true (a ?x)) (true (b ?y))) (pair ?x ?y))
        (<= (goal r (m ?x ?y)) (or (and (true (a ?x)) (pair ?x ?y)) (and (true (b ?y)) (pair ?x ?y)))
                               (or (distinct ?x 2) (distinct ?y 20))))");
    EXPECT_THAT(game.legal(), ElementsAre("(m 1 10)", "(m 2 20)"));
    EXPECT_THAT(game.goals(), ElementsAre("(m 1 10)"));
}

TEST(Interpreter, BranchesWithTheirOwnVariablesFilter) {
    Game game(R"((role r) (init (a 1 5)) (init (b 2 6)) (num 1) (num 2) (num 3)
        (<= (legal r ?n) (num ?n) (or (true (a ?n ?p)) (true (b ?n ?q)))))");
    EXPECT_THAT(game.legal(), ElementsAre("1", "2"));
}

TEST(Interpreter, DistinctComparesTerms) {
    Game game(R"((role r) (init (f (pair 1 2))) (init (f (pair 2 2)))
        (<= (legal r (m ?x ?y)) (true (f (pair ?x ?y))) (distinct ?x ?y))
        (<= (goal r ?f) (true (f ?f)) (distinct ?f (pair 1 2)))
        (<= terminal (true (f (pair ?x ?y))) (not (distinct ?x ?y))))");
    EXPECT_THAT(game.legal(), ElementsAre("(m 1 2)"));
    EXPECT_THAT(game.goals(), ElementsAre("(pair 2 2)"));
    EXPECT_TRUE(game.interpreter.terminal());
}

TEST(Interpreter, FunctionTermsAreBuiltAndTakenApart) {
    Game game(R"((role r) (init (list (cons a (cons b nil))))
        (<= (member ?x (cons ?x ?t)) (true (list ?any)))
        (<= (member ?x (cons ?h ?t)) (member ?x ?t))
        (<= (legal r ?x) (true (list ?l)) (member ?x ?l))
        (<= (next (list (cons ?x ?l))) (does r ?x) (true (list ?l)))
        (<= (goal r ?t) (true (list (cons ?h (cons b ?t)))))
        (<= terminal (true (list (cons ?x (cons ?x ?t))))))");
    EXPECT_THAT(game.goals(), ElementsAre("nil"));
    EXPECT_THAT(game.next({"a"}), ElementsAre("(list (cons a (cons a (cons b nil))))"));
    EXPECT_FALSE(game.interpreter.terminal());
    game.set_state({"(list (cons a (cons a (cons b nil))))"});
    EXPECT_TRUE(game.interpreter.terminal());
}

TEST(Interpreter, WholeFluentsMayBeVariables) {
    Game game("(role r) (init (f 1)) (init g) (<= (legal r ?f) (true ?f)) (<= (next ?f) (true ?f) (distinct ?f g))");
    EXPECT_THAT(game.legal(), ElementsAre("(f 1)", "g"));
    EXPECT_THAT(game.next({"g"}), ElementsAre("(f 1)"));
}

TEST(Interpreter, RepeatedVariablesMustAgree) {
    Game game(R"((role r) (init (c 1 1 2)) (init (c 1 2 2)) (init (c 3 3 3)) (e 1 1) (e 1 2)
        (<= (same ?x ?x) (e ?x ?y))
        (<= (legal r (m ?x ?y)) (true (c ?x ?x ?y)))
        (<= (goal r ?x) (true (c ?x ?y ?z)) (same ?y ?y)))");
    EXPECT_THAT(game.legal(), ElementsAre("(m 1 2)", "(m 3 3)"));
    EXPECT_THAT(game.goals(), ElementsAre("1"));
}

TEST(Interpreter, FactsBesideRulesCount) {
    std::string rules =
        "(role r) (init (f 100)) (<= (num ?x) (true (f ?x))) (<= (legal r ?x) (num ?x))"
        "(<= (goal r yes) (num 7)) (<= (goal r no) (num 99))";
    for (int i = 0; i < 10; ++i) rules += "(num " + std::to_string(i) + ")";
    Game game(rules);
    EXPECT_THAT(game.legal(), ElementsAre("0", "1", "100", "2", "3", "4", "5", "6", "7", "8", "9"));
    EXPECT_THAT(game.goals(), ElementsAre("yes"));
}

TEST(Interpreter, BaseAndInputHaveNoInfluence) {
    Game game("(role r) (init (f 1)) (base (g 1)) (input r nothing) (<= (legal r ?x) (true (f ?x)))");
    EXPECT_THAT(game.legal(), ElementsAre("1"));
}

TEST(Interpreter, MovesOfTheSameStateDoNotMixUp) {
    Game game(
        "(role r) (role s) (init (at 0)) (<= (moved ?p ?m) (does ?p ?m)) (<= (next (at ?m)) (moved r ?m))"
        "(<= (next (by ?p)) (moved ?p 7)) (<= (legal ?p 7) (role ?p))");
    EXPECT_THAT(game.next({"1", "2"}), ElementsAre("(at 1)"));
    EXPECT_THAT(game.next({"7", "2"}), ElementsAre("(at 7)", "(by r)"));
    EXPECT_THAT(game.next({"1", "7"}), ElementsAre("(at 1)", "(by s)"));
    EXPECT_THAT(game.next({"1", "2"}), ElementsAre("(at 1)"));
}

TEST(Interpreter, PerceptsDependOnTheJointMove) {
    Game game(
        "(role r) (role random) (init dark) (<= (sees r ?m) (does random ?m)) (<= (sees random dark) (true dark))");
    const auto moves = game.terms({"look", "heads"});
    EXPECT_THAT(game.text(game.interpreter.sees(game.term("r"), moves)), ElementsAre("heads"));
    EXPECT_THAT(game.text(game.interpreter.sees(game.term("r"), {})), IsEmpty());
    EXPECT_THAT(game.text(game.interpreter.sees(game.term("random"), {})), ElementsAre("dark"));
}

TEST(Interpreter, AGameWithoutMuchIsStillAGame) {
    Game game("(role r)");
    EXPECT_THAT(game.interpreter.initial(), IsEmpty());
    EXPECT_FALSE(game.interpreter.terminal());
    EXPECT_THAT(game.legal(), IsEmpty());
    EXPECT_THAT(game.next({"x"}), IsEmpty());
}

// What stops the search for legal moves.
std::string limit_message(Game& game) {
    try {
        game.legal();
    } catch (const LimitExceeded& error) {
        return error.what();
    }
    return "no limit exceeded";
}

TEST(InterpreterLimits, TermsThatGrowForEverAreStopped) {
    Game game("(role r) (init x) (num 0) (<= (num (s ?x)) (num ?x)) (<= (legal r ?x) (num ?x)) (goal r 1)");
    EXPECT_THAT(limit_message(game), AllOf(HasSubstr("num/1"), HasSubstr("nested deeper than 1000")));
    EXPECT_THAT(game.goals(), ElementsAre("1"));  // still usable
    EXPECT_THAT(limit_message(game), HasSubstr("num/1"));
}

TEST(InterpreterLimits, WhatIsAskedWithValuesNeedNotBeFiniteAsAWhole) {
    Game game(
        "(role r) (init x) (num 0) (<= (num (s ?x)) (num ?x)) (<= (legal r (s (s 0))) (num (s (s 0))))"
        "(<= (legal r no) (num (s (s 1))))");
    EXPECT_THAT(game.legal(), ElementsAre("(s (s 0))"));
}

TEST(InterpreterLimits, TooManyFactsAreStopped) {
    Limits limits;
    limits.max_facts = 1000;
    Game game(
        "(role r) (init x) (d 0) (d 1) (<= (t (f ?x ?y)) (t ?x) (t ?y)) (<= (t ?x) (d ?x)) (<= (legal r ?x) (t ?x))",
        limits);
    EXPECT_THAT(limit_message(game), AllOf(HasSubstr("t/1"), HasSubstr("1000")));
}

TEST(InterpreterLimits, StatesThatGrowForEverAreStopped) {
    Game game("(role r) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x)))");
    EXPECT_THROW(
        {
            for (int i = 0; i < 2000; ++i) game.interpreter.set_state(game.interpreter.next(game.terms({"go"})));
        },
        LimitExceeded);
}

TEST(InterpreterLimits, TheDeadlineIsHonoured) {
    // A join of 40^8 combinations none of which fits: only the clock can end it.
    std::string rules =
        "(role r) (init x) (<= (legal r end) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h)"
        "(not (k ?a ?b)) (not (k ?c ?d)) (not (k ?e ?f)) (not (k ?g ?h)) (not (all ?a ?c ?e ?g ?b ?d ?f ?h)))"
        "(<= (all ?a ?b ?c ?d ?e ?f ?g ?h) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h))";
    for (int i = 0; i < 40; ++i) rules += "(d " + std::to_string(i) + ")";
    Limits limits;
    limits.max_facts = 1'000'000'000;
    Game game(rules, limits);
    limits.deadline = Deadline::after(std::chrono::milliseconds(50));
    game.interpreter.set_limits(limits);
    EXPECT_THAT(limit_message(game), HasSubstr("time limit"));
}

TEST(InterpreterRules, WhatCannotBeDefinedIsRefused) {
    EXPECT_THROW(Game("(role r) (init x) (<= (true (f ?x)) (d ?x)) (d 1)"), InvalidRules);
    Game unsafe("(role r) (init x) (<= (legal r ?x) (true x)) (legal r a)");
    EXPECT_THROW(unsafe.legal(), InvalidRules);
}

}  // namespace
}  // namespace stratagem::machine
