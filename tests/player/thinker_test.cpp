// The thread a search lives in.
#include "player/thinker.h"

#include <gmock/gmock.h>

#include "player/fake_search.h"

namespace stratagem::player {
namespace {

using testing::Latch;
using testing::nth_legal;

const gdl::Description& game() {
    static const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    return description;
}

Thinker::Make making(testing::Behaviour behaviour) {
    return [behaviour = std::move(behaviour)](const std::atomic<bool>&) {
        auto engine = std::make_unique<Engine>();
        engine->problem.game = std::make_shared<const machine::GdlGame>(game());
        engine->search = std::make_unique<testing::FakeSearch>(engine->problem, behaviour);
        return engine;
    };
}

Task initial(const Thinker& thinker) {
    Task task;
    task.state = thinker.engine()->problem.game->make()->initial();
    return task;
}

TEST(Thinker, MakesThenThinks) {
    Thinker thinker(making([](auto& machine, const auto& state, auto role, const auto&, const auto&) {
        return nth_legal(machine, state, role, 3);
    }));
    ASSERT_EQ(thinker.wait_until_made(Deadline::never()), Thinker::Phase::ready);
    thinker.begin(initial(thinker));
    const Thought thought = thinker.wait(Deadline::never());
    EXPECT_TRUE(thought.finished);
    ASSERT_TRUE(thought.choice);
    EXPECT_TRUE(thought.choice->move);
    EXPECT_EQ(thought.fault, "");
}

TEST(Thinker, SaysWhyNothingWasMade) {
    Thinker thinker([](const std::atomic<bool>&) -> std::unique_ptr<Engine> { throw std::runtime_error("no room"); });
    EXPECT_EQ(thinker.wait_until_made(Deadline::never()), Thinker::Phase::failed);
    EXPECT_EQ(thinker.fault(), "no room");
    EXPECT_EQ(thinker.engine(), nullptr);
    thinker.begin({});
    EXPECT_EQ(thinker.wait(Deadline::never()).fault, "no room") << "nobody waits for what will never be";
}

TEST(Thinker, ANewTaskStopsTheOneBefore) {
    Thinker thinker(making([](auto& machine, const auto& state, auto role, const auto& budget, const auto&) {
        while (budget.pondering && !budget.stop.now()) std::this_thread::yield();
        return nth_legal(machine, state, role, budget.pondering ? 0 : 1);
    }));
    ASSERT_EQ(thinker.wait_until_made(Deadline::never()), Thinker::Phase::ready);
    Task task = initial(thinker);
    std::vector<machine::Move> legal;
    thinker.engine()->problem.game->make()->legal(task.state, task.role, legal);
    for (int round = 0; round < 50; ++round) {
        task.pondering = true;
        thinker.begin(task);
        task.pondering = false;
        thinker.begin(task);
        const Thought thought = thinker.wait(Deadline::never());
        ASSERT_TRUE(thought.choice);
        EXPECT_EQ(thought.choice->move, legal[1]) << "the answer is that of the task begun last";
    }
}

TEST(Thinker, CancelEndsATaskThatHasNotEvenBegun) {
    const auto latch = std::make_shared<Latch>();
    Thinker thinker([latch](const std::atomic<bool>&) -> std::unique_ptr<Engine> {
        latch->pass();
        return nullptr;
    });
    thinker.begin({});
    thinker.cancel();
    EXPECT_TRUE(thinker.wait(Deadline::never()).finished);
    latch->open();
    EXPECT_EQ(thinker.wait_until_made(Deadline::never()), Thinker::Phase::failed);
}

TEST(Thinker, LeavesBehindWhatDoesNotReturn) {
    const auto latch = std::make_shared<Latch>();
    const auto gone = std::make_shared<Latch>();
    {
        Thinker thinker(making([latch, gone](auto& machine, const auto& state, auto role, const auto&, const auto&) {
                            latch->pass();
                            search::Choice choice = nth_legal(machine, state, role, 0);
                            gone->open();
                            return choice;
                        }),
                        std::chrono::milliseconds(20));
        ASSERT_EQ(thinker.wait_until_made(Deadline::never()), Thinker::Phase::ready);
        thinker.begin(initial(thinker));
        latch->await(1);
    }
    // Its machine and search are still there for it.
    latch->open();
    gone->pass();
}

}  // namespace
}  // namespace stratagem::player
