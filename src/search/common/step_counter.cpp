#include "search/common/step_counter.h"

#include <limits>

namespace stratagem::search {

namespace {

using ground::Atom;
using ground::Condition;
using ground::Fluent;
using ground::index;
using ground::Program;

// The ground rules seen from the atoms.
class Usage {
  public:
    explicit Usage(const Program& program) : program_(program) {
        rules_of_.resize(program.atom_count());
        used_in_.resize(program.atom_count());
        for (std::size_t rule = 0; rule < program.rule_count(); ++rule) {
            rules_of_[index(program.head(rule))].push_back(rule);
            for (const Condition condition : program.body(rule)) used_in_[index(condition.atom())].push_back(rule);
        }
        next_of_.resize(program.atom_count());
        for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
            if (program.next[i] != Atom::none) next_of_[index(program.next[i])].push_back(Fluent{i});
        }
    }

    // Once this atom holds the game is over, whatever else holds.
    bool ends_the_game(Atom atom) const {
        for (std::size_t looked = 0; looked < 8; ++looked) {  // through rules that only rename
            if (atom == program_.terminal) return true;
            Atom following = Atom::none;
            for (const std::size_t rule : used_in_[index(atom)]) {
                if (!is_copy(rule)) continue;
                if (program_.head(rule) == program_.terminal) return true;
                following = program_.head(rule);
            }
            if (following == Atom::none) return false;
            atom = following;
        }
        return false;
    }

    // The fluent that follows when this one holds, and does nothing else; nothing if it does more.
    std::optional<Fluent> only_successor(Fluent fluent) const {
        const std::vector<std::size_t>& uses = used_in_[index(program_.atom(fluent))];
        if (uses.size() != 1 || !is_copy(uses[0])) return std::nullopt;
        const Atom head = program_.head(uses[0]);
        const bool is_next_alone =
            next_of_[index(head)].size() == 1 && rules_of_[index(head)].size() == 1 && used_in_[index(head)].empty();
        return is_next_alone ? std::optional(next_of_[index(head)][0]) : std::nullopt;
    }

  private:
    bool is_copy(std::size_t rule) const {
        return program_.body(rule).size() == 1 && program_.body(rule)[0].positive();
    }

    const Program& program_;
    std::vector<std::vector<std::size_t>> rules_of_;
    std::vector<std::vector<std::size_t>> used_in_;
    std::vector<std::vector<Fluent>> next_of_;  // by atom: the fluents it is next of
};

}  // namespace

StepCounter StepCounter::find(const machine::Game& game) {
    StepCounter longest;
    const std::shared_ptr<const Program> known = game.program();
    if (!known) return longest;
    const Program& program = *known;
    const Usage usage(program);
    for (const Fluent start : program.initial) {
        // Nothing may lead back to the start, or the counter would not only count.
        if (program.next[index(start)] != Atom::none) continue;
        std::vector<Fluent> chain{start};
        while (chain.size() <= program.fluents.size() && !usage.ends_the_game(program.atom(chain.back()))) {
            const std::optional<Fluent> following = usage.only_successor(chain.back());
            if (!following) break;
            chain.push_back(*following);
        }
        const bool ends = chain.size() > 1 && usage.ends_the_game(program.atom(chain.back()));
        if (ends && chain.size() > longest.chain_.size()) longest.chain_ = std::move(chain);
    }
    return longest;
}

std::uint32_t StepCounter::remaining(const machine::State& state) const {
    for (std::size_t i = 0; i < chain_.size(); ++i) {
        if (state.holds(chain_[i])) return static_cast<std::uint32_t>(chain_.size() - 1 - i);
    }
    return std::numeric_limits<std::uint32_t>::max();
}

std::uint64_t StepCounter::without_counter(const machine::State& state) const {
    std::uint64_t hash = state.hash();
    for (const Fluent fluent : chain_) {
        if (state.holds(fluent)) hash ^= machine::zobrist(fluent);
    }
    return hash;
}

}  // namespace stratagem::search
