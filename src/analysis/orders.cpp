#include "analysis/orders.h"

#include <algorithm>
#include <deque>
#include <string>

#include "gdl/print.h"

namespace stratagem::analysis {

namespace {

constexpr std::size_t fewest_elements = 3;
constexpr std::uint32_t shortest_chain = 2;  // steps: less is a table rather than an order

class Maker {
  public:
    Maker(const gdl::TermPool& terms, const ground::StaticRelation& relation) : terms_(terms), relation_(relation) {
        for (std::size_t i = 0; i < relation.size(); ++i) {
            const gdl::Term a = relation.tuple(i)[0];
            const gdl::Term b = relation.tuple(i)[1];
            if (a == b) continue;  // a reflexive order is an order
            const std::uint32_t from = number(a);
            const std::uint32_t to = number(b);
            after_[from].push_back(to);
        }
        for (auto& list : after_) std::ranges::sort(list);
    }

    // Nothing, too, where there is no more time.
    std::optional<Order> make(const machine::Stop& stop) {
        if (elements_.size() < fewest_elements || !antisymmetric() || stop.now()) return {};
        const bool successor = functional_and_injective();
        if (!successor && !transitive()) return {};
        if (!cover(stop) || !level() || std::ranges::max(level_) < shortest_chain) return {};
        return finish(successor);
    }

  private:
    std::uint32_t number(gdl::Term element) {
        const auto [place, added] = numbers_.emplace(element, static_cast<std::uint32_t>(elements_.size()));
        if (added) {
            elements_.push_back(element);
            after_.emplace_back();
        }
        return place->second;
    }
    bool has(std::uint32_t a, std::uint32_t b) const { return std::ranges::binary_search(after_[a], b); }

    bool antisymmetric() const {
        for (std::uint32_t a = 0; a < after_.size(); ++a) {
            for (const std::uint32_t b : after_[a]) {
                if (has(b, a)) return false;
            }
        }
        return true;
    }
    bool functional_and_injective() const {
        std::vector<std::uint32_t> before(elements_.size(), 0);
        for (const auto& list : after_) {
            if (list.size() > 1) return false;
            for (const std::uint32_t b : list) ++before[b];
        }
        return std::ranges::all_of(before, [](std::uint32_t count) { return count <= 1; });
    }
    bool transitive() const {
        std::vector<bool> follows(after_.size(), false);
        for (const auto& list : after_) {
            for (const std::uint32_t b : list) follows[b] = true;
            for (const std::uint32_t b : list) {
                if (!std::ranges::all_of(after_[b], [&](std::uint32_t c) { return follows[c]; })) return false;
            }
            for (const std::uint32_t b : list) follows[b] = false;
        }
        return true;
    }
    // Of what follows, what does not follow on something in between. False when time was too short.
    bool cover(const machine::Stop& stop) {
        covering_.resize(after_.size());
        std::vector<bool> further(after_.size(), false);
        for (std::uint32_t a = 0; a < after_.size(); ++a) {
            if (a % 64 == 0 && stop.now()) return false;
            const auto mark = [&](bool value) {
                for (const std::uint32_t b : after_[a]) {
                    for (const std::uint32_t c : after_[b]) further[c] = value;
                }
            };
            mark(true);
            std::ranges::copy_if(after_[a], std::back_inserter(covering_[a]),
                                 [&](std::uint32_t b) { return !further[b]; });
            mark(false);
        }
        return true;
    }
    // Longest way from a beginning; false where there is a cycle.
    bool level() {
        std::vector<std::uint32_t> open(elements_.size(), 0);
        for (const auto& list : covering_) {
            for (const std::uint32_t b : list) ++open[b];
        }
        level_.assign(elements_.size(), 0);
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
        return seen == elements_.size();
    }
    // Names decide nothing but which of several elements on one level is listed first.
    std::vector<std::uint32_t> sorted(bool linear) const {
        std::vector<std::uint32_t> result(elements_.size());
        for (std::uint32_t i = 0; i < result.size(); ++i) result[i] = i;
        if (linear) {
            std::ranges::sort(result, {}, [&](std::uint32_t i) { return level_[i]; });
            return result;
        }
        std::vector<std::string> names;
        for (const gdl::Term element : elements_) names.push_back(gdl::to_kif(terms_, element));
        std::ranges::sort(result, [&](std::uint32_t a, std::uint32_t b) {
            return level_[a] != level_[b] ? level_[a] < level_[b] : names[a] < names[b];
        });
        return result;
    }
    Order finish(bool successor) const {
        Order order;
        order.relation = relation_.symbol();
        order.kind = successor ? Order::Kind::successor : Order::Kind::order;
        order.longest = std::ranges::max(level_);
        order.linear = order.longest + 1 == elements_.size();
        const std::vector<std::uint32_t> places = sorted(order.linear);
        std::vector<std::uint32_t> place_of(elements_.size());
        for (std::uint32_t i = 0; i < places.size(); ++i) {
            place_of[places[i]] = i;
            order.elements.push_back(elements_[places[i]]);
            order.index.push_back(level_[places[i]]);
            order.place_of.emplace(elements_[places[i]], i);
        }
        for (const std::uint32_t a : places) {
            order.next.emplace_back();
            for (const std::uint32_t b : covering_[a]) order.next.back().push_back(place_of[b]);
            std::ranges::sort(order.next.back());
        }
        return order;
    }

    const gdl::TermPool& terms_;
    const ground::StaticRelation& relation_;
    std::unordered_map<gdl::Term, std::uint32_t> numbers_;
    std::vector<gdl::Term> elements_;                   // by number
    std::vector<std::vector<std::uint32_t>> after_;     // sorted
    std::vector<std::vector<std::uint32_t>> covering_;  // of them, those that follow at once
    std::vector<std::uint32_t> level_;
};

}  // namespace

std::optional<std::uint32_t> Order::index_of(gdl::Term element) const {
    const auto place = place_of.find(element);
    return place == place_of.end() ? std::nullopt : std::optional(index[place->second]);
}

std::optional<std::uint32_t> Order::steps(gdl::Term from, gdl::Term to) const {
    const auto start = place_of.find(from);
    const auto goal = place_of.find(to);
    if (start == place_of.end() || goal == place_of.end() || goal->second < start->second) return {};
    if (linear) return goal->second - start->second;
    constexpr std::uint32_t unseen = 0xFFFFFFFFU;
    std::vector<std::uint32_t> distance(elements.size(), unseen);
    std::deque<std::uint32_t> queue{start->second};
    distance[queue.front()] = 0;
    while (!queue.empty()) {
        const std::uint32_t at = queue.front();
        queue.pop_front();
        if (at == goal->second) return distance[at];
        for (const std::uint32_t further : next[at]) {
            if (distance[further] != unseen) continue;
            distance[further] = distance[at] + 1;
            queue.push_back(further);
        }
    }
    return {};
}

bool Order::follows(gdl::Term from, gdl::Term to) const {
    const auto first = place_of.find(from);
    const auto last = place_of.find(to);
    if (first == place_of.end() || last == place_of.end() || first == last) return false;
    return std::ranges::find(next[first->second], last->second) != next[first->second].end();
}

std::vector<Order> find_orders(const ground::Statics& statics, const gdl::TermPool& terms, const machine::Stop& stop) {
    std::vector<Order> orders;
    for (const ground::StaticRelation& relation : statics) {
        if (stop.now()) break;
        if (relation.arity() != 2 || !relation.complete()) continue;
        if (std::optional<Order> order = Maker(terms, relation).make(stop)) orders.push_back(std::move(*order));
    }
    return orders;
}

}  // namespace stratagem::analysis
