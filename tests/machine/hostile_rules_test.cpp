// Rules that nobody would write, run by the interpreter: whatever it is doing, a deadline or a flag ends it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <pthread.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "gdl/read.h"
#include "machine/gdl_game.h"
#include "machine/interpreter/interpreter.h"
#include "machine/interpreter_machine.h"
#include "machine/tools/perft.h"
#include "test_size.h"

namespace stratagem::machine {
namespace {

using ::testing::HasSubstr;

std::size_t scaled(std::size_t full) { return full_tests() ? full : full / 40; }

const std::string frame =
    "(role r) (init go) (legal r noop) (<= (next go) (true go)) (<= terminal (true over)) (goal r 100)\n";

gdl::Description described(const std::string& text) {
    gdl::ReadResult result = gdl::read("hostile.kif", text, gdl::Notation::kif);
    EXPECT_TRUE(result.ok());
    return std::move(result.description);
}

// Sets a flag, as somebody who presses Ctrl-C, when the thread that made this has worked for a while since: by its own
// processor time, so that on a busy computer too the question is under way by then.
class Interrupter {
  public:
    Interrupter() {
        EXPECT_EQ(pthread_getcpuclockid(pthread_self(), &clock_), 0);
        thread_ = std::jthread([this, begin = worked()](const std::stop_token& done) {
            constexpr std::chrono::milliseconds a_while(20), look(1);
            while (!done.stop_requested() && worked() - begin < a_while) std::this_thread::sleep_for(look);
            flag_ = true;
        });
    }
    const std::atomic<bool>* flag() const { return &flag_; }

  private:
    std::chrono::nanoseconds worked() const {
        timespec time{};
        clock_gettime(clock_, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    }

    clockid_t clock_{};
    std::atomic<bool> flag_ = false;
    std::jthread thread_;
};

// What asking for the moves of the initial state ends with. It would take for ever.
std::string end_of_question(const std::string& rules) {
    const gdl::Description description = described(frame + rules);
    Interpreter interpreter(description);
    const Interrupter interrupter;
    Limits limits;
    limits.max_facts = 1'000'000'000;
    limits.deadline = Deadline::never().or_when(interrupter.flag());
    interpreter.set_limits(limits);
    try {
        interpreter.legal(interpreter.roles().front());
    } catch (const LimitExceeded& limit) {
        return limit.what();
    }
    return "answered";
}

std::string numbers(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += fmt::format("(d {}) ", i);
    return text;
}

TEST(HostileRules, AQuestionWithoutEndIsInterruptedInEveryLoop) {
    // Scanning facts, for all combinations.
    EXPECT_THAT(end_of_question(numbers(100) + "(<= (never ?a ?b ?c ?d ?e ?f ?g) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) "
                                               "(d ?f) (d ?g)) (<= (legal r (m ?a)) (never ?a ?b ?c ?d ?e ?f ?g) "
                                               "(never ?b ?c ?d ?e ?f ?g ?a) (not (d ?a)))"),
                HasSubstr("interrupted"));
    // Recursion: callers that wait for ever more answers.
    EXPECT_THAT(end_of_question(numbers(100) + "(p 0 0 0 0 0) (<= (p ?b ?c ?d ?e ?n) (p ?a ?b ?c ?d ?e) (d ?n)) "
                                               "(<= (legal r (m ?a ?b ?c ?d ?e)) (p ?a ?b ?c ?d ?e))"),
                HasSubstr("interrupted"));
}

TEST(HostileRules, OneQuestionHasATimeOfItsOwn) {
    const gdl::Description description =
        described(frame + numbers(100) + "(p 0 0 0 0 0) (<= (p ?b ?c ?d ?e ?n) (p ?a ?b ?c ?d ?e) (d ?n)) " +
                  "(<= (legal r (m ?a ?b ?c ?d ?e)) (p ?a ?b ?c ?d ?e))");
    Interpreter interpreter(description);
    Limits limits;
    limits.max_facts = 1'000'000'000;
    limits.question_seconds = 0.02;
    interpreter.set_limits(limits);
    EXPECT_THROW(interpreter.legal(interpreter.roles().front()), LimitExceeded);
    interpreter.set_limits({});
    EXPECT_FALSE(interpreter.terminal()) << "usable afterwards";
}

TEST(HostileRules, WhatCountsStatesStopsInTheMiddleOfAQuestion) {
    const gdl::Description description =
        described(frame + numbers(100) + "(p 0 0 0 0 0) (<= (p ?b ?c ?d ?e ?n) (p ?a ?b ?c ?d ?e) (d ?n)) " +
                  "(<= (legal r (m ?a ?b ?c ?d ?e)) (p ?a ?b ?c ?d ?e))");
    InterpreterMachine machine(description);
    const Interrupter interrupter;
    PerftOptions options;
    options.max_depth = 3;
    options.stop.flag = interrupter.flag();
    EXPECT_EQ(perft(machine, options, [](const PerftLevel&) {}), PerftEnd::stopped);
}

TEST(HostileRules, BodiesOfManyConditions) {
    const std::size_t size = scaled(800'000);
    std::string ground = "(<= (legal r long)";
    std::string differing = "(<= (legal r (m ?x)) (d ?x)";
    for (std::size_t i = 0; i < size; ++i) {
        ground += " (true go)";
        differing += fmt::format(" (distinct ?x {})", i + 5);
    }
    const gdl::Description description = described(frame + numbers(3) + ground + ") " + differing + ")");
    Interpreter interpreter(description);
    EXPECT_EQ(interpreter.legal(interpreter.roles().front()).size(), 5U);
}

// Ordering these takes the square of their number: it is interrupted all the same.
TEST(HostileRules, BodiesOfManyVariables) {
    std::string rule = "(<= (legal r many)";
    for (std::size_t i = 0; i < 300'000; ++i) rule += fmt::format(" (d ?x{})", i);
    EXPECT_THAT(end_of_question(numbers(2) + rule + ")"), HasSubstr("interrupted"));
}

TEST(HostileRules, ChainsOfRules) {
    const std::size_t size = scaled(300'000);
    std::string rules = "(<= p0 (true go)) ";
    for (std::size_t i = 0; i < size; ++i) rules += fmt::format("(<= p{} p{}) ", i + 1, i);
    const gdl::Description description = described(frame + rules + fmt::format("(<= (legal r last) p{})", size));
    Interpreter interpreter(description);
    EXPECT_EQ(interpreter.legal(interpreter.roles().front()).size(), 2U);
}

std::string propositions(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("(init f{0}) (<= (next f{0}) (true f{0})) ", i);
    return text;
}

TEST(HostileRules, ManyNamesOfFluentsMakeACircuit) {
    const gdl::Description description = described(frame + propositions(scaled(100'000)));
    MachineOptions options;
    options.build_limit_seconds = 600;
    const GdlGame game(description, options);
    EXPECT_EQ(game.kind(), MachineKind::circuit) << game.note();
}

// An atom with very many alternatives, and one with a very long body.
TEST(HostileRules, LargeRulesMakeACircuit) {
    const std::size_t size = scaled(200'000);
    std::string rules = "(<= done";
    for (std::size_t i = 0; i < size; ++i) rules += fmt::format(" (true f{})", i);
    rules += ") (<= (next over) done) ";
    for (std::size_t i = 0; i < size; ++i) rules += fmt::format("(<= some (true f{}) (true f{})) ", i, size - 1 - i);
    const gdl::Description description = described(frame + propositions(size) + rules + "(<= (legal r more) some)");
    MachineOptions options;
    options.build_limit_seconds = 600;
    const GdlGame game(description, options);
    EXPECT_EQ(game.kind(), MachineKind::circuit) << game.note();
}

TEST(HostileRules, AFlagEndsBuilding) {
    const gdl::Description description = described(frame + propositions(20'000));
    const std::atomic<bool> flag = true;
    MachineOptions options;
    options.build_limit_seconds = 600;
    options.interrupt = &flag;
    const GdlGame game(description, options);
    EXPECT_EQ(game.kind(), MachineKind::interpreter);
    EXPECT_THAT(game.note(), HasSubstr("interrupted"));
    EXPECT_TRUE(game.limit_hit());
}

TEST(HostileRules, AFlagEndsCompilingForLanesAndALaterCallBeginsAnew) {
    const GdlGame game(described(frame + "(<= (legal r other) (true go))"));
    ASSERT_EQ(game.kind(), MachineKind::circuit) << game.note();
    const std::atomic<bool> flag = true;
    EXPECT_EQ(game.compiled()->lane_game(false, &flag), nullptr);
    EXPECT_NE(game.compiled()->lane_game(), nullptr) << game.compiled()->lanes_note();
}

}  // namespace
}  // namespace stratagem::machine
