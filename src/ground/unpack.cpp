#include "ground/unpack.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace stratagem::ground {

using gdl::Symbol;
using gdl::Term;

namespace {

class Unpacker {
  public:
    Unpacker(std::vector<Clause>& clauses, gdl::TermPool& terms, Effort& effort)
        : clauses_(clauses), terms_(terms), effort_(effort) {}

    Unpacked run() {
        // Each round makes one place flat; deeper nesting takes further rounds. Real rules need a handful.
        constexpr int most_rounds = 50;
        for (int round = 0; round < most_rounds; ++round) {
            const std::vector<Place> places = good_places();
            if (places.empty()) break;
            apply(places.front());
        }
        return std::move(unpacked_);
    }

  private:
    using Functor = PredicateKey;  // name and number of arguments, of a function or constant

    struct Place {
        PredicateKey relation;
        std::uint32_t position = 0;
        std::set<Functor> functors;
        bool possible = true;
        bool defined = false;
    };

    PredicateKey key(Term term) const { return {terms_.symbol(term), terms_.arity(term)}; }

    std::vector<Place> good_places() const {
        std::map<std::pair<PredicateKey, std::uint32_t>, Place> places;
        const auto place = [&](Term atom, std::uint32_t i) -> Place& {
            Place& entry = places[{key(atom), i}];
            entry.relation = key(atom);
            entry.position = i;
            return entry;
        };
        for (const Clause& clause : clauses_) {
            effort_.spend(clause.body.size() + 1);
            if (!gdl::is_keyword(terms_.symbol(clause.head))) {
                for (std::uint32_t i = 0; i < terms_.arity(clause.head); ++i) {
                    Place& entry = place(clause.head, i);
                    entry.defined = true;
                    const Term argument = terms_.argument(clause.head, i);
                    if (terms_.is_variable(argument)) {
                        entry.possible = false;
                    } else {
                        entry.functors.insert(key(argument));
                    }
                }
            }
            for (const ClauseLiteral& literal : clause.body) {
                if (literal.kind != ClauseLiteral::Kind::negative || gdl::is_keyword(terms_.symbol(literal.atom)))
                    continue;
                for (std::uint32_t i = 0; i < terms_.arity(literal.atom); ++i) {
                    if (terms_.is_variable(terms_.argument(literal.atom, i))) place(literal.atom, i).possible = false;
                }
            }
        }
        // Many functions would repeat rules too often; none with arguments would gain nothing.
        constexpr std::size_t most_functors = 6;
        std::vector<Place> good;
        for (const auto& [where, entry] : places) {
            const bool has_arguments = std::any_of(entry.functors.begin(), entry.functors.end(),
                                                   [](const Functor& functor) { return functor.second > 0; });
            if (entry.possible && entry.defined && has_arguments && entry.functors.size() <= most_functors) {
                good.push_back(entry);
            }
        }
        return good;
    }

    void apply(const Place& place) {
        std::vector<Clause> open = std::move(clauses_);
        clauses_.clear();
        // Each variable at the place multiplies its rule by the number of functions.
        const std::size_t most_clauses = open.size() * 2 + 100'000;
        while (!open.empty()) {
            Clause clause = std::move(open.back());
            open.pop_back();
            effort_.spend(clause.body.size() + 1);
            if (open.size() + clauses_.size() > most_clauses) {
                throw GroundFailure(fmt::format("the rules that use '{}' multiply to more than {}",
                                                terms_.symbols().name(place.relation.first), most_clauses),
                                    true);
            }
            if (!rewrite(place, clause, open)) continue;
            clauses_.push_back(std::move(clause));
        }
        std::reverse(clauses_.begin(), clauses_.end());
    }

    // False: the clause can never apply, or was replaced by copies in `open`.
    bool rewrite(const Place& place, Clause& clause, std::vector<Clause>& open) {
        if (key(clause.head) == place.relation) clause.head = flat(place, clause.head);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < clause.body.size(); ++i) {
            const ClauseLiteral literal = clause.body[i];
            if (literal.kind == ClauseLiteral::Kind::distinct || key(literal.atom) != place.relation) {
                clause.body[kept++] = literal;
                continue;
            }
            const Term argument = terms_.argument(literal.atom, place.position);
            if (terms_.is_variable(argument)) {
                // Those before are flat already, which does no harm; those dropped must stay so.
                clause.body.erase(clause.body.begin() + static_cast<std::ptrdiff_t>(kept),
                                  clause.body.begin() + static_cast<std::ptrdiff_t>(i));
                for (const Functor& functor : place.functors) open.push_back(substitute(clause, argument, functor));
                return false;
            }
            if (!place.functors.contains(key(argument))) {
                if (literal.kind == ClauseLiteral::Kind::positive) return false;
                continue;
            }
            clause.body[kept++] = {literal.kind, flat(place, literal.atom)};
        }
        clause.body.resize(kept);
        return true;
    }

    Term flat(const Place& place, Term atom) {
        const Term packed = terms_.argument(atom, place.position);
        // With all numbers of arguments: one name may stand for several relations and functions.
        const std::string name =
            fmt::format("{}/{} {}.{}/{}", terms_.symbols().name(place.relation.first), place.relation.second,
                        place.position, terms_.symbols().name(terms_.symbol(packed)), terms_.arity(packed));
        std::vector<Term> arguments;
        for (std::uint32_t i = 0; i < terms_.arity(atom); ++i) {
            if (i != place.position) {
                arguments.push_back(terms_.argument(atom, i));
                continue;
            }
            for (std::uint32_t k = 0; k < terms_.arity(packed); ++k) arguments.push_back(terms_.argument(packed, k));
        }
        const Term result = terms_.compound(terms_.symbols().intern(name), arguments);
        unpacked_.try_emplace(key(result), Packing{place.relation, place.position, key(packed)});
        return result;
    }

    Clause substitute(const Clause& clause, Term variable, const Functor& functor) {
        std::vector<Term> fresh;
        for (std::uint32_t i = 0; i < functor.second; ++i) {
            fresh.push_back(terms_.variable(terms_.symbols().intern(fmt::format("inner {}", fresh_++))));
        }
        const Term value = terms_.compound(functor.first, fresh);
        Clause result;
        result.head = replace(clause.head, variable, value);
        for (const ClauseLiteral& literal : clause.body) {
            result.body.push_back({literal.kind, replace(literal.atom, variable, value)});
        }
        return result;
    }

    Term replace(Term term, Term variable, Term value) {
        if (term == variable) return value;
        if (terms_.is_ground(term) || terms_.is_variable(term)) return term;
        std::vector<Term> arguments;
        for (std::uint32_t i = 0; i < terms_.arity(term); ++i) {
            arguments.push_back(replace(terms_.argument(term, i), variable, value));
        }
        return terms_.compound(terms_.symbol(term), arguments);
    }

    std::vector<Clause>& clauses_;
    gdl::TermPool& terms_;
    Effort& effort_;
    Unpacked unpacked_;
    std::uint32_t fresh_ = 0;
};

}  // namespace

Unpacked unpack_arguments(std::vector<Clause>& clauses, gdl::TermPool& terms, Effort& effort) {
    return Unpacker(clauses, terms, effort).run();
}

}  // namespace stratagem::ground
