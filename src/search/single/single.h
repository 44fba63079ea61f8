// Single-player games: look for the best end of the game, remember the way to it, and follow it.
#pragma once

#include <memory>

#include "search/common/score.h"
#include "search/registry.h"
#include "search/single/puzzle.h"

namespace stratagem::search {

extern const SearchEntry single_entry;

struct SingleOptions {
    bool best_first = true;
    bool deepening = true;
    bool diving = true;
    std::uint64_t seed = 1;
    std::size_t max_bytes = std::size_t{256} << 20;  // of all together
};

class Single final : public Search {
  public:
    Single(const Problem& problem, const SingleOptions& options);
    ~Single() override;

    Choice choose(const State& state, Role role, const Budget& budget,
                  const std::function<void(const Choice&)>& report = {}) override;

  private:
    // What is left of the plan from this state on; false when it does not come by.
    bool follow(const State& state);
    bool take(Plan plan);
    struct Work;
    std::unique_ptr<Work> make_work(const State& state, Role role, std::uint32_t max_depth);
    Choice answer(const State& state, Role role);

    Problem problem_;
    SingleOptions options_;
    std::unique_ptr<machine::Machine> machine_;
    std::optional<Role> role_;
    Plan plan_;            // to the best end known, from the present state
    bool proved_ = false;  // no better end can be reached
    machine::Random random_;
    // Of the last move: taking millions of states apart takes time that is better spent at the start of the next move.
    std::unique_ptr<Work> work_;
};

}  // namespace stratagem::search
