// The passes behind check(), one validity condition each, and what they share: private to the checker.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdl/check/graph.h"
#include "gdl/description.h"
#include "gdl/diagnostic.h"

namespace stratagem::gdl::passes {

class Context {
  public:
    explicit Context(const Description& rules);

    const Description& description;
    const TermPool& terms;
    const DependencyGraph graph;

    void report(std::string_view code, Node place, std::string message, std::string hint = {}) const {
        (code.front() == 'E' ? errors_ : warnings_)
            .add(code, description.span(place), std::move(message), std::move(hint));
    }
    // Errors first: only so many diagnostics are kept, and a thousand warnings must not hide an error.
    void hand_over(Diagnostics& diagnostics) const {
        diagnostics.append(errors_);
        diagnostics.append(warnings_);
    }
    std::string_view name(Symbol symbol) const { return terms.symbols().name(symbol); }
    std::string_view name(RelationId relation) const { return name(graph.relations()[relation].name); }
    // A piece of text as its author wrote it, shortened if long; for a place that has no text, the fallback.
    std::string text(Node place, std::string_view fallback) const;
    // "line 12". Cheap however long the lines are, unlike Source::position, which counts characters.
    std::string line(Node place) const;
    // "can_move -> reaches -> does": the way from a relation to the goal of `ways`, without the middle if it is long.
    // Pre: ways.leads(from).
    std::string chain(const Ways& ways, RelationId from) const;

  private:
    // Passes see the game as fixed; what they find is all they change.
    mutable Diagnostics errors_;
    mutable Diagnostics warnings_;
    std::vector<std::uint32_t> line_ends_;
};

// "1 argument", "no arguments", "3 arguments".
std::string arguments(std::uint32_t count);

void check_arities(const Context& context);         // 2xx  arity.cpp
void check_heads(const Context& context);           // 3xx  heads.cpp
void check_dependencies(const Context& context);    // 4xx  dependencies.cpp
void check_safety(const Context& context);          // 5xx  safety.cpp
void check_stratification(const Context& context);  // E601, W603  stratification.cpp
void check_recursion(const Context& context);       // W602  recursion.cpp
void check_roles(const Context& context);           // E701, W703, W704, W711  roles.cpp
void check_game(const Context& context);            // W702, W705, W708  game.cpp
void check_names(const Context& context);           // W706, W710, W712, W713  names.cpp
void check_rules(const Context& context);           // W707, W709, W714  rules.cpp

}  // namespace stratagem::gdl::passes
