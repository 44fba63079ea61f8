// The validity conditions, one by one: what is refused, what is let through, and where the message points.
#include "gdl/check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "game_files.h"
#include "gdl/read.h"

namespace stratagem::gdl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Found {
    std::string code_and_place;  // "E501 2:7"
    std::string message;
    std::string hint;
};

// What check() finds, in the order of the text. The text must be readable.
std::vector<Found> find(const std::string& text) {
    const ReadResult result = read("test", text);
    EXPECT_TRUE(result.ok()) << text;
    Diagnostics diagnostics;
    check(result.description, diagnostics);
    diagnostics.sort();
    std::vector<Found> found;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
        const Position at = result.description.source->position(diagnostic.span.begin);
        found.push_back(
            {fmt::format("{} {}:{}", diagnostic.code, at.line, at.column), diagnostic.message, diagnostic.hint});
    }
    return found;
}

// A flawless game on one line; statements added to it start on line 2.
constexpr std::string_view base =
    "(role white) (init (count 0)) (succ 0 1) (succ 1 2) (legal white add) (goal white 100) "
    "(<= (next (count ?m)) (does white add) (true (count ?n)) (succ ?n ?m)) (<= terminal (true (count 2)))\n";

std::vector<Found> find_added(std::string_view text) { return find(std::string(base) + std::string(text)); }

std::vector<std::string> places(const std::vector<Found>& found) {
    std::vector<std::string> result;
    for (const Found& one : found) result.push_back(one.code_and_place);
    return result;
}

std::vector<std::string> added(std::string_view text) { return places(find_added(text)); }

TEST(Check, FlawlessGameGivesNothing) { EXPECT_THAT(added(""), IsEmpty()); }

// ---- condition 1

TEST(CheckArity, KeywordsHaveFixedNumbers) {
    EXPECT_THAT(added("(<= (legal white) (true (count 0)))"), ElementsAre("E201 2:5"));
    EXPECT_THAT(added("(<= terminal (true count 0))"), ElementsAre("E201 2:14"));
    EXPECT_THAT(added("(<= terminal (not (does white)))"), ElementsAre("E201 2:19"));
    EXPECT_THAT(added("(<= terminal (or (terminal 1) (true (count 1))))"), ElementsAre("E201 2:18"));
    EXPECT_THAT(added("(role black white)"), ElementsAre("E201 2:1"));
    EXPECT_THAT(added("(base (count 0) 1)"), ElementsAre("E201 2:1"));
}

TEST(CheckArity, ZeroArgumentsWithAndWithoutParenthesesAreTheSame) {
    EXPECT_THAT(added("(<= (terminal) done) (<= (done) (true (count 1)))"), IsEmpty());
}

TEST(CheckArity, RareNumberOfArgumentsIsReportedAndTheUsualOneNamed) {
    const auto found = find_added("(<= terminal\n    (succ 1))\n(succ 2 3)");
    ASSERT_THAT(places(found), ElementsAre("W202 3:5"));
    EXPECT_THAT(found[0].message, HasSubstr("'succ' has 1 argument here but 2 arguments elsewhere"));
    EXPECT_THAT(found[0].hint, HasSubstr("line 1"));
}

TEST(CheckArity, OfEqualNumbersTheFirstCounts) {
    EXPECT_THAT(added("(p 1)\n(<= terminal (p 1 2))"), ElementsAre("W710 2:1", "W202 3:14"));
}

TEST(CheckArity, FunctionsInsideTermsAreFound) {
    EXPECT_THAT(added("(init (pair (s 0) (s 0)))\n(init (pair (s 1) (s 1 1)))"), ElementsAre("W203 3:19"));
}

TEST(CheckArity, RelationFunctionAndConstantMayShareAName) {
    EXPECT_THAT(added("(init (succ 1)) (init (count succ)) (init (count (add 1)))"), IsEmpty());
}

// ---- condition 2

TEST(CheckHeads, StateMovesAndDistinctAreNotDefined) {
    EXPECT_THAT(added("(true (count 1))"), ElementsAre("E301 2:1"));
    EXPECT_THAT(added("(<= (does white add) (true (count 0)))"), ElementsAre("E301 2:5"));
    EXPECT_THAT(added("(<= (distinct ?x ?y) (succ ?x ?y))"), ElementsAre("E301 2:5"));
}

TEST(CheckHeads, RolesAreGroundFacts) {
    EXPECT_THAT(added("(<= (role ?x) (succ ?x 1))"), ElementsAre("E302 2:5"));
    EXPECT_THAT(added("(role ?x)"), ElementsAre("E302 2:1"));
    EXPECT_THAT(added("(<= (role black)) (legal black add) (goal black 0)"), IsEmpty()) << "an empty body is a fact";
}

TEST(CheckHeads, InitAndNextAreNoConditions) {
    EXPECT_THAT(added("(<= terminal (init (count 0)))"), ElementsAre("E303 2:14"));
    EXPECT_THAT(added("(<= terminal (not (next (count 0))))"), ElementsAre("E303 2:19"));
    EXPECT_THAT(added("(<= terminal (or (true (count 1)) (and (init (count 0)) (true (count 0)))))"),
                ElementsAre("E303 2:40"));
}

TEST(CheckHeads, KeywordsInTermsAreOdd) {
    EXPECT_THAT(added("(init (count goal))"), ElementsAre("W305 2:14"));
    EXPECT_THAT(added("(init (count (role white)))"), ElementsAre("W305 2:14"));
    EXPECT_THAT(added("(role random) (legal random add)"), IsEmpty());
}

// ---- condition 3

TEST(CheckDependencies, InitialStateFollowsFromFacts) {
    EXPECT_THAT(added("(<= (init (count 1)) (true (count 0)))"), ElementsAre("E401 2:22"));
    EXPECT_THAT(added("(<= (base (count 1)) (does white add))"), ElementsAre("E401 2:22"));
    EXPECT_THAT(added("(<= (input white add) (not (true (count 0))))"), ElementsAre("E401 2:28"));
    EXPECT_THAT(added("(<= (init (count 1)) (succ 0 1))"), IsEmpty());
}

TEST(CheckHeads, RulesForSeesMayAskForTheNextState) {
    EXPECT_THAT(added("(<= (sees white ?f) (next ?f))"), IsEmpty());
    EXPECT_THAT(added("(<= (sees white ?f) (init ?f))"), ElementsAre("E303 2:21"));
    // What next depends on must not depend on it.
    EXPECT_THAT(added("(<= (next seen) (not (sees white ?f)) (role ?f))\n(<= (sees white ?f) (next ?f))"),
                ::testing::Contains(HasSubstr("E601")));
}

TEST(CheckDependencies, ChainIsNamed) {
    const auto found = find_added(
        "(<= (legal ?r stop) (role ?r) (can_stop ?r))\n"
        "(<= (can_stop ?r) (role ?r) (not moved))\n"
        "(<= moved (does white add))");
    ASSERT_THAT(places(found), ElementsAre("E402 2:31"));
    EXPECT_THAT(found[0].message, HasSubstr("legal -> can_stop -> not moved -> does"));
    EXPECT_THAT(found[0].hint, HasSubstr("'moved' uses does in line 4"));
}

TEST(CheckDependencies, LongChainLosesItsMiddle) {
    std::string text;
    for (int i = 0; i < 30; ++i) text += fmt::format("(<= p{} p{})", i, i + 1);
    const auto found = find_added(text + "(<= p30 (does white add)) (<= terminal p0)");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_THAT(found[0].message, HasSubstr("terminal -> p0 -> p1"));
    EXPECT_THAT(found[0].message, HasSubstr("... -> does"));
}

TEST(CheckDependencies, MovesAreForNextAndSees) {
    EXPECT_THAT(added("(<= (goal white 50) (does white add))"), ElementsAre("E402 2:21"));
    EXPECT_THAT(added("(<= terminal (or (true (count 1)) (does white add)))"), ElementsAre("E402 2:35"));
    EXPECT_THAT(added("(<= (sees white hello) (does white add))"), IsEmpty());
    EXPECT_THAT(added("(<= terminal (legal white add))"), IsEmpty()) << "next uses does, but true is not next";
}

TEST(CheckDependencies, InitMayDependOnWhatIsAskedForInPlayIfThatDoesNotLookAtTheState) {
    EXPECT_THAT(added("(<= (init (may ?m)) (legal white ?m))"), ElementsAre("W403 2:21"));
    EXPECT_THAT(added("(<= (init (may ?m)) (move ?m)) (<= (move ?m) (legal white ?m))"), ElementsAre("W403 2:21"));
    const auto found = find_added("(<= (legal white stop) (true (count 1)))\n(<= (init (may ?m)) (legal white ?m))");
    ASSERT_THAT(places(found), ElementsAre("E401 3:21"));
    EXPECT_THAT(found[0].message, HasSubstr("init -> legal -> true"));
}

// ---- condition 4

TEST(CheckSafety, VariablesOfTheHead) {
    EXPECT_THAT(added("(<= (next (count (s ?x ?x))) (true (count 1)))"), ElementsAre("E501 2:21"));
    EXPECT_THAT(added("(<= (next (pair ?x ?y)) (true (count ?x)))"), ElementsAre("E501 2:20"));
    EXPECT_THAT(added("(init (count ?x))"), ElementsAre("E501 2:14"));
    EXPECT_THAT(added("(<= (next (count ?x)) (not (succ ?x 1)))"), ElementsAre("E501 2:18", "E502 2:34"));
    EXPECT_THAT(added("(<= (next (count ?x)) (distinct ?x 1))"), ElementsAre("E501 2:18", "E503 2:33"));
}

TEST(CheckSafety, OrderOfConditionsDoesNotMatter) {
    EXPECT_THAT(added("(<= (next (count ?x)) (distinct ?x 1) (not (succ ?x 1)) (true (count ?x)))"), IsEmpty());
}

TEST(CheckSafety, NegationAndDistinctPointAtTheVariable) {
    EXPECT_THAT(added("(<= terminal (succ ?x 1)\n  (not (true (pair ?x ?y)))\n (distinct ?x ?z))\n(init (pair 0 0))"),
                ElementsAre("E502 3:23", "E503 4:15"));
}

TEST(CheckSafety, VariableIsReportedAsWritten) {
    EXPECT_THAT(find_added("(<= (next (count ?New)) (does white add))")[0].message, HasSubstr("?New"));
    const auto infix = find("role(white). init(p(0)). legal(white, a). goal(white, 0).\nterminal :- ~true(p(X)).");
    ASSERT_THAT(places(infix), ElementsAre("E502 2:21"));
    EXPECT_THAT(infix[0].message, HasSubstr("variable X "));
}

TEST(CheckSafety, DisjunctionBindsWhatEveryBranchBinds) {
    EXPECT_THAT(added("(<= (next (count ?x)) (or (true (count ?x)) (succ ?x 1)))"), IsEmpty());
    EXPECT_THAT(added("(<= (next (count ?x)) (or (true (count ?x)) (succ 0 ?y)))"), ElementsAre("E501 2:18"));
    EXPECT_THAT(added("(<= (next (count ?x)) (or (true (count ?x)) (and (succ 0 ?y) (succ ?x ?y))))"), IsEmpty());
    EXPECT_THAT(added("(<= (next (count ?x)) (or (true (count ?x)) (or (succ ?x 1) (not (succ ?x 2)))))"),
                ElementsAre("E501 2:18", "E502 2:72"));
    EXPECT_THAT(added("(<= (next (count ?x)) (or (succ ?x 1) (succ ?x 1) (succ 1 ?y)))"), ElementsAre("E501 2:18"));
    EXPECT_THAT(added("(<= (next (count ?x)) (or (succ 1 ?y) (succ ?x ?x) (succ ?x 1)))"), ElementsAre("E501 2:18"));
}

TEST(CheckSafety, BranchSeesItsOwnBindingsAndThoseAround) {
    EXPECT_THAT(added("(<= terminal (or (and (succ ?x 1) (not (true (count ?x)))) (true (count 1))))"), IsEmpty());
    EXPECT_THAT(added("(<= terminal (succ ?x 1) (or (not (true (count ?x))) (distinct ?x 1)))"), IsEmpty());
    EXPECT_THAT(added("(<= terminal (or (succ ?x 1) (not (true (count ?x)))))"), ElementsAre("E502 2:48"))
        << "the other branch binds nothing here";
    EXPECT_THAT(added("(<= terminal (or (succ ?x 1) (succ 1 ?x)) (not (true (count ?x))))"), IsEmpty());
}

TEST(CheckSafety, NothingInsideANegationBinds) {
    EXPECT_THAT(added("(<= terminal (not (and (succ ?x 1) (true (count ?x)))))"),
                ElementsAre("E502 2:30", "E502 2:49"));
    EXPECT_THAT(added("(<= (next (count ?x)) (not (not (succ ?x 1))))"), ElementsAre("E501 2:18", "E502 2:39"));
    EXPECT_THAT(added("(<= terminal (succ ?x 1) (not (or (true (count ?x)) (not (succ ?x 2)))))"), IsEmpty());
}

// ---- condition 5

TEST(CheckStratification, CycleThroughNegationIsNamed) {
    const auto found = find_added(
        "(<= terminal (lost 1))\n"
        "(<= (lost ?x) (succ ?x ?y) (not (won ?x)))\n"
        "(<= (won ?x) (even ?x))\n"
        "(<= (even ?x) (succ ?x ?y) (lost ?y))");
    ASSERT_THAT(places(found), ElementsAre("E601 3:33"));
    EXPECT_THAT(found[0].message, HasSubstr("lost -> not won -> even -> lost"));
}

TEST(CheckStratification, NegationUnderAnyNumberOfNotsCounts) {
    EXPECT_THAT(added("(<= terminal p)\n(<= p (not p))"), ElementsAre("E601 3:12"));
    EXPECT_THAT(added("(<= terminal p)\n(<= p (not (not p)))"), ElementsAre("E601 3:17"));
    EXPECT_THAT(added("(<= terminal p)\n(<= p (or (succ 0 1) (not (and (succ 0 1) p))))"), ElementsAre("E601 3:43"));
}

TEST(CheckStratification, NegationBelowOrAboveACycleIsFine) {
    EXPECT_THAT(added("(<= (path ?x ?y) (succ ?x ?y) (not (true (count ?x))))\n"
                      "(<= (path ?x ?z) (path ?x ?y) (succ ?y ?z))\n"
                      "(<= terminal (not (path 0 2)))"),
                IsEmpty());
}

TEST(CheckStratification, NextAndTrueAreDifferentRelations) {
    EXPECT_THAT(added("(<= (next (count 0)) (not (true (count 0))))"), IsEmpty());
}

TEST(CheckStratification, CasesToldApartByConstantsAreAWarning) {
    EXPECT_THAT(added("(<= (goal white 0)\n    (not (goal white 100)))"), ElementsAre("W603 3:10"));
    EXPECT_THAT(
        added("(<= (goal ?r 50) (role ?r)\n (not (goal ?r 100)))\n(<= (goal ?r 0) (role ?r) (not (goal ?r 50)))"),
        ElementsAre("W603 3:7", "W603 4:32"));
}

TEST(CheckStratification, CasesThatMayBeTheSameAreAnError) {
    EXPECT_THAT(added("(<= (goal white 0)\n    (not (goal white 0)))"), ElementsAre("E601 3:10"));
    EXPECT_THAT(added("(<= (goal white 0) (succ 0 ?v)\n    (not (goal white ?v)))"), ElementsAre("E601 3:10"));
    EXPECT_THAT(added("(<= (goal white 0)\n (not (goal white 50)))\n(<= (goal white 50)\n (not (goal white 0)))"),
                ElementsAre("E601 3:7", "E601 5:7"));
    EXPECT_THAT(added("(<= (goal white 0)\n (not (goal white 50)))\n(<= (goal white 50)\n p)\n(<= p (goal white 0))"),
                ElementsAre("E601 3:7"));
}

// ---- condition 6

TEST(CheckRecursion, ArgumentMustComeFromTheHeadOrFromOutside) {
    EXPECT_THAT(added("(n 0)\n(<= (n (s ?x)) (n ?x))\n(<= terminal (n 1))"), ElementsAre("W602 3:19"));
    EXPECT_THAT(added("(n 0)\n(<= (n ?x) (n (s ?x)) (succ ?y ?x))\n(<= terminal (n 1))"), IsEmpty());
    EXPECT_THAT(added("(n 0)\n(<= (n (s ?x)) (n ?x) (succ ?x ?y))\n(<= terminal (n 1))"), IsEmpty());
    EXPECT_THAT(added("(<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))\n(less 0 1)\n(<= terminal (less 0 2))"), IsEmpty());
    EXPECT_THAT(added("(<= (less ?x ?z) (less ?x ?y) (less ?y ?z))\n(less 0 1)\n(<= terminal (less 0 2))"),
                ElementsAre("W602 2:27", "W602 2:37"));
}

TEST(CheckRecursion, CycleOfSeveralRelationsCounts) {
    EXPECT_THAT(added("(<= (odd (s ?x)) (even ?x))\n(<= (even (s ?x)) (odd ?x))\n(even 0)\n(<= terminal (odd 1))"),
                ElementsAre("W602 2:24", "W602 3:24"));
}

TEST(CheckRecursion, BranchesAreSeenOneByOne) {
    EXPECT_THAT(added("(<= (n ?x) (succ ?x ?w) (or (and (n ?y) (succ ?y ?x)) (n ?z)))\n(<= terminal (n 1))"),
                ElementsAre("W602 2:58"));
}

// ---- the game as a whole

TEST(CheckGame, MissingPartsAreNamed) {
    EXPECT_THAT(places(find("(init (count 0))\n(<= terminal (true (count 0)))")), ElementsAre("E701 1:1"));
    EXPECT_THAT(places(find("(role a)")), ElementsAre("W702 1:1", "W703 1:1", "W704 1:1", "W705 1:1"));
}

TEST(CheckGame, EachRoleNeedsGoalsAndMoves) {
    EXPECT_THAT(added("(role black)"), ElementsAre("W703 2:1", "W704 2:1"));
    EXPECT_THAT(added("(role black)\n(<= (legal ?r wait) (role ?r)) (<= (goal ?r 0) (role ?r) (true (count 0)))"),
                IsEmpty());
}

TEST(CheckGame, GoalValues) {
    EXPECT_THAT(added("(goal white 101)"), ElementsAre("W708 2:13"));
    EXPECT_THAT(added("(goal white -1)"), ElementsAre("W708 2:13"));
    EXPECT_THAT(added("(goal white win)"), ElementsAre("W708 2:13"));
    EXPECT_THAT(added("(goal white (plus 1 2))"), ElementsAre("W708 2:13"));
    EXPECT_THAT(added("(goal white 0) (goal white 99) (<= (goal white ?v) (succ ?v 1))"), IsEmpty());
}

TEST(CheckRoles, UnknownRoleOffersTheNearest) {
    const auto found = find_added("(<= terminal (does ?x add) (goal wihte 100))\n(legal blue add)");
    ASSERT_THAT(places(found), ElementsAre("E402 2:14", "W711 2:34", "W711 3:8"));
    EXPECT_THAT(found[1].hint, HasSubstr("did you mean the role 'white'?"));
    EXPECT_THAT(found[2].hint, HasSubstr("declare it"));
}

TEST(CheckNames, UndefinedRelationOffersTheNearest) {
    const auto found = find_added("(<= terminal (sucs 0 1) (unheard ?of))");
    ASSERT_THAT(places(found), ElementsAre("W706 2:14", "W706 2:25"));
    EXPECT_THAT(found[0].hint, HasSubstr("did you mean the relation 'succ'?"));
    EXPECT_THAT(found[1].hint, HasSubstr("never holds"));
}

TEST(CheckNames, UnusedRelationIsReportedOnceAtItsFirstDefinition) {
    EXPECT_THAT(added("(p 1)\n(p 2)\n(<= (q ?x) (p ?x))"), ElementsAre("W710 4:5")) << "p is used by q";
    EXPECT_THAT(added("(<= (p ?x) (q ?x))\n(<= (q ?x) (p ?x))"), ElementsAre("W710 2:5")) << "by one another only";
}

TEST(CheckNames, FluentsAndMovesAreKnown) {
    const auto found =
        find_added("(<= terminal (true (cuont 1)))\n(<= (next (count 0)) (does white (add 1)) (true (count 1)))");
    ASSERT_THAT(places(found), ElementsAre("W712 2:20", "W713 3:34"));
    EXPECT_THAT(found[0].hint, HasSubstr("did you mean the fluent 'count'?"));
    EXPECT_THAT(added("(<= (next ?f) (true ?f) (does white sub)) (<= terminal (true (other 1))) (<= (legal white ?m) "
                      "(succ ?m 1))"),
                IsEmpty())
        << "a variable in the head may be anything";
}

TEST(CheckRules, RepetitionNamesTheLineOfTheFirst) {
    const auto found =
        find_added("(<= terminal (not (true (count 1))))\n(succ 0 1)\n(<= terminal (not (true (count 1))))");
    ASSERT_THAT(places(found), ElementsAre("W707 3:1", "W707 4:1"));
    EXPECT_THAT(found[0].message, HasSubstr("line 1"));
    EXPECT_THAT(found[1].message, HasSubstr("line 2"));
    EXPECT_THAT(added("(<= terminal (true (count 1)))\n(<= terminal (not (true (count 1))))"), IsEmpty());
}

TEST(CheckRules, ConditionsThatNeverHold) {
    EXPECT_THAT(added("(<= terminal (distinct 1 1))"), ElementsAre("W709 2:14"));
    EXPECT_THAT(added("(<= terminal (true (count ?x)) (or (succ 0 1) (distinct ?x ?x)))"), ElementsAre("W709 2:47"));
    EXPECT_THAT(added("(<= terminal (not (distinct 1 2)))"), ElementsAre("W709 2:14"));
    EXPECT_THAT(added("(<= terminal (true (count 1)) (not (true (count 1))))"), ElementsAre("W709 2:31"));
    EXPECT_THAT(added("(<= terminal (distinct 1 2) (or (true (count 1)) (not (true (count 1)))))"), IsEmpty());
}

TEST(CheckRules, HeadAmongItsOwnConditions) {
    EXPECT_THAT(added("(<= (succ ?x 1) (succ ?x 1) (true (count 0)))"), ElementsAre("W714 2:5"));
    EXPECT_THAT(added("(<= (succ ?x 1) (or (succ ?x 1) (true (count ?x))))"), IsEmpty());
}

// ---- all at once, and hostile sizes

TEST(Check, FindsAllFaultsOfAFileInOneRun) {
    EXPECT_THAT(added("(true (count 1))\n(<= (legal white) (true (count 0)))\n(<= (next (count ?x)) (does white add))\n"
                      "(<= terminal p)\n(<= p (not p))"),
                ElementsAre("E301 2:1", "E201 3:5", "E501 4:18", "E601 6:12"));
}

TEST(Check, WarningsNeverCrowdOutErrors) {
    std::string text;
    for (std::size_t i = 0; i < 2 * Diagnostics::max_kept; ++i)
        text += fmt::format("(init (count goal{}))(init (count goal))\n", i);
    const ReadResult result = read("test", std::string(base) + text + "(<= terminal p) (<= p (not p))");
    Diagnostics diagnostics;
    check(result.description, diagnostics);
    EXPECT_EQ(diagnostics.errors(), 1U);
    EXPECT_EQ(diagnostics.all().front().code, "E601");
}

// The sizes are such that quadratic work or recursion along the chain would not end, or not end well.
TEST(CheckHostile, ChainOfManyRelations) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += fmt::format("(<= (p{} ?x) (p{} ?x))\n", i, i + 1);
    EXPECT_THAT(added(text + "(<= (p100000 ?x) (succ ?x 1) (not (p0 ?x))) (<= terminal (p0 1))"),
                ElementsAre("E601 100002:35"));
}

TEST(CheckHostile, EveryRuleAtTheTopOfALongChain) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += fmt::format("(<= p{0} p{1}) (<= (legal white (m {0})) p{0})\n", i, i + 1);
    const auto found = find_added(text + "(<= p20000 (does white add))");
    EXPECT_EQ(found.size(), Diagnostics::max_kept);
    EXPECT_THAT(found[0].code_and_place, HasSubstr("E402"));
}

TEST(CheckHostile, ManyVariablesInDeeplyNestedBranches) {
    std::string body = "(succ ?x 1)";
    for (int i = 0; i < 450; ++i)
        body = fmt::format("(or (and (succ ?v{0} ?x) {1}) (and (succ ?x ?w{0}) (not (succ ?x ?w{0}))))", i, body);
    EXPECT_THAT(added("(<= (next (count ?x)) " + body + ")"), IsEmpty());
    EXPECT_THAT(added("(<= (next (count ?v0)) " + body + ")"), ElementsAre("E501 2:18"));
}

TEST(CheckHostile, HugeDisjunctionFollowedByManySmallOnes) {
    std::string text = "(<= (next (count ?x)) (or";
    for (int i = 0; i < 50000; ++i) text += fmt::format(" (succ ?x {})", i);
    text += "))\n";
    for (int i = 0; i < 20000; ++i)
        text += fmt::format("(<= (next (count ?x)) (or (succ ?x {0}) (succ ?x {0}) (succ {0} ?x)))\n", i);
    EXPECT_THAT(added(text), IsEmpty());
}

TEST(CheckHostile, ManyUnknownNamesBesideManyKnownOnes) {
    std::string text;
    for (int i = 0; i < 20000; ++i) text += fmt::format("(<= (relation{0} ?x) (relatoin{0} ?x))\n", i);
    EXPECT_EQ(find_added(text).size(), Diagnostics::max_kept);
}

// ---- real descriptions

TEST(CheckGames, BundledGamesAreFlawless) {
    const auto files = gdl::testing::bundled_files();
    ASSERT_FALSE(files.empty());
    for (const auto& file : files) {
        const ReadResult result = read_and_check(file.filename().string(), gdl::testing::content_of(file));
        for (const Diagnostic& diagnostic : result.diagnostics.all()) {
            ADD_FAILURE() << render(*result.description.source, diagnostic);
        }
    }
}

TEST(CheckGames, DescriptionsInUseAreAccepted) {
    const auto files = gdl::testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no collection of games beside the project";
    for (const auto& file : files) {
        const ReadResult result = read_and_check(file.filename().string(), gdl::testing::content_of(file));
        for (const Diagnostic& diagnostic : result.diagnostics.all()) {
            if (diagnostic.severity == Severity::error) ADD_FAILURE() << render(*result.description.source, diagnostic);
        }
    }
}

}  // namespace
}  // namespace stratagem::gdl
