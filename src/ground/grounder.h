// The two fixpoints of grounding; private to the room.
#pragma once

#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "ground/database.h"
#include "ground/demand.h"
#include "ground/ground.h"
#include "ground/join.h"
#include "ground/predicate_graph.h"
#include "ground/static_tables.h"

namespace stratagem::ground {

// Thrown and caught inside the room: this relation has more atoms than are let pass without demand.
struct RelationTooLarge {
    PredicateKey relation;
};

// The head of a ground rule: an atom, or that a fluent holds in the next state.
struct WorkRule {
    WorkAtom head = 0;
    bool is_next = false;
    std::uint32_t body_begin = 0;  // in bodies: positive atoms, then negative ones
    std::uint32_t positive_count = 0;
    std::uint32_t negative_count = 0;
};

class Grounder {
  public:
    // `demanded`: relations to ground only where they are asked for.
    Grounder(const gdl::Description& description, const GroundLimits& limits, std::set<PredicateKey> demanded);
    // For clauses that do not depend on the state, with so much work at most: only for run_statics().
    Grounder(gdl::TermPool terms, std::vector<Clause> clauses, const GroundLimits& limits, std::size_t most_work);

    Program run();
    // To be asked after run(): clauses whose heads are static and not asked for (static_tables.h).
    const std::vector<Clause>& unasked() const { return unasked_; }
    // Adds what was evaluated, gives the terms back. What is not settled within the limits is left out, or incomplete.
    gdl::TermPool run_statics(Statics& statics);
    std::size_t peak_bytes() const { return peak_bytes_; }
    // The relation with most atoms so far, for messages: what made grounding too long.
    std::string largest_relation() const;

  private:
    void make_clauses(const gdl::Description& description);
    void set_caps(const std::vector<Clause>& clauses);
    void evaluate_static(const std::vector<Clause>& clauses);
    void evaluate_component(std::vector<JoinClause>& joins);
    void evaluate_dynamic(const std::vector<Clause>& clauses);
    void derive(JoinClause& clause, const InstanceBody& body);
    void make_possible(WorkAtom atom);
    void propagate(std::vector<JoinClause>& clauses);
    void check_limits();
    void check_depth(RelationId relation, std::span<const gdl::Term> tuple);
    Program make_program();

    GroundLimits limits_;
    gdl::TermPool terms_;
    Database database_;
    std::set<PredicateKey> demanded_;
    std::set<PredicateKey> always_bound_;
    Unpacked unpacked_;
    std::vector<Clause> unasked_;
    std::set<PredicateKey> settled_;  // static relations that are evaluated
    std::vector<Clause> static_clauses_;
    std::vector<Clause> dynamic_clauses_;
    std::vector<WorkRule> rules_;
    std::vector<WorkAtom> bodies_;
    std::deque<WorkAtom> queue_;
    std::vector<gdl::Term> roles_;
    std::unordered_set<gdl::Term> is_role_;
    std::vector<std::uint16_t> depth_;  // by term
    std::uint64_t ticks_ = 0;
    std::size_t peak_bytes_ = 0;
};

}  // namespace stratagem::ground
