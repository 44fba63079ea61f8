// A crew of threads. Each assignment has a search of its own, with its own table, and keeps it from move to move.
//
// With one thread everything happens in the calling one. Searches do not touch each other, so that with a number of
// nodes and no clock each finds the same in every run, however many threads there are.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "search/portfolio/crew.h"
#include "search/registry.h"

namespace stratagem::search {

struct CrewSettings {
    const SearchEntry* inner = nullptr;  // the search everybody uses
    std::string options;                 // of it
    std::size_t threads = 1;
    std::size_t threads_each = 1;     // of a search, where there are not many
    std::size_t megabytes_each = 16;  // of its table
};

class ThreadCrew final : public Crew {
  public:
    // Pre: there is an inner search, and at least one thread.
    ThreadCrew(Problem problem, SearchSettings settings, CrewSettings crew,
               std::vector<std::shared_ptr<const evaluate::Evaluator>> heuristics);

    std::size_t workers() const override { return crew_.threads; }
    std::vector<Choice> search(const State& state, Role role, std::span<const Assignment> assignments,
                               const Budget& budget, const Heard& heard) override;
    void advance(const State& state) override;

  private:
    class Turns;

    std::unique_ptr<Search> make(const Assignment& assignment) const;

    Problem problem_;
    SearchSettings settings_;
    CrewSettings crew_;
    std::vector<std::shared_ptr<const evaluate::Evaluator>> heuristics_;
    std::map<Assignment, std::unique_ptr<Search>> searches_;  // null until their first turn
};

}  // namespace stratagem::search
