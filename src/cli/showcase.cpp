// `stratagem` without arguments: what it can do, in a second, with no input and no terminal needed.
#include <fmt/format.h>

#include "build_info.h"
#include "cli/board.h"
#include "cli/command.h"
#include "cli/run_game.h"
#include "gdl/game_file.h"
#include "machine/circuit/circuit.h"
#include "machine/playout.h"

namespace stratagem::cli {

namespace {

constexpr std::uint64_t match_seed = 1;
constexpr std::size_t longest_match = 40;  // of what is drawn; nobody reads on

std::vector<gdl::Term> fluents_of(const ground::Program& program, const machine::State& state) {
    std::vector<gdl::Term> result;
    state.for_each([&](ground::Fluent fluent) { result.push_back(program.fluents[ground::index(fluent)]); });
    return result;
}

std::string indented(std::string_view lines) {
    std::string text = lines.empty() ? "" : "    ";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += lines[i];
        if (lines[i] == '\n' && i + 1 < lines.size()) text += "    ";
    }
    return text;
}

// What the roles do in one step: those who have no choice are left out, unless nobody has one.
std::string step_text(machine::Machine& machine, const machine::State& state, std::span<const machine::Move> joint) {
    std::string chosen;
    std::string all;
    std::vector<machine::Move> legal;
    for (std::uint32_t role = 0; role < joint.size(); ++role) {
        machine.legal(state, machine::Role{role}, legal);
        const std::string text =
            fmt::format("{} plays {}", machine.role_name(machine::Role{role}), machine.move_name(joint[role]));
        all += (all.empty() ? "" : ", ") + text;
        if (legal.size() > 1) chosen += (chosen.empty() ? "" : ", ") + text;
    }
    return chosen.empty() ? all : chosen;
}

void show_match(machine::Machine& machine, const ground::Program& program) {
    machine::Random random(match_seed);
    const machine::Playout match =
        machine::RandomPlay(machine).play(random, {.max_steps = longest_match, .record_moves = true, .stop = {}});

    machine::State state = machine.initial();
    machine::State next = state;
    const Board board(program.terms, program.fluents, fluents_of(program, state));
    fmt::print("{}", indented(board.draw(fluents_of(program, state))));
    const std::size_t roles = machine.role_count();
    for (std::size_t step = 0; step < match.steps; ++step) {
        const std::span<const machine::Move> joint = std::span(match.moves).subspan(step * roles, roles);
        fmt::print("\n{}. {}\n", step + 1, step_text(machine, state, joint));
        machine.next(state, joint, next);
        std::swap(state, next);
        fmt::print("{}", indented(board.draw(fluents_of(program, state))));
    }
    if (match.end != machine::PlayoutEnd::terminal) {
        fmt::print("\nThe match goes on after {} steps.\n", match.steps);
        return;
    }
    fmt::print("\nThe game is over after {} steps.", match.steps);
    for (std::uint32_t role = 0; role < roles; ++role) {
        const std::optional<int> goal = match.goals[role];
        fmt::print("{} {} gets {}", role == 0 ? "" : ",", machine.role_name(machine::Role{role}),
                   goal ? fmt::format("{}", *goal) : "no value");
    }
    fmt::print(" (of 0 to 100).\n");
}

// Rules to gates to a match. False when the rules could not be made into a circuit (`prepare` said why).
bool show_play(const gdl::Description& description) {
    const auto factory = prepare(description, {});
    if (!factory->circuit()) return false;
    const machine::MachineStatistics& found = factory->statistics();
    fmt::print(
        "Worked out in {:.0f} ms: {} roles, {} fluents (facts a state may hold), {} moves;\n"
        "{} ground rules, which make a circuit of {} gates.\n\n"
        "One match on that circuit. The players of Stratagem are still to come, so both sides play at random\n"
        "(seed {}: the same match every time). The board is drawn from the fluents, whatever\n"
        "they are called; a dot is what most cells hold at first.\n\n",
        1000 * found.build_seconds, found.roles, found.fluents, found.moves, found.ground_rules, found.gates,
        match_seed);
    show_match(*factory->make(), factory->circuit()->program());
    return true;
}

// A fault every author makes once: the last rule loses its parenthesis.
void show_fault(std::string text) {
    if (const std::size_t last = text.find_last_of(')'); last != std::string::npos) text.erase(last, 1);
    fmt::print("\nThe same rules with one parenthesis lost:\n\n");
    const gdl::ReadResult fault = gdl::read_and_check("broken.kif", std::move(text));
    for (const gdl::Diagnostic& diagnostic : fault.diagnostics.all()) {
        fmt::print("{}", gdl::render(*fault.description.source, diagnostic, use_colour(stdout)));
    }
}

int show_all() {
    const std::string game = "tic_tac_toe";
    const gdl::GameText text = gdl::find_game(game);
    if (!text.ok()) {
        fmt::print(stderr, "stratagem: {}\n", text.error);
        return exit_code::usage;
    }
    fmt::print("Stratagem {}, a general game player: rules in, play out.\n\n", build_info::version);

    const gdl::ReadResult result = gdl::read_and_check(text.name, text.text);
    fmt::print("Reading the bundled game {}: {} rules, {} errors, {} warnings.\n", game,
               result.description.rules.size(), result.diagnostics.errors(), result.diagnostics.warnings());
    if (!result.ok()) {
        fmt::print(stderr, "stratagem: {} is not as it was delivered; 'stratagem check {}' says more\n", game, game);
        return exit_code::no;
    }
    if (!show_play(result.description)) return exit_code::limit;
    show_fault(text.text);
    fmt::print(
        "\nTry next:\n"
        "  ./stratagem list games\n"
        "  ./stratagem bench playouts connect_four --seconds 1\n"
        "  ./stratagem check your_game.kif\n");
    return exit_code::success;
}

}  // namespace

int showcase() { return guarded(show_all); }

}  // namespace stratagem::cli
