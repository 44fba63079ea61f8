#include "evaluate/neural/neural_evaluator.h"

#include <algorithm>

#include "evaluate/neural/weights.h"

namespace stratagem::evaluate::neural {

namespace {

Settings adapted(Settings settings, const analysis::Findings* analysis) {
    if (analysis == nullptr) settings.features = {};
    settings.transformation.leaves = {};
    settings.transformation.sound = settings.sound_weights;
    if (settings.features.any_of_leaves() && settings.sound_weights) {
        const double probable = settings.features.probable;
        const double nearest = settings.features.sound ? probable / 4 : probable;
        settings.transformation.leaves = {-1, -nearest, probable, 1};
    }
    return settings;
}

// In a sum the goal of the standard value pulls nowhere, and needs no network unless it is asked whether it holds.
DomainTheory::Settings theory_settings(const Settings& settings, std::shared_ptr<const Rewritten> comparisons) {
    DomainTheory::Settings made;
    made.most_graded = settings.most_graded;
    made.comparisons = std::move(comparisons);
    if (settings.aggregation == Settings::Aggregation::sum && settings.classes.goals == 0) {
        made.left_out = settings.expected;
    }
    return made;
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
      goals_(*rules_, theory_settings(settings_, comparisons_), settings_.transformation, stop, node_features(stop)) {
    for (const DomainTheory::Goal& goal : goals_.theory().goals()) {
        const auto place = static_cast<std::uint32_t>(&goal - goals_.theory().goals().data());
        while (first_goal_.size() <= ground::index(goal.role)) first_goal_.push_back(place);
    }
    first_goal_.resize(program_->roles.size() + 1, static_cast<std::uint32_t>(goals_.theory().goals().size()));
    for (std::uint32_t role = 0; role < program_->roles.size(); ++role) {
        if (settings_.aggregation != Settings::Aggregation::ladder) break;
        std::vector<int> values;
        for (const DomainTheory::Goal& goal : goals_of(machine::Role{role})) values.push_back(goal.value);
        ladders_.emplace_back(values, settings_.expected);
    }
    std::optional<feature::RandomGames> seen;
    if (circuit && (settings_.classes.any() || settings_.features.distances || settings_.features.likely))
        seen.emplace(circuit, analysis_.get(), stop);
    if (settings_.features.any_of_leaves()) find_features(seen.has_value(), stop);
    if (features_ && settings_.features.likely && circuit) {
        features_->set_likelihood(std::make_shared<const feature::Likelihood>(circuit, seen->order.get(), stop));
    }
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
    DomainTheory::Settings end;
    end.most_graded = std::min(settings_.most_graded, settings_.most_graded_end);
    end.goals = false;
    end.end = true;
    end.comparisons = comparisons_;
    try {
        end_.emplace(*rules_, end, settings_.transformation, stop, node_features(stop));
    } catch (const DomainTheory::Interrupted&) {
        return;  // there is a network, and leaves that are true or false
    }
    feature::FeatureSettings features = settings_.features;
    features.mobility = with_mobility;
    features_.emplace(*analysis_, distances_.get(), features, leaves(), namings(), stop);
}

// Goals of the standard value and the end name much that nobody is drawn to.
feature::Namings NeuralEvaluator::namings() const {
    feature::Namings result;
    const auto add = [&](const DomainTheory& theory, Code root, bool draws) {
        const std::vector<bool> reached = reached_from(theory, root);
        for (const bool sign : {true, false}) {
            feature::Naming made{draws, std::vector<bool>(program_->fluents.size(), false)};
            bool any = false;
            for (std::uint32_t i = 0; i < theory.size(); ++i) {
                const DomainTheory::Node& node = theory.node(i);
                if (node.kind != DomainTheory::Kind::fluent || !reached[Code(i, !sign).code()]) continue;
                made.fluents[ground::index(node.atom)] = any = true;
            }
            if (any) result.push_back(std::move(made));
        }
    };
    for (const DomainTheory::Goal& goal : goals_.theory().goals()) {
        add(goals_.theory(), goal.condition, goal.value != settings_.expected);
    }
    if (end_) add(end_->theory(), end_->theory().end(), false);
    return result;
}

// With the roles that win only if they do not hold.
std::vector<feature::Leaf> NeuralEvaluator::leaves() const {
    const DomainTheory& theory = goals_.theory();
    std::vector<std::vector<machine::Role>> avoided(program_->fluents.size());
    for (std::uint32_t role = 0; role < program_->roles.size(); ++role) {
        const std::span<const DomainTheory::Goal> goals = goals_of(machine::Role{role});
        if (goals.empty()) continue;
        const std::vector<bool> reached = reached_from(theory, goals.back().condition);
        for (std::uint32_t i = 0; i < theory.size(); ++i) {
            const DomainTheory::Node& node = theory.node(i);
            if (node.kind != DomainTheory::Kind::fluent || !reached[Code(i, true).code()]) continue;
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

std::size_t NeuralEvaluator::holding(const GradedTheory::Memory& memory, machine::Role role) const {
    const std::span<const DomainTheory::Goal> goals = goals_of(role);
    for (std::size_t i = goals.size(); i-- > 0;) {
        if (goals_.answer(memory, goals[i].condition) > 0) return i;
    }
    return Ladder::none;
}

double NeuralEvaluator::start_value(machine::Role role, std::size_t now) const {
    return ladders_.empty() ? settings_.expected : ladders_[ground::index(role)].start(now);
}

double NeuralEvaluator::pull(const GradedTheory::Memory& memory, machine::Role role, std::size_t now,
                             std::size_t goal) const {
    const DomainTheory::Goal& one = goals_of(role)[goal];
    const double answer = goals_.answer(memory, one.condition);
    if (ladders_.empty()) return (one.value - settings_.expected) * (answer + 1) / 2;
    return ladders_[ground::index(role)].pull(now, goal, answer);
}

double NeuralEvaluator::value(const Work& work, machine::Role role) const {
    const std::size_t goals = goals_of(role).size();
    const std::size_t now = ladders_.empty() && !classes_ ? Ladder::none : holding(work.goals(), role);
    double value = start_value(role, now);
    for (std::size_t i = 0; i < goals; ++i) value += pull(work.goals(), role, now, i);
    if (classes_ && now != Ladder::none && classes_->goals_say_something(role)) {
        value += settings_.classes.goals * (goals_of(role)[now].value - value);
    }
    value += work.bonus(role);
    // Goals that are summed up, and bonuses, may pull too far: the ends are squeezed, and order is kept.
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
