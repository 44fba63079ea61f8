// Random small rule sets, evaluated twice: by the interpreter, and by trying every assignment of constants to variables
// until nothing new follows. The second way is too slow for games and too simple to be wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gdl/read.h"
#include "machine/interpreter/naive_evaluation.h"
#include "machine/interpreter/query.h"
#include "machine/term_text.h"

namespace stratagem::machine {
namespace {

using gdl::Term;

const std::vector<std::string> constants = {"a", "b", "c"};

// Derived relations p0 … p5; a relation may depend on the others of its stratum and, negated too, on lower strata.
constexpr int relation_count = 6;
int stratum(int relation) { return relation / 2; }
int arity(int relation) { return relation % 3; }

class RuleMaker {
  public:
    explicit RuleMaker(std::uint64_t seed) : random_(seed) {}

    std::string rules() {
        std::string text = "(role r) (d a) (d b) (d c)";
        for (const std::string& x : constants) {
            for (const std::string& y : constants) text += fmt::format(" (dd {} {})", x, y);
        }
        for (int i = 0; i < 4; ++i) text += fmt::format(" (e {} {})", constant(), constant());
        for (int relation = 0; relation < relation_count; ++relation) {
            for (int i = 0; i <= below(3); ++i) text += "\n" + rule(relation);
        }
        return text;
    }

    std::vector<std::string> state() {
        std::vector<std::string> fluents;
        for (int i = 0; i < 2; ++i) fluents.push_back(fmt::format("(f {})", constant()));
        for (int i = 0; i < 4; ++i) fluents.push_back(fmt::format("(g {} (h {}))", constant(), constant()));
        return fluents;
    }

  private:
    int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
    std::string constant() { return constants[static_cast<std::size_t>(below(3))]; }
    std::string term() { return below(5) == 0 ? constant() : fmt::format("?v{}", below(4)); }

    std::string call(int relation, bool local) {
        std::string text = fmt::format("(p{}", relation);
        for (int i = 0; i < arity(relation); ++i) text += " " + (local && below(2) == 0 ? local_variable() : term());
        return text + ")";
    }
    // Occurs in this one place only; the same one may be used twice in an atom.
    std::string local_variable() { return fmt::format("?n{}", locals_); }

    std::string atom(int lowest_forbidden, bool local) {
        const auto argument = [&] { return local && below(3) == 0 ? local_variable() : term(); };
        switch (below(6)) {
            case 0:
                return fmt::format("(e {} {})", argument(), argument());
            case 1:
                return fmt::format("(true (f {}))", argument());
            case 2:
                return fmt::format("(true (g {} (h {})))", argument(), argument());
            default:
                if (lowest_forbidden == 0) return fmt::format("(true (f {}))", argument());
                return call(below(lowest_forbidden), local);
        }
    }

    std::string literal(int relation, int depth) {
        const int same = (stratum(relation) + 1) * 2;
        const int lower = stratum(relation) * 2;
        switch (below(depth > 0 ? 10 : 6)) {
            case 0:
                return fmt::format("(distinct {} {})", term(), term());
            case 1: {
                ++locals_;
                return fmt::format("(not {})", atom(lower, true));
            }
            case 6:
            case 7:
                return fmt::format("(or {} {})", literal(relation, depth - 1), literal(relation, depth - 1));
            case 8: {
                ++locals_;
                return fmt::format("(not (and {} {}))", atom(lower, true), atom(lower, true));
            }
            case 9:
                return fmt::format("(or (and {} {}) {})", literal(relation, depth - 1), literal(relation, depth - 1),
                                   literal(relation, depth - 1));
            default:
                return atom(same, false);
        }
    }

    // Goals that give both variables a value, in ways that ask more or less of the order of goals.
    std::string guard(const std::string& v, const std::string& w) {
        switch (below(6)) {
            case 0:
                return fmt::format("(or (d {0}) (true (f {0}))) (d {1})", v, w);
            case 1:
                return fmt::format("(or (and (d {0}) (d {1})) (e {0} {1}))", v, w);
            case 2:
                return fmt::format("(or (d {0}) (true (f {1}))) (dd {0} {1})", v, w);
            // Each disjunction binds one variable for certain and waits for the other.
            case 3:
                return fmt::format("(or (and (d {0}) (e {0} {1})) (d {0})) (or (d {1}) (e {0} {1}))", v, w);
            case 4:
                return fmt::format("(e {0} {1})", v, w);
            default:
                return fmt::format("(d {0}) (d {1})", v, w);
        }
    }

    // Safe, since every variable outside of negations is in a guard.
    std::string rule(int relation) {
        const std::string head = call(relation, false);
        std::string body;
        for (int i = 0; i <= below(4); ++i) body += " " + literal(relation, 2);
        const std::string text = head + body;
        std::vector<std::string> used;
        for (int v = 0; v < 4; ++v) {
            const std::string variable = fmt::format("?v{}", v);
            if (text.find(variable) != std::string::npos) used.push_back(variable);
        }
        for (std::size_t i = 0; i + 1 < used.size(); i += 2) body += " " + guard(used[i], used[i + 1]);
        if (used.size() % 2 == 1) body += fmt::format(" (d {})", used.back());
        return fmt::format("(<= {}{})", head, body);
    }

    std::mt19937_64 random_;
    int locals_ = 0;
};

// Of a fact by its text: p3 or (p4 a).
int stratum_of(const std::string& fact) {
    const std::size_t letter = fact.find('p');
    return letter <= 1 ? stratum(fact[letter + 1] - '0') : 0;
}

std::set<std::string> given(const std::vector<std::string>& state) {
    std::set<std::string> facts;
    for (const std::string& fluent : state) facts.insert("(true " + fluent + ")");
    return facts;
}

// Every way of asking for every relation: each argument a variable or a constant.
void expect_same_answers(Interpreter& interpreter, const testing::NaiveEvaluation& reference) {
    for (int relation = 0; relation < relation_count; ++relation) {
        std::vector<std::string> atoms = {fmt::format("(p{}", relation)};
        for (int i = 0; i < arity(relation); ++i) {
            std::vector<std::string> longer;
            for (const std::string& atom : atoms) {
                longer.push_back(atom + fmt::format(" ?x{}", i));
                for (const std::string& constant : constants) longer.push_back(atom + " " + constant);
            }
            atoms = std::move(longer);
        }
        for (const std::string& beginning : atoms) {
            const std::string atom = arity(relation) == 0 ? fmt::format("p{}", relation) : beginning + ")";
            Query query(interpreter, atom);
            std::set<std::string> expected;
            for (const std::string& fact : reference.facts()) {
                bool matches = fact.size() > 1 && fact.substr(0, atom.find(' ')) == atom.substr(0, atom.find(' '));
                // Constants are one character, variables three: compare word by word.
                std::size_t f = fact.find(' ');
                std::size_t a = atom.find(' ');
                while (matches && f != std::string::npos && a != std::string::npos) {
                    if (atom[a + 1] != '?') matches = atom[a + 1] == fact[f + 1];
                    f = fact.find(' ', f + 1);
                    a = atom.find(' ', a + 1);
                }
                if (matches) expected.insert(fact);
            }
            EXPECT_EQ(query.count(), expected.size()) << atom;
            EXPECT_EQ(query.holds(), !expected.empty()) << atom;
        }
        if (::testing::Test::HasFailure()) return;
    }
}

TEST(RandomRules, TheInterpreterFindsWhatTryingEverythingFinds) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        RuleMaker maker(seed);
        const std::string rules = maker.rules();
        const gdl::ReadResult read = gdl::read("random.kif", rules);
        ASSERT_TRUE(read.ok()) << rules;
        Interpreter interpreter(read.description);
        for (int i = 0; i < 2; ++i) {
            const std::vector<std::string> state = maker.state();
            std::vector<Term> fluents;
            for (const std::string& fluent : state) fluents.push_back(*parse_term(interpreter.terms(), fluent));
            interpreter.set_state(fluents);
            const testing::NaiveEvaluation reference(read.description, constants, given(state), stratum_of,
                                                     stratum(relation_count - 1));
            expect_same_answers(interpreter, reference);
            ASSERT_FALSE(HasFailure()) << "seed " << seed << fmt::format(" state {}", fmt::join(state, " ")) << "\n"
                                       << rules;
        }
    }
}

}  // namespace
}  // namespace stratagem::machine
