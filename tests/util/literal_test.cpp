#include "util/literal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace stratagem {
namespace {

enum class Atom : std::uint32_t {};

using OfAtom = Literal<Atom>;
using OfNode = Literal<std::uint32_t>;

TEST(Literal, IsSomethingOrItsNegation) {
    const OfAtom literal(Atom{7});
    EXPECT_EQ(literal.atom(), Atom{7});
    EXPECT_TRUE(literal.positive());
    EXPECT_FALSE(literal.negated());
    EXPECT_EQ((!literal).atom(), Atom{7});
    EXPECT_TRUE((!literal).negated());
    EXPECT_EQ(!!literal, literal);
    EXPECT_EQ(literal ^ false, literal);
    EXPECT_EQ(literal ^ true, !literal);
    EXPECT_EQ(OfNode(7, true), !OfNode(7));
    EXPECT_EQ(OfNode(7, false).node(), 7U);
}

TEST(Literal, HasACodeAndAnOrder) {
    const OfNode literal(5, true);
    EXPECT_EQ(literal.code(), 11U);
    EXPECT_EQ(OfNode::from_code(literal.code()), literal);
    EXPECT_EQ(OfNode().code(), 0U);
    std::vector<OfNode> literals{OfNode(2), OfNode(1, true), OfNode(1), OfNode(0, true)};
    std::ranges::sort(literals);
    EXPECT_EQ(literals, (std::vector<OfNode>{OfNode(0, true), OfNode(1), OfNode(1, true), OfNode(2)}));
}

// What is numbered differently is not taken for one another, nor for its number.
static_assert(!std::is_convertible_v<OfAtom, OfNode> && !std::is_constructible_v<OfAtom, OfNode>);
static_assert(!std::is_convertible_v<std::uint32_t, OfNode> && !std::is_convertible_v<OfNode, std::uint32_t>);
static_assert(sizeof(OfAtom) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<OfAtom>);

}  // namespace
}  // namespace stratagem
