// The referee against agents of every kind of bad faith.
#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "arena/match.h"
#include "player/fake_search.h"

namespace stratagem::arena {
namespace {

using machine::testing::bundled;
using machine::testing::described;
using player::Agent;
using player::MatchStart;
using player::Reply;
using player::Seconds;
using player::testing::shared;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Does what it is told and remembers what it was asked.
class FakeAgent : public Agent {
  public:
    using Play = std::function<Reply(std::size_t turn, std::span<const std::string> last)>;
    FakeAgent(bool elsewhere, Play play) : elsewhere_(elsewhere), play_(std::move(play)) {}

    std::string name() const override { return "fake"; }
    bool elsewhere() const override { return elsewhere_; }
    Reply start(const MatchStart& match) override {
        started = match;
        return start_reply;
    }
    Reply play(std::span<const std::string> last) override {
        reports.emplace_back(last.begin(), last.end());
        return play_(reports.size(), last);
    }
    void stop(std::span<const std::string> last) override { stopped.assign(last.begin(), last.end()); }
    void abort() override { ++aborts; }

    MatchStart started;
    Reply start_reply{Reply::Kind::move, "ready", "", {}, {}, false};
    std::vector<std::vector<std::string>> reports;
    std::vector<std::string> stopped;
    std::atomic<int> aborts{0};

  private:
    bool elsewhere_;
    Play play_;
};

Reply says(std::string move) { return {Reply::Kind::move, std::move(move), "", {}, {}, false}; }
Reply fails(Reply::Kind kind) { return {kind, "", "as told", {}, {}, false}; }

// Two heaps of nothing: three steps in which both choose among go and (stay here), whatever they do.
constexpr const char* three_steps = R"(
(role a) (role b)
(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r go) (role ?r))
(<= (legal ?r (stay here)) (role ?r))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (last ?r ?m)) (does ?r ?m))
(<= terminal (true (step 3)))
(<= (goal ?r 100) (true (last ?r go)))
(<= (goal ?r 25) (true (last ?r (stay here))))
)";

struct Table {
    std::shared_ptr<const machine::Game> game;
    std::vector<std::unique_ptr<Agent>> agents;
    MatchSettings settings;
    std::vector<FakeAgent*> fakes;

    explicit Table(const std::string& rules = three_steps) : game(shared(described(rules))) {
        settings.clocks = {Seconds(30), Seconds(30)};
        settings.keep_states = true;
    }
    FakeAgent& seat(bool elsewhere, FakeAgent::Play play) {
        auto agent = std::make_unique<FakeAgent>(elsewhere, std::move(play));
        fakes.push_back(agent.get());
        agents.push_back(std::move(agent));
        return *fakes.back();
    }
    MatchResult play() { return play_match(game->remade({}), agents, settings); }
};

FakeAgent::Play always(std::string move) {
    return [move](std::size_t, auto) { return says(move); };
}

TEST(Referee, TellsEverybodyWhatHappened) {
    Table table;
    FakeAgent& a = table.seat(false, always("go"));
    FakeAgent& b = table.seat(true, always("(stay here)"));
    table.settings.id = "m1";
    const MatchResult result = table.play();
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.id, "m1");
    EXPECT_EQ(a.started.match_id, "m1");
    EXPECT_EQ(ground::index(b.started.role), 1u);
    EXPECT_EQ(b.started.clocks.play, Seconds(30));
    const std::vector<std::string> joint{"go", "(stay here)"};
    EXPECT_THAT(a.reports, ElementsAre(std::vector<std::string>{}, joint, joint));
    EXPECT_EQ(b.reports, a.reports);
    EXPECT_EQ(a.stopped, joint);
    EXPECT_EQ(b.stopped, joint);
    EXPECT_EQ(a.aborts + b.aborts, 0);
    EXPECT_THAT(result.goals, ElementsAre(100, 25));
    EXPECT_THAT(result.roles, ElementsAre("a", "b"));
    EXPECT_THAT(result.legal_counts, Each(ElementsAre(2u, 2u)));
    ASSERT_EQ(result.states.size(), 4u);
    EXPECT_EQ(result.states.front(), "(step 0)");
    EXPECT_EQ(result.states.back(), "(last a go) (last b (stay here)) (step 3)");
    EXPECT_TRUE(std::ranges::is_sorted(result.state_times));
    EXPECT_EQ(result.state_times.size(), 4u);
}

// What counts is the term.
TEST(Referee, AnOpeningIsMadeForAllAndTold) {
    Table table;
    FakeAgent& a = table.seat(false, always("go"));
    FakeAgent& b = table.seat(true, [](std::size_t, auto) { return fails(Reply::Kind::late); });
    table.settings.opening = 2;
    const MatchResult result = table.play();
    ASSERT_TRUE(result.complete);
    ASSERT_EQ(result.moves.size(), 3u);
    EXPECT_THAT(a.reports, ElementsAre(std::vector<std::string>{}, result.moves[0], result.moves[1]));
    EXPECT_EQ(b.reports, a.reports);
    EXPECT_EQ(b.stopped, result.moves[2]);
    EXPECT_EQ(result.moves[2][0], "go");
    EXPECT_EQ(result.seats[1].late, 1u) << "only the move that was its own";
    // The same again, whatever the seed of the match; and not always the same.
    table.settings.seed = 99;
    EXPECT_EQ(table.play().moves[1], result.moves[1]);
    std::set<std::vector<std::vector<std::string>>> openings;
    for (table.settings.opening_seed = 0; table.settings.opening_seed < 20; ++table.settings.opening_seed) {
        MatchResult again = table.play();
        again.moves.resize(2);
        openings.insert(again.moves);
    }
    EXPECT_GT(openings.size(), 5u);
}

TEST(Referee, AnOpeningDoesNotEndTheGame) {
    Table table;
    table.seat(false, always("go"));
    table.seat(false, always("go"));
    table.settings.opening = 50;
    const MatchResult result = table.play();
    EXPECT_TRUE(result.complete);
    ASSERT_EQ(result.moves.size(), 3u);
    EXPECT_THAT(result.moves[2], ElementsAre("go", "go"));
}

TEST(Referee, AnOpeningIsNoLongerThanAMatchMayBe) {
    Table table;
    table.seat(false, always("go"));
    table.seat(false, always("go"));
    table.settings.opening = 2;
    table.settings.max_steps = 1;
    const MatchResult result = table.play();
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.steps, 1u);
    EXPECT_THAT(result.problem, HasSubstr("more than 1 moves"));
}

TEST(Referee, ReadsMovesHoweverTheyAreWritten) {
    for (const char* text : {"(stay here)", "( STAY   HERE )", "\n(Stay\there)\r\n", "(stay (here))"}) {
        Table table;
        table.seat(true, always(text));
        table.seat(false, always("( go )"));
        const MatchResult result = table.play();
        EXPECT_THAT(result.moves, Each(ElementsAre("(stay here)", "go"))) << text;
        EXPECT_EQ(result.seats[0].errors() + result.seats[1].errors(), 0u) << text;
    }
}

TEST(Referee, MarksEachKindOfFault) {
    Table table;
    std::vector<std::string> lines;
    table.settings.log = [&](std::size_t seat, std::string_view line) {
        EXPECT_EQ(seat, 0u);
        lines.emplace_back(line);
    };
    table.seat(true, [](std::size_t turn, auto) {
        return turn == 1   ? says("(jump\x1b high)")
               : turn == 2 ? fails(Reply::Kind::late)
                           : fails(Reply::Kind::unreachable);
    });
    table.seat(true, always("go"));
    const MatchResult result = table.play();
    EXPECT_TRUE(result.complete);
    EXPECT_THAT(result.faults,
                ElementsAre(ElementsAre(Fault::illegal, Fault::none), ElementsAre(Fault::late, Fault::none),
                            ElementsAre(Fault::unreachable, Fault::none)));
    EXPECT_EQ(result.seats[0].illegal, 1u);
    EXPECT_EQ(result.seats[0].late, 1u);
    EXPECT_EQ(result.seats[0].unreachable, 1u);
    EXPECT_EQ(result.seats[1].errors(), 0u);
    for (const auto& joint : result.moves) EXPECT_TRUE(joint[0] == "go" || joint[0] == "(stay here)") << joint[0];
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_THAT(lines[0], HasSubstr("made no legal move (IL) in step 1, after "));
    EXPECT_THAT(lines[0], HasSubstr("(jump  high)")) << "control characters do not reach a terminal";
}

TEST(Referee, NonsenseIsIllegal) {
    for (const std::string& text :
         {std::string(""), std::string("go go"), std::string("(go"), std::string("?x"), std::string("(stay ?x)"),
          std::string("\0go", 3), std::string("((((((((("), std::string("nil"), std::string(2'000'000, '(')}) {
        Table table;
        table.seat(false, always(text));
        table.seat(false, always("go"));
        const MatchResult result = table.play();
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.seats[0].illegal, 3u) << text.substr(0, 20);
    }
}

TEST(Referee, AnAgentThatThrowsIsUnreachable) {
    for (const bool elsewhere : {false, true}) {
        Table table;
        table.seat(elsewhere, [](std::size_t, auto) -> Reply { throw std::runtime_error("broken"); });
        table.seat(false, always("go"));
        const MatchResult result = table.play();
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.seats[0].unreachable, 3u);
    }
}

TEST(Referee, ThoseNotReadyAreAskedAllTheSame) {
    Table table;
    FakeAgent& late = table.seat(true, always("go"));
    late.start_reply = fails(Reply::Kind::late);
    FakeAgent& gone = table.seat(true, always("go"));
    gone.start_reply = fails(Reply::Kind::unreachable);
    const MatchResult result = table.play();
    EXPECT_EQ(result.seats[0].start, Fault::late);
    EXPECT_EQ(result.seats[1].start, Fault::unreachable);
    EXPECT_EQ(result.seats[0].errors() + result.seats[1].errors(), 0u);
    EXPECT_EQ(late.reports.size(), 3u);
}

TEST(Referee, SaysTwiceThatSomebodyIsGone) {
    std::vector<std::string> lines;
    Table table;
    table.settings.log = [&](std::size_t, std::string_view line) { lines.emplace_back(line); };
    table.seat(true, [](std::size_t, auto) { return fails(Reply::Kind::unreachable); });
    table.seat(false, always("go"));
    const MatchResult result = table.play();
    EXPECT_EQ(result.seats[0].unreachable, 3u);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_THAT(lines[0], HasSubstr("in step 1, after "));
    EXPECT_THAT(lines[1], HasSubstr("said again only when it changes"));
}

TEST(Referee, WhatEndsTheMatchIsCounted) {
    for (const Reply::Kind kind : {Reply::Kind::late, Reply::Kind::unreachable}) {
        Table table;
        table.settings.abort_on_error = true;
        table.seat(true, always("go")).start_reply = fails(kind);
        table.seat(false, always("go"));
        const MatchResult result = table.play();
        EXPECT_TRUE(result.error_ended);
        EXPECT_EQ(result.seats[0].late, kind == Reply::Kind::late ? 1u : 0u);
        EXPECT_EQ(result.seats[0].unreachable, kind == Reply::Kind::unreachable ? 1u : 0u);
        EXPECT_EQ(result.seats[1].errors(), 0u);
    }
}

// The clock is the referee's, whatever an agent says of its answer. Nobody can answer in no time at all.
TEST(Referee, GraceIsForThoseElsewhere) {
    Table table;
    table.settings.clocks = {Seconds(0), Seconds(0)};
    table.settings.grace = Seconds(30);
    table.seat(true, always("go"));
    table.seat(false, always("go"));
    const MatchResult result = table.play();
    EXPECT_EQ(result.seats[0].late, 0u);
    EXPECT_EQ(result.seats[1].late, 3u);
    EXPECT_EQ(result.seats[0].start, Fault::late) << "the start clock has no grace";
}

// Each waits until the other has been asked as well: one after the other would never end.
TEST(Referee, AsksThoseElsewhereAtTheSameTime) {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t asked = 0;
    const FakeAgent::Play meet = [&](std::size_t turn, auto) {
        std::unique_lock lock(mutex);
        ++asked;
        changed.notify_all();
        const bool met = changed.wait_for(lock, std::chrono::seconds(60), [&] { return asked >= 2 * turn; });
        return met ? says("go") : fails(Reply::Kind::late);
    };
    Table table;
    table.seat(true, meet);
    table.seat(true, meet);
    const MatchResult result = table.play();
    EXPECT_EQ(result.seats[0].errors() + result.seats[1].errors(), 0u);
}

// The thread that runs the match asks them itself, and asks nobody while it waits for an answer: whatever the scheduler
// does, no two of them can think at the same time.
TEST(Referee, AsksThoseHereOneAfterTheOther) {
    std::set<std::thread::id> asking;
    std::mutex mutex;
    const FakeAgent::Play think = [&](std::size_t, auto) {
        const std::scoped_lock lock(mutex);
        asking.insert(std::this_thread::get_id());
        return says("go");
    };
    Table table;
    table.seat(false, think);
    table.seat(true, always("go"));
    EXPECT_EQ(table.play().seats.size(), 2u);
    Table both;
    both.seat(false, think);
    both.seat(false, think);
    both.play();
    EXPECT_THAT(asking, ElementsAre(std::this_thread::get_id()));
}

// A score by rules that say nothing of it is no score.
TEST(Referee, TellsWhatTheEndShowsOfTheRules) {
    const auto fault_of = [](const std::string& rules) {
        Table table("(role a) (role b) (init s) (<= (next t) (true s)) " + rules);
        table.seat(false, always("go"));
        table.seat(false, always("go"));
        const MatchResult result = table.play();
        EXPECT_TRUE(result.complete);
        return result.rules_fault;
    };
    const std::string moves = "(<= (legal ?r go) (role ?r)) (<= terminal (true t)) ";
    EXPECT_EQ(fault_of(moves + "(<= (goal ?r 50) (role ?r))"), "");
    EXPECT_THAT(fault_of(moves + "(goal a 50) (<= (goal b 50) (true s))"), HasSubstr("b has no goal value at the end"));
    EXPECT_THAT(fault_of(moves + "(goal b 50) (goal a 50) (goal a 60)"),
                HasSubstr("a has no goal value at the end, or"));
    EXPECT_THAT(fault_of(moves + "(goal a 50) (goal b 150)"), HasSubstr("the goal value of b is 150"));
    EXPECT_THAT(fault_of("(legal a go) (<= (legal b go) (true s)) (<= terminal (true u)) (<= (goal ?r 50) (role ?r))"),
                HasSubstr("b has no legal move, and the game has not ended"));
}

TEST(Referee, WhoStopsAMatchAbortsItsAgentsOnce) {
    Table table;
    std::atomic<bool> flag{false};
    table.settings.stop.flag = &flag;
    FakeAgent& waiting = table.seat(true, [&](std::size_t, auto) {
        flag.store(true);
        while (table.fakes[0]->aborts == 0) std::this_thread::yield();
        return fails(Reply::Kind::unreachable);
    });
    FakeAgent& other = table.seat(false, always("go"));
    const MatchResult result = table.play();
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.steps, 0u);
    EXPECT_TRUE(result.goals.empty());
    EXPECT_EQ(waiting.aborts, 1);
    EXPECT_EQ(other.aborts, 1);
    EXPECT_TRUE(waiting.stopped.empty());
}

TEST(Referee, AMatchThatIsTooLongIsAborted) {
    Table table;
    table.settings.max_steps = 2;
    FakeAgent& one = table.seat(true, always("go"));
    table.seat(false, always("go"));
    const MatchResult result = table.play();
    EXPECT_FALSE(result.complete);
    EXPECT_THAT(result.problem, HasSubstr("2 moves"));
    EXPECT_EQ(one.aborts, 1);
}

// Mistakes of one seat change neither the dice nor the seeds of the others.
TEST(Referee, DiceDoNotDependOnMistakes) {
    const auto game = shared(bundled("kuhn_poker"));
    const auto prepared = game->remade({});
    const std::size_t seats = seats_of(*prepared->make()).size();
    const auto first_deal = [&](const std::string& answer, std::uint64_t seed) {
        std::vector<std::unique_ptr<Agent>> agents;
        for (std::size_t i = 0; i < seats; ++i) agents.push_back(std::make_unique<FakeAgent>(false, always(answer)));
        MatchSettings settings;
        settings.clocks = {Seconds(30), Seconds(30)};
        settings.seed = seed;
        settings.max_steps = 1;
        const MatchResult result = play_match(prepared, agents, settings);
        const auto chance = std::ranges::find(result.roles, "random") - result.roles.begin();
        return result.moves.at(0).at(static_cast<std::size_t>(chance));
    };
    std::set<std::string> deals;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const std::string deal = first_deal("noop", seed);
        EXPECT_EQ(first_deal("nonsense", seed), deal) << seed;
        deals.insert(deal);
    }
    EXPECT_GT(deals.size(), 3U) << "dice depend on the seed";
    EXPECT_NE(agent_seed(1, 0), agent_seed(1, 1));
    EXPECT_NE(agent_seed(1, 0), agent_seed(2, 0));
}

TEST(Referee, BeginsAfterGivenMoves) {
    Table table;
    FakeAgent& a = table.seat(false, always("go"));
    table.seat(true, always("go"));
    table.settings.first_moves = {{"go", "(stay here)"}, {"( STAY  here )", "go"}};
    const MatchResult result = table.play();
    EXPECT_TRUE(result.complete);
    EXPECT_FALSE(result.own_start);
    EXPECT_THAT(result.moves, ElementsAre(ElementsAre("go", "(stay here)"), ElementsAre("(stay here)", "go"),
                                          ElementsAre("go", "go")));
    EXPECT_THAT(a.reports.back(), ElementsAre("(stay here)", "go")) << "players are told of all of them";
    EXPECT_EQ(result.seats[0].illegal, 0u);
    table.settings.first_moves = {{"go", "(stay there)"}};
    EXPECT_THROW(table.play(), std::invalid_argument);
    table.settings.first_moves = {{"go"}};
    EXPECT_THROW(table.play(), std::invalid_argument);
    table.settings.first_moves.assign(4, {"go", "go"});
    EXPECT_THROW(table.play(), std::invalid_argument) << "the game is over before";
}

TEST(Referee, BeginsInAGivenState) {
    class Anywhere final : public FakeAgent {
      public:
        using FakeAgent::FakeAgent;
        bool begins_anywhere() const override { return true; }
    };
    Table table;
    table.settings.state = {{"(step 2)"}};
    for (int i = 0; i < 2; ++i) {
        auto agent = std::make_unique<Anywhere>(false, always("go"));
        table.fakes.push_back(agent.get());
        table.agents.push_back(std::move(agent));
    }
    const MatchResult result = table.play();
    EXPECT_TRUE(result.complete);
    EXPECT_TRUE(result.own_start);
    EXPECT_EQ(result.steps, 1u);
    EXPECT_EQ(result.states.front(), "(step 2)");
    EXPECT_EQ(table.fakes[1]->started.state, table.settings.state);
    table.settings.state = {{"(step 99)"}};
    EXPECT_THROW(table.play(), std::invalid_argument);
    Table other;
    other.seat(false, always("go"));
    other.seat(true, always("go"));
    other.settings.state = {{"(step 2)"}};
    EXPECT_THROW(other.play(), std::invalid_argument) << "these cannot be told";
}

TEST(Referee, EndsAtTheFirstErrorIfThatIsWanted) {
    Table table;
    table.settings.abort_on_error = true;
    table.seat(false, always("go"));
    FakeAgent& b = table.seat(true, [](std::size_t turn, auto) { return says(turn == 2 ? "jump" : "go"); });
    MatchResult result = table.play();
    EXPECT_FALSE(result.complete);
    EXPECT_TRUE(result.error_ended);
    EXPECT_EQ(result.steps, 1u);
    EXPECT_EQ(result.problem, "fake (b) made no legal move (IL) in step 2: jump");
    EXPECT_EQ(result.seats[1].illegal, 1u);
    EXPECT_GT(b.aborts, 0);
    b.start_reply = fails(Reply::Kind::unreachable);
    result = table.play();
    EXPECT_TRUE(result.error_ended);
    EXPECT_EQ(result.steps, 0u);
    EXPECT_EQ(result.problem, "fake (b) gave no answer (CE) at the start: as told");
}

TEST(Referee, KnowsWhoWasNeverThere) {
    Table table;
    table.seat(false, always("go"));
    FakeAgent& b = table.seat(true, [](std::size_t, auto) { return fails(Reply::Kind::unreachable); });
    b.start_reply = fails(Reply::Kind::unreachable);
    const MatchResult result = table.play();
    EXPECT_EQ(result.seats[0].answers, 4u) << "ready, and three moves";
    EXPECT_EQ(result.seats[1].answers, 0u);
    EXPECT_EQ(result.seats[1].problem, "as told");
}

TEST(Referee, WhoHasNoClockIsNeverLate) {
    class Patient final : public FakeAgent {
      public:
        using FakeAgent::FakeAgent;
        bool has_clock() const override { return false; }
    };
    Table table;
    table.settings.clocks = {Seconds(1e-9), Seconds(1e-9)};
    for (int i = 0; i < 2; ++i) table.agents.push_back(std::make_unique<Patient>(false, always("go")));
    const MatchResult result = table.play();
    for (const SeatResult& seat : result.seats) {
        EXPECT_EQ(seat.late, 0u);
        EXPECT_EQ(seat.start, Fault::none);
    }
}

}  // namespace
}  // namespace stratagem::arena
