// How often whoever chooses keeps what a position is worth, in positions whose moves are proved (proved_positions.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "evaluate/evaluator.h"
#include "lab/proved_positions.h"

namespace stratagem::lab {

struct KeptValues {
    double kept = 0;  // positions; where several moves look best, the part of them that keeps it
    std::size_t positions = 0;
    double kept_open = 0;  // of those in which some move does not keep it
    std::size_t open = 0;

    double share() const { return positions == 0 ? 0 : kept / static_cast<double>(positions); }
    double share_open() const { return open == 0 ? 0 : kept_open / static_cast<double>(open); }
    void add(const ProvedPosition& position, double part_kept);
};

// The move after which the state is worth most to an evaluator; ends of the game are known. Nothing where the game has
// no such positions.
std::optional<KeptValues> kept_by_values(const machine::Game& game, const evaluate::Evaluator& evaluator,
                                         const ProvedPositions& positions);

// The move a recipe chooses with so many nodes, or as many as it says itself. Fewer positions where it was stopped.
std::optional<KeptValues> kept_by_recipe(const std::shared_ptr<const machine::Game>& game, const player::Recipe& recipe,
                                         const ProvedPositions& positions, std::uint64_t nodes, std::uint64_t seed,
                                         const machine::Stop& stop);

}  // namespace stratagem::lab
