// The rules in the form evaluation wants: predicates as integers, clauses with goals, nothing else.
//
// What changes on the way from a Description:
//   - (true (cell ?x ?y ?p)) becomes a call of the stored predicate cell/3 "of the state", so that its arguments can
//     be indexed one by one; (true ?f) calls the stored predicate of all fluents;
//   - predicates that have nothing but ground facts are stored; all others are derived by clauses;
//   - (and ...) is flattened, double negation dropped, (not (or a b)) becomes (not a) (not b).
//
// Each predicate knows when its contents change (Level) and which predicates it is mutually recursive with
// (component: strongly connected component of the dependency graph).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "gdl/description.h"
#include "machine/interpreter/relation.h"

namespace stratagem::machine::interpreter {

enum class Predicate : std::uint32_t {};

constexpr std::uint32_t index(Predicate predicate) { return static_cast<std::uint32_t>(predicate); }

// What a predicate depends on: nothing, the state (`true`), or the state and the joint move (`does`).
enum class Level : std::uint8_t { fixed, state, move };
inline constexpr std::size_t level_count = 3;

struct Goal {
    enum class Kind : std::uint8_t { call, distinct, negation, disjunction };

    Kind kind = Kind::call;
    Predicate predicate{};                    // of a call
    std::vector<gdl::Term> arguments;         // patterns; of distinct: the two terms
    std::vector<std::vector<Goal>> branches;  // conjunctions: one for a negation, any number for a disjunction
};

struct Clause {
    Predicate head{};
    std::vector<gdl::Term> arguments;
    std::vector<Goal> body;
};

struct PredicateInfo {
    std::string name;  // for messages: "cell/3"
    std::uint32_t arity = 0;
    bool stored = false;     // rows in `relation`; otherwise derived by `clauses`
    bool recursive = false;  // reaches itself
    bool in_state = false;   // stored, holds fluents with one functor
    Level level = Level::fixed;
    std::uint32_t component = 0;
    std::uint32_t relation = 0;
    std::vector<std::uint32_t> clauses;
};

class Rulebook {
  public:
    // Terms of the rules must belong to `terms` (a copy of the description's pool will do), which must outlive this.
    // Throws InvalidRules for heads and literals that have no meaning.
    Rulebook(const gdl::Description& description, gdl::TermPool& terms);

    const PredicateInfo& operator[](Predicate predicate) const { return predicates_[interpreter::index(predicate)]; }
    const Clause& clause(std::uint32_t number) const { return clauses_[number]; }
    Relation& relation(std::uint32_t number) { return relations_[number]; }
    Relation& relation(Predicate predicate) { return relations_[(*this)[predicate].relation]; }
    std::size_t predicate_count() const { return predicates_.size(); }

    // A derived predicate for a keyword such as legal; it may have no clause.
    Predicate keyword(gdl::Symbol symbol) const;
    Predicate all_fluents() const { return all_fluents_; }
    Predicate does() const { return does_; }

    // The stored predicate of fluents with this functor, if any rule or query asks for it.
    bool find_fluent_predicate(gdl::Symbol functor, std::uint32_t arity, Predicate& found) const;

    // Adds a predicate defined by one clause, whose columns are `head`. Fluent predicates that did not exist
    // before are created empty; `new_fluents` counts them so that the caller can fill them.
    Predicate add_query(const std::vector<gdl::Literal>& body, std::vector<gdl::Term> head, std::size_t& new_fluents);

  private:
    struct Key {
        gdl::Symbol symbol{};
        std::uint32_t arity = 0;
        bool in_state = false;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            return mix_hash(mix_hash(key.in_state ? 1 : 0, gdl::index(key.symbol)), key.arity);
        }
    };

    Predicate predicate(const Key& key);
    Predicate add_predicate(std::string name, std::uint32_t arity, bool stored);
    void add_clause(Predicate head, std::vector<gdl::Term> arguments, std::vector<Goal> body);
    void add_rules(const gdl::Description& description);
    void add_facts(Predicate head, const std::vector<gdl::Term>& facts);
    void normalise(const gdl::Literal& literal, std::vector<Goal>& out);
    void normalise_negated(const gdl::Literal& literal, std::vector<Goal>& out);
    void analyse();

    gdl::TermPool& terms_;
    std::vector<PredicateInfo> predicates_;
    std::vector<Clause> clauses_;
    std::vector<Relation> relations_;
    std::unordered_map<Key, Predicate, KeyHash> known_;
    Predicate all_fluents_{};
    Predicate does_{};
};

// Calls visit(const Goal&) for each call below a conjunction.
template <typename Visitor>
void for_each_call(const std::vector<Goal>& goals, Visitor&& visit) {
    for (const Goal& goal : goals) {
        if (goal.kind == Goal::Kind::call) visit(goal);
        for (const std::vector<Goal>& branch : goal.branches) for_each_call(branch, visit);
    }
}

}  // namespace stratagem::machine::interpreter
