// Names that meet nothing: conditions on what is never defined, definitions of what is never asked for.
//
// None of this breaks a condition of the language (an undefined relation simply never holds), but each is what a
// misspelt name looks like, so the nearest known name is offered.
#include <fmt/format.h>

#include <unordered_set>
#include <utility>
#include <vector>

#include "gdl/check/passes.h"
#include "gdl/check/spelling.h"
#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

// Relations whose meaning does not come from rules, or whose absence is reported elsewhere.
bool needs_no_definition(Symbol name) {
    return name == keyword::true_ || name == keyword::does || name == keyword::distinct || name == keyword::role ||
           name == keyword::legal || name == keyword::goal || name == keyword::terminal || name == keyword::init ||
           name == keyword::next;
}

void check_undefined(const Context& context) {
    Speller speller;
    std::unordered_set<Symbol> defined;
    for (const Relation& relation : context.graph.relations()) {
        if (relation.definitions == 0) continue;
        defined.insert(relation.name);
        if (!is_keyword(relation.name)) speller.add(context.name(relation.name));
    }
    for (const Dependency& edge : context.graph.dependencies()) {
        const Relation& relation = context.graph.relations()[edge.to];
        // With another number of arguments it is defined: that is reported as such (W202).
        if (needs_no_definition(relation.name) || defined.contains(relation.name)) continue;
        context.report(
            "W706", edge.condition->node,
            fmt::format("the relation '{}' is used but never defined, so it never holds", context.name(relation.name)),
            speller.hint(context.name(relation.name), "the relation"));
    }
}

// Each relation that no other part of the game asks for; of those that only ask for one another, the outermost.
void check_unused(const Context& context) {
    const auto relations = context.graph.relations();
    std::vector<bool> asked;  // by component: from outside
    for (const Relation& relation : relations) {
        if (relation.component >= asked.size()) asked.resize(relation.component + 1, false);
        if (is_keyword(relation.name)) asked[relation.component] = true;
    }
    for (const Dependency& edge : context.graph.dependencies()) {
        if (!context.graph.same_cycle(edge)) asked[relations[edge.to].component] = true;
    }
    for (const Relation& relation : relations) {
        if (relation.definitions == 0 || asked[relation.component]) continue;
        asked[relation.component] = true;  // once for a cycle
        context.report(
            "W710", relation.first_definition,
            fmt::format("the relation '{}' is defined but nothing in the game uses it", context.name(relation.name)));
    }
}

// What may become true, and what may be done, as far as the names in heads tell.
class Producers {
  public:
    explicit Producers(const Context& context) : context_(context) {}

    void add(Term term) {
        if (context_.terms.is_variable(term)) {
            anything_ = true;
        } else if (known_.insert(key(term)).second) {
            speller_.add(context_.name(context_.terms.symbol(term)));
        }
    }
    bool may_be(Term term) const { return anything_ || context_.terms.is_variable(term) || known_.contains(key(term)); }
    // Nothing known at all is a fault of its own (W704, W705).
    bool none() const { return known_.empty() && !anything_; }
    std::string hint(std::string_view word, std::string_view what) { return speller_.hint(word, what); }

  private:
    std::uint64_t key(Term term) const {
        return (std::uint64_t{index(context_.terms.symbol(term))} << 32U) | context_.terms.arity(term);
    }

    const Context& context_;
    std::unordered_set<std::uint64_t> known_;
    Speller speller_;
    bool anything_ = false;
};

void check_fluents_and_moves(const Context& context) {
    const TermPool& terms = context.terms;
    Producers fluents(context);
    Producers moves(context);
    for (const Rule& rule : context.description.rules) {
        const Symbol name = terms.symbol(rule.head);
        const std::uint32_t arity = terms.arity(rule.head);
        if ((name == keyword::init || name == keyword::next) && arity == 1) fluents.add(terms.argument(rule.head, 0));
        if (name == keyword::legal && arity == 2) moves.add(terms.argument(rule.head, 1));
    }
    const auto report = [&](std::string_view code, Producers& producers, const Literal& condition,
                            std::uint32_t position, std::string_view what, std::string_view why) {
        const Term term = terms.argument(condition.atom, position);
        if (producers.none() || producers.may_be(term)) return;
        Node node = Node::none;
        for_each_argument(context.description, condition.atom, condition.node,
                          [&](Term, Node place) { node = place; });  // the last argument in both cases
        const std::string_view word = context.name(terms.symbol(term));
        context.report(code, node,
                       fmt::format("the {} '{}' with {} is {}", what, word, arguments(terms.arity(term)), why),
                       producers.hint(word, fmt::format("the {}", what)));
    };
    for (const Rule& rule : context.description.rules) {
        for_each_condition(rule, [&](const Literal& condition, bool) {
            const Symbol name = terms.symbol(condition.atom);
            const std::uint32_t arity = terms.arity(condition.atom);
            if (name == keyword::true_ && arity == 1) {
                report("W712", fluents, condition, 0, "fluent", "never true: neither init nor next makes it so");
            } else if (name == keyword::does && arity == 2) {
                report("W713", moves, condition, 1, "move", "never legal");
            }
        });
    }
}

}  // namespace

void check_names(const Context& context) {
    check_undefined(context);
    check_unused(context);
    check_fluents_and_moves(context);
}

}  // namespace stratagem::gdl::passes
