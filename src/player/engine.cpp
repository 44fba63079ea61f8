#include "player/engine.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "evaluate/registry.h"
#include "evaluate/spread.h"
#include "search/common/score.h"
#include "search/solve/solve.h"

namespace stratagem::player {

namespace {

// No clock where the run is to be repeatable.
machine::Stop within(double seconds, const EngineSettings& settings) {
    if (settings.nodes) return {Deadline::never(), settings.abort};
    return {Deadline::after(std::chrono::duration<double>(seconds)), settings.abort};
}

search::SearchSettings settings_for(const Recipe& recipe, const search::Problem& problem, const EngineSettings& given) {
    search::SearchSettings settings = given.search;
    settings.interrupt = given.abort;
    // Threads take turns as they happen to be woken: only a recipe that asks for them gets them beside a count of
    // nodes.
    settings.threads = recipe.threads().value_or(given.nodes ? 1 : settings.threads);
    settings.table_megabytes = recipe.table_megabytes().value_or(settings.table_megabytes);
    // Where numbers are found while playing, a second thread would only change in which order.
    if (!problem.game->has_fixed_numbers()) settings.threads = 1;
    if (given.nodes && settings.threads > 1 && given.log) {
        given.log(fmt::format("NOT REPEATABLE: {} threads search, and which is first depends on the computer",
                              settings.threads));
    }
    return settings;
}

std::unique_ptr<search::Search> make_search(const search::SearchEntry& entry, const search::Problem& problem,
                                            const search::SearchSettings& settings, const std::string& options) {
    return entry.make(problem, settings, OptionValues(entry.options, options));
}

void choose_search(Engine& engine, const Recipe& recipe, const search::SearchSettings& settings) {
    for (const RecipeSearch& candidate : recipe.entry()->searches) {
        const search::SearchEntry* entry = search::find_search(candidate.name);
        if (entry == nullptr || !entry->can_handle(engine.problem.facts)) continue;
        engine.search = make_search(*entry, engine.problem, settings, recipe.options_for(candidate));
        engine.search_name = entry->name;
        return;
    }
    throw std::runtime_error(fmt::format("recipe '{}' has no search for this kind of game", recipe.text()));
}

// Seconds for one value, by the first states of a game: where they follow each other, as in a search.
double cost_of_value(const evaluate::Evaluator& evaluator, const machine::Game& game) {
    const std::unique_ptr<machine::Machine> machine = game.make();
    const auto opinions = evaluator.start();
    machine::State state = machine->initial(), next;
    std::vector<machine::Move> joint, legal;
    std::size_t values = 0;
    std::chrono::duration<double> seconds{};
    constexpr std::size_t steps = 5;
    for (std::size_t step = 0; step < steps && !machine->terminal(state); ++step) {
        const auto start = Deadline::Clock::now();
        (void)opinions->value(state, machine::Role{0});
        if (step > 0) seconds += Deadline::Clock::now() - start;  // the first comes from nothing
        ++values;
        joint.clear();
        for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
            machine->legal(state, machine::Role{role}, legal);
            if (legal.empty()) return 0;
            joint.push_back(legal[0]);
        }
        machine->next(state, joint, next);
        std::swap(state, next);
    }
    return values > 1 ? seconds.count() / static_cast<double>(values - 1) : 0;
}

std::string stages_text(const analysis::Analysis& known) {
    std::string text;
    for (const analysis::Stage& stage : known.stages) {
        text += fmt::format("{}{} {:.2f} s{}", text.empty() ? "" : ", ", stage.name, stage.seconds,
                            stage.complete ? "" : " (cut short)");
    }
    return text;
}

// The constant one where the recipe wants no other, where it cannot be made, or where it takes so long that a search
// with it would see nothing.
std::shared_ptr<const evaluate::Evaluator> make_evaluator(const Recipe& recipe,
                                                          const std::shared_ptr<const machine::Game>& game,
                                                          const EngineSettings& settings) {
    const std::shared_ptr<const evaluate::Evaluator> constant = std::make_shared<evaluate::ConstantEvaluator>();
    if (recipe.entry() == nullptr || recipe.entry()->evaluator.empty()) return constant;
    const evaluate::EvaluatorEntry* entry = evaluate::find_evaluator(recipe.entry()->evaluator);
    if (entry == nullptr) throw std::runtime_error(fmt::format("recipe '{}' has no evaluator", recipe.text()));
    const auto start = Deadline::Clock::now();
    const auto log = [&](const std::string& line) {
        if (settings.log) settings.log(line);
    };
    const std::optional<double> limit = settings.nodes ? std::nullopt : std::optional(settings.evaluator_seconds);
    evaluate::Material material = evaluate::make_material(game, limit, settings.abort, settings.search.seed);
    material.log = log;
    if (material.analysis != nullptr) log("analysis: " + stages_text(*material.analysis));
    const auto made = entry->make(material, OptionValues(entry->options, recipe.options_for_evaluator()));
    const std::chrono::duration<double> seconds = Deadline::Clock::now() - start;
    if (!made) {
        log(fmt::format("no evaluator '{}' for this game: every state is worth the same", entry->name));
        return constant;
    }
    constexpr double too_slow = 0.005;
    constexpr double spreading_seconds = 0.2;
    const double cost = cost_of_value(*made, *game);
    const bool given_up = cost > too_slow && !settings.nodes;
    log(fmt::format("evaluator '{}' made in {:.2f} s; {:.1f} µs a state{}", entry->name, seconds.count(), 1e6 * cost,
                    given_up ? ", which is too slow: every state is worth the same" : ""));
    if (given_up) return constant;
    // Where everybody moves at once, searches take means of values, and more than their order matters.
    const bool turns =
        material.analysis != nullptr && material.analysis->kind().turn_taking != analysis::Verdict::refuted;
    if (!turns || game->circuit() == nullptr) return made;
    const auto spread =
        evaluate::spread_out(made, game->circuit(), 2.0 / search::score_unit, within(spreading_seconds, settings));
    if (spread != made) log("its values are close together, and are spread out for the search");
    return spread;
}

// A search that others may hold as well.
class SharedSearch final : public search::Search {
  public:
    explicit SharedSearch(std::shared_ptr<search::Search> search) : search_(std::move(search)) {}

    search::Choice choose(const search::State& state, search::Role role, const search::Budget& budget,
                          const std::function<void(const search::Choice&)>& report) override {
        return search_->choose(state, role, budget, report);
    }
    void advance(const search::State& state) override { search_->advance(state); }

  private:
    std::shared_ptr<search::Search> search_;
};

// If the whole game can be worked out in the time or the states given, that plays from now on, with the search chosen
// before for what is left open; if not, all of it is thrown away, and the search will prove ends of the game as they
// come near.
void solve(Engine& engine, const EngineSettings& settings) {
    if ((settings.solve_seconds <= 0 && !settings.nodes) || !search::solve_entry.can_handle(engine.problem.facts))
        return;
    const std::unique_ptr<machine::Machine> machine = engine.problem.game->make();
    if (machine->terminal(machine->initial())) return;
    search::SolveOptions options;
    options.share = 1;
    options.max_bytes = std::size_t{512} << 20;
    const std::shared_ptr<search::Search> chosen = std::move(engine.search);
    auto solver = std::make_unique<search::Solve>(engine.problem, std::make_unique<SharedSearch>(chosen), options);
    // As many states as some moves may look at: about what half of a usual start clock is to a usual play clock.
    constexpr std::uint64_t moves_worth = 10;
    search::Budget budget;
    budget.stop = within(settings.solve_seconds, settings);
    if (settings.nodes) budget.max_nodes = *settings.nodes * moves_worth;
    const auto start = Deadline::Clock::now();
    engine.solved = solver->work_out(machine->initial(), budget);
    const std::chrono::duration<double> seconds = Deadline::Clock::now() - start;
    std::string note;
    if (engine.solved) {
        note = solver->choose(machine->initial(), settings.role, {}).note;
        engine.search = std::move(solver);
        engine.search_name = fmt::format("solve, {}", engine.search_name);
    } else {
        engine.search = std::make_unique<SharedSearch>(chosen);
    }
    if (settings.log) {
        const std::string limit =
            settings.nodes ? fmt::format("{} states", budget.max_nodes) : fmt::format("{:.2f} s", seconds.count());
        settings.log(engine.solved ? fmt::format("{} ({:.2f} s)", note, seconds.count())
                                   : fmt::format("not solved within {}", limit));
    }
}

}  // namespace

std::unique_ptr<Engine> make_engine(const Recipe& recipe, std::shared_ptr<const machine::Game> game,
                                    const EngineSettings& settings) {
    auto engine = std::make_unique<Engine>();
    engine->problem.game = std::move(game);
    engine->problem.analysis = analysis::shared_analysis(
        engine->problem.game, {.seed = settings.search.seed, .repeatable = settings.nodes.has_value()});
    engine->problem.evaluator = make_evaluator(recipe, engine->problem.game, settings);
    // Who judges states has asked for proofs.
    const bool proofs = recipe.entry() != nullptr && !recipe.entry()->evaluator.empty();
    engine->problem.facts = engine->problem.analysis->kind(within(settings.facts_seconds, settings), proofs);
    if (settings.log) settings.log(analysis::to_text(engine->problem.facts));
    const search::SearchSettings search_settings = settings_for(recipe, engine->problem, settings);
    if (recipe.entry() == nullptr) {
        engine->search = recipe.make()(engine->problem, search_settings);
        engine->search_name = recipe.text();
    } else {
        choose_search(*engine, recipe, search_settings);
        if (recipe.entry()->solve_first) solve(*engine, settings);
    }
    return engine;
}

}  // namespace stratagem::player
