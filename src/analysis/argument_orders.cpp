#include "analysis/argument_orders.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace stratagem::analysis {

namespace {

constexpr std::size_t last_resort = 1'000'000;  // an order that is no line

// Neighbours written out: a relation that the rules connect with the argument leads between all its values, and only
// one step along the order at a time. Then the order is that of the argument, though no variable says so.
bool has_neighbours_along(const Order& order, const ground::Program& program, const Family& family, std::uint32_t place,
                          const ArgumentDomains& domains) {
    const std::size_t values = family.values[place].size();
    const auto along = [&](const ground::StaticRelation& relation) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> steps;
        for (std::size_t i = 0; i < relation.size(); ++i) {
            const std::optional<std::uint32_t> from = order.index_of(relation.tuple(i)[0]);
            const std::optional<std::uint32_t> to = order.index_of(relation.tuple(i)[1]);
            if (!from || !to || std::max(*from, *to) - std::min(*from, *to) != 1) return false;
            steps.emplace(std::min(*from, *to), std::max(*from, *to));
        }
        return steps.size() + 1 == values;
    };
    return order.linear && std::ranges::any_of(program.statics, [&](const ground::StaticRelation& relation) {
               // Only of a relation about as large: the steps of each pair of neighbours, there and back.
               return relation.arity() == 2 && relation.complete() && relation.size() <= 2 * values &&
                      domains.connected(family.name, family.arity, place, relation.symbol(), 2) && along(relation);
           });
}

std::optional<std::size_t> order_of(const ground::Program& program, const Family& family, std::uint32_t place,
                                    std::span<const Order> orders, const ArgumentDomains& domains,
                                    const Samples& samples, const machine::Stop& stop) {
    const std::vector<gdl::Term>& values = family.values[place];
    if (values.size() < 2) return {};
    std::optional<std::size_t> best;
    std::tuple<std::size_t, double, double> best_rank;
    for (std::size_t i = 0; i < orders.size(); ++i) {
        if (stop.now()) return {};
        const Order& order = orders[i];
        if (!std::ranges::all_of(values, [&](gdl::Term value) { return order.knows(value); })) continue;
        if (!domains.connected(family.name, family.arity, place, order.relation, 2) &&
            !has_neighbours_along(order, program, family, place, domains)) {
            continue;
        }
        double start = 0, squares = 0;  // by which many an order can be told from its reverse
        for (const Fluent fluent : family.members) {
            if (!samples.holding(fluent).has(0)) continue;
            const double at =
                order.index_of(program.terms.argument(program.fluents[ground::index(fluent)], place)).value();
            start += at;
            squares += at * at;
        }
        const std::tuple rank(order.elements.size() + (order.linear ? 0 : last_resort), start, squares);
        if (best && best_rank <= rank) continue;
        best = i;
        best_rank = rank;
    }
    return best;
}

}  // namespace

std::optional<std::size_t> ArgumentOrders::of(std::size_t family, std::size_t argument) const {
    const std::vector<std::optional<std::size_t>>& known = of_family(family);
    return argument < known.size() ? known[argument] : std::nullopt;
}

const std::vector<std::optional<std::size_t>>& ArgumentOrders::of_family(std::size_t family) const {
    static const std::vector<std::optional<std::size_t>> none;
    return family < orders_.size() ? orders_[family] : none;
}

ArgumentOrders find_argument_orders(const ground::Program& program, std::span<const Family> families,
                                    std::span<const Order> orders, const ArgumentDomains& domains,
                                    const Samples& samples, const machine::Stop& stop) {
    ArgumentOrders result;
    for (const Family& family : families) {
        std::vector<std::optional<std::size_t>> found;
        for (std::uint32_t i = 0; i < family.arity; ++i) {
            found.push_back(order_of(program, family, i, orders, domains, samples, stop));
        }
        result.add_family(std::move(found));
    }
    return result;
}

}  // namespace stratagem::analysis
