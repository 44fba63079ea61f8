// A player in a process of its own as a referee sees it.
//
// The referee has legal moves of its own, so there is no second: a turn in which the process fails is a fault of that
// player, and the next one is played by another process that knows the match so far.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "player/agent.h"
#include "worker/worker_player.h"

namespace stratagem::worker {

class WorkerAgent final : public player::Agent {
  public:
    // Throws OptionError for a recipe there is not.
    WorkerAgent(std::string name, WorkerSettings settings);

    std::string name() const override { return name_; }
    // It takes the processor of this computer.
    bool elsewhere() const override { return false; }
    bool begins_anywhere() const override { return true; }
    bool has_clock() const override { return has_clock_; }

    // Builds the machines before the match, so that the start clock is for thinking: players of one process share those
    // of their referee.
    void prepare(const machine::Game& game);

    player::Reply start(const player::MatchStart& match) override;
    player::Reply play(std::span<const std::string> last) override;
    void watch(std::span<const std::string> last) override { player_.watch(last, Deadline::Clock::now()); }
    void stop(std::span<const std::string>) override { player_.stop(); }
    void abort() override { player_.abort(); }

    const WorkerPlayer& player() const { return player_; }

  private:
    std::string name_;
    bool has_clock_;
    WorkerPlayer player_;
};

}  // namespace stratagem::worker
