// Condition 2: what may be defined and what may be asked.
//
// The state and the moves (true, does) are given from outside, distinct has a fixed meaning, roles are facts, and
// init and next define states that are not there to be asked for while the rules are evaluated.
#include <fmt/format.h>

#include "gdl/check/passes.h"
#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

void check_head(const Context& context, const Rule& rule) {
    const Symbol name = context.terms.symbol(rule.head);
    if (name == keyword::true_) {
        context.report("E301", rule.head_node, "'true' is given by the state and may not be defined",
                       "use init for the first state, next for the following ones, or a relation of your own");
    } else if (name == keyword::does) {
        context.report("E301", rule.head_node, "'does' is given by the moves of the players and may not be defined",
                       "say which moves are possible with legal");
    } else if (name == keyword::distinct) {
        context.report("E301", rule.head_node, "'distinct' compares two terms and may not be defined");
    } else if (name == keyword::role && !rule.body.empty()) {
        context.report("E302", rule.head_node, "a role may not be defined by a rule");
    } else if (name == keyword::role && !context.terms.is_ground(rule.head)) {
        context.report("E302", rule.head_node, "a role may not contain variables");
    }
}

// What a role sees is found with the state that follows (GDL-II): rules for sees may ask for it.
void check_condition(const Context& context, const Rule& rule, const Literal& condition) {
    const Symbol name = context.terms.symbol(condition.atom);
    if (name == keyword::init) {
        context.report("E303", condition.node, "'init' may not be used as a condition",
                       "ask for the current state with true, or name what init and this rule share in a relation "
                       "of its own");
    } else if (name == keyword::next && context.terms.symbol(rule.head) != keyword::sees) {
        context.report("E303", condition.node, "'next' may not be used as a condition",
                       "name what both rules share in a relation of its own and use that in each");
    }
}

// random is the name of a role, and so an ordinary constant.
void check_terms(const Context& context, Term atom, Node node) {
    for_each_argument(context.description, atom, node, [&](Term argument, Node place) {
        for_each_subterm(context.description, argument, place, [&](Term inner, Node inner_place) {
            const Symbol name = context.terms.symbol(inner);
            if (context.terms.is_variable(inner) || !is_keyword(name) || name == keyword::random) return;
            context.report("W305", inner_place,
                           fmt::format("the keyword '{}' is used as the name of a {} here", context.name(name),
                                       context.terms.arity(inner) == 0 ? "constant" : "function"));
        });
    });
}

}  // namespace

void check_heads(const Context& context) {
    for (const Rule& rule : context.description.rules) {
        check_head(context, rule);
        check_terms(context, rule.head, rule.head_node);
        for_each_condition(rule, [&](const Literal& condition, bool) {
            check_condition(context, rule, condition);
            check_terms(context, condition.atom, condition.node);
        });
    }
}

}  // namespace stratagem::gdl::passes
