// Carrying results up the tree, and taking back visits that came to nothing.
#include "search/uct/worker.h"

namespace stratagem::search::uct {

using ground::index;

// The results are there.
void Worker::finish(Visit& visit) {
    if (visit.over && visit.leaf != nullptr && !visit.leaf->terminal) {
        shared_.tree.settle(*visit.leaf, visit.goals);
        if (shared_.settings.solver) shared_.solver.see_end(*visit.leaf);
    }
    back_up(visit);
}

void Worker::back_up(Visit& visit) {
    const bool solving = shared_.settings.solver;
    bool changed = false;
    Node* child = visit.leaf;
    const double* values = visit.values.data();
    if (child != nullptr) {
        --child->pending;
        ++child->visits;
        for (std::size_t role = 0; role < roles_; ++role) child->roles[role].sum += values[role];
        changed = child->exact;
    }
    for (std::size_t step = visit.path.size(); step-- > 0;) {
        Node& node = *visit.path[step].node;
        const std::span<const std::uint32_t> slots = slots_of(visit, step);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            Arm& arm = node.choosers[i].arms[slots[i]];
            --arm.pending;
            ++arm.visits;
            arm.sum += values[index(node.choosers[i].role)];
        }
        if (const std::optional<std::uint32_t> better = visit.path[step].better) values = visit.better.data() + *better;
        --node.pending;
        ++node.visits;
        for (std::size_t role = 0; role < roles_; ++role) node.roles[role].sum += values[role];
        if (solving && child != nullptr) changed = shared_.solver.update(node, slots, *child, changed);
        for (std::size_t i = 0; i < slots.size(); ++i) shared_.policy.refresh(node, node.choosers[i], slots[i]);
        child = &node;
    }
    if (shared_.settings.mast || shared_.settings.rave) back_up_moves(visit);
}

// All moves of the game, in the tree and after it. Going up from the end, a node learns of every move made below it.
void Worker::back_up_moves(const Visit& visit) {
    ++seen_stamp_;
    const auto see = [this](Move move) {
        if (index(move) >= seen_.size()) seen_.resize(index(move) + 1, 0);
        seen_[index(move)] = seen_stamp_;
    };
    for (std::size_t i = 0; i < visit.game.size(); ++i) {
        see(visit.game[i]);
        if (shared_.settings.mast) averages_.add(visit.game[i], visit.values[i % roles_]);
    }
    for (std::size_t step = visit.path.size(); step-- > 0;) {
        Node& node = *visit.path[step].node;
        const std::span<const std::uint32_t> slots = slots_of(visit, step);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const Chooser& chooser = node.choosers[i];
            const double value = visit.values[index(chooser.role)];
            see(chooser.moves[slots[i]]);
            if (shared_.settings.mast) averages_.add(chooser.moves[slots[i]], value);
            if (chooser.amaf == nullptr) continue;
            for (std::uint32_t place = 0; place < chooser.count; ++place) {
                const std::uint32_t move = index(chooser.moves[place]);
                if (move >= seen_.size() || seen_[move] != seen_stamp_) continue;
                chooser.amaf[place].sum += static_cast<float>(value);
                ++chooser.amaf[place].visits;
            }
        }
    }
}

// As if the visit had never set out.
void Worker::undo(Visit& visit) {
    if (visit.fresh) {
        shared_.tree.set_child(*visit.path.back().node, slots_of(visit, visit.path.size() - 1), nullptr);
    }
    if (visit.leaf != nullptr) --visit.leaf->pending;
    for (std::size_t step = visit.path.size(); step-- > 0;) {
        Node& node = *visit.path[step].node;
        const std::span<const std::uint32_t> slots = slots_of(visit, step);
        --node.pending;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            --node.choosers[i].arms[slots[i]].pending;
            shared_.policy.refresh(node, node.choosers[i], slots[i]);
        }
    }
}

void Worker::undo_all() {
    if (playouts_) playouts_->clear();
    games_flying_ = 0;
    fresh_.clear();
    const std::lock_guard hold(shared_.lock);
    finish_ready();
    for (std::uint32_t number = 0; number < visits_.size(); ++number) {
        if (!visits_[number].active) continue;
        undo(visits_[number]);
        visits_[number].active = false;
        unused_.push_back(number);
    }
}

}  // namespace stratagem::search::uct
