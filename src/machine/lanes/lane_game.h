// A game compiled for lanes: immutable, shared by all threads that play it.
//
// A step of random play is two pieces of code:
//
//   look   state -> is it terminal, and (if that is cheap) the goal values
//   step   state, random bits -> next state, with one random legal move for each role; and whether a role had none
//
// Who is to move usually alternates whatever happens. If the rules show it (the fluents that say so are constants of
// the gates built under the assumption of each phase, and form a cycle), there is code for each phase: half the moves,
// and gates that know who is to move. All lanes are then in the same phase, and a finished game waits for the next
// one's phase to come round.
//
// Goal logic can be larger than the rest. Then the last states of finished games are put aside, and one piece of code,
// score, is run for up to 512 of them together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ground/program.h"
#include "machine/lanes/code.h"
#include "machine/state.h"
#include "util/deadline.h"

namespace stratagem::machine::lanes {

struct LaneOptions {
    std::optional<Width> width;           // nothing: the widest this processor has
    std::vector<ground::Fluent> phases;   // a group of fluents to try first as phases, if any is known
    bool lockstep = true;                 // code for each phase, where phases alternate whatever happens
    bool statistics = false;              // also make code whose steps tell the moves made
    bool observe = false;                 // the same, and the legal moves too: for tests
    std::size_t most_rules = 20'000'000;  // of the program, and
    std::size_t most_nodes = 6'000'000;   // of logic; beyond, the game is too big
};

// Numbers of result rows.
struct ResultRows {
    std::uint32_t terminal = 0;
    std::uint32_t stuck = 1;        // some role had no legal move
    std::uint32_t conflict = 2;     // some role has several goal values
    std::uint32_t first_goal = 3;   // one for each entry of Program::goals
    std::uint32_t first_legal = 0;  // with `observe`: one for each move
    std::uint32_t first_made = 0;   // for statistics and with `observe`: one for each move
    std::uint32_t count = 0;
};

class LaneGame {
  public:
    struct Phase {
        ground::Fluent fluent{};  // that holds in it, alone of all phases' fluents; meaningless if there is one phase
        std::uint32_t next = 0;
        std::unique_ptr<const Code> look;
        std::unique_ptr<const Code> step;
        // The same step, with the moves made as results; null if not asked for.
        std::unique_ptr<const Code> step_observed;
        std::uint32_t random_rows = 0;
    };

    // Throws std::runtime_error, with a reason for people, when the game is not for lanes: recursive, too big, or the
    // deadline passed.
    LaneGame(std::shared_ptr<const ground::Program> program, const LaneOptions& options, const Deadline& deadline);

    const ground::Program& program() const { return *program_; }
    Width width() const { return width_; }
    const std::vector<Phase>& phases() const { return phases_; }
    const ResultRows& rows() const { return rows_; }
    // Null if look gives the goal values.
    const Code* score() const { return score_.get(); }
    // Fluents that score needs.
    const std::vector<ground::Fluent>& scored() const { return scored_; }

    // Nothing for a state in which not exactly one of the phases' fluents holds: no state of the game.
    std::optional<std::uint32_t> phase_of(const State& state) const;

    // Most rows any code needs.
    std::size_t scratch_rows() const { return scratch_rows_; }
    std::size_t random_rows() const { return random_rows_; }
    // Instructions (or table entries) of a step, on average over the phases.
    double instructions() const;
    // For people: "512 bits, 2 phases, …".
    std::string to_text() const;

  private:
    friend class LaneBuilder;

    std::shared_ptr<const ground::Program> program_;
    Width width_ = Width::portable64;
    std::vector<Phase> phases_;
    ResultRows rows_;
    std::unique_ptr<const Code> score_;
    std::vector<ground::Fluent> scored_;
    std::size_t scratch_rows_ = 0;
    std::size_t random_rows_ = 0;
};

}  // namespace stratagem::machine::lanes
