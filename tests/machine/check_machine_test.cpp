// A machine with one planted fault after the other: the check machine must see each of them.
#include "machine/check_machine.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "machine/interpreter_machine.h"
#include "machine/machine_games.h"
#include "machine/playout.h"

namespace stratagem::machine {
namespace {

using testing::bundled;
using testing::counting_game;
using testing::described;
using ::testing::HasSubstr;

enum class Fault { none, role, initial, terminal, lost_move, extra_move, order, lost_fluent, goal, no_goal };

// The interpreter, but for one answer.
class Faulty final : public Machine {
  public:
    Faulty(const gdl::Description& description, Fault fault) : machine_(description), fault_(fault) {
        initial_ = machine_.initial();
        if (fault == Fault::initial) initial_.flip(*machine_.find_fluent("(count 3)"));
    }

    std::size_t role_count() const override { return machine_.role_count(); }
    const State& initial() const override { return initial_; }
    bool terminal(const State& state) override { return machine_.terminal(state) != (fault_ == Fault::terminal); }
    void legal(const State& state, Role role, std::vector<Move>& moves) override {
        machine_.legal(state, role, moves);
        if (fault_ == Fault::lost_move) moves.pop_back();
        if (fault_ == Fault::extra_move) moves.push_back(*machine_.find_move(role, "(add 7)"));
        if (fault_ == Fault::order) std::ranges::reverse(moves);
    }
    void next(const State& state, std::span<const Move> joint, State& result) override {
        machine_.next(state, joint, result);
        if (fault_ == Fault::lost_fluent) result.flip(*machine_.find_fluent("(control black)"));
    }
    std::optional<int> goal(const State& state, Role role) override {
        if (fault_ == Fault::no_goal) return {};
        const std::optional<int> value = machine_.goal(state, role);
        return fault_ == Fault::goal && value ? std::optional(*value + 1) : value;
    }
    std::string role_name(Role role) const override {
        return fault_ == Fault::role ? "nobody" : machine_.role_name(role);
    }
    std::string fluent_name(Fluent fluent) const override { return machine_.fluent_name(fluent); }
    std::string move_name(Move move) const override { return machine_.move_name(move); }
    std::optional<Fluent> find_fluent(std::string_view name) override { return machine_.find_fluent(name); }
    std::optional<Move> find_move(Role role, std::string_view name) override { return machine_.find_move(role, name); }

  private:
    InterpreterMachine machine_;
    Fault fault_;
    State initial_;
};

CheckMachine check(const gdl::Description& description, Fault fault) {
    return {std::make_unique<Faulty>(description, fault), std::make_unique<InterpreterMachine>(description)};
}

// Plays a few random games; the difference found, if any.
std::optional<MachineMismatch> found(Fault fault) {
    try {
        CheckMachine machine = check(described(counting_game), fault);
        RandomPlay play(machine);
        Random random(1);
        for (int game = 0; game < 10; ++game) play.play(random);
    } catch (const MachineMismatch& mismatch) {
        return mismatch;
    }
    return {};
}

TEST(CheckMachine, IsSilentWhenThereIsNothingToSay) { EXPECT_FALSE(found(Fault::none)); }

TEST(CheckMachine, FindsEachFault) {
    const std::vector<std::pair<Fault, std::string>> cases = {
        {Fault::role, "roles"},
        {Fault::initial, "initial"},
        {Fault::terminal, "terminal"},
        {Fault::lost_move, "legal"},
        {Fault::extra_move, "legal"},
        {Fault::order, "legal"},
        {Fault::lost_fluent, "next (add"},
        {Fault::goal, "goal"},
        {Fault::no_goal, "goal"},
    };
    for (const auto& [fault, question] : cases) {
        const std::optional<MachineMismatch> mismatch = found(fault);
        ASSERT_TRUE(mismatch) << question;
        EXPECT_THAT(mismatch->question, HasSubstr(question));
        EXPECT_NE(mismatch->answer, mismatch->expected) << question;
        EXPECT_THAT(mismatch->what(), HasSubstr(question));
    }
}

TEST(CheckMachine, TellsStateAndBothAnswers) {
    const std::optional<MachineMismatch> mismatch = found(Fault::extra_move);
    ASSERT_TRUE(mismatch);
    EXPECT_EQ(mismatch->state, "(control white) (count 0)");
    EXPECT_EQ(mismatch->answer, "(add 7)");
    EXPECT_EQ(mismatch->expected, "nothing more");
    EXPECT_EQ(mismatch->question, "legal white");
}

TEST(CheckMachine, AnswersWithTheNumbersOfTheFirst) {
    const gdl::Description description = described(counting_game);
    const std::unique_ptr<Machine> circuit = testing::made(description, MachineKind::circuit);
    CheckMachine both(testing::made(description, MachineKind::circuit),
                      std::make_unique<InterpreterMachine>(description));
    EXPECT_EQ(both.initial(), circuit->initial());
    std::vector<Move> expected;
    std::vector<Move> got;
    circuit->legal(circuit->initial(), Role{0}, expected);
    both.legal(both.initial(), Role{0}, got);
    EXPECT_EQ(got, expected);
    EXPECT_EQ(both.find_fluent("(count 1)"), circuit->find_fluent("(count 1)"));
}

}  // namespace
}  // namespace stratagem::machine
