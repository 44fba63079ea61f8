#include "evaluate/neural/domain_theory.h"

#include <algorithm>
#include <optional>

#include "util/contract.h"

namespace stratagem::evaluate::neural {

DomainTheory::DomainTheory(const analysis::RuleIndex& index, const Settings& settings, const machine::Stop& stop)
    : comparisons_(settings.comparisons), atoms_(index.program().atom_count()) {
    const ground::Program& program = index.program();
    std::optional<const analysis::HeadIndex> rewritten;
    if (comparisons_) rewritten.emplace(comparisons_->rules, comparisons_->numbers);
    Graph graph(rewritten ? *rewritten : index, {.stop = stop});
    std::vector<Graph::Edge> roots;
    for (const ground::GoalEntry& entry : program.goals) {
        if (!settings.goals) break;
        if (entry.value == settings.left_out) continue;
        roots.push_back(graph.add(entry.atom));
        goals_.push_back({entry.role, entry.value, {}});
    }
    if (settings.end) roots.push_back(graph.add(program.terminal));
    if (graph.cut_short() || stop.now()) throw Interrupted{};
    take_over(graph, roots);
    if (graph.cut_short() || stop.now()) throw Interrupted{};
    choose_crisp(settings.most_graded);
    STRATAGEM_INVARIANT(is_consistent());
}

const Comparison* DomainTheory::find_comparison(const Graph::Node& node) const {
    if (node.kind != Graph::Kind::recursive || ground::index(node.atom) < atoms_) return nullptr;
    const std::uint32_t place = comparisons_->comparison_of[ground::index(node.atom) - atoms_];
    return place == Comparison::none ? nullptr : &comparisons_->comparisons[place];
}

const Comparison& DomainTheory::comparison(const Node& node) const {
    STRATAGEM_EXPECTS(node.kind == Kind::comparison);
    return comparisons_->comparisons[comparisons_->comparison_of[ground::index(node.atom) - atoms_]];
}

std::vector<DomainTheory::Graph::Edge> DomainTheory::edges_of(Graph& graph, std::uint32_t number) const {
    std::vector<Graph::Edge> result;
    if (const Comparison* compared = find_comparison(graph.node(number))) {
        for (const Comparison::Input& input : compared->inputs) result.push_back(graph.add(input.atom));
        for (const CountingChain* chain : {&compared->left_chain, &compared->right_chain}) {
            for (const ground::Condition condition : chain->conditions) {
                const Graph::Edge edge = graph.add(condition.atom());
                result.push_back(condition.positive() ? edge : !edge);
            }
        }
        return result;
    }
    const std::span<const Graph::Edge> edges = graph.edges(graph.node(number));
    result.assign(edges.begin(), edges.end());
    return result;
}

// All that the roots depend on, parts first: a graph also holds nodes whose parts were taken over by others.
std::vector<std::uint32_t> DomainTheory::needed_nodes(Graph& graph, std::span<const Graph::Edge> roots) const {
    enum : std::uint8_t { unseen, open, done };
    std::vector<std::uint32_t> order, stack;
    std::vector<std::uint8_t> seen(graph.size(), unseen);
    for (std::size_t i = roots.size(); i-- > 0;) stack.push_back(roots[i].node());
    stack.push_back(0);
    while (!stack.empty()) {
        const std::uint32_t top = stack.back();
        if (seen[top] == unseen) {
            seen[top] = open;
            const std::vector<Graph::Edge> edges = edges_of(graph, top);
            seen.resize(graph.size(), unseen);  // what is compared may be new
            for (const Graph::Edge edge : edges) {
                if (seen[edge.node()] == unseen) stack.push_back(edge.node());
            }
            continue;
        }
        stack.pop_back();
        if (seen[top] == open) order.push_back(top);
        seen[top] = done;
    }
    return order;
}

void DomainTheory::take_over(Graph& graph, std::span<const Graph::Edge> roots) {
    const std::vector<std::uint32_t> order = needed_nodes(graph, roots);
    std::vector<std::uint32_t> place(graph.size(), 0);
    const auto code_of = [&](Graph::Edge edge) { return Code(place[edge.node()], edge.negated()); };
    for (const std::uint32_t number : order) {
        const Graph::Node from = graph.node(number);
        Node made;
        made.atom = from.atom;
        made.first = static_cast<std::uint32_t>(parts_.size());
        switch (from.kind) {
            case Graph::Kind::constant:
                break;
            case Graph::Kind::fluent:
                made.kind = Kind::fluent;
                break;
            case Graph::Kind::move:  // goals do not depend on moves: rules that say otherwise are not accepted
            case Graph::Kind::recursive:
                made.kind = find_comparison(from) == nullptr ? Kind::recursive : Kind::comparison;
                break;
            case Graph::Kind::conjunction:
                made.kind = Kind::conjunction;
                break;
            case Graph::Kind::disjunction:
                made.kind = Kind::disjunction;
                break;
        }
        for (const Graph::Edge edge : edges_of(graph, number)) parts_.push_back(code_of(edge));
        made.end = static_cast<std::uint32_t>(parts_.size());
        place[number] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(made);
    }
    for (std::size_t i = 0; i < goals_.size(); ++i) goals_[i].condition = code_of(roots[i]);
    if (roots.size() > goals_.size()) end_ = code_of(roots.back());
}

// Breadth first from the goals, then the end: what is near a goal says most about it.
void DomainTheory::choose_crisp(std::size_t most_graded) {
    std::vector<std::uint32_t> queue;
    std::vector<bool> reached(nodes_.size(), false);
    const auto reach = [&](Code root) {
        if (!reached[node_of(root)]) queue.push_back(node_of(root));
        reached[node_of(root)] = true;
    };
    for (const Goal& goal : goals_) reach(goal.condition);
    reach(end_);
    // Of what says a number only whether it does counts: those come last, and none of them is graded.
    std::vector<Code> of_numbers;
    std::size_t connections = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        Node& node = nodes_[queue[i]];
        connections += node.end - node.first;
        node.crisp = node.kind > Kind::comparison && connections > most_graded;
        if (node.kind == Kind::comparison) {
            of_numbers.insert(of_numbers.end(), parts(node).begin(), parts(node).end());
        } else {
            for (const Code part : parts(node)) reach(part);
        }
        if (i + 1 < queue.size() || of_numbers.empty()) continue;
        for (const Code part : of_numbers) reach(part);
        of_numbers.clear();
        most_graded = 0;
    }
    // A part of a crisp node that a graded one reached first stays graded: it is there anyway.
}

std::size_t DomainTheory::crisp_count() const {
    return static_cast<std::size_t>(std::ranges::count_if(nodes_, [](const Node& node) { return node.crisp; }));
}

void DomainTheory::settle(std::vector<bool>& truth) const {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.kind == Kind::constant) truth[i] = true;
        if (node.kind == Kind::comparison) truth[i] = settle_comparison(node, truth);
        if (node.kind <= Kind::comparison) continue;
        const auto part_holds = [&](Code part) { return holds(truth, part); };
        truth[i] = node.kind == Kind::conjunction ? std::ranges::all_of(parts(node), part_holds)
                                                  : std::ranges::any_of(parts(node), part_holds);
    }
}

bool DomainTheory::settle_comparison(const Node& node, const std::vector<bool>& truth) const {
    const Comparison& compared = comparison(node);
    for (std::size_t i = 0; i < compared.inputs.size(); ++i) {
        const Comparison::Input& left = compared.inputs[i];
        if (left.left == Comparison::none || !holds(truth, parts(node)[i])) continue;
        if (left.right != Comparison::none) {
            if (compared.holds(left.left, left.right)) return true;
            continue;
        }
        for (std::size_t j = 0; j < compared.inputs.size(); ++j) {
            const Comparison::Input& right = compared.inputs[j];
            const bool says = right.right != Comparison::none && right.left == Comparison::none;
            if (says && holds(truth, parts(node)[j]) && compared.holds(left.left, right.right)) return true;
        }
    }
    return false;
}

bool DomainTheory::is_consistent() const {
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        const std::size_t count = nodes_[i].end - nodes_[i].first;
        if (leaf(i) ? count != 0 : count < (nodes_[i].kind == Kind::comparison ? 0U : 2U)) return false;
        if (!std::ranges::all_of(parts(nodes_[i]), [&](Code part) { return node_of(part) < i; })) return false;
    }
    return true;
}

std::vector<bool> reached_from(const DomainTheory& theory, Code root) {
    std::vector<bool> reached(2 * theory.size(), false);
    reached[root.code()] = true;
    for (auto code = static_cast<std::uint32_t>(reached.size()); code-- > 0;) {
        if (!reached[code]) continue;
        const Code of = Code::from_code(code);
        for (const Code part : theory.parts(theory.node(node_of(of)))) reached[(part ^ negated(of)).code()] = true;
    }
    return reached;
}

}  // namespace stratagem::evaluate::neural
