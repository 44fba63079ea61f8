// A game in progress, asked as a program asks it: no lines, no words.
#include "session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/machine_games.h"
#include "machine/machine_text.h"

namespace stratagem::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::shared_ptr<const machine::Game> game_of(const std::string& bundled) {
    return std::make_shared<const machine::GdlGame>(machine::testing::bundled(bundled));
}

Settings as(std::optional<std::uint32_t> role, std::vector<std::string> against) {
    Settings settings;
    settings.game = "the game";
    if (role) settings.person = Role{*role};
    settings.against = std::move(against);
    settings.clock = 0.2;
    return settings;
}

// The move of this name.
Move named(const Session& session, const std::string& name) {
    const std::vector<std::string> names = session.move_names();
    const auto place = std::ranges::find(names, name);
    EXPECT_NE(place, names.end()) << name;
    return session.game().legal(*session.settings().person)[static_cast<std::size_t>(place - names.begin())];
}

// Until the person has a choice.
void go_on(Session& session) {
    while (!session.game().over() && !session.waits()) session.advance();
}

void make(Session& session, const std::string& name) {
    session.play(named(session, name));
    go_on(session);
}

std::string state_of(const Session& session) {
    return machine::state_text(session.game().machine(), session.game().state());
}

TEST(Session, TheOthersAnswerAndAreHeardOf) {
    std::vector<std::string> heard;
    World world;
    const Session* table = nullptr;
    world.chosen = [&](const Chosen& chosen) {
        heard.push_back(table->game().role_name(chosen.role) + " " + table->game().machine().move_name(chosen.move));
        ASSERT_NE(chosen.thought, nullptr);
        EXPECT_EQ(chosen.thought->thinker, "legal");
        EXPECT_FALSE(chosen.thought->is_hint);
    };
    Session session(game_of("tic_tac_toe"), as(0, {"legal"}), world);
    table = &session;
    EXPECT_TRUE(session.waits());
    EXPECT_EQ(session.move_names().size(), 9U);
    session.play(named(session, "(mark 2 2)"));
    EXPECT_FALSE(session.waits());
    EXPECT_TRUE(session.advance());
    EXPECT_TRUE(session.waits());
    EXPECT_THAT(heard, ElementsAre("o (mark 1 1)"));
    make(session, "(mark 2 1)");
    make(session, "(mark 2 3)");
    EXPECT_TRUE(session.game().over());
    EXPECT_FALSE(session.waits());
    EXPECT_THAT(session.move_names(), IsEmpty());
    EXPECT_EQ(session.game().goal(Role{0}), 100);
    EXPECT_EQ(session.outcome(), Session::Outcome::won);
}

TEST(Session, UndoGoesBackToThePersonsChoice) {
    Session session(game_of("tic_tac_toe"), as(1, {"legal"}));
    EXPECT_FALSE(session.waits());
    go_on(session);
    const std::string first = state_of(session);
    EXPECT_EQ(session.undo(), 0U);
    make(session, "(mark 3 3)");
    EXPECT_EQ(session.undo(), 2U);
    EXPECT_EQ(state_of(session), first);
    EXPECT_EQ(session.game().steps(), 1U);
}

TEST(Session, HintsAndReasons) {
    Session session(game_of("tic_tac_toe"), as(0, {"legal"}));
    make(session, "(mark 3 3)");
    make(session, "(mark 2 1)");
    const Thought& hint = session.hint();
    EXPECT_TRUE(hint.is_hint);
    EXPECT_EQ(hint.thinker, "best");
    EXPECT_EQ(session.game().machine().move_name(*hint.choice.move), "(mark 1 3)");  // else o has three in a row
    EXPECT_TRUE(hint.choice.proved);
    EXPECT_EQ(session.why(), &hint);
    EXPECT_EQ(session.game().steps(), 4U);
    // What the other thought, after he has moved.
    make(session, "(mark 1 3)");
    ASSERT_NE(session.why(), nullptr);
    EXPECT_EQ(session.why()->thinker, "legal");
    // A position nobody has thought about is thought about.
    session.undo();
    ASSERT_NE(session.why(), nullptr);
    EXPECT_TRUE(session.why()->is_hint);
}

TEST(Session, ResumesFromAValue) {
    Session whole(game_of("connect_four"), as(0, {"random"}));
    make(whole, "(drop 4)");
    make(whole, "(drop 4)");
    std::string problem;
    const std::optional<SavedGame> saved = read_saved_game(to_json(whole.saved()), problem);
    ASSERT_TRUE(saved) << problem;
    Session other(game_of("connect_four"), as(1, {"legal"}));
    EXPECT_EQ(other.resume(*saved), "");
    EXPECT_EQ(state_of(other), state_of(whole));
    EXPECT_EQ(other.settings().person, Role{0});
    EXPECT_EQ(other.saved(), *saved);
    // The dice fall as they would have.
    make(whole, "(drop 1)");
    make(other, "(drop 1)");
    EXPECT_EQ(state_of(other), state_of(whole));
}

TEST(Session, WhatDoesNotFitIsRefusedAndChangesNothing) {
    Session session(game_of("tic_tac_toe"), as(0, {"legal"}));
    make(session, "(mark 2 2)");
    const SavedGame good = session.saved();
    const auto refused = [&](auto&& change) {
        SavedGame bad = good;
        change(bad);
        std::string problem = session.resume(bad);
        EXPECT_EQ(session.saved(), good);
        return problem;
    };
    EXPECT_THAT(refused([](SavedGame& bad) { bad.rules = "0"; }), HasSubstr("other rules"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.role = "z"; }), HasSubstr("no role 'z'"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.against.clear(); }), HasSubstr("too few or many players"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.against = {"nonsense"}; }), HasSubstr("nonsense"));
    EXPECT_THAT(refused([](SavedGame& bad) { bad.moves[0][0] = "(fly moon)"; }), HasSubstr("(fly moon)"));
}

TEST(Session, NobodyAtTheTable) {
    Session session(game_of("tic_tac_toe"), as({}, {"legal", "random"}));
    EXPECT_FALSE(session.waits());
    EXPECT_THAT(session.move_names(), IsEmpty());
    EXPECT_EQ(session.why(), nullptr);
    go_on(session);
    EXPECT_TRUE(session.game().over());
    EXPECT_EQ(session.outcome(), std::nullopt);
    EXPECT_EQ(session.undo(), 0U);
}

TEST(Session, AStepWithoutAnyChoice) {
    const std::string rules = R"(
        (role me) (init (at 1)) (legal me wait)
        (<= (next (at 2)) (true (at 1))) (<= (next (at 3)) (true (at 2)))
        (<= terminal (true (at 3))) (goal me 100)
    )";
    Session session(std::make_shared<const machine::GdlGame>(machine::testing::described(rules)), as(0, {}));
    EXPECT_FALSE(session.waits());
    EXPECT_FALSE(session.advance());
    EXPECT_FALSE(session.advance());
    EXPECT_TRUE(session.game().over());
    EXPECT_EQ(session.outcome(), std::nullopt);  // nobody to be better than
}

}  // namespace
}  // namespace stratagem::session
