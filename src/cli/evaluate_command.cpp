// stratagem evaluate: what a state is worth, and why.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/position.h"
#include "cli/run_game.h"
#include "evaluate/registry.h"
#include "gdl/game_file.h"
#include "machine/machine_text.h"
#include "player/recipe.h"
#include "view/board.h"
#include "view/text_picture.h"

namespace stratagem::cli {

namespace {

using evaluate::Explanation;
using machine::Machine;
using machine::Move;
using machine::Role;
using machine::State;

struct EvaluateOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    std::string evaluator;
    std::string state;
    std::string moves;
    std::string role;
    double seconds = 5;
    std::uint64_t seed = 1;
    machine::MachineOptions machine;  // the limits of making it
    bool children = false;
    bool explain = false;
    bool json = false;
};

// Where a joint move leads, and what that is worth.
struct Child {
    std::vector<std::string> moves;
    double value = 0;
    bool terminal = false;
};

constexpr std::size_t most_children = 10'000;

// Goals are what ends are worth; an evaluator is asked about everything else.
double worth(Machine& machine, evaluate::Evaluation& opinions, const State& state, Role role, bool& terminal) {
    terminal = machine.terminal(state);
    return terminal ? machine.goal(state, role).value_or(0) : opinions.value(state, role);
}

std::vector<Child> children_of(Machine& machine, const evaluate::Evaluator& evaluator, const State& state, Role role) {
    std::vector<std::vector<Move>> legal(machine.role_count());
    for (std::uint32_t i = 0; i < legal.size(); ++i) {
        machine.legal(state, Role{i}, legal[i]);
        if (legal[i].empty()) return {};
    }
    const auto opinions = evaluator.start();
    std::vector<Child> children;
    std::vector<std::size_t> place(legal.size(), 0);
    std::vector<Move> joint(legal.size());
    State next;
    for (bool more = true; more && children.size() < most_children;) {
        for (std::size_t i = 0; i < joint.size(); ++i) joint[i] = legal[i][place[i]];
        machine.next(state, joint, next);
        Child child;
        for (const Move move : joint) child.moves.push_back(machine.move_name(move));
        child.value = worth(machine, *opinions, next, role, child.terminal);
        children.push_back(std::move(child));
        more = false;
        for (std::size_t i = joint.size(); i-- > 0 && !more;) {
            more = ++place[i] < legal[i].size();
            if (!more) place[i] = 0;
        }
    }
    std::ranges::stable_sort(children, std::greater{}, &Child::value);
    return children;
}

nlohmann::json to_json(const Explanation& explanation) {
    nlohmann::json parts = nlohmann::json::array();
    for (const Explanation& part : explanation.parts) parts.push_back(to_json(part));
    nlohmann::json result{{"text", explanation.text}, {"value", explanation.value}};
    if (!parts.empty()) result["parts"] = std::move(parts);
    return result;
}

void print_tree(const Explanation& explanation, std::size_t depth) {
    fmt::print("{:>{}}{:7.3f}  {}\n", "", 2 + 2 * depth, explanation.value, explanation.text);
    for (const Explanation& part : explanation.parts) print_tree(part, depth + 1);
}

// What is said of one role.
class Report {
  public:
    Report(const EvaluateOptions& options, Machine& machine, const evaluate::Evaluator& evaluator)
        : options_(options), machine_(machine), evaluator_(evaluator) {}

    void about(const State& state, Role role) const {
        bool terminal = false;
        const double value = worth(machine_, *evaluator_.start(), state, role, terminal);
        std::vector<Child> children;
        if (options_.children && !terminal) children = children_of(machine_, evaluator_, state, role);
        std::optional<Explanation> why;
        if (options_.explain) {
            why = terminal ? Explanation{"the game is over: the value is the goal", value, {}}
                           : evaluator_.explain(state, role);
        }
        if (options_.json) return print(role, value, terminal, children, why);
        fmt::print("{:<12} {:.6g}{}\n", machine_.role_name(role), value, terminal ? "  (the game is over)" : "");
        for (const Child& child : children) {
            fmt::print("  {:>10.6g}  {}{}\n", child.value, fmt::join(child.moves, " "),
                       child.terminal ? "  (ends)" : "");
        }
        if (children.size() == most_children) fmt::print("  … only the first {} were looked at\n", most_children);
        if (why) print_tree(*why, 0);
    }

  private:
    void print(Role role, double value, bool terminal, const std::vector<Child>& children,
               const std::optional<Explanation>& why) const {
        nlohmann::json result{{"game", game_name(options_.game)},
                              {"evaluator", options_.evaluator},
                              {"role", machine_.role_name(role)},
                              {"value", value},
                              {"terminal", terminal}};
        if (options_.children) {
            nlohmann::json list = nlohmann::json::array();
            for (const Child& child : children) {
                list.push_back({{"moves", child.moves}, {"value", child.value}, {"terminal", child.terminal}});
            }
            result["children"] = std::move(list);
        }
        if (why) result["explanation"] = to_json(*why);
        print_json(result);
    }

    const EvaluateOptions& options_;
    Machine& machine_;
    const evaluate::Evaluator& evaluator_;
};

// Those asked for: one, or all but chance.
std::vector<Role> roles_for(const Machine& machine, const std::string& wanted) {
    std::vector<Role> roles;
    for (std::uint32_t i = 0; i < machine.role_count(); ++i) {
        const std::string name = machine.role_name(Role{i});
        if (wanted.empty() ? name != "random" : name == wanted) roles.push_back(Role{i});
    }
    if (roles.empty() && !wanted.empty()) {
        throw PositionError(
            fmt::format("there is no role '{}'; there are: {}", wanted, fmt::join(machine::role_names(machine), ", ")));
    }
    return roles;
}

// An evaluator with its options.
struct Judge {
    const evaluate::EvaluatorEntry* entry = nullptr;
    OptionValues values;
};

// From the name of an evaluator with options, or from a recipe, which has one. Throws OptionError.
Judge judge_of(const std::string& text) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string name = text.substr(0, end);
    if (const evaluate::EvaluatorEntry* entry = evaluate::find_evaluator(name)) {
        const OptionValues values(entry->options, text.substr(std::min(end + 1, text.size())));
        if (entry->check != nullptr) entry->check(values);
        return {entry, values};
    }
    std::vector<std::string> names;
    for (const evaluate::EvaluatorEntry& one : evaluate::evaluator_table()) names.emplace_back(one.name);
    const bool recipe_like = text.find('+') != std::string::npos || player::find_recipe(name) != nullptr;
    if (!recipe_like) {
        std::vector<std::string> all = names;
        for (const player::RecipeEntry& one : player::recipe_table()) all.emplace_back(one.name);
        const std::optional<std::string> near = gdl::nearest_name(name, all);
        throw OptionError(
            fmt::format("there is no evaluator '{}'; {}", name,
                        near ? fmt::format("did you mean '{}'?", *near)
                             : fmt::format("there are: {}, and recipes that have one", fmt::join(names, ", "))));
    }
    const player::Recipe recipe(text);
    const evaluate::EvaluatorEntry* entry = player::evaluator_of(*recipe.entry());
    if (entry == nullptr) {
        throw OptionError(
            fmt::format("recipe '{}' has no evaluator: to it every state is worth the same", recipe.entry()->name));
    }
    return {entry, OptionValues(entry->options, recipe.options_for_evaluator())};
}

std::shared_ptr<const evaluate::Evaluator> make(const EvaluateOptions& options,
                                                const std::shared_ptr<const machine::Game>& game, const Judge& judge,
                                                const Interruptible& interruptible) {
    std::vector<std::string> said;  // of interest only if it fails
    const Waiting waiting(fmt::format("working out how to judge {}", game_name(options.game)));
    evaluate::Material material =
        evaluate::make_material(game, options.seconds, interruptible.stop().flag, options.seed);
    material.log = [&](const std::string& line) { said.push_back(line); };
    auto made = judge.entry->make(material, judge.values);
    for (const std::string& line : said) {
        if (!made) tell("stratagem: {}\n", line);
    }
    return made;
}

int run_evaluate(const EvaluateOptions& options, Context& context) {
    const Judge judge = judge_of(options.evaluator);
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    const std::shared_ptr<const machine::Game> game = prepare(description, options.machine);
    const std::unique_ptr<Machine> machine = game->make();
    const Interruptible interruptible;  // only now: before, there is nothing to keep
    State state = machine->initial();
    if (!options.state.empty()) state = state_of_fluents(*machine, options.state);
    if (!options.moves.empty()) state = state_after_moves(*machine, options.moves);
    const std::vector<Role> roles = roles_for(*machine, options.role);
    const std::shared_ptr<const evaluate::Evaluator> evaluator = make(options, game, judge, interruptible);
    if (interruptible.interrupted()) return exit_code::interrupted;
    if (!evaluator) {
        tell("stratagem: no evaluator '{}' for {} within {} s\n", judge.entry->name, game_name(options.game),
             options.seconds);
        return exit_code::limit;
    }
    if (!options.json) {
        const view::Board board(view::look_at(*game));
        fmt::print("{}\n", view::to_text(board.picture(view::fluents_of(*machine, state)), {use_colour(stdout)}));
    }
    const Report report(options, *machine, *evaluator);
    for (const Role role : roles) report.about(state, role);
    return exit_code::success;
}

int checked_run(const EvaluateOptions& options, Context& context) {
    try {
        return run_evaluate(options, context);
    } catch (const PositionError& fault) {
        tell("stratagem: {}\n", fault.what());
    } catch (const OptionError& fault) {
        tell("stratagem: --evaluator: {}\n", fault.what());
    }
    return exit_code::usage;
}

}  // namespace

void add_evaluate(CLI::App& program, Context& context) {
    CLI::App& command =
        *program.add_subcommand("evaluate", "What a state is worth to each role, by rules alone, and why");
    const auto options = std::make_shared<EvaluateOptions>();
    command.add_option("FILE", options->game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    command
        .add_option("--evaluator", options->evaluator,
                    "Name, with options after a colon (list evaluators), or a recipe that has one")
        ->type_name("EVALUATOR")
        ->required();
    CLI::Option* state = command.add_option("--state", options->state, "The fluents that hold; else the initial state");
    command.add_option("--moves", options->moves, "The moves that lead to the state, from the initial one")
        ->excludes(state);
    command.add_option("--role", options->role, "For this role only");
    command.add_flag("--children", options->children, "Also every state one step on, the best first");
    command.add_flag("--explain", options->explain, "Which sub-goals the value comes from");
    command.add_option("--seconds", options->seconds, "Time for making the evaluator")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--seed", options->seed, "Of the random games looked at")
        ->capture_default_str()
        ->check(seed_range());
    add_notation_option(command, options->notation);
    add_limit_options(command, options->machine);
    command.add_flag("--json", options->json, "One JSON object for each role");
    command.footer(examples({"stratagem evaluate tic_tac_toe --evaluator fuzzy --moves \"(mark 2 2)\" --explain",
                             "stratagem evaluate breakthrough --evaluator fuzzy --children --role white",
                             "stratagem evaluate connect_four --evaluator nex-1.1 --children",
                             "stratagem evaluate connect_four --evaluator fuzzy:power=10 --json"}));
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return checked_run(*options, context); }); });
}

}  // namespace stratagem::cli
