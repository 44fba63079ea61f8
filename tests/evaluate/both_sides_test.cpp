#include "evaluate/both_sides.h"

#include <gtest/gtest.h>

#include "evaluate/fuzzy_game.h"

namespace stratagem::evaluate {
namespace {

using machine::Role;

// By role, whatever the state.
class FixedEvaluator final : public Evaluator {
  public:
    explicit FixedEvaluator(std::vector<double> values) : values_(std::move(values)) {}

    double value(const machine::State&, Role role) const override { return values_[ground::index(role)]; }
    Explanation explain(const machine::State& state, Role role) const override {
        return {"fixed", value(state, role), {}};
    }

  private:
    std::vector<double> values_;
};

TEST(BothSides, IsHalfwayBetweenOwnAndWhatTheOtherLeaves) {
    const auto fixed = std::make_shared<FixedEvaluator>(std::vector<double>{70, 12, 20});
    const auto both = both_sides(fixed, {Role{0}, Role{2}}, 100);
    EXPECT_DOUBLE_EQ(both->value({}, Role{0}), 75);
    EXPECT_DOUBLE_EQ(both->value({}, Role{1}), 12);
    EXPECT_DOUBLE_EQ(both->value({}, Role{2}), 25);
    EXPECT_DOUBLE_EQ(both_sides(fixed, {Role{0}, Role{2}}, 60)->value({}, Role{2}), 5);
    const auto far = std::make_shared<FixedEvaluator>(std::vector<double>{0, 100});
    EXPECT_DOUBLE_EQ(both_sides(far, {Role{0}, Role{1}}, 60)->value({}, Role{0}), 0) << "never out of bounds";

    const Explanation why = both->explain({}, Role{0});
    EXPECT_DOUBLE_EQ(why.value, 75);
    ASSERT_EQ(why.parts.size(), 2U);
    EXPECT_DOUBLE_EQ(why.parts[0].value, 70);
    EXPECT_DOUBLE_EQ(why.parts[1].value, 20);
    EXPECT_TRUE(both->explain({}, Role{1}).parts.empty());
}

// The goals of this game speak of each player's own arrival alone.
constexpr std::string_view race = R"((role near) (role far)
    (init (at near 2)) (init (at far 0)) (init (turn near))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (next_one near far) (next_one far near)
    (<= (legal ?p go) (true (turn ?p)))
    (<= (legal ?p stay) (true (turn ?p)))
    (<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
    (<= (next (at ?p ?b)) (does ?p go) (true (at ?p ?a)) (succ ?a ?b))
    (<= (next (at ?p ?a)) (true (at ?p ?a)) (not (does ?p go)))
    (<= (next (turn ?q)) (true (turn ?p)) (next_one ?p ?q))
    (<= (goal ?p 100) (true (at ?p 4)))
    (<= (goal ?p 0) (role ?p) (not (true (at ?p 4))))
    (<= terminal (true (at ?p 4))))";

TEST(BothSides, SeesWhatTheOtherIsAboutToDo) {
    const fuzzy::testing::FuzzyGame game(machine::testing::described(std::string(race)));
    const std::shared_ptr<const Evaluator> plain(std::shared_ptr<void>(), &*game.evaluator);
    const auto both = both_sides(plain, {Role{0}, Role{1}}, 100);
    const std::unique_ptr<Evaluation> following = both->start();
    const machine::State before = game.state({"(at near 2)", "(at far 0)", "(turn far)"});
    const machine::State after = game.state({"(at near 3)", "(at far 0)", "(turn far)"});
    for (const machine::State& state : {before, after}) {
        EXPECT_NEAR(both->value(state, Role{0}) + both->value(state, Role{1}), 100, 1e-9);
        for (const Role role : {Role{0}, Role{1}}) EXPECT_EQ(following->value(state, role), both->value(state, role));
    }
    EXPECT_NEAR(plain->value(before, Role{1}), plain->value(after, Role{1}), 0.01)
        << "of its own goals, nothing changed";
    EXPECT_LT(both->value(after, Role{1}), both->value(before, Role{1}) - 0.1) << "but the other one has come nearer";
}

}  // namespace
}  // namespace stratagem::evaluate
