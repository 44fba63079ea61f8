#include "search/uct/worker.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>

namespace stratagem::search::uct {

using ground::index;

namespace {

constexpr std::size_t longest_path = 1024;      // deeper walks end where they are
constexpr std::size_t walks_for_each_leaf = 4;  // of a round: bounds the time in states that need no playout
constexpr std::size_t collisions_in_round = 8;  // walks to a state another walk is already on its way to
constexpr double share_full = 0.95;             // of memory that calls for a collection
constexpr double share_kept = 0.6;              // after it

// The stream of games.
constexpr double playing_share = 0.75;  // of the time: the rest is for the tree
constexpr double waiting_most = 1;      // games that wait for a lane, in times the lanes there are
constexpr std::size_t untimed_playouts = 16;
constexpr std::size_t most_playouts = 64;  // from a leaf: more of them say too little

SingleGamesOptions games_options(const SharedTree& shared, evaluate::Evaluation* opinions, std::size_t max_steps) {
    const Settings& settings = shared.settings;
    SingleGamesOptions options;
    options.max_steps = max_steps;
    options.record = settings.mast || settings.rave;
    options.greedy = settings.mast ? settings.greedy : 0;
    if (settings.evaluator == EvaluatorUse::cutoff) {
        options.max_steps = settings.cutoff;
        options.opinions = opinions;
    }
    return options;
}

}  // namespace

Worker::Worker(SharedTree& shared, std::unique_ptr<machine::Machine> machine,
               std::unique_ptr<machine::Playouts> playouts, std::uint64_t seed, std::uint64_t stream,
               std::size_t max_steps)
    : shared_(shared),
      machine_(std::move(machine)),
      opinions_(shared.evaluator ? shared.evaluator->start() : nullptr),
      playouts_(std::move(playouts)),
      random_(seed, stream),
      games_(*machine_, shared.settings.mast ? &averages_ : nullptr, games_options(shared, opinions_.get(), max_steps)),
      roles_(machine_->role_count()),
      needs_playouts_(shared.settings.evaluator != EvaluatorUse::leaf || shared.settings.evaluator_weight < 1) {
    if (!playouts_) return;
    playouts_->set_max_steps(max_steps);
    if (shared.settings.history) playouts_->collect(&statistics_);
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
    return std::clamp(shared_.policy.scale(Role{role}).down(goal), 0.0, 1.0);
}

std::span<const std::uint32_t> Worker::slots_of(const Visit& visit, std::size_t step) const {
    const Step& at = visit.path[step];
    return std::span(visit.slots).subspan(at.first_slot, at.node->chooser_count);
}

// From each leaf as many playouts as keep the tree's share of the time small, and as many leaves as fill the lanes. A
// small tree has no use for many leaves at once; then each gets more playouts.
Worker::Shape Worker::shape(const Job& job) const {
    if (!playouts_) return {};
    const Settings& settings = shared_.settings;
    const std::size_t lanes = playouts_->batch();
    const auto games = static_cast<std::size_t>(waiting_most * static_cast<double>(lanes));
    double wanted = untimed_playouts;
    if (timed_ && playout_cost_ > 0) wanted = leaf_cost_ / playout_cost_ * playing_share / (1 - playing_share);
    Shape result;
    result.playouts = std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(wanted)), 1, most_playouts);
    const std::size_t flying = visits_.size() - unused_.size();
    const std::size_t useful = settings.leaves > 0 ? settings.leaves : 4 + job.root->visits / 4;
    if (useful * result.playouts < lanes) result.playouts = std::clamp(lanes / useful, result.playouts, most_playouts);
    if (settings.playouts > 0) result.playouts = settings.playouts;
    const std::size_t room = games > playouts_->waiting() ? games - playouts_->waiting() : 0;
    result.leaves = std::min(useful > flying ? useful - flying : 0, room / result.playouts + 1);
    return result;
}

void Worker::take_step(Visit& visit, Node& node) {
    visit.path.push_back({&node, static_cast<std::uint32_t>(visit.slots.size())});
    visit.slots.insert(visit.slots.end(), slots_.begin(), slots_.end());
    ++node.pending;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        ++node.choosers[i].arms[slots_[i]].pending;
        shared_.policy.refresh(node, node.choosers[i], slots_[i]);
    }
}

// A move for each chooser of the node, in slots_; false where memory is spent.
bool Worker::pick(Job& job, Visit& visit, Node& node) {
    const Settings& settings = shared_.settings;
    slots_.clear();
    std::optional<std::uint32_t> better;
    for (Chooser& chooser : node.choosing()) {
        std::optional<std::uint32_t> slot =
            shared_.policy.pick(shared_.tree, node, chooser, random_, settings.mast ? &averages_ : nullptr);
        if (!slot) return false;
        const Node* const child = node.chooser_count == 1 ? chooser.arms[*slot].child : nullptr;
        if (settings.solver && !chooser.chance && child != nullptr && child->exact) {
            // Its value is known, so the visit goes where something can still be learned; what the node is worth to
            // those above it is the known value all the same.
            const std::optional<std::uint32_t> open = shared_.policy.pick_open(shared_.tree, node, chooser, random_);
            if (open) {
                better = static_cast<std::uint32_t>(visit.better.size());
                for (std::uint32_t role = 0; role < roles_; ++role) {
                    visit.better.push_back(scaled(role, double{child->roles[role].lo}));
                }
                slot = open;
            }
        }
        slots_.push_back(*slot);
    }
    take_step(visit, node);
    visit.path.back().better = better;
    job.depth = std::max(job.depth, static_cast<std::uint32_t>(visit.path.size()));
    return true;
}

Worker::Reached Worker::walk(Job& job, Visit& visit) {
    Tree& tree = shared_.tree;
    visit.path.clear();
    visit.slots.clear();
    visit.better.clear();
    visit.game.clear();
    visit.fresh = visit.opens = visit.known = visit.over = false;
    visit.leaf = nullptr;
    ++shared_.walks;
    Node* node = job.root;
    while (true) {
        const bool settled = node->terminal || (shared_.settings.solver && node->exact && node != job.root);
        const bool seen_before = node->walk == shared_.walks;
        node->walk = shared_.walks;
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

std::uint32_t Worker::new_visit() {
    if (unused_.empty()) {
        visits_.emplace_back();
        return static_cast<std::uint32_t>(visits_.size() - 1);
    }
    const std::uint32_t number = unused_.back();
    unused_.pop_back();
    return number;
}

void Worker::gather(Job& job) {
    const Shape wanted = shape(job);
    playouts_each_ = wanted.playouts;
    std::size_t collisions = 0;
    for (std::size_t walks = 0; walks < wanted.leaves * walks_for_each_leaf && fresh_.size() < wanted.leaves; ++walks) {
        if (job.started >= job.budget.max_nodes || job.proved()) break;
        const std::uint32_t number = new_visit();
        Visit& visit = visits_[number];
        const Reached reached = walk(job, visit);
        if (reached == Reached::leaf) {
            visit.active = true;
            fresh_.push_back(number);
            ++job.started;
            continue;
        }
        unused_.push_back(number);
        if (reached == Reached::settled) {
            ++job.started;
            back_up(visit);
            continue;
        }
        undo(visit);
        if (++collisions >= collisions_in_round) break;
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
    const Tree& tree = shared_.tree;
    if (job.full || tree.sweeping()) return;
    if (static_cast<double>(tree.bytes()) < share_full * static_cast<double>(tree.bytes_limit())) return;
    job.full = !shared_.tree.collect(*job.root, share_kept, part_of(job.budget.stop));
}

// Under the lock.
void Worker::finish_ready() {
    for (const std::uint32_t number : ready_) {
        finish(visits_[number]);
        visits_[number].active = false;
        unused_.push_back(number);
    }
    ready_.clear();
}

void Worker::round(Job& job) {
    {
        const std::lock_guard hold(shared_.lock);
        finish_ready();
        make_room(job);
        gather(job);
        if (job.started >= job.budget.max_nodes || job.proved()) job.done.store(true, std::memory_order_relaxed);
    }
    if (fresh_.empty() && games_flying_ == 0) std::this_thread::yield();  // to whoever works on the states we wait for
    expand_all(job.budget.stop);
    if (job.budget.stop.now()) return;
    {
        const std::lock_guard hold(shared_.lock);
        for (const std::uint32_t number : fresh_) {
            if (visits_[number].fresh || visits_[number].opens) link(job, visits_[number]);
        }
    }
    leaves_since_ += fresh_.size();
    play(job);
}

// What is under way comes to its end; nothing new is begun.
void Worker::drain(Job& job) {
    while (!job.budget.stop.now()) {
        {
            const std::lock_guard hold(shared_.lock);
            finish_ready();
            if (job.proved()) return;
        }
        if (games_flying_ == 0) return;
        play(job);
    }
}

void Worker::run(Job& job, const std::function<void()>& tick) {
    timed_ = job.budget.max_nodes == UINT64_MAX;
    try {
        if (opinions_) opinions_->begin_at(job.root->state);
        tree_since_ = busy_seconds();
        while (!job.done.load(std::memory_order_relaxed) && !job.budget.stop.now()) {
            round(job);
            if (tick) tick();
        }
        drain(job);
    } catch (...) {
        undo_all();
        throw;
    }
    undo_all();
}

}  // namespace stratagem::search::uct
