#include "evaluate/neural/neural_evaluator.h"

#include <algorithm>

#include "evaluate/neural/weights.h"

namespace stratagem::evaluate::neural {

namespace {

Settings adapted(Settings settings, const analysis::Findings* analysis) {
    if (analysis == nullptr) settings.features = {};
    settings.transformation.leaves = {};
    if (settings.features.any_of_leaves()) {
        const double probable = settings.features.probable;
        const double nearest = settings.features.sound ? probable / 4 : probable;
        settings.transformation.leaves = {-1, -nearest, probable, 1};
    }
    return settings;
}

std::unique_ptr<const analysis::ArgumentDistances> distances_of(const analysis::Findings* analysis,
                                                                const feature::FeatureSettings& settings,
                                                                const machine::Stop& stop) {
    if (analysis == nullptr || analysis->rules() == nullptr || !(settings.distances || settings.variable))
        return nullptr;
    return std::make_unique<const analysis::ArgumentDistances>(*analysis->rules(), analysis->families(),
                                                               analysis->orders(), analysis->argument_orders(), stop);
}

}  // namespace

NeuralEvaluator::NeuralEvaluator(std::shared_ptr<const ground::Program> program,
                                 std::shared_ptr<const analysis::Findings> analysis, const Settings& settings,
                                 const machine::Stop& stop, std::shared_ptr<const machine::Circuit> circuit)
    : program_(std::move(program)),
      analysis_(std::move(analysis)),
      settings_(adapted(settings, analysis_.get())),
      rules_(analysis::shared_rules(analysis_.get(), program_)),
      comparisons_(settings_.features.orders
                       ? take_out_comparisons(*rules_, *analysis_, stop, settings_.features.chains)
                       : nullptr),
      distances_(distances_of(analysis_.get(), settings_.features, stop)),
      goals_(*rules_, {settings_.most_graded, true, false, comparisons_}, settings_.transformation, stop,
             node_features(stop)) {
    for (const DomainTheory::Goal& goal : goals_.theory().goals()) {
        const auto place = static_cast<std::uint32_t>(&goal - goals_.theory().goals().data());
        while (first_goal_.size() <= ground::index(goal.role)) first_goal_.push_back(place);
    }
    first_goal_.resize(program_->roles.size() + 1, static_cast<std::uint32_t>(goals_.theory().goals().size()));
    std::optional<feature::RandomGames> seen;
    if (circuit && (settings_.classes.any() || settings_.features.distances)) seen.emplace(circuit, stop);
    if (settings_.features.any_of_leaves()) find_features(seen.has_value(), stop);
    for (std::uint32_t i = 0; i < program_->fluents.size(); ++i) {
        if (goals_.has_leaf(Fluent{i}) || (end_ && end_->has_leaf(Fluent{i}))) leaves_.push_back(Fluent{i});
    }
    distances_.reset();
    if (settings_.classes.any() && circuit) {
        classes_.emplace(circuit, *seen, analysis_.get(), settings_.classes, stop);
    }
    const bool wanted = (classes_ && classes_->wants_mobility()) || (features_ && features_->wants_mobility());
    if (wanted) mobility_.emplace(std::move(circuit), seen->moves);
}

FindNodeFeatures NeuralEvaluator::node_features(const machine::Stop& stop) const {
    if (analysis_ == nullptr) return {};
    return [this, stop](const DomainTheory& theory) {
        return NodeFeatures(theory, *analysis_, distances_.get(), settings_.features, stop);
    };
}

feature::FeatureCounts NeuralEvaluator::feature_counts() const {
    feature::FeatureCounts counts = goals_.feature_counts();
    if (features_) counts.add(features_->counts());
    if (classes_) counts.add(classes_->counts());
    if (!comparisons_) return counts;
    for (const Comparison& one : comparisons_->comparisons) {
        counts.find(one.equality ? feature::Feature::variable_distance : feature::Feature::order);
        for (const CountingChain* chain : {&one.left_chain, &one.right_chain}) {
            if (!chain->empty()) counts.find(feature::Feature::counting_chain);
        }
    }
    return counts;
}

void NeuralEvaluator::find_features(bool with_mobility, const machine::Stop& stop) {
    const DomainTheory::Settings end{std::min(settings_.most_graded, settings_.most_graded_end), false, true,
                                     comparisons_};
    try {
        end_.emplace(*rules_, end, settings_.transformation, stop, node_features(stop));
    } catch (const DomainTheory::Interrupted&) {
        return;  // there is a network, and leaves that are true or false
    }
    feature::FeatureSettings features = settings_.features;
    features.mobility = with_mobility;
    features_.emplace(*analysis_, distances_.get(), features, leaves(), stop);
}

// With the roles that win only if they do not hold.
std::vector<feature::Leaf> NeuralEvaluator::leaves() const {
    const DomainTheory& theory = goals_.theory();
    std::vector<std::vector<machine::Role>> avoided(program_->fluents.size());
    for (std::uint32_t role = 0; role < program_->roles.size(); ++role) {
        const std::span<const DomainTheory::Goal> goals = goals_of(machine::Role{role});
        if (goals.empty()) continue;
        std::vector<bool> reached(2 * theory.size(), false);
        reached[goals.back().condition.code()] = true;
        for (auto code = static_cast<std::uint32_t>(reached.size()); code-- > 0;) {
            if (!reached[code]) continue;
            const Code of = Code::from_code(code);
            const DomainTheory::Node& node = theory.node(node_of(of));
            for (const Code part : theory.parts(node)) reached[(part ^ negated(of)).code()] = true;
            if (node.kind != DomainTheory::Kind::fluent || !negated(of)) continue;
            avoided[ground::index(node.atom)].push_back(machine::Role{role});
        }
    }
    std::vector<feature::Leaf> result;
    for (std::uint32_t i = 0; i < program_->fluents.size(); ++i) {
        if (goals_.has_leaf(Fluent{i}) || end_->has_leaf(Fluent{i}))
            result.push_back({Fluent{i}, std::move(avoided[i]), goals_.has_leaf(Fluent{i})});
    }
    return result;
}

std::span<const DomainTheory::Goal> NeuralEvaluator::goals_of(machine::Role role) const {
    const std::uint32_t first = first_goal_[ground::index(role)];
    return goals_.theory().goals().subspan(first, first_goal_[ground::index(role) + 1] - first);
}

double NeuralEvaluator::pull(const GradedTheory::Memory& memory, const DomainTheory::Goal& goal) const {
    if (goal.value == settings_.expected) return 0;
    return (goal.value - settings_.expected) * (goals_.answer(memory, goal.condition) + 1) / 2;
}

double NeuralEvaluator::value(const Work& work, machine::Role role) const {
    double value = settings_.expected;
    std::optional<int> now;
    for (const DomainTheory::Goal& goal : goals_of(role)) {
        value += pull(work.goals(), goal);
        if (goals_.answer(work.goals(), goal.condition) > 0) now = goal.value;
    }
    if (classes_ && now && classes_->goals_say_something(role)) {
        value += settings_.classes.goals * (*now - value);
    }
    value += work.bonus(role);
    // Goals that pull together may pull too far: the ends are squeezed, and order is kept.
    constexpr double low = 5, high = 95, squeeze = 100;
    if (value < low) value = low + (value - low) / squeeze;
    if (value > high) value = high + (value - high) / squeeze;
    return std::clamp(value, 0.0, 100.0);
}

double NeuralEvaluator::value(const machine::State& state, machine::Role role) const {
    return Work(*this).value(state, role);
}

std::unique_ptr<Evaluation> NeuralEvaluator::start() const { return std::make_unique<Work>(*this); }

std::string NeuralEvaluator::weights() const { return weights_to_text(goals_.network()); }

std::string NeuralEvaluator::set_weights(std::string_view text) { return read_weights(text, goals_.network()); }

}  // namespace stratagem::evaluate::neural
