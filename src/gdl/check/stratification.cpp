// Condition 5: no relation depends on its own negation.
//
// The specification asks it of relations: no cycle of the dependency graph may contain a negative edge. Descriptions in
// use break the letter in one way, with a clear meaning: (<= (goal ?r 0) (not (goal ?r 100))) goes in a circle as
// far as names are concerned, but no single atom depends on its own negation. So where a cycle of relations contains a
// negation, a finer graph decides: its nodes are the heads of the rules, and a condition leads only to those heads it
// could match, judged by their constants. A ground cycle would be a cycle of that graph too; if it has none with a
// negation, the rules are locally stratified (Przymusinski 1988), their model is unique, and a warning is enough.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "gdl/check/passes.h"

namespace stratagem::gdl::passes {

namespace {

// Could the two terms be equal? Variables match anything; that errs on the side of yes.
bool may_match(const TermPool& terms, Term a, Term b) {
    if (a == b || terms.is_variable(a) || terms.is_variable(b)) return true;
    if (terms.symbol(a) != terms.symbol(b) || terms.arity(a) != terms.arity(b)) return false;
    for (std::uint32_t i = 0; i < terms.arity(a); ++i) {
        if (!may_match(terms, terms.argument(a, i), terms.argument(b, i))) return false;
    }
    return true;
}

// The finer graph for the relations of one cycle.
class HeadGraph {
  public:
    HeadGraph(const Context& context, std::span<const Dependency* const> edges) : context_(context) {
        for (const Dependency* edge : edges) node_of(head(*edge));
        // Heads of rules without a condition in the cycle end every way: they need no node.
        std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
        for (const Dependency* edge : edges) {
            const std::uint32_t from = node_of(head(*edge));
            const auto candidates = heads_of_.find(edge->to);
            if (candidates == heads_of_.end()) continue;
            work_ += candidates->second.size();
            if (work_ > most_work) return;
            for (const std::uint32_t to : candidates->second) {
                if (may_match(context.terms, edge->condition->atom, heads_[to])) links.emplace_back(from, to);
            }
        }
        std::stable_sort(links.begin(), links.end(), [](auto a, auto b) { return a.first < b.first; });
        const auto count = static_cast<std::uint32_t>(heads_.size());
        std::vector<std::uint32_t> first(count + 1, 0);
        std::vector<std::uint32_t> targets;
        for (const auto& [from, to] : links) {
            ++first[from + 1];
            targets.push_back(to);
        }
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        component_ = strongly_connected(count, first, targets);
    }

    // May an atom of the rule's head depend on itself by way of this condition?
    bool in_cycle(const Dependency& edge) const {
        if (work_ > most_work) return true;  // too large to tell, so the letter of the specification rules
        const std::uint32_t own = component_[nodes_.at(head(edge))];
        const auto candidates = heads_of_.find(edge.to);
        if (candidates == heads_of_.end()) return false;
        return std::any_of(candidates->second.begin(), candidates->second.end(), [&](std::uint32_t to) {
            return component_[to] == own && may_match(context_.terms, edge.condition->atom, heads_[to]);
        });
    }

  private:
    static constexpr std::size_t most_work = 2'000'000;  // comparisons: some ten milliseconds

    Term head(const Dependency& edge) const { return context_.description.rules[edge.rule].head; }

    std::uint32_t node_of(Term head) {
        const auto [place, added] = nodes_.try_emplace(head, static_cast<std::uint32_t>(heads_.size()));
        if (added) {
            heads_of_[context_.graph.find(context_.terms, head)].push_back(place->second);
            heads_.push_back(head);
        }
        return place->second;
    }

    const Context& context_;
    std::vector<Term> heads_;
    std::unordered_map<Term, std::uint32_t> nodes_;
    std::unordered_map<RelationId, std::vector<std::uint32_t>> heads_of_;
    std::vector<std::uint32_t> component_;
    std::size_t work_ = 0;
};

class StratificationPass {
  public:
    explicit StratificationPass(const Context& context) : context_(context) {}

    void run() {
        // Edges of the cycles that contain a negation, by component.
        std::unordered_map<std::uint32_t, std::vector<const Dependency*>> cycles;
        const auto component = [&](const Dependency& edge) { return context_.graph.relations()[edge.from].component; };
        for (const Dependency& edge : context_.graph.dependencies()) {
            if (edge.negative && context_.graph.same_cycle(edge)) cycles[component(edge)];
        }
        if (cycles.empty()) return;
        for (const Dependency& edge : context_.graph.dependencies()) {
            if (!context_.graph.same_cycle(edge)) continue;
            if (const auto cycle = cycles.find(component(edge)); cycle != cycles.end()) cycle->second.push_back(&edge);
        }
        for (const auto& [number, edges] : cycles) judge(edges);
    }

  private:
    void judge(const std::vector<const Dependency*>& edges) {
        const HeadGraph heads(context_, edges);
        std::vector<const Dependency*> negative;
        std::copy_if(edges.begin(), edges.end(), std::back_inserter(negative),
                     [](const Dependency* e) { return e->negative; });
        std::vector<const Dependency*> faults;
        std::copy_if(negative.begin(), negative.end(), std::back_inserter(faults),
                     [&](const Dependency* e) { return heads.in_cycle(*e); });
        for (const Dependency* edge : faults) {
            context_.report(
                "E601", edge->condition->node,
                fmt::format("'{}' depends on its own negation: {}", context_.name(edge->from), cycle(*edge)));
        }
        if (!faults.empty()) return;
        for (const Dependency* edge : negative) {
            context_.report("W603", edge->condition->node,
                            fmt::format("'{}' is defined by the negation of other cases of itself: {}",
                                        context_.name(edge->from), cycle(*edge)));
        }
    }

    // "p -> not q -> p". Searching the way back costs a walk over the graph, so the hundredth fault has to do without.
    std::string cycle(const Dependency& edge) {
        constexpr int most_searches = 20;
        const std::string start = fmt::format("{} -> not ", context_.name(edge.from));
        if (edge.from == edge.to) return start + std::string(context_.name(edge.to));
        if (++searches_ > most_searches) return fmt::format("{}{} -> ...", start, context_.name(edge.to));
        const Ways back(context_.graph, std::span(&edge.from, 1));
        return start + context_.chain(back, edge.to);
    }

    const Context& context_;
    int searches_ = 0;
};

}  // namespace

void check_stratification(const Context& context) { StratificationPass(context).run(); }

}  // namespace stratagem::gdl::passes
