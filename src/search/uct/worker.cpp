#include "search/uct/worker.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>

namespace stratagem::search::uct {

using ground::index;

namespace {

constexpr std::size_t longest_path = 1024;      // deeper walks end where they are
constexpr std::size_t walks_for_each_leaf = 4;  // of a batch: bounds the time in states that need no playout
constexpr std::size_t collisions_in_batch = 8;  // walks to a state another walk is already on its way to
constexpr double share_full = 0.95;             // of memory that calls for a collection
constexpr double share_kept = 0.6;              // after it

// Shapes of batches.
constexpr double playing_share = 0.75;     // of the time: the rest is for the tree
constexpr std::size_t calls_in_batch = 4;  // so many times the lanes there are, as short games make room for others
constexpr std::size_t untimed_playouts = 16;
constexpr std::size_t most_playouts = 64;  // from a leaf: more of them say too little
constexpr double longest_call = 0.003;     // seconds

SingleGamesOptions games_options(const Forest& forest, std::size_t max_steps) {
    const Settings& settings = forest.settings;
    SingleGamesOptions options;
    options.max_steps = max_steps;
    options.record = settings.mast || settings.rave;
    options.greedy = settings.mast ? settings.greedy : 0;
    if (settings.evaluator == EvaluatorUse::cutoff) {
        options.max_steps = settings.cutoff;
        options.evaluator = forest.evaluator.get();
    }
    return options;
}

}  // namespace

Worker::Worker(Forest& forest, std::unique_ptr<machine::Machine> machine, std::unique_ptr<machine::Playouts> playouts,
               std::uint64_t seed, std::uint64_t stream, std::size_t max_steps)
    : forest_(forest),
      machine_(std::move(machine)),
      playouts_(std::move(playouts)),
      random_(seed, stream),
      games_(*machine_, forest.settings.mast ? &averages_ : nullptr, games_options(forest, max_steps)),
      roles_(machine_->role_count()),
      needs_playouts_(forest.settings.evaluator != EvaluatorUse::leaf || forest.settings.evaluator_weight < 1) {
    if (!playouts_) return;
    playouts_->set_max_steps(max_steps);
    if (forest.settings.history) playouts_->collect(&statistics_);
}

void Worker::look(const State& state, Opening& opening) {
    opening.priors.clear();
    opening.ordered = false;
    opening.goals.assign(roles_, 0);
    opening.legal.resize(roles_);
    opening.terminal = machine_->terminal(state);
    if (opening.terminal) {
        for (std::uint32_t role = 0; role < roles_; ++role) {
            opening.goals[role] = machine_->goal(state, Role{role}).value_or(0);
        }
        return;
    }
    for (std::uint32_t role = 0; role < roles_; ++role) {
        machine_->legal(state, Role{role}, opening.legal[role]);
        // Where somebody cannot move, the game is over and worth nothing to anybody.
        if (opening.legal[role].empty()) opening.terminal = true;
    }
}

double Worker::scaled(std::uint32_t role, double goal) const {
    return std::clamp(forest_.policy.scale(Role{role}).down(goal), 0.0, 1.0);
}

std::span<const std::uint32_t> Worker::slots_of(const Visit& visit, std::size_t step) const {
    const Step& at = visit.path[step];
    return std::span(visit.slots).subspan(at.first_slot, at.node->chooser_count);
}

// From each leaf as many playouts as keep the tree's share of the time small, and as many leaves as fill the lanes. A
// small tree has no use for many leaves at once.
Worker::Shape Worker::shape(const Job& job) const {
    if (!playouts_) return {};
    const Settings& settings = forest_.settings;
    const std::size_t lanes = playouts_->batch();
    std::size_t games = calls_in_batch * lanes;
    double wanted = untimed_playouts;
    if (timed_ && playout_cost_ > 0) {
        wanted = leaf_cost_ / playout_cost_ * playing_share / (1 - playing_share);
        const double fitting = longest_call / playout_cost_;
        if (fitting < static_cast<double>(games)) games = std::max(lanes / 4, static_cast<std::size_t>(fitting));
    }
    Shape result;
    result.most_playouts = most_playouts;
    result.playouts = std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(wanted)), 1, most_playouts);
    if (settings.playouts > 0) result.playouts = result.most_playouts = settings.playouts;
    result.leaves = std::max<std::size_t>(1, games / result.playouts);
    if (settings.leaves > 0) result.leaves = settings.leaves;
    result.leaves = std::min<std::size_t>(result.leaves, 4 + job.root->visits / 4);
    return result;
}

void Worker::take_step(Visit& visit, Node& node) {
    visit.path.push_back({&node, static_cast<std::uint32_t>(visit.slots.size())});
    visit.slots.insert(visit.slots.end(), slots_.begin(), slots_.end());
    ++node.pending;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        ++node.choosers[i].arms[slots_[i]].pending;
        forest_.policy.refresh(node, node.choosers[i], slots_[i]);
    }
}

// A move for each chooser of the node, in slots_; false where memory is spent.
bool Worker::pick(Job& job, Visit& visit, Node& node) {
    const Settings& settings = forest_.settings;
    slots_.clear();
    std::uint32_t better = none;
    for (Chooser& chooser : node.choosing()) {
        std::uint32_t slot =
            forest_.policy.pick(forest_.tree, node, chooser, random_, settings.mast ? &averages_ : nullptr);
        if (slot == Tree::no_slot) return false;
        const Node* const child = node.chooser_count == 1 ? chooser.arms[slot].child : nullptr;
        if (settings.solver && !chooser.chance && child != nullptr && child->exact) {
            // Its value is known, so the visit goes where something can still be learned; what the node is worth to
            // those above it is the known value all the same.
            const std::uint32_t open = forest_.policy.pick_open(forest_.tree, node, chooser, random_);
            if (open != Tree::no_slot) {
                better = static_cast<std::uint32_t>(visit.better.size());
                for (std::uint32_t role = 0; role < roles_; ++role) {
                    visit.better.push_back(scaled(role, double{child->roles[role].lo}));
                }
                slot = open;
            }
        }
        slots_.push_back(slot);
    }
    take_step(visit, node);
    visit.path.back().better = better;
    job.depth = std::max(job.depth, static_cast<std::uint32_t>(visit.path.size()));
    return true;
}

Worker::Reached Worker::walk(Job& job, Visit& visit) {
    Tree& tree = forest_.tree;
    visit.path.clear();
    visit.slots.clear();
    visit.better.clear();
    visit.game.clear();
    visit.fresh = visit.opens = visit.known = visit.over = false;
    visit.leaf = nullptr;
    ++forest_.walks;
    Node* node = job.root;
    while (true) {
        const bool settled = node->terminal || (forest_.settings.solver && node->exact && node != job.root);
        const bool seen_before = node->walk == forest_.walks;
        node->walk = forest_.walks;
        if (settled || seen_before || visit.path.size() >= std::min<std::size_t>(longest_path, job.budget.max_depth)) {
            visit.leaf = node;
            ++node->pending;
            if (!settled) return Reached::leaf;
            visit.values.resize(roles_);
            for (std::uint32_t role = 0; role < roles_; ++role) {
                visit.values[role] = scaled(role, double{node->roles[role].lo});
            }
            visit.known = true;
            return Reached::settled;
        }
        if (!node->opened) {
            visit.leaf = node;
            visit.opens = true;
            ++node->pending;
            return Reached::leaf;
        }
        if (!pick(job, visit, *node)) {
            visit.leaf = node;
            ++node->pending;
            return Reached::leaf;
        }
        Node* const child = tree.child(*node, slots_);
        if (child == tree.busy()) return Reached::collision;
        if (child == nullptr) {
            visit.joint.resize(roles_);
            for (std::size_t role = 0; role < roles_; ++role) visit.joint[role] = node->roles[role].fixed;
            for (std::size_t i = 0; i < slots_.size(); ++i) {
                visit.joint[index(node->choosers[i].role)] = node->choosers[i].moves[slots_[i]];
            }
            visit.fresh = true;
            tree.set_child(*node, slots_, tree.busy());
            return Reached::leaf;
        }
        node = child;
    }
}

void Worker::gather(Job& job) {
    shape_ = shape(job);
    std::size_t collisions = 0;
    for (std::size_t walks = 0; walks < shape_.leaves * walks_for_each_leaf && gathered_ < shape_.leaves; ++walks) {
        if (job.started >= job.budget.max_nodes || job.proved()) break;
        if (visits_.size() == gathered_) visits_.emplace_back();
        Visit& visit = visits_[gathered_];
        const Reached reached = walk(job, visit);
        if (reached == Reached::collision) {
            undo(visit);
            if (++collisions >= collisions_in_batch) break;
            continue;
        }
        ++job.started;
        if (reached == Reached::settled) {
            back_up(visit);
        } else {
            ++gathered_;
        }
    }
}

double Worker::busy_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Moving average.
void Worker::learn_cost(double& known, double cost) {
    constexpr double memory = 0.9;
    known = known == 0 ? cost : memory * known + (1 - memory) * cost;
}

void Worker::make_room(Job& job) {
    const Tree& tree = forest_.tree;
    if (job.full || tree.sweeping()) return;
    if (static_cast<double>(tree.bytes()) < share_full * static_cast<double>(tree.bytes_limit())) return;
    job.full = !forest_.tree.collect(*job.root, share_kept, part_of(job.budget.stop));
}

void Worker::run(Job& job, const std::function<void()>& tick) {
    timed_ = job.budget.max_nodes == UINT64_MAX;
    try {
        while (!job.done.load(std::memory_order_relaxed) && !job.budget.stop.now()) {
            double seconds = 0;
            const auto timed = [&seconds](const auto& work) {
                const double before = busy_seconds();
                work();
                seconds += busy_seconds() - before;
            };
            {
                const std::lock_guard hold(forest_.lock);
                timed([&] {
                    make_room(job);
                    gather(job);
                });
                if (job.started >= job.budget.max_nodes || job.proved())
                    job.done.store(true, std::memory_order_relaxed);
            }
            if (gathered_ == 0) std::this_thread::yield();  // to whoever works on the states we wait for
            timed([&] { expand_all(job.budget.stop); });
            if (job.budget.stop.now()) break;
            {
                const std::lock_guard hold(forest_.lock);
                timed([&] {
                    for (std::size_t i = 0; i < gathered_; ++i) {
                        if (visits_[i].fresh || visits_[i].opens) link(job, visits_[i]);
                    }
                });
            }
            if (!play(job)) break;
            const std::size_t leaves = gathered_;
            {
                const std::lock_guard hold(forest_.lock);
                timed([&] {
                    for (; gathered_ > 0; --gathered_) finish(visits_[gathered_ - 1]);
                });
            }
            if (leaves > 0) learn_cost(leaf_cost_, seconds / static_cast<double>(leaves));
            if (tick) tick();
        }
    } catch (...) {
        undo_all();
        throw;
    }
    undo_all();
}

}  // namespace stratagem::search::uct
