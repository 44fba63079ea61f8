// The player with searches of every kind of bad manners: the answer must be legal and in time whatever they do. Clocks
// are generous and what misbehaves does so for ever, so that no test hangs on how busy the computer is.
#include "player/player.h"

#include <gmock/gmock.h>

#include <chrono>
#include <future>
#include <thread>

#include "player/fake_search.h"

namespace stratagem::player {
namespace {

using machine::testing::bundled;
using machine::testing::described;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::fake;
using testing::Latch;
using testing::Lines;
using testing::nth_legal;
using testing::shared;
using Source = Answer::Source;

constexpr machine::Role first{0};
constexpr machine::Role second{1};
const std::vector<std::string> nothing;

PlayerSettings quiet() {
    PlayerSettings settings;
    settings.ponder = false;
    settings.grace = std::chrono::milliseconds(20);
    settings.search.table_megabytes = 1;
    return settings;
}

// Enough for grounding the games used here even under sanitizers.
const Clocks roomy{Seconds(30), Seconds(30)};
// Start as above, moves in a hurry.
const Clocks hasty{Seconds(30), Seconds(0.25)};

// Whether it ends without being freed from what it waits for. The minutes are waited for by a test that fails, no
// other.
template <typename Work, typename Free>
bool ends_by_itself(Work&& work, Free&& free) {
    std::future<void> done = std::async(std::launch::async, std::forward<Work>(work));
    const bool ended = done.wait_for(std::chrono::minutes(2)) == std::future_status::ready;
    if (!ended) free();
    done.get();
    return ended;
}

TEST(Player, AnswersWhatTheSearchChooses) {
    const auto game = shared(bundled("tic_tac_toe"));
    Lines lines;
    PlayerSettings settings = quiet();
    settings.log = lines.log();
    Player player(fake("third",
                       [](auto& machine, const auto& state, auto role, const auto& budget, const auto&) {
                           EXPECT_FALSE(budget.pondering);
                           EXPECT_FALSE(budget.stop.deadline.is_never());
                           return nth_legal(machine, state, role, 2);
                       }),
                  settings);
    ASSERT_TRUE(player.start(game, first, roomy));
    const Answer answer = player.play(nothing);
    EXPECT_EQ(answer.source, Source::search);
    EXPECT_THAT(testing::legal_after(*game, {}, first), Contains(answer.move));
    const Answer other = player.play(std::vector<std::string>{answer.move, "noop"});
    EXPECT_EQ(other.source, Source::only_move);
    EXPECT_EQ(other.move, "noop");
    EXPECT_TRUE(lines.contain("circuit built")) << lines.all();
    EXPECT_TRUE(lines.contain("search: third")) << lines.all();
    EXPECT_TRUE(lines.contain("turn 1: " + answer.move)) << lines.all();
    EXPECT_TRUE(lines.contain("turn 2: noop (only move)")) << lines.all();
}

TEST(Player, PlaysOnAfterASearchThatThrows) {
    const auto game = shared(bundled("tic_tac_toe"));
    Lines lines;
    PlayerSettings settings = quiet();
    settings.log = lines.log();
    int calls = 0;
    Player player(fake("bomb",
                       [&calls](auto& machine, const auto& state, auto role, const auto&, const auto&) {
                           if (++calls == 1) throw std::runtime_error("boom");
                           return nth_legal(machine, state, role, 0);
                       }),
                  settings);
    ASSERT_TRUE(player.start(game, first, roomy));
    const Answer answer = player.play(nothing);
    EXPECT_EQ(answer.source, Source::fallback);
    EXPECT_THAT(testing::legal_after(*game, {}, first), Contains(answer.move));
    EXPECT_TRUE(lines.contain("boom")) << lines.all();
    player.play(std::vector<std::string>{answer.move, "noop"});
    const std::string reply = answer.move == "(mark 1 1)" ? "(mark 3 3)" : "(mark 1 1)";
    EXPECT_EQ(player.play(std::vector<std::string>{"noop", reply}).source, Source::search);
}

TEST(Player, ThrowingAfterAReportKeepsTheReport) {
    const auto game = shared(bundled("tic_tac_toe"));
    Player player(fake("late bomb",
                       [](auto& machine, const auto& state, auto role, const auto&, const auto& report) {
                           report(nth_legal(machine, state, role, 4));
                           throw 17;  // not even an exception of the library
                           return search::Choice{};
                       }),
                  quiet());
    ASSERT_TRUE(player.start(game, first, roomy));
    const Answer answer = player.play(nothing);
    EXPECT_EQ(answer.source, Source::report);
    EXPECT_THAT(testing::legal_after(*game, {}, first), Contains(answer.move));
}

TEST(Player, ReplacesAMoveThatIsNotLegal) {
    const auto game = shared(bundled("tic_tac_toe"));
    Lines lines;
    PlayerSettings settings = quiet();
    settings.log = lines.log();
    Player player(fake("cheat",
                       [](auto&, const auto&, auto, const auto&, const auto&) {
                           search::Choice choice;
                           choice.move = machine::Move{4711};
                           return choice;
                       }),
                  settings);
    ASSERT_TRUE(player.start(game, first, roomy));
    const Answer answer = player.play(nothing);
    EXPECT_EQ(answer.source, Source::fallback);
    EXPECT_THAT(testing::legal_after(*game, {}, first), Contains(answer.move));
    EXPECT_TRUE(lines.contain("not legal")) << lines.all();
}

// The search reports a move and then never comes back, whatever it is told. Three turns in a row.
TEST(Player, DoesNotWaitForASearchThatIgnoresItsDeadline) {
    const auto game = shared(bundled("tic_tac_toe"));
    const auto latch = std::make_shared<Latch>();
    Player player(fake("deaf",
                       [latch](auto& machine, const auto& state, auto role, const auto&, const auto& report) {
                           report(nth_legal(machine, state, role, 1));
                           latch->pass();
                           return nth_legal(machine, state, role, 0);
                       }),
                  quiet());
    ASSERT_TRUE(player.start(game, first, hasty));
    const auto open = [&] { latch->open(); };
    Answer answer;
    ASSERT_TRUE(ends_by_itself([&] { answer = player.play(nothing); }, open));
    EXPECT_EQ(answer.source, Source::report);
    EXPECT_EQ(answer.move, testing::legal_after(*game, {}, first).at(1));
    player.play(std::vector<std::string>{answer.move, "noop"});
    const std::string reply = answer.move == "(mark 1 1)" ? "(mark 3 3)" : "(mark 1 1)";
    // It is still busy with the first turn, so there is nothing better than any legal move.
    Answer again;
    ASSERT_TRUE(ends_by_itself([&] { again = player.play(std::vector<std::string>{"noop", reply}); }, open));
    EXPECT_EQ(again.source, Source::fallback);
    EXPECT_THAT(testing::legal_after(*game, {{answer.move, "noop"}, {"noop", reply}}, first), Contains(again.move));
    EXPECT_TRUE(ends_by_itself([&] { player.stop(); }, open)) << "it leaves the thread behind";
    latch->open();
}

// The search of a large game is not there when the match begins: another plays meanwhile, then it takes over.
TEST(Player, AnInterimSearchPlaysUntilTheMainOneIsThere) {
    const auto game = shared(bundled("tic_tac_toe"));
    const auto latch = std::make_shared<Latch>();
    const auto made = std::make_shared<std::atomic<int>>(0);
    Lines lines;
    PlayerSettings settings = quiet();
    settings.log = lines.log();
    Player player(Recipe("slow to make",
                         [latch, made](const search::Problem& prepared, const search::SearchSettings&) {
                             const bool main = made->fetch_add(1) == 0;
                             if (main) latch->pass();
                             return std::make_unique<testing::FakeSearch>(
                                 prepared,
                                 [main](auto& machine, const auto& state, auto role, const auto&, const auto&) {
                                     search::Choice choice = nth_legal(machine, state, role, 100);
                                     choice.note = main ? "by main" : "by interim";
                                     return choice;
                                 });
                         }),
                  settings);
    ASSERT_TRUE(player.start(game, first, {Seconds(1), Seconds(2)}));
    const Answer answer = player.play(nothing);
    EXPECT_THAT(testing::legal_after(*game, {}, first), Contains(answer.move));
    EXPECT_EQ(answer.choice.note, "by interim") << lines.all();
    latch->open();
    std::vector<std::vector<std::string>> history{{answer.move, "noop"}};
    EXPECT_EQ(player.play(history.back()).move, "noop");
    history.push_back({"noop", testing::legal_after(*game, history, second).front()});
    // The latch is open, so the main search is there within half a turn.
    const Answer next = player.play(history.back());
    EXPECT_THAT(testing::legal_after(*game, history, first), Contains(next.move));
    EXPECT_EQ(next.choice.note, "by main") << lines.all();
}

// The circuit is there between the moment in which legal moves are looked up and the one in which one of them is named;
// it numbers moves in another way. When that is depends on the machine, so it is tried again and again.
TEST(Player, NamesLegalMovesWheneverTheCircuitComes) {
    const auto game = shared(bundled("three_player_tic_tac_toe"));
    const std::vector<std::string> legal = testing::legal_after(*game, {}, first);
    for (int i = 0; i < 60; ++i) {
        Lines lines;
        PlayerSettings settings = quiet();
        settings.log = lines.log();
        Player player(fake("last", [](auto& machine, const auto& state, auto role, const auto&,
                                      const auto&) { return nth_legal(machine, state, role, 100); }),
                      settings);
        ASSERT_TRUE(player.start(game, first, {Seconds(0), Seconds(2)}));
        std::this_thread::sleep_for(std::chrono::microseconds(500 * i));
        EXPECT_THAT(legal, Contains(player.play(nothing).move)) << lines.all();
        EXPECT_FALSE(lines.contain("not legal")) << lines.all();
    }
}

// Nothing but the interpreter: as for rules that cannot be grounded.
TEST(Player, PlaysWithTheInterpreterAlone) {
    const auto game = shared(bundled("tic_tac_toe"));
    PlayerSettings settings = quiet();
    settings.machine.kind = machine::MachineKind::interpreter;
    const std::vector<std::string> replies{"(mark 1 1)", "(mark 3 3)"};
    Player player(fake("second", [](auto& machine, const auto& state, auto role, const auto&,
                                    const auto&) { return nth_legal(machine, state, role, 1); }),
                  settings);
    ASSERT_TRUE(player.start(game, first, roomy));
    std::vector<std::vector<std::string>> history;
    Answer answer = player.play(nothing);
    for (int turn = 0; turn < 2; ++turn) {
        EXPECT_EQ(answer.source, Source::search);
        EXPECT_THAT(testing::legal_after(*game, history, first), Contains(answer.move));
        history.push_back({answer.move, "noop"});
        EXPECT_EQ(player.play(history.back()).move, "noop");
        history.push_back({"noop", testing::legal_after(*game, history, second).front()});
        answer = player.play(history.back());
    }
}

TEST(Player, WatchesMovesOfOthers) {
    const auto game = shared(bundled("tic_tac_toe"));
    Lines lines;
    PlayerSettings settings = quiet();
    settings.log = lines.log();
    int searches = 0;
    Player player(fake("first",
                       [&](auto& machine, const auto& state, auto role, const auto&, const auto&) {
                           ++searches;
                           return nth_legal(machine, state, role, 0);
                       }),
                  settings);
    ASSERT_TRUE(player.start(game, first, roomy));
    const std::vector<std::vector<std::string>> history{{"(mark 1 1)", "noop"}, {"noop", "(mark 2 2)"}};
    player.watch(nothing);
    player.watch(history[0]);
    EXPECT_EQ(searches, 0);
    const Answer answer = player.play(history[1]);
    EXPECT_EQ(searches, 1);
    EXPECT_THAT(testing::legal_after(*game, history, first), Contains(answer.move));
    EXPECT_FALSE(lines.contain("was not taken")) << lines.all();
}

// A long opening would use up the clock of the first move otherwise.
TEST(Player, FollowsWhatItWatchesAtOnce) {
    const auto game = shared(bundled("tic_tac_toe"));
    Lines lines;
    PlayerSettings settings = quiet();
    settings.log = lines.log();
    Player player(fake("first", [](auto& machine, const auto& state, auto role, const auto&,
                                   const auto&) { return nth_legal(machine, state, role, 0); }),
                  settings);
    ASSERT_TRUE(player.start(game, first, roomy));
    player.watch(std::vector<std::string>{"(mark 1 1)", "noop"});
    EXPECT_FALSE(lines.contain("(mark 1 1)")) << lines.all();
    player.watch(std::vector<std::string>{"noop", "(mark 1 1)"});
    EXPECT_TRUE(lines.contain("(mark 1 1)")) << "it is not legal, which is seen when it is followed\n" << lines.all();
}

// With no time at all nothing can be known, but nothing is forgotten either: the reports are followed later.
TEST(Player, CatchesUpWithReportsThereWasNoTimeFor) {
    const auto game = shared(bundled("tic_tac_toe"));
    PlayerSettings settings = quiet();
    settings.machine.kind = machine::MachineKind::interpreter;
    Player player(fake("first", [](auto& machine, const auto& state, auto role, const auto&,
                                   const auto&) { return nth_legal(machine, state, role, 0); }),
                  settings);
    ASSERT_TRUE(player.start(game, first, roomy));
    const TimePoint long_ago = Deadline::Clock::now() - std::chrono::hours(1);
    EXPECT_EQ(player.play(nothing, long_ago).source, Source::nothing);
    const std::vector<std::vector<std::string>> history{{"(mark 1 1)", "noop"}, {"noop", "(mark 2 2)"}};
    EXPECT_EQ(player.play(history[0], long_ago).source, Source::nothing);
    const Answer answer = player.play(history[1]);
    EXPECT_EQ(answer.source, Source::search);
    EXPECT_THAT(testing::legal_after(*game, history, first), Contains(answer.move));
}

TEST(Player, PlaysLegallyWhenNoSearchCanBeMade) {
    const auto game = shared(bundled("connect_three"));
    Lines lines;
    PlayerSettings settings = quiet();
    settings.log = lines.log();
    Player player(Recipe("impossible",
                         [](const search::Problem&, const search::SearchSettings&) -> std::unique_ptr<search::Search> {
                             throw std::bad_alloc();
                         }),
                  settings);
    // What has failed is not waited for: nobody lives to see the end of these clocks.
    ASSERT_TRUE(ends_by_itself(
        [&] {
            EXPECT_TRUE(player.start(game, first, {Seconds(100'000), Seconds(100'000)}));
        },
        [&] { player.abort(); }));
    Answer answer;
    ASSERT_TRUE(ends_by_itself([&] { answer = player.play(nothing); }, [&] { player.abort(); }));
    EXPECT_EQ(answer.source, Source::fallback);
    EXPECT_THAT(testing::legal_after(*game, {}, first), Contains(answer.move));
    EXPECT_TRUE(lines.contain("bad_alloc")) << lines.all();
}

TEST(Player, SaysWhenItsMoveWasNotTaken) {
    const auto game = shared(bundled("tic_tac_toe"));
    Lines lines;
    PlayerSettings settings = quiet();
    settings.log = lines.log();
    Player player(fake("first", [](auto& machine, const auto& state, auto role, const auto&,
                                   const auto&) { return nth_legal(machine, state, role, 0); }),
                  settings);
    ASSERT_TRUE(player.start(game, first, roomy));
    const std::string chosen = player.play(nothing).move;
    const std::string made = chosen == "(mark 2 2)" ? "(mark 3 1)" : "(mark 2 2)";
    player.play(std::vector<std::string>{made, "noop"});
    EXPECT_TRUE(lines.contain("our move " + chosen + " was not taken; " + made)) << lines.all();
    const Answer next = player.play(std::vector<std::string>{"noop", "(mark 1 2)"});
    EXPECT_THAT(testing::legal_after(*game, {{made, "noop"}, {"noop", "(mark 1 2)"}}, first), Contains(next.move));
}

// What the search is asked while others think: the state of the match, to be stopped by the next message.
TEST(Player, PondersInTheOthersTime) {
    struct Seen {
        std::mutex mutex;
        std::condition_variable changed;
        std::vector<std::pair<std::uint64_t, bool>> calls;  // hash of the state, pondering
        int stopped = 0;                                    // pondering that ended because it was told to
    };
    const auto seen = std::make_shared<Seen>();
    const auto game = shared(bundled("tic_tac_toe"));
    PlayerSettings settings = quiet();
    settings.ponder = true;
    settings.grace = std::chrono::seconds(10);
    Player player(fake("ponderer",
                       [seen](auto& machine, const auto& state, auto role, const auto& budget, const auto&) {
                           {
                               const std::scoped_lock lock(seen->mutex);
                               seen->calls.emplace_back(state.hash(), budget.pondering);
                               seen->changed.notify_all();
                           }
                           while (budget.pondering && !budget.stop.now()) std::this_thread::yield();
                           if (budget.pondering) {
                               const std::scoped_lock lock(seen->mutex);
                               ++seen->stopped;
                           }
                           return nth_legal(machine, state, role, 0);
                       }),
                  settings);
    const auto await = [&](std::size_t calls) {
        std::unique_lock lock(seen->mutex);
        seen->changed.wait(lock, [&] { return seen->calls.size() >= calls; });
        return seen->calls;
    };
    ASSERT_TRUE(player.start(game, first, {Seconds(1), Seconds(30)}));
    const Answer answer = player.play(nothing);  // after pondering in the start clock
    EXPECT_EQ(answer.source, Source::search);
    await(3);
    EXPECT_EQ(player.play(std::vector<std::string>{answer.move, "noop"}).source, Source::only_move);
    const auto calls = await(4);
    ASSERT_EQ(calls.size(), 4u);
    EXPECT_THAT((std::vector<bool>{calls[0].second, calls[1].second, calls[2].second, calls[3].second}),
                ElementsAre(true, false, true, true));
    EXPECT_EQ(calls[0].first, calls[1].first);
    EXPECT_EQ(calls[1].first, calls[2].first);
    EXPECT_NE(calls[2].first, calls[3].first) << "the match went on";
    player.stop();
    const std::scoped_lock lock(seen->mutex);
    EXPECT_EQ(seen->stopped, 3);
}

TEST(Player, AbortEndsThinkingAtOnce) {
    const auto game = shared(bundled("tic_tac_toe"));
    const auto latch = std::make_shared<Latch>();
    Player player(fake("endless",
                       [latch](auto& machine, const auto& state, auto role, const auto&, const auto&) {
                           latch->pass();
                           return nth_legal(machine, state, role, 0);
                       }),
                  quiet());
    ASSERT_TRUE(player.start(game, first, {Seconds(30), Seconds(100'000)}));
    std::thread other([&] {
        latch->await(1);
        player.abort();
    });
    Answer answer;
    // Though the search is still behind the door, and the clock has only begun.
    EXPECT_TRUE(ends_by_itself([&] { answer = player.play(nothing); }, [&] { latch->open(); }));
    other.join();
    EXPECT_NE(answer.source, Source::search);
    EXPECT_THAT(testing::legal_after(*game, {}, first), Contains(answer.move));
    EXPECT_EQ(player.play(std::vector<std::string>{answer.move, "noop"}).move, "noop");
    latch->open();
}

TEST(Player, AbortEndsTheStartClock) {
    const auto game = shared(bundled("tic_tac_toe"));
    const auto latch = std::make_shared<Latch>();
    Player player(Recipe("never made",
                         [latch](const search::Problem& made, const search::SearchSettings&) {
                             latch->pass();
                             return std::make_unique<testing::FakeSearch>(made, nullptr);
                         }),
                  quiet());
    std::thread other([&] {
        latch->await(1);
        player.abort();
    });
    EXPECT_TRUE(player.start(game, first, {Seconds(10'000), Seconds(10'000)}));
    other.join();
    EXPECT_THAT(testing::legal_after(*game, {}, first), Contains(player.play(nothing).move));
    latch->open();
}

TEST(Player, AnswersNilWhereThereIsNoMove) {
    const auto game = shared(described(R"(
        (role a) (init one) (<= (legal a go) (true one)) (<= (next two) (does a go)) (<= terminal (true never))
        (<= (next never) (true never)) (goal a 50))"));
    Player player(fake("any", [](auto& machine, const auto& state, auto role, const auto&,
                                 const auto&) { return nth_legal(machine, state, role, 0); }),
                  quiet());
    ASSERT_TRUE(player.start(game, first, roomy));
    EXPECT_EQ(player.play(nothing).move, "go");
    const Answer answer = player.play(std::vector<std::string>{"go"});
    EXPECT_EQ(answer.source, Source::nothing);
    EXPECT_EQ(answer.move, "nil");
}

TEST(Player, IsHarmlessBeforeAndAfterAMatch) {
    Player player(Recipe("random"), quiet());
    EXPECT_EQ(player.play(nothing).move, "nil");
    player.abort();
    player.stop();
    EXPECT_EQ(player.play(nothing).source, Source::nothing);
}

// The search must hear of each state of the match before it is asked about it.
TEST(Player, TellsTheSearchWhereTheMatchStands) {
    struct Spy final : search::Search {
        explicit Spy(const search::Problem& problem) : machine(problem.game->make()) {}
        search::Choice choose(const search::State& state, search::Role role, const search::Budget&,
                              const std::function<void(const search::Choice&)>&) override {
            EXPECT_EQ(state, advanced);
            return nth_legal(*machine, state, role, 0);
        }
        void advance(const search::State& state) override { advanced = state; }
        std::unique_ptr<machine::Machine> machine;
        search::State advanced;
    };
    const auto game = shared(bundled("rock_paper_scissors"));
    Player player(Recipe("spy", [](const search::Problem& made,
                                   const search::SearchSettings&) { return std::make_unique<Spy>(made); }),
                  quiet());
    ASSERT_TRUE(player.start(game, second, roomy));
    EXPECT_EQ(player.play(nothing).source, Source::search);
}

}  // namespace
}  // namespace stratagem::player
