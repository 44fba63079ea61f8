#include "ground/demand.h"

#include <gmock/gmock.h>

#include "ground/grounder.h"
#include "ground/grounding.h"
#include "machine/random_game.h"
#include "machine/same_game.h"

namespace stratagem::ground {
namespace {

using machine::testing::expect_same_game;
using machine::testing::RandomGame;
using testing::clauses_of;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::fragment;
using testing::texts_of;
using ::testing::UnorderedElementsAre;

std::set<PredicateKey> keys(gdl::TermPool& terms, const std::vector<std::pair<std::string, std::uint32_t>>& relations) {
    std::set<PredicateKey> result;
    for (const auto& [name, arity] : relations) result.insert({terms.symbols().intern(name), arity});
    return result;
}

std::vector<std::string> demanded(const std::string& rules, const std::string& relation, std::uint32_t arity) {
    gdl::Description description = fragment(rules);
    std::vector<Clause> clauses = clauses_of(description);
    Effort effort;
    add_demand(clauses, description.terms, keys(description.terms, {{relation, arity}}), effort);
    return texts_of(description.terms, clauses);
}

TEST(Demand, CollectsWhatIsAskedFor) {
    EXPECT_THAT(
        demanded("(<= (h ?x) (p ?x) (not (q ?x ?y)) (r ?y)) (<= (q ?a ?b) (s ?a) (t ?b))", "q", 2),
        UnorderedElementsAre("(<= (demand q/2 ?x ?y) (p ?x) (r ?y))", "(<= (h ?x) (p ?x) (not (q ?x ?y)) (r ?y))",
                             "(<= (q ?a ?b) (demand q/2 ?a ?b) (s ?a) (t ?b))"));
}

TEST(Demand, OnlyArgumentsThatEveryUserBindsCount) {
    EXPECT_THAT(demanded("(<= (h ?y) (p ?x) (q ?x ?y)) (<= (q ?a ?b) (s ?a) (t ?b))", "q", 2),
                Contains("(<= (q ?a ?b) (demand q/2 ?a) (s ?a) (t ?b))"));
    const std::string unbound = "(<= (h ?x ?y) (q ?x ?y))";
    const std::string definition = "(<= (q ?a ?b) (s ?a) (t ?b))";
    EXPECT_THAT(demanded(unbound + definition, "q", 2), ElementsAre(unbound, definition));
}

TEST(Demand, NegatedConditionsOnTheStateAreLeftOut) {
    const std::vector<std::string> made = demanded(
        "(<= (next (f ?x)) (p ?x) (not (true (f ?x))) (not (z ?x)) (distinct ?x a) (q ?x)) (<= (q ?a) (true (g ?a)))",
        "q", 1);
    EXPECT_THAT(made, Contains("(<= (demand q/1 ?x) (p ?x) (not (z ?x)) (distinct ?x a))"));
}

TEST(Demand, RecursionAsksForItself) {
    const std::vector<std::string> made =
        demanded("(<= h (p ?x) (q ?x b)) (<= (q ?a ?b) (e ?a ?b)) (<= (q ?a ?c) (e ?a ?b) (q ?b ?c))", "q", 2);
    EXPECT_THAT(made, Contains("(<= (demand q/2 ?b ?c) (demand q/2 ?a ?c) (e ?a ?b))"));
}

// Any relation of a random game may be grounded by demand without changing the game.
TEST(Demand, RandomGamesStayTheSame) {
    for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
        const std::string rules = RandomGame(seed).rules();
        const gdl::ReadResult read = gdl::read_and_check("random.kif", rules);
        ASSERT_TRUE(read.ok()) << rules;
        gdl::Description description = read.description;
        std::vector<std::pair<std::string, std::uint32_t>> wanted;
        for (int relation = 0; relation < 6; ++relation) {
            for (const char letter : {'p', 'q'}) {
                if ((seed + static_cast<std::uint64_t>(relation)) % 2 == 0) continue;
                wanted.emplace_back(letter + std::to_string(relation), static_cast<std::uint32_t>(relation % 3));
            }
        }
        Grounder grounder(description, {}, keys(description.terms, wanted));
        auto program = std::make_shared<const Program>(grounder.run());
        ASSERT_TRUE(program->is_consistent());
        EXPECT_EQ(program->to_text().find("demand "), std::string::npos);
        expect_same_game(program, description, seed, 8, 1);
        ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << rules;
    }
}

TEST(Demand, ALargeRelationIsGroundedWhereItIsAskedFor) {
    // Without demand far has 25^4 atoms; the game asks for few of them.
    std::string rules = "(role a) (init (at 1)) (legal a go)";
    for (int i = 1; i <= 25; ++i) rules += " (d " + std::to_string(i) + ")";
    for (int i = 1; i < 25; ++i) rules += " (succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
    rules += R"(
        (<= (far ?x ?y ?z ?w) (d ?x) (d ?y) (d ?z) (d ?w) (not (true (at ?x))) (true (at ?y)))
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (far ?y ?x 1 1))
        (<= terminal (true (at 25))) (<= (goal a 100) (true (at 25))))";
    const Program program = testing::program_of(rules);
    EXPECT_LT(program.rule_count(), 1000U);
    expect_same_game(rules, 1, 25, 1);
}

}  // namespace
}  // namespace stratagem::ground
