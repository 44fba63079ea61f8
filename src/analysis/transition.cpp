#include "analysis/transition.h"

namespace stratagem::analysis {

Transition::Transition(const ground::Program& program) : index_(program), before_(index_, clauses_) {
    clauses_.add({-before_.terminal()});
    add_moves();
}

void Transition::add_moves() {
    const ground::Program& game = program();
    std::vector<std::vector<Literal>> moves(game.roles.size());
    for (std::uint32_t i = 0; i < game.moves.size(); ++i) {
        const Literal does = before_.does(Move{i});
        clauses_.add({-does, before_.legal(Move{i})});
        moves[ground::index(game.moves[i].role)].push_back(does);
    }
    for (const std::vector<Literal>& of_role : moves) {
        clauses_.add(of_role);
        at_most_one(of_role);
    }
}

Frame& Transition::after() {
    if (!after_) {
        std::vector<Literal> fluents;
        for (std::uint32_t i = 0; i < program().fluents.size(); ++i) fluents.push_back(before_.next(Fluent{i}));
        after_ = std::make_unique<Frame>(index_, clauses_, std::move(fluents));
    }
    return *after_;
}

Answer Transition::solve(std::span<const Literal> assumptions, std::uint32_t conflicts, const machine::Stop& stop) {
    constexpr std::size_t most = 2000;
    for (std::size_t tries = 0; tries < most; ++tries) {
        const Answer answer = clauses_.solve(assumptions, conflicts, stop);
        if (answer != Answer::satisfiable || index_.circles().empty()) return answer;
        if (!before_.refine() && (!after_ || !after_->refine())) return answer;
        ++refinements_;
    }
    return Answer::unknown;
}

// A ladder: the i-th rung says that one of the first i holds.
void Transition::at_most_one(std::span<const Literal> literals, Literal when) {
    Literal rung = 0;
    for (std::size_t i = 0; i < literals.size(); ++i) {
        if (rung != 0) clauses_.add({-literals[i], -rung, -when});
        if (i + 1 == literals.size()) break;
        const Literal next = clauses_.new_variable();
        clauses_.add({-literals[i], next});
        if (rung != 0) clauses_.add({-rung, next});
        rung = next;
    }
}

Literal Transition::not_exactly_one(std::span<const Literal> literals, bool or_none) {
    const Literal result = clauses_.new_variable();
    std::vector<Literal> ways{-result};
    Literal rung = 0;
    for (const Literal literal : literals) {
        if (rung != 0) {
            const Literal second = clauses_.new_variable();
            clauses_.add({-second, literal});
            clauses_.add({-second, rung});
            ways.push_back(second);
        }
        const Literal next = clauses_.new_variable();
        if (rung != 0) {
            clauses_.add({-next, literal, rung});
        } else {
            clauses_.add({-next, literal});
        }
        rung = next;
    }
    if (or_none) {
        const Literal none = clauses_.new_variable();
        for (const Literal literal : literals) clauses_.add({-none, -literal});
        ways.push_back(none);
    }
    clauses_.add(ways);
    return result;
}

Literal Transition::has_choice(Role role) {
    std::vector<Literal> legal;
    for (std::uint32_t i = 0; i < program().moves.size(); ++i) {
        if (program().moves[i].role == role) legal.push_back(before_.legal(Move{i}));
    }
    return not_exactly_one(legal, false);
}

}  // namespace stratagem::analysis
