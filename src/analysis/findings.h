// What has been found out about a game: a handle on items that are shared with everybody who knows them, and that never
// change. What was not asked for, or not found in time, is empty here, and verdicts on it are unknown. Nothing is a
// guess passed off as knowledge: each item is proved, or observed on so many states, or refuted.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "analysis/claims.h"
#include "analysis/game_kind.h"
#include "analysis/structures.h"
#include "analysis/subgames.h"
#include "analysis/symmetry.h"

namespace stratagem::analysis {

// What can be asked for, in the order in which it is worked out.
enum class Item : std::uint8_t {
    kind,     // of game: who plays, turns, sums, teams, length
    samples,  // states met in random play
    orders,
    groups,  // families, and fluents that may exclude each other
    graph,   // orders of arguments, covers and distances of fluents
    parts,
    symmetries,
    invariants,  // the proved ones among the groups
    turns,
    persistence,
    goal_sum,
    structures,
};

class Items {
  public:
    constexpr Items(std::initializer_list<Item> items) {
        for (const Item item : items) bits_ |= bit(item);
    }
    static constexpr Items all() { return Items((bit(Item::structures) << 1U) - 1); }
    // What evaluators are made from.
    static constexpr Items of_rules() {
        return {Item::orders, Item::groups,      Item::graph,    Item::invariants,
                Item::turns,  Item::persistence, Item::goal_sum, Item::structures};
    }

    constexpr bool has(Item item) const { return (bits_ & bit(item)) != 0; }
    constexpr void add(Item item) { bits_ |= bit(item); }

  private:
    constexpr explicit Items(std::uint32_t bits) : bits_(bits) {}
    static constexpr std::uint32_t bit(Item item) { return 1U << static_cast<unsigned>(item); }

    std::uint32_t bits_ = 0;
};

// How long a part took, and whether it came to its end.
struct Stage {
    std::string name;
    double seconds = 0;
    bool complete = true;
};

// The items that consist of more than one thing.
struct FoundGroups {
    std::vector<Family> families;
    std::vector<Group> groups;  // as found, before any proof
};
struct FoundGraph {
    ArgumentOrders argument_orders;
    std::unique_ptr<FluentGraph> graph;
};
struct Proofs {
    std::shared_ptr<const std::vector<Group>> groups;  // with their verdicts
    Verdict turn_taking = Verdict::unknown;
    std::optional<State> several_choose;
    Persistence persistence;
    GoalSum goal_sum;  // over all roles but chance
    Item last = Item::invariants;
};

class Findings {
  public:
    // The ground rules all of this is about; null where there are none, and then only the kind of game is known.
    const std::shared_ptr<const ground::Program>& program() const { return program_; }
    // The kind of game, with what was proved of it if that was asked for together with it. Where it was not asked for,
    // or could not be had in time because another thread was at it, no games were seen, and this is what the rules say.
    const GameKind& kind() const { return kind_; }
    const Samples* samples() const { return samples_.get(); }
    const std::vector<Order>& orders() const { return value_or_empty(orders_); }
    const std::vector<Family>& families() const { return value_or_empty(groups_).families; }
    // By family and argument.
    const ArgumentOrders& argument_orders() const { return value_or_empty(graph_).argument_orders; }
    // With what was proved of them.
    const std::vector<Group>& groups() const;
    const std::shared_ptr<const RuleIndex>& rules() const { return rules_; }
    const FluentGraph* graph() const { return graph_ ? graph_->graph.get() : nullptr; }
    const Subgames& subgames() const { return value_or_empty(subgames_); }
    // Of the rules, also such as swap roles or move the initial state.
    const Symmetries& symmetries() const { return value_or_empty(symmetries_); }
    // A state in which two roles have a choice, where turn-taking is refuted.
    const std::optional<State>& several_choose() const { return value_or_empty(proofs_).several_choose; }
    const Persistence& persistence() const { return value_or_empty(proofs_).persistence; }
    // The proof of a constant sum, with its sum or a witness.
    const GoalSum& goal_sum() const { return value_or_empty(proofs_).goal_sum; }
    const std::vector<Structure>& structures() const { return value_or_empty(structures_); }  // by family
    const std::vector<Stage>& stages() const { return stages_; }
    // All that was asked for came to its end.
    bool complete() const;

  private:
    friend class Analysis;
    friend class Analyst;

    template <typename T>
    static const T& value_or_empty(const std::shared_ptr<const T>& item) {
        static const T empty{};
        return item ? *item : empty;
    }

    std::shared_ptr<const ground::Program> program_;
    GameKind kind_;
    std::shared_ptr<const Samples> samples_;
    std::shared_ptr<const std::vector<Order>> orders_;
    std::shared_ptr<const FoundGroups> groups_;
    std::shared_ptr<const RuleIndex> rules_;
    std::shared_ptr<const FoundGraph> graph_;
    std::shared_ptr<const Subgames> subgames_;
    std::shared_ptr<const Symmetries> symmetries_;
    std::shared_ptr<const Proofs> proofs_;
    std::shared_ptr<const std::vector<Structure>> structures_;
    std::vector<Stage> stages_;
    bool missing_ = false;
};

// The rules of the program: those that were found, if they are of this program; else new ones. `known` may be null.
std::shared_ptr<const RuleIndex> shared_rules(const Findings* known,
                                              const std::shared_ptr<const ground::Program>& program);
// They keep the program alive.
std::shared_ptr<const RuleIndex> make_rules(std::shared_ptr<const ground::Program> program);

}  // namespace stratagem::analysis
