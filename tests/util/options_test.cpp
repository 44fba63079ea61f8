#include "util/options.h"

#include <gmock/gmock.h>

namespace stratagem {
namespace {

using ::testing::HasSubstr;

constexpr Option described[] = {
    {"fast", Option::Kind::flag, "off", 0, 0, "", "be quick"},
    {"depth", Option::Kind::integer, "3", 1, 10, "", "how deep"},
    {"share", Option::Kind::real, "0.5", 0, 1, "", "how much"},
    {"others", Option::Kind::choice, "best", 0, 0, "best|random", "what others do"},
};

std::string error_of(std::string_view text, std::span<const Option> options = described) {
    try {
        OptionValues(options, text);
    } catch (const OptionError& error) {
        return error.what();
    }
    return "";
}

TEST(Options, ThoseNotGivenHaveTheirDefault) {
    const OptionValues values(described, "");
    EXPECT_FALSE(values.flag("fast"));
    EXPECT_EQ(values.integer("depth"), 3);
    EXPECT_EQ(values.real("share"), 0.5);
    EXPECT_EQ(values.choice("others"), "best");
}

TEST(Options, AreReadFromText) {
    const OptionValues values(described, " fast=yes, depth = 7,share=0.25,others=random");
    EXPECT_TRUE(values.flag("fast"));
    EXPECT_EQ(values.integer("depth"), 7);
    EXPECT_EQ(values.real("share"), 0.25);
    EXPECT_EQ(values.choice("others"), "random");
}

TEST(Options, AFlagAloneIsOn) { EXPECT_TRUE(OptionValues(described, "fast").flag("fast")); }

TEST(Options, TextHasEveryValueInOneSpelling) {
    EXPECT_EQ(OptionValues(described, "fast=true,share=1").to_text(), "fast=on,depth=3,share=1,others=best");
    const std::string text = OptionValues(described, "depth=10,fast=1").to_text();
    EXPECT_EQ(OptionValues(described, text).to_text(), text);
}

TEST(Options, ErrorsSayWhatWouldBeRight) {
    EXPECT_THAT(error_of("dept=3"), HasSubstr("did you mean 'depth'"));
    EXPECT_THAT(error_of("colour=3"), HasSubstr("there are fast depth share others"));
    EXPECT_THAT(error_of("depth=11"), HasSubstr("a whole number between 1 and 10"));
    EXPECT_THAT(error_of("depth=0"), HasSubstr("between 1 and 10"));
    EXPECT_THAT(error_of("depth=2x"), HasSubstr("not '2x'"));
    EXPECT_THAT(error_of("depth"), HasSubstr("a whole number"));
    EXPECT_THAT(error_of("share=1.5"), HasSubstr("a number between 0 and 1"));
    EXPECT_THAT(error_of("share=nan"), HasSubstr("a number between 0 and 1"));
    EXPECT_THAT(error_of("others=worst"), HasSubstr("one of best|random"));
    EXPECT_THAT(error_of("others=best|random"), HasSubstr("one of best|random"));
    EXPECT_THAT(error_of("fast=maybe"), HasSubstr("on or off"));
    EXPECT_THAT(error_of("depth=2,depth=3"), HasSubstr("twice"));
    EXPECT_THAT(error_of("depth=2", {}), HasSubstr("none can be set"));
}

TEST(Options, AskingForWhatIsNotDescribedIsAMistakeInTheProgram) {
    const OptionValues values(described, "");
    EXPECT_THROW(values.flag("depth"), std::logic_error);
    EXPECT_THROW(values.integer("width"), std::logic_error);
}

}  // namespace
}  // namespace stratagem
