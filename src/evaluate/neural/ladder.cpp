#include "evaluate/neural/ladder.h"

#include <algorithm>

namespace stratagem::evaluate::neural {

Ladder::Ladder(std::span<const int> goals, double standard) : goals_(goals.begin(), goals.end()) {
    for (std::size_t i = 0; i <= goals_.size(); ++i) {
        Start start{i < goals_.size() ? goals_[i] : standard};
        double above = 0, below = 0;               // sums of distances
        double next_above = 101, next_below = -1;  // the nearest of these goals
        for (const int goal : goals_) {
            if (goal > start.value) {
                above += goal - start.value;
                next_above = std::min<double>(next_above, goal);
            } else if (goal < start.value) {
                below += start.value - goal;
                next_below = goal;
            }
        }
        if (above > 0) start.up = (next_above - start.value) / 2 / above;
        if (below > 0) start.down = (start.value - next_below) / 2 / below;
        starts_.push_back(start);
    }
}

double Ladder::pull(std::size_t now, std::size_t goal, double answer) const {
    const Start& start = starts_[rung(now)];
    const double distance = goals_[goal] - start.value;
    // What holds besides, below the highest, is reached and no more than that.
    const double near = std::min(1.0, 1 + answer);
    return (distance > 0 ? start.up : start.down) * distance * near;
}

}  // namespace stratagem::evaluate::neural
