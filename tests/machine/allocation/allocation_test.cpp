// Once warm, a circuit machine answers without asking the heap for anything: counted by replacing operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "machine/same_game.h"

namespace {

std::atomic<std::size_t> allocations = 0;

void* counted(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace stratagem::machine {
namespace {

class Allocation : public ::testing::TestWithParam<const char*> {
  protected:
    Allocation() : machine_(build_circuit(testing::grounded(testing::bundled(GetParam())))) {
        joint_.resize(machine_.role_count());
    }

    // Random play by the five questions of Machine.
    void ask(Random& random, std::size_t steps) {
        Machine& machine = machine_;
        state_ = machine.initial();
        for (std::size_t step = 0; step < steps; ++step) {
            bool over = machine.terminal(state_);
            for (std::uint32_t role = 0; role < joint_.size(); ++role) {
                machine.goal(state_, Role{role});
                machine.legal(state_, Role{role}, legal_);
                over = over || legal_.empty();
                if (!over) joint_[role] = legal_[random.below(static_cast<std::uint32_t>(legal_.size()))];
            }
            if (over) {
                state_ = machine.initial();
            } else {
                machine.next(state_, joint_, next_);
                std::swap(state_, next_);
            }
        }
    }

    void play(Random& random, std::size_t games) {
        for (std::size_t game = 0; game < games; ++game) {
            machine_.go_to(machine_.initial());
            machine_.playout(random, goals_, 1000);
        }
    }

    CircuitMachine machine_;
    State state_;
    State next_;
    std::vector<Move> legal_;
    std::vector<Move> joint_;
    std::vector<int> goals_;
};

TEST_P(Allocation, TheCounterCounts) {
    const std::size_t before = allocations;
    const auto one = std::make_unique<int>(1);
    EXPECT_EQ(allocations - before, 1U + static_cast<std::size_t>(*one - 1));
}

// The same games again ask for no more room than the first time.
TEST_P(Allocation, WarmPlayAsksTheHeapForNothing) {
    Random warming(5);
    ask(warming, 3000);
    Random random(5);
    const std::size_t before = allocations;
    ask(random, 3000);
    EXPECT_EQ(allocations - before, 0U);
}

TEST_P(Allocation, WarmPlayoutsAskTheHeapForNothing) {
    Random warming(6);
    play(warming, 30);
    Random random(6);
    const std::size_t before = allocations;
    play(random, 30);
    EXPECT_EQ(allocations - before, 0U);
}

INSTANTIATE_TEST_SUITE_P(Games, Allocation,
                         ::testing::Values("breakthrough_6x6", "capture_go_3x3", "bidding_tic_tac_toe"),
                         [](const auto& game) { return std::string(game.param); });

}  // namespace
}  // namespace stratagem::machine
