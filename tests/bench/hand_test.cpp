// The hand-written games of bench/hand are the games whose rules are in games/: move by move against the interpreter,
// and in the statistics of random play.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gdl/read.h"
#include "hand/breakthrough.h"
#include "hand/connect_four.h"
#include "hand/tic_tac_toe.h"
#include "machine/interpreter/text_interpreter.h"
#include "test_size.h"

namespace stratagem::hand {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using Strings = std::vector<std::string>;

// What the rules call a move; rules count columns and rows from 1.

std::string number(unsigned from_zero) { return std::to_string(from_zero + 1); }

std::string name_of(const TicTacToe&, unsigned cell) {
    return "(mark " + number(cell % 3) + " " + number(cell / 3) + ")";
}
std::string name_of(const ConnectFour&, unsigned column) { return "(drop " + number(column) + ")"; }
std::string name_of(const Breakthrough&, Breakthrough::Move move) {
    return "(move " + number(move.from % 8) + " " + number(move.from / 8) + " " + number(move.to % 8) + " " +
           number(move.to / 8) + ")";
}

template <class Game>
std::vector<typename Game::Move> legal_moves(const Game& game) {
    std::vector<typename Game::Move> moves;
    if constexpr (std::is_same_v<Game, Breakthrough>) {
        game.for_each_legal([&](Breakthrough::Move move) { moves.push_back(move); });
    } else {
        for_each_bit(game.legal(), [&](unsigned move) { moves.push_back(move); });
    }
    return moves;
}

template <class Game>
Strings legal_names(const Game& game) {
    Strings names;
    for (const auto& move : legal_moves(game)) names.push_back(name_of(game, move));
    std::ranges::sort(names);
    return names;
}

std::filesystem::path bundled(const std::string& name) { return std::filesystem::path(STRATAGEM_GAMES_DIR) / name; }
std::filesystem::path shared(const std::string& name) {
    return std::filesystem::path(STRATAGEM_SOURCE_DIR).parent_path() / "shared" / "games" / name;
}

machine::TextInterpreter interpreter_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (text.empty()) throw std::runtime_error("cannot read " + path.string());
    const gdl::ReadResult result = gdl::read(path.string(), std::move(text));
    if (!result.ok()) throw std::runtime_error("errors in " + path.string());
    return machine::TextInterpreter(result.description);
}

// More games when time is no matter.
unsigned many(unsigned count) { return full_tests() ? 20 * count : count; }

// Both goals, in the order of the roles, the first of which moves first.
std::vector<int> goals_of(Winner winner) {
    switch (winner) {
        case Winner::first:
            return {100, 0};
        case Winner::second:
            return {0, 100};
        case Winner::none:
            break;
    }
    return {50, 50};
}

// A complete game by single moves and by the interpreter: they must agree on everything.
template <class Game>
void expect_agreement(machine::TextInterpreter& rules, const std::vector<typename Game::Move>& moves, Outcome outcome) {
    ASSERT_EQ(moves.size(), outcome.steps);
    Game game;
    rules.reset();
    for (std::size_t step = 0; step < moves.size(); ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        const std::size_t mover = step % 2;
        ASSERT_FALSE(game.terminal());
        ASSERT_FALSE(rules.terminal());
        ASSERT_THAT(legal_names(game), ElementsAreArray(rules.legal(mover)));
        ASSERT_THAT(rules.legal(1 - mover), ElementsAre("noop"));

        const std::string move = name_of(game, moves[step]);
        ASSERT_THAT(legal_names(game), Contains(move));
        game.apply(moves[step]);
        rules.advance(mover == 0 ? Strings{move, "noop"} : Strings{"noop", move});
    }
    ASSERT_TRUE(game.terminal());
    ASSERT_TRUE(rules.terminal());
    EXPECT_EQ(game.outcome().steps, outcome.steps);
    EXPECT_EQ(game.winner(), outcome.winner);
    const std::vector<int> goals = goals_of(outcome.winner);
    EXPECT_EQ(rules.goal(0), goals[0]);
    EXPECT_EQ(rules.goal(1), goals[1]);
}

// The same for the game playout() plays with a seed, which must not depend on being watched.
template <class Game>
void expect_agreement_with_playout(machine::TextInterpreter& rules, std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random watched(seed);
    std::vector<typename Game::Move> moves;
    const Outcome outcome = Game::playout(watched, [&](typename Game::Move move) { moves.push_back(move); });
    expect_agreement<Game>(rules, moves, outcome);

    Random unwatched(seed);
    const Outcome again = Game::playout(unwatched);
    EXPECT_EQ(again.steps, outcome.steps);
    EXPECT_EQ(again.winner, outcome.winner);
    EXPECT_EQ(unwatched.next(), watched.next());
}

template <class Game>
void replay(const std::filesystem::path& path, unsigned games) {
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not here";
    machine::TextInterpreter rules = interpreter_of(path);
    for (unsigned seed = 1; seed <= games; ++seed) {
        expect_agreement_with_playout<Game>(rules, seed);
        if (::testing::Test::HasFailure()) return;
    }
}

TEST(Hand, TicTacToeFollowsItsRules) { replay<TicTacToe>(bundled("tic_tac_toe.kif"), many(200)); }
TEST(Hand, ConnectFourFollowsItsRules) { replay<ConnectFour>(bundled("connect_four_8x6.kif"), many(30)); }
TEST(Hand, BreakthroughFollowsItsRules) { replay<Breakthrough>(bundled("breakthrough.kif"), many(10)); }
TEST(Hand, TicTacToeFollowsTheSharedRules) { replay<TicTacToe>(shared("ticTacToe.kif"), many(200)); }
TEST(Hand, ConnectFourFollowsTheSharedRules) { replay<ConnectFour>(shared("connectFour.kif"), many(30)); }
TEST(Hand, BreakthroughFollowsTheSharedRules) { replay<Breakthrough>(shared("breakthrough.kif"), many(10)); }

// Endings that random games seldom or never reach.

TEST(Hand, TicTacToeEndsWithItsLastCell) {
    machine::TextInterpreter rules = interpreter_of(bundled("tic_tac_toe.kif"));
    expect_agreement<TicTacToe>(rules, {0, 3, 1, 4, 5, 7, 6, 8, 2}, {9, Winner::first});
    expect_agreement<TicTacToe>(rules, {0, 1, 2, 3, 5, 6, 7, 8, 4}, {9, Winner::none});
}

TEST(Hand, ConnectFourEndsWithAFullBoard) {
    std::uint64_t seed = 1;
    for (; seed < 100'000; ++seed) {
        Random random(seed);
        if (ConnectFour::playout(random).winner == Winner::none) break;
    }
    machine::TextInterpreter rules = interpreter_of(bundled("connect_four_8x6.kif"));
    expect_agreement_with_playout<ConnectFour>(rules, seed);
    Random random(seed);
    EXPECT_EQ(ConnectFour::playout(random).steps, ConnectFour::columns * ConnectFour::rows);
}

bool reaches_an_end_row(Breakthrough::Move move) { return move.to / 8 == 0 || move.to / 8 == 7; }

// A game in which the first player takes what he can and nobody takes or goes home otherwise while there is a choice.
std::vector<Breakthrough::Move> play_for_captures(Random& random) {
    std::vector<Breakthrough::Move> played;
    std::uint64_t pawns[2] = {0x0000'0000'0000'ffff, 0xffff'0000'0000'0000};
    for (Breakthrough game; !game.terminal();) {
        const std::size_t mover = played.size() % 2;
        std::vector<Breakthrough::Move> best;
        int best_value = -1;
        for (const Breakthrough::Move move : legal_moves(game)) {
            const bool takes = (pawns[1 - mover] >> move.to & 1) != 0;
            const bool ends = move.to / 8 == (mover == 0 ? 7 : 0);
            const int value = ends ? 0 : takes == (mover == 0) ? 2 : 1;
            if (value > best_value) best.clear();
            best_value = std::max(value, best_value);
            if (value == best_value) best.push_back(move);
        }
        if (best.empty()) return played;  // a game that goes on without pawns; the caller will see it
        const Breakthrough::Move move = best[random.below(static_cast<unsigned>(best.size()))];
        const std::uint64_t to = std::uint64_t{1} << move.to;
        pawns[mover] ^= to | std::uint64_t{1} << move.from;
        pawns[1 - mover] &= ~to;
        game.apply(move);
        played.push_back(move);
    }
    return played;
}

TEST(Hand, BreakthroughEndsWithTheLastPawnTaken) {
    Random random(3);
    std::vector<Breakthrough::Move> moves;
    for (int attempt = 0; attempt < 10'000 && (moves.empty() || reaches_an_end_row(moves.back())); ++attempt) {
        moves = play_for_captures(random);
    }
    ASSERT_FALSE(reaches_an_end_row(moves.back())) << "no game ended by the last capture";
    machine::TextInterpreter rules = interpreter_of(bundled("breakthrough.kif"));
    const auto steps = static_cast<unsigned>(moves.size());
    expect_agreement<Breakthrough>(rules, moves, {steps, steps % 2 == 1 ? Winner::first : Winner::second});
}

// Uniform choice: how often each of n legal moves is chosen, for every n, against a chi-squared bound.
template <class Game>
void expect_uniform(unsigned games) {
    std::map<std::size_t, std::vector<double>> chosen;  // by number of legal moves: how often the first, second, …
    Random random(7);
    for (unsigned played = 0; played < games; ++played) {
        Game game;
        Game::playout(random, [&](typename Game::Move move) {
            const auto legal = legal_moves(game);
            auto& counts = chosen[legal.size()];
            counts.resize(legal.size());
            ++counts[static_cast<std::size_t>(std::ranges::find(legal, move) - legal.begin())];
            game.apply(move);
        });
    }
    for (const auto& [count, times] : chosen) {
        double total = 0;
        for (const double time : times) total += time;
        const double expected = total / static_cast<double>(count);
        if (count == 1 || expected < 20) continue;
        double squares = 0;
        for (const double time : times) squares += (time - expected) * (time - expected) / expected;
        const auto freedom = static_cast<double>(count - 1);
        EXPECT_LT(squares, freedom + 5 * std::sqrt(2 * freedom) + 10) << count << " legal moves";
    }
}

TEST(Hand, TicTacToeChoosesUniformly) { expect_uniform<TicTacToe>(20'000); }
TEST(Hand, ConnectFourChoosesUniformly) { expect_uniform<ConnectFour>(10'000); }
TEST(Hand, BreakthroughChoosesUniformly) { expect_uniform<Breakthrough>(3'000); }

struct Statistics {
    double games = 0, first = 0, second = 0, steps = 0, squared_steps = 0;

    void add(const Outcome& outcome, double weight = 1) {
        games += weight;
        first += outcome.winner == Winner::first ? weight : 0;
        second += outcome.winner == Winner::second ? weight : 0;
        steps += weight * outcome.steps;
        squared_steps += weight * outcome.steps * outcome.steps;
    }
    double mean() const { return steps / games; }
    double variance() const { return squared_steps / games - mean() * mean(); }
};

template <class Game>
Statistics play_many(unsigned games) {
    Random random(11);
    Statistics statistics;
    for (unsigned played = 0; played < games; ++played) statistics.add(Game::playout(random));
    return statistics;
}

// Uniform play by the interpreter alone.
Statistics interpret_many(const std::filesystem::path& path, unsigned games) {
    machine::TextInterpreter rules = interpreter_of(path);
    Random random(13);
    Statistics statistics;
    for (unsigned played = 0; played < games; ++played) {
        unsigned steps = 0;
        for (rules.reset(); !rules.terminal(); ++steps) {
            Strings moves;
            for (const std::size_t role : {0U, 1U}) {
                const Strings legal = rules.legal(role);
                moves.push_back(legal[random.below(static_cast<unsigned>(legal.size()))]);
            }
            rules.advance(moves);
        }
        const int goal = rules.goal(0).value();
        statistics.add({steps, goal == 100 ? Winner::first : goal == 0 ? Winner::second : Winner::none});
    }
    return statistics;
}

// Differences as far as chance makes them in one of 15,000 comparisons; the seeds are fixed.
void expect_alike(const Statistics& one, const Statistics& other) {
    const auto bound = [&](double variance) { return 4 * std::sqrt(variance * (1 / one.games + 1 / other.games)); };
    EXPECT_NEAR(one.mean(), other.mean(), bound(one.variance()));
    for (const auto part : {&Statistics::first, &Statistics::second}) {
        const double share = one.*part / one.games;
        EXPECT_NEAR(share, other.*part / other.games, bound(share * (1 - share)));
    }
}

TEST(Hand, GamesAreAsLongAndAsOftenWonAsByTheInterpreter) {
    expect_alike(play_many<TicTacToe>(100'000), interpret_many(bundled("tic_tac_toe.kif"), many(1000)));
    expect_alike(play_many<ConnectFour>(100'000), interpret_many(bundled("connect_four_8x6.kif"), many(100)));
    expect_alike(play_many<Breakthrough>(50'000), interpret_many(bundled("breakthrough.kif"), many(30)));
}

// Averages measured with other engines, known to one digit.
TEST(Hand, GamesAreAsLongAsByOtherEngines) {
    const auto expect_mean = [](const Statistics& statistics, double mean) {
        EXPECT_NEAR(statistics.mean(), mean, 0.05 + 4 * std::sqrt(statistics.variance() / statistics.games));
    };
    expect_mean(play_many<TicTacToe>(200'000), 7.6);
    expect_mean(play_many<ConnectFour>(200'000), 22.3);
    expect_mean(play_many<Breakthrough>(50'000), 64.1);
}

// Every game of tic-tac-toe, weighted by its probability.
void add_all_games(const TicTacToe& game, double probability, Statistics& statistics, unsigned& count) {
    if (game.terminal()) {
        statistics.add(game.outcome(), probability);
        ++count;
        return;
    }
    const auto moves = legal_moves(game);
    for (const unsigned move : moves) {
        TicTacToe next = game;
        next.apply(move);
        add_all_games(next, probability / static_cast<double>(moves.size()), statistics, count);
    }
}

TEST(Hand, TicTacToeHasItsKnownProbabilities) {
    Statistics exact;
    unsigned count = 0;
    add_all_games({}, 1, exact, count);
    EXPECT_EQ(count, 255'168U);
    EXPECT_NEAR(exact.first, 737.0 / 1260, 1e-9);
    EXPECT_NEAR(exact.second, 121.0 / 420, 1e-9);
    exact.games = 1;

    const Statistics played = play_many<TicTacToe>(1'000'000);
    EXPECT_NEAR(played.mean(), exact.mean(), 4 * std::sqrt(exact.variance() / played.games));
    EXPECT_NEAR(played.first / played.games, exact.first, 0.002);
    EXPECT_NEAR(played.second / played.games, exact.second, 0.002);
}

}  // namespace
}  // namespace stratagem::hand
