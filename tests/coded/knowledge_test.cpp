// What is found out about a game made in code, and what its states are held to be worth.
#include <gmock/gmock.h>

#include <algorithm>

#include "analysis/analysis.h"
#include "evaluate/registry.h"
#include "gdl/print.h"
#include "machine/subtraction_program.h"

namespace stratagem {
namespace {

using analysis::Findings;
using analysis::Verdict;
using machine::Role;
using machine::State;
using machine::testing::subtraction_game;

TEST(CodedKnowledge, ItIsAnalyzed) {
    const std::optional<Findings> known = analysis::analyze(*subtraction_game(), {});
    ASSERT_TRUE(known);
    EXPECT_EQ(known->kind().turn_taking, Verdict::proved);
    EXPECT_EQ(known->goal_sum().constant, Verdict::proved);
    EXPECT_EQ(known->goal_sum().sum, 100);
    EXPECT_EQ(known->families().size(), 2U);
    EXPECT_LE(known->kind().longest, 10U);
    EXPECT_GT(known->kind().games, 0U);
    // One pile and one turn at a time.
    for (const std::uint32_t fluent : {0U, 10U, 11U, 12U}) {
        EXPECT_TRUE(std::ranges::any_of(known->groups(), [&](const analysis::Group& group) {
            return group.verdict == Verdict::proved &&
                   std::ranges::find(group.fluents, machine::Fluent{fluent}) != group.fluents.end();
        })) << fluent;
    }
}

// The static relation of the program orders the numbers, and so the piles.
TEST(CodedKnowledge, ItsStaticsGiveOrders) {
    const std::optional<Findings> known = analysis::analyze(*subtraction_game(), {});
    ASSERT_TRUE(known);
    ASSERT_EQ(known->orders().size(), 1U);
    const analysis::Order& order = known->orders()[0];
    EXPECT_EQ(known->program()->terms.symbols().name(order.relation), "succ");
    EXPECT_EQ(order.kind, analysis::Order::Kind::successor);
    EXPECT_TRUE(order.linear);
    ASSERT_EQ(order.elements.size(), 11U);
    for (std::uint32_t i = 0; i < 11; ++i) {
        EXPECT_EQ(gdl::to_kif(known->program()->terms, order.elements[i]), std::to_string(i));
    }
    const auto of_piles = std::ranges::find_if(
        known->families(), [](const analysis::Family& family) { return family.members.size() == 11; });
    ASSERT_NE(of_piles, known->families().end());
    EXPECT_EQ(known->argument_orders().of(static_cast<std::size_t>(of_piles - known->families().begin()), 0), 0U);
}

class CodedEvaluator : public ::testing::TestWithParam<const char*> {};

TEST_P(CodedEvaluator, JudgesAndExplains) {
    const auto game = subtraction_game();
    const evaluate::EvaluatorEntry* entry = evaluate::find_evaluator(GetParam());
    ASSERT_NE(entry, nullptr);
    const evaluate::Material material = evaluate::make_material(game, std::nullopt, nullptr, 1);
    ASSERT_NE(material.analysis, nullptr);
    const auto evaluator = entry->make(material, OptionValues(entry->options, ""));
    ASSERT_NE(evaluator, nullptr);
    const auto running = evaluator->start();
    for (std::uint32_t pile = 1; pile <= 10; ++pile) {
        for (std::uint32_t turn = 0; turn < 2; ++turn) {
            State state(game->statistics().fluents);
            state.insert(machine::Fluent{pile});
            state.insert(machine::Fluent{11 + turn});
            for (const Role role : {Role{0}, Role{1}}) {
                const double value = evaluator->value(state, role);
                EXPECT_GE(value, 0);
                EXPECT_LE(value, 100);
                EXPECT_NEAR(running->value(state, role), value, 1e-9);
                const evaluate::Explanation why = evaluator->explain(state, role);
                EXPECT_NEAR(why.value, value, 1e-6);
                EXPECT_FALSE(why.text.empty());
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Evaluators, CodedEvaluator, ::testing::Values("fuzzy", "neural"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace stratagem
