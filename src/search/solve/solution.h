// The exact value of every state of a complete state space, worked out from the ends of the game backwards.
//
// 1. Backward induction. A state is settled when all its successors are: its mover takes what is best for himself
//    (whatever the number of players), chance takes the mean. A game without cycles is solved by this.
// 2. What is left lies on cycles or leads to them. For two players whose goal values add up to the same, one of them is
//    taken as "we": for each goal value t, the states from which we can force an end worth at least t, and those from
//    which the opponent can force one worth at most t, are the least sets closed under "some successor" for the one and
//    "all successors" for the other (retrograde analysis). Where both agree the value is exact. Where they do not, each
//    side can keep the game going for ever rather than lose, and the value is left open.
//
// Among equally good moves quick wins and slow losses are preferred; the steps to the end also make sure that a won
// game on a cycle gets nearer to its end with every move.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/game_kind.h"
#include "search/solve/state_space.h"

namespace stratagem::search {

class Solution {
  public:
    using Number = StateSpace::Number;

    // Nothing when stopped before the end, or when states on cycles cannot be settled by this (more than two players).
    // Pre: the space is complete, and outlives the solution. Not checked: the lifetime.
    static std::optional<Solution> find(const StateSpace& space, const analysis::GameKind& facts,
                                        const machine::Stop& stop);

    struct Value {
        double value = 50;
        bool exact = false;
        std::uint32_t steps = 0;  // to the end if everybody plays like this
    };
    Value value(Number number, std::uint32_t role) const;
    // The place of the mover's best move in the order of successors. Pre: there are some.
    std::size_t best(Number number) const;
    // No play of the others lowers the role's values: nobody else ever has a choice in this space, or one opponent who
    // can only win what the role loses. With more, others may harm it at their own cost.
    bool is_sure(std::uint32_t role) const { return sure_[role]; }
    // Rests on the mean over chance somewhere.
    bool used_mean() const { return used_mean_; }
    std::size_t open_count() const { return open_count_; }

  private:
    // What can be forced about our goal value. Where all is settled both are the same.
    struct Bound {
        float at_least = -1;   // by us; below all goals: nothing
        float at_most = 1000;  // by them; above all goals: nothing
        std::uint32_t steps_to_least = 0;
        std::uint32_t steps_to_most = 0;
    };

    static constexpr std::uint32_t not_open = UINT32_MAX;

    explicit Solution(const StateSpace& space, const analysis::GameKind& facts);
    void reverse_edges();
    bool induce(const machine::Stop& stop);
    bool settle_cycles(const machine::Stop& stop);
    bool find_players();
    void find_sure_roles();
    bool have_constant_sum(std::uint32_t a, std::uint32_t b) const;
    bool force(bool ours, float goal, const machine::Stop& stop);
    void settle(Number number);
    void settle_from_bounds();
    bool prefers(Number a, Number b, std::uint32_t role) const;
    // Of a state on a cycle, or next to one: for the role that is "we".
    Bound bound(Number number) const;
    bool prefers_on_cycle(Number a, Number b, bool ours) const;
    // Where in open_ the state is; nothing for states that are not on cycles.
    std::optional<std::uint32_t> open_place(Number number) const {
        const bool known = !open_place_.empty() && open_place_[number] != not_open;
        return known ? std::optional(open_place_[number]) : std::nullopt;
    }
    float& at(Number number, std::size_t role) { return values_[std::size_t{number} * roles_ + role]; }
    float at(Number number, std::size_t role) const { return values_[std::size_t{number} * roles_ + role]; }

    const StateSpace* space_;
    const analysis::GameKind* facts_;
    std::size_t roles_;
    std::vector<float> values_;         // by state and role
    std::vector<std::uint32_t> steps_;  // by state
    std::vector<std::uint8_t> settled_;
    std::vector<bool> sure_;  // by role
    bool used_mean_ = false;
    std::size_t open_count_ = 0;

    std::vector<std::size_t> first_before_;  // reverse edges
    std::vector<Number> before_;

    // Of states on cycles, by the place in open_.
    std::uint32_t we_ = 0;
    std::optional<std::uint32_t> they_;  // nobody, where we are alone
    float sum_ = 0;                      // of both players' goal values
    float least_ = 0;                    // of our goal values
    float most_ = 0;
    std::vector<float> goals_;  // our goal values there are, ascending
    std::vector<Number> open_;
    std::vector<std::uint32_t> open_place_;  // by state; empty where there are no cycles
    std::vector<Bound> bounds_;
};

}  // namespace stratagem::search
