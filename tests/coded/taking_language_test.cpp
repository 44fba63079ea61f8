// A second language, from its text to moves: the steps of docs/add_a_game_language.md.
#include "coded/taking_language.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "arena/match.h"
#include "machine/machine_text.h"
#include "machine/subtraction_program.h"
#include "search/registry.h"

namespace stratagem::taking {
namespace {

using machine::Role;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> faults_of(const std::string& text) {
    const ReadResult result = read("pile.take", text);
    EXPECT_EQ(result.game == nullptr, !result.faults.empty());
    std::vector<std::string> shown;
    for (const gdl::Diagnostic& fault : result.faults) {
        const gdl::Position at = result.source->position(fault.span.begin);
        shown.push_back(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + fault.message);
    }
    return shown;
}

TEST(TakingLanguage, IsTheGameItSays) {
    const ReadResult result = read("pile.take", "take 1 2 3\n  from 7\n");
    ASSERT_NE(result.game, nullptr);
    EXPECT_EQ(result.game->name(), "pile.take");
    EXPECT_TRUE(result.game->program()->is_consistent());
    EXPECT_EQ(result.game->fingerprint(), machine::testing::subtraction_game(7)->fingerprint());
    EXPECT_NE(result.game->fingerprint(), read("", "take 1 3 from 7").game->fingerprint());
    const auto machine = result.game->make();
    EXPECT_EQ(machine::state_text(*machine, machine->initial()), "(pile 7) (turn first)");
}

TEST(TakingLanguage, EveryFaultHasItsPlace) {
    EXPECT_THAT(faults_of("take 1 2 3 from 7"), IsEmpty());
    EXPECT_THAT(faults_of("take 1 two from 7"), ElementsAre("1:8 'two' is not a number of counters"));
    EXPECT_THAT(faults_of("take 0 2\n2 from 1001 counters"),
                ElementsAre("1:6 '0' is not a number of counters", "2:1 numbers to take are to ascend",
                            "2:8 '1001' is not a number of counters", "2:13 there is something after the pile"));
    EXPECT_THAT(faults_of("take from 7"), ElementsAre("1:6 there is no number to take"));
    EXPECT_THAT(faults_of("take 1 2"), ElementsAre("1:9 'from' is missing", "1:9 a number is missing"));
    EXPECT_THAT(faults_of(""),
                ElementsAre("1:1 'take' is missing", "1:1 'from' is missing", "1:1 a number is missing"));
    const ReadResult result = read("pile.take", "take 1 two from 7");
    ASSERT_EQ(result.faults.size(), 1U);
    EXPECT_EQ(gdl::render(*result.source, result.faults[0]),
              "pile.take:1:8: error[taking]: 'two' is not a number of counters\n"
              "     1 | take 1 two from 7\n"
              "       |        ^^^\n"
              "       = hint: a whole number from 1 to 1000\n");
}

// What searches prove is what follows from the definition of these games.
TEST(TakingLanguage, SearchesProveWhoWins) {
    for (const std::vector<std::uint32_t>& takes : {std::vector<std::uint32_t>{1, 3, 4}, {2, 3}}) {
        std::string text = "take";
        for (const std::uint32_t taken : takes) text += " " + std::to_string(taken);
        std::vector<bool> won;  // by pile, for who is to take
        for (std::uint32_t pile = 0; pile <= 12; ++pile) {
            won.push_back(std::ranges::any_of(takes, [&](auto taken) { return taken <= pile && !won[pile - taken]; }));
            if (pile < takes.front()) continue;
            SCOPED_TRACE(text + " from " + std::to_string(pile));
            search::Problem problem;
            problem.game = read("", text + " from " + std::to_string(pile)).game;
            ASSERT_NE(problem.game, nullptr);
            problem.facts = analysis::observe(*problem.game, {});
            problem.evaluator = std::make_shared<evaluate::ConstantEvaluator>();
            const search::SearchEntry* entry = search::find_search("paranoid");
            const auto search = entry->make(problem, {1, 1, 4}, OptionValues(entry->options, ""));
            search::Budget budget;
            budget.max_nodes = 50'000;
            const search::Choice choice = search->choose(problem.game->make()->initial(), Role{0}, budget);
            EXPECT_TRUE(choice.proved);
            EXPECT_EQ(choice.value, won[pile] ? 100 : 0);
        }
    }
}

TEST(TakingLanguage, RecipesPlayIt) {
    arena::MatchSettings settings;
    settings.player.nodes = 2000;  // no clock decides anything
    settings.player.search.table_megabytes = 4;
    const std::vector<player::Recipe> recipes{player::Recipe("best"), player::Recipe("random")};
    const arena::MatchResult result = arena::play_match(read("", "take 1 3 4 from 10").game, recipes, settings);
    EXPECT_TRUE(result.complete) << result.problem;
    EXPECT_THAT(result.goals, ElementsAre(100, 0)) << "ten leaves three when divided by seven: not lost";
}

}  // namespace
}  // namespace stratagem::taking
