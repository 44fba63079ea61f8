// Evaluators made of whatever is known: in a hurry, or while another player is still at work on the rest, any part of
// the analysis may be missing.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>

#include "evaluate/registry.h"
#include "machine/machine_games.h"

namespace stratagem::evaluate {
namespace {

using analysis::Item;

// Those that learn from games need only begin to: each is made 128 times.
std::string_view options_of(const EvaluatorEntry& entry) {
    if (entry.name == "linear") return "states=300";
    if (entry.name == "tree") return "outcomes=100,grown=100";
    return "";
}

class Partial : public ::testing::TestWithParam<const char*> {};

TEST_P(Partial, AnyPartOfTheAnalysisMayBeMissing) {
    // Rules come with `parts`, where no graph is asked for.
    constexpr std::array items{Item::orders,     Item::groups,      Item::parts,     Item::graph,
                               Item::invariants, Item::persistence, Item::structures};
    const auto game = std::make_shared<machine::GdlGame>(machine::testing::bundled(GetParam()));
    const analysis::Analysis analysis(game, {});
    const std::unique_ptr<machine::Machine> machine = game->make();
    for (unsigned chosen = 0; chosen < 1U << items.size(); ++chosen) {
        analysis::Items wanted{};
        for (std::size_t i = 0; i < items.size(); ++i) {
            if ((chosen >> i & 1U) != 0) wanted.add(items[i]);
        }
        Material material;
        material.game = game;
        material.analysis = std::make_shared<const analysis::Findings>(analysis.ask(wanted, {}));
        for (const EvaluatorEntry& entry : evaluator_table()) {
            SCOPED_TRACE(::testing::Message() << entry.name << " with " << chosen);
            const auto evaluator = entry.make(material, OptionValues(entry.options, options_of(entry)));
            if (evaluator == nullptr) continue;
            for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
                EXPECT_TRUE(std::isfinite(evaluator->value(machine->initial(), machine::Role{role})));
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Games, Partial, ::testing::Values("tic_tac_toe", "pawn_whopping", "eight_puzzle"));

}  // namespace
}  // namespace stratagem::evaluate
