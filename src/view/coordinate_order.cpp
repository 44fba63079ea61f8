#include "view/coordinate_order.h"

#include <algorithm>
#include <optional>

#include "view/fluent_text.h"
#include "gdl/print.h"
#include "gdl/read.h"

namespace stratagem::view {

namespace {

using Names = std::vector<std::string>;

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
bool is_sequence(const Names& sorted) {
    std::optional<std::pair<std::string, long>> last;
    for (const std::string& name : sorted) {
        const auto place = place_in_sequence(name);
        if (!place || (last && place->first != last->first)) return false;
        if (last && !place->first.empty() && place->second != last->second + 1) return false;
        last = place;
    }
    return last && (last->first.empty() || sorted.size() >= shortest_chain);
}

// The domain in the order of a chain, or of a ring, that these links make of all of it.
std::optional<Names> follow(const CoordinateOrder::Links& links, const Names& domain) {
    const std::set<std::string> wanted(domain.begin(), domain.end());
    std::map<std::string, std::string> after;
    std::set<std::string> reached;
    for (const auto& [from, to] : links) {
        if (!wanted.contains(from) || !wanted.contains(to)) continue;
        if (const auto known = after.find(from); known != after.end() && known->second == to) continue;
        if (from == to || !after.emplace(from, to).second || !reached.insert(to).second) return {};
    }
    const bool ring = after.size() == domain.size();
    if (domain.size() < (ring ? shortest_ring : shortest_chain) || after.size() + 1 < domain.size()) return {};
    const auto first = std::ranges::find_if(domain, [&](const std::string& name) { return !reached.contains(name); });
    Names chain{ring ? domain.front() : *first};
    while (chain.size() < domain.size()) {
        const auto next = after.find(chain.back());
        if (next == after.end() || next->second == chain.front()) return {};
        chain.push_back(next->second);
    }
    return chain;
}

}  // namespace

CoordinateOrder::CoordinateOrder(const machine::Game& game) {
    const std::optional<std::string> rules = game.rules();
    if (!rules) return;
    const gdl::Description description = gdl::read(game.name(), *rules, gdl::Notation::kif).description;
    for (const gdl::Rule& rule : description.rules) {
        const gdl::TermPool& terms = description.terms;
        if (!rule.body.empty() || terms.arity(rule.head) != 2 || !terms.is_ground(rule.head)) continue;
        relations_[std::string(terms.symbols().name(terms.symbol(rule.head)))].emplace_back(
            gdl::to_kif(terms, terms.argument(rule.head, 0)), gdl::to_kif(terms, terms.argument(rule.head, 1)));
    }
}

OrderedDomain CoordinateOrder::sort(const std::set<std::string>& domain) const {
    OrderedDomain result;
    result.names.assign(domain.begin(), domain.end());
    std::ranges::sort(result.names, natural_less);
    result.ordered = is_sequence(result.names);
    if (result.ordered) return result;
    // Of several chains the one of the longest relation: it is the more general notion.
    std::size_t longest = 0;
    Names found;
    for (const auto& [relation, links] : relations_) {
        if (links.size() <= longest) continue;
        if (std::optional<Names> chain = follow(links, result.names)) {
            found = std::move(*chain);
            longest = links.size();
        }
    }
    if (!found.empty()) return {std::move(found), true};
    return result;
}

}  // namespace stratagem::view
