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
        clauses_.at_most_one(of_role);
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

Literal Transition::has_choice(Role role) {
    std::vector<Literal> legal;
    for (std::uint32_t i = 0; i < program().moves.size(); ++i) {
        if (program().moves[i].role == role) legal.push_back(before_.legal(Move{i}));
    }
    return clauses_.not_exactly_one(legal, false);
}

}  // namespace stratagem::analysis
