#include "analysis/orders.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "gdl/print.h"
#include "machine/interpreter/interpreter.h"
#include "machine/interpreter/query.h"
#include "machine/limits.h"

namespace stratagem::analysis {

namespace {

constexpr std::size_t most_pairs = 200'000;
constexpr std::size_t fewest_elements = 3;
constexpr std::uint32_t shortest_chain = 2;  // steps: less is a table rather than an order
constexpr double seconds_for_relation = 0.5;
constexpr std::size_t facts_for_relation = 200'000;  // where there is no clock

using Predicate = std::pair<gdl::Symbol, std::uint32_t>;

// Relations with two arguments that do not depend on the state.
std::vector<gdl::Symbol> static_relations(const gdl::Description& description) {
    const gdl::TermPool& terms = description.terms;
    const auto key = [&](gdl::Term atom) { return Predicate(terms.symbol(atom), terms.arity(atom)); };
    std::map<Predicate, std::set<Predicate>> below;
    for (const gdl::Rule& rule : description.rules) {
        std::set<Predicate>& needs = below[key(rule.head)];
        for (const gdl::Literal& literal : rule.body) {
            gdl::for_each_atom(literal, true, [&](const gdl::Literal& atom, bool) {
                if (atom.kind == gdl::Literal::Kind::atom) needs.insert(key(atom.atom));
            });
        }
    }
    const auto name = [&](const Predicate& one) { return terms.symbols().name(one.first); };
    std::map<Predicate, std::vector<Predicate>> above;
    std::set<Predicate> dynamic;
    std::vector<Predicate> open;
    for (const auto& [head, needs] : below) {
        for (const Predicate& one : needs) {
            above[one].push_back(head);
            if (name(one) == "true" || name(one) == "does") open.push_back(head);
        }
    }
    while (!open.empty()) {
        const Predicate one = open.back();
        open.pop_back();
        if (!dynamic.insert(one).second) continue;
        const auto users = above.find(one);
        if (users != above.end()) open.insert(open.end(), users->second.begin(), users->second.end());
    }
    static constexpr std::string_view keywords[] = {"role", "init",  "next",     "legal", "goal", "terminal",
                                                    "base", "input", "distinct", "sees",  "does"};
    std::vector<gdl::Symbol> result;
    for (const auto& [head, needs] : below) {
        if (head.second != 2 || dynamic.contains(head)) continue;
        if (std::ranges::find(keywords, name(head)) != std::end(keywords)) continue;
        result.push_back(head.first);
    }
    return result;
}

using Pairs = std::set<std::pair<std::string, std::string>>;

// Nothing where it takes too long or is too large.
std::optional<Pairs> extension(machine::Interpreter& interpreter, std::string_view name, const machine::Stop& stop) {
    machine::Limits limits;
    if (stop.deadline.is_never()) {
        limits.max_facts = facts_for_relation;
    } else {
        limits.deadline =
            Deadline::earlier(stop.as_deadline(), Deadline::after(std::chrono::duration_cast<Deadline::Clock::duration>(
                                                      std::chrono::duration<double>(seconds_for_relation))));
    }
    interpreter.set_limits(limits);
    try {
        machine::Query query(interpreter, "(" + std::string(name) + " ?x ?y)");
        if (query.count() > most_pairs) return {};
        const std::vector<gdl::Term> rows = query.solutions();
        Pairs pairs;
        for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
            if (i % 1024 == 0 && stop.now()) return {};
            pairs.emplace(gdl::to_kif(interpreter.terms(), rows[i]), gdl::to_kif(interpreter.terms(), rows[i + 1]));
        }
        return pairs;
    } catch (const std::exception&) {
        return {};  // a relation that cannot be asked about is no order
    }
}

class Maker {
  public:
    explicit Maker(const Pairs& pairs) {
        for (const auto& [a, b] : pairs) {
            if (a == b) continue;  // a reflexive order is an order
            number(a);
            number(b);
        }
        after_.resize(names_.size());
        for (const auto& [a, b] : pairs) {
            if (a != b) after_[numbers_.at(a)].insert(numbers_.at(b));
        }
    }

    // Nothing, too, where there is no more time.
    std::optional<Order> make(std::string_view relation, const machine::Stop& stop) {
        if (names_.size() < fewest_elements || !antisymmetric() || stop.now()) return {};
        const bool successor = functional_and_injective();
        if (!successor && !transitive()) return {};
        if (!cover(stop) || !level() || std::ranges::max(level_) < shortest_chain) return {};
        return finish(relation, successor);
    }

  private:
    std::uint32_t number(const std::string& name) {
        const auto [place, added] = numbers_.emplace(name, static_cast<std::uint32_t>(names_.size()));
        if (added) names_.push_back(name);
        return place->second;
    }
    bool has(std::uint32_t a, std::uint32_t b) const { return after_[a].contains(b); }

    bool antisymmetric() const {
        for (std::uint32_t a = 0; a < after_.size(); ++a) {
            for (const std::uint32_t b : after_[a]) {
                if (has(b, a)) return false;
            }
        }
        return true;
    }
    bool functional_and_injective() const {
        std::vector<std::uint32_t> before(names_.size(), 0);
        for (const auto& set : after_) {
            if (set.size() > 1) return false;
            for (const std::uint32_t b : set) ++before[b];
        }
        return std::ranges::all_of(before, [](std::uint32_t count) { return count <= 1; });
    }
    bool transitive() const {
        for (const auto& set : after_) {
            for (const std::uint32_t b : set) {
                if (!std::ranges::includes(set, after_[b])) return false;
            }
        }
        return true;
    }
    bool cover(const machine::Stop& stop) {
        covering_.resize(after_.size());
        for (std::uint32_t a = 0; a < after_.size(); ++a) {
            if (a % 64 == 0 && stop.now()) return false;
            for (const std::uint32_t b : after_[a]) {
                const bool between =
                    std::ranges::any_of(after_[a], [&](std::uint32_t c) { return c != b && has(c, b); });
                if (!between) covering_[a].push_back(b);
            }
        }
        return true;
    }
    // Longest way from a beginning; false where there is a cycle.
    bool level() {
        std::vector<std::uint32_t> open(names_.size(), 0);
        for (const auto& list : covering_) {
            for (const std::uint32_t b : list) ++open[b];
        }
        level_.assign(names_.size(), 0);
        std::deque<std::uint32_t> queue;
        for (std::uint32_t a = 0; a < open.size(); ++a) {
            if (open[a] == 0) queue.push_back(a);
        }
        std::size_t seen = 0;
        for (; !queue.empty(); ++seen) {
            const std::uint32_t a = queue.front();
            queue.pop_front();
            for (const std::uint32_t b : covering_[a]) {
                level_[b] = std::max(level_[b], level_[a] + 1);
                if (--open[b] == 0) queue.push_back(b);
            }
        }
        return seen == names_.size();
    }
    Order finish(std::string_view relation, bool successor) const {
        Order order;
        order.relation = relation;
        order.kind = successor ? Order::Kind::successor : Order::Kind::order;
        std::vector<std::uint32_t> places(names_.size());
        for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = i;
        std::ranges::sort(places, {}, [&](std::uint32_t i) { return std::pair(level_[i], names_[i]); });
        std::vector<std::uint32_t> place_of(names_.size());
        for (std::uint32_t i = 0; i < places.size(); ++i) {
            place_of[places[i]] = i;
            order.elements.push_back(names_[places[i]]);
            order.place.emplace(names_[places[i]], i);
            order.index.emplace(names_[places[i]], level_[places[i]]);
            order.longest = std::max(order.longest, level_[places[i]]);
        }
        for (const std::uint32_t a : places) {
            order.next.emplace_back();
            for (const std::uint32_t b : covering_[a]) order.next.back().push_back(place_of[b]);
        }
        order.linear = order.longest + 1 == names_.size();
        return order;
    }

    std::map<std::string, std::uint32_t> numbers_;
    std::vector<std::string> names_;
    std::vector<std::set<std::uint32_t>> after_;
    std::vector<std::vector<std::uint32_t>> covering_;
    std::vector<std::uint32_t> level_;
};

}  // namespace

std::optional<std::uint32_t> Order::index_of(const std::string& element) const {
    const auto found = index.find(element);
    return found == index.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> Order::steps(const std::string& from, const std::string& to) const {
    const auto first = place.find(from);
    const auto last = place.find(to);
    if (first == place.end() || last == place.end()) return {};
    const std::uint32_t goal = last->second;
    std::vector<std::uint32_t> distance(elements.size(), 0xFFFFFFFFU);
    std::deque<std::uint32_t> queue{first->second};
    distance[queue.front()] = 0;
    while (!queue.empty()) {
        const std::uint32_t at = queue.front();
        queue.pop_front();
        if (at == goal) return distance[at];
        for (const std::uint32_t further : next[at]) {
            if (distance[further] != 0xFFFFFFFFU) continue;
            distance[further] = distance[at] + 1;
            queue.push_back(further);
        }
    }
    return {};
}

bool Order::follows(const std::string& from, const std::string& to) const {
    const auto first = place.find(from);
    const auto last = place.find(to);
    if (first == place.end() || last == place.end() || first == last) return false;
    return std::ranges::find(next[first->second], last->second) != next[first->second].end();
}

std::vector<Order> find_orders(const gdl::Description& description, const machine::Stop& stop) {
    std::vector<Order> orders;
    const std::vector<gdl::Symbol> relations = static_relations(description);
    if (relations.empty() || stop.now()) return orders;
    machine::Interpreter interpreter(description);
    for (const gdl::Symbol relation : relations) {
        if (stop.now()) break;
        const std::string_view name = description.terms.symbols().name(relation);
        const std::optional<Pairs> pairs = extension(interpreter, name, stop);
        if (!pairs) continue;
        if (std::optional<Order> order = Maker(*pairs).make(name, stop)) orders.push_back(std::move(*order));
    }
    return orders;
}

}  // namespace stratagem::analysis
