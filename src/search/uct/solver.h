// What is proved about states: bounds on the value for each role, carried from the ends of games towards the root.
//
// Bounds on both sides, as in Cazenave and Saffidine, "Score bounded Monte-Carlo tree search" (2010), rather than the
// win or loss of MCTS-Solver (Winands, Björnsson and Saito, 2008), since goal values need not be 0, 50 and 100:
//   lo  what the role is sure to get, whatever the others do: the best of its own moves, the worst of theirs
//   hi  what it can get at most: the best over all moves; and between two rivals that share a constant sum, what the
//       other one is not sure of
// At a move of chance both are averages. This holds for any game, turn-taking or not. Where the sum of two rivals was
// only observed to be constant, every end in the tree is checked, and a single exception throws the proofs away.
#pragma once

#include <optional>
#include <utility>

#include "search/uct/policy.h"
#include "search/uct/tree.h"

namespace stratagem::search::uct {

class Solver {
  public:
    // `rivals`: the two roles whose goal values are believed to add up to the same at every end.
    Solver(Tree& tree, const Policy& policy, std::optional<std::pair<Role, Role>> rivals)
        : tree_(tree), policy_(policy), rivals_(std::move(rivals)) {}

    // A terminal state entered the tree.
    void see_end(const Node& node);
    // The state behind a joint move may have got better bounds. Returns whether the node got better ones from it.
    bool update(Node& node, std::span<const std::uint32_t> slots, const Node& child, bool child_changed);

  private:
    bool recompute(Node& node);
    void by_single(const Chooser& chooser);
    void by_chance(const Chooser& chooser);
    void by_joint(const Node& node);
    void refresh_arms(Node& node);
    void set_distance(Node& node) const;
    void forget();

    struct Bounds {
        float lo = 0;
        float hi = 0;
    };
    Bounds trivial(std::size_t role) const { return {tree_.options().least[role], tree_.options().most[role]}; }

    Tree& tree_;
    const Policy& policy_;
    std::optional<std::pair<Role, Role>> rivals_;
    std::optional<float> sum_;  // of the rivals, once an end was seen
    std::vector<Bounds> work_;  // new bounds by role
    std::vector<std::uint32_t> slots_;
};

}  // namespace stratagem::search::uct
