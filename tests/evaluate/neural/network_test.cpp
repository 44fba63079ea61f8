// Networks by themselves, made of the goals of bundled games: monotone, differentiable, and kept as text.
#include <gtest/gtest.h>

#include "evaluate/neural/gradient.h"
#include "evaluate/neural/weights.h"
#include "evaluate/neural_game.h"

namespace stratagem::evaluate::neural::testing {
namespace {

constexpr Transformation all_kinds[] = {Transformation::cilp, Transformation::local, Transformation::soft};

GradedTheory graded(const NeuralGame& game, Transformation kind, const Limits& leaves = {}) {
    const analysis::RuleIndex index(game.prepared.circuit()->program());
    TransformationSettings settings;
    settings.kind = kind;
    settings.leaves = leaves;
    return GradedTheory(index, {}, settings, {});
}

std::vector<std::uint32_t> inputs_of(const Network& network) {
    std::vector<std::uint32_t> inputs;
    for (std::uint32_t i = 1; i < network.size(); ++i) {
        if (network.neuron(i).first == network.neuron(i).end) inputs.push_back(i);
    }
    return inputs;
}

double random_input(machine::Random& random) { return random.below(2'000'001) / 1e6 - 1; }

Network::Values random_values(const Network& network, machine::Random& random) {
    Network::Values values = network.make_values();
    network.set_input(values, 0, 1);
    for (const std::uint32_t input : inputs_of(network)) network.set_input(values, input, random_input(random));
    network.compute_all(values);
    return values;
}

TEST(NeuralNetwork, IsMonotoneInEveryInput) {
    machine::Random random(5);
    std::size_t moved = 0, compared = 0;
    for (const char* name :
         {"tic_tac_toe", "connect_four_8x6", "breakthrough", "bidding_tic_tac_toe", "skirmish", "quarto"}) {
        const NeuralGame game(machine::testing::bundled(name));
        for (const Transformation kind : all_kinds) {
            const GradedTheory made = graded(game, kind);
            const Network& network = made.network();
            const std::vector<std::uint32_t> inputs = inputs_of(network);
            for (int round = 0; round < 100; ++round) {
                Network::Values values = random_values(network, random);
                const DomainTheory::Goal& goal =
                    made.theory().goals()[random.below(static_cast<std::uint32_t>(made.theory().goals().size()))];
                const std::vector<bool> reached = reached_from(made.theory(), goal.condition);
                const std::uint32_t input = inputs[random.below(static_cast<std::uint32_t>(inputs.size()))];
                const double before = made.network().answer(values, goal.condition);
                const double old = values.output[input];
                network.set_input(values, input, random_input(random));
                network.compute_changes(values);
                const double after = network.answer(values, goal.condition);
                const bool up = reached[Code(input).code()], down = reached[Code(input, true).code()];
                if (up && down) continue;
                ++compared;
                moved += before != after ? 1 : 0;
                const double change = (values.output[input] - old) * (after - before);
                if (!up && !down) {
                    EXPECT_EQ(before, after) << name;
                } else {
                    EXPECT_GE(up ? change : -change, -1e-15) << name;
                }
            }
        }
    }
    EXPECT_GT(compared, 1000U);
    EXPECT_GT(moved, 300U);
}

// Fixed point: the same whatever was seen before.
TEST(NeuralNetwork, FollowsChangesToTheLastBit) {
    machine::Random random(6);
    const NeuralGame game(machine::testing::bundled("connect_four_8x6"));
    // As it is made, and as it may be once something is learned.
    for (std::size_t i = 0; i < 2 * std::size(all_kinds); ++i) {
        GradedTheory made = graded(game, all_kinds[i / 2]);
        if (i % 2 != 0) {
            for (double& strength : made.network().strengths()) strength = 0.5 + random.below(100) / 100.0;
            made.network().finish();
        }
        const std::vector<std::uint32_t> inputs = inputs_of(made.network());
        Network::Values values = random_values(made.network(), random);
        for (int round = 0; round < 200; ++round) {
            for (int change = 0; change < 5; ++change) {
                const std::uint32_t input = inputs[random.below(static_cast<std::uint32_t>(inputs.size()))];
                made.network().set_input(values, input, random_input(random), random.below(4) == 0);
            }
            made.network().compute_changes(values);
            Network::Values fresh = values;
            made.network().compute_all(fresh);
            ASSERT_EQ(fresh.output, values.output);
            ASSERT_EQ(fresh.certain, values.certain);
            ASSERT_EQ(fresh.tally, values.tally);
        }
    }
}

// A part that stays false settles its conjunction, whatever the others are.
TEST(NeuralNetwork, PrunesWhatIsCertain) {
    const NeuralGame game(machine::testing::described(switches));
    for (const Transformation kind : {Transformation::local, Transformation::soft}) {
        const GradedTheory made = graded(game, kind);
        const Code all = made.theory().goals().back().condition;
        const std::vector<std::uint32_t> inputs = inputs_of(made.network());
        Network::Values values = made.network().make_values();
        made.network().compute_all(values);
        for (const std::uint32_t input : inputs) made.network().set_input(values, input, 1);
        made.network().set_input(values, inputs[0], -1, true);
        made.network().compute_changes(values);
        EXPECT_EQ(made.network().output(values, all), -1);
        EXPECT_EQ(values.certain[node_of(all)], negated(all) ? 1 : -1);
        made.network().set_input(values, inputs[0], -1, false);
        made.network().compute_changes(values);
        EXPECT_GT(made.network().output(values, all), -1);
        EXPECT_EQ(values.certain[node_of(all)], 0);
        for (const std::uint32_t input : inputs) made.network().set_input(values, input, 1, true);
        made.network().compute_changes(values);
        EXPECT_EQ(made.network().output(values, all), 1);
    }
}

// Numeric derivatives, away from where a part of a soft neuron changes its sign.
double numeric(const Network& network, Network::Values values, Code answer, std::uint32_t input, double step) {
    const double at = values.input[input];
    network.set_input(values, input, at + step);
    network.compute_changes(values);
    const double high = network.answer(values, answer);
    network.set_input(values, input, at - step);
    network.compute_changes(values);
    return (high - network.answer(values, answer)) / (2 * step);
}

TEST(NeuralNetwork, BackPropagatesWhatNumbersSay) {
    machine::Random random(7);
    std::size_t checked = 0;
    for (const char* name : {"tic_tac_toe", "breakthrough_6x6", "skirmish"}) {
        const NeuralGame game(machine::testing::bundled(name));
        for (const Transformation kind : {Transformation::local, Transformation::soft}) {
            const bool soft = kind == Transformation::soft;
            GradedTheory made = graded(game, kind, soft ? Limits{} : Limits{-1, -0.5, 0.5, 1});
            Network& network = made.network();
            for (std::size_t i = 0; i < network.connection_count(); ++i) {
                network.strengths()[i] = 0.5 + random.below(1000) / 1000.0;
            }
            network.finish();
            const std::vector<std::uint32_t> inputs = inputs_of(network);
            for (int round = 0; round < 30; ++round) {
                Network::Values values = random_values(network, random);
                const DomainTheory::Goal& goal =
                    made.theory().goals()[random.below(static_cast<std::uint32_t>(made.theory().goals().size()))];
                const Gradient by = gradient(network, values, goal.condition);
                const std::uint32_t input = inputs[random.below(static_cast<std::uint32_t>(inputs.size()))];
                if (std::abs(values.input[input]) < 0.01 || std::abs(values.input[input]) > 0.99) continue;
                const double expected = numeric(network, values, goal.condition, input, 1e-5);
                EXPECT_NEAR(by.output[input], expected, 1e-6 + 1e-3 * std::abs(expected)) << name;
                checked += expected != 0 ? 1 : 0;
                // By the strength of a connection.
                const auto place = random.below(static_cast<std::uint32_t>(network.connection_count()));
                const auto with = [&](double strength) {
                    const double kept = network.strengths()[place];
                    network.strengths()[place] = strength;
                    network.finish();
                    Network::Values changed = values;
                    network.compute_all(changed);
                    network.strengths()[place] = kept;
                    network.finish();
                    return network.answer(changed, goal.condition);
                };
                const double strength = network.strengths()[place];
                const double slope = (with(strength + 1e-5) - with(strength - 1e-5)) / 2e-5;
                EXPECT_NEAR(by.strength[place], slope, 1e-6 + 1e-3 * std::abs(slope)) << name;
            }
        }
    }
    EXPECT_GT(checked, 50U);
}

TEST(NeuralNetwork, DerivesByWeightAndBias) {
    machine::Random random(8);
    const NeuralGame game(machine::testing::bundled("tic_tac_toe"));
    GradedTheory made = graded(game, Transformation::local);
    Network& network = made.network();
    std::size_t checked = 0;
    for (std::size_t round = 0; round < 300; ++round) {
        const Network::Values values = random_values(network, random);
        const Code answer = made.theory().goals()[round % made.theory().goals().size()].condition;
        const Gradient by = gradient(network, values, answer);
        const std::uint32_t number = random.below(static_cast<std::uint32_t>(network.size()));
        if (network.neuron(number).kind != Network::Kind::sigmoid || number == node_of(answer)) continue;
        const auto slope = [&](double Network::Neuron::*what) {
            const auto with = [&](double step) {
                network.neuron(number).*what += step;
                Network::Values changed = values;
                network.compute_all(changed);
                network.neuron(number).*what -= step;
                return network.answer(changed, answer);
            };
            return (with(1e-5) - with(-1e-5)) / 2e-5;
        };
        const double by_weight = slope(&Network::Neuron::weight), by_bias = slope(&Network::Neuron::bias);
        EXPECT_NEAR(by.weight[number], by_weight, 1e-7 + 1e-4 * std::abs(by_weight));
        EXPECT_NEAR(by.bias[number], by_bias, 1e-7 + 1e-4 * std::abs(by_bias));
        checked += by_bias != 0 ? 1 : 0;
    }
    EXPECT_GT(checked, 20U);
}

TEST(NeuralNetwork, KeepsItsWeightsAsText) {
    machine::Random random(9);
    const NeuralGame game(machine::testing::bundled("tic_tac_toe"));
    for (const Transformation kind : all_kinds) {
        GradedTheory made = graded(game, kind);
        Network& network = made.network();
        for (double& strength : network.strengths()) strength = random.below(1'000'000) / 7e5;
        network.finish();
        const std::string text = weights_to_text(network);
        GradedTheory other = graded(game, kind);
        ASSERT_EQ(read_weights(text, other.network()), "");
        EXPECT_EQ(weights_to_text(other.network()), text);
        const Network::Values values = random_values(network, random);
        Network::Values same = values;
        other.network().compute_all(same);
        EXPECT_EQ(same.output, values.output);
        EXPECT_NE(read_weights("", other.network()), "");
        EXPECT_NE(read_weights(text + "1\n", other.network()), "");
        EXPECT_NE(read_weights(text.substr(0, text.size() - 20), other.network()), "");
        EXPECT_NE(read_weights(text.substr(0, text.rfind(' ')) + " x", other.network()), "");
        const NeuralGame another(machine::testing::described(switches));
        EXPECT_NE(read_weights(text, graded(another, kind).network()), "");
    }
}

}  // namespace
}  // namespace stratagem::evaluate::neural::testing
