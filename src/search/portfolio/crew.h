// Workers that search for the portfolio: each is sent a state with one heuristic and answers with a move.
//
// What works there, threads of this process or other computers, is no concern of who asks.
#pragma once

#include <compare>
#include <functional>
#include <span>
#include <vector>

#include "search/search.h"

namespace stratagem::search {

// What one worker is to search by.
struct Assignment {
    static constexpr std::size_t blind = SIZE_MAX;  // by nothing: only the ends of the game count

    std::size_t heuristic = blind;  // by number
    std::uint64_t seed = 0;         // of who has the same heuristic; each but 0 breaks ties its own way

    auto operator<=>(const Assignment&) const = default;
};

class Crew {
  public:
    // The answer of the assignment of this number, so far.
    using Heard = std::function<void(std::size_t number, const Choice& choice)>;

    virtual ~Crew() = default;

    // How many search at the same time.
    virtual std::size_t workers() const = 0;
    // Everybody is sent the state, and all answer by the end of the budget; if there are more assignments than workers,
    // they take turns and share the time. Nodes are shared out among the assignments. The last answer of each, in their
    // order; without a move where none came. `heard` is called from the calling thread. Pre: the state is not terminal.
    virtual std::vector<Choice> search(const State& state, Role role, std::span<const Assignment> assignments,
                                       const Budget& budget, const Heard& heard) = 0;
    // The match went on to this state.
    virtual void advance(const State&) {}
};

}  // namespace stratagem::search
