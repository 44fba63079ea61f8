// What the threads of a search share: one tree, how to select in it and what is proved about it, under one lock.
//
// Threads hold the lock for as long as they walk; making states, asking for legal moves and playing games happen
// outside of it. Visits on their way count as losses in part, which sends other walks elsewhere (virtual loss; Chaslot,
// Winands and van den Herik, "Parallel Monte-Carlo tree search", 2008).
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "evaluate/evaluator.h"
#include "search/search.h"
#include "search/uct/solver.h"

namespace stratagem::search::uct {

// One search from one root, by all threads together.
struct Job {
    Node* root = nullptr;
    Role role{};
    Budget budget;

    // Under the lock.
    std::uint64_t started = 0;  // walks, bounded by budget.max_nodes
    std::uint64_t created = 0;
    std::uint64_t playouts = 0;
    std::uint32_t depth = 0;
    std::string fault;
    bool full = false;  // looking for memory took too long: the tree stays as it is

    std::atomic<bool> done = false;

    bool proved() const {
        const RolePart& own = root->roles[ground::index(role)];
        return own.lo == own.hi;
    }
};

// No more than a part of the time there is left, for what helps only if it is short.
inline Stop part_of(const Stop& stop) {
    if (stop.deadline.is_never()) return stop;
    return {Deadline::earlier(stop.deadline, Deadline::after(stop.deadline.remaining() / 5)), stop.flag};
}

struct SharedTree {
    SharedTree(const Settings& chosen, TreeOptions options, std::vector<Scale> scales,
               std::optional<std::pair<Role, Role>> rivals, std::shared_ptr<const evaluate::Evaluator> judge)
        : settings(chosen),
          tree(std::move(options)),
          policy(settings, std::move(scales)),
          solver(tree, policy, rivals),
          evaluator(std::move(judge)) {}

    const Settings settings;
    std::mutex lock;
    Tree tree;  // under the lock, apart from states of nodes with pending visits
    Policy policy;
    Solver solver;                                         // under the lock
    std::uint32_t walks = 0;                               // under the lock: number of the last walk
    std::shared_ptr<const evaluate::Evaluator> evaluator;  // null where none is used
};

}  // namespace stratagem::search::uct
