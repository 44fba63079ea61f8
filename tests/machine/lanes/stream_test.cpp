// Playouts as a stream: requests come in while others are being played. Each is answered once, with exactly its games,
// and what comes out is what play() says of the same states.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "machine/lanes/lane_games.h"
#include "machine/playout.h"
#include "machine/single_playouts.h"

namespace stratagem::machine::lanes {
namespace {

using machine::testing::bundled;
using testing::play;

// States some random moves into the game, terminal ones among them.
std::vector<State> some_states(Machine& machine, std::size_t count) {
    Random random(3);
    RandomPlay games(machine);
    std::vector<State> states;
    while (states.size() < count) {
        const Playout game = games.play(random, {1000, true, {}});
        State state = machine.initial();
        State next = state;
        const std::size_t roles = machine.role_count();
        for (std::size_t step = 0; step < game.steps && states.size() < count; ++step) {
            states.push_back(state);
            machine.next(state, std::span(game.moves).subspan(step * roles, roles), next);
            std::swap(state, next);
        }
        if (game.end == PlayoutEnd::terminal) states.push_back(state);
    }
    states.resize(count);
    return states;
}

struct Totals {
    std::map<std::uint32_t, PlayoutResult> answers;
    std::size_t calls = 0;
};

void take_answers(const Playouts& playouts, Totals& totals) {
    ++totals.calls;
    for (const Playouts::Done& answer : playouts.done()) {
        EXPECT_TRUE(totals.answers.emplace(answer.ticket, answer.result).second) << "ticket " << answer.ticket;
    }
}

// Every state as a request, a few at a time, with as many games as its number says.
Totals stream(Playouts& playouts, const std::vector<State>& states, std::uint32_t games) {
    Totals totals;
    std::uint32_t next = 0;
    while (totals.answers.size() < states.size() && totals.calls < 100'000) {
        for (int i = 0; i < 3 && next < states.size(); ++i, ++next) {
            playouts.add(next, states[next], games + next % 5);
        }
        playouts.advance(next < states.size() ? 64 : 0);
        take_answers(playouts, totals);
    }
    EXPECT_EQ(playouts.waiting(), 0U);
    playouts.advance(0);
    EXPECT_TRUE(playouts.done().empty());
    return totals;
}

TEST(Stream, AnswersEveryRequestOnceWithItsGames) {
    for (const std::string name :
         {"tic_tac_toe", "breakthrough_6x6", "rock_paper_scissors", "kuhn_poker", "othello", "eight_puzzle"}) {
        SCOPED_TRACE(name);
        const GdlGame game(bundled(name));
        const auto machine = game.make();
        const std::vector<State> states = some_states(*machine, 300);
        for (const bool lanes : {true, false}) {
            SCOPED_TRACE(lanes ? "lanes" : "single");
            const auto playouts = lanes ? game.make_playouts(5) : make_single_playouts(game, 5);
            const Totals totals = stream(*playouts, states, 4);
            ASSERT_EQ(totals.answers.size(), states.size());
            for (std::uint32_t i = 0; i < states.size(); ++i) {
                const PlayoutResult& result = totals.answers.at(i);
                EXPECT_EQ(result.finished + result.cut, 4 + i % 5);
                const bool over = machine->terminal(states[i]);
                EXPECT_EQ(result.steps == 0, over) << i;
                for (std::uint32_t role = 0; role < machine->role_count() && over; ++role) {
                    EXPECT_EQ(result.mean(role), machine->goal(states[i], Role{role}).value_or(0)) << i;
                }
            }
        }
    }
}

// Many games from few states: means of goals and lengths agree with those of play().
TEST(Stream, FindsWhatPlayFinds) {
    for (const std::string name : {"connect_four", "english_draughts", "three_player_tic_tac_toe", "nothello"}) {
        SCOPED_TRACE(name);
        const GdlGame game(bundled(name));
        const auto machine = game.make();
        const std::vector<State> states = some_states(*machine, 12);
        constexpr std::uint32_t games = 4000;
        const Totals totals = stream(*game.make_playouts(5), states, games);
        const auto playouts = game.make_playouts(6);
        for (std::uint32_t i = 0; i < states.size(); ++i) {
            const PlayoutResult& streamed = totals.answers.at(i);
            const PlayoutResult played = play(*playouts, states[i], games);
            const double count = games / 2.0;
            for (std::size_t role = 0; role < machine->role_count(); ++role) {
                const double mean = played.mean(role);
                EXPECT_NEAR(streamed.mean(role), mean, 5 * std::sqrt(mean * (100 - mean) / count) + 1e-9 + 500 / count);
            }
            const double length = static_cast<double>(played.steps) / games;
            EXPECT_NEAR(static_cast<double>(streamed.steps) / (streamed.finished + streamed.cut), length,
                        5 * length / std::sqrt(count));
        }
    }
}

TEST(Stream, IsTheSameForEveryWidth) {
    const gdl::Description description = bundled("breakthrough_6x6");
    std::optional<Totals> first;
    for (const Width width : testing::widths()) {
        testing::LanesAndCircuit game(description, testing::with_width(width));
        LanePlayouts playouts = game.playouts(9);
        const Totals totals = stream(playouts, some_states(game.machine, 100), 20);
        if (!first) first = totals;
        for (const auto& [ticket, result] : totals.answers) testing::expect_equal(result, first->answers.at(ticket));
    }
}

TEST(Stream, ForgetsWhatIsClearedAndGoesOn) {
    const GdlGame game(bundled("connect_four"));
    const State start = game.make()->initial();
    const auto playouts = game.make_playouts(5);
    for (std::uint32_t i = 0; i < 50; ++i) playouts->add(i, start, 100);
    playouts->advance(1000);
    EXPECT_GT(playouts->waiting(), 0U);
    playouts->clear();
    EXPECT_EQ(playouts->waiting(), 0U);
    EXPECT_TRUE(playouts->done().empty());
    playouts->add(77, start, 10);
    playouts->advance(0);
    // Whatever call it takes: nothing of what was cleared comes back.
    std::size_t answers = playouts->done().size();
    for (int i = 0; i < 100; ++i) {
        for (const Playouts::Done& answer : playouts->done()) EXPECT_EQ(answer.ticket, 77U);
        playouts->advance(0);
        answers += playouts->done().size();
    }
    EXPECT_EQ(answers, 1U);
    EXPECT_EQ(play(*playouts, start, 1000).finished, 1000U);
}

TEST(Stream, StopsAndGoesOn) {
    const GdlGame game(bundled("english_draughts"));
    const State start = game.make()->initial();
    const auto playouts = game.make_playouts(5);
    playouts->add(1, start, 5000);
    const std::atomic<bool> stopped = true;
    playouts->advance(0, {Deadline::never(), &stopped});
    EXPECT_TRUE(playouts->done().empty());
    Totals totals;
    while (totals.answers.empty() && totals.calls < 100'000) {
        playouts->advance(0);
        take_answers(*playouts, totals);
    }
    ASSERT_EQ(totals.answers.size(), 1U);
    EXPECT_EQ(totals.answers.at(1).finished, 5000U);
}

// Games that are cut count as games.
TEST(Stream, CutsLongGames) {
    const GdlGame game(bundled("english_draughts"));
    const auto machine = game.make();
    const auto playouts = game.make_playouts(5);
    playouts->set_max_steps(50);
    const Totals totals = stream(*playouts, std::vector<State>(40, machine->initial()), 30);
    for (const auto& [ticket, result] : totals.answers) {
        EXPECT_EQ(result.finished + result.cut, 30 + ticket % 5);
        EXPECT_GT(result.cut, 0U);
        EXPECT_LE(result.steps, 50U * (result.finished + result.cut));
        EXPECT_GE(result.steps, 50U * result.cut);
    }
}

}  // namespace
}  // namespace stratagem::machine::lanes
