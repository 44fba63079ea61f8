#include "player/start_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace stratagem::player {

namespace {

double seconds_of(Deadline::Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

std::string text_of(const StageUse& stage) {
    std::string text = fmt::format("{} {:.2f}", stage.name, stage.used);
    if (std::isfinite(stage.asked)) text += fmt::format(" of {:.2f}", stage.asked);
    if (!stage.result.empty()) text += fmt::format(" ({})", stage.result);
    return text;
}

}  // namespace

StartClock::StartClock(double seconds)
    : begin_(Deadline::Clock::now()),
      end_(Deadline::after(std::chrono::duration<double>(std::max(0.0, seconds)))),
      last_(begin_) {}

StartClock StartClock::without_end() { return StartClock(Deadline::Clock::now(), TimePoint::max()); }

double StartClock::left() const {
    return has_end() ? seconds_of(end_.remaining()) : std::numeric_limits<double>::infinity();
}

Deadline StartClock::begin(std::string_view stage, const Share& share) {
    if (under_way_) end();
    last_ = Deadline::Clock::now();
    under_way_ = true;
    const double whole = left();
    const double asked =
        has_end() ? std::clamp(whole * share.part, std::min(share.least, share.most), share.most) : whole;
    stages_.push_back({std::string(stage), asked, 0, {}});
    return std::isfinite(asked) ? Deadline::after(std::chrono::duration<double>(asked)) : Deadline::never();
}

void StartClock::end(std::string_view result) {
    if (!under_way_) return;
    under_way_ = false;
    const TimePoint now = Deadline::Clock::now();
    stages_.back().used = seconds_of(now - last_);
    stages_.back().result = result;
}

std::string StartClock::journal() const {
    std::vector<std::string> used;
    for (const StageUse& stage : stages_) used.push_back(text_of(stage));
    const std::string all = fmt::format("{}", fmt::join(used, ", "));
    if (!has_end()) return fmt::format("preparing, by no clock: {}", all);
    const double over = seconds_of(Deadline::Clock::now() - end_.when());
    return fmt::format(
        "start clock {:.2f} s: {}; {}", seconds_of(end_.when() - begin_), all,
        over > 0 ? fmt::format("{:.2f} too late", over) : fmt::format("{:.2f} left for the search", -over));
}

}  // namespace stratagem::player
