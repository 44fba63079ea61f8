#include "ground/ground.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>

#include "ground/grounding.h"
#include "machine/random_game.h"
#include "machine/same_game.h"
#include "test_size.h"
#include "util/contract.h"

namespace stratagem::ground {
namespace {

using machine::testing::bundled;
using machine::testing::described;
using machine::testing::expect_same_game;
using machine::testing::RandomGame;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::program_of;

TEST(Ground, RandomGamesPlayAsTheirRulesSay) {
    const std::uint64_t games = full_tests() ? 3000 : 150;
    for (std::uint64_t seed = 0; seed < games; ++seed) {
        const std::string rules = RandomGame(seed).rules();
        const gdl::ReadResult read = gdl::read_and_check("random.kif", rules);
        ASSERT_TRUE(read.ok()) << rules;
        expect_same_game(read.description, seed, 12);
        ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << rules;
    }
}

// The property above says little of games that are over at once, or without what makes games difficult.
TEST(Ground, RandomGamesAreWorthPlaying) {
    std::size_t long_enough = 0;
    std::size_t cycles = 0;
    std::size_t cycles_through_moves = 0;
    std::size_t phases = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const auto program = machine::testing::grounded(described(RandomGame(seed).rules()));
        const auto circuit = machine::build_circuit(program);
        machine::CircuitMachine machine(circuit);
        machine::Random random(seed);
        std::vector<int> goals;
        if (machine.playout(random, goals, 5) == 5) ++long_enough;
        if (circuit->cycle_count() > 0) ++cycles;
        if (circuit->moves_are_state()) ++cycles_through_moves;
        if (!circuit->phases().empty()) ++phases;
    }
    EXPECT_GT(long_enough, 40U);
    EXPECT_GT(cycles, 20U);
    EXPECT_GT(cycles_through_moves, 2U);
    EXPECT_GT(phases, 20U);
}

// Two hundred places on either side: 40,000 moves.
std::string large_game() {
    std::string rules = R"((role a) (init (at 0 0)) (<= (legal a (go ?x ?y)) (d ?x) (d ?y))
        (<= (next (at ?x ?y)) (does a (go ?x ?y))) (<= terminal (true (at 1 1))) (goal a 50))";
    for (int i = 0; i < 200; ++i) rules += " (d " + std::to_string(i) + ")";
    return rules;
}

TEST(Ground, ADeadlineInThePastFailsCleanly) {
    GroundLimits limits;
    limits.deadline = Deadline(Deadline::Clock::now() - std::chrono::seconds(1));
    const GroundResult result = ground(described(large_game()), limits);
    EXPECT_FALSE(result.program);
    EXPECT_TRUE(result.limit_hit);
    EXPECT_THAT(result.failure, HasSubstr("time"));
}

TEST(Ground, TooFewBytesFailCleanly) {
    GroundLimits limits;
    limits.max_bytes = std::size_t{1} << 20;
    const GroundResult result = ground(described(large_game()), limits);
    EXPECT_FALSE(result.program);
    EXPECT_TRUE(result.limit_hit);
    EXPECT_THAT(result.failure, HasSubstr("1 MB"));
    EXPECT_GT(result.peak_bytes, limits.max_bytes);
}

TEST(Ground, TermsWithoutEndNameTheirRelation) {
    const std::string rest = " (role a) (init (n 0)) (legal a go) (<= terminal (true (n 5))) (goal a 50)";
    const GroundResult fluents = ground(described("(<= (next (n (s ?x))) (true (n ?x)))" + rest));
    EXPECT_FALSE(fluents.program);
    EXPECT_TRUE(fluents.limit_hit);
    EXPECT_THAT(fluents.failure, HasSubstr("'n'"));
    const GroundResult fixed =
        ground(described("(nat 0) (<= (nat (s ?x)) (nat ?x)) (<= (next (n ?x)) (true (n ?x)) (nat ?x))" + rest));
    EXPECT_FALSE(fixed.program);
    EXPECT_THAT(fixed.failure, HasSubstr("'nat'"));
    EXPECT_THAT(fixed.failure, Not(HasSubstr("nat ")));
    // A relation that depends on the state, with a variable in its head so that it cannot be taken apart.
    const GroundResult derived = ground(described(R"((<= (reach ?x) (true (n ?x))) (<= (reach (s ?x)) (reach ?x))
        (<= (next (n 1)) (reach ?x)))" + rest));
    EXPECT_FALSE(derived.program);
    EXPECT_THAT(derived.failure, HasSubstr("'reach'"));
}

TEST(Ground, TermsWithoutEndAmongTwoArgumentsEndWithTheDeadline) {
    GroundLimits limits;
    limits.deadline = Deadline::after(std::chrono::milliseconds(200));
    const GroundResult result = ground(described(R"((role a) (init (n 0)) (legal a go) (goal a 50)
        (tree leaf) (<= (tree (node ?x ?y)) (tree ?x) (tree ?y))
        (<= terminal (true (n ?x)) (tree ?x)))"),
                                       limits);
    EXPECT_FALSE(result.program);
    EXPECT_TRUE(result.limit_hit);
}

TEST(Ground, AStaticRelationThroughItsOwnNegationIsRefused) {
    // Refused by the check already; grounding must not trust that.
    const gdl::ReadResult read = gdl::read("test.kif", R"((role a) (init p) (legal a go) (goal a 50) (d 1)
        (<= (even ?x) (d ?x) (not (odd ?x))) (<= (odd ?x) (d ?x) (not (even ?x)))
        (<= terminal (true p) (even 1)))");
    if constexpr (promises_are_checked) {
        EXPECT_DEATH(ground(read.description), "passes_check");
        return;
    }
    const GroundResult result = ground(read.description);
    EXPECT_FALSE(result.program);
    EXPECT_FALSE(result.limit_hit);
    EXPECT_THAT(result.failure, HasSubstr("negation"));
}

TEST(Ground, DisjunctionsThatMultiplyAreRefused) {
    std::string rule = "(<= (next (n ?x)) (true (n ?x))";
    for (int i = 0; i < 20; ++i) rule += " (or (not (true (p ?x))) (not (true (q ?x))))";
    const GroundResult same =
        ground(described("(role a) (init (n 1)) (legal a go) (goal a 50) (<= terminal (true (n 2)))" + rule + ")"));
    rule = "(<= (next (n ?x)) (true (n ?x))";
    for (int i = 0; i < 20; ++i) {
        rule += " (or (not (true (p" + std::to_string(i) + " ?x))) (not (true (q" + std::to_string(i) + " ?x))))";
    }
    const GroundResult many =
        ground(described("(role a) (init (n 1)) (legal a go) (goal a 50) (<= terminal (true (n 2)))" + rule + ")"));
    for (const GroundResult* result : {&same, &many}) {
        EXPECT_FALSE(result->program);
        EXPECT_TRUE(result->limit_hit);
        EXPECT_THAT(result->failure, HasSubstr("'next'"));
    }
}

// Authors forget: what base and input say must change nothing.
TEST(Ground, BaseAndInputAreNotTrusted) {
    const std::string rules = R"(
        (role a) (role b) (init (count 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal ?r (add 1)) (role ?r)) (<= (legal ?r (add 2)) (role ?r) (true (count 0)))
        (<= (next (count ?y)) (true (count ?x)) (does a (add 1)) (succ ?x ?y))
        (<= (next (count ?z)) (true (count ?x)) (does a (add 2)) (succ ?x ?y) (succ ?y ?z))
        (<= terminal (true (count 3))) (<= (goal ?r 100) (role ?r) (true (count 3))))";
    const std::string too_small = rules + "(base (count 0)) (input a (add 1)) (input b (add 1))";
    const std::string too_large = rules + "(base (count 9)) (base (other 1)) (input a (add 9)) (input c fly)";
    const std::string expected = program_of(rules).to_text();
    EXPECT_EQ(program_of(too_small).to_text(), expected);
    EXPECT_EQ(program_of(too_large).to_text(), expected);
    expect_same_game(too_small, 1, 5);
}

TEST(Ground, BaseAndInputMayBeAskedFor) {
    expect_same_game(R"((role a) (init (f 1)) (base (f 1)) (base (f 2)) (input a (go 1)) (input a (go 2))
        (<= (legal ?r ?m) (input ?r ?m))
        (<= (next ?f) (base ?f) (does a (go 2)))
        (<= (next (f 1)) (does a (go 1)))
        (<= terminal (true (f 1)) (true (f 2))) (<= (goal a 100) (true (f 2))))",
                     1, 10, 5);
}

TEST(Ground, WholeFluentsAndMovesAsVariables) {
    const std::string rules = R"((role a) (role b) (init (f 1)) (init (g (h 2))) (opposite a b) (opposite b a)
        (<= (legal ?r (take ?f)) (role ?r) (true ?f)) (<= (legal ?r pass) (role ?r))
        (<= (taken ?f) (does ?r (take ?f)))
        (<= (same ?m) (does a ?m) (does b ?m))
        (<= (next ?f) (true ?f) (not (taken ?f)))
        (<= (next (done ?m)) (same ?m))
        (<= terminal (true (done pass))) (<= (goal ?r 100) (role ?r) (true (done (take ?f)))))";
    // The fluents nest for ever: (done (take (done …))). Bounded by what may be taken, it is finite.
    EXPECT_FALSE(ground(described(rules)).program);
    std::string finite = rules;
    finite.replace(finite.find("(role ?r) (true ?f))"), 20,
                   "(role ?r) (true ?f) (can ?f)) (can (f 1)) (can (g (h 2)))");
    expect_same_game(finite, 1, 10, 10);
}

TEST(Ground, AnInstanceIsFoundOnce) {
    // Several conditions on one relation, by name and as whole terms; the head tells instances apart.
    for (const char* body : {"(true (f ?x)) (true (f ?y)) (true (f ?z))", "(true ?x) (true ?y) (true ?z)"}) {
        const Program program = program_of(fmt::format(R"((role a) (init (f 1)) (init (f 2)) (legal a go) (goal a 50)
            (<= (seen ?x ?y ?z) {}) (<= (next (f 1)) (seen ?x ?y ?z)) (<= (next (f 2)) (true (f 2)))
            (<= terminal (not (true (f 1)))))",
                                                       body));
        std::multiset<std::string> heads;
        for (std::size_t rule = 0; rule < program.rule_count(); ++rule) {
            const std::string head = program.name(program.head(rule));
            if (head.starts_with("(seen ")) heads.insert(head);
        }
        EXPECT_EQ(heads.size(), 8U) << program.to_text();
        EXPECT_EQ(std::set<std::string>(heads.begin(), heads.end()).size(), 8U) << program.to_text();
    }
}

TEST(Ground, AnInstanceIsFoundOnceWhereAnAtomMatchesByNameAndAsAWhole) {
    const Program program = program_of(R"((role a) (init (f 1)) (init (f 2)) (legal a go) (goal a 50)
        (link 1 (f 1)) (link 1 (f 2)) (link 2 (f 1)) (link 2 (f 2))
        (<= terminal (true ?z) (not (link 1 ?z)))
        (<= (next (f ?x)) (true (f ?x)) (true ?z) (link ?x ?z)))");
    std::multiset<std::string> rules;
    for (std::size_t rule = 0; rule < program.rule_count(); ++rule) {
        std::string text = program.name(program.head(rule));
        for (const Condition condition : program.body(rule)) text += program.name(condition.atom());
        rules.insert(text);
    }
    EXPECT_EQ(rules.size(), std::set<std::string>(rules.begin(), rules.end()).size()) << program.to_text();
}

TEST(Ground, GamesOfIncompleteInformationHavePercepts) {
    const auto program = machine::testing::grounded(bundled("kuhn_poker"));
    ASSERT_TRUE(program);
    EXPECT_EQ(program->roles.size(), 3U);
    ASSERT_FALSE(program->percepts.empty());
    std::set<Role> told;
    for (const PerceptEntry& percept : program->percepts) {
        told.insert(percept.role);
        EXPECT_THAT(program->name(percept.atom), ::testing::StartsWith("(sees "));
    }
    EXPECT_EQ(told.size(), 2U);  // random is told nothing
    // Six ways to deal.
    std::size_t deals = 0;
    for (const GroundMove& move : program->moves) {
        deals += gdl::to_kif(program->terms, move.term).starts_with("(deal ") ? 1 : 0;
    }
    EXPECT_EQ(deals, 6U);
}

TEST(Ground, BundledGamesGroundConsistently) {
    for (const auto& path : gdl::testing::bundled_files()) {
        SCOPED_TRACE(path.filename().string());
        const auto program = machine::testing::grounded(machine::testing::described_file(path));
        ASSERT_TRUE(program);
        EXPECT_GT(program->rule_count(), 0U);
        EXPECT_NE(program->terminal, Atom::none);
        EXPECT_FALSE(program->initial.empty());
    }
}

}  // namespace
}  // namespace stratagem::ground
