// The game as a whole: it begins, it can end, and its rewards are rewards.
#include <fmt/format.h>

#include <utility>

#include "gdl/check/passes.h"
#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

bool is_goal_value(std::string_view text) {
    if (text.empty() || text.size() > 3) return false;
    int value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return false;
        value = 10 * value + (c - '0');
    }
    return value <= 100;
}

bool defined(const Context& context, Symbol keyword) {
    const auto arity = static_cast<std::uint32_t>(keyword_arity(keyword));
    const RelationId relation = context.graph.find(keyword, arity);
    return relation != nothing && context.graph.relations()[relation].definitions > 0;
}

void check_goal_value(const Context& context, Term atom, Node node) {
    if (context.terms.symbol(atom) != keyword::goal || context.terms.arity(atom) != 2) return;
    bool value = false;
    for_each_argument(context.description, atom, node, [&](Term argument, Node place) {
        if (!std::exchange(value, true) || context.terms.is_variable(argument)) return;
        const std::string_view word = context.name(context.terms.symbol(argument));
        if (context.terms.arity(argument) == 0 && is_goal_value(word)) return;
        context.report("W708", place,
                       fmt::format("the goal value {} is no integer from 0 to 100", context.text(place, word)));
    });
}

}  // namespace

void check_game(const Context& context) {
    if (!defined(context, keyword::terminal)) {
        context.report("W702", Node::none, "the game cannot end: no rule defines 'terminal'");
    }
    if (!defined(context, keyword::init)) {
        context.report("W705", Node::none, "the initial state is empty: no rule defines 'init'");
    }
    for (const Rule& rule : context.description.rules) {
        check_goal_value(context, rule.head, rule.head_node);
        for_each_condition(rule, [&](const Literal& c, bool) { check_goal_value(context, c.atom, c.node); });
    }
}

}  // namespace stratagem::gdl::passes
