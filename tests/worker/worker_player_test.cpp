// Players in processes of their own, and what becomes of a match when these fail.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "player/player.h"
#include "worker/memory.h"
#include "worker/stage.h"
#include "worker/worker_agent.h"

namespace stratagem::worker {
namespace {

using player::Answer;
using player::Seconds;
using player::testing::Lines;
using testing::bundled_rules;
using testing::eventually;
using ::testing::HasSubstr;
using testing::is_there;
using testing::play;
using testing::Played;
using testing::quick_settings;
using testing::text_match;
using Strings = std::vector<std::string>;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_limited = false;
#else
constexpr bool memory_is_limited = true;
#endif

TimePoint now() { return Deadline::Clock::now(); }

TEST(WorkerPlayer, PlaysAMatch) {
    Lines lines;
    WorkerPlayer player(quick_settings(lines));
    const player::Opening opening = player.start(text_match("tic_tac_toe", "x"), now());
    EXPECT_TRUE(opening.known);
    EXPECT_EQ(opening.fault, "");
    EXPECT_EQ(opening.roles, (Strings{"x", "o"}));
    EXPECT_EQ(player.play({}, now()).move, "(mark 1 1)");
    const Strings first{"(mark 1 1)", "noop"};
    EXPECT_EQ(player.fits(first, Deadline::after(Seconds(60))), true);
    EXPECT_EQ(player.fits(Strings{"noop", "noop"}, Deadline::after(Seconds(60))), false);
    const Answer noop = player.play(first, now());
    EXPECT_EQ(noop.move, "noop");
    EXPECT_EQ(noop.source, Answer::Source::only_move);
    const Answer third = player.play(Strings{"noop", "(mark 3 3)"}, now());
    EXPECT_EQ(third.move, "(mark 1 2)");
    EXPECT_EQ(third.source, Answer::Source::search);
    EXPECT_TRUE(eventually([&] { return lines.contain("turn 3: (mark 1 2)"); })) << lines.all();
    EXPECT_EQ(player.failures(), 0U) << lines.all();
}

TEST(WorkerPlayer, ThinksAsItWouldInThisProcess) {
    for (const char* recipe : {"uct", "alphabeta", "flux"}) {
        Lines lines;
        WorkerSettings settings = quick_settings(lines, recipe);
        settings.player.nodes = 2000;
        WorkerPlayer there(settings);
        player::LocalTextPlayer here(player::Recipe(settings.recipe), settings.player);
        // A clock that nobody could keep decides nothing where nodes are counted.
        there.start(text_match("connect_four", "red", Seconds(0.001)), now());
        here.start(text_match("connect_four", "red", Seconds(0.001)), now());
        for (const Strings& last : {Strings{}, Strings{"(drop 4)", "noop"}, Strings{"noop", "(drop 4)"}}) {
            const Answer a = there.play(last, now());
            const Answer b = here.play(last, now());
            EXPECT_EQ(a.move, b.move) << recipe << "\n" << lines.all();
            EXPECT_EQ(a.source, b.source);
            EXPECT_EQ(a.choice.value, b.choice.value);
            EXPECT_EQ(a.choice.proved, b.choice.proved);
            EXPECT_EQ(a.choice.depth, b.choice.depth);
            EXPECT_EQ(a.choice.nodes, b.choice.nodes);
            EXPECT_EQ(a.choice.playouts, b.choice.playouts);
        }
        EXPECT_EQ(there.failures(), 0U) << lines.all();
    }
}

TEST(WorkerPlayer, SaysWhyRulesCannotBePlayed) {
    Lines lines;
    player::TextMatch match = text_match("tic_tac_toe", "z");
    WorkerPlayer stranger(quick_settings(lines));
    EXPECT_THAT(stranger.start(match, now()).fault, HasSubstr("no role z"));
    match.rules = "(role a) (<= (p ?x) (not (q ?x)))";
    WorkerPlayer unsafe(quick_settings(lines));
    EXPECT_THAT(unsafe.start(match, now()).fault, HasSubstr("these rules are not valid: line 1, column"));
    EXPECT_EQ(unsafe.play({}, now()).source, Answer::Source::nothing);
}

// What a signal does to the process at this place, in the middle of a match.
class Struck : public ::testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Struck, ALegalMoveComesAllTheSame) {
    const auto [place, signal] = GetParam();
    Lines lines;
    WorkerSettings settings = quick_settings(lines);
    settings.patience = Seconds(1);
    WorkerPlayer player(settings);
    ASSERT_EQ(player.start(text_match("tic_tac_toe", "x"), now()).fault, "");
    EXPECT_EQ(player.play({}, now()).move, "(mark 1 1)");
    EXPECT_EQ(player.play(Strings{"(mark 1 1)", "noop"}, now()).move, "noop");
    const pid_t victim = player.processes().at(static_cast<std::size_t>(place));
    ASSERT_TRUE(is_there(victim));
    ::kill(victim, signal);
    const Answer answer = player.play(Strings{"noop", "(mark 3 3)"}, now());
    EXPECT_THAT(player::testing::legal_after(machine::testing::bundled("tic_tac_toe"),
                                             {{"(mark 1 1)", "noop"}, {"noop", "(mark 3 3)"}}, machine::Role{0}),
                ::testing::Contains(answer.move));
    EXPECT_TRUE(eventually([&] { return player.failures() > 0 && !is_there(victim); })) << lines.all();
    EXPECT_TRUE(eventually([&] {
        const pid_t heir = player.processes().at(static_cast<std::size_t>(place));
        return heir != victim && is_there(heir);
    }));
    EXPECT_TRUE(lines.contain(place == 0 ? "the thinker (process " : "the second (process ")) << lines.all();
    const std::string repeat = fmt::format(
        "To repeat: recipe legal, seed 1, role x, clocks 120 120, rules {:016x} ({} bytes), moves ((mark 1 1) noop)",
        rules_number(bundled_rules("tic_tac_toe")), bundled_rules("tic_tac_toe").size());
    EXPECT_TRUE(lines.contain(repeat)) << lines.all();
    if (signal != SIGSTOP) {
        EXPECT_TRUE(lines.contain(fmt::format("signal {} (", signal))) << lines.all();
    }
    // Whoever is new knows the match so far.
    const Answer later = player.play(Strings{"(mark 1 2)", "noop"}, now());
    EXPECT_EQ(later.move, "noop") << lines.all();
}

INSTANTIATE_TEST_SUITE_P(WorkerPlayer, Struck,
                         ::testing::Combine(::testing::Values(0, 1), ::testing::Values(SIGKILL, SIGSEGV, SIGSTOP)),
                         [](const auto& one) {
                             const int signal = std::get<1>(one.param);
                             return std::string(std::get<0>(one.param) == 0 ? "Thinker" : "Second") +
                                    (signal == SIGKILL   ? "Killed"
                                     : signal == SIGSEGV ? "Crashed"
                                                         : "Stopped");
                         });

TEST(WorkerPlayer, AnswersByTheSecondWhenEveryThinkerFails) {
    Lines lines;
    WorkerSettings settings = quick_settings(lines, "nonsense");  // which no process can play
    settings.player.search.seed = 5;
    WorkerPlayer player(settings);
    const Played played = play(player, "tic_tac_toe", Seconds(120), 1);
    EXPECT_TRUE(played.complete) << played.problem << "\n" << lines.all();
    EXPECT_EQ(played.by_chance, played.turns);
    EXPECT_TRUE(lines.contain("there is no recipe 'nonsense'")) << "what it wrote before it ended\n" << lines.all();
    EXPECT_TRUE(lines.contain("there will be none until the next turn")) << lines.all();
}

TEST(WorkerPlayer, IsSilentWhereThereIsNoProgram) {
    Lines lines;
    WorkerSettings settings = quick_settings(lines);
    settings.program = "/nowhere/to/be/found";
    WorkerPlayer player(settings);
    player::TextMatch match = text_match("tic_tac_toe", "x", Seconds(0.2));
    EXPECT_FALSE(player.start(match, now()).known);
    EXPECT_EQ(player.play({}, now()).source, Answer::Source::nothing);
    EXPECT_TRUE(lines.contain("no process for the thinker")) << lines.all();
}

TEST(WorkerPlayer, LeavesNothingBehind) {
    Lines lines;
    std::vector<pid_t> processes;
    {
        WorkerPlayer player(quick_settings(lines, "uct:ponder=on"));
        player.start(text_match("connect_four", "red", Seconds(1)), now());
        processes = player.processes();
        EXPECT_TRUE(is_there(processes.at(0)));
        EXPECT_TRUE(is_there(processes.at(1)));
    }
    for (const pid_t pid : processes) EXPECT_FALSE(is_there(pid));
}

TEST(WorkerPlayer, ReturnsAtOnceWhenItIsAborted) {
    Lines lines;
    WorkerPlayer player(quick_settings(lines, "uct"));
    // Nobody waits for an hour here: the test would run out of time.
    std::thread manager([&] {
        player.start(text_match("connect_four", "red", Seconds(3600)), now());
        player.play({}, now());
    });
    EXPECT_TRUE(eventually([&] { return is_there(player.processes().at(0)); }));
    player.abort();
    manager.join();
    player.stop();
    EXPECT_EQ(player.processes(), (std::vector<pid_t>{0, 0}));
}

TEST(WorkerPlayer, IsReadyInTimeWhateverTheRules) {
    // Reading takes longer than there is.
    std::string rules = "(role a) (legal a wait) (goal a 0) (init s) ";
    for (int i = 0; i < 50'000; ++i) rules += fmt::format("(p {} {})", i, i + 1);
    Lines lines;
    WorkerPlayer player(quick_settings(lines));
    player::TextMatch match = text_match("tic_tac_toe", "a");
    match.rules = rules;
    match.clocks = {Seconds(0.02), Seconds(300)};
    const player::Opening opening = player.start(match, now());
    EXPECT_EQ(opening.fault, "");
    EXPECT_FALSE(opening.known);
    EXPECT_EQ(player.play({}, now()).move, "wait") << lines.all();
    EXPECT_TRUE(player.opening().known);
    EXPECT_EQ(player.failures(), 0U) << lines.all();
}

TEST(WorkerPlayer, KeepsToItsMemory) {
    if (!memory_is_limited) GTEST_SKIP() << "sanitizers need more than any limit";
    // Grounding these rules would take gigabytes: thousands of positions, from each of which all others are reached.
    const std::string rules =
        "(role a) (init (at 0 0 0)) (n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) (n 10) (n 11) (n 12) "
        "(n 13) (n 14) (n 15) (n 16) (n 17) (n 18) (n 19) "
        "(<= (legal a (go ?x ?y ?z)) (n ?x) (n ?y) (n ?z)) "
        "(<= (next (at ?x ?y ?z)) (does a (go ?x ?y ?z))) "
        "(<= (next (been ?a ?b ?c ?x ?y ?z)) (true (at ?a ?b ?c)) (does a (go ?x ?y ?z))) "
        "(<= terminal (true (at 5 5 5))) (goal a 0)";
    Lines lines;
    WorkerSettings settings = quick_settings(lines);
    share_memory(settings, 512);
    EXPECT_EQ(settings.thinker_megabytes + settings.second_megabytes, 512U);
    WorkerPlayer player(settings);
    player::TextMatch match = text_match("tic_tac_toe", "a", Seconds(10));
    match.rules = rules;
    match.clocks.start = Seconds(3);
    EXPECT_EQ(player.start(match, now()).fault, "");
    double megabytes = 0;
    const auto measure = [&] {
        for (const pid_t pid : player.processes()) {
            std::ifstream status("/proc/" + std::to_string(pid) + "/status");
            for (std::string line; std::getline(status, line);) {
                if (line.starts_with("VmHWM:")) megabytes = std::max(megabytes, std::stod(line.substr(6)) / 1024);
            }
        }
    };
    measure();
    const Answer answer = player.play({}, now());
    measure();
    EXPECT_LT(megabytes, 600);
    EXPECT_NE(answer.source, Answer::Source::nothing) << lines.all();
}

TEST(WorkerAgent, TellsOfAFailureAndGoesOn) {
    Lines lines;
    WorkerAgent agent("somebody", quick_settings(lines));
    const auto game = player::testing::shared(machine::testing::bundled("tic_tac_toe"));
    agent.prepare(*game);
    const pid_t prepared = agent.player().processes().at(0);
    EXPECT_TRUE(is_there(prepared));
    ASSERT_EQ(agent.start({"m1", game, machine::Role{0}, {Seconds(120), Seconds(120)}}).kind,
              player::Reply::Kind::move);
    EXPECT_EQ(agent.play({}).move, "(mark 1 1)");
    const pid_t thinker = agent.player().processes().at(0);
    EXPECT_EQ(thinker, prepared);
    EXPECT_EQ(agent.player().processes().at(1), 0) << "no second where the referee has legal moves";
    ::kill(thinker, SIGSEGV);
    const player::Reply failed = agent.play(Strings{"(mark 1 1)", "noop"});
    EXPECT_EQ(failed.kind, player::Reply::Kind::unreachable);
    EXPECT_THAT(failed.problem, HasSubstr("the thinker failed: signal 11"));
    const player::Reply next = agent.play(Strings{"noop", "(mark 2 2)"});
    EXPECT_EQ(next.kind, player::Reply::Kind::move) << next.problem;
    EXPECT_EQ(next.move, "(mark 1 2)");
    EXPECT_TRUE(next.thought_known);
    agent.stop({});
}

}  // namespace
}  // namespace stratagem::worker
