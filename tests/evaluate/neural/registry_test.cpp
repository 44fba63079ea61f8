// The evaluator `neural` by its options.
#include <gtest/gtest.h>

#include <cmath>

#include "evaluate/neural/neural.h"
#include "evaluate/neural_game.h"

namespace stratagem::evaluate {
namespace {

Material material(const gdl::Description& description, machine::MachineKind kind = machine::MachineKind::circuit) {
    machine::MachineOptions options;
    options.kind = kind;
    Material result;
    result.game = std::make_shared<machine::GdlGame>(description, options);
    return result;
}

std::shared_ptr<const Evaluator> made(const Material& of, std::string_view options) {
    return neural_entry.make(of, OptionValues(neural_entry.options, options));
}

TEST(NeuralRegistry, MakesEveryTransformation) {
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    const Material of = material(description);
    const machine::State state = of.game->make()->initial();
    for (const char* kind : {"cilp", "local", "soft"}) {
        const auto evaluator = made(of, fmt::format("transformation={}", kind));
        ASSERT_NE(evaluator, nullptr) << kind;
        EXPECT_GT(evaluator->value(state, machine::Role{0}), 0) << kind;
        EXPECT_LT(evaluator->value(state, machine::Role{0}), 100) << kind;
        EXPECT_EQ(evaluator->start()->value(state, machine::Role{1}), evaluator->value(state, machine::Role{1}));
    }
}

// A game in which no goal is defined before the end: what is expected is all there is.
TEST(NeuralRegistry, ExpectsTheStandardWhereNothingIsNear) {
    const gdl::Description description = machine::testing::described(machine::testing::counting_game);
    const Material of = material(description);
    const machine::State state = of.game->make()->initial();
    EXPECT_LT(made(of, "standard=20")->value(state, machine::Role{1}),
              made(of, "standard=80")->value(state, machine::Role{1}));
}

TEST(NeuralRegistry, SaysWhatIsWrongWithOptions) {
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    const Material of = material(description);
    EXPECT_THROW(made(of, "transformation=hard"), OptionError);
    EXPECT_THROW(made(of, "standard=101"), OptionError);
    EXPECT_THROW(made(of, "transformation=cilp,distances=on"), OptionError);
}

TEST(NeuralRegistry, SaysWhenItCannotBeMade) {
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    std::string said;
    Material of = material(description, machine::MachineKind::interpreter);
    of.log = [&](const std::string& line) { said += line; };
    EXPECT_EQ(made(of, ""), nullptr);
    EXPECT_NE(said.find("cannot be grounded"), std::string::npos);
    of = material(description);
    of.log = [&](const std::string& line) { said += line; };
    of.stop.deadline = Deadline::after(std::chrono::seconds(-1));
    EXPECT_EQ(made(of, ""), nullptr);
    EXPECT_NE(said.find("no time"), std::string::npos);
}

// Two of three in a row: the goal of 100 pulls most, by the line that is nearest.
TEST(NeuralRegistry, ExplainsWhatPulls) {
    using neural::testing::NeuralGame;
    const NeuralGame game(machine::testing::described(neural::testing::switches));
    const Explanation none = game.evaluator->explain(game.state({}), machine::Role{0});
    EXPECT_NEAR(none.value, game.evaluator->value(game.state({}), machine::Role{0}), 1e-12);
    const Explanation three = game.evaluator->explain(game.state({"(on 1)", "(on 2)", "(on 4)"}), machine::Role{0});
    EXPECT_GT(three.value, none.value);
    // The goal of 0 holds, and that of 100 pulls.
    ASSERT_EQ(three.parts.size(), 1U);
    EXPECT_NE(three.text.find(": 0 by the goal that holds"), std::string::npos) << three.text;
    EXPECT_NEAR(three.parts[0].value, three.value, 1e-12);
    // In a sum both pull away from the standard value.
    neural::Settings settings;
    settings.aggregation = neural::Settings::Aggregation::sum;
    const NeuralGame added(machine::testing::described(neural::testing::switches), settings);
    const Explanation summed = added.evaluator->explain(added.state({"(on 1)", "(on 2)", "(on 4)"}), machine::Role{0});
    ASSERT_EQ(summed.parts.size(), 2U);
    double sum = 50;
    for (const Explanation& part : summed.parts) {
        sum += part.value;
        ASSERT_EQ(part.parts.size(), 1U);
    }
    EXPECT_NEAR(sum, summed.value, 1e-12);
    EXPECT_NEAR(sum, three.value, 1e-12);
    // What is missing comes first.
    const Explanation& hundred = three.parts[0];
    ASSERT_EQ(hundred.parts[0].parts.size(), 4U);
    EXPECT_EQ(hundred.parts[0].parts[0].text, "(on 3)");
    EXPECT_EQ(hundred.parts[0].parts[0].value, 0);
    EXPECT_NE(hundred.parts[0].text.find("all of 4 (on ?a)"), std::string::npos) << hundred.parts[0].text;
}

}  // namespace
}  // namespace stratagem::evaluate
