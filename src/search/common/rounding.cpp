#include "search/common/rounding.h"

#include "evaluate/spread.h"
#include "search/common/score.h"

namespace stratagem::search {

std::shared_ptr<const evaluate::Evaluator> evaluator_for_scores(const Problem& problem,
                                                                const SearchSettings& settings) {
    const std::shared_ptr<const machine::Circuit> circuit = problem.game->circuit();
    if (problem.evaluator->is_constant() || !holds(problem.facts.turn_taking) || circuit == nullptr)
        return problem.evaluator;
    constexpr double step = 2.0 / score_unit;  // opinions are odd
    auto spread = evaluate::spread_out(problem.evaluator, circuit, step, settings.stop);
    if (spread != problem.evaluator && settings.log) {
        settings.log("its values are close together, and are spread out for the search");
    }
    return spread;
}

}  // namespace stratagem::search
