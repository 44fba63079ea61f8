// stratagem analyze: all that is known about a game before it is played, and how sure it is.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "analysis/analysis.h"
#include "cli/run_game.h"
#include "gdl/print.h"
#include "view/board.h"
#include "view/text_picture.h"

namespace stratagem::cli {

namespace {

using analysis::Findings;
using analysis::GameKind;
using analysis::Structure;
using analysis::Verdict;

struct AnalyzeOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    double seconds = 10;
    std::uint64_t seed = 1;
    machine::MachineOptions machine;  // the limits of making it
    bool json = false;
};

std::string family_name(const Findings& known, std::size_t family) {
    return std::string(known.program()->terms.symbols().name(known.families()[family].name));
}

std::string fluent_text(const Findings& known, ground::Fluent fluent) {
    return gdl::to_kif(known.program()->terms, known.program()->fluents[ground::index(fluent)]);
}

std::string role_text(const Findings& known, std::uint32_t role) {
    return gdl::to_kif(known.program()->terms, known.program()->roles[role]);
}

std::size_t count(const std::vector<Verdict>& verdicts, Verdict which) {
    return static_cast<std::size_t>(std::ranges::count(verdicts, which));
}

std::string relation_name(const Findings& known, const analysis::Order& order) {
    return std::string(known.program()->terms.symbols().name(order.relation));
}

std::vector<std::string> element_names(const Findings& known, const analysis::Order& order) {
    std::vector<std::string> names;
    for (const gdl::Term element : order.elements) names.push_back(gdl::to_kif(known.program()->terms, element));
    return names;
}

nlohmann::json structure_json(const Findings& known, const Structure& structure) {
    nlohmann::json arguments = nlohmann::json::array();
    for (std::size_t i = 0; i < structure.arguments.size(); ++i) {
        const analysis::Argument& argument = structure.arguments[i];
        nlohmann::json entry{{"output", argument.output},
                             {"values", known.families()[structure.family].values[i].size()}};
        if (argument.order) entry["order"] = relation_name(known, known.orders()[*argument.order]);
        arguments.push_back(std::move(entry));
    }
    nlohmann::json result{{"fluent", family_name(known, structure.family)},
                          {"kind", analysis::to_string(structure.kind)},
                          {"verdict", analysis::to_string(structure.verdict)},
                          {"total", analysis::to_string(structure.total)},
                          {"arguments", std::move(arguments)}};
    if (structure.kind == Structure::Kind::step_counter) result["only_ends"] = structure.only_ends;
    if (structure.rising != Verdict::unknown) {
        result["rising"] = analysis::to_string(structure.rising);
        result["falling"] = analysis::to_string(structure.falling);
    }
    if (structure.kind == Structure::Kind::board) {
        nlohmann::json contents = nlohmann::json::array();
        for (std::size_t i = 0; i < structure.contents.size(); ++i) {
            contents.push_back(
                {{"content", structure.contents[i]}, {"single", analysis::to_string(structure.single[i])}});
        }
        result["contents"] = std::move(contents);
    }
    if (structure.kind == Structure::Kind::control) {
        nlohmann::json chooser = nlohmann::json::object();
        const std::vector<ground::Fluent>& members = known.families()[structure.family].members;
        for (std::size_t i = 0; i < members.size(); ++i) {
            chooser[fluent_text(known, members[i])] = role_text(known, structure.chooser[i]);
        }
        result["chooser"] = std::move(chooser);
    }
    return result;
}

// How many symmetries there are in all, and how many keep the roles, and the initial state as well.
struct SymmetryCount {
    explicit SymmetryCount(const Findings& known) {
        // Each says of every fluent and every move what it becomes.
        constexpr std::size_t most_entries = 100'000'000;
        const std::size_t entries = known.program()->fluents.size() + known.program()->moves.size() + 1;
        const std::size_t most = std::clamp<std::size_t>(most_entries / entries, 2, 2000);
        const std::vector<analysis::Symmetry> list =
            analysis::all_symmetries(*known.program(), known.symmetries(), most);
        whole = list.size() < most;
        all = whole ? static_cast<double>(list.size()) : known.symmetries().size;
        for (const analysis::Symmetry& one : list) {
            keep_roles += one.swaps_roles() ? 0 : 1;
            keep_start += !one.swaps_roles() && one.keeps_start ? 1 : 0;
        }
    }

    double all = 1;
    bool whole = true;  // false: too many to look at each
    std::size_t keep_roles = 0;
    std::size_t keep_start = 0;  // and roles
};

nlohmann::json symmetries_json(const Findings& known) {
    const SymmetryCount counted(known);
    nlohmann::json generators = nlohmann::json::array();
    for (const analysis::Symmetry& one : known.symmetries().generators) {
        nlohmann::json fluents = nlohmann::json::object();
        for (std::uint32_t i = 0; i < one.fluents.size(); ++i) {
            if (ground::index(one.fluents[i]) == i) continue;
            fluents[fluent_text(known, ground::Fluent{i})] = fluent_text(known, one.fluents[i]);
        }
        generators.push_back(
            {{"swaps_roles", one.swaps_roles()}, {"keeps_start", one.keeps_start}, {"fluents", std::move(fluents)}});
    }
    nlohmann::json result{
        {"count", counted.all}, {"complete", known.symmetries().complete}, {"generators", std::move(generators)}};
    if (counted.whole) {
        result["keep_roles"] = counted.keep_roles;
        result["keep_start"] = counted.keep_start;
    }
    return result;
}

nlohmann::json to_json(const AnalyzeOptions& options, const Findings& known, double seconds) {
    nlohmann::json roles = nlohmann::json::array(), structures = roles, orders = roles, groups = roles, stages = roles,
                   stays = roles, gone = roles, teams = roles, parts = roles;
    for (std::uint32_t role = 0; role < known.program()->roles.size(); ++role) {
        roles.push_back(role_text(known, role));
        teams.push_back(known.kind().team[role]);
    }
    for (const Structure& structure : known.structures()) structures.push_back(structure_json(known, structure));
    for (const analysis::Order& order : known.orders()) {
        orders.push_back({{"relation", relation_name(known, order)},
                          {"kind", order.kind == analysis::Order::Kind::successor ? "successor" : "order"},
                          {"linear", order.linear},
                          {"elements", element_names(known, order)}});
    }
    for (const analysis::Group& group : known.groups()) {
        nlohmann::json fluents = nlohmann::json::array();
        for (const ground::Fluent fluent : group.fluents) fluents.push_back(fluent_text(known, fluent));
        groups.push_back({{"fluents", std::move(fluents)},
                          {"exactly_one", group.at_least_one},
                          {"verdict", analysis::to_string(group.verdict)}});
    }
    for (std::uint32_t i = 0; i < known.program()->fluents.size(); ++i) {
        if (known.persistence().stays[i] == Verdict::proved) stays.push_back(fluent_text(known, ground::Fluent{i}));
        if (known.persistence().gone[i] == Verdict::proved) gone.push_back(fluent_text(known, ground::Fluent{i}));
    }
    for (const analysis::Subgame& part : known.subgames().parts) {
        parts.push_back({{"fluents", part.fluents.size()}, {"moves", part.moves.size()}});
    }
    for (const analysis::Stage& stage : known.stages()) {
        stages.push_back({{"name", stage.name}, {"seconds", stage.seconds}, {"complete", stage.complete}});
    }
    nlohmann::json result{{"game", game_name(options.game)},
                          {"roles", std::move(roles)},
                          {"teams", std::move(teams)},
                          {"states_seen", known.samples()->size()},
                          {"games_seen", known.kind().games},
                          {"branching", known.kind().branching},
                          {"length", known.kind().length},
                          {"longest", known.kind().longest},
                          {"turn_taking", analysis::to_string(known.kind().turn_taking)},
                          {"constant_sum", analysis::to_string(known.kind().constant_sum)},
                          {"structures", std::move(structures)},
                          {"orders", std::move(orders)},
                          {"groups", std::move(groups)},
                          {"true_persistent", std::move(stays)},
                          {"false_persistent", std::move(gone)},
                          {"graph_edges", known.graph()->edges()},
                          {"subgames", std::move(parts)},
                          {"symmetries", symmetries_json(known)},
                          {"stages", std::move(stages)},
                          {"seconds", seconds}};
    const GameKind& kind = known.kind();
    if (holds(kind.constant_sum)) result["goal_sum"] = kind.most_sum;
    const auto fluents_of = [&](const machine::State& state) {
        nlohmann::json fluents = nlohmann::json::array();
        state.for_each([&](ground::Fluent fluent) { fluents.push_back(fluent_text(known, fluent)); });
        return fluents;
    };
    if (kind.constant_sum == Verdict::refuted && known.goal_sum().witness) {
        result["constant_sum_witness"] = fluents_of(*known.goal_sum().witness);
    }
    if (known.several_choose()) result["turn_taking_witness"] = fluents_of(*known.several_choose());
    return result;
}

// "proved", or "seen in 4,000 states": what a claim rests on.
std::string sure(const Findings& known, Verdict verdict) {
    if (verdict == Verdict::observed) return fmt::format("seen in {} states", with_commas(known.samples()->size()));
    return std::string(analysis::to_string(verdict));
}

// The same of what kind of game it is.
std::string sure(const GameKind& kind, Verdict verdict) {
    if (verdict == Verdict::observed) return fmt::format("seen in {} games", with_commas(kind.games));
    return std::string(analysis::to_string(verdict));
}

std::string join(const std::vector<std::string>& words, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < words.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + words[i];
    if (words.size() > most) text += fmt::format(", and {} more", words.size() - most);
    return text;
}

// "3 x 4 cells": how many values each of these arguments takes.
std::string sizes(const Findings& known, const Structure& structure, bool outputs) {
    std::string text;
    for (std::size_t i = 0; i < structure.arguments.size(); ++i) {
        if (structure.arguments[i].output != outputs) continue;
        const std::size_t values = known.families()[structure.family].values[i].size();
        text += fmt::format("{}{}{}", text.empty() ? "" : " × ", values, structure.arguments[i].order ? "" : "*");
    }
    return text;
}

std::string direction(const Structure& structure) {
    if (structure.rising == Verdict::proved) return ", never falling";
    return structure.falling == Verdict::proved ? ", never rising" : "";
}

std::string describe(const Findings& known, const Structure& structure) {
    const std::string total = structure.total == Verdict::refuted ? "sometimes" : "always";
    switch (structure.kind) {
        case Structure::Kind::proposition:
            return "holds or not";
        case Structure::Kind::set:
            return fmt::format("any of {}", sizes(known, structure, false));
        case Structure::Kind::singleton:
            return fmt::format("one of {} values, {}", sizes(known, structure, true), total);
        case Structure::Kind::quantity:
            return fmt::format("a quantity with {} values", sizes(known, structure, true));
        case Structure::Kind::step_counter:
            return fmt::format("counts the steps, {} values{}", sizes(known, structure, true),
                               structure.only_ends ? "; nothing but the end depends on it" : "");
        case Structure::Kind::control: {
            std::vector<std::string> turns;
            for (const std::uint32_t role : structure.chooser) turns.push_back(role_text(known, role));
            return "whose turn it is: " + join(turns, 8);
        }
        case Structure::Kind::board: {
            std::vector<std::string> markers, pieces;
            for (std::size_t i = 0; i < structure.contents.size(); ++i) {
                (structure.single[i] == Verdict::unknown ? markers : pieces).push_back(structure.contents[i]);
            }
            std::string text = fmt::format("a board of {} cells", sizes(known, structure, false));
            if (!markers.empty()) text += " with " + join(markers, 8);
            if (!pieces.empty()) text += "; in one cell at most: " + join(pieces, 8);
            return text;
        }
        case Structure::Kind::places:
            return fmt::format("where each of {} is, on {}", sizes(known, structure, false),
                               sizes(known, structure, true));
        case Structure::Kind::amounts:
            return fmt::format("an amount for each of {}, {} values{}", sizes(known, structure, false),
                               sizes(known, structure, true), direction(structure));
    }
    return "";
}

void print_type(const Findings& known) {
    const GameKind& kind = known.kind();
    std::vector<std::string> roles;
    for (std::uint32_t role = 0; role < known.program()->roles.size(); ++role) {
        roles.push_back(role_text(known, role) + (kind.is_chance[role] ? " (chance)" : ""));
    }
    fmt::print("Roles           {}\n", join(roles, 12));
    if (roles.size() > 1) {
        fmt::print("Moves           {}\n", holds(kind.turn_taking)
                                               ? fmt::format("one after the other ({})", sure(kind, kind.turn_taking))
                                               : "at the same time in some states");
    }
    if (holds(kind.constant_sum) && roles.size() > 1) {
        fmt::print("Goals           always add up to {} ({})\n", kind.most_sum, sure(kind, kind.constant_sum));
    } else if (kind.constant_sum == Verdict::refuted && roles.size() > 1) {
        fmt::print("Goals           do not add up to a constant\n");
    }
    for (std::uint32_t role = 0; role < kind.team.size(); ++role) {
        if (kind.team[role] == role) continue;
        fmt::print("Team            {} with {} (equal goals at every end seen)\n", role_text(known, role),
                   role_text(known, kind.team[role]));
    }
    if (known.subgames().parts.size() > 1) {
        fmt::print("Parts           {} that do not touch each other (proved)\n", known.subgames().parts.size());
    }
    if (const SymmetryCount counted(known); counted.all > 1) {
        fmt::print("Symmetries      {} (proved)", with_commas(static_cast<std::uint64_t>(counted.all)));
        if (counted.whole) {
            fmt::print(": {} keep the roles, {} the initial position as well", counted.keep_roles, counted.keep_start);
        }
        fmt::print("\n");
    }
    fmt::print("Random games    {:.1f} steps on average, {} at most; {:.1f} joint moves a state\n", kind.length,
               kind.longest, kind.branching);
}

void print_structures(const Findings& known) {
    fmt::print("\nFluents\n");
    for (const Structure& structure : known.structures()) {
        const bool claim = structure.kind != Structure::Kind::set && structure.kind != Structure::Kind::proposition;
        fmt::print("  {:<16} {}{}\n", family_name(known, structure.family), describe(known, structure),
                   claim ? fmt::format(" ({})", sure(known, structure.verdict)) : "");
    }
    fmt::print("  * without an order\n");
    if (!known.orders().empty()) fmt::print("\nOrders\n");
    for (const analysis::Order& order : known.orders()) {
        fmt::print("  {:<16} {}\n", relation_name(known, order),
                   order.linear
                       ? join(element_names(known, order), 8)
                       : fmt::format("{} elements, chains of up to {}", order.elements.size(), order.longest + 1));
    }
}

void print_proofs(const Findings& known) {
    const std::size_t fluents = known.program()->fluents.size();
    std::size_t proved = 0, exactly = 0;
    for (const analysis::Group& group : known.groups()) {
        if (group.verdict != Verdict::proved) continue;
        ++proved;
        exactly += group.at_least_one ? 1 : 0;
    }
    fmt::print("\nProved\n");
    fmt::print("  {} of {} groups of fluents exclude each other; of {} exactly one holds\n", proved,
               known.groups().size(), exactly);
    fmt::print("  {} of {} fluents stay once they hold ({} more seen so), {} never come back once gone ({} more)\n",
               count(known.persistence().stays, Verdict::proved), fluents,
               count(known.persistence().stays, Verdict::observed), count(known.persistence().gone, Verdict::proved),
               count(known.persistence().gone, Verdict::observed));
    std::size_t free = 0;
    for (std::uint32_t i = 0; i < fluents; ++i) free += known.graph()->sources(ground::Fluent{i}).from_nowhere ? 1 : 0;
    fmt::print("  distances: {} edges between fluents; {} of {} may come from nowhere\n", known.graph()->edges(), free,
               fluents);
}

// The initial position, where there is something to draw.
void print_board(const machine::Game& game) {
    const view::Board board(view::look_at(game));
    if (!board.found()) return;
    const std::unique_ptr<machine::Machine> machine = game.make();
    const view::Picture picture = board.picture(view::fluents_of(*machine, machine->initial()));
    fmt::print("{}\n", view::to_text(picture, {.colour = use_colour(stdout), .legend = true, .others = false}));
}

void print_text(const AnalyzeOptions& options, const Findings& known, const machine::Game& game, double seconds) {
    fmt::print("{}: {} fluents, {} moves, {} ground rules\n\n", game_name(options.game),
               with_commas(known.program()->fluents.size()), with_commas(known.program()->moves.size()),
               with_commas(known.program()->rule_count()));
    print_board(game);
    print_type(known);
    print_structures(known);
    print_proofs(known);
    fmt::print("\nTime            {:.2f} s:", seconds);
    for (const analysis::Stage& stage : known.stages()) {
        fmt::print(" {} {:.2f}{}", stage.name, stage.seconds, stage.complete ? "" : " (cut short)");
    }
    fmt::print("\n");
}

int run_analyze(const AnalyzeOptions& options, Context& context) {
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    const Deadline::Clock::time_point start = Deadline::Clock::now();
    const auto game = prepare(description, options.machine);
    const Interruptible interruptible;  // only now: before, there is nothing to keep
    std::optional<Waiting> waiting(fmt::format("analysing {}", game_name(options.game)));
    analysis::AnalysisOptions settings;
    settings.stop = interruptible.stop(Deadline::after(std::chrono::duration<double>(options.seconds)));
    settings.seed = options.seed;
    const std::optional<Findings> known = analysis::analyze(*game, settings);
    waiting.reset();
    const std::chrono::duration<double> seconds = Deadline::Clock::now() - start;
    if (!known) {
        tell("stratagem: the rules of {} cannot be grounded within the limits, so nothing is proved\n",
             game_name(options.game));
        return exit_code::limit;
    }
    if (options.json) {
        print_json(to_json(options, *known, seconds.count()));
    } else {
        print_text(options, *known, *game, seconds.count());
    }
    return interruptible.interrupted() ? exit_code::interrupted : exit_code::success;
}

}  // namespace

void add_analyze(CLI::App& program, Context& context) {
    CLI::App& command =
        *program.add_subcommand("analyze", "What can be known of a game before playing it, proved where possible");
    const auto options = std::make_shared<AnalyzeOptions>();
    command.add_option("FILE", options->game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    command.add_option("--seconds", options->seconds, "Time for it, after the game was built; more time, more proofs")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--seed", options->seed, "Of the random games")->capture_default_str()->check(seed_range());
    add_notation_option(command, options->notation);
    add_limit_options(command, options->machine);
    command.add_flag("--json", options->json, "One JSON object, with all groups and fluents by name");
    command.footer(examples({"stratagem analyze breakthrough", "stratagem analyze connect_four --seconds 1 --json"}) +
                   "\nEach item is proved (holds in every reachable state), seen (in all states of random games), or "
                   "refuted.");
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return run_analyze(*options, context); }); });
}

}  // namespace stratagem::cli
