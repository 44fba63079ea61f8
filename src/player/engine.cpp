#include "player/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "evaluate/registry.h"
#include "search/solve/solve.h"

namespace stratagem::player {

namespace {

// Where a stage of preparing writes what it used and came to.
struct Preparing {
    const EngineSettings& settings;
    StartClock& clock;

    void say(const std::string& line) const {
        if (settings.log) settings.log(line);
    }
    // No clock where the run is to be repeatable.
    machine::Stop until(Deadline deadline) const {
        return {settings.nodes ? Deadline::never() : deadline, settings.abort};
    }
};

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

void choose_search(Engine& engine, const Recipe& recipe, const search::SearchSettings& settings,
                   const Preparing& preparing) {
    const RecipeEntry& wanted = *recipe.entry();
    for (const RecipeSearch& candidate : wanted.searches) {
        const search::SearchEntry* entry = search::find_search(candidate.name);
        if (entry == nullptr || !entry->can_handle(engine.problem.facts)) continue;
        if (candidate.only != nullptr && !candidate.only->includes(engine.problem.facts)) continue;
        if (wanted.names_search() && candidate.name != wanted.searches.front().name) {
            preparing.say(
                fmt::format("{} cannot handle this game: {} plays it", wanted.searches.front().name, candidate.name));
        }
        if (candidate.only != nullptr) preparing.say(fmt::format("{}, {}", entry->name, candidate.only->words));
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

std::string stages_text(const analysis::Findings& known) {
    std::string text;
    for (const analysis::Stage& stage : known.stages()) {
        text += fmt::format("{}{} {:.2f} s{}", text.empty() ? "" : ", ", stage.name, stage.seconds,
                            stage.complete ? "" : " (cut short)");
    }
    return text;
}

std::string analysis_text(const evaluate::Material& material) {
    if (material.analysis == nullptr) return "none";
    const auto complete = std::ranges::count_if(material.analysis->stages(), &analysis::Stage::complete);
    return fmt::format("{} of {} stages complete", complete, material.analysis->stages().size());
}

// With what can be known of the game in half of the time for both, and all of it for the evaluator to end in.
evaluate::Material know(const std::shared_ptr<const machine::Game>& game, const Preparing& preparing) {
    const EngineSettings& settings = preparing.settings;
    const Share& share = settings.shares.evaluator;
    preparing.clock.begin("analysis", {share.part / 2, share.least / 2, share.most / 2});
    const std::optional<double> seconds = settings.nodes ? std::nullopt : std::optional(2 * preparing.clock.asked());
    evaluate::Material material = evaluate::make_material(game, seconds, settings.abort, settings.search.seed);
    material.log = [preparing](const std::string& line) { preparing.say(line); };
    if (material.analysis != nullptr) preparing.say("analysis: " + stages_text(*material.analysis));
    preparing.clock.end(analysis_text(material));
    return material;
}

// The constant one where the recipe wants no other, where it cannot be made, or where it takes so long that a search
// with it would see nothing.
std::shared_ptr<const evaluate::Evaluator> make_evaluator(const Recipe& recipe,
                                                          const std::shared_ptr<const machine::Game>& game,
                                                          const Preparing& preparing) {
    std::shared_ptr<const evaluate::Evaluator> constant = std::make_shared<evaluate::ConstantEvaluator>();
    const evaluate::EvaluatorEntry* entry = recipe.entry() == nullptr ? nullptr : evaluator_of(*recipe.entry());
    if (entry == nullptr) return constant;
    const auto start = Deadline::Clock::now();
    const evaluate::Material material = know(game, preparing);
    const std::chrono::duration<double> left = material.stop.deadline.remaining();
    preparing.clock.begin("evaluator", material.stop.deadline.is_never() ? unlimited : exactly(left.count()));
    const auto made = entry->make(material, OptionValues(entry->options, recipe.options_for_evaluator()));
    const std::chrono::duration<double> seconds = Deadline::Clock::now() - start;
    if (!made) {
        preparing.say(fmt::format("no evaluator '{}' for this game: every state is worth the same", entry->name));
        preparing.clock.end("none");
        return constant;
    }
    constexpr double too_slow = 0.005;
    const double cost = cost_of_value(*made, *game);
    const bool given_up = cost > too_slow && !preparing.settings.nodes;
    preparing.say(fmt::format("evaluator '{}' made in {:.2f} s; {:.1f} µs a state{}", entry->name, seconds.count(),
                              1e6 * cost, given_up ? ", which is too slow: every state is worth the same" : ""));
    preparing.clock.end(given_up ? fmt::format("{}, too slow", entry->name) : std::string(entry->name));
    return given_up ? constant : made;
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
void solve(Engine& engine, const Preparing& preparing) {
    const EngineSettings& settings = preparing.settings;
    const bool wanted = settings.shares.solving.most > 0 || settings.nodes;
    if (!wanted || !search::solve_entry.can_handle(engine.problem.facts)) return;
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
    budget.stop = preparing.until(preparing.clock.begin("solving", settings.shares.solving));
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
    const std::string limit =
        settings.nodes ? fmt::format("{} states", budget.max_nodes) : fmt::format("{:.2f} s", seconds.count());
    preparing.say(engine.solved ? fmt::format("{} ({:.2f} s)", note, seconds.count())
                                : fmt::format("not solved within {}", limit));
    preparing.clock.end(engine.solved ? "solved" : "not solved");
}

analysis::GameKind facts_of(const search::Problem& problem, const Recipe& recipe, const Preparing& preparing) {
    const machine::Stop stop = preparing.until(preparing.clock.begin("facts", preparing.settings.shares.facts));
    // Who judges states has asked for proofs.
    const bool proofs = recipe.entry() != nullptr && evaluator_of(*recipe.entry()) != nullptr;
    analysis::GameKind facts = problem.analysis->kind(stop, proofs);
    preparing.clock.end(fmt::format("{} games", facts.games));
    preparing.say(analysis::to_text(facts));
    return facts;
}

// What makes for a better search and asks for proofs first, then what must be there for any, the search, and what may
// make it superfluous.
void prepare(Engine& engine, const Recipe& recipe, const Preparing& preparing) {
    const EngineSettings& given = preparing.settings;
    engine.problem.analysis = analysis::shared_analysis(
        engine.problem.game, {.seed = given.search.seed, .repeatable = given.nodes.has_value()});
    engine.problem.evaluator = make_evaluator(recipe, engine.problem.game, preparing);
    engine.problem.facts = facts_of(engine.problem, recipe, preparing);
    search::SearchSettings settings = settings_for(recipe, engine.problem, preparing.settings);
    constexpr std::chrono::milliseconds while_made(200);
    settings.stop = preparing.until(Deadline::after(while_made));
    settings.log = [&](const std::string& line) { preparing.say(line); };
    settings.options_of = [&](std::string_view name) { return recipe.options_for_search(name); };
    preparing.clock.begin("search", unlimited);  // some compile playouts
    if (recipe.entry() == nullptr) {
        engine.search = recipe.make()(engine.problem, settings);
        engine.search_name = recipe.text();
    } else {
        choose_search(engine, recipe, settings, preparing);
    }
    preparing.clock.end(engine.search_name);
    if (recipe.entry() != nullptr && recipe.entry()->solve_first) solve(engine, preparing);
}

}  // namespace

std::unique_ptr<Engine> make_engine(const Recipe& recipe, std::shared_ptr<const machine::Game> game,
                                    const EngineSettings& settings) {
    StartClock own = settings.nodes ? StartClock::without_end() : StartClock(settings.start_seconds);
    const Preparing preparing{settings, settings.clock == nullptr ? own : *settings.clock};
    auto engine = std::make_unique<Engine>();
    engine->problem.game = std::move(game);
    const auto close = [&] {
        preparing.clock.end("given up");  // what was under way when something threw
        preparing.say(preparing.clock.journal());
    };
    try {
        prepare(*engine, recipe, preparing);
    } catch (...) {
        close();
        throw;
    }
    close();
    engine->preparation = preparing.clock.stages();
    return engine;
}

}  // namespace stratagem::player
