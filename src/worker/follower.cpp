#include "worker/follower.h"

#include <fmt/format.h>

namespace stratagem::worker {

player::Opening Follower::start(const player::TextMatch& match, player::TimePoint) {
    const std::shared_ptr<const machine::Game> game = player::read_match(match, opening_);
    if (!game) return opening_;
    try {
        tracker_ = std::make_unique<player::Tracker>(game);
        if (match.state) (void)tracker_->stand_at(*match.state);  // what is strange about it, the thinker says
    } catch (const std::exception& fault) {
        // Whether the rules can be run at all is for the thinker to say, which has more memory.
        log_(fmt::format("the second cannot follow: {}", fault.what()));
    }
    return opening_;
}

void Follower::watch(std::span<const std::string> last, player::TimePoint) {
    if (!last.empty()) reports_.emplace_back(last.begin(), last.end());
}

void Follower::catch_up() {
    while (!reports_.empty()) {
        (void)tracker_->follow(reports_.front());  // what is strange about it, the thinker says
        reports_.pop_front();
    }
}

player::Answer Follower::play(std::span<const std::string> last, player::TimePoint received) {
    player::Answer answer{"nil", player::Answer::Source::nothing, {}};
    watch(last, received);
    if (!tracker_) return answer;
    try {
        tracker_->set_deadline(Deadline::never());
        catch_up();
        const std::vector<machine::Move>& legal =
            tracker_->legal(machine::Role{static_cast<std::uint32_t>(opening_.own)});
        if (legal.empty()) return answer;
        const std::uint32_t place = random_.below(static_cast<std::uint32_t>(legal.size()));
        answer.move = tracker_->machine().move_name(legal[place]);
        answer.source = player::Answer::Source::fallback;
    } catch (const std::exception& fault) {
        log_(fmt::format("the second does not know where the match stands: {}", fault.what()));
    }
    return answer;
}

std::optional<bool> Follower::fits(std::span<const std::string> moves, Deadline deadline) {
    if (!tracker_ || !reports_.empty()) return std::nullopt;
    try {
        tracker_->set_deadline(deadline);
        return tracker_->fits(moves);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace stratagem::worker
