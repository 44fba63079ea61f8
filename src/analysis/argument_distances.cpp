#include "analysis/argument_distances.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <tuple>
#include <unordered_map>

namespace stratagem::analysis {

namespace {

constexpr std::size_t most_rules = 4;       // of a derived atom that is looked into
constexpr std::size_t deepest = 3;          // derived atoms inside each other
constexpr std::size_t most_values = 2'000;  // of an argument with a table of distances

// What a rule rests on, looking through derived atoms and the conditions of moves.
struct Grounds {
    std::vector<Fluent> fluents;
    std::vector<Role> movers;
};

class Reader {
  public:
    explicit Reader(const RuleIndex& index) : index_(index), program_(index.program()) {}

    const Grounds& read(std::uint32_t rule) {
        grounds_.fluents.clear();
        grounds_.movers.clear();
        look(rule, 0);
        sort_unique(grounds_.fluents);
        sort_unique(grounds_.movers);
        return grounds_;
    }

  private:
    template <typename T>
    static void sort_unique(std::vector<T>& list) {
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }

    void look(std::uint32_t rule, std::size_t depth) {
        for (const ground::Condition condition : program_.body(rule)) {
            if (!condition.positive()) continue;
            const std::uint32_t atom = ground::index(condition.atom());
            if (atom < program_.first_move_atom()) {
                grounds_.fluents.push_back(Fluent{atom});
            } else if (atom < program_.first_derived()) {
                const std::uint32_t move = atom - program_.first_move_atom();
                grounds_.movers.push_back(program_.moves[move].role);
                look_into(program_.legal[move], depth);
            } else {
                look_into(condition.atom(), depth);
            }
        }
    }
    void look_into(Atom atom, std::size_t depth) {
        if (atom == Atom::none || depth == deepest) return;
        const std::span<const std::uint32_t> rules = index_.rules(atom);
        if (rules.size() > most_rules) return;
        for (const std::uint32_t rule : rules) look(rule, depth + 1);
    }

    const RuleIndex& index_;
    const ground::Program& program_;
    Grounds grounds_;
};

}  // namespace

// Gathers by what steps fluents of a family come from each other, then chooses the orders that these steps follow.
class ArgumentMeasurer {
  public:
    ArgumentMeasurer(ArgumentDistances& result, const RuleIndex& index, std::span<const Family> families,
                     std::span<const Order> orders, const ArgumentOrders& argument_orders)
        : result_(result),
          index_(index),
          program_(index.program()),
          orders_(orders),
          argument_orders_(argument_orders) {
        result_.numbers_.resize(program_.fluents.size());
        result_.moved_by_.assign(program_.roles.size(), std::vector<bool>(program_.fluents.size()));
        for (std::uint32_t i = 0; i < families.size(); ++i) add_family(i, families[i]);
    }

    void run(const machine::Stop& stop) {
        Reader reader(index_);
        for (std::uint32_t i = 0; i < program_.fluents.size(); ++i) {
            if (program_.next[i] == Atom::none) continue;
            if (stop.now()) return;  // half of the steps would show half of the directions
            for (const std::uint32_t rule : index_.rules(program_.next[i])) gather(reader.read(rule), Fluent{i});
        }
        for (std::size_t family = 0; family < candidates_.size(); ++family) {
            for (std::size_t argument = 0; argument < candidates_[family].size(); ++argument) choose(family, argument);
            for (const auto& one : result_.families_[family].arguments) {
                result_.families_[family].longest += one.longest;
            }
        }
    }

  private:
    // An order that knows all values of an argument.
    struct Candidate {
        std::size_t order = 0;
        std::vector<std::uint32_t> level;  // by value
        std::size_t steps = 0;             // between neighbours, that rules make
        bool up = false, down = false;     // ways in which rules lead
    };

    void add_family(std::uint32_t number, const Family& family) {
        ArgumentDistances::FamilyMeasure measure{family.members, family.values, {}, 0};
        candidates_.emplace_back(family.arity);
        for (std::uint32_t argument = 0; argument < family.arity; ++argument) {
            measure.arguments.push_back({{}, family.values[argument].size(), {}, 0});
            if (family.values[argument].size() > most_values) continue;
            for (std::size_t order = 0; order < orders_.size(); ++order) consider(number, argument, family, order);
        }
        for (const Fluent fluent : family.members) {
            ArgumentDistances::Numbers& numbers = result_.numbers_[ground::index(fluent)];
            numbers.family = number;
            const gdl::Term term = program_.fluents[ground::index(fluent)];
            for (std::uint32_t i = 0; i < family.arity; ++i) {
                const auto place = std::ranges::find(family.values[i], program_.terms.argument(term, i));
                numbers.values.push_back(static_cast<std::uint16_t>(place - family.values[i].begin()));
            }
        }
        result_.families_.push_back(std::move(measure));
    }

    void consider(std::uint32_t family, std::uint32_t argument, const Family& values, std::size_t order) {
        Candidate candidate;
        candidate.order = order;
        for (const gdl::Term value : values.values[argument]) {
            const std::optional<std::uint32_t> level = orders_[order].index_of(value);
            if (!level) return;
            candidate.level.push_back(*level);
        }
        candidates_[family][argument].push_back(std::move(candidate));
    }

    // Fluents of the same family that agree in arguments without an order: steps from one to the other.
    void gather(const Grounds& grounds, Fluent to) {
        const ArgumentDistances::Numbers& after = result_.numbers_[ground::index(to)];
        for (const Fluent from : grounds.fluents) {
            const ArgumentDistances::Numbers& before = result_.numbers_[ground::index(from)];
            if (from == to || before.family != after.family) continue;
            auto& candidates = candidates_[before.family];
            bool alike = true;
            for (std::size_t i = 0; i < before.values.size(); ++i) {
                alike = alike && (before.values[i] == after.values[i] || !candidates[i].empty());
            }
            if (!alike) continue;
            for (std::size_t i = 0; i < before.values.size(); ++i) {
                for (Candidate& one : candidates[i]) step(one, before.values[i], after.values[i]);
            }
            for (const Role role : grounds.movers) result_.moved_by_[ground::index(role)][ground::index(from)] = true;
        }
    }

    static void step(Candidate& candidate, std::uint16_t from, std::uint16_t to) {
        const std::uint32_t a = candidate.level[from];
        const std::uint32_t b = candidate.level[to];
        candidate.up = candidate.up || a < b;
        candidate.down = candidate.down || a > b;
        if (a + 1 == b || b + 1 == a) ++candidate.steps;
    }

    // The order most steps follow; of several, the one that knows fewest other elements. Where these are several too,
    // as on boards whose directions are orders of their own, they are walked along together: to choose one of them
    // would be to go by its name.
    void choose(std::size_t family, std::size_t argument) {
        const std::vector<Candidate>& candidates = candidates_[family][argument];
        const auto rank = [&](const Candidate& one) {
            return std::tuple(one.steps, -static_cast<std::ptrdiff_t>(orders_[one.order].elements.size()));
        };
        std::vector<const Candidate*> best;
        for (const Candidate& one : candidates) {
            if (one.steps == 0 || (!best.empty() && rank(one) < rank(*best.front()))) continue;
            if (!best.empty() && rank(one) > rank(*best.front())) best.clear();
            const bool preferred = argument_orders_.of(family, argument) == one.order;
            best.insert(preferred ? best.begin() : best.end(), &one);
        }
        if (!best.empty()) measure(result_.families_[family], argument, best);
    }

    void measure(ArgumentDistances::FamilyMeasure& family, std::size_t argument,
                 std::span<const Candidate* const> candidates) {
        ArgumentDistances::Measure& result = family.arguments[argument];
        result.order = candidates.front()->order;
        result.steps.assign(result.values * result.values, ArgumentDistances::never);
        std::unordered_map<gdl::Term, std::uint32_t> place_of = orders_[*result.order].place_of;
        std::vector<std::vector<std::uint32_t>> ways(place_of.size());
        for (const Candidate* candidate : candidates) {
            const Order& order = orders_[candidate->order];
            std::vector<std::uint32_t> places;  // of its elements
            for (const gdl::Term element : order.elements) {
                const auto [place, added] = place_of.emplace(element, static_cast<std::uint32_t>(ways.size()));
                if (added) ways.emplace_back();
                places.push_back(place->second);
            }
            for (std::uint32_t a = 0; a < order.next.size(); ++a) {
                for (const std::uint32_t b : order.next[a]) {
                    if (candidate->up) ways[places[a]].push_back(places[b]);
                    if (candidate->down) ways[places[b]].push_back(places[a]);
                }
            }
        }
        std::vector<std::uint32_t> place;  // by value
        for (const gdl::Term value : family.values[argument]) place.push_back(place_of.at(value));
        for (std::size_t from = 0; from < result.values; ++from) {
            const std::vector<std::uint16_t> steps = walk(ways, place[from]);
            for (std::size_t to = 0; to < result.values; ++to) {
                const std::uint16_t here = steps[place[to]];
                result.steps[from * result.values + to] = here;
                if (here != ArgumentDistances::never) result.longest = std::max(result.longest, here);
            }
        }
    }

    static std::vector<std::uint16_t> walk(const std::vector<std::vector<std::uint32_t>>& ways, std::uint32_t start) {
        std::vector<std::uint16_t> steps(ways.size(), ArgumentDistances::never);
        std::deque<std::uint32_t> queue{start};
        steps[start] = 0;
        for (; !queue.empty(); queue.pop_front()) {
            for (const std::uint32_t further : ways[queue.front()]) {
                if (steps[further] != ArgumentDistances::never) continue;
                steps[further] = static_cast<std::uint16_t>(steps[queue.front()] + 1);
                queue.push_back(further);
            }
        }
        return steps;
    }

    ArgumentDistances& result_;
    const RuleIndex& index_;
    const ground::Program& program_;
    std::span<const Order> orders_;
    const ArgumentOrders& argument_orders_;
    std::vector<std::vector<std::vector<Candidate>>> candidates_;  // by family and argument
};

ArgumentDistances::ArgumentDistances(const RuleIndex& index, std::span<const Family> families,
                                     std::span<const Order> orders, const ArgumentOrders& argument_orders,
                                     const machine::Stop& stop) {
    ArgumentMeasurer(*this, index, families, orders, argument_orders).run(stop);
}

bool ArgumentDistances::measured(std::size_t family) const { return families_[family].longest > 0; }

std::optional<std::size_t> ArgumentDistances::order(std::size_t family, std::uint32_t argument) const {
    return families_[family].arguments[argument].order;
}

std::uint32_t ArgumentDistances::longest(std::size_t family) const { return families_[family].longest; }

std::uint32_t ArgumentDistances::steps(const FamilyMeasure& family, const Numbers& from,
                                       std::span<const std::optional<std::uint16_t>> to) const {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (!to[i] || *to[i] == from.values[i]) continue;
        const Measure& measure = family.arguments[i];
        if (!measure.order) return never;
        const std::uint16_t here = measure.steps[from.values[i] * measure.values + *to[i]];
        if (here == never) return never;
        sum += here;
    }
    return std::min<std::uint32_t>(sum, never);
}

std::optional<std::uint32_t> ArgumentDistances::distance(Fluent from, Fluent to) const {
    const Numbers& before = numbers_[ground::index(from)];
    const Numbers& after = numbers_[ground::index(to)];
    if (before.family != after.family) return {};
    const std::vector<std::optional<std::uint16_t>> values(after.values.begin(), after.values.end());
    const std::uint32_t result = steps(families_[before.family], before, values);
    return result == never ? std::nullopt : std::optional(result);
}

std::optional<std::uint32_t> ArgumentDistances::between(Fluent one, Fluent other) const {
    const std::optional<std::uint32_t> there = distance(one, other);
    const std::optional<std::uint32_t> back = distance(other, one);
    if (!there || !back) return there ? there : back;
    return std::min(*there, *back);
}

std::optional<std::uint32_t> ArgumentDistances::distance(const machine::State& state,
                                                         const FluentPattern& target) const {
    const FamilyMeasure& family = families_[target.family];
    std::vector<std::optional<std::uint16_t>> values;
    for (std::size_t i = 0; i < target.arguments.size(); ++i) {
        values.emplace_back();
        if (!target.arguments[i]) continue;
        const auto place = std::ranges::find(family.values[i], *target.arguments[i]);
        if (place == family.values[i].end()) return {};  // never holds
        values.back() = static_cast<std::uint16_t>(place - family.values[i].begin());
    }
    std::uint32_t nearest = never;
    for (const Fluent fluent : family.members) {
        if (!state.holds(fluent)) continue;
        nearest = std::min(nearest, steps(family, numbers_[ground::index(fluent)], values));
        if (nearest == 0) break;
    }
    return nearest == never ? std::nullopt : std::optional(nearest);
}

bool ArgumentDistances::complete(std::span<const Fluent> goals) const {
    std::vector<Fluent> sorted(goals.begin(), goals.end());
    std::ranges::sort(sorted);
    return std::ranges::all_of(sorted, [&](Fluent goal) {
        const FamilyMeasure& family = families_[numbers_[ground::index(goal)].family];
        return std::ranges::all_of(family.members, [&](Fluent other) {
            return std::ranges::binary_search(sorted, other) || !between(other, goal);
        });
    });
}

bool ArgumentDistances::moved_by(Fluent fluent, Role role) const {
    return moved_by_[ground::index(role)][ground::index(fluent)];
}

}  // namespace stratagem::analysis
