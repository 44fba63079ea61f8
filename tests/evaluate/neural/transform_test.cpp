// The numbers of the papers: weights, activations, and what networks make of the first moves of connect four.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "evaluate/neural/print.h"
#include "evaluate/neural_game.h"

namespace stratagem::evaluate::neural::testing {
namespace {

// Example 3.2 of the thesis.
TEST(NeuralTransform, ActivatesConjunctionsAsInTheThesis) {
    const NeuralGame game(machine::testing::described(switches));
    const DomainTheory& theory = game.evaluator->goals().theory();
    ASSERT_TRUE(theory.is_consistent());
    CilpSettings settings;
    settings.truth = 0.9;
    settings.weight = 4;
    const Network network = transform_by_cilp(theory, settings);
    const Code all = theory.goals().back().condition;
    ASSERT_FALSE(negated(all));
    const double expected[] = {-27.4, -19.4, -11.4, -3.4, 4.6};
    for (std::uint32_t on = 0; on <= 4; ++on) {
        Network::Values values = network.make_values();
        std::uint32_t set = 0;
        for (const Code part : network.parts(network.neuron(node_of(all)))) {
            network.set_input(values, node_of(part), set++ < on ? 1 : -1);
        }
        network.compute_all(values);
        EXPECT_NEAR(4 * values.input[node_of(all)], expected[on], 1e-12);
        EXPECT_NEAR(network.answer(values, all), 2 / (1 + std::exp(-expected[on])) - 1, 1e-12);
    }
    EXPECT_NEAR(network.neuron(node_of(all)).output.high, 0.980096, 1e-6);
    EXPECT_NEAR(network.neuron(node_of(all)).output.low, -0.935409, 1e-6);
}

// Two boards side by side, alike in everything: networks of goals share parts, and whose weights are raised first is a
// matter of numbers.
const char* const twins = R"(
    (role r) (role s) (board a) (board b) (sign x) (sign o) (row 1) (row 2) (row 3) (init (step 0)) (init (empty a)) (init (empty b)) (place 1) (place 2) (place 3)
    (<= (legal r (press ?b x ?i ?y)) (board ?b) (row ?i) (place ?y))
    (<= (legal s (press ?b o ?i ?y)) (board ?b) (row ?i) (place ?y))
    (<= (next (lit ?b ?x ?i ?y)) (does r (press ?b ?x ?i ?y)))
    (<= (next (lit ?b ?x ?i ?y)) (does s (press ?b ?x ?i ?y)))
    (<= (next (lit ?b ?x ?i ?y)) (true (lit ?b ?x ?i ?y)))
    (<= (next (empty ?b)) (true (empty ?b)) (does r (press ?c ?x ?i ?y)) (distinct ?b ?c))
    (<= (full ?b ?s ?x) (true (lit ?b ?s ?x 1)) (true (lit ?b ?s ?x 2)) (true (lit ?b ?s ?x 3)))
    (<= (line ?b ?s) (full ?b ?s ?x))
    (<= (drawn ?b) (board ?b) (not (line ?b x)) (not (line ?b o)) (not (true (empty ?b))))
    (<= terminal (line a x) (line b x))
    (<= terminal (true (lit a x 1 1)))
    (<= (both ?s ?t) (line a ?s) (line b ?t))
    (<= (one ?s) (line a ?s) (drawn b))
    (<= (one ?s) (line b ?s) (drawn a))
    (<= (goal r 100) (both x x)) (<= (goal r 75) (one x)) (<= (goal r 50) (drawn a) (drawn b)) (<= (goal r 50) (both x o)) (<= (goal r 50) (both o x))
    (<= (goal r 25) (one o)) (<= (goal r 0) (both o o))
    (<= (goal s 0) (both x x)) (<= (goal s 25) (one x)) (<= (goal s 50) (drawn a) (drawn b)) (<= (goal s 50) (both x o)) (<= (goal s 50) (both o x))
    (<= (goal s 75) (one o)) (<= (goal s 100) (both o o))
)";

TEST(NeuralTransform, WeighsAlikeWhatIsAlike) {
    Settings settings = settings_for(Transformation::local);
    settings.aggregation = Settings::Aggregation::sum;
    const NeuralGame game(machine::testing::described(twins), settings);
    const State one = game.state({"(lit a o 1 1)", "(lit a o 1 2)", "(lit a o 1 3)", "(lit b o 2 1)", "(lit b x 2 2)"});
    const State other =
        game.state({"(lit b o 1 1)", "(lit b o 1 2)", "(lit b o 1 3)", "(lit a o 2 1)", "(lit a x 2 2)"});
    for (const std::uint32_t role : {0U, 1U}) {
        EXPECT_DOUBLE_EQ(game.value(one, role), game.value(other, role));
    }
}

TEST(NeuralTransform, ChoosesTheWeightOfTheWidestNode) {
    const NeuralGame game(machine::testing::described(switches), settings_for(Transformation::cilp));
    const Network& network = game.evaluator->goals().network();
    // k = 4: A* = 0.6, A_min = 0.68, W = 2 ln(1.68 / 0.32) / (1.68 - 4 * 0.32).
    const std::uint32_t all = node_of(game.evaluator->goals().theory().goals().back().condition);
    EXPECT_NEAR(network.neuron(all).weight, 2 * std::log(1.68 / 0.32) / 0.4, 1e-12);
}

// Each goal has a network of its own, with a weight by its own widest node (section 3.2.2), and goals of the standard
// value have none: of tic-tac-toe eight lines count, and not all that a draw asks for.
TEST(NeuralTransform, ChoosesWeightsByNetwork) {
    Settings settings = settings_for(Transformation::cilp);
    settings.aggregation = Settings::Aggregation::sum;
    const NeuralGame game(machine::testing::bundled("tic_tac_toe"), settings);
    const GradedTheory& goals = game.evaluator->goals();
    // k = 8: A* = 7/9, A_min = 0.8 * 7/9 + 0.2.
    const double truth = 0.8 * 7 / 9 + 0.2;
    const double weight = 2 * std::log((1 + truth) / (1 - truth)) / (8 * (truth - 1) + truth + 1);
    for (const DomainTheory::Goal& goal : goals.theory().goals()) {
        EXPECT_NE(goal.value, 50);
        EXPECT_NEAR(goals.network().neuron(node_of(goal.condition)).weight, weight, 1e-12) << goal.value;
    }
    EXPECT_EQ(goals.theory().goals().size(), 4U);
}

// How many different values the states after the first moves have for the first role.
std::size_t first_values(const NeuralGame& game) {
    std::vector<double> values;
    std::vector<machine::Move> legal, joint(2);
    game.machine->legal(game.machine->initial(), Role{1}, legal);
    joint[1] = legal.at(0);
    game.machine->legal(game.machine->initial(), Role{0}, legal);
    for (const machine::Move move : legal) {
        joint[0] = move;
        State next;
        game.machine->next(game.machine->initial(), joint, next);
        values.push_back(game.value(next));
    }
    std::ranges::sort(values);
    std::size_t count = 1;
    for (std::size_t i = 1; i < values.size(); ++i) count += values[i] - values[i - 1] > 1e-13 ? 1 : 0;
    return count;
}

// Weights that keep half truths apart are so high that nothing else is seen; those of true and false alone are not.
TEST(NeuralTransform, SeesFirstMovesWithFeaturesByTheWeightsOfTheThesis) {
    for (const char* name : {"connect_four", "three_dimensional_tic_tac_toe"}) {
        NeuralGame game(machine::testing::bundled(name), settings_for(Transformation::local), 20);
        const std::size_t plain = first_values(game);
        Settings settings = settings_for(Transformation::local);
        settings.features.persistence = true;
        game.set(settings);
        EXPECT_EQ(first_values(game), 1U) << name;
        settings.sound_weights = false;
        game.set(settings);
        EXPECT_GE(first_values(game), plain) << name;
        EXPECT_GE(plain, 2U) << name;
    }
}

// The first move of each column; the game is the one of the thesis, or the bundled one of its size.
struct ConnectFour {
    explicit ConnectFour(Transformation kind) {
        std::filesystem::path path =
            std::filesystem::path(STRATAGEM_SOURCE_DIR).parent_path() / "shared/games/connectFour.kif";
        if (!std::filesystem::exists(path)) path = std::filesystem::path(STRATAGEM_GAMES_DIR) / "connect_four_8x6.kif";
        game.emplace(machine::testing::described_file(path), settings_for(kind));
        std::vector<machine::Move> legal, joint(2);
        game->machine->legal(game->machine->initial(), Role{1}, legal);
        joint[1] = legal.at(0);
        game->machine->legal(game->machine->initial(), Role{0}, legal);
        for (const machine::Move move : legal) {
            joint[0] = move;
            State next;
            game->machine->next(game->machine->initial(), joint, next);
            answers.push_back(game->answer(next, 100));
        }
    }
    std::optional<NeuralGame> game;
    std::vector<double> answers;  // by column
};

TEST(NeuralTransform, SeesNoFirstMoveOfConnectFourByCilp) {
    const ConnectFour four(Transformation::cilp);
    ASSERT_EQ(four.answers.size(), 8U);
    for (const double answer : four.answers) EXPECT_EQ(answer, four.answers[0]);
}

// Four values, symmetric to the last bit, the middle best.
void expect_middle_is_best(const std::vector<double>& answers) {
    ASSERT_EQ(answers.size(), 8U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(answers[i], answers[7 - i]) << i;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(answers[i], answers[i + 1]) << i;
}

TEST(NeuralTransform, RanksFirstMovesOfConnectFourLocally) {
    const ConnectFour four(Transformation::local);
    expect_middle_is_best(four.answers);
    for (const double answer : four.answers) EXPECT_NEAR(answer, -0.63162650425, 1e-10);
    // Each line through the new piece adds as much; from the edge to the middle there are 3, 4, 5 and 7.
    EXPECT_NEAR(four.answers[1] - four.answers[0], 4.36e-12, 1e-14);
    EXPECT_NEAR(four.answers[2] - four.answers[1], 4.36e-12, 1e-14);
    EXPECT_NEAR(four.answers[3] - four.answers[2], 2 * 4.36e-12, 2e-14);
    const GradedTheory& goals = four.game->evaluator->goals();
    for (const DomainTheory::Goal& goal : goals.theory().goals()) {
        if (goal.role != Role{0} || goal.value != 100) continue;
        const Network::Neuron& line = goals.network().neuron(node_of(goal.condition));
        ASSERT_TRUE(line.disjunction);
        ASSERT_EQ(line.end - line.first, 84U);
        for (const Code part : goals.network().parts(line)) {
            EXPECT_NEAR(goals.network().neuron(node_of(part)).weight, std::log(169), 1e-6);  // 5.13
        }
    }
}

TEST(NeuralTransform, RanksFirstMovesOfConnectFourSoftlyWithResolutionToSpare) {
    const ConnectFour four(Transformation::soft);
    expect_middle_is_best(four.answers);
    EXPECT_GT(four.answers[3] - four.answers[0], 5e-3);
}

TEST(NeuralTransform, PrintsNetworks) {
    const NeuralGame game(machine::testing::described(switches), settings_for(Transformation::local));
    const ground::Program& program = game.prepared.circuit()->program();
    const std::string text = to_text(game.evaluator->goals(), program);
    EXPECT_NE(text.find("and 4 3 2 1; weight 1 bias -3; false -0.9982..-0.4621 true 0.4621..0.4621\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("or (goal player 0) -4 -3 -2 -1; weight 1 bias 3;"), std::string::npos) << text;
    EXPECT_NE(text.find("(goal player 100): 6\n"), std::string::npos) << text;
    const std::string dot = to_dot(game.evaluator->goals(), program);
    EXPECT_TRUE(dot.starts_with("digraph network {")) << dot;
    EXPECT_NE(dot.find("g1 -> n6;"), std::string::npos) << dot;
    EXPECT_NE(dot.find("n6 -> n1;"), std::string::npos) << dot;
    EXPECT_NE(dot.find("n5 -> n1 [style=dashed];"), std::string::npos) << dot;
}

}  // namespace
}  // namespace stratagem::evaluate::neural::testing
