// The structures of a game found by templates (analysis/templates.h) beside those found by meaning: what one way sees
// and the other does not.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/game.h"

namespace stratagem::lab {

// What is counted. Pieces are those of boards; amounts are counted by whose they are.
enum class StructureCount : std::uint8_t { orders, counters, boards, ordered_boards, markers, pieces, amounts, teams };
inline constexpr std::size_t structure_counts = 8;
std::string_view to_string(StructureCount what);

struct StructureComparison {
    using Counts = std::array<std::size_t, structure_counts>;

    Counts by_templates{}, by_meaning{};
    // "board cell", "pieces of cell: wk bk", …: found by one way alone.
    std::vector<std::string> templates_alone, meaning_alone;
    std::size_t states = 0;     // of random play
    bool complete = true;       // neither was cut short
    bool roles_differ = false;  // other teams

    bool differ() const { return !templates_alone.empty() || !meaning_alone.empty() || roles_differ; }
};

struct StructureLook {
    double seconds = 10;
    std::uint64_t seed = 1;
    const std::atomic<bool>* abort = nullptr;
};

// Nothing where there are no ground rules, or no time; `why` says so.
std::optional<StructureComparison> compare_structures(const std::shared_ptr<const machine::Game>& game,
                                                      const StructureLook& look, std::string& why);

}  // namespace stratagem::lab
