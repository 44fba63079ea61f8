// Random small rule sets, evaluated twice: by the interpreter, and by trying every assignment of constants to variables
// until nothing new follows. The second way is too slow for games and too simple to be wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gdl/print.h"
#include "gdl/read.h"
#include "machine/interpreter/query.h"
#include "machine/term_text.h"

namespace stratagem::machine {
namespace {

using gdl::Literal;
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

// By brute force.
class Reference {
  public:
    Reference(const gdl::Description& description, const std::vector<std::string>& state)
        : description_(description), terms_(description.terms) {
        for (const std::string& fluent : state) facts_.insert("(true " + fluent + ")");
        for (int level = 0; level <= stratum(relation_count - 1); ++level) {
            while (pass(level)) {
            }
        }
    }

    const std::set<std::string>& facts() const { return facts_; }

  private:
    using Assignment = std::map<Term, std::string>;

    std::string text(Term term, const Assignment& assignment) const {
        if (terms_.is_variable(term)) return assignment.at(term);
        const std::string name(terms_.symbols().name(terms_.symbol(term)));
        if (terms_.arity(term) == 0) return name;
        std::string result = "(" + name;
        for (const Term argument : terms_.arguments(term)) result += " " + text(argument, assignment);
        return result + ")";
    }

    void add_variables(Term term, std::set<Term>& found) const {
        if (terms_.is_variable(term)) found.insert(term);
        for (const Term argument : terms_.arguments(term)) add_variables(argument, found);
    }

    // All variables below, or only those outside of negations.
    void add_variables(const Literal& literal, bool inside_negations, std::set<Term>& found) const {
        if (literal.kind == Literal::Kind::negation && !inside_negations) return;
        if (literal.kind == Literal::Kind::atom || literal.kind == Literal::Kind::distinct) {
            add_variables(literal.atom, found);
        }
        for (const Literal& part : literal.parts) add_variables(part, inside_negations, found);
    }

    // Whether some extension of the assignment to `open` satisfies `test`.
    template <typename Test>
    bool exists(std::vector<Term> open, Assignment& assignment, const Test& test) const {
        if (open.empty()) return test();
        const Term variable = open.back();
        open.pop_back();
        for (const std::string& constant : constants) {
            assignment[variable] = constant;
            if (exists(open, assignment, test)) {
                assignment.erase(variable);
                return true;
            }
        }
        assignment.erase(variable);
        return false;
    }

    bool holds(const Literal& literal, Assignment& assignment) const {
        switch (literal.kind) {
            case Literal::Kind::atom:
                return facts_.contains(text(literal.atom, assignment));
            case Literal::Kind::distinct:
                return text(terms_.argument(literal.atom, 0), assignment) !=
                       text(terms_.argument(literal.atom, 1), assignment);
            case Literal::Kind::conjunction:
                return std::ranges::all_of(literal.parts, [&](const Literal& part) { return holds(part, assignment); });
            case Literal::Kind::disjunction:
                return std::ranges::any_of(literal.parts, [&](const Literal& part) { return holds(part, assignment); });
            case Literal::Kind::negation:
                break;
        }
        std::set<Term> inside;
        add_variables(literal, true, inside);
        std::vector<Term> open;
        for (const Term variable : inside) {
            if (!assignment.contains(variable)) open.push_back(variable);
        }
        return !exists(open, assignment, [&] { return holds(literal.parts.front(), assignment); });
    }

    int level_of(const gdl::Rule& rule) const {
        const std::string_view name = terms_.symbols().name(terms_.symbol(rule.head));
        return name.size() == 2 && name[0] == 'p' ? stratum(name[1] - '0') : 0;
    }

    bool pass(int level) {
        const std::size_t before = facts_.size();
        for (const gdl::Rule& rule : description_.rules) {
            if (level_of(rule) != level) continue;
            std::set<Term> variables;
            add_variables(rule.head, variables);
            for (const Literal& literal : rule.body) add_variables(literal, false, variables);
            Assignment assignment;
            exists({variables.begin(), variables.end()}, assignment, [&] {
                const bool all =
                    std::ranges::all_of(rule.body, [&](const Literal& part) { return holds(part, assignment); });
                if (all) facts_.insert(text(rule.head, assignment));
                return false;  // go on with the next assignment
            });
        }
        return facts_.size() > before;
    }

    const gdl::Description& description_;
    const gdl::TermPool& terms_;
    std::set<std::string> facts_;
};

// Every way of asking for every relation: each argument a variable or a constant.
void expect_same_answers(Interpreter& interpreter, const Reference& reference) {
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
            expect_same_answers(interpreter, Reference(read.description, state));
            ASSERT_FALSE(HasFailure()) << "seed " << seed << fmt::format(" state {}", fmt::join(state, " ")) << "\n"
                                       << rules;
        }
    }
}

}  // namespace
}  // namespace stratagem::machine
