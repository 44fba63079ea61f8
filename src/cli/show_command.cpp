// stratagem show: a game in any of its forms, from rules to gates, and the networks made of its goals.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "cli/run_game.h"
#include "evaluate/neural/neural_evaluator.h"
#include "evaluate/neural/print.h"
#include "gdl/format.h"
#include "gdl/print.h"
#include "machine/circuit/circuit.h"

namespace stratagem::cli {

namespace {

struct ShowOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    machine::MachineOptions machine;
    bool rules = false;
    bool program = false;
    bool circuit = false;
    bool stats = false;
    bool networks = false;
    std::string transformation = "soft";
    std::string role;
    bool dot = false;
    bool json = false;
};

int show_rules(const gdl::Description& description, const ShowOptions& options) {
    if (!options.json) {
        fmt::print("{}", gdl::format(description, gdl::Notation::kif));
        return exit_code::success;
    }
    nlohmann::json rules = nlohmann::json::array();
    for (const gdl::Rule& rule : description.rules) rules.push_back(gdl::to_kif(description.terms, rule));
    print_json({{"game", game_name(options.game)}, {"rules", std::move(rules)}});
    return exit_code::success;
}

nlohmann::json to_json(const ground::Program& program) {
    const auto names = [&](const std::vector<gdl::Term>& terms) {
        nlohmann::json list = nlohmann::json::array();
        for (const gdl::Term term : terms) list.push_back(gdl::to_kif(program.terms, term));
        return list;
    };
    nlohmann::json moves = nlohmann::json::array();
    for (const ground::GroundMove& move : program.moves) {
        moves.push_back({{"role", gdl::to_kif(program.terms, program.roles[ground::index(move.role)])},
                         {"move", gdl::to_kif(program.terms, move.term)}});
    }
    nlohmann::json rules = nlohmann::json::array();
    for (std::size_t rule = 0; rule < program.rule_count(); ++rule) {
        nlohmann::json body = nlohmann::json::array();
        for (const ground::Condition condition : program.body(rule)) {
            const std::string name = program.name(condition.atom());
            body.push_back(condition.positive() ? name : fmt::format("(not {})", name));
        }
        rules.push_back({{"head", program.name(program.head(rule))}, {"body", std::move(body)}});
    }
    nlohmann::json statics = nlohmann::json::array();
    for (const ground::StaticRelation& relation : program.statics) {
        nlohmann::json facts = nlohmann::json::array();
        for (std::size_t i = 0; i < relation.size(); ++i) facts.push_back(fact_text(program.terms, relation, i));
        statics.push_back({{"relation", program.terms.symbols().name(relation.symbol())},
                           {"arity", relation.arity()},
                           {"complete", relation.complete()},
                           {"facts", std::move(facts)}});
    }
    nlohmann::json initial = nlohmann::json::array();
    for (const ground::Fluent fluent : program.initial) {
        initial.push_back(gdl::to_kif(program.terms, program.fluents[ground::index(fluent)]));
    }
    return {{"roles", names(program.roles)}, {"fluents", names(program.fluents)}, {"initial", std::move(initial)},
            {"moves", std::move(moves)},     {"rules", std::move(rules)},         {"statics", std::move(statics)}};
}

int show_stats(const machine::Game& game, const ShowOptions& options) {
    const machine::MachineStatistics& statistics = game.statistics();
    const double peak = peak_megabytes();
    if (options.json) {
        print_json({{"game", game_name(options.game)},
                    {"machine", machine::to_string(game.kind())},
                    {"roles", statistics.roles},
                    {"fluents", statistics.fluents},
                    {"moves", statistics.moves},
                    {"ground_rules", statistics.ground_rules},
                    {"gates", statistics.gates},
                    {"depth", statistics.depth},
                    {"ground_seconds", statistics.ground_seconds},
                    {"build_seconds", statistics.build_seconds},
                    {"peak_mb", peak},
                    {"note", game.note()}});
        return exit_code::success;
    }
    fmt::print(
        "game            {}\n"
        "runs in         {}\n"
        "roles           {}\n"
        "fluents         {}\n"
        "moves           {}\n"
        "ground rules    {}\n"
        "gates           {}\n"
        "depth           {}\n"
        "grounding       {:.3f} s\n"
        "text to machine {:.3f} s\n"
        "peak memory     {:.1f} MB\n",
        game_name(options.game), machine::to_string(game.kind()), statistics.roles, with_commas(statistics.fluents),
        with_commas(statistics.moves), with_commas(statistics.ground_rules), with_commas(statistics.gates),
        statistics.depth, statistics.ground_seconds, statistics.build_seconds, peak);
    return exit_code::success;
}

// The rules with the goals of one role alone; null where there is no such role.
std::shared_ptr<const ground::Program> goals_of_one(const ground::Program& program, const std::string& name) {
    const auto named = [&](gdl::Term role) { return gdl::to_kif(program.terms, role) == name; };
    const auto found = std::ranges::find_if(program.roles, named);
    if (found == program.roles.end()) return nullptr;
    const auto role = static_cast<std::uint32_t>(found - program.roles.begin());
    auto result = std::make_shared<ground::Program>(program);
    std::erase_if(result->goals, [&](const ground::GoalEntry& goal) { return ground::index(goal.role) != role; });
    return result;
}

// Without features: those need time to look at the game, and do not change what networks consist of.
int show_networks(const machine::Circuit& circuit, const ShowOptions& options) {
    namespace neural = evaluate::neural;
    using Transformation = neural::TransformationSettings::Kind;
    const std::shared_ptr<const ground::Program> program =
        options.role.empty() ? circuit.shared_program() : goals_of_one(circuit.program(), options.role);
    if (program == nullptr) {
        tell("stratagem: --role: there is no role '{}'\n", options.role);
        return exit_code::usage;
    }
    neural::Settings settings;
    settings.transformation.kind = options.transformation == "cilp"    ? Transformation::cilp
                                   : options.transformation == "local" ? Transformation::local
                                                                       : Transformation::soft;
    constexpr std::chrono::seconds limit(20);
    const Interruptible interruptible;
    try {
        const Waiting waiting(fmt::format("making the networks of {}", game_name(options.game)));
        const neural::NeuralEvaluator made(program, nullptr, settings, interruptible.stop(Deadline::after(limit)));
        const neural::GradedTheory& goals = made.goals();
        const std::string text = options.dot ? to_dot(goals, *program) : to_text(goals, *program);
        if (options.json) {
            print_json({{"game", game_name(options.game)},
                        {"transformation", options.transformation},
                        {"neurons", goals.network().size()},
                        {"connections", goals.network().connection_count()},
                        {"crisp", goals.theory().crisp_count()},
                        {options.dot ? "dot" : "text", text}});
        } else {
            fmt::print("{}", text);
        }
        return exit_code::success;
    } catch (const neural::DomainTheory::Interrupted&) {
        if (interruptible.interrupted()) return exit_code::interrupted;
        tell("stratagem: no networks of {} within {} s\n", game_name(options.game), limit.count());
        return exit_code::limit;
    }
}

int run_show(const ShowOptions& options, Context& context) {
    if (options.dot && (options.rules || options.program || options.stats)) {
        tell("stratagem: --dot draws the circuit or the networks; it does not go with another form\n");
        return exit_code::usage;
    }
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    if (options.rules) return show_rules(*description, options);

    const auto game = prepare(description, options.machine);
    if (!game->program()) {
        if (!options.program && !options.circuit && !options.networks && !options.dot) show_stats(*game, options);
        return game->limit_hit() ? exit_code::limit : exit_code::no;
    }
    const machine::Circuit& circuit = *game->circuit();
    if (options.program) {
        if (options.json) {
            print_json(to_json(circuit.program()));
        } else {
            const ground::Program& ground = circuit.program();
            fmt::print("{}", ground.to_text());
            if (!ground.statics.empty()) fmt::print("\n; static relations\n{}", ground.statics.to_text(ground.terms));
        }
    } else if (options.networks) {
        return show_networks(circuit, options);
    } else if (options.circuit || options.dot) {
        const std::string text = options.dot ? circuit.to_dot() : circuit.to_text();
        if (options.json) {
            print_json({{"game", game_name(options.game)},
                        {"gates", circuit.gate_count()},
                        {"depth", circuit.depth()},
                        {options.dot ? "dot" : "text", text}});
        } else {
            fmt::print("{}", text);
        }
    } else {
        return show_stats(*game, options);
    }
    return exit_code::success;
}

}  // namespace

void add_show(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand(
        "show", "Show a game in any of its forms: rules, ground program, circuit, networks, numbers");
    const auto options = std::make_shared<ShowOptions>();
    command.add_option("FILE", options->game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    add_notation_option(command, options->notation);
    CLI::Option_group& forms = *command.add_option_group("Form", "One of these; the numbers when none is given");
    forms.add_flag("--rules", options->rules, "The rules as read, formatted");
    forms.add_flag("--program", options->program, "The ground rules, one per line, then the facts of static relations");
    forms.add_flag("--circuit", options->circuit, "The gates, one per line");
    forms.add_flag("--networks", options->networks, "The networks of the goals, one neuron per line");
    forms.add_flag("--stats", options->stats, "How large each form is, and what it took to make them");
    forms.require_option(0, 1);
    command.add_flag("--dot", options->dot, "The circuit, or the networks, as a graph for Graphviz");
    command
        .add_option("--transformation", options->transformation,
                    "Of rules to networks: cilp (Nexplayer 1.0), local (1.1) or soft")
        ->check(CLI::IsMember({"cilp", "local", "soft"}).description(""))
        ->type_name("cilp|local|soft")
        ->capture_default_str();
    command.add_option("--role", options->role, "Of the networks, those of this role alone");
    command.add_flag("--json", options->json, "One JSON object");
    add_limit_options(command, options->machine);
    command.footer(examples({"stratagem show connect_four", "stratagem show tic_tac_toe --program",
                             "stratagem show nim --dot > nim.dot",
                             "stratagem show tic_tac_toe --networks --dot | dot -Tsvg > networks.svg"}) +
                   "\nExit code: 0, or 3 when the rules could not be grounded within 20 seconds and 4 GB.");
    command.callback([options, &context] { context.exit_code = guarded([&] { return run_show(*options, context); }); });
}

}  // namespace stratagem::cli
