// Small games played perfectly: the whole state space is worked out if it is small enough, and another search plays
// until that is done, or if it never is.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "search/registry.h"
#include "search/solve/solution.h"
#include "search/solve/state_space.h"

namespace stratagem::search {

extern const SearchEntry solve_entry;

struct SolveOptions {
    double share = 0.4;                            // of the time for a move that may go into solving
    std::size_t max_bytes = std::size_t{1} << 30;  // of the state space
};

class Solve final : public Search {
  public:
    // Any search may stand in; players use this to let theirs profit from small games.
    Solve(const Problem& problem, std::unique_ptr<Search> stand_in, const SolveOptions& options);

    Choice choose(const State& state, Role role, const Budget& budget,
                  const std::function<void(const Choice&)>& report = {}) override;
    void advance(const State& state) override;

    bool solved() const { return solution_.has_value(); }
    // Only works on the solution, with the share of the budget that goes into it. True where it is there.
    bool work_out(const State& state, const Budget& budget);

  private:
    // Uses its share of the budget; counts what was looked at into `nodes`.
    void work(const State& state, const Budget& budget, std::uint64_t& nodes);
    std::optional<Choice> answer(const State& state, Role role);
    void find_symmetries(const Stop& stop);
    // The best joint move of a state in the space; nothing where nobody can go on.
    std::optional<std::vector<Move>> best_moves(const State& state, StateSpace::Number number);
    std::vector<std::vector<Move>> line_from(State state, StateSpace::Number number);
    void give_up();

    Problem problem_;
    std::unique_ptr<Search> stand_in_;
    SolveOptions options_;
    std::unique_ptr<machine::Machine> machine_;
    std::shared_ptr<const analysis::Canonical> alike_;  // null where no two states are
    bool looked_for_symmetries_ = false;
    std::unique_ptr<StateSpace> space_;
    std::optional<Solution> solution_;
    bool impossible_ = false;       // never, whatever the state
    std::uint32_t pause_ = 0;       // moves to let pass before the next attempt
    std::uint32_t next_pause_ = 4;  // doubled with each failure
};

// As `solve` does: alpha-beta where it fits, else MaxN if players take turns, else paranoid search.
std::unique_ptr<Search> make_tree_search(const Problem& problem, const SearchSettings& settings);

}  // namespace stratagem::search
