#include "analysis/fluent_graph.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "util/contract.h"

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
    Coverer(const RuleIndex& index, const FluentKinds& kinds, const machine::Stop& stop)
        : index_(index),
          kinds_(kinds),
          stop_(stop),
          program_(index.program()),
          nowhere_(static_cast<std::uint32_t>(program_.fluents.size())),
          stamp_(program_.atom_count(), 0),
          cover_(program_.atom_count()),
          similar_(program_.fluents.size()),
          similar_stamp_(program_.fluents.size(), 0),
          in_cover_(program_.fluents.size() + 1, 0) {}

    // Of the fluent's next atom. Pre: it has one. Null where time or the work for all of them is used up.
    const Cover* of(Fluent target) {
        STRATAGEM_EXPECTS(program_.next[ground::index(target)] != Atom::none);
        target_ = program_.fluents[ground::index(target)];
        ++round_;
        const Atom top = representative(program_.next[ground::index(target)]);
        // Depth first without recursion: an atom is computed when all it needs is.
        stack_.assign(1, top);
        while (!stack_.empty()) {
            const Atom atom = stack_.back();
            if (done(atom) || !push_needed(atom)) {
                if (!done(atom)) compute(atom);
                stack_.pop_back();
            }
            if (over()) return nullptr;
        }
        return &cover_[ground::index(top)];
    }

    std::uint32_t nowhere() const { return nowhere_; }

  private:
    std::uint32_t class_of(std::uint32_t rule) const {
        return kinds_.neutral ? kinds_.neutral->class_of_rule(rule) : rule;
    }
    // In rules and sources looked at. The clock is looked at now and then.
    bool over() {
        constexpr std::size_t between_looks = 100'000;
        if (stop_.deadline.is_never() && work_ > most_work) over_ = true;
        if (!over_ && work_ - looked_ >= between_looks) {
            looked_ = work_;
            over_ = stop_.now();
        }
        return over_;
    }

    bool done(Atom atom) const { return stamp_[ground::index(atom)] == round_ || for_all(atom); }
    // The cover is the same for all targets: no choice in it was made by what is most similar.
    bool for_all(Atom atom) const { return stamp_[ground::index(atom)] == all_rounds; }
    bool is_fluent(Atom atom) const { return ground::index(atom) < program_.first_move_atom(); }
    bool is_move(Atom atom) const { return !is_fluent(atom) && ground::index(atom) < program_.first_derived(); }

    // What a condition leads to: moves are as good as what makes them legal.
    Atom meant(Atom atom) const {
        if (is_fluent(atom)) return atom;
        if (!is_move(atom)) return representative(atom);
        const Atom legal = program_.legal[ground::index(atom) - program_.first_move_atom()];
        return legal == Atom::none ? legal : representative(legal);
    }
    // All atoms of a circle have one cover, which is computed for the first of them.
    Atom representative(Atom atom) const {
        return index_.recursive(atom) ? index_.circles()[index_.circle(atom)].front() : atom;
    }

    template <typename Visitor>
    void for_each_rule(Atom atom, Visitor&& visit) {
        rules_.clear();
        if (!index_.recursive(atom)) {
            work_ += index_.rules(atom).size() + 1;
            rules_.assign(index_.rules(atom).begin(), index_.rules(atom).end());
        } else {
            // Whatever holds up one atom of a circle rests on a rule without the others.
            for (const Atom other : index_.circles()[index_.circle(atom)]) {
                work_ += index_.rules(other).size() + 1;
                for (const std::uint32_t rule : index_.rules(other)) {
                    if (!within(rule, index_.circle(atom))) rules_.push_back(rule);
                }
            }
        }
        std::ranges::sort(rules_, {}, [&](std::uint32_t rule) { return class_of(rule); });
        for (const std::uint32_t rule : rules_) visit(rule);
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
        by_target_ = false;
        ++mark_;
        std::uint32_t last = 0;
        waiting_.clear();
        const auto add_waiting = [&] {
            for (const std::uint32_t source : waiting_) {
                if (std::exchange(in_cover_[source], mark_) != mark_) cover.push_back(source);
            }
            waiting_.clear();
        };
        for_each_rule(atom, [&](std::uint32_t rule) {
            if (over()) return;
            // What rules that are alike bring is new to all of them.
            if (class_of(rule) != std::exchange(last, class_of(rule))) add_waiting();
            const Cover& best = best_part(rule);
            waiting_.insert(waiting_.end(), best.begin(), best.end());
        });
        add_waiting();
        std::ranges::sort(cover);
        stamp_[ground::index(atom)] = by_target_ ? round_ : all_rounds;
    }

    // Of the conditions of the rule. Sources that are in the cover already cost nothing.
    const Cover& best_part(std::uint32_t rule) {
        bool any = false;
        Score best_score;
        conditions_.clear();
        for (const ground::Condition condition : program_.body(rule)) {
            if (condition.positive()) conditions_.push_back(condition.atom());
        }
        if (kinds_.neutral) std::ranges::sort(conditions_, {}, [&](Atom one) { return kinds_.neutral->class_of(one); });
        for (const Atom condition : conditions_) {
            const Atom below = meant(condition);
            if (below == Atom::none) return nothing_;  // never legal: the rule gives nothing
            if (is_fluent(below)) {
                single_.assign(1, ground::index(below));
            } else if (!for_all(below)) {
                by_target_ = true;
            }
            const Cover& candidate = is_fluent(below) ? single_ : cover_[ground::index(below)];
            if (candidate.empty()) return nothing_;  // nothing can hold there
            work_ += candidate.size();
            const Score here = score(candidate);
            const int compared = any ? compare(here, candidate, best_score, best_) : 1;
            if (compared > 0) {
                best_score = here;
                best_ = candidate;
            } else if (compared == 0 && candidate != best_) {
                both_.clear();
                std::ranges::set_union(best_, candidate, std::back_inserter(both_));
                std::swap(best_, both_);
            }
            any = true;
        }
        return any ? best_ : from_nowhere_;
    }

    int similar(std::uint32_t fluent) {
        if (similar_stamp_[fluent] != round_) {
            similar_stamp_[fluent] = round_;
            similar_[fluent] = weighed(fluent);
        }
        return similar_[fluent];
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
        bool known = false;
        bool nowhere = false;
        double often = 0;  // of the commonest kind among them
    };
    // Pre: the cover is not empty.
    Score score(const Cover& cover) const {
        STRATAGEM_EXPECTS(!cover.empty());
        const auto known = [this](std::uint32_t source) { return in_cover_[source] == mark_; };
        Score result{std::ranges::all_of(cover, known), cover.back() == nowhere_, 0};
        for (const std::uint32_t fluent : fluents_of(cover)) {
            result.often = std::max(result.often, kinds_.often[fluent]);
        }
        return result;
    }
    // Positive: the first is better; 0: both are as good.
    int compare(const Score& of_a, const Cover& a, const Score& of_b, const Cover& b) {
        const auto first_if = [](bool first) { return first ? 1 : -1; };
        if (of_a.known != of_b.known) return first_if(of_a.known);
        if (of_a.nowhere != of_b.nowhere) return first_if(of_b.nowhere);
        if (of_a.often < clearly * of_b.often || of_b.often < clearly * of_a.often) {
            return first_if(of_a.often < of_b.often);
        }
        if (a == b) return 0;
        by_target_ = true;
        const double similar_a = similarity_of(a);
        const double similar_b = similarity_of(b);
        if (similar_a != similar_b) return first_if(similar_a > similar_b);
        return a.size() == b.size() ? 0 : first_if(a.size() < b.size());
    }
    double similarity_of(const Cover& cover) {
        const std::span<const std::uint32_t> fluents = fluents_of(cover);
        double sum = 0;
        for (const std::uint32_t fluent : fluents) sum += similar(fluent);
        return fluents.empty() ? 0 : sum / static_cast<double>(fluents.size());
    }
    std::span<const std::uint32_t> fluents_of(const Cover& cover) const {
        return std::span(cover).first(cover.size() - (cover.back() == nowhere_ ? 1 : 0));
    }

    static constexpr double clearly = 0.8;
    static constexpr std::uint32_t all_rounds = 0xFFFFFFFFU;
    static constexpr std::size_t most_work = 150'000'000;  // without a clock: some seconds

    const RuleIndex& index_;
    const FluentKinds& kinds_;
    const machine::Stop& stop_;
    const ground::Program& program_;
    std::uint32_t nowhere_;
    std::size_t work_ = 0;
    std::size_t looked_ = 0;  // work at the last look at the clock
    bool over_ = false;
    gdl::Term target_{};
    std::uint32_t round_ = 0;
    bool by_target_ = false;            // of the cover that is being computed: it depends on the target
    std::vector<std::uint32_t> stamp_;  // by atom: the round of its cover
    std::vector<Cover> cover_;          // by atom
    std::vector<Atom> stack_;
    std::vector<int> similar_;                  // by fluent: to the target
    std::vector<std::uint32_t> similar_stamp_;  // by fluent: the round of that
    std::vector<std::uint32_t> in_cover_;       // by source: mark of the cover it was last added to
    std::uint32_t mark_ = 0;
    const Cover nothing_;
    const Cover from_nowhere_{nowhere_};
    Cover single_, best_, both_, waiting_;
    std::vector<std::uint32_t> rules_;  // that are being looked at
    std::vector<Atom> conditions_;      // of one of them
};

}  // namespace

FluentKinds::FluentKinds(const ground::Program& program, std::span<const Family> families,
                         const ArgumentOrders& argument_orders, const Samples& samples, const machine::Stop& stop)
    : often(program.fluents.size()), orders(program.fluents.size()), neutral(samples.order()) {
    struct Mean {
        double sum = 0;
        double count = 0;
    };
    for (std::size_t number = 0; number < families.size(); ++number) {
        const auto& known = argument_orders.of_family(number);
        for (const Fluent fluent : families[number].members) orders[ground::index(fluent)] = &known;
    }
    for (std::size_t number = 0; number < families.size(); ++number) {
        std::map<std::vector<gdl::Term>, Mean> kinds;
        std::vector<const Mean*> kind_of;  // by member
        std::vector<gdl::Term> key;
        for (const Fluent fluent : families[number].members) {
            if (kind_of.size() % 1024 == 0 && stop.now()) return;
            key.clear();
            for (std::uint32_t i = 0; i < families[number].arity; ++i) {
                if (argument_orders.of(number, i)) continue;
                key.push_back(program.terms.argument(program.fluents[ground::index(fluent)], i));
            }
            Mean& mean = kinds[key];
            mean.sum += static_cast<double>(samples.holding(fluent).count());
            mean.count += static_cast<double>(samples.size());
            kind_of.push_back(&mean);
        }
        for (std::size_t i = 0; i < kind_of.size(); ++i) {
            often[ground::index(families[number].members[i])] = kind_of[i]->sum / kind_of[i]->count;
        }
    }
    if (!neutral) return;
    // What is alike is as often, though not by chance.
    std::map<std::uint32_t, Mean> alike;
    const auto class_of = [&](std::size_t i) {
        return neutral->class_of(program.atom(Fluent{static_cast<std::uint32_t>(i)}));
    };
    for (std::size_t i = 0; i < often.size(); ++i) {
        Mean& mean = alike[class_of(i)];
        mean.sum += often[i];
        mean.count += 1;
    }
    for (std::size_t i = 0; i < often.size(); ++i) often[i] = alike[class_of(i)].sum / alike[class_of(i)].count;
}

FluentGraph::FluentGraph(const RuleIndex& index, const FluentKinds& kinds, const machine::Stop& stop)
    : sources_(index.program().fluents.size()) {
    Coverer coverer(index, kinds, stop);
    // Each fluent goes through the rules once. Without a clock, as many as some seconds have.
    constexpr std::size_t most_work = 1'000'000'000;  // fluents times rules
    const std::size_t most =
        stop.deadline.is_never() ? most_work / std::max<std::size_t>(1, index.program().rule_count()) : sources_.size();
    for (std::uint32_t i = 0; i < sources_.size(); ++i) {
        const bool no_way = index.program().next[i] == Atom::none;
        const Cover* cover = stop.now() || i >= most || no_way ? nullptr : coverer.of(Fluent{i});
        if (cover == nullptr && !no_way) {
            for (std::size_t rest = i; rest < sources_.size(); ++rest) sources_[rest].from_nowhere = true;
            return;
        }
        ++complete_;
        if (no_way) continue;
        for (const std::uint32_t source : *cover) {
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
