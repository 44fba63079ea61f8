#include "gdl/symbol.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace stratagem::gdl {
namespace {

TEST(SymbolTest, KeywordsHaveTheirPlaces) {
    const SymbolTable table;
    EXPECT_EQ(table.size(), keyword::count);
    EXPECT_EQ(table.name(keyword::implies), "<=");
    EXPECT_EQ(table.name(keyword::negation), "not");
    EXPECT_EQ(table.name(keyword::disjunction), "or");
    EXPECT_EQ(table.name(keyword::conjunction), "and");
    EXPECT_EQ(table.name(keyword::distinct), "distinct");
    EXPECT_EQ(table.name(keyword::role), "role");
    EXPECT_EQ(table.name(keyword::true_), "true");
    EXPECT_EQ(table.name(keyword::terminal), "terminal");
    EXPECT_EQ(table.name(keyword::random), "random");
}

TEST(SymbolTest, ArityOfKeywords) {
    for (const Symbol one :
         {keyword::negation, keyword::role, keyword::init, keyword::true_, keyword::next, keyword::base}) {
        EXPECT_EQ(keyword_arity(one), 1);
    }
    for (const Symbol two :
         {keyword::distinct, keyword::legal, keyword::does, keyword::goal, keyword::input, keyword::sees}) {
        EXPECT_EQ(keyword_arity(two), 2);
    }
    EXPECT_EQ(keyword_arity(keyword::terminal), 0);
    EXPECT_EQ(keyword_arity(keyword::disjunction), -1);
    EXPECT_EQ(keyword_arity(Symbol{keyword::count}), -1);
}

TEST(SymbolTest, ConnectivesAreNoAtoms) {
    for (const Symbol symbol : {keyword::implies, keyword::negation, keyword::disjunction, keyword::conjunction}) {
        EXPECT_TRUE(is_connective(symbol));
    }
    EXPECT_FALSE(is_connective(keyword::distinct));
    EXPECT_TRUE(is_keyword(keyword::random));
    EXPECT_FALSE(is_keyword(Symbol{keyword::count}));
}

TEST(SymbolTest, TheSameNameGivesTheSameSymbol) {
    SymbolTable table;
    const Symbol cell = table.intern("cell");
    EXPECT_FALSE(is_keyword(cell));
    EXPECT_EQ(table.intern("cell"), cell);
    EXPECT_NE(table.intern("mark"), cell);
    EXPECT_EQ(table.intern("legal"), keyword::legal);
    EXPECT_EQ(table.name(cell), "cell");
}

TEST(SymbolTest, FindDoesNotIntern) {
    SymbolTable table;
    Symbol found{};
    EXPECT_FALSE(table.find("cell", found));
    EXPECT_EQ(table.size(), keyword::count);
    const Symbol cell = table.intern("cell");
    EXPECT_TRUE(table.find("cell", found));
    EXPECT_EQ(found, cell);
}

TEST(SymbolTest, CopiesAndMovesStandAlone) {
    SymbolTable copy;
    Symbol last{};
    {
        SymbolTable table;
        // Short names live inside the string object, so a copy that kept views of the original would break.
        for (int i = 0; i < 1000; ++i) last = table.intern("n" + std::to_string(i));
        copy = table;
        table.intern("later");
    }
    Symbol found{};
    EXPECT_TRUE(copy.find("n999", found));
    EXPECT_EQ(found, last);
    EXPECT_FALSE(copy.find("later", found));
    EXPECT_EQ(copy.intern("n0"), Symbol{keyword::count});

    const SymbolTable moved = std::move(copy);
    EXPECT_TRUE(moved.find("n500", found));
    EXPECT_EQ(moved.name(found), "n500");
}

}  // namespace
}  // namespace stratagem::gdl
