// The part of a worker that needs a machine and not the tree: states behind moves, and games from them.
#include <algorithm>
#include <tuple>

#include "search/uct/worker.h"

namespace stratagem::search::uct {

using ground::index;

namespace {

// Games that wait for a lane when others are called for, in times the lanes there are: some for every phase.
constexpr double waiting_least = 0.125;

}  // namespace

// A machine goes fastest from a state to one like it, so leaves of the same line are taken one after the other.
void Worker::expand_all(const Stop& stop) {
    std::ranges::sort(fresh_, [this](std::uint32_t a, std::uint32_t b) {
        return std::tie(visits_[a].slots, a) < std::tie(visits_[b].slots, b);
    });
    for (const std::uint32_t i : fresh_) {
        if (stop.now()) return;
        if (visits_[i].fresh || visits_[i].opens) expand(visits_[i]);
    }
}

// The state behind the last move. Reads nothing of the tree but states of nodes that stay while visits are pending.
void Worker::expand(Visit& visit) {
    if (visit.opens) {
        look(visit.leaf->state, visit.opening);
        if (visit.opening.terminal) {
            visit.goals = visit.opening.goals;
            visit.over = true;
            set_values(visit, visit.goals);
            return;
        }
        if (shared_.settings.evaluator == EvaluatorUse::prior) add_priors(visit.leaf->state, visit.opening);
        if (statistics_.samples > 0) order_moves(visit.opening);
        choose_first(visit);
        machine_->next(visit.leaf->state, visit.joint, visit.state);
    } else {
        machine_->next(visit.path.back().node->state, visit.joint, visit.state);
    }
    if (needs_playouts_ || !machine_->terminal(visit.state)) return;
    // Where playouts do not find out, the machine must say whether the game is over.
    visit.goals.resize(roles_);
    for (std::uint32_t role = 0; role < roles_; ++role) {
        visit.goals[role] = machine_->goal(visit.state, Role{role}).value_or(0);
    }
    visit.over = true;
    set_values(visit, visit.goals);
}

// In a state visited for the second time nothing is known of any move.
void Worker::choose_first(Visit& visit) {
    const Opening& opening = visit.opening;
    visit.joint.resize(roles_);
    for (std::uint32_t role = 0; role < roles_; ++role) {
        const std::vector<Move>& legal = opening.legal[role];
        std::size_t best = random_.below(static_cast<std::uint32_t>(legal.size()));
        if (legal.size() > 1 && !shared_.tree.options().chance[role]) {
            if (opening.priors.size() == legal.size()) {
                best = static_cast<std::size_t>(std::ranges::max_element(opening.priors) - opening.priors.begin());
            } else if (opening.ordered) {
                best = 0;
            } else if (shared_.settings.mast) {
                for (std::size_t i = 0; i < legal.size(); ++i) {
                    if (averages_.value(legal[i]) > averages_.value(legal[best])) best = i;
                }
            }
        }
        visit.joint[role] = legal[best];
    }
}

// Moves that did well in playouts first, wherever they were made (progressive history; Nijssen and Winands, 2010).
void Worker::order_moves(Opening& opening) const {
    opening.ordered = opening.priors.empty();
    if (!opening.ordered) return;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        std::ranges::stable_sort(opening.legal[role], std::greater<>(),
                                 [this](Move move) { return statistics_.move_mean(move); });
    }
}

// What an evaluator thinks of every move, where one role decides.
void Worker::add_priors(const State& state, Opening& opening) {
    std::optional<std::uint32_t> chooser;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (opening.legal[role].size() < 2) continue;
        if (chooser || shared_.tree.options().chance[role]) return;
        chooser = role;
    }
    if (!chooser) return;
    const Role own{*chooser};
    std::vector<Move> joint(roles_);
    for (std::uint32_t role = 0; role < roles_; ++role) joint[role] = opening.legal[role].front();
    for (const Move move : opening.legal[*chooser]) {
        joint[*chooser] = move;
        machine_->next(state, joint, state_);
        const double value =
            machine_->terminal(state_) ? machine_->goal(state_, own).value_or(0) : opinions_->value(state_, own);
        opening.priors.push_back(scaled(*chooser, value));
    }
}

// The node gets its moves, unless another visit was faster, and the visit goes on by the move it chose. False where
// memory is spent: then it ends at the node.
bool Worker::link_opened(Visit& visit) {
    Node& node = *visit.leaf;
    if (!node.opened && !shared_.tree.open(node, visit.opening)) return false;
    slots_.clear();
    for (Chooser& chooser : node.choosing()) {
        const std::optional<std::uint32_t> slot = shared_.tree.slot_of(chooser, visit.joint[index(chooser.role)]);
        if (!slot) return false;
        slots_.push_back(*slot);
    }
    for (Chooser& chooser : node.choosing()) shared_.policy.refresh_all(node, chooser);
    take_step(visit, node);
    --node.pending;  // of the leaf; the step has its own
    visit.leaf = nullptr;
    return true;
}

// The new state gets its node, or the one it has already.
void Worker::link(Job& job, Visit& visit) {
    if (visit.opens) {
        visit.opens = false;
        if (visit.over && visit.opening.terminal) return;  // the leaf itself is an end of the game
        if (!link_opened(visit)) {
            visit.over = false;  // that was the state behind the leaf, which has no node
            return;
        }
    }
    Node& parent = *visit.path.back().node;
    const std::span<const std::uint32_t> slots = slots_of(visit, visit.path.size() - 1);
    Node* node = visit.fresh ? nullptr : shared_.tree.child(parent, slots);
    visit.fresh = false;
    if (node == shared_.tree.busy()) return;  // another visit has the same move: this one only adds its games
    if (node == nullptr && shared_.settings.transpositions) node = shared_.tree.find(visit.state);
    if (node == nullptr) {
        node = shared_.tree.make(visit.state);
        if (node != nullptr) ++job.created;
    } else if (node->visits > 0 && !visit.known) {
        // What is known of the state is worth more than a few games.
        visit.values.resize(roles_);
        for (std::uint32_t role = 0; role < roles_; ++role) {
            visit.values[role] = node->exact ? scaled(role, double{node->roles[role].lo}) : node->mean(role);
        }
        visit.known = true;
    }
    shared_.tree.set_child(parent, slots, node);
    visit.leaf = node;
    if (node != nullptr) ++node->pending;
}

void Worker::set_values(Visit& visit, std::span<const double> goals) const {
    visit.values.resize(roles_);
    for (std::uint32_t role = 0; role < roles_; ++role) visit.values[role] = scaled(role, goals[role]);
    visit.known = true;
}

void Worker::play(Job& job) {
    const bool judged = shared_.settings.evaluator == EvaluatorUse::leaf;
    if (!needs_playouts_) {
        for (const std::uint32_t number : fresh_) {
            Visit& visit = visits_[number];
            if (!visit.known) visit.values.assign(roles_, 0.5);
            ready_.push_back(number);
        }
    } else if (playouts_) {
        play_stream(job);
    } else {
        play_single(job);
    }
    fresh_.clear();
    for (const std::uint32_t number : ready_) {
        if (judged && !visits_[number].known) blend(visits_[number]);
    }
}

// Games of leaves that are not done when the search stops count for nothing: the first to end are the short ones.
void Worker::play_stream(Job& job) {
    for (const std::uint32_t number : fresh_) {
        Visit& visit = visits_[number];
        if (visit.known) {
            ready_.push_back(number);
            continue;
        }
        visit.games = static_cast<std::uint32_t>(playouts_each_);
        games_flying_ += visit.games;
        playouts_->add(number, visit.start(), visit.games);
    }
    if (games_flying_ == 0) return;
    const double before = busy_seconds();
    if (leaves_since_ > 0) learn_cost(leaf_cost_, (before - tree_since_) / static_cast<double>(leaves_since_));
    const bool more = !job.done.load(std::memory_order_relaxed);
    const auto least = static_cast<std::size_t>(waiting_least * static_cast<double>(playouts_->batch()));
    playouts_->advance(more ? least : 0, job.budget.stop);
    tree_since_ = busy_seconds();
    leaves_since_ = 0;
    std::uint64_t games = 0;
    for (const machine::Playouts::Done& answer : playouts_->done()) {
        Visit& visit = visits_[answer.ticket];
        take(visit, answer.result);
        ready_.push_back(answer.ticket);
        games += visit.games;
    }
    games_flying_ -= games;
    if (games > 0) learn_cost(playout_cost_, (tree_since_ - before) / static_cast<double>(games));
    const std::lock_guard hold(shared_.lock);
    job.playouts += games;
}

void Worker::take(Visit& visit, const machine::PlayoutResult& result) const {
    visit.goals.assign(roles_, 0);
    visit.values.resize(roles_);
    const bool unknown = result.finished == 0 && result.stuck == 0;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        if (result.finished > 0) visit.goals[role] = result.mean(role);
        visit.values[role] = unknown ? 0.5 : scaled(role, visit.goals[role]);
    }
    visit.over = visit.known = result.steps == 0;
}

void Worker::play_single(Job& job) {
    for (const std::uint32_t number : fresh_) {
        Visit& visit = visits_[number];
        if (!visit.known) {
            visit.values.assign(roles_, 0.5);
            if (games_.play(visit.start(), random_, job.budget.stop)) {
                visit.goals = games_.goals();
                set_values(visit, visit.goals);
                visit.over = visit.known = games_.steps() == 0 && games_.ended();
                visit.game = games_.moves();
            } else if (job.budget.stop.now()) {
                return;
            }
            const std::lock_guard hold(shared_.lock);
            ++job.playouts;
        }
        ready_.push_back(number);
    }
}

void Worker::blend(Visit& visit) {
    const double weight = shared_.settings.evaluator_weight;
    for (std::uint32_t role = 0; role < roles_; ++role) {
        const double thought = scaled(role, opinions_->value(visit.start(), Role{role}));
        visit.values[role] = (1 - weight) * visit.values[role] + weight * thought;
    }
}

}  // namespace stratagem::search::uct
