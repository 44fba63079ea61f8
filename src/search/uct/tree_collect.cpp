// Finding out which states of a tree can still come up, and whether all of it is in order.
#include <algorithm>
#include <bit>

#include "search/uct/tree.h"

namespace stratagem::search::uct {

std::size_t Tree::bytes_of(const Node& node) const {
    std::size_t bytes = sizeof(Node) + state_bytes(node.state) + role_count() * sizeof(RolePart) + Memory::overhead;
    if (node.choosers != nullptr) bytes += node.block_bytes + Memory::overhead;
    for (const Chooser& chooser : node.choosing()) bytes += arms_bytes(chooser.capacity) + Memory::overhead;
    if (node.joint) bytes += node.joint->size() * joint_entry_bytes;
    return bytes;
}

// Marks with a new epoch; edges to nodes below the threshold are cut. False when stopped: what was marked before is
// alive all the same, since live_from_ stays where it was.
bool Tree::mark_from(Node& root, std::uint32_t threshold, const machine::Stop& stop,
                     std::vector<std::size_t>* histogram) {
    constexpr std::size_t nodes_between_looks = 1024;
    const std::uint32_t epoch = ++epoch_;
    stack_.assign(1, &root);
    root.mark = epoch;
    std::size_t marked = 0;
    const auto follow = [&](Node*& child) {
        if (child == nullptr || child == busy_.get()) return;
        if (child->visits < threshold && child->pending == 0) {
            child = nullptr;
        } else if (child->mark != epoch) {
            child->mark = epoch;
            stack_.push_back(child);
        }
    };
    while (!stack_.empty()) {
        if (++marked % nodes_between_looks == 0 && stop.now()) return false;
        Node& node = *stack_.back();
        stack_.pop_back();
        if (histogram != nullptr) (*histogram)[static_cast<std::size_t>(std::bit_width(node.visits))] += bytes_of(node);
        if (node.chooser_count <= 1) {
            for (Chooser& chooser : node.choosing()) {
                for (std::uint32_t i = 0; i < chooser.tried; ++i) follow(chooser.arms[i].child);
            }
        }
        if (!node.joint) continue;
        for (auto place = node.joint->begin(); place != node.joint->end();) {
            follow(place->second);
            if (place->second == nullptr) {
                place = node.joint->erase(place);
                memory_.refund(joint_entry_bytes);
            } else {
                ++place;
            }
        }
    }
    return true;
}

bool Tree::collect(Node& root, double share, const machine::Stop& stop) {
    while (sweep_one()) {
        // What the last collection left must be gone before marks mean something else.
        if (stop.now()) return false;
    }
    std::vector<std::size_t> histogram(33, 0);
    if (!mark_from(root, 0, stop, &histogram)) return false;
    live_from_ = epoch_;
    std::size_t kept = 0;
    std::size_t level = histogram.size();
    while (level > 0 &&
           static_cast<double>(kept + histogram[level - 1]) < share * static_cast<double>(memory_.limit())) {
        kept += histogram[--level];
    }
    // Level l holds visits from 2^(l-1) on. The marks of the first pass will do if the second is stopped.
    if (level > 0) {
        const std::uint32_t threshold = level > 31 ? 0xFFFFFFFFU : std::uint32_t{1} << (level - 1);
        if (mark_from(root, std::max(threshold, 1U), stop, nullptr)) live_from_ = epoch_;
    }
    sweep_ = 0;
    sweep_end_ = made_;
    return true;
}

bool Tree::is_consistent(const Node& root) const {
    std::vector<const Node*> open{&root};
    std::unordered_map<const Node*, bool> seen{{&root, true}};
    const auto follow = [&](const Node* child) {
        if (child == nullptr) return true;
        if (child == busy_.get() || !is_live(*child)) return false;
        if (seen.try_emplace(child, true).second) open.push_back(child);
        return true;
    };
    while (!open.empty()) {
        const Node& node = *open.back();
        open.pop_back();
        if (node.pending != 0 || node.roles == nullptr) return false;
        for (std::size_t role = 0; role < role_count(); ++role) {
            const RolePart& part = node.roles[role];
            if (part.lo > part.hi || part.sum < -1e-6 || part.sum > node.visits + 1e-6) return false;
        }
        for (const Chooser& chooser : node.choosing()) {
            if (chooser.tried > chooser.count || chooser.tried > chooser.capacity) return false;
            std::uint64_t visits = 0;
            for (std::uint32_t i = 0; i < chooser.tried; ++i) {
                const Arm& arm = chooser.arms[i];
                if (arm.pending != 0 || arm.lo > arm.hi || arm.sum > arm.visits + 1e-6) return false;
                visits += arm.visits;
                if (node.chooser_count == 1 && !follow(arm.child)) return false;
            }
            if (visits > node.visits) return false;
        }
        if (!node.joint) continue;
        for (const auto& [number, child] : *node.joint) {
            if (!follow(child)) return false;
        }
    }
    return true;
}

}  // namespace stratagem::search::uct
