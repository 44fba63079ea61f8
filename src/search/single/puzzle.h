// A single-player game as three searches for its best end that take turns, a few thousand states each:
//
//   best first    on the evaluator's value, the nearer first where values are equal (so breadth first without an
//                 evaluator). Finds short solutions, and with a good evaluator long ones; needs memory for all it sees.
//   deepening     depth first with iterative deepening. Goes on when the memory is full.
//   diving        depth first without a limit, moves in random order, from the start again after a while: for games in
//                 which many ends are good but all lie deep.
//
// All keep an exact set of the states they have seen; the depth-first ones know for each how many moves below it
// were already looked at. Any of them ending for lack of states proves the best end found to be the best there is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "evaluate/evaluator.h"
#include "machine/machine.h"
#include "machine/random.h"
#include "search/common/state_index.h"

namespace stratagem::search {

using machine::Move;
using machine::Role;
using machine::State;

// A way through the game: states before each joint move.
struct Plan {
    std::vector<State> states;
    std::vector<std::vector<Move>> moves;
    int goal = -1;  // -1: none
};

// The player's view of a game in which nobody else has a choice.
class PuzzleView {
  public:
    PuzzleView(machine::Machine& machine, Role role) : machine_(machine), role_(role), joint_(machine.role_count()) {}

    // The goal value where the game is over by the rules. Evaluators may be asked everywhere else.
    std::optional<int> terminal(const State& state);
    // The same, or nothing for us where somebody cannot move; where the game goes on moves() are ours.
    std::optional<int> end(const State& state);
    const std::vector<Move>& moves() const { return moves_; }
    void next(const State& state, Move move, State& result);
    const std::vector<Move>& joint() const { return joint_; }
    // Somebody else had a choice after all; what is found is then only a hope.
    bool others_choose() const { return others_choose_; }

  private:
    machine::Machine& machine_;
    Role role_;
    std::vector<Move> moves_;
    std::vector<Move> legal_;
    std::vector<Move> joint_;  // the forced moves of the others, and the last one of ours
    bool others_choose_ = false;
};

class BestFirst {
  public:
    BestFirst(PuzzleView& view, const evaluate::Evaluator& evaluator, Role role, const State& start,
              std::size_t max_bytes, std::uint32_t max_depth);

    // Looks at one more state. False when there is none left, or no room.
    bool step();
    bool exhausted() const { return open_.empty() && !cut_; }
    bool full() const { return full_; }
    // The best end so far has this goal value, -1 for none; the most promising state seen has this value.
    int best_goal() const { return best_goal_; }
    double best_value() const { return best_value_; }
    Plan plan_to_end() const { return plan(best_end_, best_goal_); }
    Plan plan_to_promising() const { return plan(promising_, -1); }

  private:
    struct Node {
        std::uint32_t parent = 0;
        std::uint32_t depth = 0;
        Move move{};
    };
    struct Open {
        double value = 0;
        std::uint32_t depth = 0;
        StateIndex::Number number = 0;
        // The largest comes first.
        bool operator<(const Open& other) const {
            if (value != other.value) return value < other.value;
            return depth != other.depth ? depth > other.depth : number > other.number;
        }
    };
    void see_end(int goal, StateIndex::Number number);
    Plan plan(StateIndex::Number to, int goal) const;

    PuzzleView& view_;
    std::unique_ptr<evaluate::Evaluation> opinions_;
    Role role_;
    std::size_t max_bytes_;
    std::uint32_t max_depth_;
    StateIndex states_;
    std::vector<Node> nodes_;
    std::priority_queue<Open> open_;
    std::vector<Move> moves_;
    State next_;
    bool full_ = false;
    bool cut_ = false;  // by max_depth or memory
    int best_goal_ = -1;
    StateIndex::Number best_end_ = 0;
    double best_value_ = -1;
    StateIndex::Number promising_ = 0;
};

class DepthFirst {
  public:
    // Deepening from `first_depth` on.
    DepthFirst(PuzzleView& view, State start, std::size_t max_bytes, std::uint32_t first_depth,
               std::uint32_t max_depth);
    // Diving: no limit from the start but max_depth, and moves in random order.
    DepthFirst(PuzzleView& view, State start, std::size_t max_bytes, std::uint32_t max_depth, machine::Random& random);

    // Forgets everything but the best end.
    void restart();

    // Looks at one more state. False when everything was seen, or max_depth was reached.
    bool step();
    bool exhausted() const { return exhausted_; }
    std::uint32_t depth() const { return depth_; }
    int best_goal() const { return best_.goal; }
    const Plan& plan_to_end() const { return best_; }

  private:
    struct Frame {
        State state;
        std::vector<Move> moves;
        std::size_t next = 0;
    };
    bool enter(const State& state);  // as the next frame, unless nothing is to be found there
    void found(int goal);

    PuzzleView& view_;
    State start_;
    std::size_t max_bytes_;
    std::uint32_t first_depth_;
    std::uint32_t max_depth_;
    machine::Random* random_ = nullptr;
    std::uint32_t depth_ = 0;  // of this round; 0: before the first
    bool cut_ = false;         // something lay beyond it
    bool exhausted_ = false;
    StateIndex states_;
    std::vector<std::uint32_t> looked_below_;  // by state: 1 + moves below it that were looked at
    std::vector<Frame> frames_;
    std::size_t used_ = 0;  // frames
    State next_;
    Plan best_;
};

}  // namespace stratagem::search
