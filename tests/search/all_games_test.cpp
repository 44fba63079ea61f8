// Every search on every kind of game: a legal move for every role, within its budget, the same in every run.
#include <gmock/gmock.h>

#include <chrono>
#include <set>

#include "search/search_games.h"
#include "test_size.h"

namespace stratagem::search::testing {
namespace {

// Those with playouts count other things and have tests of their own.
bool counts_states(const SearchEntry& entry) { return entry.name != "uct" && entry.name != "mcts-plain"; }

void expect_legal_play(const Prepared& game, const std::string& name) {
    for (const SearchEntry& entry : search_table()) {
        if (!counts_states(entry) || !entry.can_handle(game.problem.facts)) continue;
        const OptionValues options(entry.options, "");
        const std::unique_ptr<Search> search = entry.make(game.problem, SearchSettings{3, 1, 1}, options);
        const std::unique_ptr<Search> again = entry.make(game.problem, SearchSettings{3, 1, 1}, options);
        for (const std::size_t steps : {0U, 3U, 30U}) {
            const State state = game.walk(steps, 1);
            for (std::uint32_t role = 0; role < game.problem.facts.roles; ++role) {
                if (game.legal(state, role).empty()) continue;
                const Choice choice = search->choose(state, Role{role}, nodes(300));
                EXPECT_TRUE(game.is_legal(state, role, choice.move)) << name << " " << entry.name;
                EXPECT_LE(choice.nodes, 300U) << name << " " << entry.name;
                EXPECT_GE(choice.value, 0) << name << " " << entry.name;
                EXPECT_LE(choice.value, 100) << name << " " << entry.name;
                EXPECT_EQ(again->choose(state, Role{role}, nodes(300)).move, choice.move) << name << " " << entry.name;
            }
        }
    }
}

TEST(AllGames, BundledGamesArePlayedLegally) {
    for (const auto& file : gdl::testing::bundled_files()) {
        Prepared game(machine::testing::described_file(file));
        expect_legal_play(game, file.filename().string());
        game.problem.evaluator = std::make_shared<NoiseEvaluator>();
        expect_legal_play(game, file.filename().string() + " with noise");
    }
}

TEST(AllGames, TheInterpreterIsSearchedToo) {
    for (const std::string name : {"tic_tac_toe", "rock_paper_scissors", "eight_puzzle", "three_player_tic_tac_toe"}) {
        expect_legal_play(Prepared(machine::testing::bundled(name), machine::MachineKind::interpreter), name);
    }
}

TEST(AllGames, SharedGamesArePlayedLegally) {
    std::size_t played = 0;
    std::size_t number = 0;
    for (const auto& file : gdl::testing::shared_files()) {
        // A tenth of them, and none that takes long to prepare.
        if (++number % (sanitized ? 40 : 10) != 0 || std::filesystem::file_size(file) > 20'000) continue;
        gdl::ReadResult rules = gdl::read_and_check(file.filename().string(), gdl::testing::content_of(file));
        if (!rules.ok()) continue;
        machine::MachineOptions options;
        options.build_limit_seconds = 2;
        if (machine::GdlGame(rules.description, options).circuit() == nullptr) continue;
        expect_legal_play(Prepared(std::move(rules.description)), file.filename().string());
        ++played;
    }
    if (number == 0) GTEST_SKIP() << "no shared games here";
    EXPECT_GT(played, sanitized ? 1U : 5U);
}

TEST(Registry, NamesAreUniqueAndDefaultsReadable) {
    std::set<std::string_view> names;
    for (const SearchEntry& entry : search_table()) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
        EXPECT_FALSE(entry.about.empty());
        EXPECT_EQ(find_search(entry.name), &entry);
        EXPECT_NO_THROW(OptionValues(entry.options, "")) << entry.name;
        for (const Option& option : entry.options) EXPECT_FALSE(option.help.empty()) << entry.name << option.name;
    }
    for (const std::string_view name : {"random", "legal", "alphabeta", "paranoid", "maxn", "single", "solve"}) {
        EXPECT_TRUE(names.contains(name)) << name;
    }
    EXPECT_EQ(find_search("no such search"), nullptr);
}

TEST(Simple, ChanceChoosesAllMovesAndLegalTheFirst) {
    const Prepared game = prepared("connect_four");
    const std::unique_ptr<Search> random = game.make("random");
    const std::unique_ptr<Search> legal = game.make("legal");
    std::set<Move> seen;
    for (int i = 0; i < 200; ++i) seen.insert(*random->choose(game.machine->initial(), Role{0}, {}).move);
    EXPECT_EQ(seen.size(), 7U);
    EXPECT_EQ(*legal->choose(game.machine->initial(), Role{0}, {}).move, game.legal(game.machine->initial(), 0)[0]);
}

}  // namespace
}  // namespace stratagem::search::testing
