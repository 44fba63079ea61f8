// Several heuristics at once, and the choice among them made by search, in every state anew (Kuhlmann's thesis, section
// 4.6).
//
// Workers search the same state, each by one of the parts of the evaluator (Evaluator::parts), one of them blind. An
// exhaustive answer is followed; else the deepest one; else one of the deepest by chance. Where there are more workers
// than heuristics several share one, and break ties differently. Who searches, and where, is up to the crew.
#pragma once

#include <memory>

#include "search/portfolio/crew.h"
#include "search/portfolio/nomination.h"
#include "search/registry.h"

namespace stratagem::search {

extern const SearchEntry portfolio_entry;

struct PortfolioSettings {
    std::vector<std::string> heuristics;  // their names, by number
    Prefer prefer = Prefer::depth;
    std::uint64_t seed = 1;
};

class Portfolio final : public Search {
  public:
    Portfolio(const Problem& problem, PortfolioSettings settings, std::unique_ptr<Crew> crew);

    Choice choose(const State& state, Role role, const Budget& budget,
                  const std::function<void(const Choice&)>& report = {}) override;
    void advance(const State& state) override { crew_->advance(state); }

    // Who does what, the same in every state: blind first, then each heuristic, then again as long as there are
    // workers.
    const std::vector<Assignment>& assignments() const { return assignments_; }

  private:
    Choice followed(std::span<const Nomination> nominations, machine::Random* random) const;

    std::unique_ptr<machine::Machine> machine_;
    PortfolioSettings settings_;
    std::unique_ptr<Crew> crew_;
    std::vector<Assignment> assignments_;
    machine::Random random_;
};

}  // namespace stratagem::search
