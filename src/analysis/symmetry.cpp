#include "analysis/symmetry.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "analysis/automorphisms.h"
#include "analysis/formula.h"
#include "analysis/refinement.h"
#include "analysis/symmetry_group.h"
#include "util/contract.h"

namespace stratagem::analysis {

namespace {

constexpr std::size_t most_rules = 3'000'000;         // more take too long to look at
constexpr std::size_t most_edges = 3'000'000;         // what comes after the formulas looks at the clock too rarely
constexpr std::size_t most_refinement = 500'000'000;  // and this cannot be stopped at all; some tenths of a second

// Colours: what nodes may be exchanged for each other at all. Formulas get theirs by kind and height, so that edges
// need no direction: the higher end is the one that depends on the other.
enum Colour : std::uint32_t {
    fluent,
    start_fluent,
    move,
    recursive,
    role,
    chance,
    certain,
    outer,
    inner,
    end,
    first_goal
};
constexpr std::uint32_t first_height = first_goal + 1000;  // goals go up to 100; more in games that break the rules

class RuleGraph {
  public:
    // Nothing where it would be too large.
    static std::optional<RuleGraph> make(const RuleIndex& index, bool keep_start, const machine::Stop& stop) {
        RuleGraph rules(index, stop);
        if (!rules.add_formulas()) return {};
        rules.build(keep_start);
        return rules;
    }

    const ColouredGraph& graph() const { return graph_; }

    // What an exchange of nodes means for the game.
    Symmetry read(const std::vector<int>& image) const {
        const ground::Program& program = index_.program();
        Symmetry result;
        const auto at = [&](std::uint32_t node) { return static_cast<std::uint32_t>(image[node]); };
        for (std::uint32_t i = 0; i < program.fluents.size(); ++i) result.fluents.push_back(Fluent{at(i)});
        for (std::uint32_t i = 0; i < program.moves.size(); ++i) {
            result.moves.push_back(Move{at(program.first_move_atom() + i) - program.first_move_atom()});
        }
        for (const std::uint32_t node : roles_) result.roles.push_back(Role{at(node) - roles_.front()});
        std::vector<Fluent> start;
        for (const Fluent one : program.initial) start.push_back(result.fluents[ground::index(one)]);
        std::ranges::sort(start);
        result.keeps_start = start == program.initial;
        return result;
    }

  private:
    using Edge = FormulaGraph::Edge;
    struct Goal {
        Role role{};
        int value = 0;
        Edge condition;
    };

    RuleGraph(const RuleIndex& index, const machine::Stop& stop)
        : index_(index), formulas_(index, {.flattened = 100'000, .edges = most_edges, .stop = stop}) {}

    bool add_formulas() {
        const ground::Program& program = index_.program();
        for (const Atom atom : program.next) next_.push_back(formulas_.add(atom));
        for (const Atom atom : program.legal) legal_.push_back(formulas_.add(atom));
        for (const ground::GoalEntry& goal : program.goals) {
            goals_.push_back({goal.role, goal.value, formulas_.add(goal.atom)});
        }
        terminal_ = formulas_.add(program.terminal);
        // Definitions may bring in further recursive atoms, which are nodes further on.
        for (std::uint32_t i = 0; i < formulas_.size() && !formulas_.cut_short(); ++i) {
            if (formulas_.node(i).kind != FormulaGraph::Kind::recursive) continue;
            const Edge definition = formulas_.define(formulas_.node(i).atom);
            definitions_.emplace_back(i, definition);
        }
        return !formulas_.cut_short();
    }

    void build(bool keep_start) {
        const ground::Program& program = index_.program();
        for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
            const bool initial = std::ranges::binary_search(program.initial, Fluent{i});
            graph_.add(keep_start && initial ? start_fluent : fluent);
        }
        for (std::size_t i = 0; i < program.moves.size(); ++i) graph_.add(move);
        for (const gdl::Term term : program.roles) {
            const bool by_chance = program.terms.symbols().name(program.terms.symbol(term)) == "random";
            roles_.push_back(graph_.add(by_chance ? chance : role));
        }
        add_nodes();
        for (std::uint32_t i = 0; i < next_.size(); ++i) depend(i, next_[i], outer);
        for (std::uint32_t i = 0; i < legal_.size(); ++i) {
            const std::uint32_t node = program.first_move_atom() + i;
            depend(node, legal_[i], outer);
            graph_.join(node, roles_[ground::index(program.moves[i].role)]);
        }
        for (const auto& [node, definition] : definitions_) {
            if (places_[node] != none) depend(places_[node], definition, outer);
        }
        for (const Goal& goal : goals_) {
            const auto value = static_cast<std::uint32_t>(std::clamp(goal.value, 0, 999));
            depend(roles_[ground::index(goal.role)], goal.condition, first_goal + value);
        }
        graph_.join(graph_.add(end), literal(terminal_));
    }

    // Formulas that conditions are made of. Others, flattened into larger ones, would show how rules are written down.
    std::vector<bool> used() const {
        std::vector<bool> used(formulas_.size(), false);
        for (const Edge edge : next_) used[edge.node()] = true;
        for (const Edge edge : legal_) used[edge.node()] = true;
        for (const Goal& goal : goals_) used[goal.condition.node()] = true;
        for (const auto& [node, definition] : definitions_) used[definition.node()] = true;
        used[terminal_.node()] = true;
        for (std::size_t i = formulas_.size(); i-- > 0;) {
            if (!used[i]) continue;
            for (const Edge edge : formulas_.edges(formulas_.node(static_cast<std::uint32_t>(i)))) {
                used[edge.node()] = true;
            }
        }
        return used;
    }

    // Nodes of formulas in their order, each with its height above the leaves.
    void add_nodes() {
        using Kind = FormulaGraph::Kind;
        const std::vector<bool> is_used = used();
        std::vector<std::uint32_t> height(formulas_.size(), 0);
        opposites_.assign(formulas_.size(), none);
        for (std::uint32_t i = 0; i < formulas_.size(); ++i) {
            const FormulaGraph::Node& node = formulas_.node(i);
            if (node.kind == Kind::fluent || node.kind == Kind::move) {
                places_.push_back(ground::index(node.atom));
                continue;
            }
            if (!is_used[i]) {
                places_.push_back(none);
                continue;
            }
            for (const Edge edge : formulas_.edges(node)) height[i] = std::max(height[i], height[edge.node()] + 1);
            std::uint32_t colour = first_height + 2 * height[i] + (node.kind == Kind::conjunction ? 0 : 1);
            if (node.kind == Kind::constant) colour = certain;
            if (node.kind == Kind::recursive) colour = recursive;
            places_.push_back(graph_.add(colour));
            for (const Edge edge : formulas_.edges(node)) graph_.join(places_[i], literal(edge));
        }
    }

    // The node for a formula or for its opposite, which hangs on it.
    std::uint32_t literal(Edge edge) {
        if (!edge.negated()) return places_[edge.node()];
        std::uint32_t& opposite = opposites_[edge.node()];
        if (opposite == none) {
            opposite = graph_.add(inner);
            graph_.join(opposite, places_[edge.node()]);
        }
        return opposite;
    }

    // Two nodes in between, of different colours, say which end depends on the other.
    void depend(std::uint32_t node, Edge condition, std::uint32_t colour) {
        const std::uint32_t first = graph_.add(colour);
        const std::uint32_t second = graph_.add(end);
        graph_.join(node, first);
        graph_.join(first, second);
        graph_.join(second, literal(condition));
    }

    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    const RuleIndex& index_;
    FormulaGraph formulas_;
    std::vector<Edge> next_, legal_;  // by fluent, by move
    std::vector<Goal> goals_;
    Edge terminal_;
    std::vector<std::pair<std::uint32_t, Edge>> definitions_;  // of recursive nodes
    ColouredGraph graph_;
    std::vector<std::uint32_t> roles_, places_, opposites_;  // nodes: by role, by formula
};

}  // namespace

bool Symmetry::swaps_roles() const {
    for (std::uint32_t i = 0; i < roles.size(); ++i) {
        if (ground::index(roles[i]) != i) return true;
    }
    return false;
}

machine::State Symmetry::apply(const machine::State& state) const {
    machine::State result = state;
    result.clear();
    state.for_each([&](Fluent fluent) { result.insert(fluents[ground::index(fluent)]); });
    return result;
}

bool Symmetry::is_consistent(const ground::Program& program) const {
    const auto permutes = [](const auto& images, std::size_t count) {
        std::vector<bool> met(count, false);
        for (const auto image : images) {
            if (ground::index(image) >= count || met[ground::index(image)]) return false;
            met[ground::index(image)] = true;
        }
        return images.size() == count;
    };
    if (!permutes(fluents, program.fluents.size()) || !permutes(moves, program.moves.size())) return false;
    if (!permutes(roles, program.roles.size())) return false;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const Role image = program.moves[ground::index(moves[i])].role;
        if (roles[ground::index(program.moves[i].role)] != image) return false;
    }
    std::vector<Fluent> start;
    for (const Fluent fluent : program.initial) start.push_back(fluents[ground::index(fluent)]);
    std::ranges::sort(start);
    return keeps_start == (start == program.initial);
}

Symmetries find_symmetries(const RuleIndex& index, bool keep_start, const machine::Stop& stop) {
    Symmetries result;
    const ground::Program& program = index.program();
    if (stop.now() || program.rule_count() > most_rules) return result;
    const std::optional<RuleGraph> rules = RuleGraph::make(index, keep_start, stop);
    if (!rules || stop.now()) return result;
    const Refinement first = refine(rules->graph(), most_refinement, stop);
    if (!first.done) return result;
    if (first.discrete) {
        result.complete = true;
        return result;
    }
    const Automorphisms found = find_automorphisms(rules->graph(), stop);
    result.complete = found.complete;
    result.size = found.size;
    const Symmetry same = identity(program);
    for (const std::vector<int>& image : found.generators) {
        Symmetry one = rules->read(image);
        // Some only exchange atoms that say the same.
        if (one.fluents == same.fluents && one.moves == same.moves && one.roles == same.roles) continue;
        STRATAGEM_ENSURES(one.is_consistent(program));
        result.generators.push_back(std::move(one));
    }
    return result;
}

std::vector<Symmetry> all_symmetries(const ground::Program& program, const Symmetries& found, std::size_t most) {
    std::vector<Symmetry> all{identity(program)};
    const auto key = [](const Symmetry& one) { return std::tuple(one.fluents, one.moves, one.roles); };
    std::set<decltype(key(all[0]))> seen{key(all[0])};
    for (std::size_t next = 0; next < all.size() && all.size() < most; ++next) {
        for (const Symmetry& generator : found.generators) {
            Symmetry one = chain(all[next], generator);
            if (all.size() < most && seen.insert(key(one)).second) all.push_back(std::move(one));
        }
    }
    return all;
}

}  // namespace stratagem::analysis
