#include "ground/statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gdl/print.h"
#include "util/contract.h"

namespace stratagem::ground {

namespace {

std::pair<gdl::Symbol, std::uint32_t> key(const StaticRelation& relation) {
    return {relation.symbol(), relation.arity()};
}

}  // namespace

void StaticRelation::add(std::span<const gdl::Term> tuple) {
    STRATAGEM_EXPECTS(tuple.size() == arity_ && (arity_ > 0 || size_ == 0));
    terms_.insert(terms_.end(), tuple.begin(), tuple.end());
    ++size_;
}

const StaticRelation* Statics::find(gdl::Symbol symbol, std::uint32_t arity) const {
    const auto place = std::ranges::lower_bound(relations_, std::pair(symbol, arity), {}, key);
    return place != relations_.end() && key(*place) == std::pair(symbol, arity) ? &*place : nullptr;
}

StaticRelation& Statics::relation(gdl::Symbol symbol, std::uint32_t arity) {
    const auto place = std::ranges::lower_bound(relations_, std::pair(symbol, arity), {}, key);
    if (place != relations_.end() && key(*place) == std::pair(symbol, arity)) return *place;
    return *relations_.emplace(place, symbol, arity);
}

void Statics::add(const gdl::TermPool& terms, gdl::Term fact) {
    relation(terms.symbol(fact), terms.arity(fact)).add(terms.arguments(fact));
}

std::size_t Statics::term_count() const {
    std::size_t count = 0;
    for (const StaticRelation& one : relations_) count += one.terms_.size();
    return count;
}

std::string fact_text(const gdl::TermPool& terms, const StaticRelation& relation, std::size_t tuple) {
    const std::string_view name = terms.symbols().name(relation.symbol());
    if (relation.arity() == 0) return std::string(name);
    std::string text = fmt::format("({}", name);
    for (const gdl::Term term : relation.tuple(tuple)) text += " " + gdl::to_kif(terms, term);
    return text + ")";
}

std::string Statics::to_text(const gdl::TermPool& terms) const {
    std::string text;
    for (const StaticRelation& one : relations_) {
        for (std::size_t i = 0; i < one.size(); ++i) text += fact_text(terms, one, i) + "\n";
    }
    for (const StaticRelation& one : relations_) {
        if (one.complete()) continue;
        text += fmt::format("; {} with {} arguments: cut short after {} facts\n", terms.symbols().name(one.symbol()),
                            one.arity(), one.size());
    }
    return text;
}

bool Statics::is_consistent(const gdl::TermPool& terms) const {
    const auto good = [&](gdl::Term term) { return gdl::index(term) < terms.size() && terms.is_ground(term); };
    for (std::size_t i = 0; i < relations_.size(); ++i) {
        const StaticRelation& one = relations_[i];
        if (i > 0 && key(relations_[i - 1]) >= key(one)) return false;
        if (gdl::index(one.symbol()) >= terms.symbols().size() || gdl::is_keyword(one.symbol())) return false;
        if (one.terms_.size() != one.size() * one.arity() || !std::ranges::all_of(one.terms_, good)) return false;
        std::set<std::vector<gdl::Term>> seen;
        for (std::size_t k = 0; k < one.size(); ++k) {
            if (!seen.emplace(one.tuple(k).begin(), one.tuple(k).end()).second) return false;
        }
    }
    return true;
}

}  // namespace stratagem::ground
