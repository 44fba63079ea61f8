#include "analysis/neutral_order.h"

#include <gtest/gtest.h>

#include "analysis/samples.h"
#include "gdl/print.h"
#include "gdl/scramble.h"
#include "machine/same_game.h"

namespace stratagem::analysis {
namespace {

// What is seen of random games: how many fluents hold, how many moves there are, what the goals are.
std::vector<std::size_t> seen_of(const gdl::Description& description) {
    const machine::GdlGame game(description);
    SampleLimits limits;
    limits.states = 200;
    const Samples samples(game, game.program()->fluents.size(), limits);
    EXPECT_TRUE(samples.order()->complete());
    std::vector<std::size_t> seen;
    for (const Sample& one : samples.all()) {
        seen.push_back(one.state.count());
        seen.insert(seen.end(), one.legal.begin(), one.legal.end());
        for (const std::optional<int>& goal : one.goals) seen.push_back(static_cast<std::size_t>(goal.value_or(-1)));
    }
    return seen;
}

TEST(NeutralOrder, RandomGamesAreTheSameWhateverTheNames) {
    for (const char* name :
         {"tic_tac_toe", "connect_four", "breakthrough_6x6", "peg_solitaire", "racetrack_corridor"}) {
        const gdl::Description description = machine::testing::bundled(name);
        const std::vector<std::size_t> seen = seen_of(description);
        for (const std::uint64_t seed : {3U, 4U}) {
            const gdl::Scrambled scrambled = gdl::scramble(description, seed);
            EXPECT_EQ(seen_of(machine::testing::described(scrambled.text)), seen) << name;
        }
    }
}

TEST(NeutralOrder, FingerprintsAreOfRulesAndNotOfNames) {
    const auto fingerprint = [](const gdl::Description& description) {
        const machine::GdlGame game(description);
        return NeutralOrder(*game.program()).fingerprint();
    };
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    EXPECT_EQ(fingerprint(machine::testing::described(gdl::scramble(description, 3).text)), fingerprint(description));
    EXPECT_NE(fingerprint(machine::testing::bundled("connect_four")), fingerprint(description));
    std::string other = gdl::scramble(description, 3).text;
    const std::size_t goal = other.find(" 100)");
    ASSERT_NE(goal, std::string::npos);
    other.replace(goal, 5, " 99)");
    EXPECT_NE(fingerprint(machine::testing::described(other)), fingerprint(description));
}

TEST(NeutralOrder, IsAnOrder) {
    const machine::GdlGame game(machine::testing::bundled("tic_tac_toe"));
    const NeutralOrder order(*game.program());
    std::vector<bool> taken(game.program()->moves.size(), false);
    for (std::uint32_t i = 0; i < taken.size(); ++i) {
        const std::uint32_t place = order.place(ground::Move{i});
        ASSERT_LT(place, taken.size());
        EXPECT_FALSE(taken[place]);
        taken[place] = true;
    }
    EXPECT_FALSE(NeutralOrder(*game.program(), {}, 100).complete()) << "no more work than allowed";
}

}  // namespace
}  // namespace stratagem::analysis
