// Rules whose relations depend on their own negations while no single fact does: whatever the order of rules and
// conditions, circuit, interpreter and a naive evaluation find the same facts.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gdl/print.h"
#include "machine/interpreter/interpreter.h"
#include "machine/interpreter/naive_evaluation.h"
#include "machine/machine_games.h"
#include "test_size.h"

namespace stratagem::machine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> values = {"a", "b", "c"};
constexpr int level_count = 5;

// A rule as head and conditions, so that conditions can be shuffled too.
struct MadeRule {
    std::string head;
    std::vector<std::string> body;
};

// Facts (p LEVEL x) and (q LEVEL x): a positive condition is of the same level or a lower one, a negated one of a
// lower one. Both relations lie in one cycle with a negation from the second level on.
class LevelledRules {
  public:
    explicit LevelledRules(std::uint64_t seed) : random_(seed) {
        // Levels that are not in the order of their names, so that nothing else gives them away.
        for (int i = 0; i < level_count; ++i) names_.push_back(fmt::format("{}", i));
        std::ranges::shuffle(names_, random_);
        for (int i = 0; i < 14; ++i) rules_.push_back(made());
        rules_.push_back({"(legal r (is p ?n ?x))", {"(p ?n ?x)"}});
        rules_.push_back({"(legal r (is q ?n ?x))", {"(q ?n ?x)"}});
        rules_.push_back({"(legal r noop)", {}});
        rules_.push_back({"(next (f ?x))", {fmt::format("(p {} ?x)", names_[2])}});
        rules_.push_back({"(next (f ?x))", {fmt::format("(not (q {} ?x))", names_[3]), "(d ?x)"}});
    }

    // The same rules in another order each time.
    std::string text() {
        std::ranges::shuffle(rules_, random_);
        std::string result = "(role r) (d a) (d b) (d c) (goal r 100)\n(<= terminal (true (f none)))\n(init (f a))\n";
        for (MadeRule& rule : rules_) {
            std::ranges::shuffle(rule.body, random_);
            result += fmt::format("(<= {} {})\n", rule.head, fmt::join(rule.body, " "));
        }
        for (std::size_t i = 0; i + 1 < values.size(); ++i)
            result += fmt::format("(e {} {})\n", values[i], values[i + 1]);
        return result;
    }

    // Of a fact (p LEVEL x) or (q LEVEL x); what is asked for comes last.
    int level_of(const std::string& fact) const {
        if (fact.starts_with("(legal") || fact.starts_with("(next")) return level_count;
        if (!fact.starts_with("(p ") && !fact.starts_with("(q ")) return 0;
        const auto found = std::ranges::find(names_, fact.substr(3, 1));
        return static_cast<int>(found - names_.begin());
    }

  private:
    int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
    std::string term() {
        return below(4) == 0 ? values[static_cast<std::size_t>(below(3))] : fmt::format("?x{}", below(2));
    }
    std::string fact(int level) {
        return fmt::format("({} {} {})", below(2) == 0 ? "p" : "q", names_[static_cast<std::size_t>(level)], term());
    }

    MadeRule made() {
        const int level = below(level_count);
        MadeRule rule{fact(level), {}};
        for (int i = below(4); i >= 0; --i) {
            switch (below(6)) {
                case 0:
                    rule.body.push_back(fmt::format("(true (f {}))", term()));
                    break;
                case 1:
                    rule.body.push_back(fmt::format("(e {} {})", term(), term()));
                    break;
                case 2:
                case 3:
                    rule.body.push_back(fact(below(level + 1)));
                    break;
                default:
                    if (level > 0) rule.body.push_back(fmt::format("(not {})", fact(below(level))));
                    break;
            }
        }
        const std::string all = rule.head + fmt::format("{}", fmt::join(rule.body, ""));
        for (const char* variable : {"?x0", "?x1"}) {
            if (all.find(variable) != std::string::npos) rule.body.push_back(fmt::format("(d {})", variable));
        }
        return rule;
    }

    std::mt19937_64 random_;
    std::vector<std::string> names_;  // by level
    std::vector<MadeRule> rules_;
};

std::set<std::string> legal_moves(Machine& machine, const State& state) {
    std::vector<Move> moves;
    machine.legal(state, Role{0}, moves);
    std::set<std::string> names;
    for (const Move move : moves) names.insert(machine.move_name(move));
    return names;
}

std::set<std::string> fluents(Machine& machine, const State& state) {
    std::set<std::string> names;
    state.for_each([&](Fluent fluent) { names.insert(machine.fluent_name(fluent)); });
    return names;
}

// What stands behind `opening` in the facts that begin with it: the moves of (legal r MOVE).
std::set<std::string> inside(const std::set<std::string>& facts, const std::string& opening) {
    std::set<std::string> result;
    for (const std::string& fact : facts) {
        if (fact.starts_with(opening)) result.insert(fact.substr(opening.size(), fact.size() - opening.size() - 1));
    }
    return result;
}

std::vector<std::string> constants_of(const gdl::Description& description) {
    std::vector<std::string> all = values;
    for (int i = 0; i < level_count; ++i) all.push_back(fmt::format("{}", i));
    EXPECT_FALSE(description.rules.empty());
    return all;
}

void expect_same_everywhere(const LevelledRules& made, const std::string& text) {
    const gdl::Description description = testing::described(text);
    const auto circuit = testing::made(description, MachineKind::circuit);
    const auto interpreter = testing::made(description, MachineKind::interpreter);
    State on_circuit = circuit->initial();
    State on_interpreter = interpreter->initial();
    const auto level_of = [&](const std::string& fact) { return made.level_of(fact); };
    for (int step = 0; step < 3; ++step) {
        std::set<std::string> given;
        for (const std::string& fluent : fluents(*circuit, on_circuit)) given.insert("(true " + fluent + ")");
        const testing::NaiveEvaluation naive(description, constants_of(description), given, level_of, level_count);
        const std::set<std::string> expected = inside(naive.facts(), "(legal r ");
        ASSERT_EQ(legal_moves(*circuit, on_circuit), expected) << text;
        ASSERT_EQ(legal_moves(*interpreter, on_interpreter), expected) << text;
        const std::vector<Move> first{*circuit->find_move(Role{0}, "noop")};
        const std::vector<Move> second{*interpreter->find_move(Role{0}, "noop")};
        circuit->next(State(on_circuit), first, on_circuit);
        interpreter->next(State(on_interpreter), second, on_interpreter);
        ASSERT_EQ(fluents(*circuit, on_circuit), inside(naive.facts(), "(next ")) << text;
        ASSERT_EQ(fluents(*interpreter, on_interpreter), fluents(*circuit, on_circuit)) << text;
    }
}

TEST(LocalStratification, AnyOrderOfRulesGivesTheSameFacts) {
    for (std::uint64_t seed = 0; seed < (full_tests() ? 1000 : 25); ++seed) {
        LevelledRules made(seed);
        for (int order = 0; order < 4; ++order) {
            expect_same_everywhere(made, made.text());
            ASSERT_FALSE(HasFailure()) << "seed " << seed;
        }
    }
}

// All facts of a relation of one argument in the initial state, by the interpreter.
std::vector<std::string> facts_of_p(const std::string& rules, const Limits& limits = {}) {
    const gdl::ReadResult read =
        gdl::read("test.kif", "(role r) (init go) (<= (legal r (is ?x)) (p ?x)) " + rules, gdl::Notation::kif);
    EXPECT_TRUE(read.ok()) << rules;
    Interpreter interpreter(read.description, limits);
    std::vector<std::string> result;
    for (const gdl::Term move : interpreter.legal(interpreter.roles().front())) {
        result.push_back(gdl::to_kif(interpreter.terms(), interpreter.terms().argument(move, 0)));
    }
    std::ranges::sort(result);
    return result;
}

TEST(LocalStratification, ACallThatOnlyWaitsForItsTurnIsNoCycle) {
    EXPECT_THAT(facts_of_p("(<= (p 1) (true go)) (<= (p 2) (p 1)) (<= (p 3) (not (p 1))) (<= (p 4) (not (p 3)))"),
                ElementsAre("1", "2", "4"));
    EXPECT_THAT(facts_of_p("(<= (p 4) (not (p 3))) (<= (p 3) (not (p 1))) (<= (p 2) (p 1)) (<= (p 1) (true go))"),
                ElementsAre("1", "2", "4"));
}

// Below a negation of a conjunction.
TEST(LocalStratification, NegatedConjunctions) {
    EXPECT_THAT(facts_of_p("(<= (p 1) (true go)) (<= (p 2) (p 1)) (<= (p 3) (not (and (p 1) (p 2))))"
                           "(<= (p 4) (not (and (p 1) (p 3))))"),
                ElementsAre("1", "2", "4"));
}

// A call with an open column stands for facts of all levels, those of the caller too.
TEST(LocalStratification, ACallThatStandsForFactsOfManyLevels) {
    std::string rules = "(n 0)";
    for (int i = 0; i < 20; ++i) rules += fmt::format(" (n {}) (s {} {})", i + 1, i, i + 1);
    rules +=
        " (<= (q ?m) (n ?m) (not (p ?m))) (<= (p ?n) (q ?m) (s ?m ?n)) (<= (p ?n) (q ?m) (p ?k) (s ?m ?n) (s ?k ?m))";
    EXPECT_THAT(facts_of_p(rules), ElementsAre("1", "11", "13", "15", "17", "19", "3", "5", "7", "9"));
}

TEST(LocalStratification, RulesWithoutAModelAreStillRefused) {
    const auto fault = [](const std::string& rules) -> std::string {
        try {
            facts_of_p(rules);
        } catch (const InvalidRules& refused) {
            return refused.what();
        }
        return "accepted";
    };
    EXPECT_THAT(fault("(<= (p 1) (not (p 1)))"), HasSubstr("not stratified: p/1"));
    EXPECT_THAT(fault("(<= (p 1) (p 2) (true go)) (<= (p 2) (not (p 1)))"), HasSubstr("not stratified: p/1"));
    EXPECT_THAT(fault("(d 1) (d 2) (m 1 2) (m 2 1) (<= (p ?x) (m ?x ?y) (not (p ?y)))"), HasSubstr("not stratified"));
}

}  // namespace
}  // namespace stratagem::machine
