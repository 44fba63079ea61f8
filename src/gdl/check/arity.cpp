// Condition 1: one name, one number of arguments.
//
// Of keywords that is an error. Other names with two numbers of arguments are two relations (or functions), which
// others understand too; it is what a slip of the pen looks like, so it is worth a warning. Relations and functions are
// counted apart (a relation `cell` beside a fluent `cell` harms nobody), and so are constants and functions. Of several
// numbers the most frequent is taken as meant: a slip of the pen is then reported where it happened and not at the
// fifty right uses after it.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "gdl/check/passes.h"
#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

struct Use {
    Symbol name{};
    std::uint32_t arity = 0;
    Node node = Node::none;
};

struct Count {
    std::uint32_t arity = 0;
    std::uint32_t uses = 0;
    Node first = Node::none;
};

class Uses {
  public:
    void add(Symbol name, std::uint32_t arity, Node node) {
        uses_.push_back({name, arity, node});
        auto& counts = counts_[name];
        auto known =
            std::find_if(counts.begin(), counts.end(), [&](const Count& count) { return count.arity == arity; });
        if (known == counts.end()) known = counts.insert(counts.end(), {arity, 0, node});
        ++known->uses;
    }

    void report(const Context& context, std::string_view code, std::string_view kind) {
        for (auto& [name, counts] : counts_) {
            // The first of equals: counts are in the order of first use.
            const auto meant = std::max_element(counts.begin(), counts.end(),
                                                [](const Count& a, const Count& b) { return a.uses < b.uses; });
            std::iter_swap(counts.begin(), meant);
        }
        for (const Use& use : uses_) {
            const Count& meant = counts_.at(use.name).front();
            if (use.arity == meant.arity) continue;
            context.report(code, use.node,
                           fmt::format("{} '{}' has {} here but {} elsewhere", kind, context.name(use.name),
                                       arguments(use.arity), arguments(meant.arity)),
                           fmt::format("first used with {} in {}; these are two different {}s: make them agree, or use "
                                       "another name here",
                                       arguments(meant.arity), context.line(meant.first), kind));
        }
    }

  private:
    std::vector<Use> uses_;
    // Few numbers per name: at most max_arity, in practice one.
    std::unordered_map<Symbol, std::vector<Count>> counts_;
};

std::string keyword_form(Symbol keyword) {
    switch (index(keyword)) {
        case keyword::role_index:
            return "(role ROLE)";
        case keyword::init_index:
            return "(init FLUENT)";
        case keyword::true_index:
            return "(true FLUENT)";
        case keyword::next_index:
            return "(next FLUENT)";
        case keyword::base_index:
            return "(base FLUENT)";
        case keyword::legal_index:
            return "(legal ROLE MOVE)";
        case keyword::does_index:
            return "(does ROLE MOVE)";
        case keyword::input_index:
            return "(input ROLE MOVE)";
        case keyword::goal_index:
            return "(goal ROLE VALUE)";
        case keyword::sees_index:
            return "(sees ROLE PERCEPT)";
        case keyword::distinct_index:
            return "(distinct TERM TERM)";
        default:
            return "terminal, without arguments";
    }
}

}  // namespace

void check_arities(const Context& context) {
    Uses relations;
    Uses functions;
    const auto add_functions = [&](Term term, Node node) {
        for_each_argument(context.description, term, node, [&](Term argument, Node place) {
            for_each_subterm(context.description, argument, place, [&](Term inner, Node inner_place) {
                const std::uint32_t arity = context.terms.arity(inner);
                if (arity > 0) functions.add(context.terms.symbol(inner), arity, inner_place);
            });
        });
    };
    const auto add_atom = [&](Term atom, Node node) {
        const Symbol name = context.terms.symbol(atom);
        const std::uint32_t arity = context.terms.arity(atom);
        const int fixed = keyword_arity(name);
        if (fixed < 0) {
            relations.add(name, arity, node);
        } else if (static_cast<std::uint32_t>(fixed) != arity && name != keyword::distinct) {
            context.report("E201", node,
                           fmt::format("'{}' has {} here but takes {}", context.name(name), arguments(arity),
                                       arguments(static_cast<std::uint32_t>(fixed))),
                           fmt::format("write {}", keyword_form(name)));
        }
        add_functions(atom, node);
    };
    for (const Rule& rule : context.description.rules) {
        add_atom(rule.head, rule.head_node);
        for_each_condition(rule, [&](const Literal& condition, bool) { add_atom(condition.atom, condition.node); });
    }
    relations.report(context, "W202", "relation");
    functions.report(context, "W203", "function");
}

}  // namespace stratagem::gdl::passes
