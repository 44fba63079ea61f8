// Players in processes of their own, and what becomes of a match when these fail.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <atomic>
#include <fstream>

#include "player/player.h"
#include "util/memory_limit.h"
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
    const int place = std::get<0>(GetParam());
    const int signal = std::get<1>(GetParam());
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
    EXPECT_THAT(player::testing::legal_after(*player::testing::shared(machine::testing::bundled("tic_tac_toe")),
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
    const auto moves_by_seed = [](std::uint64_t seed) {
        Lines lines;
        WorkerSettings settings = quick_settings(lines, "nonsense");  // which no process can play
        settings.player.search.seed = seed;
        WorkerPlayer player(settings);
        Played played = play(player, "tic_tac_toe", Seconds(120), 1);
        EXPECT_TRUE(played.complete) << played.problem << "\n" << lines.all();
        EXPECT_EQ(played.by_chance, played.turns);
        EXPECT_TRUE(lines.contain("there is no recipe 'nonsense'")) << "what it wrote before it ended\n" << lines.all();
        EXPECT_TRUE(lines.contain("there will be none until the next turn")) << lines.all();
        return played.moves;
    };
    const Strings moves = moves_by_seed(5);
    EXPECT_EQ(moves_by_seed(5), moves);
    EXPECT_NE(moves_by_seed(6), moves) << "chance has the seed it was given";
}

// Lets the processes of some recipes crash, as long as it lives (main.cpp).
class Crashing {
  public:
    explicit Crashing(const char* recipes) { ::setenv(variable, recipes, 1); }
    ~Crashing() { ::unsetenv(variable); }
    Crashing(const Crashing&) = delete;
    Crashing& operator=(const Crashing&) = delete;

  private:
    static constexpr const char* variable = "STRATAGEM_CRASHING_RECIPES";
};

TEST(WorkerPlayer, ThinksSimplerWhenARecipeCrashesAgainAndAgain) {
    const Crashing crashing("nex flux");
    Lines lines;
    WorkerSettings settings = quick_settings(lines, "nex");
    settings.fallback_recipes = {"flux", "legal"};
    WorkerPlayer player(settings);
    const Played played = play(player, "tic_tac_toe", Seconds(120), 1);
    EXPECT_TRUE(played.complete) << played.problem << "\n" << lines.all();
    // Of the start and the first turn, each has three thinkers: two of nex, two of flux, and from then on one of legal.
    EXPECT_EQ(player.failures(), 4U) << lines.all();
    EXPECT_EQ(played.by_chance, 0U) << lines.all();
    EXPECT_TRUE(lines.contain("recipe nex has failed 2 times in a row: from now on the thinker plays flux"))
        << lines.all();
    EXPECT_TRUE(lines.contain("recipe flux has failed 2 times in a row: from now on the thinker plays legal"))
        << lines.all();
    EXPECT_TRUE(lines.contain("To repeat: recipe flux")) << "what has failed, not what comes after it\n" << lines.all();
}

TEST(WorkerPlayer, HasLegalMovesWhenEverythingSimplerCrashesToo) {
    const Crashing crashing("nex legal");
    Lines lines;
    WorkerSettings settings = quick_settings(lines, "nex");
    settings.fallback_recipes = {"legal"};
    WorkerPlayer player(settings);
    const Played played = play(player, "tic_tac_toe", Seconds(120), 1);
    EXPECT_TRUE(played.complete) << played.problem << "\n" << lines.all();
    EXPECT_EQ(played.by_chance, played.turns);
}

TEST(WorkerPlayer, KeepsARecipeThatFindsMovesBetweenFailures) {
    Lines lines;
    WorkerSettings settings = quick_settings(lines);
    settings.fallback_recipes = {"random"};
    WorkerPlayer player(settings);
    player.start(text_match("rock_paper_scissors", "left"), now());
    Strings last;
    for (std::size_t turn = 1; turn <= 3; ++turn) {
        const Answer answer = player.play(last, now());
        ASSERT_EQ(answer.source, Answer::Source::search) << lines.all();
        last = {answer.move, answer.move};
        ::kill(player.processes().at(0), SIGKILL);
        ASSERT_TRUE(eventually([&] { return player.failures() == turn; })) << lines.all();
    }
    EXPECT_FALSE(lines.contain("from now on")) << lines.all();
}

TEST(WorkerPlayer, BeginsWhereItIsTold) {
    const Strings nearly_full{"(cell 1 1 x)", "(cell 1 2 o)", "(cell 1 3 x)",     "(cell 2 1 x)", "(cell 2 2 o)",
                              "(cell 2 3 x)", "(cell 3 1 o)", "(cell 3 2 blank)", "(cell 3 3 o)", "(control x)"};
    // The thinker, and where there is none the second.
    for (const char* recipe : {"legal", "nonsense"}) {
        Lines lines;
        WorkerPlayer player(quick_settings(lines, recipe));
        player::TextMatch match = text_match("tic_tac_toe", "x");
        match.state = nearly_full;
        ASSERT_EQ(player.start(match, now()).fault, "");
        EXPECT_EQ(player.play({}, now()).move, "(mark 3 2)") << recipe << "\n" << lines.all();
    }
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
    constexpr Seconds clock{400};
    player.start(text_match("connect_four", "red", clock), now());
    ASSERT_TRUE(is_there(player.processes().at(0)));
    std::atomic<bool> asked{false};
    std::thread manager([&] {
        asked = true;
        player.play({}, now());
    });
    EXPECT_TRUE(eventually([&] { return asked.load(); }));
    const TimePoint aborted = now();
    player.abort();
    manager.join();
    EXPECT_LT(player::testing::seconds_since(aborted), clock.count() / 2) << "not by the clock";
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
    if (!can_limit_memory()) GTEST_SKIP() << "sanitizers need more than any limit";
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
    // The system holds each of them to its part.
    for (std::size_t place : {0U, 1U}) {
        const std::size_t share = place == 0 ? settings.thinker_megabytes : settings.second_megabytes;
        rlimit limit{};
        ASSERT_EQ(::prlimit(player.processes().at(place), RLIMIT_DATA, nullptr, &limit), 0);
        EXPECT_EQ(limit.rlim_cur, share << 20);
        ASSERT_EQ(::prlimit(player.processes().at(place), RLIMIT_CORE, nullptr, &limit), 0);
        EXPECT_EQ(limit.rlim_cur, 0U);
    }
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
