// Simple features of a game's structures: table 4.1 of Kuhlmann's thesis.
//
//   ordered board with pieces   each coordinate of each piece; the Manhattan distance of each pair of pieces, and the
//                               sum of all pairs
//   board without pieces        how many there are of each marker; also where a board is not ordered
//   quantity                    its value, for each of those that have one
//
// Coordinates and values are indices in the order of the argument. A piece that is nowhere is at 0, and 0 away from all
// others. Step counters are left out: they say nothing about moves.
//
// A feature is worked out from slots that fluents add to, so that a fluent that changes costs a few additions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/plain_structures.h"
#include "machine/state.h"

namespace stratagem::evaluate::single {

struct Feature {
    enum class Kind : std::uint8_t { coordinate, distance, all_distances, count, quantity };
    // What a fluent adds to a slot while it holds.
    struct Share {
        machine::Fluent fluent{};
        std::uint32_t slot = 0;
        std::int32_t amount = 0;
    };

    Kind kind = Kind::count;
    std::string name;  // one word: "pawn.white.2", "pawn.white-black.distance", "cell.x.count", "money.bob.value"
    std::vector<Share> shares;
    std::uint32_t slots = 1;
    // Of distances: for each piece a slot for each coordinate, and one for how often it is there.
    std::uint32_t pieces = 0, coordinates = 0;
    std::int64_t low = 0, high = 0;  // it lies between

    std::int64_t value(std::span<const std::int64_t> of_slots) const;
};

// In the order of the structures; none that cannot change. Of more than `most` the first. Pieces of which there are too
// many for pairs have only the sum of their distances, and boards of very many pieces not even that.
std::vector<Feature> find_features(const ground::Program& program, const analysis::PlainStructures& structures,
                                   std::size_t most);

// The slots of some features in a state, followed from state to state.
class Follower {
  public:
    // Pre: it outlives this. Not checked: a lifetime.
    explicit Follower(std::span<const Feature> features, std::size_t fluents);

    void move_to(const machine::State& state);
    std::int64_t value(std::size_t feature) const {
        return features_[feature].value(std::span(slots_).subspan(first_slot_[feature], features_[feature].slots));
    }

  private:
    struct Use {
        std::uint32_t slot = 0;
        std::int32_t amount = 0;
    };

    std::span<const Feature> features_;
    std::vector<std::uint32_t> first_slot_;  // by feature
    std::vector<std::int64_t> slots_;
    std::vector<std::uint32_t> first_use_;  // by fluent
    std::vector<Use> uses_;
    std::vector<std::uint64_t> words_;  // of the state
};

}  // namespace stratagem::evaluate::single
