// stratagem bench search: what a recipe thinks of a position as time goes by, and how fast it thinks.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>

#include "cli/run_game.h"
#include "player/engine.h"

namespace stratagem::cli {

namespace {

struct BenchSearchOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    machine::MachineOptions machine;
    std::string recipe = "best";
    double seconds = 5;
    std::uint64_t max_nodes = UINT64_MAX;
    player::EngineSettings engine;
    bool json = false;
};

// The first player with a choice in the initial state, or the first role.
machine::Role who_searches(machine::Machine& machine) {
    std::vector<machine::Move> legal;
    for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
        machine.legal(machine.initial(), machine::Role{role}, legal);
        if (legal.size() > 1 && machine.role_name(machine::Role{role}) != "random") return machine::Role{role};
    }
    return machine::Role{0};
}

class Reporter {
  public:
    Reporter(const BenchSearchOptions& options, machine::Machine& machine, const player::Engine& engine)
        : options_(options), machine_(machine), engine_(engine), start_(Deadline::Clock::now()) {}

    void head() const {
        if (options_.json) return;
        fmt::print("{} with {} ({}, {} thread{})\n{:>8} {:>6} {:>8} {:>14} {:>14}  {}\n", game_name(options_.game),
                   options_.recipe, engine_.search_name, options_.engine.search.threads,
                   options_.engine.search.threads == 1 ? "" : "s", "seconds", "depth", "value", "nodes", "playouts",
                   "move");
    }

    void line(const search::Choice& choice, bool last) const {
        const double seconds = std::chrono::duration<double>(Deadline::Clock::now() - start_).count();
        const std::string move = choice.move ? machine_.move_name(*choice.move) : "nil";
        const auto rate = [&](std::uint64_t count) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; };
        if (options_.json) {
            print_json({{"game", game_name(options_.game)},
                        {"recipe", options_.recipe},
                        {"search", engine_.search_name},
                        {"threads", options_.engine.search.threads},
                        {"seconds", seconds},
                        {"depth", choice.depth},
                        {"value", choice.value},
                        {"proved", choice.proved},
                        {"nodes", choice.nodes},
                        {"nodes_per_second", rate(choice.nodes)},
                        {"playouts", choice.playouts},
                        {"playouts_per_second", rate(choice.playouts)},
                        {"move", move},
                        {"note", choice.note},
                        {"preparation", preparation()},
                        {"final", last}});
        } else {
            fmt::print("{:>8.3f} {:>6} {:>7.2f}{} {:>14} {:>14}  {}\n", seconds, choice.depth, choice.value,
                       choice.proved ? "!" : " ", with_commas(choice.nodes), with_commas(choice.playouts), move);
            if (last) {
                fmt::print("{} nodes/s, {} playouts/s{}{}\n",
                           with_commas(static_cast<std::uint64_t>(rate(choice.nodes))),
                           with_commas(static_cast<std::uint64_t>(rate(choice.playouts))),
                           choice.note.empty() ? "" : ", ", choice.note);
            }
        }
        flush_output();
    }

  private:
    // What the start clock was used for. Seconds; null where there was no limit.
    nlohmann::json preparation() const {
        nlohmann::json stages = nlohmann::json::array();
        for (const player::StageUse& stage : engine_.preparation) {
            stages.push_back({{"stage", stage.name},
                              {"asked", std::isfinite(stage.asked) ? nlohmann::json(stage.asked) : nlohmann::json()},
                              {"used", stage.used},
                              {"result", stage.result}});
        }
        return stages;
    }

    const BenchSearchOptions& options_;
    machine::Machine& machine_;
    const player::Engine& engine_;
    Deadline::Clock::time_point start_;
};

int run_bench_search(BenchSearchOptions options, Context& context) {
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    const player::Recipe recipe(options.recipe);
    options.engine.search.threads = recipe.threads().value_or(options.engine.search.threads);
    const std::shared_ptr<const machine::Game> game = prepare(description, options.machine);
    const std::unique_ptr<machine::Machine> machine = game->make();
    if (machine->terminal(machine->initial())) {
        tell("stratagem: {} is over before it begins\n", options.game);
        return exit_code::no;
    }
    options.engine.role = who_searches(*machine);
    const Interruptible interruptible;
    options.engine.abort = interruptible.stop().flag;
    if (!options.json) options.engine.log = [](std::string_view line) { fmt::print("{}\n", line); };
    const std::unique_ptr<player::Engine> engine = player::make_engine(recipe, game, options.engine);
    search::Budget budget;
    budget.stop = interruptible.stop(Deadline::after(std::chrono::duration<double>(options.seconds)));
    budget.max_nodes = options.max_nodes;
    const Reporter reporter(options, *machine, *engine);
    reporter.head();
    const search::Choice choice =
        engine->search->choose(machine->initial(), options.engine.role, budget,
                               [&](const search::Choice& so_far) { reporter.line(so_far, false); });
    reporter.line(choice, true);
    if (!interruptible.interrupted()) return exit_code::success;
    tell("stratagem: interrupted\n");
    return exit_code::interrupted;
}

int checked_run(const BenchSearchOptions& options, Context& context) {
    try {
        return run_bench_search(options, context);
    } catch (const OptionError& fault) {
        tell("stratagem: --recipe: {}\n", fault.what());
        return exit_code::usage;
    }
}

}  // namespace

void add_bench_search(CLI::App& bench, Context& context) {
    CLI::App& command =
        *bench.add_subcommand("search", "What a recipe thinks of the initial position as time goes by, and how fast");
    const auto options = std::make_shared<BenchSearchOptions>();
    command.add_option("FILE", options->game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    command.add_option("--recipe", options->recipe, "How to play (stratagem list recipes)")
        ->capture_default_str()
        ->type_name("RECIPE");
    command.add_option("--seconds", options->seconds, "How long to search")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--start-clock", options->engine.start_seconds, "Seconds for preparing, before the search")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--max-nodes", options->max_nodes, "Stop after so many nodes or playouts")
        ->check(whole_number(1, 1'000'000'000'000'000));
    command.add_option("--threads", options->engine.search.threads, "Of the search")
        ->check(thread_range())
        ->capture_default_str();
    command.add_option("--table", options->engine.search.table_megabytes, "Megabytes of its table")
        ->check(megabyte_range())
        ->capture_default_str();
    command.add_option("--seed", options->engine.search.seed, "Of the search")
        ->capture_default_str()
        ->check(seed_range());
    add_machine_option(command, options->machine);
    add_limit_options(command, options->machine, &options->engine.search.table_megabytes);
    add_notation_option(command, options->notation);
    command.add_flag("--json", options->json,
                     "One JSON object for each better answer and line; the last has final=true");
    command.footer(examples({"stratagem bench search connect_four --recipe uct --seconds 5",
                             "stratagem bench search breakthrough --recipe alphabeta --threads 2 --json"}));
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return checked_run(*options, context); }); });
}

}  // namespace stratagem::cli
