#include "machine/tools/simulate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "gdl/print.h"
#include "machine/interpreter/interpreter.h"
#include "machine/machine_text.h"
#include "machine/playout.h"
#include "machine/term_text.h"
#include "util/contract.h"

namespace stratagem::machine {

namespace {

constexpr int lowest_goal = 0;
constexpr int highest_goal = 100;
constexpr std::string_view chance = "random";  // the role of GDL-II that wants nothing

class Simulator {
  public:
    Simulator(const gdl::Description& description, Machine& machine, const SimulationOptions& options)
        : description_(description), machine_(machine), options_(options), play_(machine) {
        for (std::string& name : role_names(machine)) simulation_.roles.push_back({std::move(name), 0, -1, -1});
    }

    Simulation run() {
        Random random(options_.seed);
        const PlayoutOptions playout{options_.max_steps, true, options_.stop};
        for (std::size_t game = 0; game < options_.games; ++game) {
            const Playout& played = play_.play(random, playout);
            if (played.end == PlayoutEnd::stopped) {
                simulation_.stopped = true;
                break;
            }
            ++simulation_.games;
            simulation_.steps += played.steps;
            simulation_.longest = std::max(simulation_.longest, played.steps);
            look_at(played);
            if (options_.on_game) options_.on_game(simulation_.games);
        }
        return std::move(simulation_);
    }

  private:
    void look_at(const Playout& played) {
        if (played.end == PlayoutEnd::too_long) {
            add(played, "W805", "", fmt::format("not ended after {} steps", played.steps));
        } else if (played.end == PlayoutEnd::no_legal_move) {
            const std::string& role = simulation_.roles[ground::index(*played.stuck)].name;
            add(played, "E801", role, fmt::format("{} has no legal move, and the game has not ended", role));
        } else {
            ++simulation_.ended;
            for (std::size_t role = 0; role < simulation_.roles.size(); ++role) look_at_goal(played, role);
        }
    }

    void look_at_goal(const Playout& played, std::size_t number) {
        SimulatedRole& role = simulation_.roles[number];
        const std::optional<int> value = played.goals[number];
        if (value && *value >= lowest_goal && *value <= highest_goal) {
            role.wins += *value == highest_goal ? 1U : 0U;
            role.worst = role.best < 0 ? *value : std::min(role.worst, *value);
            role.best = std::max(role.best, *value);
            return;
        }
        if (role.name == chance) return;
        // A machine tells only that there is not one good value; the rules tell which there are.
        const std::vector<std::string> values = goal_values(played.last, number);
        const std::string all = fmt::format("{}", fmt::join(values, ", "));
        if (values.empty()) {
            add(played, "E802", role.name, fmt::format("the game has ended and {} has no goal value", role.name));
        } else if (values.size() > 1) {
            add(played, "E803", role.name,
                fmt::format("the game has ended and {} has {} goal values: {}", role.name, values.size(), all));
        } else {
            add(played, "E804", role.name,
                fmt::format("the game has ended and the goal value of {} is {}", role.name, all));
        }
    }

    std::vector<std::string> goal_values(const State& state, std::size_t role) {
        if (!interpreter_) interpreter_ = std::make_unique<Interpreter>(description_);
        std::vector<gdl::Term> fluents;
        for (const std::string& name : fluent_names(machine_, state)) {
            if (const auto term = parse_term(interpreter_->terms(), name)) fluents.push_back(*term);
        }
        Limits limits;
        limits.deadline = options_.stop.as_deadline();
        interpreter_->set_limits(limits);
        interpreter_->set_state(fluents);
        std::vector<std::string> values;
        for (const gdl::Term value : interpreter_->goals(interpreter_->roles()[role])) {
            values.push_back(gdl::to_kif(interpreter_->terms(), value));
        }
        std::ranges::sort(values);
        return values;
    }

    void add(const Playout& played, std::string_view code, const std::string& role, std::string message) {
        auto& findings = simulation_.findings;
        auto found = std::ranges::find_if(
            findings, [&](const SimulationFinding& other) { return other.code == code && other.role == role; });
        if (found == findings.end()) {
            found = findings.insert(findings.end(), SimulationFinding{code, role, {}, 0, played.steps + 1, {}});
        }
        ++found->games;
        if (played.steps >= found->steps) return;
        found->steps = played.steps;
        found->message = std::move(message);
        found->moves.clear();
        if (played.end == PlayoutEnd::too_long) return;
        const std::span<const Move> moves(played.moves);
        const std::size_t roles = simulation_.roles.size();
        for (std::size_t i = 0; i < moves.size(); i += roles) {
            found->moves.push_back(move_names(machine_, moves.subspan(i, roles)));
        }
    }

    const gdl::Description& description_;
    Machine& machine_;
    const SimulationOptions& options_;
    RandomPlay play_;
    Simulation simulation_;
    std::unique_ptr<Interpreter> interpreter_;
};

// The statement that makes a word a role, or the first rule of a keyword; the beginning of the text without one.
gdl::Span place_of(const gdl::Description& description, gdl::Symbol keyword, const std::string& role) {
    for (const gdl::Rule& rule : description.rules) {
        if (description.terms.symbol(rule.head) != keyword) continue;
        if (role.empty() || gdl::to_kif(description.terms, description.terms.argument(rule.head, 0)) == role) {
            return description.span(rule.head_node == gdl::Node::none ? rule.node : rule.head_node);
        }
    }
    return {};
}

std::string moves_text(const SimulationFinding& finding) {
    if (finding.moves.empty()) return finding.steps == 0 ? " (in the initial state)" : "";
    std::string text = fmt::format(" (after {} {}:", finding.steps, finding.steps == 1 ? "step" : "steps");
    for (const std::vector<std::string>& joint : finding.moves) text += fmt::format(" [{}]", fmt::join(joint, " "));
    return text + ")";
}

}  // namespace

bool Simulation::win_found() const {
    return std::ranges::any_of(roles, [](const SimulatedRole& role) { return role.wins > 0 && role.name != chance; });
}

Simulation simulate(const gdl::Description& description, Machine& machine, const SimulationOptions& options) {
    STRATAGEM_EXPECTS(machine.role_count() == description.roles().size());
    return Simulator(description, machine, options).run();
}

void add_diagnostics(const gdl::Description& description, const Simulation& simulation, gdl::Diagnostics& diagnostics) {
    for (const SimulationFinding& finding : simulation.findings) {
        const gdl::Symbol keyword = finding.role.empty() ? gdl::keyword::terminal : gdl::keyword::role;
        diagnostics.add(finding.code, place_of(description, keyword, finding.role),
                        fmt::format("{}, seen in {} of {} random games{}", finding.message, finding.games,
                                    simulation.games, moves_text(finding)));
    }
    // Goals that are wrong or missing are reported already; a game that never ended cannot be won.
    if (simulation.ended > 0 && simulation.findings.empty() && !simulation.win_found()) {
        diagnostics.add("W806", place_of(description, gdl::keyword::goal, {}),
                        fmt::format("no role reached {} in {} random games", highest_goal, simulation.ended));
    }
}

}  // namespace stratagem::machine
