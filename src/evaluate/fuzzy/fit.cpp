// Choosing q for a game, and how far down distances go (Schiffel and Thielscher 2007, section 4: "by varying q one can
// choose an appropriate t-norm for each game, such that as many states as possible that are different with respect to
// the goal and terminal formulas are assigned a different value").
//
// Conjunctions of many parts that do not hold are as false as can be as soon as the sum of the q-th powers of what is
// missing exceeds 1: then every move is worth the same. The more parts there are and the farther away they are, the
// greater q has to be, or the less a distance may count; two parts that are worth 0 are too much for any q. What is
// counted is what a player needs: how many values the states have that one can go to from the same state. Telling more
// apart is not playing better (docs/fluxplayer.md), so the paper's norm stays unless it clips: many states are worth
// exactly nothing or everything, or it tells no move from another. Then the nearest to it that does better is taken.
#include <algorithm>
#include <array>

#include "evaluate/fuzzy/fuzzy_evaluator.h"

namespace stratagem::evaluate::fuzzy {

namespace {

constexpr std::array powers{15.0, 30.0, 60.0};
constexpr std::array scales{1.0, 0.5, 0.25};
constexpr double many = 0.25;                  // of all values
constexpr std::size_t few = 10;                // choices that say little of the others
constexpr double nearly_all = 0.95;            // of the values that the best norm tells apart
constexpr double least_gap = 1e-10;            // values that differ by less are the same: sums are rounded
constexpr std::size_t most_work = 50'000'000;  // edges looked at

}  // namespace

// Over all roles and all states that were left.
FuzzyEvaluator::Told FuzzyEvaluator::told_apart(const FirstStates& states) const {
    Work work(*this);
    const std::size_t roles = goals_.size();
    std::vector<double> values;
    for (const machine::State& state : states.states) {
        work.move_to(state);
        for (std::uint32_t role = 0; role < roles; ++role) values.push_back(value(work.values(), machine::Role{role}));
    }
    Told told{0, 0};
    for (const double one : values) told.at_ends += one == 0 || one == 100 ? 1U : 0U;
    std::vector<double> some;
    for (const std::vector<std::uint32_t>& siblings : states.siblings) {
        for (std::size_t role = 0; role < roles; ++role) {
            some.clear();
            for (const std::uint32_t one : siblings) some.push_back(values[one * roles + role]);
            std::ranges::sort(some);
            for (std::size_t i = 1; i < some.size(); ++i) told.apart += some[i] - some[i - 1] > least_gap ? 1U : 0U;
        }
    }
    return told;
}

std::size_t FuzzyEvaluator::states_to_fit() const {
    const std::size_t work = std::max<std::size_t>(1, network_.edge_count()) * powers.size() * scales.size();
    return std::min(most_first_states, most_work / work);
}

void FuzzyEvaluator::fit(const FirstStates& states, const std::optional<double>& power,
                         const std::optional<double>& scale) {
    if (states.siblings.empty()) return;
    struct Candidate {
        double power, scale;
        Told told;
    };
    std::vector<Candidate> candidates;  // the nearest to the paper's first
    const auto use = [&](const Candidate& one) {
        settings_.power = one.power;
        settings_.scale = one.scale;
        network_.use(Norms(settings_));
    };
    std::size_t most = 0, least_at_ends = states.states.size() * goals_.size();
    for (const double q : power ? std::vector{*power} : std::vector(powers.begin(), powers.end())) {
        for (const double s : scale ? std::vector{*scale} : std::vector(scales.begin(), scales.end())) {
            Candidate& one = candidates.emplace_back(Candidate{q, s, {}});
            use(one);
            one.told = told_apart(states);
            most = std::max(most, one.told.apart);
            least_at_ends = std::min(least_at_ends, one.told.at_ends);
        }
    }
    const Told& paper = candidates.front().told;
    const auto values = static_cast<double>(states.states.size() * goals_.size());
    // What any norm puts there, such as a goal that always holds, is not clipped.
    const bool clips = static_cast<double>(paper.at_ends - least_at_ends) >= many * values ||
                       (states.siblings.size() >= few && paper.apart == 0);
    const auto nearest = std::ranges::find_if(candidates, [&](const Candidate& one) {
        return static_cast<double>(one.told.apart) >= nearly_all * static_cast<double>(most);
    });
    use(clips ? *nearest : candidates.front());
}

}  // namespace stratagem::evaluate::fuzzy
