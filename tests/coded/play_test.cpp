// A person at a game made in code.
#include <gmock/gmock.h>

#include "cli/play_session.h"
#include "machine/machine_text.h"
#include "machine/subtraction_program.h"

namespace stratagem::cli {
namespace {

using machine::testing::subtraction_game;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CodedPlay : public ::testing::Test {
  protected:
    CodedPlay() : session_(subtraction_game(), settings(), world()) { session_.begin(); }

    std::string say(std::string_view line) {
        text_.clear();
        session_.hear(line);
        return text_;
    }
    std::string state() { return machine::state_text(session_.game().machine(), session_.game().state()); }

    static PlaySettings settings() {
        PlaySettings chosen;
        chosen.title = chosen.game = "subtraction";
        chosen.person = Role{0};
        chosen.against = {"legal"};  // always takes one
        chosen.clock = 2;
        return chosen;
    }
    PlayWorld world() {
        PlayWorld made;
        made.print = [this](std::string_view text) { text_ += text; };
        return made;
    }

    std::string text_;
    PlaySession session_;
};

TEST_F(CodedPlay, MovesAreHeardAndTakenBack) {
    EXPECT_THAT(text_, AllOf(HasSubstr("you play first against second (legal)"), HasSubstr("(take 3)")));
    EXPECT_EQ(state(), "(pile 10) (turn first)");
    EXPECT_THAT(say("take 2"), HasSubstr("second plays (take 1)"));
    EXPECT_EQ(state(), "(pile 7) (turn first)");
    say("take 4");
    say("wait");
    EXPECT_EQ(state(), "(pile 7) (turn first)") << "these are no moves";
    EXPECT_THAT(say("undo"), HasSubstr("2 steps taken back"));
    EXPECT_EQ(state(), "(pile 10) (turn first)");
    say("(take 2)");
    say("take 3");
    EXPECT_EQ(state(), "(pile 3) (turn first)");
    EXPECT_THAT(say("take 3"), HasSubstr("first (you) 100, second 0 (of 100). You win."));
}

TEST_F(CodedPlay, HintsAreProved) {
    EXPECT_THAT(say("hint"), HasSubstr("hint: (take 2) (best: exactly 100 of 100, proved)"));
    EXPECT_THAT(say("why"), HasSubstr("best would play (take 2) for first"));
    EXPECT_EQ(session_.game().steps(), 0U);
}

TEST_F(CodedPlay, ASavedGameIsTakenUpAgain) {
    say("take 2");
    say("take 3");
    const SavedGame saved = session_.saved();
    say("undo");
    EXPECT_EQ(session_.restore(saved), "");
    EXPECT_EQ(state(), "(pile 3) (turn first)");
    PlaySession other(subtraction_game(11), settings(), world());
    EXPECT_THAT(other.restore(saved), HasSubstr("other rules"));
}

}  // namespace
}  // namespace stratagem::cli
