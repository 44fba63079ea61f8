// Games larger than anybody would play: analysis ends soon after its time, or its allowance of work, is used up, with
// what is known by then. With STRATAGEM_FULL_TESTS=1 at full size.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>

#include "analysis/analysis.h"
#include "machine/gdl_game.h"
#include "machine/same_game.h"
#include "test_size.h"

namespace stratagem::analysis {
namespace {

std::size_t scaled(std::size_t full) { return full_tests() ? full : full / 40; }

template <typename Part>
std::string repeated(std::size_t count, const Part& part) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += part(i);
    return text;
}

const std::string begin = "(role r) (legal r go) (goal r 100)\n";

std::string many_facts() {
    const auto fact = [](std::size_t i) { return fmt::format("(init (f {}))", i); };
    return begin + repeated(scaled(300'000), fact) +
           "(<= (next (f ?x)) (true (f ?x))) (<= terminal (not (true (f 0))))";
}

// One number that counts: an order as long as the game.
std::string long_count() {
    const std::size_t size = scaled(150'000);
    const auto fact = [](std::size_t i) { return fmt::format("(succ {} {})", i, i + 1); };
    return begin + repeated(size, fact) +
           fmt::format("(init (f 0)) (<= (next (f ?y)) (true (f ?x)) (succ ?x ?y)) (<= terminal (true (f {})))", size);
}

std::string many_propositions() {
    const auto rules = [](std::size_t i) { return fmt::format("(init f{0}) (<= (next f{0}) (true f{0}))", i); };
    return begin + repeated(scaled(100'000), rules) + "(<= terminal (not (true f0)))";
}

std::string many_switches() {
    const auto fact = [](std::size_t i) { return fmt::format("(init (f {}))", i); };
    return begin + "(role s) (goal s 0) (<= (legal s (flip ?x)) (true (f ?x))) (legal s noop)" +
           repeated(scaled(150'000), fact) +
           "(<= (next (f ?x)) (true (f ?x)) (not (does s (flip ?x)))) (<= terminal (not (true (f 0))))";
}

std::vector<std::string> large_games() { return {many_facts(), long_count(), many_propositions(), many_switches()}; }

Findings analysed(const gdl::Description& description, const machine::Stop& stop) {
    const machine::GdlGame game(description);
    EXPECT_NE(game.program(), nullptr) << game.note();
    AnalysisOptions options;
    options.stop = stop;
    return std::move(*analyze(game, options));
}

// Whoever reads it may rely on every part being there, whether time sufficed for it or not.
void expect_whole(const Findings& known) {
    const std::size_t fluents = known.program()->fluents.size();
    EXPECT_GE(known.samples()->size(), 1U);
    EXPECT_EQ(known.structures().size(), known.families().size());
    EXPECT_EQ(known.argument_orders().families(), known.families().size());
    EXPECT_EQ(known.persistence().stays.size(), fluents);
    EXPECT_EQ(known.persistence().gone.size(), fluents);
    ASSERT_NE(known.graph(), nullptr);
    std::size_t members = 0;
    for (const Family& family : known.families()) members += family.members.size();
    EXPECT_EQ(members, fluents);
    for (std::size_t i = 0; i < known.structures().size(); ++i) {
        EXPECT_EQ(known.structures()[i].arguments.size(), known.families()[i].arity);
    }
}

// Of this thread, whatever else the computer does.
double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

TEST(Hostile, AnalysisEndsSoonAfterItsTime) {
    for (const std::string& rules : large_games()) {
        const gdl::Description description = machine::testing::described(rules);
        const double before = processor_seconds();
        const Findings known = analysed(description, {Deadline::after(std::chrono::seconds(1)), nullptr});
        expect_whole(known);
        // Many times the second it has, and grounding; without a stop it would be minutes.
        EXPECT_LT(processor_seconds() - before, 20) << rules.substr(0, 200);
    }
}

TEST(Hostile, AFlagEndsAnalysisAtOnce) {
    const std::atomic<bool> flag = true;
    for (const std::string& rules : large_games()) {
        const Findings known = analysed(machine::testing::described(rules), {Deadline::never(), &flag});
        expect_whole(known);
        for (const Stage& stage : known.stages()) EXPECT_FALSE(stage.complete) << stage.name;
    }
}

// The solver's allowance is a matter of work done: the same questions cost the same in every run, and what is asked
// when it is used up stays open.
TEST(Hostile, AllowancesAreSpentAlikeInEveryRun) {
    const auto left = [](std::size_t most, Answer expected) {
        Allowance allowance(most);
        Clauses clauses;
        clauses.draw_on(&allowance);
        // Six in five places.
        std::vector<std::vector<Literal>> in(5);
        for (int one = 0; one < 6; ++one) {
            std::vector<Literal> somewhere;
            for (std::vector<Literal>& place : in) {
                place.push_back(clauses.new_variable());
                somewhere.push_back(place.back());
            }
            clauses.add(somewhere);
        }
        for (const std::vector<Literal>& place : in) clauses.at_most_one(place);
        EXPECT_EQ(clauses.solve({Clauses::truth}, 1'000'000, {}), expected);
        return allowance.left();
    };
    const std::size_t enough = left(100'000'000, Answer::unsatisfiable);
    EXPECT_LT(enough, 100'000'000U);
    EXPECT_EQ(left(100'000'000, Answer::unsatisfiable), enough);
    EXPECT_EQ(left(0, Answer::unknown), 0U);
}

}  // namespace
}  // namespace stratagem::analysis
