// Following one state after another: what changed is set in the networks, the rest stays as it is.
#include <algorithm>
#include <bit>
#include <cmath>

#include "evaluate/neural/neural_evaluator.h"

namespace stratagem::evaluate::neural {

Work::Work(const NeuralEvaluator& evaluator) : evaluator_(evaluator) {
    if (evaluator.mobility_) mobility_ = evaluator.mobility_->make_memory();
    forget();
}

void Work::forget() {
    goals_ = evaluator_.goals_.make_memory();
    words_.assign((evaluator_.program_->fluents.size() + 63) / 64, 0);
    if (evaluator_.end_) end_ = evaluator_.end_->make_memory();
    if (evaluator_.features_) features_ = evaluator_.features_->make_memory();
    if (evaluator_.classes_) classes_ = evaluator_.classes_->make_sums();
    leaves_ = evaluator_.leaves_;
    end_steps_ = 0;
}

void Work::begin_at(const machine::State& state) {
    // Without what persists nothing is ever certain.
    if (!evaluator_.features_ || !evaluator_.settings_.features.persistence) return;
    forget();
    move_to(state);
    evaluator_.goals_.prune(goals_);
    if (end_) evaluator_.end_->prune(*end_);
    const auto counts = [&](Fluent fluent) {
        return evaluator_.goals_.counts(fluent, goals_) || (end_ && evaluator_.end_->counts(fluent, *end_));
    };
    std::erase_if(leaves_, [&](Fluent fluent) { return !evaluator_.goals_.counts(fluent, goals_); });
    evaluator_.features_->prune(features_, counts);
}

double Work::value(const machine::State& state, machine::Role role) {
    move_to(state);
    return evaluator_.value(*this, role);
}

double Work::bonus(machine::Role role) const {
    return evaluator_.classes_ ? evaluator_.classes_->bonus(role, classes_, mobility_) : 0;
}

void Work::flip(Fluent fluent, bool holds) {
    evaluator_.goals_.flip(fluent, goals_);
    if (evaluator_.classes_) evaluator_.classes_->flip(fluent, holds, classes_);
    if (end_) evaluator_.end_->flip(fluent, *end_);
    if (evaluator_.features_) {
        evaluator_.features_->flip(fluent, holds, features_);
    } else {
        evaluator_.goals_.set_leaf(fluent, holds ? 1 : -1, false, goals_);
    }
}

void Work::move_to(const machine::State& state) {
    const std::span<const std::uint64_t> words = state.words();
    bool moved = goals_.fresh;
    for (std::uint32_t w = 0; w < words_.size(); ++w) {
        const std::uint64_t now = w < words.size() ? words[w] : 0;
        for (std::uint64_t changed = words_[w] ^ now; changed != 0; changed &= changed - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(changed));
            flip(Fluent{w * 64 + bit}, (now >> bit & 1U) != 0);
            moved = true;
        }
        words_[w] = now;
    }
    if (!moved) return;
    if (evaluator_.mobility_) count_moves(state);
    if (end_) judge_end(state);
    const feature::Reference reference = feature::Reference::at(end(), evaluator_.settings_.features.probable);
    evaluator_.goals_.settle(state, end_ ? reference.probably_true : 1, goals_);
}

void Work::count_moves(const machine::State& state) {
    evaluator_.mobility_->count(state, mobility_);
    if (!evaluator_.features_ || !evaluator_.features_->wants_mobility()) return;
    for (std::uint32_t role = 0; role < evaluator_.program_->roles.size(); ++role) {
        const double freedom = feature::Mobility::freedom(machine::Role{role}, mobility_);
        evaluator_.features_->set_freedom(machine::Role{role}, freedom, features_);
    }
}

// First the leaves of the end, as seen from far away; by what it says, those of the goals. How far away something is
// that the goals speak of too counts there and not twice: it would cost as much again, to know the end a little better.
void Work::judge_end(const machine::State& state) {
    const feature::LeafFeatures& features = *evaluator_.features_;
    const feature::Reference far = feature::Reference::at(0, features.settings().probable);
    changed_.clear();
    features.for_each_change(features_, [&](Fluent fluent) { changed_.push_back(fluent); });
    for (const Fluent fluent : changed_) {
        if (!evaluator_.end_->has_leaf(fluent)) continue;
        const bool holds = state.holds(fluent);
        const auto judged = evaluator_.goals_.has_leaf(fluent) ? features.judge_as_it_is(fluent, holds, features_, far)
                                                               : features.judge(fluent, holds, features_, far);
        evaluator_.end_->set_leaf(fluent, judged.value, judged.certain, *end_);
    }
    evaluator_.end_->settle(state, far.probably_true, *end_);
    const double near = (evaluator_.end_->answer(*end_, evaluator_.end_->theory().end()) + 1) / 2;
    const double steps = std::clamp(std::floor(near * steps_to_end), 0.0, steps_to_end - 1);
    const bool all = steps != end_steps_;
    end_steps_ = steps;
    const feature::Reference here = feature::Reference::at(end(), features.settings().probable);
    for (const Fluent fluent : all ? leaves_ : changed_) {
        if (!evaluator_.goals_.has_leaf(fluent)) continue;
        const auto judged = features.judge(fluent, state.holds(fluent), features_, here);
        evaluator_.goals_.set_leaf(fluent, judged.value, judged.certain, goals_);
    }
}

}  // namespace stratagem::evaluate::neural
