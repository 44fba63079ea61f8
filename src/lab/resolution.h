// How far apart networks see the states after the first move (thesis, section 3.3.3; Michulke 2011, section 5): for the
// first role and its goal of 100, the interval between the least and the greatest output, and how many values there
// are.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "evaluate/neural/graded_theory.h"
#include "lab/durations.h"
#include "machine/game.h"
#include "machine/stop.h"

namespace stratagem::lab {

using Transformation = evaluate::neural::TransformationSettings::Kind;

struct TransformationName {
    Transformation kind;
    std::string_view key;   // as the option of the evaluator has it
    std::string_view name;  // for people
};
inline constexpr std::array transformations{
    TransformationName{Transformation::cilp, "cilp", "1.0"},
    TransformationName{Transformation::local, "local", "1.1"},
    TransformationName{Transformation::soft, "soft", "soft"},
};

// Outputs that differ by less are the same.
inline constexpr double least_difference = 1e-15;
// What an interval of nothing counts as in means of logarithms, as in the papers: machine precision.
inline constexpr double least_interval = 0x1p-53;

struct Spread {
    double lowest = 0;
    double highest = 0;
    std::size_t distinct = 0;
    double seconds = 0;  // to make the networks of all goals

    double interval() const { return highest - lowest; }
    // Base 10.
    double log_interval() const;
};

struct Resolution {
    std::string role;
    int goal = 0;            // 100, or the greatest value there is
    bool trivial = false;    // no conjunction or disjunction: a fluent decides, or nothing
    std::size_t states = 0;  // different ones
    bool all_states = true;  // there were not too many
    std::array<Spread, transformations.size()> by;
};

struct ResolutionSettings {
    double seconds = 10;  // for each network
    std::size_t most_states = 100'000;
    const std::atomic<bool>* abort = nullptr;
};

// Nothing where no role has a goal, or the time does not suffice; `why` says so. Pre: the game has a program.
std::optional<Resolution> measure_resolution(const machine::Game& game, const ResolutionSettings& settings,
                                             std::string& why);

class ResolutionTotals {
  public:
    struct Change {
        std::size_t larger = 0, equal = 0, smaller = 0;  // intervals
        std::size_t more_values = 0, fewer_values = 0;
    };
    struct Means {
        std::size_t games = 0;
        std::array<double, transformations.size()> sum{};

        double of(std::size_t transformation) const {
            return games == 0 ? 0 : sum[transformation] / static_cast<double>(games);
        }
        void add(const Resolution& one);
    };

    void add(const Resolution& one);

    std::size_t games() const { return all_.games; }
    // From a transformation to the next.
    const Change& change(std::size_t from) const { return changes_[from]; }
    // Of the logarithms of intervals.
    const Means& all() const { return all_; }
    const Means& nontrivial() const { return nontrivial_; }
    // Of games in which 1.1 has a larger interval than 1.0.
    const Means& larger() const { return larger_; }
    const Durations& seconds(std::size_t transformation) const { return seconds_[transformation]; }

  private:
    std::array<Change, transformations.size() - 1> changes_;
    Means all_, nontrivial_, larger_;
    std::array<Durations, transformations.size()> seconds_;
};

}  // namespace stratagem::lab
