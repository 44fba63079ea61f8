// Following a match, and what happens when the report does not fit.
#include "player/tracker.h"

#include <gmock/gmock.h>

#include "machine/machine_text.h"
#include "player/fake_search.h"

namespace stratagem::player {
namespace {

using machine::testing::bundled;
using machine::testing::counting_game;
using machine::testing::described;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Moves = std::vector<std::string>;

std::string text(Tracker& tracker) { return machine::state_text(tracker.machine(), tracker.state()); }

// Everything below holds with the interpreter, and after changing to a circuit.
class TrackerTest : public ::testing::TestWithParam<bool> {
  protected:
    void prepare(Tracker& tracker, const machine::Game& game) {
        if (GetParam()) {
            EXPECT_THAT(tracker.use(game.remade({})), IsEmpty());
        }
    }
};

TEST_P(TrackerTest, FollowsTheMatch) {
    const auto game = testing::shared(described(counting_game));
    Tracker tracker(game);
    prepare(tracker, *game);
    EXPECT_EQ(text(tracker), "(control white) (count 0)");
    EXPECT_THAT(tracker.follow(Moves{"(add 1)", "noop"}), IsEmpty());
    EXPECT_EQ(text(tracker), "(control black) (count 1)");
    EXPECT_FALSE(tracker.terminal());
    EXPECT_THAT(tracker.follow(Moves{"noop", "(add 2)"}), IsEmpty());
    EXPECT_TRUE(tracker.terminal());
}

TEST_P(TrackerTest, GoesAlongWithAMoveItThinksIllegal) {
    const auto game = testing::shared(described(counting_game));
    Tracker tracker(game);
    prepare(tracker, *game);
    // It is white's turn, but black is said to have moved.
    EXPECT_THAT(tracker.follow(Moves{"noop", "(add 2)"}),
                ElementsAre(HasSubstr("noop of white is not legal"), HasSubstr("(add 2) of black is not legal")));
    EXPECT_EQ(text(tracker), "(control black) (count 2)");
    EXPECT_THAT(tracker.follow(Moves{"noop", "(add 1)"}), IsEmpty());
    EXPECT_TRUE(tracker.terminal());
}

TEST_P(TrackerTest, TakesTheSameReportAgainForARepetition) {
    const auto game = testing::shared(described(counting_game));
    Tracker tracker(game);
    prepare(tracker, *game);
    EXPECT_THAT(tracker.follow(Moves{"(add 1)", "noop"}), IsEmpty());
    EXPECT_THAT(tracker.follow(Moves{"(add 1)", "noop"}).back(), HasSubstr("repetition"));
    EXPECT_EQ(text(tracker), "(control black) (count 1)");
}

TEST_P(TrackerTest, FillsUpReportsThatAreTooShort) {
    const auto game = testing::shared(described(counting_game));
    Tracker tracker(game);
    prepare(tracker, *game);
    EXPECT_THAT(tracker.follow(Moves{"(add 2)"}), ElementsAre(HasSubstr("1 moves were reported for 2 roles")));
    EXPECT_EQ(text(tracker), "(control black) (count 2)");
}

INSTANTIATE_TEST_SUITE_P(Machines, TrackerTest, ::testing::Bool(),
                         [](const auto& one) { return one.param ? "circuit" : "interpreter"; });

TEST(Tracker, ReplacesAMoveTheGameDoesNotHave) {
    const auto game = testing::shared(described(counting_game));
    Tracker tracker(game);
    tracker.use(game->remade({}));
    EXPECT_THAT(tracker.follow(Moves{"(fly moon)", "noop"}), ElementsAre(HasSubstr("(fly moon) of white is not one")));
    EXPECT_THAT(text(tracker), HasSubstr("(control black)")) << "some move of white was made";
}

TEST(Tracker, ChangesMachinesInTheMiddleOfAMatch) {
    const auto game = testing::shared(bundled("connect_four"));
    Tracker tracker(game);
    for (int step = 0; step < 7; ++step) {
        Moves joint;
        for (std::uint32_t role = 0; role < tracker.role_count(); ++role) {
            const std::vector<machine::Move>& legal = tracker.legal(machine::Role{role});
            joint.push_back(tracker.machine().move_name(legal[legal.size() / 2]));
        }
        EXPECT_THAT(tracker.follow(joint), IsEmpty());
    }
    const auto legal_names = [&](machine::Role role) {
        Moves names;
        for (const machine::Move move : tracker.legal(role)) names.push_back(tracker.machine().move_name(move));
        std::ranges::sort(names);
        return names;
    };
    const std::string before = text(tracker);
    const std::vector<Moves> legal_before{legal_names(machine::Role{0}), legal_names(machine::Role{1})};
    EXPECT_FALSE(tracker.known_legal(machine::Role{1}).empty());
    const machine::Machine* interpreter = &tracker.machine();
    EXPECT_THAT(tracker.use(game->remade({})), IsEmpty());
    EXPECT_NE(&tracker.machine(), interpreter);
    EXPECT_EQ(text(tracker), before);
    EXPECT_TRUE(tracker.known_legal(machine::Role{1}).empty()) << "they were moves of the machine before";
    EXPECT_EQ(legal_names(machine::Role{0}), legal_before[0]);
    EXPECT_EQ(legal_names(machine::Role{1}), legal_before[1]);
}

TEST(Tracker, GivesUpAtItsDeadline) {
    const auto game = testing::shared(bundled("amazons"));
    Tracker tracker(game);
    tracker.set_deadline(Deadline{Deadline::Clock::now() - std::chrono::seconds(1)});
    EXPECT_THROW(tracker.legal(machine::Role{0}), machine::LimitExceeded);
    EXPECT_TRUE(tracker.known_legal(machine::Role{0}).empty());
    tracker.set_deadline(Deadline::never());
    EXPECT_FALSE(tracker.legal(machine::Role{0}).empty());
}

}  // namespace
}  // namespace stratagem::player
