// Monte-Carlo tree search as a Search: roots, threads and the answer.
#pragma once

#include <memory>
#include <vector>

#include "search/registry.h"
#include "search/search.h"
#include "search/uct/worker.h"

namespace stratagem::search::uct {

class UctSearch final : public Search {
  public:
    UctSearch(const Problem& problem, const SearchSettings& settings, const Settings& chosen);

    Choice choose(const State& state, Role role, const Budget& budget,
                  const std::function<void(const Choice&)>& report = {}) override;

    // For tests and benchmarks.
    const SharedTree& shared() const { return *shared_; }

  private:
    Node* find_or_make_root(const State& state, const Opening& opening, const Stop& stop);
    void run(Job& job, const std::function<void()>& tick);
    // Under the lock.
    // Chance decides where moves are to be mixed.
    Choice answer(const Job& job, machine::Random& random) const;
    std::uint32_t best_slot(const Node& root, const Chooser& chooser, machine::Random& random) const;
    std::vector<std::vector<Move>> best_line(const Node& root, Role role, std::optional<Move> first) const;

    Problem problem_;
    std::unique_ptr<SharedTree> shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    machine::Random random_;  // for mixed answers
    Opening opening_;
};

}  // namespace stratagem::search::uct
