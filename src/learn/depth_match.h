// Games of two players who look a fixed number of moves ahead by alpha-beta and judge what they find by weights of
// fluents: many in a second, without clocks, processes or records.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "machine/game.h"
#include "machine/random.h"
#include "machine/stop.h"

namespace stratagem::learn {

struct DepthMatch {
    std::size_t depth = 1;      // joint moves
    std::size_t opening = 0;    // moves by chance at the beginning
    std::size_t longest = 300;  // moves; longer games end halfway between loss and win
};

// One who plays: what a state is worth to it is the sum of its weights of what holds, from `even`, where it thinks that
// both stand alike. In whole numbers, see evaluate/feature_tree/fluent_sums.h. A game that is won is worth more than
// any sum, one that is lost less.
struct DepthPlayer {
    std::span<const std::int64_t> weights;  // by fluent
    std::int64_t even = 0;
};

class DepthTable {
  public:
    // Pre: the game has ground rules and two roles, and one gets what the other loses.
    DepthTable(const machine::Game& game, const DepthMatch& settings);
    ~DepthTable();
    DepthTable(const DepthTable&) = delete;
    DepthTable& operator=(const DepthTable&) = delete;

    // What the first player gets, from 0 to 100, of all that there was to get: as the role `ours`. Among moves that are
    // worth the same, chance. Nothing where time is up, or somebody has no move. `see` may be empty and hears of every
    // state of the game.
    std::optional<double> play(const DepthPlayer& first, const DepthPlayer& second, machine::Role ours,
                               std::uint64_t seed, const machine::Stop& stop,
                               const std::function<void(const machine::State&)>& see = {});

  private:
    class Searcher;

    // Of what the role can get, from 0 to 1; halfway where the state has no goal value.
    double share_of(const machine::State& state, machine::Role role);

    std::unique_ptr<machine::Machine> machine_;
    DepthMatch settings_;
    std::vector<double> least_, most_;  // goals, by role
    std::size_t fluents_ = 0;
};

}  // namespace stratagem::learn
