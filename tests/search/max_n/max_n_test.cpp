#include "search/max_n/max_n.h"

#include <gmock/gmock.h>

#include "search/search_games.h"

namespace stratagem::search::testing {
namespace {

// MaxN written down directly, with the same preferences: own score, then what is worst for the role that asks, then the
// first difference.
class PlainMaxN {
  public:
    PlainMaxN(const Prepared& game, std::uint32_t asks) : game_(game), asks_(asks) {
        for (std::size_t role = 0; role < game.problem.facts.roles; ++role) {
            scales_.emplace_back(game.problem.facts.least_goal[role], game.problem.facts.most_goal[role]);
        }
    }

    // Steps are counted from the state.
    const std::vector<Score>& value(const State& state) {
        if (const auto known = values_.find(state); known != values_.end()) return known->second;
        std::vector<Score> result = work_out(state);
        return values_.emplace(state, std::move(result)).first->second;
    }
    std::vector<Score> value_of_move(const State& state, std::uint32_t role, Move move) {
        std::vector<std::vector<Move>> legal;
        for (std::uint32_t i = 0; i < scales_.size(); ++i) legal.push_back(game_.legal(state, i));
        legal[role] = {move};
        std::vector<Move> joint(legal.size());
        return decide(state, legal, joint, 0);
    }
    double goal(const std::vector<Score>& value, std::uint32_t role) const { return scales_[role].value(value[role]); }

  private:
    std::vector<Score> work_out(const State& state) {
        std::vector<Score> result;
        std::vector<std::vector<Move>> legal;
        if (game_.machine->terminal(state)) {
            for (std::uint32_t role = 0; role < scales_.size(); ++role) {
                result.push_back(scales_[role].of_goal(game_.machine->goal(state, Role{role}).value_or(0), 0));
            }
            return result;
        }
        for (std::uint32_t role = 0; role < scales_.size(); ++role) legal.push_back(game_.legal(state, role));
        std::vector<Move> joint(legal.size());
        return decide(state, legal, joint, 0);
    }

    // The role that asks decides first, then the others in their order.
    std::vector<Score> decide(const State& state, const std::vector<std::vector<Move>>& legal, std::vector<Move>& joint,
                              std::uint32_t place) {
        if (place == legal.size()) {
            State next;
            game_.machine->next(state, joint, next);
            std::vector<Score> result = value(next);
            for (std::size_t i = 0; i < result.size(); ++i) result[i] = scales_[i].absolute(result[i], 1);
            return result;
        }
        const std::uint32_t role = place == 0 ? asks_ : place <= asks_ ? place - 1 : place;
        std::vector<Score> best;
        for (const Move move : legal[role]) {
            joint[role] = move;
            const std::vector<Score> result = decide(state, legal, joint, place + 1);
            const auto rank = [&](const std::vector<Score>& v) {
                std::vector<Score> key{-v[role], v[asks_]};
                key.insert(key.end(), v.begin(), v.end());
                return key;
            };
            if (best.empty() || rank(result) < rank(best)) best = result;
        }
        return best;
    }

    const Prepared& game_;
    std::uint32_t asks_;
    std::vector<ScoreScale> scales_;
    std::unordered_map<State, std::vector<Score>, HashState> values_;
};

void expect_same(const Prepared& game, const State& state, std::uint32_t role, const std::string& options) {
    PlainMaxN plain(game, role);
    const std::unique_ptr<Search> search = game.make("maxn", options);
    const Choice choice = search->choose(state, Role{role}, {});
    const std::vector<Score> expected = plain.value(state);
    ASSERT_THAT(choice.note, ::testing::HasSubstr("complete"));
    ASSERT_EQ(choice.value, plain.goal(expected, role)) << options;
    ASSERT_TRUE(game.is_legal(state, role, choice.move));
    ASSERT_EQ(plain.value_of_move(state, role, *choice.move), expected) << options;
}

TEST(MaxN, AgreesWithThePlainDefinitionForThreePlayers) {
    const Prepared game = prepared("three_player_tic_tac_toe");
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const State state = game.late(18 + seed % 4, seed);
        for (std::uint32_t role = 0; role < 3; ++role) {
            for (const std::string options : {"prune=on", "prune=off", "nonuniform=on"}) {
                expect_same(game, state, role, options);
            }
        }
    }
}

TEST(MaxN, AgreesWithThePlainDefinitionForTwoPlayers) {
    for (const std::string name : {"tic_tac_toe", "connect_three", "minichess", "bidding_tic_tac_toe"}) {
        const Prepared game = prepared(name);
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            const State state = game.walk(name == "bidding_tic_tac_toe" ? 14 : 4 + seed % 3, seed);
            for (const std::uint32_t role : {0U, 1U}) expect_same(game, state, role, "");
        }
    }
}

TEST(MaxN, PruningChangesNoValue) {
    Prepared game = prepared("three_player_tic_tac_toe");
    game.problem.evaluator = std::make_shared<NoiseEvaluator>();
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const State state = game.walk(seed % 2 == 0 ? 4 : 14, seed);
        for (std::uint32_t role = 0; role < 3; ++role) {
            const Choice with = game.make("maxn", "prune=on")->choose(state, Role{role}, depth(3));
            const Choice without = game.make("maxn", "prune=off")->choose(state, Role{role}, depth(3));
            ASSERT_EQ(with.value, without.value) << seed;
            ASSERT_EQ(with.note.substr(0, with.note.find(" at ")), without.note.substr(0, without.note.find(" at ")));
        }
    }
}

// So early that nobody can win yet: what is saved is saved because too little is left for the player before.
TEST(MaxN, PruningLooksAtLess) {
    Prepared game = prepared("three_player_tic_tac_toe");
    game.problem.evaluator = std::make_shared<NoiseEvaluator>();
    std::uint64_t with = 0;
    std::uint64_t without = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const State state = game.walk(2, seed);
        with += game.make("maxn", "prune=on")->choose(state, Role{0}, depth(3)).nodes;
        without += game.make("maxn", "prune=off")->choose(state, Role{0}, depth(3)).nodes;
    }
    EXPECT_LT(with, without * 9 / 10);
}

// Moves that were no better before are looked at less deep.
TEST(MaxN, NonuniformDepthLooksAtLess) {
    Prepared game = prepared("three_player_tic_tac_toe");
    game.problem.evaluator = std::make_shared<NoiseEvaluator>();
    std::uint64_t on = 0;
    std::uint64_t off = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const State state = game.walk(2, seed);
        on += game.make("maxn", "nonuniform=on")->choose(state, Role{0}, depth(4)).nodes;
        off += game.make("maxn")->choose(state, Role{0}, depth(4)).nodes;
    }
    EXPECT_LT(on, off / 2);
}

// Goal values that do not add up: both can win, and selfish play finds it where paranoid play does not.
TEST(MaxN, FindsWhatIsGoodForBoth) {
    const Prepared game = prepared_rules(R"(
        (role a) (role b) (init (at start)) (other a b) (other b a)
        (edge start a trust middle) (edge start a doubt small)
        (edge middle b share both) (edge middle b grab zero)
        (<= (mover ?p) (true (at ?n)) (edge ?n ?p ?m ?x))
        (<= (legal ?p ?m) (true (at ?n)) (edge ?n ?p ?m ?x))
        (<= (legal ?q noop) (mover ?p) (other ?p ?q))
        (<= (next (at ?x)) (true (at ?n)) (edge ?n ?p ?m ?x) (does ?p ?m))
        (pays both 90 90) (pays zero 0 50) (pays small 30 30)
        (<= terminal (true (at ?n)) (pays ?n ?v ?w))
        (<= (goal a ?v) (true (at ?n)) (pays ?n ?v ?w)) (<= (goal b ?w) (true (at ?n)) (pays ?n ?v ?w))
    )");
    EXPECT_EQ(game.problem.facts.constant_sum, analysis::Verdict::refuted);
    const Choice selfish = game.make("maxn")->choose(game.machine->initial(), Role{0}, {});
    EXPECT_EQ(selfish.value, 90);
    EXPECT_EQ(game.machine->move_name(*selfish.move), "trust");
    EXPECT_FALSE(selfish.proved);  // b could grab
    const Choice paranoid = game.make("paranoid")->choose(game.machine->initial(), Role{0}, {});
    EXPECT_EQ(paranoid.value, 30);
    EXPECT_TRUE(paranoid.proved);
}

TEST(MaxN, IsTheSameInEveryRunAndKeepsToItsBudget) {
    Prepared game = prepared("three_player_tic_tac_toe");
    game.problem.evaluator = std::make_shared<NoiseEvaluator>();
    const auto play = [&] {
        const Choice choice = game.make("maxn")->choose(game.walk(4, 3), Role{1}, nodes(30'000));
        EXPECT_LE(choice.nodes, 30'000U);
        return std::tuple(choice.move, choice.value, choice.nodes, choice.depth);
    };
    EXPECT_EQ(play(), play());
}

}  // namespace
}  // namespace stratagem::search::testing
