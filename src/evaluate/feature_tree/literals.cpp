#include "evaluate/feature_tree/literals.h"

#include <algorithm>

#include "util/contract.h"

namespace stratagem::evaluate::feature_tree {

Literals::Literals(const analysis::Findings& known) : program_(known.program()) {
    STRATAGEM_EXPECTS(program_ != nullptr);
    // Families without an analysis as well: they are a matter of names alone.
    const std::vector<analysis::Family> families = analysis::make_families(*program_);
    family_.assign(size(), 0);
    places_.resize(families.size());
    const bool same = families.size() == known.families().size();
    for (std::size_t i = 0; i < families.size(); ++i) {
        const analysis::Family& family = families[i];
        for (const machine::Fluent fluent : family.members) {
            family_[ground::index(fluent)] = static_cast<std::uint32_t>(i);
        }
        places_[i].resize(family.arity);
        for (std::uint32_t argument = 0; same && argument < family.arity; ++argument) {
            const std::optional<std::size_t> number = known.argument_orders().of(i, argument);
            if (!number || *number >= known.orders().size()) continue;
            const analysis::Order& order = known.orders()[*number];
            const std::vector<gdl::Term>& values = family.values[argument];
            if (!std::ranges::all_of(values, [&](gdl::Term value) { return order.knows(value); })) continue;
            Places& places = places_[i][argument];
            std::uint32_t first = order.longest;
            for (const gdl::Term value : values) first = std::min(first, order.index_of(value).value());
            for (const gdl::Term value : values) {
                const std::uint32_t place = order.index_of(value).value() - first;
                places.of.emplace(value, place);
                places.last = std::max(places.last, place);
            }
            places.linear = order.linear;
        }
    }
}

Literals::Matcher::Matcher(const Literals& literals, const Qualifier& qualifier)
    : literals_(literals), qualifier_(qualifier) {
    is_known_ = literals.program_->terms.symbols().find(qualifier.atom, atom_);
}

bool Literals::Matcher::operator()(machine::Fluent fluent) const {
    const auto has_atom = [&] {
        if (!is_known_) return false;
        const gdl::TermPool& terms = literals_.program_->terms;
        gdl::Term term = literals_.term(fluent);
        for (const std::uint32_t step : qualifier_.path) {
            if (step >= terms.arity(term)) return false;
            term = terms.argument(term, step);
        }
        return terms.symbol(term) == atom_;
    };
    switch (qualifier_.kind) {
        case Qualifier::Kind::functor:
        case Qualifier::Kind::argument:
            return has_atom() != qualifier_.negated;
        case Qualifier::Kind::corner:
            return literals_.is_corner(fluent, qualifier_.path.front()) != qualifier_.negated;
        case Qualifier::Kind::edge:
            return literals_.is_edge(fluent, qualifier_.path.front()) != qualifier_.negated;
    }
    return false;
}

std::optional<std::uint32_t> Literals::place(machine::Fluent fluent, std::uint32_t argument) const {
    if (argument >= arity(fluent)) return std::nullopt;
    const Places& places = places_[family_[ground::index(fluent)]][argument];
    const auto found = places.of.find(program_->terms.argument(term(fluent), argument));
    if (found == places.of.end()) return std::nullopt;
    return found->second;
}

Literals::Extreme Literals::extreme(machine::Fluent fluent, std::uint32_t content) const {
    const std::uint32_t count = arity(fluent);
    if (content >= count || count < 2) return Extreme::no_board;
    const std::vector<Places>& places = places_[family_[ground::index(fluent)]];
    std::uint32_t extremes = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i == content) continue;
        if (!places[i].linear) return Extreme::no_board;
        const std::uint32_t at = places[i].of.at(program_->terms.argument(term(fluent), i));
        if (at == 0 || at == places[i].last) ++extremes;
    }
    return extremes == 0 ? Extreme::inside : extremes + 1 < count ? Extreme::some : Extreme::all;
}

bool Literals::is_corner(machine::Fluent fluent, std::uint32_t content) const {
    return extreme(fluent, content) == Extreme::all;
}

bool Literals::is_edge(machine::Fluent fluent, std::uint32_t content) const {
    return extreme(fluent, content) >= Extreme::some;
}

}  // namespace stratagem::evaluate::feature_tree
