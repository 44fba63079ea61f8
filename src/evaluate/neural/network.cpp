#include "evaluate/neural/network.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "util/contract.h"

namespace stratagem::evaluate::neural {

namespace {

// The largest power of two of which sums up to `most` fit into 62 bits; finer than what doubles of size 1 can say is
// of no use.
double unit_for(double most) { return std::exp2(std::min(53.0, 61 - std::ceil(std::log2(std::max(most, 1.0))))); }
constexpr double finest = 0x1p53;

// Values may be added in any order and taken away again.
Network::Tally& operator+=(Network::Tally& all, const Network::Tally& one) {
    all.sum += one.sum;
    all.near += one.near;
    all.fails += one.fails;
    all.dead += one.dead;
    all.sure += one.sure;
    return all;
}
Network::Tally& operator-=(Network::Tally& all, const Network::Tally& one) {
    all.sum -= one.sum;
    all.near -= one.near;
    all.fails -= one.fails;
    all.dead -= one.dead;
    all.sure -= one.sure;
    return all;
}

}  // namespace

Network::Network(const DomainTheory& theory, Kind inner, std::span<const NodeFeature> features,
                 const SoftSettings& soft, double probable)
    : soft_(soft),
      probable_(probable),
      features_(features.begin(), features.end()),
      looked_into_(theory.size(), false),
      rewritten_(theory.comparisons()) {
    if (!features_.empty()) feature_of_.assign(theory.size(), no_feature);
    for (std::uint32_t f = 0; f < features_.size(); ++f) feature_of_[features_[f].node] = f;
    if (rewritten_) comparisons_.assign(theory.size(), nullptr);
    for (std::uint32_t i = 0; i < theory.size(); ++i) {
        const DomainTheory::Node& node = theory.node(i);
        Neuron made;
        made.disjunction = node.kind == DomainTheory::Kind::disjunction;
        if (!theory.leaf(i)) made.kind = node.crisp ? Kind::crisp : inner;
        if (const NodeFeature* of = feature(i)) {
            if (node.crisp) {
                made.kind = Kind::counted;
                made.input = made.output = {-1, -probable, probable, 1};
            }
            if (of->partial || !of->nearness.empty()) {
                for (const Code part : theory.parts(node)) looked_into_[node_of(part)] = true;
            }
        }
        if (node.kind == DomainTheory::Kind::comparison) {
            made.kind = Kind::comparison;
            made.input = made.output = {-1, -probable, probable, 1};
            comparisons_[i] = &theory.comparison(node);
        }
        made.first = static_cast<std::uint32_t>(parts_.size());
        for (const Code part : theory.parts(node)) parts_.push_back(part);
        made.end = static_cast<std::uint32_t>(parts_.size());
        neurons_.push_back(made);
    }
    strengths_.assign(parts_.size(), 1);
    sigmoid_ = inner == Kind::sigmoid;
    upwards_ = index_users(std::vector<bool>(neurons_.size(), true));
    finish();
}

std::shared_ptr<const Network::Upwards> Network::index_users(const std::vector<bool>& wanted) const {
    constexpr std::uint32_t groups = Upwards::groups;
    const auto group_of = [&](const Neuron& user, Code part) {
        const bool flipped = negated(part) != user.disjunction;
        return node_of(part) * groups + (user.adds_up() ? Upwards::graded : Upwards::crisp) + (flipped ? 1U : 0U);
    };
    auto made = std::make_shared<Upwards>();
    made->first.assign(neurons_.size() * groups + 1, 0);
    for (std::uint32_t i = 0; i < neurons_.size(); ++i) {
        if (!wanted[i]) continue;
        for (const Code part : parts(neurons_[i])) ++made->first[group_of(neurons_[i], part) + 1];
    }
    for (std::size_t i = 0; i + 1 < made->first.size(); ++i) made->first[i + 1] += made->first[i];
    made->users.resize(made->first.back());
    std::vector<std::uint32_t> next(made->first.begin(), made->first.end() - 1);
    for (std::uint32_t i = 0; i < neurons_.size(); ++i) {
        for (std::uint32_t p = neurons_[i].first; wanted[i] && p < neurons_[i].end; ++p) {
            made->users[next[group_of(neurons_[i], parts_[p])]++] = {i, p};
        }
    }
    return made;
}

void Network::prune(Values& values, std::span<const Code> roots) const {
    std::vector<bool> wanted(neurons_.size(), false);
    // What is certain is as good as its own value, unless a feature looks at what is behind it.
    std::vector<bool> looked_behind(neurons_.size(), false);
    for (const Code root : roots) wanted[node_of(root)] = true;
    for (auto i = static_cast<std::uint32_t>(neurons_.size()); i-- > 0;) {
        if (!wanted[i]) continue;
        wanted[i] = values.certain[i] == 0 || looked_behind[i];
        if (!wanted[i]) continue;
        const NodeFeature* of = feature(i);
        const bool looks = of != nullptr && !of->nearness.empty();
        for (const Code part : parts(neurons_[i])) {
            wanted[node_of(part)] = true;
            if (looks) looked_behind[node_of(part)] = true;
        }
    }
    values.upwards = index_users(wanted);
}

void Network::finish() {
    unit_.assign(neurons_.size(), 1);
    near_unit_.assign(neurons_.size(), 1);
    total_.assign(neurons_.size(), 0);
    shift_.assign(neurons_.size(), {});
    equal_ = std::ranges::all_of(strengths_, [](double strength) { return strength == 1; });
    fine_near_ = unit_for(soft_.most_doubt());
    // Neurons without parts, whose units are finer, have nothing to shift.
    const auto shift = [](double from, double to) {
        return static_cast<std::uint8_t>(std::max(0.0, std::log2(from / to)));
    };
    for (std::size_t i = 0; i < neurons_.size(); ++i) {
        for (std::uint32_t p = neurons_[i].first; p < neurons_[i].end; ++p) total_[i] += strengths_[p];
        unit_[i] = unit_for(total_[i]);
        near_unit_[i] = unit_for(total_[i] * soft_.most_doubt());
        shift_[i] = {shift(finest, unit_[i]), shift(fine_near_, near_unit_[i])};
    }
    STRATAGEM_INVARIANT(is_consistent());
}

bool Network::is_consistent() const {
    if (strengths_.size() != parts_.size() || unit_.size() != neurons_.size()) return false;
    for (std::uint32_t i = 0; i < neurons_.size(); ++i) {
        const Neuron& neuron = neurons_[i];
        if (neuron.end < neuron.first || neuron.end > parts_.size()) return false;
        if (neuron.kind == Kind::comparison && (comparisons_.empty() || comparisons_[i] == nullptr)) return false;
        if (!std::ranges::all_of(parts(neuron), [&](Code part) { return node_of(part) < i; })) return false;
    }
    return std::ranges::all_of(strengths_, [](double strength) { return strength >= 0; });
}

void Network::count_at_first(const Values& values) {
    for (NodeFeature& of : features_) of.at_first = std::max(1.0, static_cast<double>(values.tally[of.node].fails));
}

Network::Values Network::make_values() const {
    Values values;
    values.output.assign(neurons_.size(), -1);
    values.input.assign(neurons_.size(), -1);
    values.tally.assign(neurons_.size(), {});
    values.certain.assign(neurons_.size(), 0);
    values.dirty.assign(neurons_.size() / 64 + 1, 0);
    values.upwards = upwards_;
    return values;
}

// Seen as parts of a conjunction; a disjunction is one upside down. Sums of sigmoid neurons are the same for both, but
// for their sign.
inline Network::Tally Network::fine_share(bool flipped, double output, std::int8_t certain) const {
    const double x = flipped ? -output : output;
    Tally made;
    made.dead = certain != 0 && x < 0 ? 1 : 0;
    made.sure = certain != 0 && x > 0 ? 1 : 0;
    made.fails = x < 0 ? 1 : 0;
    if (sigmoid_) {
        made.sum = static_cast<std::int64_t>(finest * x);
        return made;
    }
    made.sum = static_cast<std::int64_t>(finest * soft_.missing(x));
    if (x >= 0) made.near = static_cast<std::int64_t>(fine_near_ * soft_.doubt(x));
    return made;
}

Network::Tally Network::share(std::uint32_t number, std::size_t place, double output, std::int8_t certain) const {
    const Neuron& neuron = neurons_[number];
    Tally made = fine_share(negated(parts_[place]) != neuron.disjunction, output, certain);
    if (!neuron.adds_up()) made.sum = made.near = 0;
    if (equal_) {
        made.sum >>= shift_[number].sum;
        made.near >>= shift_[number].near;
        return made;
    }
    const double sum = static_cast<double>(made.sum) / finest, near = static_cast<double>(made.near) / fine_near_;
    made.sum = static_cast<std::int64_t>(unit_[number] * (strengths_[place] * sum));
    made.near = static_cast<std::int64_t>(near_unit_[number] * (strengths_[place] * near));
    return made;
}

void Network::add_up(Values& values, std::uint32_t number) const {
    const Neuron& neuron = neurons_[number];
    Tally all;
    for (std::uint32_t p = neuron.first; p < neuron.end; ++p) {
        const std::uint32_t part = node_of(parts_[p]);
        all += share(number, p, values.output[part], values.certain[part]);
    }
    values.tally[number] = all;
}

void Network::compute(Values& values, std::uint32_t number) const {
    const Neuron& neuron = neurons_[number];
    if (neuron.first == neuron.end) return;
    const Tally& tally = values.tally[number];
    const double turn = neuron.disjunction ? -1 : 1;
    const bool sure = tally.sure == neuron.end - neuron.first;
    if (neuron.kind != Kind::comparison && (tally.dead > 0 || sure)) {
        const double output = sure ? turn : -turn;
        values.input[number] = output > 0 ? neuron.input.highest : neuron.input.lowest;
        change(values, number, output, static_cast<std::int8_t>(output));
        return;
    }
    double output = 0;
    double input = 0;
    switch (neuron.kind) {
        case Kind::input:
            return;
        case Kind::comparison:
            input = compare(values, number);
            output = neuron.squashed ? squash(neuron.weight * input) : input;
            break;
        case Kind::sigmoid:
            input = turn * static_cast<double>(tally.sum) / unit_[number] + neuron.bias;
            output = squash(neuron.weight * input);
            break;
        case Kind::soft:
            if (values.tally[number].fails > 0) {
                input = soft_.when_false(static_cast<double>(tally.sum) / (unit_[number] * total_[number]));
            } else {
                input = soft_.when_true(static_cast<double>(tally.near) / (near_unit_[number] * total_[number]));
            }
            output = input = turn * input;
            break;
        case Kind::crisp:
        case Kind::counted:
            output = input = values.tally[number].fails > 0 ? -turn : turn;
            break;
    }
    if (by_feature(values, number)) {
        const bool holds = values.tally[number].fails > 0;  // of a disjunction: parts that hold
        const Limits& limits = neuron.input;
        const double from = holds ? limits.high : limits.low;
        const double to = holds ? limits.highest : limits.lowest;
        input = from + (to - from) * measure(values, number, *feature(number));
        output = neuron.kind == Kind::sigmoid || neuron.squashed ? squash(neuron.weight * input) : input;
    }
    values.input[number] = input;
    change(values, number, output, 0);
}

bool Network::by_feature(const Values& values, std::uint32_t number) const {
    const NodeFeature* of = feature(number);
    const Neuron& neuron = neurons_[number];
    const bool settled = values.tally[number].dead > 0 || values.tally[number].sure == neuron.end - neuron.first;
    if (of == nullptr || settled) return false;
    if (neuron.kind == Kind::counted) return true;
    return values.tally[number].fails > 0 ? of->solutions : of->partial || !of->nearness.empty();
}

double Network::measure(const Values& values, std::uint32_t number, const NodeFeature& of) const {
    const std::uint32_t solutions = values.tally[number].fails;
    if (solutions > 0) return of.solutions ? 1 - std::exp2(-static_cast<double>(solutions) / of.at_first) : 0;
    if (!of.nearness.empty()) return meeting(values, of);
    return of.partial ? partial_solutions(values, neurons_[number]) : 1;
}

// 1 - d/k - b/(k b_max), where the nearest alternative lacks k - d of its k conditions, and b alternatives do. What can
// no longer come true does not count.
double Network::partial_solutions(const Values& values, const Neuron& neuron) const {
    constexpr std::uint32_t most = 100;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max(), times = 0;
    double size = 1;
    for (std::uint32_t p = neuron.first; p < neuron.end; ++p) {
        const std::uint32_t part = node_of(parts_[p]);
        if (values.certain[part] != 0) continue;
        const std::uint32_t lacks = values.tally[part].fails;
        if (lacks < least) {
            least = lacks;
            times = 0;
            size = neurons_[part].end - neurons_[part].first;
        }
        times += lacks == least ? 1 : 0;
    }
    if (times == 0) return 1;
    return (least - std::min(times, most - 1) / static_cast<double>(most)) / size;
}

// As distances of leaves: the nearest pair counts most.
double Network::meeting(const Values& values, const NodeFeature& of) const {
    double nearness = 0;
    for (std::size_t a = 0; a < of.first.size(); ++a) {
        if (values.output[of.first[a]] < 0) continue;
        for (std::size_t b = 0; b < of.second.size(); ++b) {
            if (values.output[of.second[b]] > 0) nearness += of.nearness[a * of.second.size() + b];
        }
    }
    return nearness > 1 ? std::pow(nearness, -1 / of.power) : 1;
}

// Of the pairs of numbers that the state names, the one for which it is most true.
double Network::compare(const Values& values, std::uint32_t number) const {
    const Neuron& neuron = neurons_[number];
    const Comparison& comparison = *comparisons_[number];
    constexpr std::uint32_t none = Comparison::none;
    double best = -1;
    bool said = false;
    const auto try_pair = [&](std::uint32_t left, std::uint32_t right) {
        said = true;
        const double size = probable_ + (1 - probable_) * comparison.apart(left, right);
        best = std::max(best, comparison.holds(left, right) ? size : -size);
    };
    const auto says = [&](std::uint32_t p) { return output(values, parts_[p]) > 0; };
    const auto end = neuron.first + static_cast<std::uint32_t>(comparison.inputs.size());
    for (std::uint32_t p = neuron.first; p < end; ++p) {
        const Comparison::Input& one = comparison.inputs[p - neuron.first];
        if (one.left == none || !says(p)) continue;
        if (one.right != none) {
            try_pair(one.left, one.right);
            continue;
        }
        for (std::uint32_t q = neuron.first; q < end; ++q) {
            const Comparison::Input& other = comparison.inputs[q - neuron.first];
            if (other.right != none && other.left == none && says(q)) try_pair(one.left, other.right);
        }
    }
    if (said || end == neuron.end) return best;
    const CountedSides sides = count_sides(values, number);
    return sides.guessed() ? guess(comparison, sides) : best;
}

Network::CountedSides Network::count_sides(const Values& values, std::uint32_t number) const {
    const Neuron& neuron = neurons_[number];
    STRATAGEM_EXPECTS(neuron.kind == Kind::comparison);
    const Comparison& comparison = *comparisons_[number];
    constexpr std::uint32_t none = Comparison::none;
    CountedSides result;
    const auto says = [&](std::uint32_t p) { return output(values, parts_[p]) > 0; };
    for (std::uint32_t i = 0; i < comparison.inputs.size(); ++i) {
        const Comparison::Input& input = comparison.inputs[i];
        if (!says(neuron.first + i)) continue;
        if (input.left != none) result.left = input.left;
        if (input.right != none) result.right = input.right;
    }
    std::uint32_t first = neuron.first + static_cast<std::uint32_t>(comparison.inputs.size());
    const auto count = [&](const CountingChain& chain, std::uint32_t& side, bool& guessed) {
        if (side == none && !chain.empty()) {
            side = chain.walk(comparison.size, [&](std::uint32_t i) { return says(first + i); });
            guessed = true;
        }
        first += static_cast<std::uint32_t>(chain.conditions.size());
    };
    count(comparison.left_chain, result.left, result.left_guessed);
    count(comparison.right_chain, result.right, result.right_guessed);
    return result;
}

// False, since the rules do not say the number; the less so, the more the left one exceeds the right one.
double Network::guess(const Comparison& comparison, const CountedSides& sides) const {
    const double exceeds = (static_cast<double>(sides.left) - sides.right) / comparison.size;
    return -(probable_ + (1 - probable_) * (1 - exceeds) / 2);
}

void Network::change(Values& values, std::uint32_t number, double output, std::int8_t certain) const {
    const double before = values.output[number];
    const std::int8_t was = values.certain[number];
    const auto mark = [&](std::uint32_t user) { values.dirty[user / 64] |= std::uint64_t{1} << (user % 64); };
    constexpr std::uint32_t crisp = Upwards::crisp, groups = Upwards::groups;
    const std::uint32_t* const first = &values.upwards->first[std::size_t{number} * groups];
    const std::vector<Upwards::User>& users = values.upwards->users;
    if (looked_into_[number]) {
        for (std::uint32_t u = first[0]; u < first[groups]; ++u) mark(users[u].neuron);
    }
    if (before == output && was == certain) return;
    values.output[number] = output;
    values.certain[number] = certain;
    const bool same_truth = (before > 0) == (output > 0) && (before < 0) == (output < 0) && was == certain;
    for (std::uint32_t group = 0; group < (same_truth ? crisp : groups); ++group) {
        if (first[group] == first[group + 1]) continue;
        if (!equal_) {
            for (std::uint32_t u = first[group]; u < first[group + 1]; ++u) {
                const auto [user, place] = users[u];
                values.tally[user] -= share(user, place, before, was);
                values.tally[user] += share(user, place, output, certain);
                mark(user);
            }
            continue;
        }
        const bool flipped = group % 2 != 0;
        Tally less = fine_share(flipped, before, was), more = fine_share(flipped, output, certain);
        if (group >= crisp) less.sum = less.near = more.sum = more.near = 0;
        const std::uint32_t fails = more.fails - less.fails, dead = more.dead - less.dead, sure = more.sure - less.sure;
        for (std::uint32_t u = first[group]; u < first[group + 1]; ++u) {
            const std::uint32_t user = users[u].neuron;
            const Shift shift = shift_[user];
            Tally& tally = values.tally[user];
            tally.sum += (more.sum >> shift.sum) - (less.sum >> shift.sum);
            tally.near += (more.near >> shift.near) - (less.near >> shift.near);
            tally.fails += fails;
            tally.dead += dead;
            tally.sure += sure;
            mark(user);
        }
    }
}

void Network::set_input(Values& values, std::uint32_t number, double value, bool certain) const {
    const Neuron& neuron = neurons_[number];
    const auto kept = static_cast<std::int8_t>(certain ? (value < 0 ? -1 : 1) : 0);
    values.input[number] = value;
    change(values, number, neuron.squashed ? squash(neuron.weight * value) : value, kept);
}

void Network::compute_all(Values& values) const {
    STRATAGEM_EXPECTS(unit_.size() == neurons_.size());
    std::ranges::fill(values.dirty, 0);
    for (std::uint32_t i = 0; i < neurons_.size(); ++i) {
        if (neurons_[i].first == neurons_[i].end) continue;
        add_up(values, i);
        compute(values, i);
    }
    std::ranges::fill(values.dirty, 0);
}

void Network::compute_changes(Values& values) const {
    for (std::size_t w = 0; w < values.dirty.size(); ++w) {
        while (values.dirty[w] != 0) {
            const auto bit = static_cast<std::uint32_t>(std::countr_zero(values.dirty[w]));
            values.dirty[w] &= values.dirty[w] - 1;
            compute(values, static_cast<std::uint32_t>(w * 64) + bit);
        }
    }
}

double Network::answer(const Values& values, Code of) const {
    const std::uint32_t number = node_of(of);
    const bool squashes = neurons_[number].kind == Kind::sigmoid;
    const double value = squashes ? squash(answer_weight(number) * values.input[number]) : values.output[number];
    return negated(of) ? -value : value;
}

Limits Network::squashed(const Limits& input, double weight) {
    return {squash(weight * input.lowest), squash(weight * input.low), squash(weight * input.high),
            squash(weight * input.highest)};
}

}  // namespace stratagem::evaluate::neural
