#include "util/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stratagem {
namespace {

TEST(NumberText, IsAsPeopleWriteThem) {
    EXPECT_EQ(number_text(0), "0");
    EXPECT_EQ(number_text(-3), "-3");
    EXPECT_EQ(number_text(999), "999");
    EXPECT_EQ(number_text(1e6), "1,000,000");
    EXPECT_EQ(number_text(-1048576), "-1,048,576");
    EXPECT_EQ(number_text(1e15), "1,000,000,000,000,000");
    EXPECT_EQ(number_text(0.001), "0.001");
    EXPECT_EQ(number_text(0.25), "0.25");
    EXPECT_EQ(number_text(1234.5), "1234.5");
}

TEST(NumberText, HasAnExponentOnlyWhereNobodyCouldRead) {
    EXPECT_EQ(number_text(1e300), "1e+300");
    EXPECT_EQ(number_text(1e-9), "1e-09");
    EXPECT_EQ(number_text(std::nan("")), "nan");
    EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(WithCommas, GroupsDigitsByThree) {
    EXPECT_EQ(with_commas(0), "0");
    EXPECT_EQ(with_commas(1000), "1,000");
    EXPECT_EQ(with_commas(18446744073709551615U), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace stratagem
