#include "evaluate/fuzzy/network.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "util/contract.h"

namespace stratagem::evaluate::fuzzy {

namespace {

// How true a comparison is of two numbers: as eval(r(a, b)) of the paper; an equality is false by how far they are
// apart.
double value_of(const Comparison& comparison, const Norms& norms, std::uint32_t left, std::uint32_t right) {
    const double t = norms.threshold();
    const double apart = comparison.apart(left, right);
    if (!comparison.holds(left, right)) return norms.missing(apart);
    return comparison.equality ? norms.atom(true) : t + (1 - t) * apart;
}

}  // namespace

std::uint32_t Network::add_leaf() { return add_node({}, false, Kind::leaf); }

std::uint32_t Network::add(std::span<const Code> parts, bool disjunction) {
    std::vector<Code> codes;
    codes.reserve(parts.size());
    for (const Code part : parts) codes.push_back(part ^ disjunction);
    while (codes.size() > widest) {
        std::vector<Code> shares;
        for (std::size_t i = 0; i < codes.size(); i += share) {
            const std::size_t count = std::min(share, codes.size() - i);
            shares.emplace_back(add_node(std::span(codes).subspan(i, count), false, Kind::share));
        }
        codes = std::move(shares);
    }
    return add_node(codes, disjunction, Kind::fuzzy);
}

std::uint32_t Network::add_crisp_disjunction(std::span<const Code> parts) {
    std::vector<Code> codes;
    for (const Code part : parts) codes.push_back(!part);
    return add_node(codes, true, Kind::crisp);
}

std::uint32_t Network::add_comparison(const Comparison& comparison, std::span<const Code> inputs) {
    const std::uint32_t number = add_node(inputs, false, Kind::comparison);
    nodes_[number].comparison = static_cast<std::uint32_t>(comparisons_.size());
    comparisons_.push_back(&comparison);
    return number;
}

std::uint32_t Network::add_node(std::span<const Code> parts, bool negated, Kind kind) {
    STRATAGEM_EXPECTS(std::ranges::all_of(parts, [this](Code part) { return part.node() < nodes_.size(); }));
    Node node{static_cast<std::uint32_t>(edges_.size()), 0, kind, negated, 0};
    edges_.insert(edges_.end(), parts.begin(), parts.end());
    node.end = static_cast<std::uint32_t>(edges_.size());
    nodes_.push_back(node);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void Network::finish() {
    first_user_.assign(nodes_.size() + 1, 0);
    for (const Code edge : edges_) ++first_user_[edge.node() + 1];
    for (std::size_t i = 0; i < nodes_.size(); ++i) first_user_[i + 1] += first_user_[i];
    users_.resize(edges_.size());
    std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        for (std::uint32_t e = nodes_[i].first; e < nodes_[i].end; ++e) users_[next[edges_[e].node()]++] = i;
    }
    STRATAGEM_INVARIANT(is_consistent());
}

bool Network::is_consistent() const {
    if (first_user_.size() != nodes_.size() + 1 || users_.size() != edges_.size()) return false;
    std::size_t edges = 0;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        const Node& node = nodes_[i];
        if (node.first != edges || node.end < node.first || node.end > edges_.size()) return false;
        if (node.kind == Kind::leaf && node.end != node.first) return false;
        if (node.kind == Kind::comparison && node.comparison >= comparisons_.size()) return false;
        for (; edges < node.end; ++edges) {
            if (edges_[edges].node() >= i) return false;
        }
        for (std::uint32_t u = first_user_[i]; u < first_user_[i + 1]; ++u) {
            if (users_[u] <= i || users_[u] >= nodes_.size()) return false;
        }
    }
    return edges == edges_.size();
}

Network::Values Network::make_values() const {
    STRATAGEM_EXPECTS(first_user_.size() == nodes_.size() + 1);
    const double low = norms_.atom(false);
    Values values;
    values.value.assign(nodes_.size(), low);
    values.sum.assign(nodes_.size(), std::numeric_limits<double>::quiet_NaN());
    values.power.resize(2 * nodes_.size());
    values.fails.resize(2 * nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        values.power[2 * i] = norms_.power(1 - low);
        values.power[2 * i + 1] = norms_.power(low);
        values.fails[2 * i] = 1;
    }
    values.dirty.assign(nodes_.size() / 64 + 1, 0);
    return values;
}

void Network::set_leaf(Values& values, std::uint32_t leaf, double value) const {
    if (values.value[leaf] != value && set(values, leaf, norms_.leaf(value))) mark_users(values, leaf);
}

void Network::set_leaf(Values& values, std::uint32_t leaf, bool holds) const {
    if (set(values, leaf, holds ? true_ : false_)) mark_users(values, leaf);
}

bool Network::set(Values& values, std::uint32_t number, const Norms::Result& value) const {
    if (values.value[number] == value.value) return false;
    const std::size_t at = 2 * std::size_t{number};
    values.value[number] = value.value;
    values.power[at] = value.rest_power;
    values.power[at + 1] = value.power;
    values.fails[at] = value.value <= 0.5 ? 1 : 0;
    values.fails[at + 1] = value.value > 0.5 ? 1 : 0;
    return true;
}

void Network::mark_users(Values& values, std::uint32_t number) const {
    for (std::uint32_t u = first_user_[number]; u < first_user_[number + 1]; ++u) {
        values.dirty[users_[u] / 64] |= std::uint64_t{1} << (users_[u] % 64);
    }
}

bool Network::compute_crisp(Values& values, std::uint32_t number) const {
    const Node& node = nodes_[number];
    bool all = true;
    for (std::uint32_t e = node.first; e < node.end && all; ++e) all = values.fails[edges_[e].code()] == 0;
    return set(values, number, all != node.negated ? true_ : false_);
}

// Of the pairs of numbers that the state says, the one for which it is most true.
bool Network::compute_comparison(Values& values, std::uint32_t number) const {
    const Node& node = nodes_[number];
    const Comparison& comparison = *comparisons_[node.comparison];
    double best = 0;
    for (std::uint32_t e = node.first; e < node.end; ++e) {
        const Comparison::Input& input = comparison.inputs[e - node.first];
        if (input.left == Comparison::none || values.fails[edges_[e].code()] != 0) continue;
        if (input.right != Comparison::none) {
            best = std::max(best, value_of(comparison, norms_, input.left, input.right));
            continue;
        }
        for (std::uint32_t f = node.first; f < node.end; ++f) {
            const Comparison::Input& other = comparison.inputs[f - node.first];
            if (other.right == Comparison::none || other.left != Comparison::none ||
                values.fails[edges_[f].code()] != 0)
                continue;
            best = std::max(best, value_of(comparison, norms_, input.left, other.right));
        }
    }
    return values.value[number] != best && set(values, number, norms_.leaf(best));
}

bool Network::compute(Values& values, std::uint32_t number) const {
    const Node& node = nodes_[number];
    if (node.kind == Kind::crisp) return compute_crisp(values, number);
    if (node.kind == Kind::comparison) return compute_comparison(values, number);
    double sum = 0;
    unsigned fails = 0;
    for (std::uint32_t e = node.first; e < node.end; ++e) {
        sum += values.power[edges_[e].code()];
        fails |= values.fails[edges_[e].code()];
    }
    // Equal sums, equal values: most changes end here.
    const std::size_t at = 2 * std::size_t{number};
    const unsigned flip = node.negated ? 1 : 0;
    const auto failed = static_cast<std::uint8_t>(fails);
    if (values.sum[number] == sum && values.fails[at + flip] == failed) return false;
    values.sum[number] = sum;
    values.fails[at + flip] = failed;
    values.fails[at + (flip ^ 1U)] = failed ^ 1U;
    if (node.kind == Kind::share) {
        values.power[at] = sum;
        return true;
    }
    const Norms::Result result = norms_.conjunction(sum, fails == 0);
    const bool changed = values.power[at + flip] != result.rest_power || values.power[at + (flip ^ 1U)] != result.power;
    values.value[number] = node.negated ? 1 - result.value : result.value;
    values.power[at + flip] = result.rest_power;
    values.power[at + (flip ^ 1U)] = result.power;
    return changed;
}

void Network::compute_all(Values& values) const {
    std::ranges::fill(values.dirty, 0);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i].kind != Kind::leaf) compute(values, i);
    }
}

void Network::compute_changes(Values& values) const {
    for (std::size_t w = 0; w < values.dirty.size(); ++w) {
        while (values.dirty[w] != 0) {
            const auto number =
                static_cast<std::uint32_t>(w * 64) + static_cast<std::uint32_t>(std::countr_zero(values.dirty[w]));
            values.dirty[w] &= values.dirty[w] - 1;
            if (compute(values, number)) mark_users(values, number);
        }
    }
}

}  // namespace stratagem::evaluate::fuzzy
