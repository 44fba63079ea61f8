#include "analysis/fluent_graph.h"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>

namespace stratagem::analysis {

namespace {

using Cover = std::vector<std::uint32_t>;  // fluents, ascending; `nowhere` is the last number

// How much two terms have in common: equal constants at equal places.
int similarity(const gdl::TermPool& terms, gdl::Term a, gdl::Term b) {
    if (terms.arity(a) == 0 && terms.arity(b) == 0) return a == b ? 1 : 0;
    if (terms.symbol(a) != terms.symbol(b) || terms.arity(a) != terms.arity(b)) return 0;
    int sum = 0;
    for (std::uint32_t i = 0; i < terms.arity(a); ++i) {
        sum += similarity(terms, terms.argument(a, i), terms.argument(b, i));
    }
    return sum;
}

class Coverer {
  public:
    Coverer(const RuleIndex& index, const FluentKinds& kinds)
        : index_(index),
          kinds_(kinds),
          program_(index.program()),
          nowhere_(static_cast<std::uint32_t>(program_.fluents.size())),
          stamp_(program_.atom_count(), 0),
          cover_(program_.atom_count()) {}

    // Of the fluent's next atom. Pre: it has one.
    const Cover& of(Fluent target) {
        target_ = program_.fluents[ground::index(target)];
        ++round_;
        similar_.clear();
        const Atom top = program_.next[ground::index(target)];
        // Depth first without recursion: an atom is computed when all it needs is.
        stack_.assign(1, top);
        while (!stack_.empty()) {
            const Atom atom = stack_.back();
            if (done(atom) || !push_needed(atom)) {
                if (!done(atom)) compute(atom);
                stack_.pop_back();
            }
        }
        return cover_[ground::index(top)];
    }

    std::uint32_t nowhere() const { return nowhere_; }

  private:
    bool done(Atom atom) const { return stamp_[ground::index(atom)] == round_; }
    bool is_fluent(Atom atom) const { return ground::index(atom) < program_.first_move_atom(); }
    bool is_move(Atom atom) const { return !is_fluent(atom) && ground::index(atom) < program_.first_derived(); }

    // What a condition leads to: moves are as good as what makes them legal.
    Atom meant(Atom atom) const {
        if (!is_move(atom)) return atom;
        return program_.legal[ground::index(atom) - program_.first_move_atom()];
    }

    template <typename Visitor>
    void for_each_rule(Atom atom, Visitor&& visit) {
        if (!index_.recursive(atom)) {
            for (const std::uint32_t rule : index_.rules(atom)) visit(rule);
            return;
        }
        // All atoms of a circle have one cover: whatever holds one of them up rests on a rule without the others.
        for (const Atom other : index_.circles()[index_.circle(atom)]) {
            for (const std::uint32_t rule : index_.rules(other)) {
                if (!within(rule, index_.circle(atom))) visit(rule);
            }
        }
    }
    bool within(std::uint32_t rule, std::uint32_t circle) const {
        return std::ranges::any_of(program_.body(rule), [&](const ground::Condition& condition) {
            const Atom atom = condition.atom();
            return condition.positive() && index_.recursive(atom) && index_.circle(atom) == circle;
        });
    }

    bool push_needed(Atom atom) {
        bool pushed = false;
        for_each_rule(atom, [&](std::uint32_t rule) {
            for (const ground::Condition condition : program_.body(rule)) {
                if (!condition.positive() || is_fluent(condition.atom())) continue;
                const Atom below = meant(condition.atom());
                if (below == Atom::none || done(below)) continue;
                stack_.push_back(below);
                pushed = true;
            }
        });
        return pushed;
    }

    void compute(Atom atom) {
        Cover& cover = cover_[ground::index(atom)];
        cover.clear();
        for_each_rule(atom, [&](std::uint32_t rule) {
            best_.clear();
            bool found = false;
            Cover single(1);
            for (const ground::Condition condition : program_.body(rule)) {
                if (!condition.positive()) continue;
                const Atom below = meant(condition.atom());
                if (below == Atom::none) {
                    best_.clear();
                    found = true;
                    break;  // never legal: the rule gives nothing
                }
                if (is_fluent(below)) single[0] = ground::index(below);
                const Cover& candidate = is_fluent(below) ? single : cover_[ground::index(below)];
                if (!found || better(candidate, best_, cover)) best_ = candidate;
                found = true;
            }
            if (!found) best_.assign(1, nowhere_);
            merged_.clear();
            std::ranges::set_union(cover, best_, std::back_inserter(merged_));
            std::swap(cover, merged_);
        });
        stamp_[ground::index(atom)] = round_;
    }

    int similar(std::uint32_t fluent) {
        const auto [place, added] = similar_.try_emplace(fluent, 0);
        if (added) place->second = weighed(fluent);
        return place->second;
    }

    // What a fluent is about weighs more than where or when: arguments without an order before those with one.
    int weighed(std::uint32_t fluent) const {
        const gdl::TermPool& terms = program_.terms;
        const gdl::Term term = program_.fluents[fluent];
        if (terms.arity(term) == 0 || terms.symbol(term) != terms.symbol(target_) ||
            terms.arity(term) != terms.arity(target_)) {
            return similarity(terms, term, target_);
        }
        int sum = 0;
        for (std::uint32_t i = 0; i < terms.arity(term); ++i) {
            const int weight = (*kinds_.orders[fluent])[i] ? 1 : static_cast<int>(terms.arity(term));
            sum += weight * similarity(terms, terms.argument(term, i), terms.argument(target_, i));
        }
        return sum;
    }

    struct Score {
        bool nowhere = false;
        double often = 0;  // of the commonest kind among them
        double similarity = 0;
        std::size_t size = 0;
    };
    Score score(const Cover& cover) {
        Score result;
        result.size = cover.size();
        if (cover.empty()) return result;
        result.nowhere = cover.back() == nowhere_;
        std::size_t looked_at = 0;
        for (const std::uint32_t fluent : cover) {
            if (fluent == nowhere_ || looked_at == most_looked_at) continue;
            result.similarity += similar(fluent);
            result.often = std::max(result.often, kinds_.often[fluent]);
            ++looked_at;
        }
        if (looked_at > 0) result.similarity /= static_cast<double>(looked_at);
        return result;
    }
    // `known` are the sources there are already: they cost nothing.
    bool better(const Cover& a, const Cover& b, const Cover& known) {
        if (a.empty() || b.empty()) return a.empty() && !b.empty();  // nothing can hold there
        const bool a_known = std::ranges::includes(known, a);
        if (a_known != std::ranges::includes(known, b)) return a_known;
        const Score of_a = score(a);
        const Score of_b = score(b);
        if (of_a.nowhere != of_b.nowhere) return !of_a.nowhere;
        if (of_a.often < clearly * of_b.often || of_b.often < clearly * of_a.often) return of_a.often < of_b.often;
        if (of_a.similarity != of_b.similarity) return of_a.similarity > of_b.similarity;
        return of_a.size < of_b.size;
    }

    static constexpr std::size_t most_looked_at = 16;
    static constexpr double clearly = 0.8;

    const RuleIndex& index_;
    const FluentKinds& kinds_;
    const ground::Program& program_;
    std::uint32_t nowhere_;
    gdl::Term target_{};
    std::uint32_t round_ = 0;
    std::vector<std::uint32_t> stamp_;  // by atom: the round of its cover
    std::vector<Cover> cover_;          // by atom
    std::vector<Atom> stack_;
    std::unordered_map<std::uint32_t, int> similar_;
    Cover best_, merged_;
};

}  // namespace

FluentKinds::FluentKinds(const ground::Program& program, std::span<const Family> families,
                         const ArgumentOrders& argument_orders, const Samples& samples)
    : often(program.fluents.size()), orders(program.fluents.size()) {
    struct Mean {
        double sum = 0;
        double count = 0;
    };
    for (std::size_t number = 0; number < families.size(); ++number) {
        std::map<std::vector<gdl::Term>, Mean> kinds;
        const auto kind_of = [&](Fluent fluent) -> Mean& {
            std::vector<gdl::Term> key;
            for (std::uint32_t i = 0; i < families[number].arity; ++i) {
                if (argument_orders[number][i]) continue;
                key.push_back(program.terms.argument(program.fluents[ground::index(fluent)], i));
            }
            return kinds[key];
        };
        for (const Fluent fluent : families[number].members) {
            Mean& mean = kind_of(fluent);
            mean.sum += static_cast<double>(samples.holding(fluent).count());
            mean.count += static_cast<double>(samples.size());
        }
        for (const Fluent fluent : families[number].members) {
            const Mean& mean = kind_of(fluent);
            often[ground::index(fluent)] = mean.sum / mean.count;
            orders[ground::index(fluent)] = &argument_orders[number];
        }
    }
}

FluentGraph::FluentGraph(const RuleIndex& index, const FluentKinds& kinds, const machine::Stop& stop)
    : sources_(index.program().fluents.size()) {
    Coverer coverer(index, kinds);
    for (std::uint32_t i = 0; i < sources_.size(); ++i) {
        if (stop.now()) {
            for (std::uint32_t rest = i; rest < sources_.size(); ++rest) sources_[rest].from_nowhere = true;
            return;
        }
        ++complete_;
        if (index.program().next[i] == Atom::none) continue;
        for (const std::uint32_t source : coverer.of(Fluent{i})) {
            if (source == coverer.nowhere()) {
                sources_[i].from_nowhere = true;
            } else {
                sources_[i].fluents.push_back(Fluent{source});
            }
        }
    }
}

std::size_t FluentGraph::edges() const {
    std::size_t sum = 0;
    for (const Sources& one : sources_) sum += one.fluents.size() + (one.from_nowhere ? 1 : 0);
    return sum;
}

std::vector<std::uint16_t> FluentGraph::distances_to(Fluent target) const {
    std::vector<std::uint16_t> table(sources_.size() + 1, never);
    std::deque<std::uint32_t> queue{ground::index(target)};
    table[ground::index(target)] = 0;
    while (!queue.empty()) {
        const std::uint32_t at = queue.front();
        queue.pop_front();
        const auto further = static_cast<std::uint16_t>(std::min<int>(table[at] + 1, never - 1));
        const auto reach = [&](std::uint32_t from) {
            if (table[from] != never) return;
            table[from] = further;
            if (from < sources_.size()) queue.push_back(from);
        };
        for (const Fluent from : sources_[at].fluents) reach(ground::index(from));
        if (sources_[at].from_nowhere) reach(static_cast<std::uint32_t>(sources_.size()));
    }
    return table;
}

std::uint16_t FluentGraph::distance(const machine::State& state, std::span<const std::uint16_t> table) {
    std::uint16_t least = table.back();
    state.for_each([&](Fluent fluent) { least = std::min(least, table[ground::index(fluent)]); });
    return least;
}

}  // namespace stratagem::analysis
