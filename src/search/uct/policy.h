// Which move to look at next: UCB1 (Auer, Cesa-Bianchi and Fischer, 2002) on each role's own arms, as in UCT (Kocsis
// and Szepesvári, 2006), with what is proved, priors and all-moves-as-first estimates woven in.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "machine/random.h"
#include "search/uct/settings.h"
#include "search/uct/tree.h"

namespace stratagem::search::uct {

// Goal values of a role to [0, 1] and back.
struct Scale {
    double least = 0;
    double span = 100;  // never 0

    double down(double goal) const { return (goal - least) / span; }
    double up(double value) const { return least + value * span; }
};

// Averages of moves wherever they were made (MAST): what to try first, and what playouts prefer.
class MoveAverages {
  public:
    void add(Move move, double value) {
        const std::size_t place = ground::index(move);
        if (place >= entries_.size()) entries_.resize(place + 1);
        entries_[place].sum += value;
        entries_[place].visits += 1;
    }
    // Moves never made come first.
    double value(Move move) const {
        const std::size_t place = ground::index(move);
        if (place >= entries_.size() || entries_[place].visits == 0) return 1;
        return entries_[place].sum / entries_[place].visits;
    }

  private:
    struct Entry {
        double sum = 0;
        double visits = 0;
    };
    std::vector<Entry> entries_;
};

class Policy {
  public:
    Policy(const Settings& settings, std::vector<Scale> scales) : settings_(settings), scales_(std::move(scales)) {}

    const Scale& scale(Role role) const { return scales_[ground::index(role)]; }

    // The slot of the move to make; makes an arm where the move is a new one. Nothing where memory is spent.
    // `averages` may be null.
    std::optional<std::uint32_t> pick(Tree& tree, Node& node, Chooser& chooser, machine::Random& random,
                                      const MoveAverages* averages) const;

    // The same among moves whose value is not known exactly; nothing where there are none.
    std::optional<std::uint32_t> pick_open(Tree& tree, Node& node, Chooser& chooser, machine::Random& random) const;

    // To be called after each change of an arm.
    void refresh(const Node& node, Chooser& chooser, std::uint32_t slot) const;
    void refresh_all(const Node& node, Chooser& chooser) const;

    // An arm that cannot be better than what another one is sure to bring.
    static bool dominated(const Node& node, const Chooser& chooser, std::uint32_t slot);

  private:
    double factor(const Node& node) const;
    std::uint32_t pick_blurred(Tree& tree, Node& node, Chooser& chooser, machine::Random& random, float weight) const;
    std::optional<std::uint32_t> pick_by_amaf(Tree& tree, Node& node, Chooser& chooser) const;
    static std::uint32_t untried_place(const Chooser& chooser, machine::Random& random, const MoveAverages* averages);

    Settings settings_;
    std::vector<Scale> scales_;
};

}  // namespace stratagem::search::uct
