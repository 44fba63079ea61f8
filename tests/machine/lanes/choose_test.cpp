// The random legal move: always exactly one, always a legal one, and each of them equally likely. The statistics are
// also applied to choosers that are biased in usual ways, to show that they would be found out.
#include "machine/lanes/choose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "machine/lanes/random_logic.h"

namespace stratagem::machine::lanes {
namespace {

using testing::Words;

struct Chooser {
    explicit Chooser(std::size_t count) : candidates(count), random(random_bits(count)) {
        for (Signal& signal : candidates) signal = logic.input();
        for (Signal& signal : random) signal = logic.input();
        chosen = choose(logic, candidates, random);
    }

    // Legal moves and random bits in this order; 64 choices at once.
    Words picked(const Words& inputs) const {
        const Words value = testing::evaluate(logic, inputs);
        Words result;
        for (const Signal signal : chosen.picked) {
            result.push_back(testing::signed_word(signal, value[signal.node()]));
        }
        result.push_back(testing::signed_word(chosen.none, value[chosen.none.node()]));
        return result;
    }

    Logic logic;
    std::vector<Signal> candidates, random;
    Chosen chosen;
};

TEST(Choose, ExactlyOneAndALegalOne) {
    std::vector<std::size_t> counts(40);
    std::iota(counts.begin(), counts.end(), std::size_t{0});
    counts.insert(counts.end(), {95, 96, 97, 191, 300});
    for (const std::size_t count : counts) {
        const Chooser chooser(count);
        Random random(count + 1);
        for (int round = 0; round < 60; ++round) {
            Words inputs(count + chooser.random.size());
            for (std::uint64_t& word : inputs) word = random.next();
            // Often few are legal, or nearly all.
            for (std::size_t i = 0; i < count; ++i) {
                for (int k = 0; k < round % 6; ++k) inputs[i] &= random.next();
                if (round % 7 == 0) inputs[i] = ~inputs[i];
                if (round % 11 == 0) inputs[i] = ~std::uint64_t{0};
            }
            const Words picked = chooser.picked(inputs);
            std::uint64_t once = 0;
            std::uint64_t some = 0;
            for (std::size_t i = 0; i < count; ++i) {
                ASSERT_EQ(picked[i] & ~inputs[i], 0U) << "an illegal one of " << count;
                ASSERT_EQ(picked[i] & once, 0U) << "two of " << count;
                once |= picked[i];
                some |= inputs[i];
            }
            ASSERT_EQ(once, some) << "none of " << count;
            ASSERT_EQ(picked.back(), ~some) << count;
        }
    }
}

// All random numbers there are: shares differ by what rounding makes unavoidable.
TEST(Choose, ExactShares) {
    constexpr std::array<std::uint64_t, 6> columns{0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                                   0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
    const std::vector<std::pair<std::size_t, std::vector<unsigned>>> cases{
        {2, {1, 2, 3}}, {3, {1, 2, 3, 4, 5, 6, 7}}, {5, {0x1F, 0x1D, 0x16}}};
    for (const auto& [count, subsets] : cases) {
        const Chooser chooser(count);
        const std::size_t bits = chooser.random.size();
        for (const unsigned legal : subsets) {
            std::vector<std::uint64_t> times(count, 0);
            Words inputs(count);
            for (std::size_t i = 0; i < count; ++i) inputs[i] = (legal >> i & 1U) != 0 ? ~std::uint64_t{0} : 0;
            inputs.resize(count + bits);
            const std::size_t rounds = std::size_t{1} << (bits > 6 ? bits - 6 : 0);
            for (std::size_t high = 0; high < rounds; ++high) {
                for (std::size_t i = 0; i < bits; ++i) {
                    inputs[count + i] = i < 6 ? columns[i] : (high >> (i - 6) & 1U) != 0 ? ~std::uint64_t{0} : 0;
                }
                const Words picked = chooser.picked(inputs);
                for (std::size_t i = 0; i < count; ++i)
                    times[i] += static_cast<std::uint64_t>(std::popcount(picked[i]));
            }
            const double all = static_cast<double>(rounds) * 64;
            for (std::size_t i = 0; i < count; ++i) {
                if ((legal >> i & 1U) == 0) {
                    EXPECT_EQ(times[i], 0U);
                } else {
                    EXPECT_NEAR(static_cast<double>(times[i]), all / std::popcount(legal), 1.0)
                        << i << " of " << count << " with " << legal;
                }
            }
        }
    }
}

// How many standard deviations a sum of chi-squares lies above its mean (Wilson and Hilferty, 1931).
double deviation(const std::vector<std::uint64_t>& times) {
    const auto total = static_cast<double>(std::accumulate(times.begin(), times.end(), std::uint64_t{0}));
    const double expected = total / static_cast<double>(times.size());
    double sum = 0;
    for (const std::uint64_t count : times) sum += std::pow(static_cast<double>(count) - expected, 2) / expected;
    const auto freedom = static_cast<double>(times.size() - 1);
    const double spread = 2 / (9 * freedom);
    return (std::cbrt(sum / freedom) - (1 - spread)) / std::sqrt(spread);
}

constexpr double bound = 4;  // beyond: one in 30 000 of fair choosers

// A choice among these candidates, of which some are legal: which one.
using Choice = std::function<std::vector<std::uint64_t>(const std::vector<bool>&, Random&)>;

// The largest deviation over some subsets of legal moves.
double worst_deviation(std::size_t count, const Choice& times) {
    Random random(count);
    double worst = -100;
    for (int subset = 0; subset < 4; ++subset) {
        std::vector<bool> legal(count, true);
        // All, all but one, and random ones.
        if (subset > 0 && count > 2) legal[1] = false;
        for (std::size_t i = 0; subset > 1 && i < count; ++i) legal[i] = random.below(3) < 2;
        if (std::ranges::count(legal, true) < 2) continue;
        std::vector<std::uint64_t> counts = times(legal, random);
        std::vector<std::uint64_t> of_legal;
        for (std::size_t i = 0; i < count; ++i) {
            if (legal[i]) of_legal.push_back(counts[i]);
        }
        worst = std::max(worst, deviation(of_legal));
    }
    return worst;
}

constexpr std::size_t samples = 64 * 2000;

TEST(Choose, EachLegalMoveIsEquallyLikely) {
    for (const std::size_t count : {2U, 3U, 5U, 9U, 40U, 300U}) {
        const Chooser chooser(count);
        const double worst = worst_deviation(count, [&](const std::vector<bool>& legal, Random& random) {
            std::vector<std::uint64_t> times(count, 0);
            Words inputs(count + chooser.random.size());
            for (std::size_t i = 0; i < count; ++i) inputs[i] = legal[i] ? ~std::uint64_t{0} : 0;
            for (std::size_t sample = 0; sample < samples; sample += 64) {
                for (std::size_t i = count; i < inputs.size(); ++i) inputs[i] = random.next();
                const Words picked = chooser.picked(inputs);
                for (std::size_t i = 0; i < count; ++i)
                    times[i] += static_cast<std::uint64_t>(std::popcount(picked[i]));
            }
            return times;
        });
        EXPECT_LT(worst, bound) << count << " candidates";
        EXPECT_GT(worst, -bound) << count << " candidates: too even to be random";
    }
}

// Runs a plain chooser: a number for a list of legal moves.
template <typename Pick>
double worst_of(std::size_t count, Pick&& pick) {
    return worst_deviation(count, [&](const std::vector<bool>& legal, Random& random) {
        std::vector<std::uint64_t> times(count, 0);
        for (std::size_t sample = 0; sample < samples; ++sample) ++times[pick(legal, random)];
        return times;
    });
}

std::vector<std::size_t> list_of(const std::vector<bool>& legal) {
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < legal.size(); ++i) {
        if (legal[i]) list.push_back(i);
    }
    return list;
}

TEST(Choose, BiasedChoosersAreFoundOut) {
    for (const std::size_t count : {3U, 5U, 9U, 40U, 300U}) {
        const auto fair = [](const std::vector<bool>& legal, Random& random) {
            const auto list = list_of(legal);
            return list[random.below(static_cast<std::uint32_t>(list.size()))];
        };
        EXPECT_LT(worst_of(count, fair), bound) << count;
        // The first legal one from a random place on: gaps favour what follows them.
        const auto from_a_place = [&](const std::vector<bool>& legal, Random& random) {
            std::size_t place = random.below(static_cast<std::uint32_t>(count));
            while (!legal[place]) place = (place + 1) % count;
            return place;
        };
        EXPECT_GT(worst_of(count, from_a_place), bound) << count;
        // Too few random bits, only two more than the count has.
        const auto coarse = [&](const std::vector<bool>& legal, Random& random) {
            const auto list = list_of(legal);
            const auto bits = static_cast<unsigned>(std::bit_width(count)) + 2;
            return list[(random.next() >> (64 - bits)) * list.size() >> bits];
        };
        EXPECT_GT(worst_of(count, coarse), bound) << count;
    }
}

TEST(Choose, FewCandidatesNeedFewBits) {
    EXPECT_EQ(random_bits(0), 0U);
    EXPECT_EQ(random_bits(1), 0U);
    EXPECT_EQ(random_bits(2), 1U);
    EXPECT_GE(random_bits(300), 20U + 9U);
    const Chooser none(0);
    EXPECT_EQ(none.chosen.none, always);
    const Chooser one(1);
    EXPECT_EQ(one.chosen.picked[0], one.candidates[0]);  // costs nothing
    EXPECT_EQ(one.chosen.none, !one.candidates[0]);
}

}  // namespace
}  // namespace stratagem::machine::lanes
