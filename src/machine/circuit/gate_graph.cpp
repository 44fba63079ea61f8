#include "machine/circuit/gate_graph.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "machine/circuit/move_sets.h"
#include "util/strongly_connected.h"

namespace stratagem::machine {

using ground::Atom;
using ground::Condition;
using ground::Program;

namespace {

constexpr std::size_t steps_between_looks = 200'000;  // at the clock

}  // namespace

// Rules by head, and the graph of derived atoms. These go by their numbers among themselves here.
class DerivedRules {
  public:
    explicit DerivedRules(const Program& program);

    std::span<const std::uint32_t> of(std::uint32_t atom) const {
        return std::span(rules_).subspan(first_rule_[atom], first_rule_[atom + 1] - first_rule_[atom]);
    }
    bool uses_itself(std::uint32_t atom) const {
        const auto end = edges_.begin() + first_edge_[atom + 1];
        return std::find(edges_.begin() + first_edge_[atom], end, atom) != end;
    }

    std::vector<std::uint32_t> component;  // by atom
    std::vector<std::uint32_t> order;      // atoms by component: what is needed first comes first

  private:
    void sort_by_head(const Program& program);
    void find_edges(const Program& program);

    std::uint32_t first_derived_;
    std::uint32_t count_;
    std::vector<std::uint32_t> first_rule_;  // by atom, and one more
    std::vector<std::uint32_t> rules_;
    std::vector<std::uint32_t> first_edge_;  // by atom, and one more
    std::vector<std::uint32_t> edges_;       // to atoms in bodies
};

DerivedRules::DerivedRules(const Program& program)
    : first_derived_(program.first_derived()), count_(static_cast<std::uint32_t>(program.derived.size())) {
    sort_by_head(program);
    find_edges(program);
    component = strongly_connected(count_, first_edge_, edges_);
    order.resize(count_);
    for (std::uint32_t i = 0; i < count_; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return component[a] < component[b]; });
}

void DerivedRules::sort_by_head(const Program& program) {
    first_rule_.assign(count_ + 1, 0);
    for (std::size_t rule = 0; rule < program.rule_count(); ++rule) {
        ++first_rule_[ground::index(program.head(rule)) - first_derived_ + 1];
    }
    for (std::uint32_t i = 0; i < count_; ++i) first_rule_[i + 1] += first_rule_[i];
    rules_.resize(program.rule_count());
    std::vector<std::uint32_t> place(first_rule_.begin(), first_rule_.end() - 1);
    for (std::size_t rule = 0; rule < program.rule_count(); ++rule) {
        rules_[place[ground::index(program.head(rule)) - first_derived_]++] = static_cast<std::uint32_t>(rule);
    }
}

void DerivedRules::find_edges(const Program& program) {
    first_edge_.reserve(count_ + 1);
    first_edge_.push_back(0);
    for (std::uint32_t atom = 0; atom < count_; ++atom) {
        for (const std::uint32_t rule : of(atom)) {
            for (const Condition condition : program.body(rule)) {
                const std::uint32_t used = ground::index(condition.atom());
                if (used >= first_derived_) edges_.push_back(used - first_derived_);
            }
        }
        first_edge_.push_back(static_cast<std::uint32_t>(edges_.size()));
    }
}

GateGraph::GateGraph(const Program& program, const Assumption& assumption, const GateOptions& options,
                     const Deadline& deadline)
    : options_(options), deadline_(deadline) {
    spend(steps_between_looks);  // small games too are not begun when it is too late
    for (std::uint32_t atom = 0; atom < program.first_derived(); ++atom) fixed_.emplace_back(atom + 1, false);
    for (const ground::Fluent fluent : assumption.holds) fixed_[ground::index(fluent)] = always;
    for (const ground::Fluent fluent : assumption.fails) fixed_[ground::index(fluent)] = never;
    build(program);
    const bool assumed = !assumption.holds.empty() || !assumption.fails.empty();
    if (assumed && fix_moves(program)) build(program);
    shorten_move_sets(program);
    slots_ = {};
}

// Takes the most frequent common condition out, again and again. Who has which condition is found once and then kept up
// to date: rules by the thousand have been generated, and looking anew each time would take longer than all the rest.
Signal GateGraph::sum_of_products(std::vector<std::vector<Signal>> products) {
    std::vector<Signal> alternatives;
    std::vector<std::uint32_t> codes;   // of conditions that occur
    std::vector<std::uint32_t> counts;  // by code: products that have it and are still there
    std::vector<std::uint32_t> first;   // by code: where its places begin
    std::vector<std::uint32_t> places;  // products
    if (products.size() >= 2) {
        tally_.resize(2 * nodes.size(), 0);
        const auto for_each = [&](auto&& visit) {
            for (std::uint32_t i = 0; i < products.size(); ++i) {
                for (const Signal signal : products[i]) {
                    if (!on_moves_[signal.node()]) visit(signal.code(), i);
                }
            }
        };
        for_each([&](std::uint32_t code, std::uint32_t) {
            if (tally_[code]++ == 0) codes.push_back(code);
        });
        std::sort(codes.begin(), codes.end());
        std::uint32_t total = 0;
        for (const std::uint32_t code : codes) {
            counts.push_back(tally_[code]);
            first.push_back(total);
            tally_[code] = std::exchange(total, total + counts.back());
        }
        first.push_back(total);
        places.resize(total);
        for_each([&](std::uint32_t code, std::uint32_t product) { places[tally_[code]++] = product; });
        for (const std::uint32_t code : codes) tally_[code] = 0;
    }
    std::vector<bool> gone(products.size(), false);
    for (std::size_t round = 0; round < options_.factor_rounds; ++round) {
        spend(counts.size());
        const auto most = std::max_element(counts.begin(), counts.end());
        if (most == counts.end() || *most < 2) break;
        const auto number = static_cast<std::size_t>(most - counts.begin());
        const Signal best = Signal::from_code(codes[number]);
        std::vector<std::vector<Signal>> with;
        for (std::uint32_t i = first[number]; i < first[number + 1]; ++i) {
            const std::uint32_t product = places[i];
            if (gone[product]) continue;
            gone[product] = true;
            spend(products[product].size());
            for (const Signal signal : products[product]) {
                if (on_moves_[signal.node()]) continue;
                const auto place = std::lower_bound(codes.begin(), codes.end(), signal.code());
                --counts[static_cast<std::size_t>(place - codes.begin())];
            }
            std::erase(products[product], best);
            with.push_back(std::move(products[product]));
        }
        std::vector<Signal> factored{best, sum_of_products(std::move(with))};
        alternatives.push_back(conjunction(factored));
    }
    for (std::size_t i = 0; i < products.size(); ++i) {
        if (!gone[i]) alternatives.push_back(conjunction(products[i]));
    }
    return disjunction(alternatives);
}

bool GateGraph::fix_moves(const Program& program) {
    const std::uint32_t first = program.first_move_atom();
    bool changed = false;
    for (std::uint32_t begin = 0; begin < program.moves.size();) {
        std::uint32_t end = begin;
        std::uint32_t possible = 0;
        std::uint32_t last = begin;
        for (; end < program.moves.size() && program.moves[end].role == program.moves[begin].role; ++end) {
            if (outputs.legal[end] == never) {
                fixed_[first + end] = never;
                changed = true;
            } else {
                ++possible;
                last = end;
            }
        }
        if (possible == 1) {
            fixed_[first + last] = always;
            changed = true;
        }
        begin = end;
    }
    return changed;
}

std::size_t GateGraph::hash(std::span<const Signal> signals) {
    std::uint64_t value = signals.size();
    for (const Signal signal : signals) {
        value = (value ^ signal.code()) * 0x9E3779B97F4A7C15ULL;
        value ^= value >> 32;
    }
    return static_cast<std::size_t>(value);
}

void GateGraph::grow() {
    std::vector<std::uint32_t> larger(slots_.size() * 2, 0);
    const std::size_t mask = larger.size() - 1;
    for (const std::uint32_t node : slots_) {
        if (node == 0) continue;
        std::size_t slot = hash(inputs_of(node)) & mask;
        while (larger[slot] != 0) slot = (slot + 1) & mask;
        larger[slot] = node;
    }
    slots_ = std::move(larger);
}

Signal GateGraph::add_gate(std::span<const Signal> signals) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(signals) & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
        if (std::ranges::equal(inputs_of(slots_[slot]), signals)) return {slots_[slot], false};
    }
    const auto node = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(
        {NodeKind::gate, static_cast<std::uint32_t>(inputs.size()), static_cast<std::uint32_t>(signals.size()), 0});
    inputs.insert(inputs.end(), signals.begin(), signals.end());
    on_moves_.push_back(std::any_of(signals.begin(), signals.end(), [&](Signal s) { return on_moves_[s.node()]; }));
    slots_[slot] = node;
    if (++gate_count_ * 2 > slots_.size()) grow();
    return {node, false};
}

Signal GateGraph::conjunction(std::vector<Signal>& signals) {
    std::sort(signals.begin(), signals.end());
    signals.erase(std::unique(signals.begin(), signals.end()), signals.end());
    // Sorted by node, so the constant comes first, and a signal stands next to its negation.
    if (!signals.empty() && signals.front() == always) signals.erase(signals.begin());
    if (!signals.empty() && signals.front() == never) return never;
    for (std::size_t i = 1; i < signals.size(); ++i) {
        if (signals[i].node() == signals[i - 1].node()) return never;
    }
    if (signals.empty()) return always;
    if (signals.size() == 1) return signals.front();
    return add_gate(signals);
}

Signal GateGraph::disjunction(std::vector<Signal>& signals) {
    for (Signal& signal : signals) signal = !signal;
    return !conjunction(signals);
}

void GateGraph::build_clear() {
    slots_.assign(1024, 0);
    gate_count_ = 0;
    nodes.clear();
    inputs.clear();
    on_moves_.clear();
}

void GateGraph::spend(std::size_t steps) {
    spent_ += steps;
    if (spent_ < steps_between_looks) return;
    spent_ = 0;
    if (deadline_.interrupted()) throw std::runtime_error("interrupted while building the circuit");
    if (deadline_.expired()) throw std::runtime_error("time ran out while building the circuit");
}

// Adds gates for the derived atoms: what an atom needs before the atom itself, and atoms that need each other as a
// cycle.
class GateGraph::Builder {
  public:
    Builder(GateGraph& graph, const Program& program)
        : graph_(graph),
          program_(program),
          rules_(program),
          first_derived_(program.first_derived()),
          value_(program.derived.size(), never) {}

    void define_all() {
        const std::vector<std::uint32_t>& order = rules_.order;
        const std::vector<std::uint32_t>& component = rules_.component;
        for (std::size_t i = 0; i < order.size();) {
            graph_.spend(1);
            std::size_t end = i;
            while (end < order.size() && component[order[end]] == component[order[i]]) ++end;
            if (end == i + 1 && !rules_.uses_itself(order[i])) {
                value_[order[i]] = define(order[i]);
            } else {
                define_cycle(std::span(order).subspan(i, end - i));
            }
            i = end;
        }
    }

    void set_outputs() {
        Outputs& made = graph_.outputs;
        for (const Atom atom : program_.next) made.next.push_back(output(atom));
        for (const Atom atom : program_.legal) made.legal.push_back(output(atom));
        for (const auto& goal : program_.goals) made.goals.push_back(output(goal.atom));
        for (const auto& percept : program_.percepts) made.percepts.push_back(output(percept.atom));
        made.terminal = output(program_.terminal);
    }

  private:
    Signal signal_of(Condition condition) const {
        const std::uint32_t atom = ground::index(condition.atom());
        const Signal signal = atom < first_derived_ ? graph_.fixed_[atom] : value_[atom - first_derived_];
        return condition.positive() ? signal : !signal;
    }
    Signal output(Atom atom) const { return atom == Atom::none ? never : signal_of(Condition(atom)); }

    bool concerns_moves(std::uint32_t atom) const {
        const auto concerns = [&](Condition condition) { return graph_.on_moves_[signal_of(condition).node()]; };
        return std::ranges::any_of(
            rules_.of(atom), [&](std::uint32_t rule) { return std::ranges::any_of(program_.body(rule), concerns); });
    }

    Signal define(std::uint32_t atom) {
        if (!graph_.options_.factor_state && !concerns_moves(atom)) return define_plainly(atom);
        std::vector<std::vector<Signal>> products;
        for (const std::uint32_t rule : rules_.of(atom)) {
            std::vector<Signal> product;
            bool possible = true;
            for (const Condition condition : program_.body(rule)) {
                const Signal signal = signal_of(condition);
                possible = possible && signal != never;
                if (signal != always) product.push_back(signal);
            }
            graph_.spend(product.size() + 1);
            if (!possible) continue;
            std::sort(product.begin(), product.end());
            product.erase(std::unique(product.begin(), product.end()), product.end());
            if (product.empty()) return always;
            products.push_back(std::move(product));
        }
        return graph_.sum_of_products(std::move(products));
    }

    // Without factoring: no lists of lists. Millions of rules are built this way.
    Signal define_plainly(std::uint32_t atom) {
        plain_.clear();
        for (const std::uint32_t rule : rules_.of(atom)) {
            body_.clear();
            for (const Condition condition : program_.body(rule)) body_.push_back(signal_of(condition));
            plain_.push_back(graph_.conjunction(body_));
        }
        return graph_.disjunction(plain_);
    }

    void define_cycle(std::span<const std::uint32_t> atoms) {
        const std::uint32_t cycle = cycles_++;
        const std::size_t first_loop = graph_.loop_nodes.size();
        for (const std::uint32_t atom : atoms) {
            const auto node = static_cast<std::uint32_t>(graph_.nodes.size());
            graph_.nodes.push_back({NodeKind::loop, 0, 0, cycle});
            graph_.on_moves_.push_back(false);  // not known yet; only used to choose factors
            graph_.loop_nodes.push_back(node);
            value_[atom] = {node, false};
        }
        graph_.loop_definitions.resize(graph_.loop_nodes.size(), never);
        for (std::size_t i = 0; i < atoms.size(); ++i) graph_.loop_definitions[first_loop + i] = define(atoms[i]);
    }

    GateGraph& graph_;
    const Program& program_;
    DerivedRules rules_;
    std::uint32_t first_derived_;
    std::vector<Signal> value_;  // by derived atom
    std::uint32_t cycles_ = 0;
    std::vector<Signal> body_, plain_;  // work space of define_plainly
};

void GateGraph::build(const Program& program) {
    spend(program.atom_count());
    build_clear();
    loop_nodes.clear();
    loop_definitions.clear();
    outputs = Outputs{};
    nodes.push_back({NodeKind::constant, 0, 0, 0});
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) nodes.push_back({NodeKind::fluent, 0, 0, i});
    for (std::uint32_t i = 0; i < program.moves.size(); ++i) nodes.push_back({NodeKind::move, 0, 0, i});
    on_moves_.assign(nodes.size(), false);
    std::fill(on_moves_.begin() + 1 + program.first_move_atom(), on_moves_.end(), true);
    Builder builder(*this, program);
    builder.define_all();
    builder.set_outputs();
}

// Rebuilds the graph. What a gate says about single moves (none of these is made) is gathered from its inputs and the
// gates behind them, and said by role: with the moves themselves or, if they are more than half, with the others.
void GateGraph::shorten_move_sets(const Program& program) {
    const std::vector<GateNode> old_nodes = std::move(nodes);
    const std::vector<Signal> old_inputs = std::move(inputs);
    const auto old_count = static_cast<std::uint32_t>(old_nodes.size());
    const auto old_inputs_of = [&](std::uint32_t node) {
        return std::span(old_inputs).subspan(old_nodes[node].first_input, old_nodes[node].input_count);
    };
    MoveSets sets(program, old_nodes, old_inputs, fixed_);
    build_clear();

    std::vector<Signal> mapped(old_count);
    std::vector<bool> is_mapped(old_count, false);
    const auto none_made = [&] {
        std::vector<Signal> alternatives;
        sets.for_each_role([&](std::vector<Signal> signals, bool complement) {
            if (complement) {
                alternatives.push_back(!disjunction(signals));
            } else {
                alternatives.insert(alternatives.end(), signals.begin(), signals.end());
            }
        });
        return !disjunction(alternatives);
    };
    bool sensible = true;
    const auto map = [&](Signal signal) {
        const std::uint32_t node = signal.node();
        if (!is_mapped[node]) {  // a set that only sets used so far
            const Signal plain(node, false);
            sensible = sets.collect(std::span(&plain, 1)) && sensible;
            mapped[node] = none_made();
            is_mapped[node] = true;
        }
        return signal.negated() ? !mapped[node] : mapped[node];
    };
    std::vector<std::uint32_t> uses(old_count, 0);
    for (std::uint32_t node = 0; node < old_count; ++node) {
        for (const Signal input : old_inputs_of(node)) ++uses[input.node()];
    }
    for (const auto* list : {&outputs.next, &outputs.legal, &outputs.goals, &outputs.percepts, &loop_definitions}) {
        for (const Signal signal : *list) uses[signal.node()] += 2;
    }
    uses[outputs.terminal.node()] += 2;
    std::vector<Signal> signals;
    std::vector<Signal> members;
    std::vector<Signal> open;
    for (std::uint32_t node = 0; node < old_count; ++node) {
        if (old_nodes[node].kind != NodeKind::gate) {
            mapped[node] = {static_cast<std::uint32_t>(nodes.size()), false};
            is_mapped[node] = true;
            nodes.push_back(old_nodes[node]);
            on_moves_.push_back(old_nodes[node].kind == NodeKind::move);
            continue;
        }
        if (sets.is_set(node)) continue;
        spend(old_nodes[node].input_count + 1);
        signals.clear();
        members.clear();
        // Conjunctions used only here are looked into: their moves count together with those of this gate.
        open.assign(old_inputs_of(node).begin(), old_inputs_of(node).end());
        while (!open.empty()) {
            const Signal input = open.back();
            open.pop_back();
            const bool is_gate = old_nodes[input.node()].kind == NodeKind::gate;
            if (sets.is_member(input)) {
                members.push_back(input);
            } else if (is_gate && !input.negated() && uses[input.node()] == 1) {
                const auto inner = old_inputs_of(input.node());
                open.insert(open.end(), inner.begin(), inner.end());
            } else {
                signals.push_back(map(input));
            }
        }
        if (members.size() >= 2 && sensible && (sensible = sets.collect(members)) && sets.most_of_a_role()) {
            signals.push_back(none_made());
        } else {
            for (const Signal input : members) signals.push_back(map(input));
        }
        mapped[node] = conjunction(signals);
        is_mapped[node] = true;
    }
    for (auto* list : {&outputs.next, &outputs.legal, &outputs.goals, &outputs.percepts, &loop_definitions}) {
        for (Signal& signal : *list) signal = map(signal);
    }
    outputs.terminal = map(outputs.terminal);
    for (std::uint32_t& node : loop_nodes) node = mapped[node].node();
}

}  // namespace stratagem::machine
