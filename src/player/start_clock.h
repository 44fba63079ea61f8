// The start clock as something that is drawn from: one end for all that is prepared, and a journal of who used what.
//
// Stages come one after the other, in order of value. Each asks for a share of what is left; what it does not use is
// there for those after it. Without an end nothing is decided by time, and the journal tells what was done all the
// same. For one thread.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "machine/stop.h"
#include "util/deadline.h"

namespace stratagem::player {

// How much of what is left: a part of it, but no less and no more than so many seconds.
struct Share {
    double part = 1;
    double least = 0;
    double most = std::numeric_limits<double>::infinity();
};

// What takes as long as it takes.
inline constexpr Share unlimited{1, std::numeric_limits<double>::infinity()};
// Just so many seconds.
constexpr Share exactly(double seconds) { return {0, seconds, seconds}; }

// What became of a stage.
struct StageUse {
    std::string name;
    double asked = 0;  // seconds it might have used; infinite where there was no limit
    double used = 0;
    std::string result;  // "300 games", "not solved"; may be empty
};

class StartClock {
  public:
    using TimePoint = Deadline::Clock::time_point;

    explicit StartClock(double seconds);
    // It began some time ago.
    StartClock(TimePoint begin, TimePoint end) : begin_(begin), end_(end), last_(begin) {}
    // Nothing is decided by time.
    static StartClock without_end();

    bool has_end() const { return !end_.is_never(); }
    // Seconds; 0 when it is over, infinite where it has no end.
    double left() const;

    // A stage begins, which ends the one before. Returns when it has to be over.
    Deadline begin(std::string_view stage, const Share& share = {});
    // The stage under way is over, and this is what came of it.
    void end(std::string_view result = {});
    // Of the stage under way: seconds.
    double asked() const { return stages_.empty() ? 0 : stages_.back().asked; }

    const std::vector<StageUse>& stages() const { return stages_; }
    // "start clock 9.78 s: grounding 0.02, facts 0.30 of 0.98 (300 games), …; 4.10 left for the search".
    std::string journal() const;

  private:
    TimePoint begin_;
    Deadline end_;
    TimePoint last_;  // when the stage under way began
    bool under_way_ = false;
    std::vector<StageUse> stages_;
};

}  // namespace stratagem::player
