#include "analysis/clauses.h"

#include <cadical.hpp>

#include <chrono>
#include <vector>

#include "util/contract.h"

namespace stratagem::analysis {

namespace {

// The solver looks at its watch after so many decisions, and at so many clauses after each; a rough mean.
constexpr std::size_t clauses_between_looks = 1000;
// Adding a clause to a solver and settling it there costs more than going through it later.
constexpr std::size_t cost_of_new_clause = 3;

}  // namespace

struct Clauses::Backend {
    // Asked often by the solver; the clock is looked at now and then.
    struct Watch final : CaDiCaL::Terminator {
        bool terminate() override {
            if (allowance != nullptr) {
                allowance->spend(clauses_between_looks);
                if (allowance->used_up()) return true;
            }
            return stop != nullptr && stop->now();
        }
        const machine::Stop* stop = nullptr;
        Allowance* allowance = nullptr;
    };

    // Before the solver, which asks it until its end. Nothing may be asked of a solver that ran out of memory, not even
    // to forget its watch: it would end the program.
    Watch watch;
    CaDiCaL::Solver solver;
};

Clauses::Clauses() : backend_(std::make_unique<Backend>()) {
    backend_->solver.set("quiet", 1);
    // Going back one level at a time, the solver may meet conflict after conflict for minutes without a look at its
    // limits or its terminator.
    backend_->solver.set("chrono", 0);
    backend_->solver.connect_terminator(&backend_->watch);
    add({truth});
}

Clauses::~Clauses() = default;

void Clauses::add(std::span<const Literal> clause) {
    for (const Literal literal : clause) backend_->solver.add(literal);
    backend_->solver.add(0);
    ++clauses_;
    answer_ = Answer::unknown;
}

Literal Clauses::all_of(std::span<const Literal> literals) {
    if (literals.empty()) return truth;
    if (literals.size() == 1) return literals[0];
    const Literal result = new_variable();
    for (const Literal literal : literals) add({-result, literal});
    for (const Literal literal : literals) backend_->solver.add(-literal);
    add({result});  // ends the clause that the negated literals began
    return result;
}

Literal Clauses::any_of(std::span<const Literal> literals) {
    std::vector<Literal> negated(literals.begin(), literals.end());
    for (Literal& literal : negated) literal = -literal;
    return -all_of(negated);
}

// A ladder: the i-th rung says that one of the first i holds.
void Clauses::at_most_one(std::span<const Literal> literals, Literal when) {
    Literal rung = 0;
    for (std::size_t i = 0; i < literals.size(); ++i) {
        if (rung != 0) add({-literals[i], -rung, -when});
        if (i + 1 == literals.size()) break;
        const Literal next = new_variable();
        add({-literals[i], next});
        if (rung != 0) add({-rung, next});
        rung = next;
    }
}

Literal Clauses::not_exactly_one(std::span<const Literal> literals, bool or_none) {
    const Literal result = new_variable();
    std::vector<Literal> ways{-result};
    Literal rung = 0;
    for (const Literal literal : literals) {
        if (rung != 0) {
            const Literal second = new_variable();
            add({-second, literal});
            add({-second, rung});
            ways.push_back(second);
        }
        const Literal next = new_variable();
        if (rung != 0) {
            add({-next, literal, rung});
        } else {
            add({-next, literal});
        }
        rung = next;
    }
    if (or_none) {
        const Literal none = new_variable();
        for (const Literal literal : literals) add({-none, -literal});
        ways.push_back(none);
    }
    add(ways);
    return result;
}

Answer Clauses::solve(std::span<const Literal> assumptions, std::uint32_t conflicts, const machine::Stop& stop) {
    answer_ = Answer::unknown;
    // A question goes through all clauses before the solver looks at the clock for the first time.
    constexpr double seconds_for_clause = 0.5e-6;
    const std::chrono::duration<double> needed(seconds_for_clause * static_cast<double>(clauses_));
    if (stop.now() || (!stop.deadline.is_never() && stop.deadline.remaining() < needed)) return Answer::unknown;
    if (allowance_ != nullptr) {
        if (allowance_->used_up()) return Answer::unknown;
        allowance_->spend(clauses_ + cost_of_new_clause * (clauses_ - asked_about_));
        asked_about_ = clauses_;
    }
    for (const Literal literal : assumptions) backend_->solver.assume(literal);
    backend_->solver.limit("conflicts", static_cast<int>(conflicts));
    backend_->watch.stop = &stop;
    backend_->watch.allowance = allowance_;
    const int answer = backend_->solver.solve();
    backend_->watch.stop = nullptr;
    backend_->watch.allowance = nullptr;
    if (answer == 10) answer_ = Answer::satisfiable;
    if (answer == 20) answer_ = Answer::unsatisfiable;
    return answer_;
}

bool Clauses::value(Literal literal) const {
    STRATAGEM_EXPECTS(answer_ == Answer::satisfiable);
    return backend_->solver.val(literal) > 0;
}

bool Clauses::needed(Literal assumption) const {
    STRATAGEM_EXPECTS(answer_ == Answer::unsatisfiable);
    return backend_->solver.failed(assumption);
}

}  // namespace stratagem::analysis
