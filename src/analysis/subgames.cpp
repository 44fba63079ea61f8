#include "analysis/subgames.h"

#include <algorithm>
#include <map>
#include <optional>

#include "util/disjoint_sets.h"

namespace stratagem::analysis {

namespace {

// Goes through the rules once: derived atoms are members of the sets like fluents and moves, and only those that depend
// on a move in some way tie what is below them.
class Finder {
  public:
    explicit Finder(const RuleIndex& index)
        : index_(index),
          program_(index.program()),
          fluents_(static_cast<std::uint32_t>(program_.fluents.size())),
          touched_(program_.atom_count()),
          tied_(program_.atom_count()),
          used_(program_.moves.size()),
          sets_(program_.atom_count()) {}

    Subgames run(const machine::Stop& stop) {
        find_touched();
        for (std::uint32_t i = 0; i < fluents_; ++i) {
            if (stop.now()) return {};
            if (touched_[i]) tie(i, program_.next[i]);
        }
        for (std::uint32_t i = 0; i < program_.moves.size(); ++i) {
            if (stop.now()) return {};
            if (used_[i]) tie(fluents_ + i, program_.legal[i]);
        }
        tie_by_end();
        return collect();
    }

  private:
    bool touched(Atom atom) const { return atom != Atom::none && touched_[ground::index(atom)]; }

    // What depends on a move, in this state or one before.
    void find_touched() {
        const std::uint32_t atoms = program_.atom_count();
        std::vector<std::size_t> starts(atoms + 1, 0);
        for (std::size_t rule = 0; rule < program_.rule_count(); ++rule) {
            for (const ground::Condition condition : program_.body(rule)) ++starts[ground::index(condition.atom()) + 1];
        }
        for (std::size_t atom = 1; atom < starts.size(); ++atom) starts[atom] += starts[atom - 1];
        std::vector<std::uint32_t> heads(starts.back());  // of the rules that have an atom as a condition
        std::vector<std::size_t> place(starts.begin(), starts.end() - 1);
        for (std::size_t rule = 0; rule < program_.rule_count(); ++rule) {
            for (const ground::Condition condition : program_.body(rule)) {
                heads[place[ground::index(condition.atom())]++] = ground::index(program_.head(rule));
            }
        }
        std::vector<std::uint32_t> fluent_of(atoms, fluents_);  // by next atom
        for (std::uint32_t i = 0; i < fluents_; ++i) {
            if (program_.next[i] != Atom::none) fluent_of[ground::index(program_.next[i])] = i;
        }
        std::vector<std::uint32_t> open;
        const auto touch = [&](std::uint32_t atom) {
            if (touched_[atom]) return;
            touched_[atom] = true;
            open.push_back(atom);
        };
        for (std::uint32_t i = program_.first_move_atom(); i < program_.first_derived(); ++i) touch(i);
        while (!open.empty()) {
            const std::uint32_t atom = open.back();
            open.pop_back();
            for (std::size_t i = starts[atom]; i < starts[atom + 1]; ++i) touch(heads[i]);
            if (fluent_of[atom] != fluents_) touch(fluent_of[atom]);
        }
    }

    // One with all that is touched below an atom.
    void tie(std::uint32_t one, Atom top) {
        if (!touched(top)) return;
        sets_.join(one, ground::index(top));
        stack_.assign(1, top);
        while (!stack_.empty()) {
            const Atom atom = stack_.back();
            stack_.pop_back();
            const std::uint32_t number = ground::index(atom);
            if (tied_[number]) continue;
            tied_[number] = true;
            if (number >= fluents_ && number < program_.first_derived()) used_[number - fluents_] = true;
            for (const std::uint32_t rule : index_.rules(atom)) {
                for (const ground::Condition condition : program_.body(rule)) {
                    if (!touched(condition.atom())) continue;
                    sets_.join(number, ground::index(condition.atom()));
                    stack_.push_back(condition.atom());
                }
            }
        }
    }

    // Conditions that stand side by side in a rule below the end of the game.
    void tie_by_end() {
        if (program_.terminal == Atom::none) return;
        std::vector<bool> seen(program_.atom_count());
        std::vector<Atom> open{program_.terminal};
        seen[ground::index(program_.terminal)] = true;
        while (!open.empty()) {
            const Atom atom = open.back();
            open.pop_back();
            for (const std::uint32_t rule : index_.rules(atom)) {
                std::optional<std::uint32_t> first;
                for (const ground::Condition condition : program_.body(rule)) {
                    const Atom below = condition.atom();
                    if (!seen[ground::index(below)]) open.push_back(below);
                    seen[ground::index(below)] = true;
                    if (atom == program_.terminal || program_.body(rule).size() < 2 || !touched(below)) continue;
                    tie(first.value_or(ground::index(below)), below);
                    first = ground::index(below);
                }
            }
        }
    }

    Subgames collect() {
        Subgames result;
        result.complete = true;
        std::map<std::uint32_t, Subgame> parts;
        for (std::uint32_t i = 0; i < fluents_; ++i) {
            if (touched_[i]) {
                parts[sets_.root(i)].fluents.push_back(Fluent{i});
            } else {
                result.untouched.push_back(Fluent{i});
            }
        }
        for (std::uint32_t i = 0; i < program_.moves.size(); ++i) {
            if (used_[i]) {
                parts[sets_.root(fluents_ + i)].moves.push_back(Move{i});
            } else {
                result.idle.push_back(Move{i});
            }
        }
        for (auto& [root, part] : parts) {
            if (!part.moves.empty()) result.parts.push_back(std::move(part));
        }
        std::ranges::sort(result.parts, {}, [](const Subgame& part) { return part.moves.front(); });
        return result;
    }

    const RuleIndex& index_;
    const ground::Program& program_;
    std::uint32_t fluents_;
    std::vector<bool> touched_;  // by atom: it depends on a move
    std::vector<bool> tied_;     // by atom: what is below it is in its set
    std::vector<bool> used_;     // by move: something depends on it
    std::vector<Atom> stack_;
    DisjointSets sets_;  // by atom
};

}  // namespace

Subgames find_subgames(const RuleIndex& index, const machine::Stop& stop) { return Finder(index).run(stop); }

}  // namespace stratagem::analysis
