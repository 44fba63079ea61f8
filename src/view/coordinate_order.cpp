#include "view/coordinate_order.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "gdl/print.h"
#include "gdl/read.h"
#include "view/fluent_text.h"

namespace stratagem::view {

namespace {

constexpr std::size_t shortest_chain = 3;  // two names linked once may mean anything
constexpr std::size_t shortest_ring = 4;   // three in a ring are taking turns more often than coordinates

// The end of a name as a place in a sequence: the number at its end, or a name that is one letter.
std::optional<std::pair<std::string, long>> place_in_sequence(const std::string& name) {
    if (name.size() == 1 && name[0] >= 'a' && name[0] <= 'z') return std::pair(std::string("letter"), long{name[0]});
    const std::size_t digits = name.size() - (name.find_last_not_of("0123456789") + 1);
    if (digits == 0 || digits > 6) return {};
    return std::pair(name.substr(0, name.size() - digits), std::stol(name.substr(name.size() - digits)));
}

// Numbers, or names that count: c1 c2 c3, a b c. Gaps are allowed in numbers only.
bool is_sequence(const std::vector<std::string>& sorted) {
    std::optional<std::pair<std::string, long>> last;
    for (const std::string& name : sorted) {
        const auto place = place_in_sequence(name);
        if (!place || (last && place->first != last->first)) return false;
        if (last && !place->first.empty() && place->second != last->second + 1) return false;
        last = place;
    }
    return last && (last->first.empty() || sorted.size() >= shortest_chain);
}

}  // namespace

// The facts of a game that has no ground rules, as far as orders are made of them.
CoordinateOrder::Facts CoordinateOrder::facts_of(const machine::Game& game) {
    Facts facts;
    const std::optional<std::string> rules = game.rules();
    if (!rules) return facts;
    gdl::Description description = gdl::read(game.name(), *rules, gdl::Notation::kif).description;
    const gdl::TermPool& terms = description.terms;
    std::set<gdl::Term> known;
    for (const gdl::Rule& rule : description.rules) {
        const bool fits = rule.body.empty() && terms.arity(rule.head) == 2 && terms.is_ground(rule.head) &&
                          !gdl::is_keyword(terms.symbol(rule.head));
        if (fits && known.insert(rule.head).second) facts.statics.add(terms, rule.head);
    }
    facts.terms = std::move(description.terms);
    return facts;
}

void CoordinateOrder::find_orders(const ground::Statics& statics, const gdl::TermPool& terms) {
    orders_ = analysis::find_orders(statics, terms, {});
    rings_ = analysis::find_rings(statics, {});
    // The one that knows fewest others is the nearest; a successor is what orders are made of. Of one and its reverse
    // the rules name the more natural one first.
    std::ranges::stable_sort(orders_, {}, [](const analysis::Order& order) {
        return std::tuple(!order.linear, order.elements.size(), order.kind != analysis::Order::Kind::successor);
    });
    for (const analysis::Order& order : orders_) {
        for (const gdl::Term element : order.elements) remember(terms, element);
    }
    for (const analysis::Ring& ring : rings_) {
        for (const gdl::Term element : ring.elements) remember(terms, element);
    }
}

CoordinateOrder::CoordinateOrder(const machine::Game& game) {
    if (const std::shared_ptr<const ground::Program> program = game.program()) {
        find_orders(program->statics, program->terms);
    } else {
        const Facts facts = facts_of(game);
        find_orders(facts.statics, facts.terms);
    }
}

void CoordinateOrder::remember(const gdl::TermPool& terms, gdl::Term term) {
    const auto [place, added] = names_.try_emplace(term);
    if (!added) return;
    place->second = gdl::to_kif(terms, term);
    terms_.emplace(place->second, term);
}

CoordinateOrder::Names CoordinateOrder::along(const analysis::Order& order, const Names& domain) const {
    std::vector<std::pair<std::uint32_t, gdl::Term>> places;
    for (const std::string& name : domain) {
        const auto term = terms_.find(name);
        const auto index = term == terms_.end() ? std::nullopt : order.index_of(term->second);
        if (!index) return {};
        places.emplace_back(*index, term->second);
    }
    std::ranges::sort(places);
    Names result;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i > 0 && !order.steps(places[i - 1].second, places[i].second)) return {};
        result.push_back(names_.at(places[i].second));
    }
    return result;
}

CoordinateOrder::Names CoordinateOrder::around(const analysis::Ring& ring, const Names& domain) const {
    if (ring.elements.size() < shortest_ring) return {};
    Names names;
    for (const gdl::Term element : ring.elements) names.push_back(names_.at(element));
    // A whole ring is cut before the name that comes first, a part of one where it has its gap.
    const std::set<std::string> wanted(domain.begin(), domain.end());
    const bool whole = wanted.size() == names.size();
    auto start = std::ranges::find(names, domain.front());
    for (auto name = names.begin(); !whole && name != names.end(); ++name) {
        const std::string& before = name == names.begin() ? names.back() : *(name - 1);
        if (wanted.contains(*name) && !wanted.contains(before)) start = name;
    }
    if (start == names.end()) return {};
    std::rotate(names.begin(), start, names.end());
    names.resize(std::min(names.size(), domain.size()));
    const bool fits = names.size() == domain.size() &&
                      std::ranges::all_of(names, [&](const std::string& name) { return wanted.contains(name); });
    return fits ? names : Names{};
}

CoordinateOrder::Names CoordinateOrder::by_relation(const Names& domain) const {
    if (domain.size() < shortest_chain) return {};
    for (const analysis::Order& order : orders_) {
        if (Names names = along(order, domain); !names.empty()) return names;
    }
    for (const analysis::Ring& ring : rings_) {
        if (Names names = around(ring, domain); !names.empty()) return names;
    }
    return {};
}

OrderedDomain CoordinateOrder::sort(const std::set<std::string>& domain) const {
    OrderedDomain result;
    result.names.assign(domain.begin(), domain.end());
    std::ranges::sort(result.names, natural_less);
    result.ordered = is_sequence(result.names);
    Names found = by_relation(result.names);
    if (found.empty()) return result;
    // Names that count say which end is the first.
    if (result.ordered && natural_less(found.back(), found.front())) std::ranges::reverse(found);
    return {std::move(found), true};
}

}  // namespace stratagem::view
