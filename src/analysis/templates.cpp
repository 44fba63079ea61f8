#include "analysis/templates.h"

#include <algorithm>
#include <tuple>

namespace stratagem::analysis {

namespace {

constexpr std::uint32_t most_template_arguments = 8;

// The rules of next, as far as the template of step counters asks for them.
class CounterRules {
  public:
    explicit CounterRules(const ground::Program& program) : before_(program.atom_count()) {
        for (std::size_t rule = 0; rule < program.rule_count(); ++rule) {
            const std::span<const ground::Condition> body = program.body(rule);
            if (body.size() != 1 || !body[0].positive()) continue;
            if (ground::index(body[0].atom()) >= program.first_move_atom()) continue;
            before_[ground::index(program.head(rule))].push_back(Fluent{ground::index(body[0].atom())});
        }
    }

    // There is a rule that `then` follows whenever `now` holds, and nothing else is asked for.
    bool follows(const ground::Program& program, Fluent now, Fluent then) const {
        const ground::Atom next = program.next[ground::index(then)];
        return next != ground::Atom::none &&
               std::ranges::find(before_[ground::index(next)], now) != before_[ground::index(next)].end();
    }

  private:
    std::vector<std::vector<Fluent>> before_;  // by atom: the fluents of rules with one condition
};

class TemplateFinder {
  public:
    TemplateFinder(const ground::Program& program, const Samples& samples, const machine::Stop& stop)
        : program_(program), samples_(samples), stop_(stop), rules_(program) {}

    PlainStructures run() {
        result_.families = make_families(program_);
        result_.orders = find_orders(program_.statics, program_.terms, stop_);
        std::erase_if(result_.orders,
                      [](const Order& order) { return order.kind != Order::Kind::successor || !order.linear; });
        for (std::size_t family = 0; family < result_.families.size() && !stop_.now(); ++family) look_at(family);
        find_teams();
        result_.states = samples_.size();
        result_.complete = !stop_.now();
        return std::move(result_);
    }

  private:
    void look_at(std::size_t number) {
        const Family& family = result_.families[number];
        if (family.arity == 0 || family.arity > most_template_arguments) return;
        const bool seen =
            std::ranges::any_of(family.members, [&](Fluent fluent) { return !samples_.holding(fluent).empty(); });
        if (!seen) return;  // random play says nothing about it
        std::vector<std::optional<std::size_t>> orders;
        for (std::uint32_t i = 0; i < family.arity; ++i) orders.push_back(order_of(family, i));
        if (family.arity == 1 && orders[0] && find_counter(number)) return;
        std::vector<PlainBoard> boards;
        std::vector<PlainQuantity> quantities;
        for (std::uint32_t content = 0; content < family.arity; ++content) {
            if (family.values[content].size() < 2) continue;
            if (!orders[content] && family.arity == 1) continue;  // no cells
            const PlainQuantity parts = make_quantity(program_, family, number, content, orders[content].value_or(0));
            if (stop_.now() || !is_function(parts)) continue;
            if (orders[content]) {
                quantities.push_back(parts);
            } else {
                boards.push_back(make_board(program_, family, number, {content}, orders));
            }
        }
        if (std::ranges::any_of(boards, &PlainBoard::is_ordered)) {
            std::erase_if(boards, [](const PlainBoard& board) { return !board.is_ordered(); });
            quantities.clear();
        }
        for (PlainBoard& board : boards) judge(board);
        if (stop_.now()) return;  // some of it may be wrong
        std::ranges::move(boards, std::back_inserter(result_.boards));
        std::ranges::move(quantities, std::back_inserter(result_.quantities));
    }

    // Of those that know all values the one with fewest others; of one and its reverse, the one along which the game
    // begins at the lower end.
    std::optional<std::size_t> order_of(const Family& family, std::uint32_t place) const {
        const std::vector<gdl::Term>& values = family.values[place];
        if (values.size() < 2) return {};
        std::optional<std::size_t> best;
        std::tuple<std::size_t, std::uint64_t> best_rank;
        for (std::size_t i = 0; i < result_.orders.size() && !stop_.now(); ++i) {
            const Order& order = result_.orders[i];
            if (order.elements.size() < values.size()) continue;
            if (!std::ranges::all_of(values, [&](gdl::Term value) { return order.knows(value); })) continue;
            std::uint64_t start = 0;
            for (const Fluent fluent : family.members) {
                if (samples_.holding(fluent).has(0)) start += result_.index_of(program_, fluent, place, i);
            }
            const std::tuple rank(order.elements.size(), start);
            if (best && best_rank <= rank) continue;
            best = i;
            best_rank = rank;
        }
        return best;
    }

    bool find_counter(std::size_t number) {
        const Family& family = result_.families[number];
        for (std::size_t i = 0; i < result_.orders.size(); ++i) {
            if (!counts_by(family, result_.orders[i])) continue;
            result_.counters.push_back({number, i});
            return true;
        }
        return false;
    }

    // Every two of its values that follow each other in the order are an instance of the rule, and there are some.
    bool counts_by(const Family& family, const Order& order) const {
        std::vector<std::optional<Fluent>> by_place(order.elements.size());
        for (const Fluent fluent : family.members) {
            const auto place = order.place_of.find(program_.terms.argument(program_.fluents[ground::index(fluent)], 0));
            if (place == order.place_of.end()) return false;
            by_place[place->second] = fluent;
        }
        std::size_t steps = 0;
        for (std::size_t i = 0; i + 1 < by_place.size(); ++i) {
            if (!by_place[i] || !by_place[i + 1]) continue;
            if (!rules_.follows(program_, *by_place[i], *by_place[i + 1])) return false;
            ++steps;
        }
        return steps > 0;
    }

    // In no state two at once.
    bool is_single(const std::vector<Fluent>& fluents) const {
        SampleSet seen(samples_.size());
        for (const Fluent fluent : fluents) {
            const SampleSet& holding = samples_.holding(fluent);
            if (seen.meets(holding)) return false;
            seen.add(holding);
        }
        return true;
    }
    bool is_function(const PlainQuantity& parts) const {
        return std::ranges::all_of(
            parts.amounts, [&](const PlainQuantity::Amount& one) { return !stop_.now() && is_single(one.fluents); });
    }

    void judge(PlainBoard& board) const {
        for (PlainMarker& marker : board.markers) {
            if (stop_.now()) return;
            marker.seen =
                std::ranges::any_of(marker.fluents, [&](Fluent fluent) { return !samples_.holding(fluent).empty(); });
            marker.piece = marker.seen && is_single(marker.fluents);
        }
    }

    void find_teams() {
        const std::size_t roles = program_.roles.size();
        std::vector<bool> parted(roles * roles, false);
        for (const Sample& sample : samples_.all()) {
            if (!sample.terminal) continue;
            for (std::size_t a = 0; a < roles; ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    if (sample.goals[a].value_or(0) != sample.goals[b].value_or(0)) parted[a * roles + b] = true;
                }
            }
        }
        for (std::uint32_t a = 0; a < roles; ++a) {
            std::uint32_t team = a;
            for (std::uint32_t b = 0; b < a && team == a; ++b) {
                if (!parted[a * roles + b]) team = result_.team[b];
            }
            result_.team.push_back(team);
        }
    }

    const ground::Program& program_;
    const Samples& samples_;
    const machine::Stop& stop_;
    CounterRules rules_;
    PlainStructures result_;
};

}  // namespace

PlainStructures find_by_templates(const ground::Program& program, const Samples& samples, const machine::Stop& stop) {
    return TemplateFinder(program, samples, stop).run();
}

}  // namespace stratagem::analysis
