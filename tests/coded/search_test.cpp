// Searches in a game made in code: who wins is known, so what they prove can be checked.
#include <gtest/gtest.h>

#include <string>

#include "machine/subtraction_program.h"
#include "search/registry.h"

namespace stratagem::search {
namespace {

using machine::testing::subtraction_game;

struct Table {
    explicit Table(std::uint32_t pile) {
        problem.game = subtraction_game(pile);
        problem.facts = analysis::observe(*problem.game, {});
        problem.evaluator = std::make_shared<evaluate::ConstantEvaluator>();
        machine = problem.game->make();
    }

    Choice choice(const char* name) const {
        const SearchEntry* entry = find_search(name);
        EXPECT_NE(entry, nullptr) << name;
        EXPECT_TRUE(entry->can_handle(problem.facts)) << name;
        const std::unique_ptr<Search> search =
            entry->make(problem, SearchSettings{1, 1, 4}, OptionValues(entry->options, ""));
        Budget budget;
        budget.max_nodes = 50'000;
        return search->choose(machine->initial(), Role{0}, budget);
    }

    Problem problem;
    std::unique_ptr<machine::Machine> machine;
};

TEST(CodedSearch, FactsAreSeenInRandomGames) {
    const analysis::GameKind facts = Table(10).problem.facts;
    EXPECT_EQ(facts.roles, 2U);
    EXPECT_EQ(facts.two_player_zero_sum, analysis::Verdict::observed);
}

class CodedSearch : public ::testing::TestWithParam<const char*> {};

// Before a multiple of four all is lost; before anything else the rest is to be taken.
TEST_P(CodedSearch, ProvesWhoWins) {
    for (std::uint32_t pile = 5; pile <= 16; ++pile) {
        SCOPED_TRACE(pile);
        const Table table(pile);
        const Choice choice = table.choice(GetParam());
        ASSERT_TRUE(choice.move);
        EXPECT_TRUE(choice.proved);
        EXPECT_EQ(choice.value, pile % 4 == 0 ? 0 : 100);
        if (pile % 4 == 0) continue;
        EXPECT_EQ(table.machine->move_name(*choice.move), "(take " + std::to_string(pile % 4) + ")");
    }
}

INSTANTIATE_TEST_SUITE_P(Searches, CodedSearch, ::testing::Values("uct", "alphabeta", "solve", "paranoid"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace stratagem::search
