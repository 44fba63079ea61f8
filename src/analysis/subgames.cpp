#include "analysis/subgames.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace stratagem::analysis {

namespace {

// Sets that grow together.
class Forest {
  public:
    explicit Forest(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
    std::uint32_t root(std::uint32_t one) {
        while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
        return one;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }

  private:
    std::vector<std::uint32_t> parent_;
};

class Finder {
  public:
    explicit Finder(const RuleIndex& index)
        : index_(index),
          program_(index.program()),
          fluents_(static_cast<std::uint32_t>(program_.fluents.size())),
          stamp_(program_.atom_count(), 0),
          sets_(fluents_ + program_.moves.size()) {}

    Subgames run(const machine::Stop& stop) {
        find_untouched();
        std::vector<bool> used(program_.moves.size());
        for (std::uint32_t i = 0; i < fluents_; ++i) {
            if (stop.now()) return {};
            if (untouched_[i]) continue;
            for (const Atom atom : support(program_.next[i])) {
                const std::uint32_t leaf = ground::index(atom);
                if (leaf >= fluents_) used[leaf - fluents_] = true;
                if (leaf >= fluents_ || !untouched_[leaf]) sets_.join(i, leaf);
            }
        }
        for (std::uint32_t i = 0; i < program_.moves.size(); ++i) {
            if (stop.now()) return {};
            if (!used[i]) continue;
            for (const Atom atom : support(program_.legal[i])) {
                if (!untouched_[ground::index(atom)]) sets_.join(fluents_ + i, ground::index(atom));
            }
        }
        tie_by_end();
        return collect(used);
    }

  private:
    // Conditions that stand side by side in a rule below the end of the game.
    void tie_by_end() {
        if (program_.terminal == Atom::none) return;
        std::vector<bool> seen(program_.atom_count());
        std::vector<Atom> open{program_.terminal};
        seen[ground::index(program_.terminal)] = true;
        while (!open.empty()) {
            const Atom atom = open.back();
            open.pop_back();
            if (ground::index(atom) < program_.first_derived()) continue;
            for (const std::uint32_t rule : index_.rules(atom)) {
                std::optional<std::uint32_t> first;
                for (const ground::Condition condition : program_.body(rule)) {
                    const Atom below = condition.atom();
                    if (!seen[ground::index(below)]) open.push_back(below);
                    seen[ground::index(below)] = true;
                    if (atom == program_.terminal || program_.body(rule).size() < 2) continue;
                    for (const Atom leaf : support(below)) {
                        const std::uint32_t fluent = ground::index(leaf);
                        if (fluent >= fluents_ || untouched_[fluent]) continue;
                        if (first) sets_.join(*first, fluent);
                        first = fluent;
                    }
                }
            }
        }
    }

    // Fluents and moves below an atom.
    const std::vector<Atom>& support(Atom top) {
        leaves_.clear();
        if (top == Atom::none) return leaves_;
        ++round_;
        stack_.assign(1, top);
        stamp_[ground::index(top)] = round_;
        while (!stack_.empty()) {
            const Atom atom = stack_.back();
            stack_.pop_back();
            if (ground::index(atom) < program_.first_derived()) {
                leaves_.push_back(atom);
                continue;
            }
            for (const std::uint32_t rule : index_.rules(atom)) {
                for (const ground::Condition condition : program_.body(rule)) {
                    std::uint32_t& stamp = stamp_[ground::index(condition.atom())];
                    if (stamp == round_) continue;
                    stamp = round_;
                    stack_.push_back(condition.atom());
                }
            }
        }
        return leaves_;
    }

    // The largest set of fluents that depends on nothing but itself.
    void find_untouched() {
        untouched_.assign(fluents_, true);
        std::vector<std::vector<std::uint32_t>> followers(fluents_);
        std::vector<std::uint32_t> touched;
        for (std::uint32_t i = 0; i < fluents_; ++i) {
            bool by_move = false;
            for (const Atom atom : support(program_.next[i])) {
                const std::uint32_t leaf = ground::index(atom);
                by_move = by_move || leaf >= fluents_;
                if (leaf < fluents_) followers[leaf].push_back(i);
            }
            if (!by_move) continue;
            untouched_[i] = false;
            touched.push_back(i);
        }
        while (!touched.empty()) {
            const std::uint32_t at = touched.back();
            touched.pop_back();
            for (const std::uint32_t follower : followers[at]) {
                if (!untouched_[follower]) continue;
                untouched_[follower] = false;
                touched.push_back(follower);
            }
        }
    }

    Subgames collect(const std::vector<bool>& used) {
        Subgames result;
        result.complete = true;
        std::map<std::uint32_t, Subgame> parts;
        for (std::uint32_t i = 0; i < fluents_; ++i) {
            if (untouched_[i]) {
                result.untouched.push_back(Fluent{i});
            } else {
                parts[sets_.root(i)].fluents.push_back(Fluent{i});
            }
        }
        for (std::uint32_t i = 0; i < program_.moves.size(); ++i) {
            if (used[i]) {
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
    std::vector<std::uint32_t> stamp_;  // by atom
    std::uint32_t round_ = 0;
    std::vector<Atom> stack_, leaves_;
    std::vector<bool> untouched_;  // by fluent
    Forest sets_;                  // fluents, then moves
};

}  // namespace

Subgames find_subgames(const RuleIndex& index, const machine::Stop& stop) { return Finder(index).run(stop); }

}  // namespace stratagem::analysis
