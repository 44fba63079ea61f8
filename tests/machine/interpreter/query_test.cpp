// First-order conditions on a state.
#include "machine/interpreter/query.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gdl/print.h"
#include "gdl/read.h"
#include "machine/term_text.h"

namespace stratagem::machine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* board = R"(
    (role r) (succ 1 2) (succ 2 3)
    (init (cell 1 1 x)) (init (cell 1 2 x)) (init (cell 1 3 b)) (init (cell 2 1 o)) (init (unused 5))
    (<= (filled ?m ?n) (true (cell ?m ?n ?w)) (distinct ?w b)))";

class QueryTest : public ::testing::Test {
  protected:
    // Each solution as "1 2", sorted.
    std::vector<std::string> rows(Query& query) {
        const std::vector<gdl::Term> values = query.solutions();
        std::vector<std::string> result;
        const std::size_t width = query.variables().size();
        for (std::size_t i = 0; width > 0 && i < values.size(); i += width) {
            std::string row;
            for (std::size_t j = 0; j < width; ++j) {
                row += (j > 0 ? " " : "") + gdl::to_kif(interpreter_.terms(), values[i + j]);
            }
            result.push_back(row);
        }
        std::ranges::sort(result);
        return result;
    }
    void set_state(const std::vector<std::string>& fluents) {
        std::vector<gdl::Term> terms;
        for (const std::string& fluent : fluents) terms.push_back(*parse_term(interpreter_.terms(), fluent));
        interpreter_.set_state(terms);
    }

    Interpreter interpreter_{gdl::read("board.kif", board).description};
};

TEST_F(QueryTest, FindsAllSolutions) {
    Query query(interpreter_, "(true (cell ?m ?n ?w)) (true (cell ?m ?k ?w)) (succ ?n ?k)");
    EXPECT_THAT(rows(query), ElementsAre("1 1 x 2"));
    EXPECT_EQ(query.count(), 1U);
    EXPECT_TRUE(query.holds());
    EXPECT_EQ(query.deepest(), 3U);
}

TEST_F(QueryTest, FollowsTheState) {
    Query query(interpreter_, "(filled ?m ?n)");
    EXPECT_EQ(query.count(), 3U);
    set_state({"(cell 3 3 x)", "(cell 3 2 b)"});
    EXPECT_THAT(rows(query), ElementsAre("3 3"));
    set_state({});
    EXPECT_EQ(query.count(), 0U);
    EXPECT_FALSE(query.holds());
}

TEST_F(QueryTest, DeepestIsTheLongestSatisfiableBeginning) {
    Query query(interpreter_, "(true (cell 1 1 ?w)) (true (cell 1 2 ?w)) (true (cell 1 3 ?w)) (true (cell 1 4 ?w))");
    EXPECT_EQ(query.deepest(), 2U);
    EXPECT_FALSE(query.holds());
    set_state({"(cell 1 1 b)", "(cell 1 1 x)", "(cell 1 2 x)", "(cell 1 3 x)"});
    EXPECT_EQ(query.deepest(), 3U);
    set_state({"(cell 1 2 x)"});
    EXPECT_EQ(query.deepest(), 0U);
}

TEST_F(QueryTest, UnderstandsNotOrAndDistinct) {
    Query query(interpreter_,
                "(or (true (cell ?m ?n x)) (true (cell ?m ?n o))) (distinct ?n 1) (not (true (cell ?m ?n b)))");
    EXPECT_THAT(rows(query), ElementsAre("1 2"));
}

TEST_F(QueryTest, VariablesOfSingleBranchesOnlyHaveToExist) {
    Query query(interpreter_, "(true (cell ?m 1 ?w)) (or (true (cell ?m 3 ?v)) (true (nothing ?u)))");
    ASSERT_EQ(query.variables().size(), 2U);
    EXPECT_THAT(rows(query), ElementsAre("1 x"));
}

TEST_F(QueryTest, MayAskForFluentsThatNoRuleMentions) {
    Query query(interpreter_, "(true (unused ?n))");
    EXPECT_THAT(rows(query), ElementsAre("5"));
    Query unknown(interpreter_, "(true (missing ?n))");
    EXPECT_THAT(rows(unknown), IsEmpty());
    set_state({"(missing 1)", "(unused 6)"});
    EXPECT_THAT(rows(query), ElementsAre("6"));
    EXPECT_THAT(rows(unknown), ElementsAre("1"));
}

TEST_F(QueryTest, WithoutVariablesThereIsOneSolutionOrNone) {
    Query query(interpreter_, "(true (cell 1 1 x))");
    EXPECT_EQ(query.count(), 1U);
    Query empty(interpreter_, "");
    EXPECT_TRUE(empty.holds());
    EXPECT_EQ(empty.deepest(), 0U);
}

TEST_F(QueryTest, RefusesWhatIsNoCondition) {
    EXPECT_THROW(Query(interpreter_, "(true (cell 1"), InvalidRules);
    EXPECT_THROW(Query(interpreter_, "?x"), InvalidRules);
    EXPECT_THROW(Query(interpreter_, "(<= a b)"), InvalidRules);
}

TEST(TermText, ReadsOneTermAndNothingElse) {
    gdl::TermPool terms;
    const auto text = [&](const char* from) {
        const auto term = parse_term(terms, from);
        return term ? gdl::to_kif(terms, *term) : std::string("nothing");
    };
    EXPECT_EQ(text("  ( Mark 1\t(f ?X b) ) "), "(mark 1 (f ?x b))");
    EXPECT_EQ(text("(noop)"), "noop");
    EXPECT_EQ(text("noop"), "noop");
    for (const char* bad : {"", "a b", "(a", "a)", "()", "((a) b)", "(?x a)", "?", "(f ?)"})
        EXPECT_EQ(text(bad), "nothing") << bad;
    EXPECT_EQ(text((std::string(5000, '(') + "a").c_str()), "nothing");
}

}  // namespace
}  // namespace stratagem::machine
