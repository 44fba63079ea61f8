// The second of a match: follows it on the interpreter and can name a legal move; thinks about nothing.
//
// It needs little memory and no preparation, so that it is there when the process that thinks is not.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "machine/random.h"
#include "player/text_player.h"
#include "player/tracker.h"

namespace stratagem::worker {

class Follower final : public player::TextPlayer {
  public:
    explicit Follower(std::uint64_t seed, player::Log log) : random_(seed, 2), log_(std::move(log)) {}

    player::Opening start(const player::TextMatch& match, player::TimePoint received) override;
    player::Opening opening() const override { return opening_; }
    // Any legal move, as soon as there is one: a question the interpreter needs long for is not given up, since the
    // next turn would ask it again.
    player::Answer play(std::span<const std::string> last, player::TimePoint received) override;
    void watch(std::span<const std::string> last, player::TimePoint received) override;
    std::optional<bool> fits(std::span<const std::string> moves, Deadline deadline) override;
    void stop() override { tracker_.reset(); }
    void abort() override {}

  private:
    // Brings the tracker up to date. Throws what machines throw.
    void catch_up();

    machine::Random random_;
    player::Log log_;
    player::Opening opening_;
    std::unique_ptr<player::Tracker> tracker_;
    std::deque<std::vector<std::string>> reports_;  // not followed yet
};

}  // namespace stratagem::worker
