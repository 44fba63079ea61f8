#include "evaluate/feature_tree/grow.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace stratagem::evaluate::feature_tree {

namespace {

using machine::Fluent;
using FluentSet = std::vector<Fluent>;  // ascending

// Breadth first, so that a limit leaves the general ones.
class Grower {
  public:
    Grower(const Literals& literals, const GrowthLimits& limits, const machine::Stop& stop)
        : literals_(literals), limits_(limits), stop_(stop) {}

    Growth run() {
        FluentSet all;
        for (std::uint32_t i = 0; i < literals_.size(); ++i) all.push_back(Fluent{i});
        keep(0, {}, std::move(all));
        for (std::uint32_t at = 0; at < nodes_.size() && !is_full_; ++at) expand(at);
        for (std::size_t i = 0; i < nodes_.size(); ++i) add_aggregators(i);
        return {FeatureTree(nodes_), !is_full_};
    }

  private:
    void keep(std::uint32_t parent, Qualifier qualifier, FluentSet set) {
        std::uint64_t hash = 0;
        for (const Fluent fluent : set) hash ^= machine::zobrist(fluent);
        std::vector<std::uint32_t>& alike = by_hash_[hash];
        if (std::ranges::any_of(alike, [&](std::uint32_t node) { return sets_[node] == set; })) return;
        // Whoever uses the tree filters what is in the parent.
        constexpr std::size_t most_looks = 5;  // for each of the parts there may be
        looks_ += nodes_.empty() ? 0 : sets_[parent].size();
        is_full_ = is_full_ || nodes_.size() >= limits_.nodes || parts_ + set.size() > limits_.parts ||
                   looks_ > most_looks * limits_.parts;
        if (is_full_ && !nodes_.empty()) return;
        alike.push_back(static_cast<std::uint32_t>(nodes_.size()));
        nodes_.push_back({parent, std::move(qualifier), {}});
        parts_ += set.size();
        sets_.push_back(std::move(set));
    }

    void expand(std::uint32_t at) {
        const FluentSet set = sets_[at];
        by_atom(at, set, std::nullopt);
        std::uint32_t arity = 0;
        for (const Fluent fluent : set) arity = std::max(arity, literals_.arity(fluent));
        for (std::uint32_t i = 0; i < arity && !is_full(); ++i) {
            by_atom(at, set, std::vector{i});
            by_region(at, set, {Qualifier::Kind::corner, false, {i}, {}});
            by_region(at, set, {Qualifier::Kind::edge, false, {i}, {}});
        }
    }

    // A child for each atom that stands at the end of the path, or is the functor without one; then the same inside.
    void by_atom(std::uint32_t at, const FluentSet& set, std::optional<std::vector<std::uint32_t>> path) {
        const gdl::TermPool& terms = literals_.program().terms;
        std::vector<std::pair<gdl::Symbol, FluentSet>> parts;
        std::unordered_map<gdl::Symbol, std::size_t> part_of;
        std::uint32_t deepest = 0;
        for (const Fluent fluent : set) {
            std::optional<gdl::Term> term = literals_.term(fluent);
            for (const std::uint32_t step : path.value_or(std::vector<std::uint32_t>{})) {
                if (term) term = step < terms.arity(*term) ? std::optional(terms.argument(*term, step)) : std::nullopt;
            }
            if (!term) continue;
            const auto [found, is_new] = part_of.try_emplace(terms.symbol(*term), parts.size());
            if (is_new) parts.emplace_back(terms.symbol(*term), FluentSet{});
            parts[found->second].second.push_back(fluent);
            deepest = std::max(deepest, terms.arity(*term));
        }
        for (auto& [symbol, part] : parts) {
            if (is_full()) return;
            Qualifier qualifier{path ? Qualifier::Kind::argument : Qualifier::Kind::functor, false,
                                path.value_or(std::vector<std::uint32_t>{}), std::string(terms.symbols().name(symbol))};
            if (limits_.negations) keep_rest(at, set, part, qualifier);
            if (part.size() < set.size()) keep(at, std::move(qualifier), std::move(part));
        }
        if (!path) return;
        path->push_back(0);
        for (std::uint32_t i = 0; i < deepest && !is_full(); ++i) {
            path->back() = i;
            by_atom(at, set, path);
        }
    }

    void by_region(std::uint32_t at, const FluentSet& set, Qualifier qualifier) {
        FluentSet inside;
        const Literals::Matcher matches(literals_, qualifier);
        for (const Fluent fluent : set) {
            if (matches(fluent)) inside.push_back(fluent);
        }
        if (inside.empty() || inside.size() == set.size()) return;
        keep_rest(at, set, inside, qualifier);
        keep(at, std::move(qualifier), std::move(inside));
    }

    void keep_rest(std::uint32_t at, const FluentSet& set, const FluentSet& part, Qualifier qualifier) {
        if (part.size() == set.size()) return;
        FluentSet rest;
        std::ranges::set_difference(set, part, std::back_inserter(rest));
        qualifier.negated = true;
        keep(at, std::move(qualifier), std::move(rest));
    }

    void add_aggregators(std::size_t at) {
        nodes_[at].aggregators.push_back({});
        std::uint32_t arity = 0;
        for (const Fluent fluent : sets_[at]) arity = std::max(arity, literals_.arity(fluent));
        for (std::uint32_t i = 0; i < arity; ++i) {
            // Nothing where there is no order, as evaluation has it.
            const auto place = [&](Fluent fluent) { return literals_.place(fluent, i).value_or(0); };
            const std::uint32_t first = place(sets_[at].front());
            if (std::ranges::all_of(sets_[at], [&](Fluent fluent) { return place(fluent) == first; })) continue;
            nodes_[at].aggregators.push_back({Aggregator::Kind::order, i});
        }
    }

    bool is_full() {
        constexpr unsigned between_looks = 64;  // at the clock
        if (!is_full_ && ++asked_ % between_looks == 0) is_full_ = stop_.now();
        return is_full_;
    }

    const Literals& literals_;
    const GrowthLimits& limits_;
    const machine::Stop& stop_;
    std::vector<Node> nodes_;
    std::vector<FluentSet> sets_;  // by node
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
    std::size_t parts_ = 0, looks_ = 0;
    bool is_full_ = false;
    unsigned asked_ = 0;
};

}  // namespace

Growth grow(const Literals& literals, const GrowthLimits& limits, const machine::Stop& stop) {
    return Grower(literals, limits, stop).run();
}

}  // namespace stratagem::evaluate::feature_tree
