// Following one state after another: what changed is set in the network, the rest stays as it is.
#include <bit>

#include "evaluate/fuzzy/fuzzy_evaluator.h"

namespace stratagem::evaluate::fuzzy {

Work::Work(const FuzzyEvaluator& evaluator)
    : evaluator_(evaluator),
      values_(evaluator.network_.make_values()),
      recursion_(evaluator.recursion_->make_memory()),
      words_((evaluator.program_->fluents.size() + 63) / 64, 0) {
    if (evaluator.nearness_) nearness_ = evaluator.nearness_->make_memory();
    // Node 0 of the graph is what always holds.
    if (evaluator.image_[0] != FuzzyEvaluator::none) {
        evaluator.network_.set_leaf(values_, evaluator.image_[0], true);
    }
}

double Work::value(const machine::State& state, machine::Role role) {
    move_to(state);
    return evaluator_.value(values_, role);
}

void Work::flip(Fluent fluent, bool holds) {
    const std::uint32_t number = ground::index(fluent);
    if (evaluator_.nearness_) evaluator_.nearness_->flip(fluent, holds, nearness_);
    if (evaluator_.watched_[number]) recursion_changed_ = true;
    const std::uint32_t leaf = evaluator_.leaf_of_[number];
    if (leaf == FuzzyEvaluator::none) return;
    if (evaluator_.nearness_ && evaluator_.nearness_->measures(fluent)) return;  // set with its group
    if (evaluator_.approach_ && evaluator_.approach_->measures(fluent)) return;  // below
    evaluator_.network_.set_leaf(values_, leaf, holds);
}

void Work::move_to(const machine::State& state) {
    const std::span<const std::uint64_t> words = state.words();
    for (std::uint32_t w = 0; w < words_.size(); ++w) {
        const std::uint64_t now = w < words.size() ? words[w] : 0;
        for (std::uint64_t changed = words_[w] ^ now; changed != 0; changed &= changed - 1) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(changed));
            flip(Fluent{w * 64 + bit}, (now >> bit & 1U) != 0);
        }
        words_[w] = now;
    }
    const Network& network = evaluator_.network_;
    if (evaluator_.nearness_) {
        evaluator_.nearness_->for_each_change(nearness_, [&](Fluent fluent, double distance) {
            const std::uint32_t leaf = evaluator_.leaf_of_[ground::index(fluent)];
            if (state.holds(fluent)) {
                network.set_leaf(values_, leaf, true);
            } else {
                network.set_leaf(values_, leaf, network.norms().missing(distance));
            }
        });
    }
    if (evaluator_.approach_) {
        evaluator_.approach_->measure(state, approach_, [&](Fluent fluent, double distance) {
            const std::uint32_t leaf = evaluator_.leaf_of_[ground::index(fluent)];
            if (state.holds(fluent)) {
                network.set_leaf(values_, leaf, true);
            } else {
                network.set_leaf(values_, leaf, network.norms().missing(distance));
            }
        });
    }
    if (recursion_changed_ && !evaluator_.recursion_->empty()) {
        evaluator_.recursion_->settle(state, recursion_);
        for (std::size_t i = 0; i < evaluator_.recursive_leaf_.size(); ++i) {
            const bool holds = evaluator_.recursion_->holds(recursion_, i);
            network.set_leaf(values_, evaluator_.recursive_leaf_[i], holds);
        }
    }
    recursion_changed_ = false;
    if (fresh_) {
        network.compute_all(values_);
    } else {
        network.compute_changes(values_);
    }
    fresh_ = false;
}

}  // namespace stratagem::evaluate::fuzzy
