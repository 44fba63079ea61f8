// From what the networks answer for the goals of a role to one value: from the goal that holds now, each of the others
// pulls towards itself, all of them together no further than half the way to the next one.
//
// The thesis adds up how far each goal pulls from a standard value (section 3.2.2). A sum is fair while goals answer
// with 1 and -1, of which only one is true. With features goals that are false but near pull as well, and where there
// is one for each number of points, the more of them lie ahead the more they pull: fewer points are worth more. Here
// whoever has more points is worth more, whatever the networks say of the other goals:
//   v = g + half the step up * (mean of 1 + o over higher goals) - half the step down * (mean of 1 + o over lower
//   goals)
// where g is the goal that holds (the highest, if several do; the standard value, if none does), o in [-1, 0) is the
// answer for a goal that does not hold, and means are weighed by the distance from g. With two goals of 0 and 100, or
// with a draw of 50 besides, this is the sum of the thesis.
//
// Monotone: of two states, let one come as near to each goal above and stay as far from each goal below. It is not
// worth less. For if both hold the same goal, every term is monotone; and if not, the intervals of values do not
// overlap.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace stratagem::evaluate::neural {

class Ladder {
  public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    // Ascending values. `standard`: what is expected where no goal holds.
    Ladder(std::span<const int> goals, double standard);

    // The value of the state without the pull of other goals; `now`: the goal that holds, or none.
    double start(std::size_t now) const { return starts_[rung(now)].value; }
    // How far a goal pulls that is answered for with `answer` in [-1, 1].
    double pull(std::size_t now, std::size_t goal, double answer) const;

    // answer(i) of the goal in place i.
    template <typename Answer>
    double value(Answer&& answer) const {
        std::size_t now = none;
        for (std::size_t i = goals_.size(); i-- > 0 && now == none;) {
            if (answer(i) > 0) now = i;
        }
        double sum = start(now);
        for (std::size_t i = 0; i < goals_.size(); ++i) sum += pull(now, i, answer(i));
        return sum;
    }

  private:
    struct Start {
        double value = 0;
        double up = 0, down = 0;  // points for each point of distance of a goal that is all but reached
    };

    std::size_t rung(std::size_t now) const { return now == none ? goals_.size() : now; }

    std::vector<int> goals_;
    std::vector<Start> starts_;  // by goal that holds, and one more: for none
};

}  // namespace stratagem::evaluate::neural
