#include "evaluate/fuzzy/fuzzy_evaluator.h"

#include <algorithm>
#include <array>

namespace stratagem::evaluate::fuzzy {

using Kind = analysis::FormulaGraph::Kind;

FuzzyEvaluator::FuzzyEvaluator(std::shared_ptr<const ground::Program> program,
                               std::shared_ptr<const analysis::Findings> analysis, const Settings& settings,
                               const machine::Stop& stop)
    : program_(std::move(program)),
      analysis_(std::move(analysis)),
      settings_(settings),
      rules_(analysis::shared_rules(analysis_.get(), program_)),
      rewritten_(settings.orders && analysis_ != nullptr ? take_out_comparisons(*rules_, *analysis_, stop) : nullptr),
      rewritten_rules_(rewritten_ ? std::make_unique<const analysis::HeadIndex>(rewritten_->rules, rewritten_->numbers)
                                  : nullptr),
      graph_(rewritten_rules_ ? *rewritten_rules_ : *rules_, {.stop = stop}),
      network_(Norms(settings)) {
    add_conditions();
    add_comparisons();
    if (graph_.cut_short()) throw Interrupted{};
    build_network(stop);
}

void FuzzyEvaluator::add_conditions() {
    goals_.resize(program_->roles.size());
    for (const ground::GoalEntry& entry : program_->goals) {
        goals_[ground::index(entry.role)].push_back({entry.value, graph_.add(entry.atom), {}});
    }
    terminal_condition_ = graph_.add(program_->terminal);
}

// The atoms that comparisons look at; their conditions may hold further comparisons.
void FuzzyEvaluator::add_comparisons() {
    if (rewritten_ == nullptr) return;
    for (const Comparison& one : rewritten_->comparisons) {
        std::vector<Graph::Edge> inputs;
        for (const Comparison::Input& input : one.inputs) inputs.push_back(graph_.add(input.atom));
        inputs_.push_back(std::move(inputs));
    }
}

const Comparison* FuzzyEvaluator::comparison(const Graph::Node& node) const {
    if (node.kind != Kind::recursive || ground::index(node.atom) < program_->atom_count()) return nullptr;
    const std::uint32_t place = rewritten_->comparison_of[ground::index(node.atom) - program_->atom_count()];
    return place == Comparison::none ? nullptr : &rewritten_->comparisons[place];
}

// Calls use(edge) for what a node depends on.
template <typename Use>
void FuzzyEvaluator::for_each_part(std::uint32_t number, Use&& use) const {
    const Graph::Node& node = graph_.node(number);
    for (const Graph::Edge edge : graph_.edges(node)) use(edge);
    if (const Comparison* compared = comparison(node)) {
        for (const Graph::Edge edge : inputs_[static_cast<std::size_t>(compared - rewritten_->comparisons.data())]) {
            use(edge);
        }
    }
}

// What the conditions depend on other than by comparisons.
std::vector<bool> FuzzyEvaluator::fuzzy_nodes(bool with_end) const {
    std::vector<bool> needed(graph_.size(), false);
    needed[terminal_condition_.node()] = with_end;
    for (const std::vector<Goal>& goals : goals_) {
        for (const Goal& goal : goals) needed[goal.condition.node()] = true;
    }
    for (auto i = static_cast<std::uint32_t>(graph_.size()); i-- > 0;) {
        if (!needed[i]) continue;
        for (const Graph::Edge edge : graph_.edges(graph_.node(i))) needed[edge.node()] = true;
    }
    return needed;
}

// All that the conditions depend on, parts first: much of the graph was taken over by other nodes.
std::vector<std::uint32_t> FuzzyEvaluator::needed_nodes() const {
    std::vector<std::uint32_t> order, stack{terminal_condition_.node()};
    for (const std::vector<Goal>& goals : goals_) {
        for (const Goal& goal : goals) stack.push_back(goal.condition.node());
    }
    enum : std::uint8_t { unseen, open, done };
    std::vector<std::uint8_t> seen(graph_.size(), unseen);
    while (!stack.empty()) {
        const std::uint32_t top = stack.back();
        if (seen[top] == unseen) {
            seen[top] = open;
            for_each_part(top, [&](Graph::Edge part) {
                if (seen[part.node()] == unseen) stack.push_back(part.node());
            });
            continue;
        }
        stack.pop_back();
        if (seen[top] == open) order.push_back(top);
        seen[top] = done;
    }
    return order;
}

void FuzzyEvaluator::build_network(const machine::Stop& stop) {
    const std::vector<bool> fuzzy = fuzzy_nodes(true);
    image_.assign(graph_.size(), none);
    leaf_of_.assign(program_->fluents.size(), none);
    std::vector<Atom> recursive;
    for (const std::uint32_t i : needed_nodes()) {
        const Graph::Node& node = graph_.node(i);
        image_[i] = add_node(i, !fuzzy[i]);
        if (node.kind == Kind::fluent) leaf_of_[ground::index(node.atom)] = image_[i];
        if (node.kind != Kind::recursive || comparison(node) != nullptr) continue;
        recursive.push_back(node.atom);
        recursive_leaf_.push_back(image_[i]);
    }
    for (std::vector<Goal>& goals : goals_) {
        for (Goal& goal : goals) goal.code = code_of(goal.condition);
        build_ladder(goals);
    }
    network_.finish();
    recursion_.emplace(*rules_, recursive);
    watched_.assign(program_->fluents.size(), false);
    for (const Fluent fluent : recursion_->fluents()) watched_[ground::index(fluent)] = true;
    terminal_ = code_of(terminal_condition_);
    find_nearness(stop);
}

// Of both ways to say that a rung is reached the one that looks at fewer goals counts: a draw is rather "not lost" than
// "nobody has won", which every step towards winning makes less true.
void FuzzyEvaluator::build_ladder(const std::vector<Goal>& goals) {
    std::vector<Rung>& ladder = ladders_.emplace_back();
    if (settings_.aggregation != Settings::Aggregation::ladder || goals.empty()) return;
    const std::size_t count = goals.size();
    // The disjunctions of all goals from a place on, and before it, made of each other.
    std::vector<Code> from(count), before(count + 1);
    const auto either = [&](Code one, Code other) { return Code(network_.add_disjunction(std::array{one, other})); };
    for (std::size_t i = count; i-- > (count - 1) / 2;) {
        from[i] = i + 1 == count ? goals[i].code : either(goals[i].code, from[i + 1]);
    }
    for (std::size_t i = 1; i <= (count + 1) / 2; ++i) {
        before[i] = i == 1 ? goals[0].code : either(goals[i - 1].code, before[i - 1]);
    }
    if (count == 1) ladder.push_back({goals[0].value, static_cast<double>(goals[0].value), false, 0, 1, from[0]});
    for (std::size_t i = 1; i < count; ++i) {
        const double weight = goals[i].value - goals[i - 1].value;
        const std::size_t above = count - i;
        const double share = i == above ? weight / 2 : weight;
        if (above <= i) ladder.push_back({goals[i].value, share, false, i, count, from[i]});
        if (i <= above) ladder.push_back({goals[i].value, share, true, 0, i, !before[i]});
    }
}

std::uint32_t FuzzyEvaluator::add_node(std::uint32_t number, bool crisp) {
    const Graph::Node& node = graph_.node(number);
    std::vector<Code> parts;
    for_each_part(number, [&](Graph::Edge edge) { parts.push_back(code_of(edge)); });
    if (const Comparison* compared = comparison(node)) return network_.add_comparison(*compared, parts);
    if (node.kind == Kind::conjunction) {
        return crisp ? network_.add_crisp_conjunction(parts) : network_.add_conjunction(parts);
    }
    if (node.kind == Kind::disjunction) {
        return crisp ? network_.add_crisp_disjunction(parts) : network_.add_disjunction(parts);
    }
    return network_.add_leaf();
}

void FuzzyEvaluator::find_nearness(const machine::Stop& stop) {
    if (analysis_ == nullptr) return;
    const std::vector<bool> anywhere = fuzzy_nodes(true);
    const std::vector<bool> in_goals = fuzzy_nodes(false);
    Nearness::Wanted wanted(leaf_of_.size(), Nearness::Want::not_at_all);
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
        if (!anywhere[i] || graph_.node(i).kind != Kind::fluent) continue;
        wanted[ground::index(graph_.node(i).atom)] = in_goals[i] ? Nearness::Want::in_goals : Nearness::Want::in_end;
    }
    if (settings_.boards != Settings::Boards::off || settings_.quantities) {
        nearness_.emplace(*analysis_, settings_, wanted);
    }
    find_approach(in_goals, stop);
}

// Of fluents that goals mention and that have no distance otherwise.
void FuzzyEvaluator::find_approach(const std::vector<bool>& in_goals, const machine::Stop& stop) {
    const analysis::FluentGraph* distances = analysis_->graph();
    if (settings_.events == Settings::Events::off || distances == nullptr ||
        distances->complete() != program_->fluents.size()) {
        return;
    }
    std::vector<Fluent> wanted;
    for (std::uint32_t i = 0; i < graph_.size(); ++i) {
        if (!in_goals[i] || graph_.node(i).kind != Kind::fluent) continue;
        const Fluent fluent{ground::index(graph_.node(i).atom)};
        if (!nearness_ || !nearness_->measures(fluent)) wanted.push_back(fluent);
    }
    approach_.emplace(*rules_, *distances, wanted, settings_.events, stop);
    if (approach_->empty()) approach_.reset();
}

double FuzzyEvaluator::prospect(const Network::Values& values, Code goal) const {
    const Norms& norms = network_.norms();
    const double avoided = values.power[(!terminal_).code()];
    const bool met = values.fails[goal.code()] == 0;
    const double norm = met ? 1 - norms.conjunction(values.power[(!goal).code()] + avoided, false).value
                            : norms.conjunction(values.power[goal.code()] + avoided, false).value;
    const double besides = settings_.end * network_.value(values, terminal_);
    return std::clamp(met ? norm + besides : norm - besides, 0.0, 1.0);
}

double FuzzyEvaluator::climb(const Network::Values& values, machine::Role role) const {
    const std::vector<Goal>& goals = goals_[ground::index(role)];
    double sum = goals.size() > 1 ? goals.front().value : 0;  // what there is at least
    for (const Rung& rung : ladders_[ground::index(role)]) sum += rung.weight * prospect(values, rung.code);
    return std::clamp(sum, 0.0, 100.0);
}

double FuzzyEvaluator::value(const Network::Values& values, machine::Role role) const {
    if (settings_.aggregation == Settings::Aggregation::ladder) return climb(values, role);
    double mean = 0, missing = 1;
    int total = 0;
    for (const Goal& goal : goals_[ground::index(role)]) {
        if (goal.value <= 0) continue;
        const double weighed = prospect(values, goal.code) * goal.value;
        mean += weighed;
        missing *= 1 - weighed / 100;
        total += goal.value;
    }
    if (total == 0) return 0;
    return std::clamp(settings_.aggregation == Settings::Aggregation::mean ? 100 * mean / total : 100 * (1 - missing),
                      0.0, 100.0);
}

double FuzzyEvaluator::value(const machine::State& state, machine::Role role) const {
    return Work(*this).value(state, role);
}

std::unique_ptr<Evaluation> FuzzyEvaluator::start() const { return std::make_unique<Work>(*this); }

std::vector<FuzzyEvaluator::GoalTruth> FuzzyEvaluator::goal_truths(const Work& work, machine::Role role) const {
    std::vector<GoalTruth> result;
    for (const Goal& goal : goals_[ground::index(role)]) {
        result.push_back({goal.value, network_.value(work.values(), goal.code)});
    }
    return result;
}

double FuzzyEvaluator::terminal_truth(const Work& work) const { return network_.value(work.values(), terminal_); }

}  // namespace stratagem::evaluate::fuzzy
