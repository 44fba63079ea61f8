#include "gdl/source.h"

#include <gtest/gtest.h>

namespace stratagem::gdl {
namespace {

Position position_of(const Source& source, std::string_view what) {
    return source.position(static_cast<std::uint32_t>(source.text().find(what)));
}

TEST(SourceTest, CountsLinesAndColumnsFromOne) {
    const Source source("name", "ab\n\n  c\n");
    EXPECT_EQ(source.name(), "name");
    EXPECT_EQ(source.position(0), (Position{1, 1}));
    EXPECT_EQ(source.position(1), (Position{1, 2}));
    EXPECT_EQ(source.position(2), (Position{1, 3}));  // the line break belongs to its line
    EXPECT_EQ(source.position(3), (Position{2, 1}));
    EXPECT_EQ(position_of(source, "c"), (Position{3, 3}));
    EXPECT_EQ(source.position(8), (Position{4, 1}));  // the end of the text
    EXPECT_EQ(source.line_number(5), 3U);
}

TEST(SourceTest, KnowsEveryLineBreak) {
    const Source source("", "a\r\nb\rc\nd\r\re");
    EXPECT_EQ(position_of(source, "b"), (Position{2, 1}));
    EXPECT_EQ(position_of(source, "c"), (Position{3, 1}));
    EXPECT_EQ(position_of(source, "d"), (Position{4, 1}));
    EXPECT_EQ(position_of(source, "e"), (Position{6, 1}));
    EXPECT_EQ(source.line(1), "a");
    EXPECT_EQ(source.line(2), "b");
    EXPECT_EQ(source.line(5), "");
    EXPECT_EQ(source.line(6), "e");
}

TEST(SourceTest, AnswersForPlacesOutsideTheText) {
    const Source source("", "ab");
    EXPECT_EQ(source.position(1000), (Position{1, 3}));
    EXPECT_EQ(source.line(0), "");
    EXPECT_EQ(source.line(2), "");
    EXPECT_EQ(source.text({1, 1000}), "b");
    EXPECT_EQ(source.text({5, 3}), "");
    EXPECT_EQ(Source("", "").position(0), (Position{1, 1}));
}

TEST(SourceTest, CountsCharactersNotBytes) {
    EXPECT_EQ(position_of(Source("",
                                 "\t(gr\xC3\xB6\xC3\x9F"
                                 "e x"),
                          "x"),
              (Position{1, 9}));
    EXPECT_EQ(position_of(Source("", "\xE4\xB8\xAD\xF0\x9F\x8E\xB2x"), "x"), (Position{1, 3}));
}

TEST(SourceTest, BrokenBytesCountOneEach) {
    EXPECT_EQ(count_characters("\x80\x80x"), 3U);
    EXPECT_EQ(count_characters("\xC3"), 1U);              // cut short
    EXPECT_EQ(count_characters("\xC0\x80"), 2U);          // over-long
    EXPECT_EQ(count_characters("\xED\xA0\x80"), 3U);      // half of a surrogate pair
    EXPECT_EQ(count_characters("\xF4\x90\x80\x80"), 4U);  // beyond U+10FFFF
    EXPECT_EQ(count_characters("\xF4\x8F\xBF\xBF"), 1U);
    EXPECT_EQ(count_characters("\xFF\xFE"), 2U);
}

TEST(SourceTest, LengthOfACharacter) {
    EXPECT_EQ(character_length(""), 0U);
    EXPECT_EQ(character_length("ab"), 1U);
    EXPECT_EQ(character_length("\xC2\x80"), 2U);
    EXPECT_EQ(character_length("\xE0\xA0\x80"), 3U);
    EXPECT_EQ(character_length("\xE0\x9F\xBF"), 0U);
    EXPECT_EQ(character_length("\xF0\x90\x80\x80"), 4U);
    EXPECT_EQ(character_length("\xF0\x8F\xBF\xBF"), 0U);
    EXPECT_EQ(character_length("\xE4\xB8"), 0U);
}

}  // namespace
}  // namespace stratagem::gdl
