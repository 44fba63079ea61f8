// Whole sessions: what a person types, what he is told, and where the game stands afterwards.
#include "cli/play_dialogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "machine/machine_games.h"
#include "machine/machine_text.h"
#include "machine/random.h"

namespace stratagem::cli {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

using machine::Role;
using session::PlayGame;
using session::SavedGame;
using session::Settings;

// A dialogue whose text is kept.
class Table {
  public:
    explicit Table(gdl::Description rules, Settings settings = {}, machine::MachineKind kind = {}) {
        machine::MachineOptions options;
        options.kind = kind;
        game_ = std::make_shared<const machine::GdlGame>(std::move(rules), options);
        settings.game = "the game";
        if (settings.against.empty()) {
            settings.against.assign(PlayGame(game_).seats().size() - (settings.person ? 1 : 0), "legal");
        }
        DialogueWorld world;
        world.print = [this](std::string_view text) { text_ += text; };
        world.interrupt = &interrupt;
        DialogueSettings talk;
        talk.title = settings.game;
        talk.table = std::move(settings);
        dialogue_ = std::make_unique<PlayDialogue>(game_, std::move(talk), world);
    }

    PlayDialogue& dialogue() { return *dialogue_; }
    session::Session& session() { return dialogue_->session(); }
    PlayGame& game() { return session().game(); }
    // What is said to a line.
    std::string say(std::string_view line) {
        text_.clear();
        dialogue_->hear(line);
        return text_;
    }
    std::string begin() {
        text_.clear();
        dialogue_->begin();
        return text_;
    }
    std::string state() { return machine::state_text(game().machine(), game().state()); }

    std::atomic<bool> interrupt{false};

  private:
    std::shared_ptr<const machine::Game> game_;
    std::unique_ptr<PlayDialogue> dialogue_;
    std::string text_;
};

Settings as(std::uint32_t role, std::vector<std::string> against = {}, double clock = 0.2) {
    Settings settings;
    settings.person = Role{role};
    settings.against = std::move(against);
    settings.clock = clock;
    return settings;
}

gdl::Description tic_tac_toe() { return machine::testing::bundled("tic_tac_toe"); }

TEST(PlayDialogue, AGameByNumberTextAndBeginning) {
    Table table(tic_tac_toe(), as(0));
    EXPECT_THAT(table.begin(), AllOf(HasSubstr("you play x against o (legal)"), HasSubstr("1 (mark 1 1)"),
                                     HasSubstr("3  . . .\n2  . . .\n1  . . .\n   1 2 3\n")));
    EXPECT_EQ(table.dialogue().prompt(), "x> ");
    // The other takes the first free cell: (1,1), (1,2), …
    EXPECT_THAT(table.say("5"), AllOf(ContainsRegex("o plays \\(mark 1 1\\) \\(legal, 0\\.[0-9] s\\)"),
                                      HasSubstr("2  . x .\n1  o . .")));
    EXPECT_EQ(table.game().steps(), 2U);
    EXPECT_THAT(table.say("(mark 2 1)"), HasSubstr("o plays (mark 1 2)"));
    EXPECT_THAT(table.say("mark 2"),
                AllOf(HasSubstr("The game is over after 5 steps: x (you) 100, o 0 (of 100). You win.")));
    EXPECT_TRUE(table.game().over());
    EXPECT_FALSE(table.dialogue().finished());
    EXPECT_EQ(table.dialogue().prompt(), "over> ");
    EXPECT_THAT(table.say("1"), HasSubstr("The game is over"));
    EXPECT_THAT(table.say("hint"), HasSubstr("The game is over"));
    EXPECT_THAT(table.say("moves"), HasSubstr("the game is over"));
    table.say("quit");
    EXPECT_TRUE(table.dialogue().finished());
}

TEST(PlayDialogue, WhatIsNoMoveChangesNothing) {
    Table table(tic_tac_toe(), as(0));
    table.begin();
    const std::string before = table.state();
    EXPECT_EQ(table.say("mark 3"), "'mark 3' could be:\n7 (mark 3 1)   8 (mark 3 2)   9 (mark 3 3)\n");
    EXPECT_EQ(table.say("moves mark 3"), "7 (mark 3 1)   8 (mark 3 2)   9 (mark 3 3)\n");
    for (const char* line : {"mark 4 1", "10", "0", "noop", "(mark", "nonsense", "/nonsense", "/", "((", "moves x"}) {
        EXPECT_FALSE(table.say(line).empty()) << line;
        EXPECT_EQ(table.state(), before) << line;
        EXPECT_EQ(table.game().steps(), 0U) << line;
    }
    EXPECT_EQ(table.say(""), "");
    EXPECT_EQ(table.say("  \t\r\n"), "");
    EXPECT_FALSE(table.dialogue().finished());
}

TEST(PlayDialogue, UndoGoesBackToOnesOwnChoice) {
    Table table(tic_tac_toe(), as(1));
    table.begin();
    EXPECT_EQ(table.game().steps(), 1U);  // x moved
    const std::string first = table.state();
    EXPECT_THAT(table.say("undo"), HasSubstr("nothing to take back"));
    table.say("mark 3 3");
    const std::string second = table.state();
    table.say("mark 3 2");
    EXPECT_THAT(table.say("undo"), HasSubstr("2 steps taken back"));
    EXPECT_EQ(table.state(), second);
    table.say("undo");
    EXPECT_EQ(table.state(), first);
    EXPECT_THAT(table.say("undo"), HasSubstr("nothing to take back"));
    EXPECT_EQ(table.state(), first);
    // The same again leads to the same.
    table.say("mark 3 3");
    EXPECT_EQ(table.state(), second);
}

TEST(PlayDialogue, UndoAfterTheEnd) {
    Table table(tic_tac_toe(), as(0));
    table.begin();
    for (const char* move : {"mark 2 2", "mark 2 1", "mark 2 3"}) table.say(move);
    ASSERT_TRUE(table.game().over());
    table.say("undo");
    EXPECT_FALSE(table.game().over());
    EXPECT_EQ(table.game().steps(), 4U);
}

TEST(PlayDialogue, HintAndWhyTellWhatIsProved) {
    // o has two in a row, and x to move must stop it.
    Table table(tic_tac_toe(), as(0));
    table.begin();
    table.say("mark 3 3");
    table.say("mark 2 1");
    ASSERT_THAT(table.state(), AllOf(HasSubstr("(cell 1 1 o)"), HasSubstr("(cell 1 2 o)")));
    EXPECT_THAT(table.say("hint"), ContainsRegex("hint: \\(mark 1 3\\) \\(best: exactly (50|100) of 100, proved\\)"));
    EXPECT_THAT(table.say("why"), AllOf(HasSubstr("best would play (mark 1 3) for x: exactly"),
                                        HasSubstr("It expects: x (mark 1 3)"), HasSubstr("Proved")));
    EXPECT_EQ(table.game().steps(), 4U);
}

TEST(PlayDialogue, WhyExplainsTheMoveOfTheOther) {
    Table table(tic_tac_toe(), as(0, {"best"}));
    table.begin();
    EXPECT_THAT(table.say("mark 1 1"), HasSubstr("o plays (mark 2 2)"));  // all others lose
    EXPECT_THAT(table.say("why"), HasSubstr("best played (mark 2 2) for o: exactly 50 of 100, proved."));
    table.say("undo");
    EXPECT_THAT(table.say("why"), HasSubstr("best would play"));
}

TEST(PlayDialogue, APlayerThatSolvedTheGameNeverLoses) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Table table(tic_tac_toe(), as(0, {"best"}));
        table.begin();
        machine::Random random(seed);
        while (!table.game().over()) {
            const auto legal = static_cast<std::uint32_t>(table.game().legal(Role{0}).size());
            table.say(std::to_string(random.below(legal) + 1));
        }
        EXPECT_GE(table.game().goal(Role{1}), 50);
    }
}

// What is typed from some step on, and everything that is said to it.
std::string transcript(Table& table, const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += table.say(line);
    return all;
}

TEST(PlayDialogue, ASavedGameGoesOnAsIfItHadNeverStopped) {
    Settings settings = as(0, {"random"});
    settings.seed = 7;
    const std::vector<std::string> before{"drop 4", "drop 4", "undo", "drop 3"};
    const std::vector<std::string> after{"drop 3", "drop 5", "undo", "drop 2", "state", "drop 1"};
    Table whole(machine::testing::bundled("connect_four"), settings);
    whole.begin();
    transcript(whole, before);
    const SavedGame saved = whole.session().saved();
    EXPECT_EQ(saved.moves.size(), 4U);
    const std::string expected = transcript(whole, after);

    settings.seed = 99;  // the file says better
    settings.against = {"legal"};
    Table resumed(machine::testing::bundled("connect_four"), settings);
    EXPECT_EQ(resumed.session().resume(saved), "");
    EXPECT_THAT(resumed.begin(), HasSubstr("Going on after step 4"));
    EXPECT_EQ(transcript(resumed, after), expected);
    EXPECT_EQ(resumed.state(), whole.state());
    EXPECT_EQ(resumed.session().saved(), whole.session().saved());
}

TEST(PlayDialogue, SaveAndLoadFiles) {
    const std::string path = testing::TempDir() + "stratagem_play_session_test.json";
    Table table(tic_tac_toe(), as(0));
    table.begin();
    table.say("mark 2 2");
    const std::string kept = table.state();
    EXPECT_THAT(table.say("save " + path), AllOf(HasSubstr("Saved"), HasSubstr("stratagem play --load " + path)));
    table.say("mark 3 3");
    EXPECT_THAT(table.say("load " + path), HasSubstr("Going on after step 2"));
    EXPECT_EQ(table.state(), kept);
    EXPECT_THAT(table.say("save"), HasSubstr("needs the name of a file"));
    EXPECT_THAT(table.say("save /nowhere/at/all"), HasSubstr("could not be written"));
    EXPECT_THAT(table.say("load"), HasSubstr("cannot be taken up"));
    EXPECT_THAT(table.say("load /nowhere/at/all"), HasSubstr("cannot be taken up"));
    EXPECT_EQ(table.state(), kept);
    std::filesystem::remove(path);
}

TEST(PlayDialogue, ASavedGameThatDoesNotFitIsRefused) {
    Table table(tic_tac_toe(), as(0));
    table.begin();
    table.say("mark 2 2");
    const SavedGame good = table.session().saved();
    const auto refused = [&](auto&& change) {
        SavedGame bad = good;
        change(bad);
        const std::string problem = table.session().resume(bad);
        EXPECT_FALSE(problem.empty());
        EXPECT_EQ(table.session().saved(), good);
        return problem;
    };
    EXPECT_THAT(refused([](SavedGame& bad) { bad.rules = "0"; }), HasSubstr("other rules"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.role = "z"; }), HasSubstr("'z'"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.against.clear(); }), HasSubstr("players"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.against = {"nonsense"}; }), HasSubstr("nonsense"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.hints = "nonsense"; }), HasSubstr("nonsense"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.moves[1][1] = "(mark 2 2)"; }), HasSubstr("step 2"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.moves[0][0] = "(fly moon)"; }), HasSubstr("(fly moon)"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.moves[0].pop_back(); }), HasSubstr("2 roles"));
    EXPECT_THAT(refused([](SavedGame& bad) {
                    bad.moves = {{"(mark 1 1)", "noop"}, {"noop", "(mark 2 1)"}, {"(mark 1 2)", "noop"},
                                 {"noop", "(mark 2 2)"}, {"(mark 1 3)", "noop"}, {"noop", "(mark 2 3)"}};
                }),
                HasSubstr("step 6: the game is over"));
    EXPECT_EQ(table.session().resume(good), "");
}

TEST(PlayDialogue, MovesAtTheSameTime) {
    Table table(machine::testing::bundled("rock_paper_scissors"), as(0, {"random"}));
    table.begin();
    std::size_t rounds = 0;
    while (!table.game().over()) {
        ASSERT_EQ(table.game().legal(Role{0}).size(), 3U);
        ASSERT_EQ(table.game().legal(Role{1}).size(), 3U);
        EXPECT_THAT(table.say("rock"), ContainsRegex("right plays \\(throw (rock|paper|scissors)\\), by chance"));
        EXPECT_EQ(table.game().joint_names(rounds)[0], "(throw rock)");
        ++rounds;
        ASSERT_LT(rounds, 100U);
    }
    EXPECT_GT(rounds, 1U);
}

TEST(PlayDialogue, HintsSolveAPuzzle) {
    // The search ends when it has found the best way, long before this clock does.
    Table table(machine::testing::bundled("blocks_world"), as(0, {}, 1000));
    EXPECT_THAT(table.begin(), Not(HasSubstr("against")));
    for (std::size_t step = 0; step < 50 && !table.game().over(); ++step) {
        const std::string hint = table.say("hint");
        ASSERT_THAT(hint, HasSubstr("hint: "));
        table.say(hint.substr(6, hint.find(" (best") - 6));
        ASSERT_EQ(table.game().steps(), step + 1);
    }
    EXPECT_EQ(table.game().goal(Role{0}), 100);
}

TEST(PlayDialogue, DiceAreNotThrownAgain) {
    const auto roles = machine::role_names(
        *machine::testing::made(machine::testing::bundled("kuhn_poker"), machine::MachineKind::circuit));
    const auto chance = std::ranges::find(roles, "random");
    ASSERT_NE(chance, roles.end());
    std::set<std::string> deals;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Settings settings;
        settings.person = Role{roles[0] == "random" ? 1U : 0U};
        settings.seed = seed;
        Table table(machine::testing::bundled("kuhn_poker"), settings);
        EXPECT_THAT(table.begin(), AllOf(HasSubstr("random (chance)"), HasSubstr("by chance")));
        const std::string dealt = table.state();
        deals.insert(dealt);
        table.say("1");
        table.say("undo");
        EXPECT_EQ(table.state(), dealt);
        Table again(machine::testing::bundled("kuhn_poker"), settings);
        again.begin();
        EXPECT_EQ(again.state(), dealt);
    }
    EXPECT_GT(deals.size(), 2U);
}

TEST(PlayDialogue, NobodyWatches) {
    Settings settings;
    settings.against = {"legal", "random"};
    Table table(tic_tac_toe(), settings);
    const std::string text = table.begin();
    EXPECT_TRUE(table.dialogue().finished());
    EXPECT_TRUE(table.game().over());
    EXPECT_THAT(text,
                AllOf(HasSubstr("x (legal), o (random)"), HasSubstr("x plays (mark 1 1)"), HasSubstr("over after")));
    // A board at the beginning and after each step.
    std::size_t boards = 0;
    for (std::size_t at = text.find("   1 2 3\n"); at != std::string::npos; at = text.find("   1 2 3\n", at + 1))
        ++boards;
    EXPECT_EQ(boards, table.game().steps() + 1);
}

TEST(PlayDialogue, ThreeRoles) {
    Table table(machine::testing::bundled("three_player_tic_tac_toe"), as(1, {"legal", "random"}));
    EXPECT_THAT(table.begin(), HasSubstr("against x (legal), z (random)"));
    EXPECT_EQ(table.game().steps(), 1U);
    EXPECT_THAT(table.say("1"), AllOf(HasSubstr("z plays"), HasSubstr("x plays")));
    EXPECT_EQ(table.game().steps(), 4U);
}

TEST(PlayDialogue, TheInterpreterPlaysToo) {
    Table table(tic_tac_toe(), as(0, {"random"}), machine::MachineKind::interpreter);
    EXPECT_THAT(table.begin(), HasSubstr("3  . . .\n"));
    while (!table.game().over()) table.say("1");
    EXPECT_THAT(table.say("undo"), HasSubstr("taken back"));
}

TEST(PlayDialogue, AnInterruptedThoughtIsAMoveAllTheSame) {
    // With this clock the test would never end by itself.
    Table table(machine::testing::bundled("connect_four"), as(0, {"uct"}, 100'000));
    table.begin();
    table.interrupt = true;
    EXPECT_THAT(table.say("drop 4"), AllOf(HasSubstr("yellow plays (drop"), HasSubstr("interrupted")));
    EXPECT_EQ(table.game().steps(), 2U);
    EXPECT_FALSE(table.dialogue().finished());
}

TEST(PlayDialogue, InterruptedWatchingEnds) {
    Settings settings;
    settings.against = {"uct", "uct"};
    settings.clock = 100'000;
    Table table(machine::testing::bundled("connect_four"), settings);
    table.interrupt = true;
    EXPECT_THAT(table.begin(), EndsWith("Interrupted.\n"));
    EXPECT_TRUE(table.dialogue().finished());
    EXPECT_FALSE(table.game().over());
}

TEST(PlayDialogue, ResigningLeaves) {
    Table table(tic_tac_toe(), as(0));
    table.begin();
    EXPECT_THAT(table.say("resign"), HasSubstr("You resign after 0 steps"));
    EXPECT_TRUE(table.dialogue().finished());
    EXPECT_EQ(table.say("1"), "");
}

// A move that is called like a command, and a role that may run out of moves.
const std::string odd_rules = R"(
    (role me) (role you)
    (init (at 1))
    (<= (legal me help) (true (at 1))) (<= (legal me go) (true (at 1))) (<= (legal me (save it)) (true (at 1)))
    (legal you wait)
    (<= (next (at 2)) (does me help)) (<= (next (at 3)) (does me go)) (<= (next (at 1)) (does me (save it)))
    (<= terminal (true (at 3)))
    (<= (goal me 100) (true (at 3))) (<= (goal you 0) (true (at 3)))
    (<= (goal me 0) (not (true (at 3)))) (<= (goal you 100) (not (true (at 3))))
)";

TEST(PlayDialogue, AMoveCalledLikeACommand) {
    Table table(machine::testing::described(odd_rules), as(0));
    table.begin();
    EXPECT_THAT(table.say("/help"), HasSubstr("this list"));
    EXPECT_THAT(table.say("?"), HasSubstr("this list"));
    EXPECT_EQ(table.game().steps(), 0U);
    table.say("save it");
    EXPECT_EQ(table.game().steps(), 1U);
    EXPECT_THAT(table.say("help"), HasSubstr("cannot go on after 2 steps: me (you) has no legal move"));
    EXPECT_EQ(table.game().joint_names(1)[0], "help");
    EXPECT_TRUE(table.game().over());
}

TEST(PlayDialogue, RecipesThereAreNot) {
    EXPECT_THROW(Table(tic_tac_toe(), as(0, {"nonsense"})), OptionError);
    Settings settings = as(0);
    settings.hints = "nonsense";
    EXPECT_THROW(Table(tic_tac_toe(), settings), OptionError);
}

// Every bundled game can be played to its end, or for a while, by typing numbers.
TEST(PlayDialogue, EveryBundledGame) {
    for (const std::filesystem::path& path : gdl::testing::bundled_files()) {
        SCOPED_TRACE(path.filename().string());
        gdl::Description rules = machine::testing::described_file(path);
        Settings settings;
        settings.seed = 3;
        settings.person = rules.roles().empty() ? std::nullopt : std::optional(Role{0});
        if (machine::testing::made(rules, machine::MachineKind::circuit)->role_name(Role{0}) == "random") {
            settings.person = Role{1};
        }
        Table table(std::move(rules), settings);
        table.begin();
        machine::Random random(5);
        for (std::size_t turn = 0; turn < 30 && !table.game().over(); ++turn) {
            const auto legal = static_cast<std::uint32_t>(table.game().legal(*settings.person).size());
            ASSERT_GT(legal, 1U);
            const std::size_t before = table.game().steps();
            table.say("/moves");
            table.say(std::to_string(random.below(legal) + 1));
            ASSERT_GT(table.game().steps(), before);
        }
        const SavedGame saved = table.session().saved();
        EXPECT_EQ(table.session().resume(saved), "");
        EXPECT_EQ(table.session().saved(), saved);
    }
}

}  // namespace
}  // namespace stratagem::cli
