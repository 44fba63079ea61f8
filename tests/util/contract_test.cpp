// In checking builds a broken promise ends the program and says where; in others nothing of it is run.
#include "util/contract.h"

#include <gtest/gtest.h>

#include <csignal>
#include <utility>

namespace stratagem {

namespace {

int expects_positive(int number) {
    STRATAGEM_EXPECTS(number > 0);
    return number;
}

int ensures_positive(int number) {
    STRATAGEM_ENSURES(number > 0);
    return number;
}

int keeps_positive(int number) {
    STRATAGEM_INVARIANT(number > 0);
    return number;
}

constexpr int at_compile_time(int number) {
    STRATAGEM_EXPECTS(number > 0);
    return number;
}
static_assert(at_compile_time(1) == 1);

}  // namespace

TEST(Contract, LetsAKeptPromisePass) {
    EXPECT_EQ(expects_positive(1), 1);
    EXPECT_EQ(ensures_positive(2), 2);
    EXPECT_EQ(keeps_positive(3), 3);
}

TEST(Contract, LooksAtTheConditionOnceOrNever) {
    int looks = 0;
    STRATAGEM_EXPECTS(++looks > 0);
    EXPECT_EQ(looks, promises_are_checked ? 1 : 0);
}

TEST(Contract, TakesConditionsWithCommas) {
    STRATAGEM_EXPECTS(std::pair<int, int>(1, 2) == std::pair<int, int>(1, 2));
    if constexpr (promises_are_checked) {
        EXPECT_DEATH(STRATAGEM_EXPECTS(std::pair<int, int>(1, 2).first == 2),
                     "std::pair<int, int>\\(1, 2\\).first == 2");
    }
}

TEST(Contract, ABrokenPromiseAbortsAndSaysWhereInCheckingBuildsAlone) {
    if constexpr (promises_are_checked) {
        EXPECT_EXIT(expects_positive(0), testing::KilledBySignal(SIGABRT),
                    "contract_test.cpp:[0-9]+: .*expects_positive.*precondition does not hold: number > 0");
        EXPECT_EXIT(ensures_positive(0), testing::KilledBySignal(SIGABRT),
                    "contract_test.cpp:[0-9]+: .*ensures_positive.*postcondition does not hold: number > 0");
        EXPECT_EXIT(keeps_positive(0), testing::KilledBySignal(SIGABRT),
                    "contract_test.cpp:[0-9]+: .*keeps_positive.*invariant does not hold: number > 0");
    } else {
        EXPECT_EQ(expects_positive(0), 0);
        EXPECT_EQ(ensures_positive(-1), -1);
        EXPECT_EQ(keeps_positive(-2), -2);
    }
}

}  // namespace stratagem
