// The norms and the network of conjunctions and disjunctions, by themselves.
#include "evaluate/fuzzy/network.h"

#include <gtest/gtest.h>

#include "machine/random.h"

namespace stratagem::evaluate::fuzzy {
namespace {

using Code = Network::Code;

double conjunction(const Settings& settings, const std::vector<double>& parts) {
    const Norms norms(settings);
    double sum = 0;
    bool all = true;
    for (const double part : parts) {
        sum += norms.power(1 - part);
        all = all && part > 0.5;
    }
    return norms.conjunction(sum, all).value;
}

TEST(FuzzyNorms, CountTheFalsePartsOfAConjunction) {
    const double three = conjunction({}, {0.75, 0.75, 0.75});
    const double two = conjunction({}, {0.75, 0.75, 0.25});
    const double one = conjunction({}, {0.75, 0.25, 0.25});
    const double none = conjunction({}, {0.25, 0.25, 0.25});
    EXPECT_DOUBLE_EQ(three, 0.75);
    EXPECT_LE(two, 0.25);
    EXPECT_GT(two, one + 0.01);
    EXPECT_GT(one, none + 0.01);
    EXPECT_GT(none, 0);
}

// 1 - (2 * 0.75^15)^(1/15), worked out elsewhere.
TEST(FuzzyNorms, AreThoseOfYager) { EXPECT_NEAR(conjunction({}, {0.25, 0.25}), 0.2145294, 1e-7); }

TEST(FuzzyNorms, HoldManyTrueThingsUpAtTheThreshold) {
    Settings settings;
    settings.power = 2;
    EXPECT_DOUBLE_EQ(conjunction(settings, std::vector<double>(1000, 0.75)), settings.threshold);
    EXPECT_DOUBLE_EQ(conjunction(settings, std::vector<double>(1000, 0.25)), 0);
}

TEST(FuzzyNorms, PowersByMultiplicationAreThoseOfTheLibrary) {
    for (const double q : {1.0, 2.0, 7.0, 15.0, 64.0, 2.5}) {
        Settings settings;
        settings.power = q;
        for (const double x : {0.0, 0.1, 0.25, 0.5, 0.75, 1.0}) {
            EXPECT_NEAR(Norms(settings).power(x), std::pow(x, q), 1e-15);
        }
    }
}

TEST(FuzzyNetwork, IsWholeOnlyWhenFinished) {
    Network network{Norms(Settings{})};
    const Network::Code leaf(network.add_leaf(), false);
    network.finish();
    EXPECT_TRUE(network.is_consistent());
    const std::vector<Network::Code> parts{leaf, !leaf};
    network.add_conjunction(parts);
    EXPECT_FALSE(network.is_consistent()) << "the leaf does not know of it yet";
    network.finish();
    EXPECT_TRUE(network.is_consistent());
}

// A random graph. Each leaf occurs either always negated or never; inner nodes are not negated, or always in pairs.
struct RandomNetwork {
    RandomNetwork(machine::Random& random, const Settings& settings, std::uint32_t leaves, std::uint32_t nodes)
        : network(Norms(settings)) {
        std::vector<Code> made;
        for (std::uint32_t i = 0; i < leaves; ++i) {
            negated.push_back(random.below(2) == 1);
            made.emplace_back(network.add_leaf(), negated.back());
        }
        for (std::uint32_t i = 0; i < nodes; ++i) {
            std::vector<Code> parts;
            // Some are wider than what is added up in one go.
            const std::uint32_t width = random.below(10) == 0 ? 200 : 1 + random.below(6);
            const bool disjunction = random.below(2) == 1;
            const bool by_duality = random.below(3) == 0;
            for (std::uint32_t k = 0; k < width; ++k) {
                const Code part = made[random.below(static_cast<std::uint32_t>(made.size()))];
                parts.push_back(part ^ by_duality);
            }
            const std::uint32_t node =
                disjunction != by_duality ? network.add_disjunction(parts) : network.add_conjunction(parts);
            made.emplace_back(node, by_duality);
        }
        network.finish();
        root = made.back();
    }

    Network network;
    std::vector<bool> negated;
    Code root;
};

double random_leaf(machine::Random& random, const Settings& settings) {
    const double t = settings.threshold;
    const double share = random.below(1001) / 1000.0;
    return random.below(2) == 1 ? t + (1 - t) * share : (1 - t) * share;
}

TEST(FuzzyNetwork, IsMonotoneInEveryLeaf) {
    machine::Random random(3);
    std::size_t moved = 0;
    for (int round = 0; round < 300; ++round) {
        Settings settings;
        settings.power = 1 + random.below(20);
        settings.threshold = settings.truth = 0.55 + random.below(45) / 100.0;
        const std::uint32_t leaves = 2 + random.below(20);
        const RandomNetwork made(random, settings, leaves, 1 + random.below(30));
        Network::Values values = made.network.make_values();
        for (std::uint32_t i = 0; i < leaves; ++i) made.network.set_leaf(values, i, random_leaf(random, settings));
        made.network.compute_all(values);
        for (int change = 0; change < 30; ++change) {
            const std::uint32_t leaf = random.below(leaves);
            const double before = made.network.value(values, made.root);
            const double old = values.value[leaf];
            const double now = random_leaf(random, settings);
            made.network.set_leaf(values, leaf, now);
            made.network.compute_changes(values);
            const double after = made.network.value(values, made.root);
            if (std::abs(after - before) > 1e-9) ++moved;
            if ((now > old) != made.negated[leaf]) {
                ASSERT_GE(after, before - 1e-12);
            } else {
                ASSERT_LE(after, before + 1e-12);
            }
        }
    }
    EXPECT_GT(moved, 500U);
}

TEST(FuzzyNetwork, ChangesGiveExactlyWhatAFreshStartGives) {
    machine::Random random(5);
    for (int round = 0; round < 200; ++round) {
        const Settings settings;
        const std::uint32_t leaves = 2 + random.below(40);
        const RandomNetwork made(random, settings, leaves, 1 + random.below(60));
        Network::Values followed = made.network.make_values();
        std::vector<double> truth(leaves, 0.25);
        made.network.compute_all(followed);
        for (int step = 0; step < 20; ++step) {
            for (std::uint32_t k = 0; k < 3; ++k) {
                const std::uint32_t leaf = random.below(leaves);
                truth[leaf] = random.below(2) == 1 ? 0.75 : random_leaf(random, settings);
                made.network.set_leaf(followed, leaf, truth[leaf]);
            }
            made.network.compute_changes(followed);
            Network::Values fresh = made.network.make_values();
            for (std::uint32_t i = 0; i < leaves; ++i) made.network.set_leaf(fresh, i, truth[i]);
            made.network.compute_all(fresh);
            ASSERT_EQ(fresh.value, followed.value);
            ASSERT_EQ(fresh.power, followed.power);
            ASSERT_EQ(fresh.fails, followed.fails);
        }
    }
}

// A wide node is made of shares; its value is that of the plain sum.
TEST(FuzzyNetwork, WideNodesAddUpAllTheirParts) {
    const Settings settings;
    for (const std::uint32_t width : {47U, 48U, 49U, 200U, 5000U}) {
        Network network{Norms(settings)};
        std::vector<Code> parts;
        std::vector<double> truth;
        for (std::uint32_t i = 0; i < width; ++i) {
            parts.emplace_back(network.add_leaf());
            truth.push_back(i % 100 == 3 ? 0.2 : 0.8);
        }
        const std::uint32_t all = network.add_conjunction(parts);
        const std::uint32_t any = network.add_disjunction(parts);
        network.finish();
        Network::Values values = network.make_values();
        for (std::uint32_t i = 0; i < width; ++i) network.set_leaf(values, i, truth[i]);
        network.compute_all(values);
        EXPECT_NEAR(values.value[all], conjunction(settings, truth), 1e-12);
        for (double& one : truth) one = 1 - one;
        EXPECT_NEAR(values.value[any], 1 - conjunction(settings, truth), 1e-12);
    }
}

}  // namespace
}  // namespace stratagem::evaluate::fuzzy
