// A person at a game made in code.
#include <gmock/gmock.h>

#include "cli/play_dialogue.h"
#include "machine/machine_text.h"
#include "machine/subtraction_program.h"

namespace stratagem::cli {
namespace {

using machine::Role;
using machine::testing::subtraction_game;
using session::SavedGame;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CodedPlay : public ::testing::Test {
  protected:
    CodedPlay() : dialogue_(subtraction_game(), settings(), world()) { dialogue_.begin(); }

    std::string say(std::string_view line) {
        text_.clear();
        dialogue_.hear(line);
        return text_;
    }
    session::Session& session() { return dialogue_.session(); }
    std::string state() { return machine::state_text(session().game().machine(), session().game().state()); }

    static DialogueSettings settings() {
        DialogueSettings chosen;
        chosen.title = chosen.table.game = "subtraction";
        chosen.table.person = Role{0};
        chosen.table.against = {"legal"};  // always takes one
        chosen.table.clock = 2;
        return chosen;
    }
    DialogueWorld world() {
        DialogueWorld made;
        made.print = [this](std::string_view text) { text_ += text; };
        return made;
    }

    std::string text_;
    PlayDialogue dialogue_;
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
    EXPECT_EQ(session().game().steps(), 0U);
}

TEST_F(CodedPlay, ASavedGameIsTakenUpAgain) {
    say("take 2");
    say("take 3");
    const SavedGame saved = session().saved();
    say("undo");
    EXPECT_EQ(session().resume(saved), "");
    EXPECT_EQ(state(), "(pile 3) (turn first)");
    PlayDialogue other(subtraction_game(11), settings(), world());
    EXPECT_THAT(other.session().resume(saved), HasSubstr("other rules"));
}

}  // namespace
}  // namespace stratagem::cli
