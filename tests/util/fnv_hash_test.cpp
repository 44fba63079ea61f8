#include "util/fnv_hash.h"

#include <gtest/gtest.h>

namespace stratagem {
namespace {

std::uint64_t hash_of(std::string_view bytes) {
    FnvHash hash;
    hash.add_bytes(bytes);
    return hash.value();
}

// Of the test vectors that its authors publish.
TEST(FnvHash, IsTheOneOfItsAuthors) {
    EXPECT_EQ(hash_of(""), 0xCBF29CE484222325ULL);
    EXPECT_EQ(hash_of("a"), 0xAF63DC4C8601EC8CULL);
    EXPECT_EQ(hash_of("foobar"), 0x85944171F73967E8ULL);
}

TEST(FnvHash, TextsEndAndNumbersHaveAnOrder) {
    FnvHash one, other, together;
    one.add("ab");
    one.add("c");
    other.add("a");
    other.add("bc");
    EXPECT_NE(one.value(), other.value());
    together.add_bytes(std::string_view("ab\0c\0", 5));
    EXPECT_EQ(one.value(), together.value());
    EXPECT_NE(combine_hashes(1, 2), combine_hashes(2, 1));
}

}  // namespace
}  // namespace stratagem
