#include "analysis/neutral_order.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>

namespace stratagem::analysis {

namespace {

using Colour = std::uint64_t;

constexpr Colour mixed(Colour value) {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

// What a connection says of its ends. From 16 on: the place of an argument.
enum Label : std::uint32_t { head, positive, negative, comes_next, is_legal, says, functor, of_static, argument = 16 };

class Colouring {
  public:
    Colouring(const ground::Program& program, const machine::Stop& stop, std::size_t most_work)
        : program_(program), stop_(stop), work_left_(most_work) {
        colours_.assign(program.atom_count() + program.rule_count(), 0);
        connect_rules();
        connect_terms();
        connect_statics();
        sums_.resize(colours_.size());
    }

    // By neighbours alone. False, here and below, where there was not enough time or work.
    bool refine_all() { return edges_.size() <= work_left_ / 8 && refine(); }
    // With one after the other declared special.
    bool tell_apart() {
        for (;;) {
            const std::optional<std::uint32_t> one = one_of_several();
            if (!one) return true;
            colours_[*one] = mixed(colours_[*one] + 1);
            if (!refine()) return false;
        }
    }

    Colour sum() const {
        Colour result = 0;
        for (const Colour colour : colours_) result += mixed(colour);
        return result;
    }
    Colour of(std::uint32_t node) const { return colours_[node]; }
    std::uint32_t rule_node(std::size_t rule) const { return program_.atom_count() + static_cast<std::uint32_t>(rule); }

  private:
    struct Edge {
        std::uint32_t from, to, label;
    };

    void paint(std::uint32_t node, Colour with) { colours_[node] = mixed(colours_[node] + mixed(with + 1)); }
    std::uint32_t add_node(Colour colour) {
        colours_.push_back(mixed(colour));
        return static_cast<std::uint32_t>(colours_.size() - 1);
    }

    void connect_rules() {
        for (std::uint32_t i = 0; i < program_.atom_count(); ++i) {
            paint(i, i < program_.first_move_atom() ? 1 : i < program_.first_derived() ? 2 : 3);
        }
        for (const ground::Fluent fluent : program_.initial) paint(ground::index(fluent), 4);
        for (std::uint32_t i = 0; i < program_.moves.size(); ++i) {
            paint(program_.first_move_atom() + i, 16 + ground::index(program_.moves[i].role));
        }
        if (program_.terminal != ground::Atom::none) paint(ground::index(program_.terminal), 5);
        for (const ground::GoalEntry& goal : program_.goals) {
            paint(ground::index(goal.atom),
                  Colour{1000} * (ground::index(goal.role) + 1) + static_cast<Colour>(goal.value));
        }
        for (std::uint32_t i = 0; i < program_.next.size(); ++i) {
            if (program_.next[i] != ground::Atom::none) connect(ground::index(program_.next[i]), i, comes_next);
        }
        for (std::uint32_t i = 0; i < program_.legal.size(); ++i) {
            if (program_.legal[i] == ground::Atom::none) continue;
            connect(ground::index(program_.legal[i]), program_.first_move_atom() + i, is_legal);
        }
        for (std::size_t rule = 0; rule < program_.rule_count(); ++rule) {
            const std::uint32_t node = rule_node(rule);
            paint(node, 6);
            connect(node, ground::index(program_.head(rule)), head);
            for (const ground::Condition condition : program_.body(rule)) {
                connect(node, ground::index(condition.atom()), condition.positive() ? positive : negative);
            }
        }
    }
    void connect_terms() {
        for (std::uint32_t i = 0; i < program_.fluents.size(); ++i) connect(i, term_node(program_.fluents[i]), says);
        for (std::uint32_t i = 0; i < program_.moves.size(); ++i) {
            connect(program_.first_move_atom() + i, term_node(program_.moves[i].term), says);
        }
        for (std::uint32_t i = 0; i < program_.roles.size(); ++i) paint(term_node(program_.roles[i]), 16 + i);
    }
    void connect_statics() {
        constexpr std::size_t most_tuples = 20'000;  // of a relation
        for (const ground::StaticRelation& relation : program_.statics) {
            if (relation.size() > most_tuples || !relation.complete()) continue;
            for (std::size_t i = 0; i < relation.size(); ++i) {
                const std::uint32_t node = add_node(7);
                connect(node, symbol_node(relation.symbol()), of_static);
                for (std::uint32_t k = 0; k < relation.arity(); ++k) {
                    connect(node, term_node(relation.tuple(i)[k]), argument + k);
                }
            }
        }
    }
    std::uint32_t symbol_node(gdl::Symbol symbol) {
        const auto [found, added] = symbols_.emplace(gdl::index(symbol), 0);
        if (added) found->second = add_node(8);
        return found->second;
    }
    std::uint32_t term_node(gdl::Term term) {
        const auto [found, added] = terms_.emplace(gdl::index(term), 0);
        if (!added) return found->second;
        const std::uint32_t node = found->second = add_node(9);
        connect(node, symbol_node(program_.terms.symbol(term)), functor);
        for (std::uint32_t i = 0; i < program_.terms.arity(term); ++i) {
            connect(node, term_node(program_.terms.argument(term, i)), argument + i);
        }
        return node;
    }
    void connect(std::uint32_t from, std::uint32_t to, std::uint32_t label) { edges_.push_back({from, to, label}); }

    // Until nothing more can be told apart. Sums are the same in any order.
    bool refine() {
        for (std::size_t before = 0, now = distinct(); now > before; before = now, now = distinct()) {
            const std::size_t work = edges_.size() + colours_.size();
            if (work > work_left_ || stop_.now()) return false;
            work_left_ -= work;
            std::ranges::fill(sums_, 0);
            for (const Edge& edge : edges_) {
                sums_[edge.from] += mixed(colours_[edge.to] ^ (edge.label * 0x9E3779B97F4A7C15ULL));
                sums_[edge.to] += mixed(colours_[edge.from] ^ ((edge.label + 1'000'003) * 0xC2B2AE3D27D4EB4FULL));
            }
            for (std::size_t i = 0; i < colours_.size(); ++i) colours_[i] = mixed(mixed(colours_[i]) + sums_[i]);
        }
        return true;
    }

    std::size_t distinct() {
        table_.assign(std::bit_ceil(2 * colours_.size() + 1), 0);
        std::size_t count = 0;
        for (const Colour colour : colours_) {
            const Colour key = colour == 0 ? 1 : colour;
            std::size_t at = key & (table_.size() - 1);
            while (table_[at] != 0 && table_[at] != key) at = (at + 1) & (table_.size() - 1);
            count += table_[at] == 0 ? 1 : 0;
            table_[at] = key;
        }
        return count;
    }

    // Of the moves, or else fluents, that look alike: one of the fewest.
    std::optional<std::uint32_t> one_of_several() const {
        const std::optional<std::uint32_t> move = one_of_several(program_.first_move_atom(), program_.first_derived());
        return move ? move : one_of_several(0, program_.first_move_atom());
    }
    std::optional<std::uint32_t> one_of_several(std::uint32_t begin, std::uint32_t end) const {
        struct Class {
            std::size_t count = 0;
            std::uint32_t first = 0;
        };
        std::unordered_map<Colour, Class> classes;
        for (std::uint32_t i = begin; i < end; ++i) {
            Class& one = classes[colours_[i]];
            if (one.count++ == 0) one.first = i;
        }
        std::optional<std::pair<std::size_t, Colour>> best;
        std::optional<std::uint32_t> result;
        for (const auto& [colour, one] : classes) {
            if (one.count < 2 || (best && *best < std::pair(one.count, colour))) continue;
            best = {one.count, colour};
            result = one.first;
        }
        return result;
    }

    const ground::Program& program_;
    const machine::Stop& stop_;
    std::size_t work_left_;
    std::vector<Colour> colours_;  // by node: atoms, then rules, then terms, symbols and facts
    std::vector<Colour> sums_;
    std::vector<Colour> table_;
    std::vector<Edge> edges_;
    std::unordered_map<std::uint32_t, std::uint32_t> terms_, symbols_;
};

// By number: the place in the order of keys, then numbers; or the first place of those with the same key.
template <typename Key>
std::vector<std::uint32_t> places(std::size_t count, bool shared, Key&& key) {
    std::vector<std::pair<Colour, std::uint32_t>> order;
    order.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) order.emplace_back(key(i), i);
    std::ranges::sort(order);
    std::vector<std::uint32_t> result(count);
    for (std::uint32_t i = 0, first = 0; i < count; ++i) {
        if (order[i].first != order[first].first) first = i;
        result[order[i].second] = shared ? first : i;
    }
    return result;
}

}  // namespace

NeutralOrder::NeutralOrder(const ground::Program& program, const machine::Stop& stop, std::size_t most_work) {
    Colouring colouring(program, stop, most_work);
    const bool refined = colouring.refine_all();
    atoms_ = places(program.atom_count(), true, [&](std::uint32_t i) { return colouring.of(i); });
    rules_ = places(program.rule_count(), true, [&](std::uint32_t i) { return colouring.of(colouring.rule_node(i)); });
    fingerprint_ = colouring.sum();
    complete_ = refined && colouring.tell_apart();
    moves_ = places(program.moves.size(), false,
                    [&](std::uint32_t i) { return colouring.of(program.first_move_atom() + i); });
}

void NeutralOrder::sort(std::vector<ground::Move>& moves) const {
    std::ranges::sort(moves, {}, [&](ground::Move move) { return place(move); });
}

}  // namespace stratagem::analysis
