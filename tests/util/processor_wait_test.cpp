#include "util/processor_wait.h"

#include <gtest/gtest.h>

namespace stratagem {
namespace {

TEST(ProcessorWait, NeverFalls) {
    const auto before = waited_for_processor();
    if (!before) GTEST_SKIP() << "not counted by this system";
    EXPECT_GE(before->count(), 0);
    const auto after = waited_for_processor();
    ASSERT_TRUE(after.has_value());
    EXPECT_GE(*after, *before);
}

}  // namespace
}  // namespace stratagem
