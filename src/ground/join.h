// One clause made ready for joining, and the join itself.
//
// A clause is instantiated bottom-up: starting from one new atom that matches one of its literals (or from nothing,
// when all its literals are complete), the other literals are looked up in an order chosen from the sizes of their
// relations, most bound and most selective first; filters run as soon as their variables have values.
//
// Each instance is found exactly once (semi-naive): it is found when the last of its atoms is activated, and where the
// new atom could stand at several literals of the clause, those before the one it stands for must be older atoms.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "ground/clause.h"
#include "ground/database.h"

namespace stratagem::ground {

// A term with numbered variables, matched against or built from ground terms.
struct Pattern {
    enum class Kind : std::uint8_t { constant, variable, compound };

    Kind kind = Kind::constant;
    gdl::Term term{};  // of a constant
    std::uint32_t variable = 0;
    gdl::Symbol functor{};  // of a compound
    std::vector<Pattern> arguments;
};

struct JoinLiteral {
    enum class Kind : std::uint8_t { positive, negative, distinct, equal };

    Kind kind = Kind::positive;
    RelationId relation{};
    std::vector<Pattern> arguments;  // of distinct and equal: the two sides
    bool complete = false;           // the relation is final: test it now
    bool kept = true;                // its atom is part of the ground rule
};

// The atoms of an instance that stay in the ground rule.
struct InstanceBody {
    std::vector<WorkAtom> positive;
    std::vector<WorkAtom> negative;
};

class JoinClause {
  public:
    JoinClause(const Clause& clause, Database& database);

    const std::vector<JoinLiteral>& literals() const { return literals_; }
    std::vector<JoinLiteral>& literals() { return literals_; }
    const Clause& clause() const { return clause_; }

    // Where the head goes: of (next f) the relation of the fluent f, if f is no variable.
    RelationId head_relation() const { return head_relation_; }
    bool head_is_next() const { return head_is_next_; }
    // Its ground arguments under the current values. Pre: called from within `emit`; valid until the next call.
    std::span<const gdl::Term> head_tuple(Database& database);

    // Calls emit(body) for each instance in which `atom` (with this row) stands at literal `position`.
    template <typename Emit>
    void instantiate(Database& database, std::size_t position, Relation::Row row, Emit&& emit);
    // The same without a starting atom.
    template <typename Emit>
    void instantiate(Database& database, Emit&& emit);

  private:
    using EmitFunction = void (*)(void*, const InstanceBody&);

    // How an argument is used at a step of the plan.
    struct ArgumentUse {
        enum class Kind : std::uint8_t { key, bind, compare, match };

        Kind kind = Kind::key;
        std::uint32_t column = 0;
    };
    struct Step {
        std::uint32_t literal = 0;
        bool all_bound = false;         // look the one tuple up
        Relation::Mask mask = 0;        // else: walk an index (or all rows)
        std::vector<ArgumentUse> rest;  // what to do with the arguments not in the key
        Relation::Index* index = nullptr;
        // Variables with a value before this step that taking a compound apart could overwrite.
        std::vector<std::uint32_t> keep;
        std::uint32_t known_side = 0;  // of equal: the side that has a value
    };
    struct Plan {
        bool made = false;
        std::size_t size_when_made = 0;
        std::vector<Step> steps;
    };

    static constexpr std::size_t from_nothing = 0xFFFFFFFFU;
    // Conditions with several matches are walked through by recursion, some hundred bytes of stack each.
    static constexpr std::size_t most_branching = 2000;
    class Planner;

    Pattern compile(gdl::Term term, const gdl::TermPool& terms);
    void make_plan(Plan& plan, Database& database, std::size_t position);
    std::size_t total_size(Database& database) const;
    void run(Database& database, std::size_t position, Relation::Row row, EmitFunction emit, void* context);
    void step(Database& database, const Plan& plan, std::size_t at);
    void run_from(Database& database, const Plan& plan, std::size_t at);
    bool test(Database& database, const Step& current);
    bool test_all_bound(Database& database, const Step& current);
    void walk(Database& database, const Plan& plan, std::size_t at);
    bool use_row(Database& database, const Step& current, Relation::Row row);
    bool kept(const Step& current, const std::vector<gdl::Term>& saved) const;
    bool match(Database& database, const Pattern& pattern, gdl::Term term);
    // The ground term of a pattern under the current values.
    gdl::Term build(Database& database, const Pattern& pattern) const {
        if (pattern.kind == Pattern::Kind::variable) return values_[pattern.variable];
        if (pattern.kind == Pattern::Kind::constant) return pattern.term;
        return build_compound(database, pattern);
    }
    gdl::Term build_compound(Database& database, const Pattern& pattern) const;

    Clause clause_;
    RelationId head_relation_{};
    bool head_is_next_ = false;
    std::vector<Pattern> head_;  // arguments
    std::vector<gdl::Term> head_tuple_;
    std::vector<JoinLiteral> literals_;
    std::vector<gdl::Symbol> variables_;
    std::unordered_map<gdl::Symbol, std::uint32_t> numbers_;  // of variables; emptied when the clause is made
    std::vector<gdl::Term> values_;                           // by variable
    std::vector<Plan> plans_;                                 // by starting literal; the last one from nothing

    // Of the join under way.
    std::size_t start_position_ = 0;
    WorkAtom start_atom_ = 0;
    EmitFunction emit_ = nullptr;
    void* context_ = nullptr;
    bool emitting_ = false;
    InstanceBody body_;
    std::vector<gdl::Term> key_;
};

template <typename Emit>
void JoinClause::instantiate(Database& database, std::size_t position, Relation::Row row, Emit&& emit) {
    using Function = std::remove_reference_t<Emit>;
    run(
        database, position, row,
        [](void* context, const InstanceBody& body) { (*static_cast<Function*>(context))(body); }, &emit);
}

template <typename Emit>
void JoinClause::instantiate(Database& database, Emit&& emit) {
    instantiate(database, from_nothing, 0, emit);
}

}  // namespace stratagem::ground
