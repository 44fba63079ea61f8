// A state in the tree, and what was learned about each move in it.
//
// Statistics belong to moves, not to the states they lead to (UCT1 of Childs, Brodeur and Kocsis, "Transpositions and
// move groups in Monte Carlo tree search", 2008), which stays right when several lines lead to one state. Roles that
// choose at the same time have statistics of their own each (decoupled UCT); a role with a single move has none.
//
// Most states of a tree are visited once, so their moves are looked up when they are visited again, and an arm is made
// when its move is first tried: the untried moves of a role follow the tried ones in its list of moves. An arm never
// moves once it is made.
//
// What selection reads of an arm, its mean and the width of its confidence interval, lies apart from the rest and is
// brought up to date when a result arrives: one arm changes for the many that are looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>

#include "machine/state.h"

namespace stratagem::search::uct {

using machine::Move;
using machine::Role;
using machine::State;

struct Node;

// Bounds are in goal values, from wherever this move leads; equal ones are the exact value.
struct Arm {
    static constexpr std::uint16_t no_prior = 0xFFFF;

    double sum = 0;         // of results in [0, 1] for the role
    Node* child = nullptr;  // where the role is the only one that chooses; see Node::joint for others
    std::uint32_t visits = 0;
    std::uint16_t pending = 0;       // visits whose results are still to come
    std::uint16_t prior = no_prior;  // what an evaluator thinks of the move: 0..65534 for 0..1
    float lo = 0;
    float hi = 0;

    bool exact() const { return lo == hi; }
};

// The part selection reads: value and 1/sqrt(visits).
struct Key {
    float mean = 0;
    float width = 1;
};

// All moves as first: results of games in which the move was made later on.
struct Amaf {
    float sum = 0;
    std::uint32_t visits = 0;
};

// A role with several moves.
struct Chooser {
    Role role{};
    bool chance = false;
    bool ordered = false;        // moves are in the order in which they should be tried
    std::uint32_t count = 0;     // moves
    std::uint32_t tried = 0;     // the first of them, which have arms
    std::uint32_t capacity = 0;  // arms there is room for
    Move* moves = nullptr;
    Key* keys = nullptr;  // tried
    Arm* arms = nullptr;
    Amaf* amaf = nullptr;  // one for each move, or null where they are not kept
};

// What is known for a role, whether it chooses here or not.
struct RolePart {
    double sum = 0;  // of results in [0, 1]
    float lo = 0;    // what the role gets at least whatever the others do, and at most; goal values
    float hi = 0;
    Move fixed{};  // its move where it has only one
};

struct Node {
    State state;
    Node* next_in_bucket = nullptr;
    RolePart* roles = nullptr;
    Chooser* choosers = nullptr;
    // Where several roles choose: from the number of a joint move to the state behind it.
    std::unique_ptr<std::unordered_map<std::uint64_t, Node*>> joint;
    std::uint32_t block_bytes = 0;  // of choosers and moves
    std::uint32_t chooser_count = 0;
    std::uint32_t visits = 0;
    std::uint32_t pending = 0;
    std::uint32_t mark = 0;      // the collection that found it reachable; 0: not in use
    std::uint32_t walk = 0;      // the last walk that came by
    std::uint16_t distance = 0;  // moves to the end once the value is exact and everybody plays for it
    bool opened = false;         // the moves are known; they are asked for when the state is visited a second time
    bool terminal = false;       // or stuck
    bool exact = false;          // for every role

    // NOLINTNEXTLINE(readability-make-member-function-const): who may not change the node may not change these
    std::span<Chooser> choosing() { return {choosers, chooser_count}; }
    std::span<const Chooser> choosing() const { return {choosers, chooser_count}; }
    double mean(std::size_t role) const { return visits == 0 ? 0.5 : roles[role].sum / visits; }
};

// The number of a joint move: slots of the choosers as digits. Slots of tried moves never change.
inline std::uint64_t joint_number(std::span<const Chooser> choosers, std::span<const std::uint32_t> slots) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < choosers.size(); ++i) number = number * choosers[i].count + slots[i];
    return number;
}

}  // namespace stratagem::search::uct
