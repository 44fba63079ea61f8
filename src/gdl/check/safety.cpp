// Condition 4: every variable of a head, of a negation and of distinct has its values from a positive condition.
//
// Without that a rule would speak of everything there is, and there is no end to that.
#include <fmt/format.h>

#include <vector>

#include "gdl/check/bindings.h"
#include "gdl/check/passes.h"
#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

class SafetyPass {
  public:
    explicit SafetyPass(const Context& context)
        : context_(context), bindings_(context.description), reported_(context.terms.symbols().size(), 0) {}

    void run() {
        for (const Rule& rule : context_.description.rules) {
            bindings_.walk(
                rule, [](const Literal&) { return true; }, [&] { head(rule); },
                [&](const Literal& condition, bool negated) { this->condition(condition, negated); });
        }
    }

  private:
    void head(const Rule& rule) {
        // A role with a variable is an error of its own (E302).
        if (context_.terms.symbol(rule.head) == keyword::role && rule.body.empty()) return;
        for_each_unbound(rule.head, rule.head_node, [&](Node place, const std::string& variable) {
            if (rule.body.empty()) {
                context_.report("E501", place, fmt::format("the fact contains the variable {}", variable),
                                "write a fact for each case, or a rule whose conditions say what the variable may be");
                return;
            }
            context_.report("E501", place,
                            fmt::format("the variable {} of the head is not bound by a positive condition", variable));
        });
    }

    void condition(const Literal& condition, bool negated) {
        const bool distinct = condition.kind == Literal::Kind::distinct;
        if (!distinct && !negated) return;
        for_each_unbound(condition.atom, condition.node, [&](Node place, const std::string& variable) {
            if (distinct) {
                context_.report(
                    "E503", place,
                    fmt::format("the variable {} of distinct is not bound by a positive condition", variable));
                return;
            }
            context_.report("E502", place,
                            fmt::format("the variable {} of the negation of '{}' is not bound by a positive condition",
                                        variable, context_.name(context_.terms.symbol(condition.atom))));
        });
    }

    // Once for each variable, at its first occurrence.
    template <typename Report>
    void for_each_unbound(Term term, Node node, Report&& report) {
        ++round_;
        for_each_variable(context_.description, term, node, [&](Symbol variable, Node place) {
            if (bindings_.bound(variable) || reported_[index(variable)] == round_) return;
            reported_[index(variable)] = round_;
            report(place, context_.text(place, fmt::format("?{}", context_.name(variable))));
        });
    }

    const Context& context_;
    Bindings bindings_;
    std::vector<std::uint32_t> reported_;  // by variable: the round in which it was reported last
    std::uint32_t round_ = 0;
};

}  // namespace

void check_safety(const Context& context) { SafetyPass(context).run(); }

}  // namespace stratagem::gdl::passes
