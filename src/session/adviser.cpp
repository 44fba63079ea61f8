#include "session/adviser.h"

namespace stratagem::session {

Adviser::Adviser(const std::string& recipe, std::shared_ptr<const machine::Game> game, machine::Role role,
                 const AdviserSettings& settings)
    : recipe_(recipe), game_(std::move(game)), role_(role), settings_(settings) {}

void Adviser::prepare(const std::atomic<bool>* abort) {
    if (engine_) return;
    player::EngineSettings settings;
    settings.search.seed = settings_.seed;
    settings.search.threads = settings_.threads;
    settings.search.table_megabytes = settings_.table_megabytes;
    settings.facts_seconds = settings_.facts_seconds;
    settings.evaluator_seconds = settings_.evaluator_seconds;
    settings.solve_seconds = settings_.solve_seconds;
    settings.role = role_;
    settings.abort = abort;
    engine_ = player::make_engine(recipe_, game_, settings);
}

search::Choice Adviser::choose(const machine::State& state, const search::Budget& budget) {
    prepare(budget.stop.flag);
    engine_->search->advance(state);
    return engine_->search->choose(state, role_, budget);
}

}  // namespace stratagem::session
