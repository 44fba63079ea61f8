// All proofs about a game that need the rules of a step as clauses, one after the other: each may use what was proved
// before it. May be left after any of them and taken up again, with the same clauses.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analysis/findings.h"
#include "analysis/transition.h"

namespace stratagem::analysis {

class Prover {
  public:
    // Pre: the game has a program, and outlives this. Not checked: the lifetime.
    Prover(const machine::Game& game, std::shared_ptr<const Samples> samples, std::shared_ptr<const FoundGroups> groups,
           std::uint64_t seed);

    // Up to `last`, which is one of the proofs (Item::invariants to Item::goal_sum).
    void run(Item last, const machine::Stop& stop);

    const Proofs& proofs() const { return proofs_; }
    const std::vector<Stage>& stages() const { return stages_; }
    // Something would be known better with more time.
    bool cut() const { return cut_; }

  private:
    template <typename Work>
    void stage(const char* name, const machine::Stop& stop, Work&& work);
    void make_clauses(const machine::Stop& stop);
    // Limits of the next questions, with so many millions of clauses for all of them where no clock ends them.
    ProofLimits limits(std::uint32_t conflicts, const machine::Stop& within, std::size_t millions);
    void prove_invariants(const machine::Stop& stop, const machine::Stop& within);
    void prove_turns(const machine::Stop& stop, const machine::Stop& within);
    void prove_persistences(const machine::Stop& stop, const machine::Stop& within);
    void prove_goal_sum(const machine::Stop& stop);
    void doubt_sum(const machine::Stop& stop);
    // Time for something was up.
    void see_end(const machine::Stop& within) { cut_ = cut_ || within.now(); }

    const machine::Game& game_;
    std::shared_ptr<const ground::Program> program_;
    std::shared_ptr<const Samples> samples_;
    std::shared_ptr<const FoundGroups> found_;
    std::uint64_t seed_;
    std::vector<Role> players_;
    std::optional<Allowance> allowance_;    // of the stage, where there is no clock
    std::optional<Transition> transition_;  // nothing: there was no time to make it
    std::optional<Item> done_;
    Proofs proofs_;
    std::vector<Stage> stages_;
    bool cut_ = false;
};

}  // namespace stratagem::analysis
