#include "search/uct/solver.h"

#include <algorithm>

namespace stratagem::search::uct {

using ground::index;

namespace {

constexpr std::uint64_t joint_limit = 1024;  // joint moves of a state that are looked through for a proof

}  // namespace

void Solver::see_end(const Node& node) {
    if (!rivals_) return;
    const float sum = node.roles[index(rivals_->first)].lo + node.roles[index(rivals_->second)].lo;
    if (!sum_) sum_ = sum;
    if (*sum_ != sum) {
        rivals_.reset();
        forget();
    }
}

void Solver::forget() {
    tree_.for_each([this](Node& node) {
        if (node.terminal || node.roles == nullptr) return;
        node.exact = false;
        node.distance = 0;
        for (std::size_t role = 0; role < tree_.role_count(); ++role) {
            node.roles[role].lo = trivial(role).lo;
            node.roles[role].hi = trivial(role).hi;
        }
        for (Chooser& chooser : node.choosing()) {
            for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) {
                chooser.arms[slot].lo = trivial(index(chooser.role)).lo;
                chooser.arms[slot].hi = trivial(index(chooser.role)).hi;
            }
            policy_.refresh_all(node, chooser);
        }
    });
}

bool Solver::update(Node& node, std::span<const std::uint32_t> slots, const Node& child, bool child_changed) {
    if (node.chooser_count == 1) {
        Chooser& chooser = node.choosers[0];
        Arm& arm = chooser.arms[slots[0]];
        const RolePart& part = child.roles[index(chooser.role)];
        if (part.lo > arm.lo || part.hi < arm.hi) {
            arm.lo = std::max(arm.lo, part.lo);
            arm.hi = std::min(arm.hi, part.hi);
            child_changed = true;
        }
    }
    return child_changed && recompute(node);
}

// The only chooser: all other roles can do nothing here.
void Solver::by_single(const Chooser& chooser) {
    const bool complete = chooser.tried == chooser.count;
    const std::size_t own = index(chooser.role);
    for (std::size_t role = 0; role < work_.size(); ++role) {
        Bounds& bounds = work_[role];
        if (role != own && !complete) continue;
        float lo = role == own ? bounds.lo : trivial(role).hi;
        float hi = complete ? trivial(role).lo : bounds.hi;
        for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) {
            const Arm& arm = chooser.arms[slot];
            Bounds below = role == own ? Bounds{arm.lo, arm.hi} : trivial(role);
            if (role != own && arm.child != nullptr && arm.child != tree_.busy()) {
                below = {arm.child->roles[role].lo, arm.child->roles[role].hi};
            }
            lo = role == own ? std::max(lo, below.lo) : std::min(lo, below.lo);
            hi = complete ? std::max(hi, below.hi) : hi;
        }
        bounds = {std::max(bounds.lo, lo), std::min(bounds.hi, hi)};
    }
}

void Solver::by_chance(const Chooser& chooser) {
    if (chooser.tried < chooser.count) return;
    for (std::size_t role = 0; role < work_.size(); ++role) {
        double lo = 0;
        double hi = 0;
        for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) {
            const Node* const child = chooser.arms[slot].child;
            const bool known = child != nullptr && child != tree_.busy();
            lo += known ? child->roles[role].lo : trivial(role).lo;
            hi += known ? child->roles[role].hi : trivial(role).hi;
        }
        work_[role].lo = std::max(work_[role].lo, static_cast<float>(lo / chooser.count));
        work_[role].hi = std::min(work_[role].hi, static_cast<float>(hi / chooser.count));
    }
}

// Several choosers, or none: over all joint moves, if they are few.
void Solver::by_joint(const Node& node) {
    std::uint64_t joints = 1;
    for (const Chooser& chooser : node.choosing()) {
        if (chooser.tried < chooser.count) return;
        joints *= chooser.count;
        if (joints > joint_limit) return;
    }
    // Bounds of each arm start from the wrong side and are filled while going through the joint moves.
    for (const Chooser& chooser : node.choosing()) {
        for (std::uint32_t slot = 0; slot < chooser.count; ++slot) {
            chooser.arms[slot].lo = trivial(index(chooser.role)).hi;
            chooser.arms[slot].hi = trivial(index(chooser.role)).lo;
        }
    }
    std::vector<Bounds> outside(work_.size());  // of roles that do not choose
    for (std::size_t role = 0; role < work_.size(); ++role) outside[role] = {trivial(role).hi, trivial(role).lo};
    slots_.assign(node.chooser_count, 0);
    for (std::uint64_t number = 0; number < joints; ++number) {
        const Node* const child = tree_.child(node, slots_);
        const bool known = child != nullptr && child != tree_.busy();
        for (std::size_t role = 0; role < work_.size(); ++role) {
            const Bounds below = known ? Bounds{child->roles[role].lo, child->roles[role].hi} : trivial(role);
            outside[role] = {std::min(outside[role].lo, below.lo), std::max(outside[role].hi, below.hi)};
        }
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            const std::size_t role = index(node.choosers[i].role);
            Arm& arm = node.choosers[i].arms[slots_[i]];
            const Bounds below = known ? Bounds{child->roles[role].lo, child->roles[role].hi} : trivial(role);
            arm.lo = std::min(arm.lo, below.lo);
            arm.hi = std::max(arm.hi, below.hi);
        }
        for (std::size_t i = slots_.size(); i-- > 0 && ++slots_[i] == node.choosers[i].count;) slots_[i] = 0;
    }
    for (std::size_t role = 0; role < work_.size(); ++role) {
        work_[role] = {std::max(work_[role].lo, outside[role].lo), std::min(work_[role].hi, outside[role].hi)};
    }
    for (const Chooser& chooser : node.choosing()) {
        if (chooser.chance) continue;
        Bounds& bounds = work_[index(chooser.role)];
        for (std::uint32_t slot = 0; slot < chooser.count; ++slot)
            bounds.lo = std::max(bounds.lo, chooser.arms[slot].lo);
    }
}

bool Solver::recompute(Node& node) {
    work_.resize(tree_.role_count());
    for (std::size_t role = 0; role < work_.size(); ++role) work_[role] = {node.roles[role].lo, node.roles[role].hi};
    if (node.chooser_count == 1) {
        const Chooser& chooser = node.choosers[0];
        if (chooser.chance) {
            by_chance(chooser);
        } else {
            by_single(chooser);
        }
    } else {
        by_joint(node);
    }
    if (rivals_ && sum_) {
        Bounds& first = work_[index(rivals_->first)];
        Bounds& second = work_[index(rivals_->second)];
        // What one is sure of the other cannot get: all ends that make it sure are in the tree, and add up. The other
        // way round, who cannot get more leaves the rest to the other, something is said of ends outside the tree
        // where goal values have another range than the sum has room for: then it is not used.
        const bool shared = *sum_ - trivial(index(rivals_->second)).hi <= trivial(index(rivals_->first)).lo &&
                            *sum_ - trivial(index(rivals_->first)).hi <= trivial(index(rivals_->second)).lo;
        if (shared) {
            first = {std::max(first.lo, *sum_ - second.hi), std::min(first.hi, *sum_ - second.lo)};
            second = {std::max(second.lo, *sum_ - first.hi), std::min(second.hi, *sum_ - first.lo)};
        } else {
            first.hi = std::min(first.hi, *sum_ - second.lo);
            second.hi = std::min(second.hi, *sum_ - first.lo);
        }
    }
    bool changed = false;
    bool exact = true;
    for (std::size_t role = 0; role < work_.size(); ++role) {
        RolePart& part = node.roles[role];
        changed |= work_[role].lo > part.lo || work_[role].hi < part.hi;
        part.lo = work_[role].lo;
        part.hi = std::max(work_[role].hi, work_[role].lo);
        exact &= part.lo == part.hi || tree_.options().chance[role];
    }
    if (changed) {
        refresh_arms(node);
        if (exact && !node.exact) set_distance(node);
        node.exact = exact;
    }
    return changed;
}

void Solver::refresh_arms(Node& node) {
    for (Chooser& chooser : node.choosing()) policy_.refresh_all(node, chooser);
}

// Who has the best end there is goes the shortest way to it, who has the worst the longest: along exact values the
// distance falls with each move, so that a proved win is really brought home.
void Solver::set_distance(Node& node) const {
    std::uint32_t least = 0xFFFF;
    std::uint32_t most = 0;
    const auto see = [&](const Node* child) {
        if (child == nullptr || child == tree_.busy() || !child->exact) return;
        least = std::min<std::uint32_t>(least, child->distance);
        most = std::max<std::uint32_t>(most, child->distance);
    };
    bool lost = false;
    if (node.chooser_count == 1) {
        const Chooser& chooser = node.choosers[0];
        const RolePart& part = node.roles[index(chooser.role)];
        lost = chooser.chance || part.hi <= trivial(index(chooser.role)).lo;
        for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) {
            if (chooser.arms[slot].lo >= part.lo || lost) see(chooser.arms[slot].child);
        }
    } else if (node.joint) {
        for (const auto& [number, child] : *node.joint) see(child);
    }
    node.distance = static_cast<std::uint16_t>(std::min<std::uint32_t>(0xFFFE, (lost ? most : least)) + 1);
}

}  // namespace stratagem::search::uct
