// Features that kinds of games have in common, whatever their goals say (thesis, sections 4.1.2 and 5.1): mobility, the
// value of pieces, depth, and goal values that are defined before the end.
//
// The first three are bonuses, for states the networks take for equal: in many games the goals say nothing until
// someone has all but won. A piece is worth the moves it has alone on the board, on the mean of all cells. Depth counts
// where the rules count steps. The goal value is blended in where it is always defined and says something.
//
// That more pieces are good is no law: there are games that are won by losing everything. Random games tell which it
// is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/analysis.h"
#include "evaluate/feature/feature_counts.h"
#include "evaluate/feature/random_games.h"

namespace stratagem::evaluate::feature {

struct ClassSettings {
    // At most so many points of 100 each; 0: off.
    double mobility = 0;
    double pieces = 0;
    double depth = 0;
    double goals = 0;  // the share of the goal value, in [0, 1]

    bool any() const { return mobility > 0 || pieces > 0 || depth > 0 || goals > 0; }
};

class ClassFeatures {
  public:
    // `analysis` may be null: then there are neither pieces nor depth.
    ClassFeatures(std::shared_ptr<const machine::Circuit> circuit, const RandomGames& seen,
                  const analysis::Findings* analysis, const ClassSettings& settings, const machine::Stop& stop);

    const FeatureCounts& counts() const { return counts_; }
    // Moves of the role that a fluent brings about when nothing else is on the board.
    double piece_value(ground::Fluent fluent, machine::Role role) const;
    // Goal values are always defined, and differ from state to state before the end.
    bool goals_say_something(machine::Role role) const { return goals_defined_[ground::index(role)]; }
    bool wants_mobility() const { return settings_.mobility > 0; }
    // What more pieces brought in random games: 1, or -1 where they did harm, or less where nothing can be said.
    double use_of_pieces() const { return use_of_pieces_; }

    // By role: of weights of fluents that hold, in the first place of none.
    using Sums = std::vector<std::int64_t>;
    Sums make_sums() const { return Sums(role_count(), 0); }
    void flip(ground::Fluent fluent, bool holds, Sums& sums) const;
    // What is added to the value of the state for the role. `mobility` only if it is wanted.
    double bonus(machine::Role role, const Sums& sums, const Mobility::Memory& mobility) const;

  private:
    void find_pieces(const analysis::Findings& analysis, const RandomGames& seen, const machine::Stop& stop);
    void find_pieces(const analysis::Findings& analysis, const analysis::Structure& board, const RandomGames& seen,
                     const machine::Stop& stop);
    void find_pieces_in_play(const analysis::Findings& analysis, const analysis::Structure& board,
                             const RandomGames& seen, const machine::Stop& stop);
    void find_depth(const analysis::Findings& analysis);
    void find_use(const RandomGames& seen, const machine::Stop& stop);
    void weigh();
    std::size_t role_count() const { return goals_defined_.size(); }

    std::shared_ptr<const machine::Circuit> circuit_;
    ClassSettings settings_;
    FeatureCounts counts_;
    std::vector<bool> goals_defined_;         // by role
    std::vector<std::vector<double>> value_;  // by role and fluent: of pieces, that of all at first being 1
    double whole_ = 0;                        // what that is in moves
    double use_of_pieces_ = 1;
    std::vector<double> depth_;  // by fluent: how late it is
    std::vector<Sums> weight_;   // by role and fluent, in units; empty without
};

}  // namespace stratagem::evaluate::feature
