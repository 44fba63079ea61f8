#include "search/uct/tree.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace stratagem::search::uct {
namespace {

TreeOptions options(std::size_t bytes = std::size_t{1} << 20) {
    TreeOptions result;
    result.bytes = bytes;
    result.chance = {false, false};
    result.least = {0, 0};
    result.most = {100, 100};
    return result;
}

State state_of(std::initializer_list<std::uint32_t> fluents) {
    State state(256);
    for (const std::uint32_t fluent : fluents) state.insert(machine::Fluent{fluent});
    return state;
}

State numbered_state(std::uint32_t number) {
    State state(256);
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
        if ((number >> bit & 1U) != 0) state.insert(machine::Fluent{bit});
    }
    return state;
}

Opening opening(std::uint32_t first, std::uint32_t second) {
    Opening result;
    result.legal.resize(2);
    for (std::uint32_t i = 0; i < first; ++i) result.legal[0].push_back(Move{i});
    for (std::uint32_t i = 0; i < second; ++i) result.legal[1].push_back(Move{1000 + i});
    return result;
}

TEST(Tree, FindsWhatItMade) {
    Tree tree(options());
    Node* const a = tree.make(state_of({1, 5}));
    Node* const b = tree.make(state_of({1, 6}));
    ASSERT_NE(a, nullptr);
    ASSERT_NE(b, nullptr);
    EXPECT_EQ(tree.find(state_of({1, 5})), a);
    EXPECT_EQ(tree.find(state_of({1, 6})), b);
    EXPECT_EQ(tree.find(state_of({1})), nullptr);
    EXPECT_EQ(tree.size(), 2U);
    EXPECT_EQ(a->roles[0].lo, 0);
    EXPECT_EQ(a->roles[1].hi, 100);
}

TEST(Tree, FindsManyWhileItsTableGrows) {
    Tree tree(options(std::size_t{64} << 20));
    for (std::uint32_t i = 0; i < 20'000; ++i) ASSERT_NE(tree.make(numbered_state(i)), nullptr);
    for (std::uint32_t i = 0; i < 20'000; ++i) {
        const Node* const node = tree.find(numbered_state(i));
        ASSERT_NE(node, nullptr);
        EXPECT_EQ(node->state, numbered_state(i));
    }
}

TEST(Tree, ArmsKeepTheirSlots) {
    Tree tree(options());
    Node& node = *tree.make(state_of({1}));
    ASSERT_TRUE(tree.open(node, opening(40, 1)));
    ASSERT_EQ(node.chooser_count, 1U);
    Chooser& chooser = node.choosers[0];
    EXPECT_EQ(node.roles[1].fixed, Move{1000});
    std::vector<Move> in_order;
    for (const std::uint32_t move : {39U, 3U, 0U, 17U, 22U, 8U}) {
        const std::optional<std::uint32_t> slot = tree.slot_of(chooser, Move{move});
        EXPECT_EQ(slot, in_order.size());
        in_order.push_back(Move{move});
        for (std::size_t i = 0; i < in_order.size(); ++i) EXPECT_EQ(chooser.moves[i], in_order[i]);
    }
    EXPECT_EQ(tree.slot_of(chooser, Move{17}), 3U);
    EXPECT_FALSE(tree.slot_of(chooser, Move{1000})) << "somebody else's";
    // The list still holds every move once.
    std::set<Move> all(chooser.moves, chooser.moves + chooser.count);
    EXPECT_EQ(all.size(), 40U);
    EXPECT_TRUE(tree.is_consistent(node));
}

TEST(Tree, JointMovesHaveTheirOwnChildren) {
    Tree tree(options());
    Node& node = *tree.make(state_of({1}));
    ASSERT_TRUE(tree.open(node, opening(3, 4)));
    ASSERT_EQ(node.chooser_count, 2U);
    for (Chooser& chooser : node.choosing()) {
        for (std::uint32_t i = 0; i < chooser.count; ++i) tree.try_move(chooser, i);
    }
    std::vector<Node*> made;
    for (std::uint32_t a = 0; a < 3; ++a) {
        for (std::uint32_t b = 0; b < 4; ++b) {
            made.push_back(tree.make(state_of({10 + a, 20 + b})));
            tree.set_child(node, std::vector{a, b}, made.back());
        }
    }
    std::size_t i = 0;
    for (std::uint32_t a = 0; a < 3; ++a) {
        for (std::uint32_t b = 0; b < 4; ++b) EXPECT_EQ(tree.child(node, std::vector{a, b}), made[i++]);
    }
    tree.set_child(node, std::vector{1U, 1U}, nullptr);
    EXPECT_EQ(tree.child(node, std::vector{1U, 1U}), nullptr);
}

// A root with children of rising visits, each with a child of its own.
struct Family {
    explicit Family(Tree& tree, std::uint32_t count) {
        root = tree.make(state_of({200}));
        tree.open(*root, opening(count, 1));
        for (std::uint32_t i = 0; i < count; ++i) {
            Node* const child = tree.make(numbered_state(i + 1));
            if (child == nullptr) break;
            const std::optional<std::uint32_t> slot = tree.slot_of(root->choosers[0], Move{i});
            if (!slot) break;
            child->visits = i;
            root->choosers[0].arms[*slot].visits = i;
            root->visits += i;
            root->choosers[0].arms[*slot].child = child;
            children.push_back(child);
        }
    }
    Node* root;
    std::vector<Node*> children;
};

TEST(Tree, CollectionKeepsWhatCanBeReached) {
    Tree tree(options());
    const Family family(tree, 50);
    Node* const stranger = tree.make(state_of({201}));
    ASSERT_NE(stranger, nullptr);
    ASSERT_TRUE(tree.collect(*family.root, 1.0, {}));
    EXPECT_EQ(tree.find(state_of({201})), nullptr);
    for (const Node* child : family.children) EXPECT_EQ(tree.find(child->state), child);
    EXPECT_TRUE(tree.is_consistent(*family.root));
}

TEST(Tree, CollectionCutsTheLeastVisited) {
    Tree tree(options(std::size_t{4} << 20));
    const Family family(tree, 3000);
    const double share = static_cast<double>(tree.bytes()) / static_cast<double>(tree.bytes_limit()) / 2;
    ASSERT_TRUE(tree.collect(*family.root, share, {}));
    EXPECT_TRUE(tree.is_consistent(*family.root));
    std::size_t kept = 0;
    std::uint32_t least = UINT32_MAX;
    std::uint32_t most_cut = 0;
    for (std::uint32_t i = 0; i < 3000; ++i) {
        if (tree.find(numbered_state(i + 1)) != nullptr) {
            ++kept;
            least = std::min(least, i);
        } else {
            most_cut = i;
        }
    }
    EXPECT_GT(kept, 0U);
    EXPECT_LT(kept, 3000U);
    EXPECT_GT(least, most_cut);
    // What the arms learned stays.
    std::uint64_t visits = 0;
    for (std::uint32_t i = 0; i < family.root->choosers[0].tried; ++i)
        visits += family.root->choosers[0].arms[i].visits;
    EXPECT_EQ(visits, 2999U * 3000U / 2);
}

TEST(Tree, PendingNodesSurviveAnyCollection) {
    Tree tree(options());
    const Family family(tree, 50);
    family.children[0]->pending = 1;
    ASSERT_TRUE(tree.collect(*family.root, 0.0, {}));
    EXPECT_EQ(tree.find(numbered_state(1)), family.children[0]);
}

TEST(Tree, MemoryIsFixedAndComesBack) {
    Tree tree(options());
    Node* const root = tree.make(state_of({200}));
    std::uint32_t made = 0;
    while (tree.make(numbered_state(made + 1)) != nullptr) ++made;
    EXPECT_GT(made, 1000U);
    EXPECT_LE(tree.bytes(), tree.bytes_limit());
    ASSERT_TRUE(tree.collect(*root, 0.5, {}));
    std::uint32_t again = 0;
    while (again < 10 * made && tree.make(numbered_state(100'000 + again)) != nullptr) ++again;
    EXPECT_GE(again, made * 9 / 10);
    EXPECT_LE(tree.bytes(), tree.bytes_limit());
    EXPECT_EQ(tree.find(numbered_state(1)), nullptr);
    EXPECT_NE(tree.find(numbered_state(100'000)), nullptr);
}

TEST(Tree, AStoppedCollectionForgetsNothing) {
    Tree tree(options(std::size_t{16} << 20));
    const Family family(tree, 5000);
    const std::atomic<bool> flag = true;
    EXPECT_FALSE(tree.collect(*family.root, 0.0, {Deadline::never(), &flag}));
    for (const Node* child : family.children) ASSERT_EQ(tree.find(child->state), child);
    EXPECT_TRUE(tree.is_consistent(*family.root));
}

TEST(Tree, ClearedTreesStartAgain) {
    Tree tree(options());
    const Family family(tree, 50);
    tree.clear();
    EXPECT_EQ(tree.size(), 0U);
    EXPECT_EQ(tree.find(state_of({200})), nullptr);
    EXPECT_NE(tree.make(state_of({200})), nullptr);
}

}  // namespace
}  // namespace stratagem::search::uct
