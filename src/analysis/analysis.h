// All that is known about a game before it is played, found out once.
//
// An Analysis works out what it is asked for, with what that rests on, within the time of whoever asks, and keeps it:
// who asks later gets the same. It may be asked by several threads at once. All players of a process that play the same
// game with the same seed share one (shared_analysis).
#pragma once

#include "analysis/findings.h"

namespace stratagem::analysis {

// What is known depends on these, and on time.
struct AnalysisSettings {
    std::uint64_t seed = 1;  // of random games
    std::size_t sample_states = 4000;
    // Whoever asks has no clock, and gets the same in every run: counts end what the clock ends for others.
    bool repeatable = false;

    auto operator<=>(const AnalysisSettings&) const = default;
};

class Analysis {
  public:
    explicit Analysis(std::shared_ptr<const machine::Game> game, const AnalysisSettings& settings = {});
    ~Analysis();
    Analysis(const Analysis&) = delete;
    Analysis& operator=(const Analysis&) = delete;

    const std::shared_ptr<const machine::Game>& game() const { return game_; }

    // These items, and those they are made from. Each has its share of the time that is left, and the last one that is
    // to be worked out has all of it. Without ground rules there is only the kind of game.
    Findings ask(Items wanted, const machine::Stop& stop) const;
    // The kind of game alone, with the proofs that are there if they are wanted: who made sure of them before gets the
    // same in every run, and others are not told what somebody else happened to prove.
    GameKind kind(const machine::Stop& stop, bool with_proofs = false) const;

  private:
    friend class Analyst;
    struct Slots;

    std::shared_ptr<const machine::Game> game_;
    AnalysisSettings settings_;
    std::unique_ptr<Slots> slots_;
};

// The analysis of this game that somebody in the process holds, or a new one. Games are the same if their fingerprints
// are; those without one are shared with nobody. Its game may be another one than this, with the same numbers.
std::shared_ptr<const Analysis> shared_analysis(const std::shared_ptr<const machine::Game>& game,
                                                const AnalysisSettings& settings = {});

struct AnalysisOptions : AnalysisSettings {
    machine::Stop stop;
};
// Everything there is, for one who asks once. Nothing where the rules cannot be grounded: the game has no program.
std::optional<Findings> analyze(const machine::Game& game, const AnalysisOptions& options);

}  // namespace stratagem::analysis
