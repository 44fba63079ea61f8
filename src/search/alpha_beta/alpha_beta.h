// Alpha-beta with iterative deepening as a Search, in two forms that differ only in what they are offered for:
//
//   alphabeta   two players who take turns and whose goal values always add up to the same
//   paranoid    any game: everybody else plays against us, and where several move at once the others know our move
//               (or, with others=random, move by chance)
//
// Threads search the same tree with one shared table, each starting from another depth, and help each other through
// the table alone (lazy SMP). The first thread decides. One thread is the same search in every run.
#pragma once

#include <memory>
#include <vector>

#include "search/alpha_beta/minimax.h"
#include "search/registry.h"

namespace stratagem::search {

extern const SearchEntry alpha_beta_entry;
extern const SearchEntry paranoid_entry;

struct AlphaBetaOptions {
    MinimaxOptions tree;
    bool aspiration = true;
    bool mask_counter = false;
    std::uint32_t deepest = UINT32_MAX;  // moves
    bool blind = false;                  // the evaluator knows nothing
    bool both_sides = false;             // judge by the goals of both players where one gets what the other loses
    bool teams = true;                   // roles that always get the same as we do are friends
};

class AlphaBeta final : public Search {
  public:
    AlphaBeta(Problem problem, const SearchSettings& settings, const AlphaBetaOptions& options);

    Choice choose(const State& state, Role role, const Budget& budget,
                  const std::function<void(const Choice&)>& report = {}) override;

  private:
    struct Thread {
        std::unique_ptr<machine::Machine> machine;
        std::unique_ptr<Minimax> tree;
    };
    // A finished or interrupted series of deeper and deeper searches.
    class Deepening;

    void take_part(Role role);

    Problem problem_;
    AlphaBetaOptions options_;
    Table table_;
    StepCounter counter_;
    std::vector<Thread> threads_;
    std::optional<Role> role_;
    ScoreScale scale_;
    bool has_friends_ = false;
    bool is_guarantee_ = false;  // what is proved to be no less rests on nobody's help, and on no mean
};

}  // namespace stratagem::search
