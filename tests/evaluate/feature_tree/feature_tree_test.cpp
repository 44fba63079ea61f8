// Feature trees: the example of the thesis, text, and sums that are what filtering down gives.
#include "evaluate/feature_tree/feature_tree.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "evaluate/feature_tree/fluent_sums.h"
#include "evaluate/feature_tree/prepare.h"
#include "evaluate/feature_tree/tree_evaluator.h"
#include "evaluate/feature_tree/tree_text.h"
#include "evaluate/feature_tree/tree_values.h"
#include "evaluate/ground_game.h"
#include "evaluate/registry.h"
#include "machine/random.h"
#include "test_size.h"

namespace stratagem::evaluate::feature_tree {
namespace {

using evaluate::testing::GroundGame;
using machine::Role;
using machine::State;

FeatureTree parsed(std::string_view text) {
    auto read = parse_tree(text);
    if (const auto* problem = std::get_if<TextProblem>(&read)) {
        ADD_FAILURE() << to_text(*problem);
        return {};
    }
    return std::get<FeatureTree>(read);
}

struct TreeGame : GroundGame {
    explicit TreeGame(gdl::Description rules) : GroundGame(std::move(rules), 0), literals(look(*this)) {}

    // Orders only: proofs would take longer than everything else.
    static const analysis::Findings& look(TreeGame& game) {
        const auto shared = std::shared_ptr<const machine::Game>(&game.prepared, [](const machine::Game*) {});
        const analysis::Analysis analysis(shared, {.sample_states = 500});
        using analysis::Item;
        game.known = std::make_shared<const analysis::Findings>(
            analysis.ask({Item::samples, Item::orders, Item::groups, Item::graph}, {}));
        return *game.known;
    }

    Literals literals;
};

// A board of 6×6 on which anybody may put anything anywhere, as in figure 7.2.
const std::string board_of_thesis = R"(
    (role white) (role black)
    (index 1) (index 2) (index 3) (index 4) (index 5) (index 6)
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
    (content green) (content white) (content black)
    (<= (base (cell ?x ?y ?c)) (index ?x) (index ?y) (content ?c))
    (<= (base (control ?p)) (role ?p))
    (<= (init (cell ?x ?y green)) (index ?x) (index ?y))
    (init (control white))
    (<= (input ?p (mark ?x ?y)) (role ?p) (index ?x) (index ?y))
    (<= (input ?p noop) (role ?p))
    (<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y green)))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)))
    (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?p (mark ?u ?v)) (not (same ?x ?y ?u ?v)))
    (<= (same ?x ?y ?x ?y) (index ?x) (index ?y))
    (<= (next (control black)) (true (control white)))
    (<= (next (control white)) (true (control black)))
    (<= (row ?p) (role ?p) (true (cell ?x ?y ?p)) (succ ?x ?u) (true (cell ?u ?y ?p)) (succ ?y ?v) (true (cell ?u ?v ?p))
        (succ ?u ?w) (true (cell ?w ?v ?p)))
    (<= open (true (cell ?x ?y green)))
    (<= terminal (not open))
    (<= (goal ?p 100) (row ?p))
    (<= (goal ?p 0) (role ?p) (not (row ?p))))";

const std::string tree_of_thesis = R"(*
  F:cell
    C[2]
      T[2]:white #
      T[2]:black #
    T[2]:white #
    T[2]:black #
    ~C[2]
      E[2]
        T[2]:white #
        T[2]:black #
)";

State state_of_thesis(const TreeGame& game) {
    const std::vector<std::string> rows{"gwgggw", "bwgggw", "bwbwbw", "bbbbbg", "gbbbbg", "ggbwgg"};
    std::vector<std::string> fluents{"(control white)"};
    for (std::size_t x = 0; x < rows.size(); ++x) {
        for (std::size_t y = 0; y < rows[x].size(); ++y) {
            const char c = rows[x][y];
            fluents.push_back(fmt::format("(cell {} {} {})", x + 1, y + 1,
                                          c == 'g'   ? "green"
                                          : c == 'w' ? "white"
                                                     : "black"));
        }
    }
    return game.state(fluents);
}

TEST(FeatureTree, ExampleOfTheThesis) {
    const TreeGame game(machine::testing::described(board_of_thesis));
    const FeatureTree tree = parsed(tree_of_thesis);
    const State state = state_of_thesis(game);
    // As it numbers nodes, the values are 8 14 1 0 4 4: nodes 4 and 5, then 7 and 8, then 10 and 11.
    EXPECT_EQ(tree_values(tree, game.literals, state), (std::vector<std::int64_t>{1, 0, 8, 14, 4, 4}));
    const FeatureTree by_number = parsed(
        "*\n  F:cell\n    T[2]:white #\n    T[2]:black #\n    C[2]\n      T[2]:white #\n      T[2]:black #\n"
        "    ~C[2]\n      E[2]\n        T[2]:white #\n        T[2]:black #\n");
    EXPECT_EQ(tree_values(by_number, game.literals, state), (std::vector<std::int64_t>{8, 14, 1, 0, 4, 4}));
    // How many literals stand at the nodes of its list: 1, 2, 4, 5, 3, 7, 8, 6, 9, 10, 11.
    std::vector<machine::Fluent> holding;
    state.for_each([&](machine::Fluent fluent) { holding.push_back(fluent); });
    std::vector<std::size_t> counts;
    for (const auto& arrived : filter_down(by_number, game.literals, holding)) counts.push_back(arrived.size());
    EXPECT_EQ(counts, (std::vector<std::size_t>{37, 36, 8, 14, 4, 1, 0, 32, 16, 4, 4}));
}

TEST(FeatureTree, PlacesAndNegations) {
    const TreeGame game(machine::testing::described(board_of_thesis));
    const State state = game.state({"(control white)", "(cell 3 6 white)", "(cell 2 1 black)", "(cell 5 4 green)"});
    const FeatureTree tree = parsed(
        "* # O[0]\n  ~F:cell #\n  T[2]:white O[0] O[1] O[2] O[7]\n  ~T[2]:white #\n  T[0]:white #\n  T[0.0]:white #\n"
        "  ~E[2] #\n  C[0] #\n  F:nonesuch #\n");
    // (control white) has no places: neither corner nor edge, whatever the argument.
    EXPECT_EQ(tree_values(tree, game.literals, state),
              (std::vector<std::int64_t>{4, 2 + 1 + 4, 1, 2, 5, 0, 0, 3, 1, 0, 2, 0, 0}));
}

TEST(FeatureTree, NestedTermsHavePaths) {
    const std::string rules = R"(
        (role a) (init (at (pos 1 2) (piece king))) (init (at (pos 2 2) queen))
        (base (at (pos 1 2) (piece king))) (base (at (pos 2 2) queen)) (base gone)
        (input a go) (legal a go) (<= (next gone) (does a go)) (<= terminal (true gone)) (goal a 100))";
    const TreeGame game(machine::testing::described(rules));
    const FeatureTree tree =
        parsed("*\n  T[0.0]:1 #\n  T[0.1]:2 #\n  T[0]:pos #\n  T[1]:piece\n    T[1.0]:king #\n  T[1]:queen #\n");
    EXPECT_EQ(tree_values(tree, game.literals, game.machine->initial()), (std::vector<std::int64_t>{1, 2, 2, 1, 1}));
    const Growth growth = grow(game.literals, {}, {});
    EXPECT_TRUE(growth.complete);
    EXPECT_NE(to_text(growth.tree).find("T[0.0]:1"), std::string::npos) << to_text(growth.tree);
}

TEST(TreeText, ReadsWhatItWrote) {
    EXPECT_EQ(to_text(parsed(tree_of_thesis)), tree_of_thesis);
    EXPECT_EQ(to_text(parsed("; a comment\n\n* #\r\n  ~~F:a O[12] #  \n\n  ~T[1.0.3]:(odd[]~# #")),
              "* #\n  F:a O[12] #\n  ~T[1.0.3]:(odd[]~# #\n");
    const FeatureTree tree = parsed(tree_of_thesis);
    EXPECT_EQ(tree.name(tree.features().back()), "F:cell ~C[2] E[2] T[2]:black #");
}

TEST(TreeText, SaysWhereItIsWrong) {
    const auto problem = [](std::string_view text) {
        const auto read = parse_tree(text);
        return std::holds_alternative<TextProblem>(read) ? to_text(std::get<TextProblem>(read)) : "none";
    };
    EXPECT_EQ(problem("").substr(0, 20), "line 1, column 1: th");
    EXPECT_EQ(problem("F:cell").substr(0, 20), "line 1, column 1: th");
    EXPECT_EQ(problem("*\n  X:cell").substr(0, 17), "line 2, column 3:");
    EXPECT_EQ(problem("*\n  F:").substr(0, 17), "line 2, column 5:");
    EXPECT_EQ(problem("*\n  T[x]:a").substr(0, 17), "line 2, column 5:");
    EXPECT_EQ(problem("*\n  T[1:a").substr(0, 17), "line 2, column 6:");
    EXPECT_EQ(problem("*\n   F:a").substr(0, 17), "line 2, column 4:");
    EXPECT_EQ(problem("*\n    F:a").substr(0, 17), "line 2, column 5:");
    EXPECT_EQ(problem("*\n*").substr(0, 17), "line 2, column 1:");
    EXPECT_EQ(problem("*\n\n  F:a # #").substr(0, 18), "line 3, column 10:");
    EXPECT_EQ(problem("*\n  F:a #O[1]").substr(0, 17), "line 2, column 8:");
    EXPECT_EQ(problem("*\n  C[1.2]").substr(0, 17), "line 2, column 4:");
    EXPECT_EQ(problem("* O[99999999999]").substr(0, 17), "line 1, column 5:");
}

// In many games: sums are what filtering down gives, one weight for each fluent is what all features give together, and
// grown trees are read as they were written.
TEST(Sums, AreWhatTheTreeMakesOfStates) {
    for (const char* name : {"tic_tac_toe", "othello", "hallway", "minichess", "farmers", "breakthrough_6x6",
                             "eight_puzzle", "chinese_checkers", "capture_go_4x4", "blocks_world", "quarto", "nim"}) {
        SCOPED_TRACE(name);
        const TreeGame game(machine::testing::bundled(name));
        const Growth growth = grow(game.literals, {sanitized ? 100U : 400U, 1'000'000, true}, {});
        const FeatureTree& tree = growth.tree;
        EXPECT_EQ(parsed(to_text(tree)), tree);
        const Sums sums(tree, game.literals);
        ASSERT_EQ(sums.features(), tree.features().size());
        machine::Random random(1);
        std::vector<double> weights;
        for (std::size_t i = 0; i < sums.features(); ++i) weights.push_back(static_cast<double>(random.below(7)) - 3);
        const std::vector<double> by_fluent = sums.collapse(weights);
        std::vector<std::int64_t> whole;
        for (const double weight : by_fluent) whole.push_back(whole_weight(weight));
        FluentSums followed(whole, 1);
        for (const State& state : game.walk(7, sized(40))) {
            const std::vector<std::int64_t> values = tree_values(tree, game.literals, state);
            double all = 0;
            for (std::size_t i = 0; i < values.size(); ++i) {
                ASSERT_EQ(sums.value(i, state), values[i]) << tree.name(tree.features()[i]);
                all += weights[i] * static_cast<double>(values[i]);
            }
            EXPECT_DOUBLE_EQ(static_cast<double>(followed.move_to(state)[0]) / weight_unit, all);
        }
    }
}

TEST(Grow, HasEveryFluentOnceAndNoSetTwice) {
    const TreeGame game(machine::testing::bundled("tic_tac_toe"));
    const Growth growth = grow(game.literals, {}, {});
    EXPECT_TRUE(growth.complete);
    std::vector<machine::Fluent> all;
    for (std::uint32_t i = 0; i < game.literals.size(); ++i) all.push_back(machine::Fluent{i});
    auto sets = filter_down(growth.tree, game.literals, all);
    for (const machine::Fluent fluent : all) {
        EXPECT_EQ(std::ranges::count(sets, std::vector{fluent}), 1) << game.machine->fluent_name(fluent);
    }
    EXPECT_FALSE(std::ranges::any_of(sets, [](const auto& set) { return set.empty(); }));
    std::ranges::sort(sets);
    EXPECT_EQ(std::ranges::adjacent_find(sets), sets.end());
}

TEST(Grow, KeepsToItsLimits) {
    const TreeGame game(machine::testing::bundled("othello"));
    GrowthLimits limits;
    limits.nodes = 50;
    const Growth small = grow(game.literals, limits, {});
    EXPECT_EQ(small.tree.nodes().size(), 50U);
    EXPECT_FALSE(small.complete);
    const std::atomic<bool> now = true;
    EXPECT_FALSE(grow(game.literals, {}, {Deadline::never(), &now}).complete);
    // Fewer nodes are the ones nearest to the root.
    const FeatureTree all = grow(game.literals, {}, {}).tree;
    for (std::uint32_t node = 0; node < small.tree.nodes().size(); ++node) EXPECT_LE(small.tree.depth(node), 2U);
    EXPECT_GT(all.nodes().size(), 300U);
}

TEST(Variation, BringsBackWhatChanges) {
    const TreeGame game(machine::testing::bundled("tic_tac_toe"));
    const FeatureTree tree = parsed("* #\n  F:cell #\n    T[2]:blank #\n    T[0]:1\n      T[1]:1\n        T[2]:x #\n");
    const Sums sums(tree, game.literals);
    const std::vector<State> states = game.walk(3, 100);
    Variation variation(sums);
    for (const State& state : states) variation.see(state);
    std::vector<bool> expected;
    for (std::size_t i = 0; i < sums.features(); ++i) {
        expected.push_back(std::ranges::any_of(
            states, [&](const State& state) { return sums.value(i, state) != sums.value(i, states.front()); }));
    }
    EXPECT_EQ(variation.varying(), expected);
    EXPECT_FALSE(variation.varies(0));
    EXPECT_TRUE(variation.varies(2));
    State other = states.front();
    other.flip(*game.machine->find_fluent("(cell 1 1 x)"));
    variation.see(other);
    EXPECT_TRUE(variation.varies(3));
    EXPECT_TRUE(variation.varies(0));
    EXPECT_EQ(variation.count(), 4U);
}

TEST(Prepare, WeightsOfRandomGamesTellWhoIsAhead) {
    const TreeGame game(machine::testing::bundled("breakthrough_6x6"));
    PrepareSettings settings;
    settings.outcomes.states = sized(4000);
    auto prepared = prepare(game.prepared.circuit(), game.literals, *game.known, settings, {});
    ASSERT_TRUE(std::holds_alternative<Prepared>(prepared)) << std::get<std::string>(prepared);
    const Prepared& grown = std::get<Prepared>(prepared);
    EXPECT_LT(grown.variation->count(), grown.sums->features());
    const Fitted fitted = fit(grown, game.literals.program(), {}, {});
    EXPECT_LT(fitted.error, 0.9 * fitted.spread);
    const TreeEvaluator evaluator(fitted.model.pruned(), game.literals);
    // Both see the same, and the file says the same.
    const std::string text = to_json(evaluator.model(), game.literals.program());
    auto read = model_from_json(text, game.literals.program());
    ASSERT_TRUE(std::holds_alternative<TreeModel>(read)) << std::get<std::string>(read);
    const TreeEvaluator again(std::get<TreeModel>(read), game.literals);
    const auto work = evaluator.start();
    for (const State& state : game.walk(5, 60)) {
        const double first = evaluator.value(state, Role{0});
        EXPECT_NEAR(first + evaluator.value(state, Role{1}), 100, 1);
        EXPECT_EQ(work->value(state, Role{0}), first);
        EXPECT_EQ(again.value(state, Role{0}), first);
    }
    const Explanation why = evaluator.explain(game.walk(5, 20).back(), Role{1});
    EXPECT_GT(why.parts.size(), 1U);
    EXPECT_NE(why.parts.front().text.find(" is "), std::string::npos) << why.parts.front().text;
    // The same in every run.
    auto once_more = prepare(game.prepared.circuit(), game.literals, *game.known, settings, {});
    EXPECT_EQ(to_json(fit(std::get<Prepared>(once_more), game.literals.program(), {}, {}).model.pruned(),
                      game.literals.program()),
              text);
}

TEST(Tree, SaysWhyItCannotBeMade) {
    const EvaluatorEntry& entry = *find_evaluator("tree");
    Material of;
    std::string said;
    of.log = [&](const std::string& line) { said += line; };
    of.game = std::make_shared<machine::GdlGame>(machine::testing::bundled("breakthrough_6x6"));
    EXPECT_EQ(entry.make(of, OptionValues(entry.options, "")), nullptr);
    EXPECT_NE(said.find("cannot be grounded"), std::string::npos) << said;
    const TreeGame game(machine::testing::bundled("breakthrough_6x6"));
    of.game = std::shared_ptr<const machine::Game>(&game.prepared, [](const machine::Game*) {});
    of.analysis = game.known;
    of.stop.deadline = Deadline::after(std::chrono::seconds(-1));
    EXPECT_EQ(entry.make(of, OptionValues(entry.options, "")), nullptr);
    EXPECT_NE(said.find("no time"), std::string::npos) << said;
    of.stop = {};
    EXPECT_NE(entry.make(of, OptionValues(entry.options, "grown=30,outcomes=200")), nullptr);
    EXPECT_THROW(entry.check(OptionValues(entry.options, "weights=/no/such/file")), OptionError);
}

TEST(TreeModel, SaysWhatIsWrongWithAFile) {
    const TreeGame game(machine::testing::bundled("tic_tac_toe"));
    const auto problem = [&](const std::string& text) {
        const auto read = model_from_json(text, game.literals.program());
        return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : std::string("none");
    };
    const std::string good = R"({"kind":"stratagem feature tree","tree":["* #"],"roles":[
        {"name":"x","least":0,"most":100,"weights":[1]},{"name":"o","least":0,"most":100,"weights":[]}]})";
    const auto with = [&](std::string_view what, std::string_view instead) {
        std::string text = good;
        return problem(text.replace(text.find(what), what.size(), instead));
    };
    EXPECT_EQ(problem(good), "none");
    EXPECT_NE(problem("{}").find("no file"), std::string::npos);
    EXPECT_NE(problem("[1").find("not as"), std::string::npos);
    EXPECT_NE(with("\"x\"", "\"y\"").find("other roles"), std::string::npos);
    EXPECT_NE(with("[1]", "[1,2]").find("1 features, and there are 2"), std::string::npos);
    EXPECT_NE(with("* #", "# *").find("line 1"), std::string::npos);
    EXPECT_NE(with("100", "-1").find("upside down"), std::string::npos);
    EXPECT_NE(with("\"weights\"", "\"weight\"").find("not as"), std::string::npos);
}

}  // namespace
}  // namespace stratagem::evaluate::feature_tree
