#include "evaluate/comparisons.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "evaluate/least_model.h"
#include "ground/made_names.h"
#include "util/contract.h"

namespace stratagem::evaluate {

namespace {

constexpr std::uint32_t any = 0xFFFFFFFFU;
constexpr std::size_t least_rules = 3;
constexpr std::uint32_t most_elements = 1024;
constexpr std::size_t most_bodies = 300'000;  // looked at in all: comparisons are few, and stand near the goals

class Finder {
  public:
    Finder(const analysis::RuleIndex& rules, const analysis::Findings& analysis, const machine::Stop& stop, bool chains)
        : rules_(rules),
          program_(rules.program()),
          orders_(analysis.orders()),
          stop_(stop),
          proved_(program_.fluents.size()),
          seen_(program_.fluents.size()) {
        if (chains) chains_.emplace(rules, stop);
        reached_.assign(program_.atom_count(), false);
        mark_ordered();
        for (std::uint32_t i = 0; i < analysis.groups().size(); ++i) {
            const analysis::Group& group = analysis.groups()[i];
            if (group.verdict != analysis::Verdict::proved || !group.at_most_one) continue;
            for (const ground::Fluent fluent : group.fluents) proved_[ground::index(fluent)].push_back(i);
        }
        for (const analysis::Structure& structure : analysis.structures()) {
            mark_alternatives(structure, analysis.families()[structure.family]);
        }
    }

    std::unique_ptr<const Rewritten> run() {
        auto result = std::make_unique<Rewritten>();
        result->numbers = program_.numbers();
        for (const ground::GoalEntry& goal : program_.goals) reach(goal.atom);
        reach(program_.terminal);
        reach_all();
        find_first();
        // Comparisons ask for atoms that nothing else does, such as numbers that are greater than no other.
        // NOLINTNEXTLINE(modernize-loop-convert): grows meanwhile
        for (std::size_t i = 0; i < heads_.size(); ++i) {
            if (stop_.now()) return nullptr;
            rewrite(heads_[i], *result);
            reach_all();
        }
        if (result->comparisons.empty()) return nullptr;
        return result;
    }

  private:
    // A condition with the values that have an order left open.
    struct Part {
        std::vector<std::uint32_t> key;
        Atom atom = Atom::none;
        auto operator<=>(const Part&) const = default;
    };
    struct Shaped {
        std::size_t body = 0;
        std::vector<Part> parts;
    };
    using Body = std::vector<ground::Condition>;
    // An argument of a condition.
    struct Place {
        std::size_t part = 0;
        std::uint32_t argument = 0;
    };

    void mark_ordered() {
        ordered_.assign(program_.terms.size(), false);
        for (const analysis::Order& order : orders_) {
            if (!order.linear || order.elements.size() > most_elements) continue;
            for (const gdl::Term element : order.elements) {
                // Pairs and more are places rather than numbers.
                if (program_.terms.arity(element) <= 1) ordered_[gdl::index(element)] = true;
            }
        }
    }

    // Fluents that differ in nothing but what the rest of them determines.
    void mark_alternatives(const analysis::Structure& structure, const analysis::Family& family) {
        if (std::ranges::none_of(structure.arguments, &analysis::Argument::output)) return;
        std::map<std::vector<gdl::Term>, std::uint32_t> by_inputs;
        for (const ground::Fluent fluent : family.members) {
            const std::span<const gdl::Term> arguments =
                program_.terms.arguments(program_.fluents[ground::index(fluent)]);
            std::vector<gdl::Term> inputs;
            for (std::size_t i = 0; i < arguments.size(); ++i) {
                if (!structure.arguments[i].output) inputs.push_back(arguments[i]);
            }
            const auto [at, added] = by_inputs.emplace(std::move(inputs), alternatives_);
            if (added) ++alternatives_;
            seen_[ground::index(fluent)].push_back(at->second);
        }
    }

    bool is_derived(Atom atom) const { return ground::index(atom) >= program_.first_derived(); }
    // Of a fluent without the wrapping `true`.
    gdl::Term term(Atom atom) const {
        return is_derived(atom) ? program_.derived[ground::index(atom) - program_.first_derived()]
                                : program_.fluents[ground::index(atom)];
    }

    void reach(Atom atom) {
        if (atom == Atom::none || !is_derived(atom) || ground::index(atom) >= reached_.size()) return;
        if (reached_[ground::index(atom)]) return;
        reached_[ground::index(atom)] = true;
        heads_.push_back(atom);
    }
    // And what they depend on.
    void reach_all() {
        for (; followed_ < heads_.size(); ++followed_) {
            for (const std::uint32_t rule : rules_.rules(heads_[followed_])) {
                for (const ground::Condition condition : program_.body(rule)) reach(condition.atom());
            }
        }
    }

    Part part(ground::Condition condition) const {
        const Atom atom = condition.atom();
        Part result{{condition.positive() ? 0U : 1U, is_derived(atom) ? 0U : 1U}, atom};
        if (!condition.positive()) {
            result.key.push_back(ground::index(atom));
            return result;
        }
        const gdl::Term of = term(atom);
        result.key.push_back(static_cast<std::uint32_t>(program_.terms.symbol(of)));
        for (const gdl::Term argument : program_.terms.arguments(of)) {
            result.key.push_back(ordered_[gdl::index(argument)] ? any : gdl::index(argument));
        }
        return result;
    }

    // A relation that grounding itself made, to join conditions step by step.
    bool is_made(Atom atom) const {
        if (!is_derived(atom) || rules_.recursive(atom)) return false;
        return ground::is_made_name(program_.terms.symbols().name(program_.terms.symbol(term(atom))));
    }

    // The bodies of the rules of a head, made relations replaced by what they stand for; nothing if that is too much.
    std::vector<Body> unfolded(Atom head) const {
        std::vector<Body> open, done;
        for (const std::uint32_t rule : rules_.rules(head)) {
            open.emplace_back(program_.body(rule).begin(), program_.body(rule).end());
        }
        while (!open.empty()) {
            Body body = std::move(open.back());
            open.pop_back();
            const auto made = std::ranges::find_if(
                body, [&](ground::Condition one) { return one.positive() && is_made(one.atom()); });
            if (made == body.end()) {
                std::ranges::sort(body);
                body.erase(std::unique(body.begin(), body.end()), body.end());
                done.push_back(std::move(body));
            } else {
                const Atom atom = made->atom();
                body.erase(made);
                for (const std::uint32_t rule : rules_.rules(atom)) {
                    open.push_back(body);
                    const std::span<const ground::Condition> instead = program_.body(rule);
                    open.back().insert(open.back().end(), instead.begin(), instead.end());
                }
            }
            if (open.size() + done.size() + bodies_ > most_bodies) return {};
        }
        std::ranges::reverse(done);
        std::erase_if(done, [&](const Body& body) { return excluded(body, proved_); });
        return done;
    }

    // Two fluents of one group. Pre: sorted, no condition twice.
    bool excluded(const Body& body, const std::vector<std::vector<std::uint32_t>>& groups) const {
        STRATAGEM_EXPECTS(std::ranges::adjacent_find(body, std::ranges::greater_equal{}) == body.end());
        std::vector<std::uint32_t> seen;
        for (const ground::Condition condition : body) {
            if (!condition.positive() || ground::index(condition.atom()) >= groups.size()) continue;
            const std::vector<std::uint32_t>& own = groups[ground::index(condition.atom())];
            if (std::ranges::find_first_of(own, seen) != own.end()) return true;
            seen.insert(seen.end(), own.begin(), own.end());
        }
        return false;
    }

    // Copies the rules of a head; of those that compare, one rule stands for all.
    void rewrite(Atom head, Rewritten& into) {
        if (!rules_.recursive(head) && take_groups(head, into)) return;
        for (const std::uint32_t rule : rules_.rules(head)) into.rules.add_rule(head, program_.body(rule));
    }

    bool take_groups(Atom head, Rewritten& into) {
        const std::vector<Body> bodies = unfolded(head);
        bodies_ += bodies.size();
        if (bodies.size() < least_rules) return false;
        std::map<std::vector<std::vector<std::uint32_t>>, std::vector<Shaped>> by_shape;
        std::vector<Body> never_seen;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (excluded(bodies[i], seen_)) {
                never_seen.push_back(bodies[i]);
                continue;
            }
            Shaped shaped{i, {}};
            for (const ground::Condition condition : bodies[i]) shaped.parts.push_back(part(condition));
            std::ranges::sort(shaped.parts);
            std::vector<std::vector<std::uint32_t>> shape;
            for (const Part& one : shaped.parts) shape.push_back(one.key);
            by_shape[std::move(shape)].push_back(std::move(shaped));
        }
        std::vector<bool> taken(bodies.size(), false);
        bool any_taken = false;
        for (const auto& [shape, group] : by_shape) {
            if (group.size() < least_rules || !take(head, bodies[group.front().body], group, into)) continue;
            for (const Shaped& one : group) taken[one.body] = true;
            any_taken = true;
        }
        if (!any_taken) return false;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (!taken[i] && !excluded(bodies[i], seen_)) into.rules.add_rule(head, bodies[i]);
        }
        if (!never_seen.empty()) add_never_seen(head, never_seen, into);
        return true;
    }

    gdl::Term value(const Shaped& rule, Place place) const {
        return program_.terms.argument(term(rule.parts[place.part].atom), place.argument);
    }

    // The arguments in which the rules differ.
    std::vector<Place> differing(const std::vector<Shaped>& group) const {
        std::vector<Place> result;
        const Shaped& first = group.front();
        for (std::size_t i = 0; i < first.parts.size(); ++i) {
            const bool negative = first.parts[i].key[0] != 0;
            const std::uint32_t arity = negative ? 0 : program_.terms.arity(term(first.parts[i].atom));
            for (std::uint32_t k = 0; k < arity; ++k) {
                const Place place{i, k};
                const bool same = std::ranges::all_of(
                    group, [&](const Shaped& one) { return value(one, place) == value(first, place); });
                if (!same) result.push_back(place);
            }
        }
        return result;
    }

    // The smaller the better; of one size rather a successor relation, which goes upwards more often than an order.
    static std::pair<std::size_t, bool> rank(const analysis::Order& order) {
        return {order.elements.size(), order.kind == analysis::Order::Kind::order};
    }

    // The least of the orders that know all values there.
    const analysis::Order* common_order(const std::vector<Shaped>& group, std::span<const Place> places) const {
        const analysis::Order* best = nullptr;
        for (const analysis::Order& order : orders_) {
            if (!order.linear || order.elements.size() > most_elements) continue;
            if (best != nullptr && rank(*best) <= rank(order)) continue;
            const bool knows = std::ranges::all_of(group, [&](const Shaped& one) {
                return std::ranges::all_of(places, [&](Place place) { return order.knows(value(one, place)); });
            });
            if (knows) best = &order;
        }
        return best;
    }

    static std::uint32_t position(const analysis::Order& order, gdl::Term of) {
        return order.index_of(of).value_or(Comparison::none);
    }

    bool take(Atom head, const Body& like, const std::vector<Shaped>& group, Rewritten& into) {
        std::vector<Place> places = differing(group);
        if (places.size() != 2) return false;
        const analysis::Order* order = common_order(group, places);
        if (order == nullptr) return false;
        Comparison made;
        made.size = static_cast<std::uint32_t>(order->elements.size());
        if (!find_pairs(group, *order, places, made)) return false;
        find_inputs(group.front(), *order, places, made);
        if (made.equality && !are_numbers(made)) return false;
        // Equal numbers also join the steps of a count, where there is nothing to guess.
        if (chains_ && !made.equality) find_chains(*order, made);
        const Atom atom = add_comparison(std::move(made), into);
        Body body{ground::Condition(atom)};  // and what its rules have in common
        for (const ground::Condition condition : like) {
            const bool compared = std::ranges::any_of(places, [&](Place place) {
                return condition.positive() && group.front().parts[place.part].atom == condition.atom();
            });
            if (!compared) body.push_back(condition);
        }
        into.rules.add_rule(head, body);
        return true;
    }

    static Atom add_atom(Rewritten& into) {
        const Atom atom{into.numbers.count++};
        into.comparison_of.push_back(Comparison::none);
        return atom;
    }

    static Atom add_comparison(Comparison made, Rewritten& into) {
        const Atom atom = made.atom = add_atom(into);
        into.rules.add_rule(atom, Body{ground::Condition(atom)});
        into.comparison_of.back() = static_cast<std::uint32_t>(into.comparisons.size());
        into.comparisons.push_back(std::move(made));
        return atom;
    }

    // A comparison that holds if any of the bodies does.
    static void add_never_seen(Atom head, const std::vector<Body>& bodies, Rewritten& into) {
        const Atom any_of = add_atom(into);
        for (const Body& body : bodies) into.rules.add_rule(any_of, body);
        Comparison made;
        made.equality = true;
        made.size = 1;
        made.inputs.push_back({any_of, 0, 0});
        made.pairs.push_back(true);
        into.rules.add_rule(head, Body{ground::Condition(add_comparison(std::move(made), into))});
    }

    // Whether the pairs are those of a comparison; puts the greater side first.
    bool find_pairs(const std::vector<Shaped>& group, const analysis::Order& order, std::vector<Place>& places,
                    Comparison& made) const {
        bool greater = true, less = true, equal = true;
        for (const Shaped& one : group) {
            const std::uint32_t left = position(order, value(one, places[0]));
            const std::uint32_t right = position(order, value(one, places[1]));
            greater = greater && left >= right;
            less = less && left <= right;
            equal = equal && left == right;
        }
        if (!greater && !less) return false;
        made.equality = equal;
        if (!greater) std::swap(places[0], places[1]);
        made.pairs.assign(std::size_t{made.size} * made.size, false);
        std::vector<bool> lefts(made.size, false), rights(made.size, false);
        std::size_t count = 0;
        bool with_equal = false;
        for (const Shaped& one : group) {
            const std::uint32_t left = position(order, value(one, places[0]));
            const std::uint32_t right = position(order, value(one, places[1]));
            if (!made.pairs[left * made.size + right]) ++count;
            made.pairs[left * made.size + right] = true;
            lefts[left] = rights[right] = true;
            with_equal = with_equal || left == right;
        }
        if (count < group.size()) return false;  // rules that differ in something else
        if (places[0].part == places[1].part) return true;
        // Atoms of their own for both sides: every pair that could be there has to be.
        std::size_t expected = 0;
        for (std::uint32_t left = 0; left < made.size; ++left) {
            for (std::uint32_t right = 0; right <= left; ++right) {
                if (!lefts[left] || !rights[right]) continue;
                if (left == right ? with_equal : !equal) ++expected;
            }
        }
        return count == expected;
    }

    // All atoms that could stand in the place of those compared.
    void find_inputs(const Shaped& rule, const analysis::Order& order, const std::vector<Place>& places,
                     Comparison& made) {
        if (by_functor_.empty()) index_atoms();
        const bool together = places[0].part == places[1].part;
        for (std::size_t side = 0; side < (together ? 1U : 2U); ++side) {
            const Part& like = rule.parts[places[side].part];
            const gdl::Term pattern = term(like.atom);
            const std::vector<std::uint32_t> key{is_derived(like.atom) ? 0U : 1U,
                                                 static_cast<std::uint32_t>(program_.terms.symbol(pattern)),
                                                 program_.terms.arity(pattern)};
            for (const Atom atom : by_functor_[key]) {
                const gdl::Term candidate = term(atom);
                bool fits = true;
                for (std::uint32_t k = 0; k < program_.terms.arity(pattern) && fits; ++k) {
                    const bool open = k == places[side].argument || (together && k == places[1].argument);
                    fits = open || program_.terms.argument(candidate, k) == program_.terms.argument(pattern, k);
                }
                if (!fits) continue;
                Comparison::Input input{atom, Comparison::none, Comparison::none};
                const std::uint32_t at = position(order, program_.terms.argument(candidate, places[side].argument));
                (side == 0 ? input.left : input.right) = at;
                if (together) input.right = position(order, program_.terms.argument(candidate, places[1].argument));
                const bool known = at != Comparison::none && (!together || input.right != Comparison::none);
                if (!known) continue;
                made.inputs.push_back(input);
                reach(atom);
            }
        }
    }

    // How both sides are counted.
    void find_chains(const analysis::Order& order, Comparison& made) {
        std::vector<std::uint32_t>& places = places_[&order];
        if (places.empty()) {
            places.assign(program_.terms.size(), Comparison::none);
            for (const gdl::Term element : order.elements) places[gdl::index(element)] = position(order, element);
        }
        const auto chain = [&](std::uint32_t Comparison::Input::*side) {
            std::vector<Counted> says;
            for (const Comparison::Input& input : made.inputs) {
                if (input.*side != Comparison::none) says.push_back({input.atom, input.*side});
            }
            return chains_->find(says, places);
        };
        made.left_chain = chain(&Comparison::Input::left);
        made.right_chain = chain(&Comparison::Input::right);
        for (const CountingChain* one : {&made.left_chain, &made.right_chain}) {
            for (const ground::Condition condition : one->conditions) reach(condition.atom());
        }
    }

    // Whether each side is one number, as far as the first state tells: equal values also join conditions that have
    // nothing to do with numbers, such as two pieces in one column.
    bool are_numbers(const Comparison& made) const {
        std::size_t lefts = 0, rights = 0;
        for (const Comparison::Input& input : made.inputs) {
            if (!at_first_[ground::index(input.atom)]) continue;
            lefts += input.left != Comparison::none ? 1 : 0;
            rights += input.right != Comparison::none ? 1 : 0;
        }
        return lefts == 1 && rights == 1;
    }

    // What holds in the first state.
    void find_first() {
        machine::State initial(program_.fluents.size());
        for (const ground::Fluent fluent : program_.initial) initial.insert(fluent);
        const LeastModel model(rules_, heads_);
        LeastModel::Memory memory = model.make_memory();
        model.settle(initial, memory);
        at_first_.assign(program_.atom_count(), false);
        for (std::size_t i = 0; i < heads_.size(); ++i) at_first_[ground::index(heads_[i])] = model.holds(memory, i);
        initial.for_each([&](ground::Fluent fluent) { at_first_[ground::index(fluent)] = true; });
    }

    void index_atoms() {
        for (std::uint32_t i = 0; i < program_.atom_count(); ++i) {
            if (i >= program_.first_move_atom() && i < program_.first_derived()) continue;
            const gdl::Term of = term(Atom{i});
            by_functor_[{is_derived(Atom{i}) ? 0U : 1U, static_cast<std::uint32_t>(program_.terms.symbol(of)),
                         program_.terms.arity(of)}]
                .push_back(Atom{i});
        }
    }

    const analysis::RuleIndex& rules_;
    const ground::Program& program_;
    std::span<const analysis::Order> orders_;
    const machine::Stop& stop_;
    // By fluent: groups of which at most one holds, proved or as far as was seen.
    std::vector<std::vector<std::uint32_t>> proved_, seen_;
    std::uint32_t alternatives_ = 0;
    std::vector<bool> ordered_;   // by term
    std::vector<bool> at_first_;  // by atom: holds in the first state, of those that goals and the end need
    std::vector<bool> reached_;   // by atom
    std::vector<Atom> heads_;     // reached
    std::size_t followed_ = 0;    // how many of them
    std::size_t bodies_ = 0;      // looked at so far
    std::map<std::vector<std::uint32_t>, std::vector<Atom>> by_functor_;
    std::optional<ChainFinder> chains_;                                    // where they are asked for
    std::map<const analysis::Order*, std::vector<std::uint32_t>> places_;  // by term
};

}  // namespace

std::unique_ptr<const Rewritten> take_out_comparisons(const analysis::RuleIndex& rules,
                                                      const analysis::Findings& analysis, const machine::Stop& stop,
                                                      bool chains) {
    return Finder(rules, analysis, stop, chains).run();
}

}  // namespace stratagem::evaluate
