// Cells and patterns found in rules, values that follow the state, and weights that come of playing.
#include <gtest/gtest.h>

#include <set>

#include "evaluate/ground_game.h"
#include "evaluate/linear/follow.h"
#include "evaluate/linear/learn.h"
#include "evaluate/linear/linear_evaluator.h"
#include "evaluate/linear/weights_file.h"
#include "machine/random.h"

namespace stratagem::evaluate::linear {
namespace {

using evaluate::testing::GroundGame;
using machine::Role;
using machine::State;

struct Learned : GroundGame {
    explicit Learned(gdl::Description rules, std::uint64_t states, LearnSettings settings = {})
        : GroundGame(std::move(rules), 60) {
        settings.play.most_states = states;
        const auto play = prepare_learning(prepared, *known, nullptr, settings, machine::Stop{});
        if (states > 0) play->run({});
        played = play->played();
        evaluator = std::make_unique<LinearEvaluator>(prepared.circuit()->shared_program(), play->model());
        tuples = evaluator->model().tuples;
    }

    // Without the end.
    std::vector<State> walk(std::uint64_t seed) const {
        std::vector<State> states = GroundGame::walk(seed, 60);
        if (machine->terminal(states.back())) states.pop_back();
        return states;
    }

    std::shared_ptr<const Tuples> tuples;
    SelfPlayed played;
    std::unique_ptr<LinearEvaluator> evaluator;
};

TEST(Tuples, EveryFluentBelongsToOneCell) {
    for (const char* name : {"tic_tac_toe", "breakthrough_6x6", "minichess", "farmers", "eight_puzzle"}) {
        SCOPED_TRACE(name);
        const Learned game(machine::testing::bundled(name), 0);
        std::vector<std::size_t> cells(game.prepared.program()->fluents.size(), 0);
        for (std::uint32_t cell = 0; cell < game.tuples->cells().size(); ++cell) {
            for (const machine::Fluent fluent : game.tuples->cells().fluents(cell)) ++cells[ground::index(fluent)];
        }
        EXPECT_EQ(std::ranges::count(cells, 1U), static_cast<std::ptrdiff_t>(cells.size()));
    }
}

// Every look is where the contents of its cells say, however the follower came there.
TEST(Tuples, LooksSeeWhatHolds) {
    for (const char* name : {"tic_tac_toe", "breakthrough_6x6", "connect_three"}) {
        SCOPED_TRACE(name);
        const Learned game(machine::testing::bundled(name), 0);
        ASSERT_GT(game.tuples->looks(), 0U);
        const std::vector<float> none(game.tuples->views().blocks * game.tuples->entries() * 2, 0);
        for (std::size_t view = 0; view < game.tuples->phases(); ++view) {
            Follower<float, float> follower(*game.tuples, view, none.data(), none.data(), 1);
            for (const State& state : game.walk(3)) {
                follower.move_to(state);
                for (std::size_t look = 0; look < game.tuples->looks(); ++look) {
                    for (const Tuples::Sight& sight : game.tuples->sights(view, look, follower.entries()[look])) {
                        const auto& cell = game.tuples->cells().fluents(game.tuples->cells().cell_of(sight.fluent));
                        const bool any = std::ranges::any_of(cell, [&](auto fluent) { return state.holds(fluent); });
                        EXPECT_EQ(sight.holds, any);
                        EXPECT_EQ(state.holds(sight.fluent), any);
                    }
                }
            }
        }
    }
}

TEST(Tuples, LinesArePatterns) {
    LearnSettings without_walks;
    without_walks.limits.walks = 0;
    without_walks.symmetries = false;
    const Learned game(machine::testing::bundled("tic_tac_toe"), 0, without_walks);
    std::set<std::set<std::string>> lines;
    for (const Pattern& pattern : game.tuples->patterns()) {
        if (pattern.size() != 3) continue;
        std::set<std::string> line;
        for (const std::uint32_t cell : pattern) {
            const std::string name = game.machine->fluent_name(game.tuples->cells().fluents(cell).front());
            line.insert(name.substr(0, name.rfind(' ')));
        }
        lines.insert(line);
    }
    EXPECT_EQ(lines.size(), 8U);
    LearnSettings alone;
    alone.patterns = false;
    EXPECT_EQ(Learned(machine::testing::bundled("tic_tac_toe"), 0, alone).tuples->looks(), 0U);
    // One for each of the three kinds of line, looked at eight times.
    LearnSettings alike = without_walks;
    alike.symmetries = true;
    const Learned shared(machine::testing::bundled("tic_tac_toe"), 0, alike);
    EXPECT_EQ(shared.tuples->views().kept.size(), 8U);
    EXPECT_EQ(std::ranges::count(shared.tuples->patterns(), 3U, &Pattern::size), 3);
    EXPECT_EQ(shared.tuples->looks(), 8 * shared.tuples->patterns().size());
}

// Whose turn it is makes no difference where the rules make none.
TEST(Views, OneTableForPlayersWhoAreAlike) {
    for (const char* name : {"tic_tac_toe", "connect_four", "breakthrough_6x6", "three_player_tic_tac_toe"}) {
        EXPECT_EQ(Learned(machine::testing::bundled(name), 0).tuples->views().blocks, 1U) << name;
        LearnSettings apart;
        apart.symmetries = false;
        const Learned other(machine::testing::bundled(name), 0, apart);
        EXPECT_EQ(other.tuples->views().blocks, other.machine->role_count()) << name;
    }
}

// What a symmetry makes of a state is worth as much to whom it makes of a player.
TEST(Views, StatesThatAreAlikeAreWorthTheSame) {
    for (const char* name : {"tic_tac_toe", "connect_four", "breakthrough_6x6", "three_player_tic_tac_toe"}) {
        SCOPED_TRACE(name);
        const Learned game(machine::testing::bundled(name), 20'000);
        ASSERT_FALSE(game.known->symmetries().generators.empty());
        bool swaps = false;
        for (const analysis::Symmetry& symmetry : game.known->symmetries().generators) {
            swaps = swaps || symmetry.swaps_roles();
            for (const State& state : game.walk(5)) {
                for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) {
                    EXPECT_EQ(game.evaluator->value(state, Role{role}),
                              game.evaluator->value(symmetry.apply(state), symmetry.roles[role]));
                }
            }
        }
        EXPECT_TRUE(swaps);
    }
}

TEST(WeightsFile, IsReadAsItWasWritten) {
    for (const char* name : {"connect_three", "three_player_tic_tac_toe", "farmers"}) {
        SCOPED_TRACE(name);
        const Learned game(machine::testing::bundled(name), 5'000);
        const ground::Program& program = *game.prepared.program();
        const std::string text = to_json(game.evaluator->model(), program);
        auto read = model_from_json(text, program);
        ASSERT_TRUE(std::holds_alternative<Model>(read)) << std::get<std::string>(read);
        EXPECT_EQ(std::get<Model>(read).weights, game.evaluator->model().weights);
        const LinearEvaluator again(game.prepared.circuit()->shared_program(), std::move(std::get<Model>(read)));
        for (const State& state : game.walk(2)) {
            EXPECT_EQ(again.value(state, Role{0}), game.evaluator->value(state, Role{0}));
        }
    }
}

TEST(WeightsFile, SaysWhatIsWrong) {
    const Learned game(machine::testing::bundled("connect_three"), 1'000);
    const Learned other(machine::testing::bundled("tic_tac_toe"), 0);
    const ground::Program& program = *game.prepared.program();
    const std::string text = to_json(game.evaluator->model(), program);
    const auto problem = [&](const std::string& changed) {
        const auto read = model_from_json(changed, program);
        return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : std::string("none");
    };
    const auto with = [&](const std::string& old, const std::string& now) {
        std::string changed = text;
        changed.replace(changed.find(old), old.size(), now);
        return problem(changed);
    };
    EXPECT_EQ(problem(text), "none");
    EXPECT_NE(std::get<std::string>(model_from_json(text, *other.prepared.program())).find("the game has no fluent"),
              std::string::npos);
    EXPECT_NE(problem("{").find("not as weights are written"), std::string::npos);
    EXPECT_NE(problem("[1]").find("this is no file of"), std::string::npos);
    EXPECT_EQ(with("\"patterns\"", "\"pattern\""), "'patterns' is missing");
    EXPECT_EQ(with("\"control\":", "\"control\":9"), "there is no such cell as 'control' says");
    EXPECT_EQ(with("\"weights\":[", "\"weights\":[99999999,1,"), "there are more weights than contents");
    EXPECT_EQ(with("\"full\":[", "\"full\":[999,"), "there is no such cell as is full");
    EXPECT_EQ(with("\"kept\":[{\"fluents\":[0,", "\"kept\":[{\"fluents\":[1,"), "a symmetry is no exchange");
    EXPECT_EQ(with("\"blocks\":1", "\"blocks\":9"), "there is not a view for each phase");
    EXPECT_EQ(with("\"patterns\":[[", "\"patterns\":[[7777,"), "a pattern has no proper cells");
    // Cut anywhere, it is refused and nothing else.
    for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 50) {
        EXPECT_NE(problem(text.substr(0, length)), "none") << length;
    }
}

TEST(LinearEvaluator, FollowsStatesAndIsTheSameFromNothing) {
    for (const char* name : {"connect_three", "breakthrough_6x6", "three_player_tic_tac_toe", "racetrack_corridor"}) {
        SCOPED_TRACE(name);
        const Learned game(machine::testing::bundled(name), 5'000);
        ASSERT_GT(game.played.games, 0U);
        const std::unique_ptr<Evaluation> following = game.evaluator->start();
        std::set<double> values;
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            for (const State& state : game.walk(seed)) {
                for (std::uint32_t role = 0; role < game.machine->role_count(); ++role) {
                    const double value = game.evaluator->value(state, Role{role});
                    EXPECT_EQ(following->value(state, Role{role}), value);
                    EXPECT_GT(value, 0);
                    EXPECT_LT(value, 100);
                    EXPECT_EQ(game.evaluator->explain(state, Role{role}).value, value);
                    values.insert(value);
                }
            }
        }
        EXPECT_GT(values.size(), 10U);
    }
}

// A state that is only peeked at leaves nothing behind, and adds up to what going there would.
TEST(Follower, PeeksWithoutGoing) {
    const Learned game(machine::testing::bundled("breakthrough_6x6"), 5'000);
    const Model& model = game.evaluator->model();
    const auto fluents = weights_of_fluents<std::int32_t>(*game.tuples, 1, model.weights.data());
    const auto follower = [&] {
        return Follower<std::int16_t, std::int32_t>(*game.tuples, 0, model.block(0), fluents[0].data(), 1);
    };
    auto there = follower(), peeking = follower(), direct = follower();
    const std::vector<State> states = game.walk(1), others = game.walk(2);
    for (std::size_t i = 0; i < std::min(states.size(), others.size()); ++i) {
        there.move_to(states[i]);
        peeking.move_to(states[i]);
        direct.move_to(others[i]);
        EXPECT_EQ(peeking.peek(others[i], 0), direct.sum(0));
        EXPECT_EQ(peeking.sum(0), there.sum(0));
        EXPECT_TRUE(std::ranges::equal(peeking.entries(), there.entries()));
        const auto sum = peeking.sum(0);
        peeking.add_up();
        EXPECT_EQ(peeking.sum(0), sum);
    }
}

TEST(LinearEvaluator, TwoWhoPlayForTheSameShareIt) {
    const Learned game(machine::testing::bundled("connect_three"), 5'000);
    for (const State& state : game.walk(1)) {
        EXPECT_NEAR(game.evaluator->value(state, Role{0}) + game.evaluator->value(state, Role{1}), 100, 1e-9);
    }
}

TEST(SelfPlay, TheSameSeedLearnsTheSame) {
    const Learned one(machine::testing::bundled("connect_three"), 20'000);
    const Learned again(machine::testing::bundled("connect_three"), 20'000);
    LearnSettings otherwise;
    otherwise.play.seed = 2;
    const Learned other(machine::testing::bundled("connect_three"), 20'000, otherwise);
    EXPECT_EQ(one.evaluator->model().weights, again.evaluator->model().weights);
    EXPECT_NE(one.evaluator->model().weights, other.evaluator->model().weights);
}

// What it likes best after so little play, against moves by chance.
TEST(SelfPlay, BeatsChanceInSecondsOfPlay) {
    for (const char* name : {"tic_tac_toe", "breakthrough_6x6", "connect_three"}) {
        SCOPED_TRACE(name);
        const Learned game(machine::testing::bundled(name), 100'000);
        machine::Random random(7);
        int points = 0;
        constexpr int matches = 60;
        for (int match = 0; match < matches; ++match) {
            const std::uint32_t ours = match % 2 == 0 ? 0 : 1;
            State state = game.machine->initial();
            while (!game.machine->terminal(state)) {
                std::vector<machine::Move> joint;
                for (std::uint32_t role = 0; role < 2; ++role) {
                    std::vector<machine::Move> moves;
                    game.machine->legal(state, Role{role}, moves);
                    joint.push_back(moves.at(random.below(static_cast<std::uint32_t>(moves.size()))));
                }
                std::vector<machine::Move> moves;
                game.machine->legal(state, Role{ours}, moves);
                double best = -1;
                for (const machine::Move move : moves) {
                    std::vector<machine::Move> tried = joint;
                    tried[ours] = move;
                    State next;
                    game.machine->next(state, tried, next);
                    const double value = game.machine->terminal(next) ? game.machine->goal(next, Role{ours}).value_or(0)
                                                                      : game.evaluator->value(next, Role{ours});
                    if (value <= best) continue;
                    best = value;
                    joint[ours] = move;
                }
                State next;
                game.machine->next(state, joint, next);
                state = next;
            }
            points += game.machine->goal(state, Role{ours}).value_or(0);
        }
        EXPECT_GE(points / matches, 80);
    }
}

}  // namespace
}  // namespace stratagem::evaluate::linear
