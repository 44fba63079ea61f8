// Evaluators by name.
#include "evaluate/registry.h"

#include <gtest/gtest.h>

#include "machine/machine_games.h"

namespace stratagem::evaluate {
namespace {

Material material(const gdl::Description& description, machine::MachineKind kind) {
    machine::MachineOptions options;
    options.kind = kind;
    Material result;
    result.game = std::make_shared<machine::GdlGame>(description, options);
    return result;
}

std::shared_ptr<const Evaluator> made(const Material& of, std::string_view options) {
    const EvaluatorEntry* entry = find_evaluator("fuzzy");
    return entry->make(of, OptionValues(entry->options, options));
}

TEST(EvaluatorRegistry, KnowsEvaluatorsByName) {
    EXPECT_EQ(find_evaluator("no such"), nullptr);
    for (const EvaluatorEntry& entry : evaluator_table()) {
        EXPECT_EQ(find_evaluator(entry.name), &entry);
        EXPECT_FALSE(entry.about.empty());
        EXPECT_NO_THROW(OptionValues(entry.options, ""));
    }
}

// Without an analysis there are no structures, and values all the same.
TEST(EvaluatorRegistry, MakesFuzzyWithoutAnAnalysis) {
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    const Material of = material(description, machine::MachineKind::circuit);
    const auto evaluator = made(of, "");
    ASSERT_NE(evaluator, nullptr);
    const auto machine = of.game->make();
    const double value = evaluator->value(machine->initial(), machine::Role{0});
    EXPECT_GT(value, 0);
    EXPECT_LT(value, 100);
    EXPECT_NE(made(of, "aggregation=mean")->value(machine->initial(), machine::Role{0}), value);
}

TEST(EvaluatorRegistry, SaysWhatIsWrongWithOptions) {
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    const Material of = material(description, machine::MachineKind::circuit);
    EXPECT_THROW(made(of, "truth=0.6,threshold=0.7"), OptionError);
    EXPECT_THROW(made(of, "power=0.5"), OptionError);
    EXPECT_NE(made(of, "truth=0.7,threshold=0.7,power=2.5,boards=off,orders=off,quantities=off"), nullptr);
}

TEST(EvaluatorRegistry, SaysWhenFuzzyCannotBeMade) {
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    Material of = material(description, machine::MachineKind::interpreter);
    std::string said;
    of.log = [&](const std::string& line) { said += line; };
    EXPECT_EQ(made(of, ""), nullptr);
    EXPECT_NE(said.find("cannot be grounded"), std::string::npos);
    of = material(description, machine::MachineKind::circuit);
    of.log = [&](const std::string& line) { said += line; };
    of.stop.deadline = Deadline::after(std::chrono::seconds(-1));
    EXPECT_EQ(made(of, ""), nullptr);
    EXPECT_NE(said.find("no time"), std::string::npos);
}

}  // namespace
}  // namespace stratagem::evaluate
