// Condition 3: what may look at the state and at the moves.
//
// init, base and input must follow from facts alone: they are asked for before there is a state. legal, goal and
// terminal may look at the state but not at the moves: they are asked for before there are moves. Both forbid not only
// the direct use but any chain of relations that ends there.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "gdl/check/passes.h"
#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

void forbid(const Context& context, std::string_view code, RelationId from, const Ways& ways) {
    if (from == nothing) return;
    for (const Dependency& edge : context.graph.dependencies(from)) {
        if (!ways.leads(edge.to)) continue;
        if (ways.distance(edge.to) == 0) {
            context.report(code, edge.condition->node,
                           fmt::format("'{}' may not depend on '{}'", context.name(from), context.name(edge.to)));
            continue;
        }
        const Dependency& last = ways.last_step(edge.to);
        context.report(code, edge.condition->node,
                       fmt::format("'{}' depends on '{}', which it may not: {} -> {}", context.name(from),
                                   context.name(last.to), context.name(from), context.chain(ways, edge.to)),
                       fmt::format("'{}' uses {} in {}; break the chain, or use another relation here",
                                   context.name(last.from), context.name(last.to), context.line(last.condition->node)));
    }
}

// What is asked for in play and does not look at the state has a meaning in the initial state too.
void warn_of_play(const Context& context, const Ways& to_state) {
    const RelationId init = context.graph.find(keyword::init, 1);
    if (init == nothing || to_state.leads(init)) return;
    for (const auto& [name, arity] : {std::pair(keyword::legal, 2U), std::pair(keyword::goal, 2U),
                                      std::pair(keyword::terminal, 0U), std::pair(keyword::sees, 2U)}) {
        const RelationId asked = context.graph.find(name, arity);
        if (asked == nothing) continue;
        const Ways ways(context.graph, std::array{asked});
        for (const Dependency& edge : context.graph.dependencies(init)) {
            if (!ways.leads(edge.to)) continue;
            context.report("W403", edge.condition->node,
                           fmt::format("'init' depends on '{}', which is asked for in play", context.name(asked)));
        }
    }
}

}  // namespace

void check_dependencies(const Context& context) {
    const RelationId state = context.graph.find(keyword::true_, 1);
    const RelationId moves = context.graph.find(keyword::does, 2);
    // Roles need no look here: any rule for them is an error already.
    const Ways to_either(context.graph, std::array{state, moves});
    forbid(context, "E401", context.graph.find(keyword::init, 1), to_either);
    forbid(context, "E401", context.graph.find(keyword::base, 1), to_either);
    forbid(context, "E401", context.graph.find(keyword::input, 2), to_either);
    warn_of_play(context, to_either);
    const Ways to_moves(context.graph, std::array{moves});
    forbid(context, "E402", context.graph.find(keyword::legal, 2), to_moves);
    forbid(context, "E402", context.graph.find(keyword::goal, 2), to_moves);
    forbid(context, "E402", context.graph.find(keyword::terminal, 0), to_moves);
}

}  // namespace stratagem::gdl::passes
