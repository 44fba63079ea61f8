// Searches that misbehave on purpose, and a stage to put them on.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "machine/machine_games.h"
#include "player/player.h"

namespace stratagem::player::testing {

// A latch that searches wait behind until the test opens it.
class Latch {
  public:
    ~Latch() { open(); }
    void open() {
        const std::scoped_lock lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }
    void pass() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
    }
    // Until so many have come to the latch.
    void await(int waiting) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return waiting_ >= waiting; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
    int waiting_ = 0;
};

using Report = std::function<void(const search::Choice&)>;
// What a fake search does: with its own machine, the state, the role, the budget and whom to tell.
using Behaviour = std::function<search::Choice(machine::Machine&, const search::State&, search::Role,
                                               const search::Budget&, const Report&)>;

class FakeSearch final : public search::Search {
  public:
    FakeSearch(const search::Problem& problem, Behaviour behaviour)
        : machine_(problem.game->make()), behaviour_(std::move(behaviour)) {}

    search::Choice choose(const search::State& state, search::Role role, const search::Budget& budget,
                          const Report& report) override {
        return behaviour_(*machine_, state, role, budget, report);
    }

  private:
    std::unique_ptr<machine::Machine> machine_;
    Behaviour behaviour_;
};

inline Recipe fake(const std::string& name, Behaviour behaviour) {
    return {name, [behaviour = std::move(behaviour)](const search::Problem& problem, const search::SearchSettings&) {
                return std::make_unique<FakeSearch>(problem, behaviour);
            }};
}

// The legal move at this place; the last one where there are fewer.
inline search::Choice nth_legal(machine::Machine& machine, const search::State& state, search::Role role,
                                std::size_t place) {
    std::vector<machine::Move> legal;
    machine.legal(state, role, legal);
    search::Choice choice;
    if (!legal.empty()) choice.move = legal[std::min(place, legal.size() - 1)];
    return choice;
}

// Lines of a log, from any thread.
class Lines {
  public:
    Log log() {
        return [this](std::string_view line) {
            const std::scoped_lock lock(mutex_);
            lines_.emplace_back(line);
        };
    }
    bool contain(std::string_view text) {
        const std::scoped_lock lock(mutex_);
        for (const std::string& line : lines_) {
            if (line.find(text) != std::string::npos) return true;
        }
        return false;
    }
    std::string all() {
        const std::scoped_lock lock(mutex_);
        std::string text;
        for (const std::string& line : lines_) text += line + "\n";
        return text;
    }

  private:
    std::mutex mutex_;
    std::vector<std::string> lines_;
};

// Run by the interpreter until somebody makes it ready.
inline std::shared_ptr<const machine::GdlGame> shared(gdl::Description description) {
    return machine::GdlGame::at_once(std::make_shared<const gdl::Description>(std::move(description)));
}

// Legal moves by name after these joint moves, on a machine of its own.
inline std::vector<std::string> legal_after(const machine::GdlGame& game,
                                            const std::vector<std::vector<std::string>>& joint_moves,
                                            machine::Role role) {
    const std::unique_ptr<machine::Machine> machine =
        machine::testing::made(game.description(), machine::MachineKind::circuit);
    machine::State state = machine->initial();
    machine::State next;
    for (const std::vector<std::string>& names : joint_moves) {
        std::vector<machine::Move> joint;
        for (std::uint32_t r = 0; r < names.size(); ++r)
            joint.push_back(*machine->find_move(machine::Role{r}, names[r]));
        machine->next(state, joint, next);
        state = next;
    }
    std::vector<machine::Move> legal;
    machine->legal(state, role, legal);
    std::vector<std::string> names;
    for (const machine::Move move : legal) names.push_back(machine->move_name(move));
    return names;
}

inline double seconds_since(TimePoint start) { return Seconds(Deadline::Clock::now() - start).count(); }

}  // namespace stratagem::player::testing
