#include "search/uct/policy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stratagem::search::uct {

namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

}  // namespace

bool Policy::dominated(const Node& node, const Chooser& chooser, std::uint32_t slot) {
    const Arm& arm = chooser.arms[slot];
    const float sure = node.roles[ground::index(chooser.role)].lo;
    return arm.hi <= sure && arm.lo < sure;
}

void Policy::refresh(const Node& node, Chooser& chooser, std::uint32_t slot) const {
    const Arm& arm = chooser.arms[slot];
    Key& key = chooser.keys[slot];
    const Scale& own = scale(chooser.role);
    const double weight = arm.prior == Arm::no_prior ? 0 : settings_.prior_visits;
    const double counted = arm.visits + settings_.virtual_loss * arm.pending + weight;
    const double mean = counted > 0 ? (arm.sum + weight * arm.prior / 65534.0) / counted : 0;
    const double lo = own.down(arm.lo);
    const double hi = own.down(arm.hi);
    key.mean = dominated(node, chooser, slot) ? never : static_cast<float>(std::clamp(mean, lo, hi));
    // What is known exactly leaves nothing to explore.
    key.width = arm.exact() ? 0 : static_cast<float>(1 / std::sqrt(std::max(1.0, arm.visits + arm.pending + weight)));
}

void Policy::refresh_all(const Node& node, Chooser& chooser) const {
    for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) refresh(node, chooser, slot);
}

std::uint32_t Policy::untried_place(const Chooser& chooser, machine::Random& random, const MoveAverages* averages) {
    if (chooser.ordered) return chooser.tried;
    if (averages == nullptr) return chooser.tried + random.below(chooser.count - chooser.tried);
    std::uint32_t best = chooser.tried;
    double best_value = -1;
    for (std::uint32_t place = chooser.tried; place < chooser.count; ++place) {
        const double value = averages->value(chooser.moves[place]);
        if (value > best_value) {
            best = place;
            best_value = value;
        }
    }
    return best;
}

std::optional<std::uint32_t> Policy::pick(Tree& tree, Node& node, Chooser& chooser, machine::Random& random,
                                          const MoveAverages* averages) const {
    if (chooser.chance) {
        const std::uint32_t place = random.below(chooser.count);
        return place < chooser.tried ? place : tree.try_move(chooser, place);
    }
    const bool untried = chooser.tried < chooser.count;
    if (untried && (chooser.tried == 0 || settings_.all_first)) {
        return tree.try_move(chooser, untried_place(chooser, random, averages));
    }
    if (chooser.amaf != nullptr) return pick_by_amaf(tree, node, chooser);
    const auto weight = static_cast<float>(factor(node));
    if (node.chooser_count > 1) return pick_blurred(tree, node, chooser, random, weight);
    std::uint32_t best = 0;
    float best_value = chooser.keys[0].mean + weight * chooser.keys[0].width;
    for (std::uint32_t slot = 1; slot < chooser.tried; ++slot) {
        const float value = chooser.keys[slot].mean + weight * chooser.keys[slot].width;
        if (value > best_value) {
            best = slot;
            best_value = value;
        }
    }
    if (!untried) return best;
    const auto hope = static_cast<float>(node.mean(ground::index(chooser.role)) - settings_.fpu) + weight;
    if (hope <= best_value) return best;
    return tree.try_move(chooser, untried_place(chooser, random, averages)).value_or(best);
}

// Where several roles choose at once, each with the same rule would fall into step with the others and take a pattern
// of play for the value of the game. A random part of the confidence interval keeps them independent.
std::uint32_t Policy::pick_blurred(Tree& tree, Node& node, Chooser& chooser, machine::Random& random,
                                   float weight) const {
    const auto blur = [&random] { return 2 * static_cast<float>(random.next() >> 40) * 0x1p-24F; };
    std::uint32_t best = 0;
    float best_value = never;
    for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) {
        const float value = chooser.keys[slot].mean + blur() * weight * chooser.keys[slot].width;
        if (value > best_value) {
            best = slot;
            best_value = value;
        }
    }
    if (chooser.tried == chooser.count) return best;
    const auto hope = static_cast<float>(node.mean(ground::index(chooser.role)) - settings_.fpu) + 2 * weight;
    if (hope <= best_value) return best;
    return tree.try_move(chooser, untried_place(chooser, random, nullptr)).value_or(best);
}

std::optional<std::uint32_t> Policy::pick_open(Tree& tree, Node& node, Chooser& chooser,
                                               machine::Random& random) const {
    const auto weight = static_cast<float>(factor(node));
    std::optional<std::uint32_t> best;
    float best_value = never;
    for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) {
        if (chooser.arms[slot].exact()) continue;
        const float value = chooser.keys[slot].mean + weight * chooser.keys[slot].width;
        if (value > best_value) {
            best = slot;
            best_value = value;
        }
    }
    if (chooser.tried == chooser.count) return best;
    const auto hope = static_cast<float>(node.mean(ground::index(chooser.role)) - settings_.fpu) + weight;
    if (hope <= best_value) return best;
    const std::optional<std::uint32_t> slot = tree.try_move(chooser, untried_place(chooser, random, nullptr));
    return slot ? slot : best;
}

// The constant of UCB1 with the part that all arms of a state share.
double Policy::factor(const Node& node) const {
    return settings_.exploration * std::sqrt(std::log(static_cast<double>(node.visits) + node.pending + 1));
}

// RAVE (Gelly and Silver, 2007): the mean of an arm and its all-moves-as-first value, the latter fading with visits.
std::optional<std::uint32_t> Policy::pick_by_amaf(Tree& tree, Node& node, Chooser& chooser) const {
    const double weight = factor(node);
    const double parent = node.mean(ground::index(chooser.role));
    std::uint32_t best = 0;
    double best_value = -std::numeric_limits<double>::infinity();
    for (std::uint32_t place = 0; place < chooser.count; ++place) {
        const Amaf& amaf = chooser.amaf[place];
        const bool tried = place < chooser.tried;
        const double visits = tried ? chooser.arms[place].visits : 0;
        const double beta =
            amaf.visits == 0 ? 0 : std::sqrt(settings_.rave_equivalence / (3 * visits + settings_.rave_equivalence));
        const double mean = tried ? chooser.keys[place].mean : parent - settings_.fpu;
        const double all = amaf.visits == 0 ? 0 : static_cast<double>(amaf.sum) / amaf.visits;
        const double value = (1 - beta) * mean + beta * all + weight * (tried ? chooser.keys[place].width : 1.0F);
        if (value > best_value && mean != static_cast<double>(never)) {
            best = place;
            best_value = value;
        }
    }
    if (best < chooser.tried) return best;
    return tree.try_move(chooser, best);
}

}  // namespace stratagem::search::uct
