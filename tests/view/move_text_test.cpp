// What people type finds the move they mean, or tells them which it could be.
#include "view/move_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stratagem::view {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> marks{"(mark 1 1)", "(mark 1 2)", "(mark 10 1)", "(move a (pos 1 2))", "noop", "pass"};

TEST(MatchMove, TheVeryMove) {
    EXPECT_THAT(match_move("(mark 1 2)", marks).places, ElementsAre(1));
    EXPECT_THAT(match_move("mark 1 2", marks).places, ElementsAre(1));
    EXPECT_THAT(match_move("  ( MARK   1\t2 ) ", marks).places, ElementsAre(1));
    EXPECT_THAT(match_move("move a ( pos 1 2 )", marks).places, ElementsAre(3));
    EXPECT_THAT(match_move("noop", marks).places, ElementsAre(4));
    EXPECT_THAT(match_move("(noop)", marks).places, ElementsAre(4));
}

TEST(MatchMove, Numbers) {
    EXPECT_THAT(match_move("1", marks).places, ElementsAre(0));
    EXPECT_THAT(match_move("6", marks).places, ElementsAre(5));
    EXPECT_THAT(match_move("0", marks).places, IsEmpty());
    EXPECT_THAT(match_move("7", marks).places, IsEmpty());
    EXPECT_THAT(match_move("99999999999999999999999", marks).places, IsEmpty());
    EXPECT_THAT(match_move("-1", marks).places, IsEmpty());
}

TEST(MatchMove, AMoveThatIsANumberGoesBeforeThePlace) {
    const std::vector<std::string> bids{"0", "2", "3"};
    EXPECT_THAT(match_move("2", bids).places, ElementsAre(1));
    EXPECT_THAT(match_move("0", bids).places, ElementsAre(0));
    EXPECT_THAT(match_move("1", bids).places, ElementsAre(0));  // nothing is called 1: the first
}

TEST(MatchMove, Beginnings) {
    EXPECT_THAT(match_move("no", marks).places, ElementsAre(4));
    EXPECT_THAT(match_move("mo", marks).places, ElementsAre(3));
    EXPECT_THAT(match_move("mark 10", marks).places, ElementsAre(2));
    // Whole words first: 10 does not begin like 1.
    EXPECT_THAT(match_move("mark 1", marks).places, ElementsAre(0, 1));
    EXPECT_THAT(match_move("m", marks).places, ElementsAre(0, 1, 2, 3));
    EXPECT_TRUE(match_move("m", marks).ambiguous());
    EXPECT_THAT(match_move("(mark 10", marks).places, ElementsAre(2));
    EXPECT_THAT(match_move("(move a (p", marks).places, ElementsAre(3));
}

TEST(MatchMove, ArgumentsAlone) {
    EXPECT_THAT(match_move("1 2", marks).places, ElementsAre(1));
    EXPECT_THAT(match_move("10 1", marks).places, ElementsAre(2));
    EXPECT_THAT(match_move("9 9", marks).places, IsEmpty());
}

TEST(MatchMove, WhatMeansNothing) {
    for (const char* text : {"", " ", "()", "(", ")", "x", "mark 1 3", "noop noop", "))((", "\x01\xff"}) {
        EXPECT_THAT(match_move(text, marks).places, IsEmpty()) << text;
    }
    EXPECT_THAT(match_move("1", {}).places, IsEmpty());
}

TEST(MoveColumns, NumbersAreThoseOfTheList) {
    EXPECT_EQ(move_columns(marks, {0, 1, 4}, 80), "1 (mark 1 1)   2 (mark 1 2)   5 noop\n");
    EXPECT_EQ(move_columns(marks, {0, 1, 2, 4}, 35), "1 (mark 1 1)    3 (mark 10 1)\n2 (mark 1 2)    5 noop\n");
    EXPECT_EQ(move_columns(marks, {0, 1}, 1), "1 (mark 1 1)\n2 (mark 1 2)\n");
    EXPECT_EQ(move_columns(marks, {}, 80), "");
}

}  // namespace
}  // namespace stratagem::view
