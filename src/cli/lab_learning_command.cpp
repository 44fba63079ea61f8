// stratagem lab learning: how often what was learned keeps the worth of proved positions.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "arena/statistics.h"
#include "cli/learning_run.h"
#include "evaluate/linear/linear_evaluator.h"
#include "lab/kept_values.h"
#include "machine/circuit/circuit.h"
#include "player/recipe_text.h"
#include "util/output_file.h"

namespace stratagem::cli {

namespace {

namespace linear = evaluate::linear;
using lab::KeptValues;
using lab::ProvedPositions;

struct LabLearningOptions {
    LearningOptions learning;
    lab::ProofSettings proofs;
    std::string prover = "alphabeta";
    std::string file;
    std::string against;
    std::uint64_t nodes = 10'000;
    bool json = false;
};

std::string kept_text(const KeptValues& kept) {
    const auto part = [](double share, double count) {
        if (count == 0) return std::string("-");
        const arena::Range range = arena::wilson95(share * count, count);
        return fmt::format("{:.1f} [{:.1f}, {:.1f}]", 100 * share, 100 * range.low, 100 * range.high);
    };
    return fmt::format("{:<22} {}", part(kept.share(), static_cast<double>(kept.positions)),
                       part(kept.share_open(), static_cast<double>(kept.open)));
}

nlohmann::json kept_json(const KeptValues& kept) {
    return {{"positions", kept.positions}, {"kept", kept.kept}, {"open", kept.open}, {"kept_open", kept.kept_open}};
}

// From the file if it is there; otherwise proved, and written there.
std::optional<ProvedPositions> get_positions(const LabLearningOptions& options,
                                             const std::shared_ptr<const machine::Game>& game,
                                             const player::Recipe& prover, const Interruptible& interruptible) {
    if (!options.file.empty()) {
        std::ifstream stream(options.file, std::ios::binary);
        if (stream) {
            auto read = lab::positions_from_json(std::string(std::istreambuf_iterator<char>(stream), {}));
            if (auto* found = std::get_if<ProvedPositions>(&read)) return std::move(*found);
            tell("stratagem: --positions: {}: {}\n", options.file, std::get<std::string>(read));
            return std::nullopt;
        }
    }
    Progress progress;
    lab::ProofSettings settings = options.proofs;
    settings.seed = options.learning.seed;
    settings.stop = interruptible.stop();
    settings.progress = [&](const ProvedPositions& so_far) {
        progress.show([&] {
            return fmt::format("{} of {} positions proved, {} too dear", so_far.positions.size(), options.proofs.count,
                               so_far.unproved);
        });
    };
    ProvedPositions found = lab::prove_positions(game, prover, settings);
    progress.clear();
    if (interruptible.interrupted()) return std::nullopt;
    if (!options.file.empty() && !found.positions.empty()) {
        if (const WriteProblem problem = write_file(options.file, lab::to_json(found))) {
            tell("stratagem: --positions: {}\n", *problem);
            return std::nullopt;
        }
    }
    return found;
}

class LearningLook {
  public:
    LearningLook(const LabLearningOptions& options, const ReadyToLearn& ready, const ProvedPositions& positions)
        : options_(options), ready_(ready), positions_(positions) {}

    void tell_head() const {
        if (options_.json) {
            print_json({{"positions", positions_.positions.size()},
                        {"open", positions_.open()},
                        {"plies", positions_.plies},
                        {"unproved", positions_.unproved}});
            return;
        }
        fmt::print("{}: {} positions of {} plies, {} more were too dear to prove; some move throws {} of them away\n",
                   game_name(options_.learning.game), positions_.positions.size(), positions_.plies,
                   positions_.unproved, positions_.open());
    }
    void tell_columns(std::string_view first) const {
        if (!options_.json) fmt::print("\n{:<41}  {:<22} {}\n", first, "kept %", "where some move does not");
    }
    void recipe(const player::Recipe& recipe, const Interruptible& interruptible) {
        const auto kept = lab::kept_by_recipe(ready_.game, recipe, positions_, options_.nodes, options_.learning.seed,
                                              interruptible.stop());
        if (!fits(kept)) return;
        if (!options_.json) {
            fmt::print("{:<41}  {}\n", recipe.text(), kept_text(*kept));
            std::fflush(stdout);
            return;
        }
        nlohmann::json line = kept_json(*kept);
        line["recipe"] = recipe.text();
        line["nodes"] = recipe.nodes().value_or(options_.nodes);
        print_json(line);
    }
    void learned(double seconds) {
        const linear::LinearEvaluator evaluator(ready_.game->circuit()->shared_program(), ready_.play->model());
        const auto kept = lab::kept_by_values(*ready_.game, evaluator, positions_);
        if (!fits(kept)) return;
        const linear::SelfPlayed& played = ready_.play->played();
        if (!options_.json) {
            fmt::print("{:>9.1f} {:>10} {:>13} {:>6.3f}  {}\n", seconds, played.games, played.states, played.error,
                       kept_text(*kept));
            std::fflush(stdout);
            return;
        }
        nlohmann::json line = kept_json(*kept);
        line["seconds"] = seconds;
        line["games"] = played.games;
        line["states"] = played.states;
        line["error"] = played.error;
        print_json(line);
    }
    bool all_fit() const { return fits_; }

  private:
    bool fits(const std::optional<KeptValues>& kept) {
        if (!kept && fits_) tell("stratagem: --positions: they are not of this game\n");
        fits_ = fits_ && kept.has_value();
        return fits_;
    }

    const LabLearningOptions& options_;
    const ReadyToLearn& ready_;
    const ProvedPositions& positions_;
    bool fits_ = true;
};

int run_lab_learning(const LabLearningOptions& options, Context& context) {
    std::vector<player::Recipe> recipes;
    for (const std::string& one : player::split_recipes(options.against)) recipes.emplace_back(one);
    const player::Recipe prover(options.prover);
    (void)learning_settings(options.learning);
    const Interruptible interruptible;
    const ReadyToLearn ready = make_ready_to_learn(options.learning, context, interruptible);
    if (!ready.game) return ready.exit_code;
    const std::optional<ProvedPositions> positions = get_positions(options, ready.game, prover, interruptible);
    if (!positions) return interruptible.interrupted() ? exit_code::interrupted : exit_code::usage;
    LearningLook look(options, ready, *positions);
    look.tell_head();
    if (positions->positions.empty()) return exit_code::no;
    if (!recipes.empty()) look.tell_columns(fmt::format("{} nodes", options.nodes));
    for (const player::Recipe& recipe : recipes) {
        if (!interruptible.interrupted()) look.recipe(recipe, interruptible);
    }
    look.tell_columns(fmt::format("{:>9} {:>10} {:>13} {:>6}", "seconds", "games", "states", "error"));
    if (!interruptible.interrupted()) {
        learn_and_look(options.learning, *ready.play, interruptible, [&](double seconds) { look.learned(seconds); });
    }
    if (interruptible.interrupted()) return exit_code::interrupted;
    return look.all_fit() ? exit_code::success : exit_code::usage;
}

}  // namespace

void add_lab_learning(CLI::App& lab, Context& context) {
    CLI::App& command = *lab.add_subcommand(
        "learning", "How often learned values keep what positions are worth, in positions whose moves are proved");
    const auto options = std::make_shared<LabLearningOptions>();
    add_learning_options(command, options->learning);
    command.add_option("--count", options->proofs.count, "How many positions")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    command.add_option("--plies", options->proofs.plies, "Random moves before each of them")
        ->check(whole_number(0, 10'000))
        ->capture_default_str();
    command.add_option("--prover", options->prover, "Recipe that proves them")->capture_default_str();
    command
        .add_option("--proof-nodes", options->proofs.nodes,
                    "Nodes for the moves of a position; where they do not suffice, another one is drawn")
        ->check(whole_number(1, 1'000'000'000'000))
        ->capture_default_str();
    command.add_option("--table", options->proofs.table_megabytes, "Megabytes of the prover's table")
        ->check(whole_number(1, 1 << 20))
        ->capture_default_str();
    command.add_option("--positions", options->file,
                       "File of proved positions: read if it is there, otherwise written");
    command.add_option("--against", options->against, "Recipes to measure beside, separated by commas")
        ->type_name("RECIPE,…");
    command
        .add_option("--nodes", options->nodes,
                    "Nodes of these for each position; a recipe may have a number of its own, uct:nodes=1000")
        ->check(whole_number(1, 1'000'000'000'000))
        ->capture_default_str();
    add_limit_options(command, options->learning.machine);
    command.add_flag("--json", options->json, "One JSON object for each line");
    command.footer(
        examples({"stratagem lab learning tic_tac_toe --plies 3 --seconds 5",
                  "stratagem lab learning connect_four --count 500 --positions proved.json --seconds 600 "
                  "--against nex,flux,uct --nodes 50000"}) +
        "\nLearned values choose one move ahead. A position counts as kept if the move is worth as much as the best "
        "one;\nwhere several look best, the part of them that is.");
    command.callback([options, &context] {
        context.exit_code = guarded([&] {
            try {
                return run_lab_learning(*options, context);
            } catch (const OptionError& fault) {
                tell("stratagem: {}\n", fault.what());
                return exit_code::usage;
            }
        });
    });
}

}  // namespace stratagem::cli
