// Condition 6: the recursion restriction (definition 16 of the specification), which keeps the ground rules finite.
//
// In a rule for p, each argument of a condition q in a cycle with p must be ground, or be an argument of the head as it
// stands, or get its values from a condition outside the cycle. The letter asks that the argument itself occurs in
// such a condition; here it is enough that all its variables are bound by conditions outside the cycle, which
// leaves as many instances: finitely many. A warning: rules that fail it may still be finite, only nothing says so.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gdl/check/bindings.h"
#include "gdl/check/passes.h"
#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

class RecursionPass {
  public:
    explicit RecursionPass(const Context& context) : context_(context), bindings_(context.description) {}

    void run() {
        std::vector<std::uint32_t> recursive;
        for (const Dependency& edge : context_.graph.dependencies()) {
            if (!edge.negative && context_.graph.same_cycle(edge)) recursive.push_back(edge.rule);
        }
        std::sort(recursive.begin(), recursive.end());
        recursive.erase(std::unique(recursive.begin(), recursive.end()), recursive.end());
        for (const std::uint32_t rule : recursive) check(context_.description.rules[rule]);
    }

  private:
    std::uint32_t component(Term atom) const {
        return context_.graph.relations()[context_.graph.find(context_.terms, atom)].component;
    }

    void check(const Rule& rule) {
        const std::uint32_t own = component(rule.head);
        const auto outside = [&](const Literal& atom) { return component(atom.atom) != own; };
        const auto passed = context_.terms.arguments(rule.head);
        std::vector<Term> head(passed.begin(), passed.end());
        std::sort(head.begin(), head.end());
        bindings_.walk(
            rule, outside, [] {},
            [&](const Literal& condition, bool negated) {
                if (negated || condition.kind == Literal::Kind::distinct || outside(condition)) return;
                for_each_argument(context_.description, condition.atom, condition.node, [&](Term argument, Node place) {
                    if (std::binary_search(head.begin(), head.end(), argument) || all_bound(argument)) return;
                    context_.report(
                        "W602", place,
                        fmt::format("{} in the recursive condition '{}' is neither an argument of the head nor "
                                    "bound by a condition outside the recursion",
                                    context_.text(place, "an argument"),
                                    context_.name(context_.terms.symbol(condition.atom))));
                });
            });
    }

    bool all_bound(Term argument) const {
        bool result = true;
        for_each_variable(context_.description, argument, Node::none,
                          [&](Symbol variable, Node) { result = result && bindings_.bound(variable); });
        return result;
    }

    const Context& context_;
    Bindings bindings_;
};

}  // namespace

void check_recursion(const Context& context) { RecursionPass(context).run(); }

}  // namespace stratagem::gdl::passes
