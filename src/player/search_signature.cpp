#include "player/search_signature.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "evaluate/evaluator.h"
#include "machine/random.h"
#include "machine/signature.h"
#include "search/registry.h"

namespace stratagem::player {

namespace {

using machine::Machine;
using machine::Move;
using machine::Role;
using machine::State;

constexpr std::size_t steps_between = 4;  // random moves from one position to the next

struct Position {
    State state;
    Role role{0};  // the first player who has a choice there
};

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t sum = 0;
    for (const char c : text) sum = machine::combine_signatures(sum, static_cast<unsigned char>(c));
    return sum;
}

// Makes a random joint move; false where the game is over. `chooser` gets the first player with a choice.
bool advance(Machine& machine, State& state, machine::Random& random, std::optional<Role>& chooser) {
    if (machine.terminal(state)) return false;
    std::vector<Move> joint;
    std::vector<Move> legal;
    chooser.reset();
    for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
        machine.legal(state, Role{role}, legal);
        if (legal.empty()) return false;
        if (legal.size() > 1 && !chooser && machine.role_name(Role{role}) != "random") chooser = Role{role};
        joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    State next;
    machine.next(state, joint, next);
    state = std::move(next);
    return true;
}

std::vector<Position> positions_of(Machine& machine, const SearchSignatureOptions& options) {
    std::vector<Position> found;
    machine::Random random(options.seed);
    State state = machine.initial();
    std::size_t steps = 0;
    while (found.size() < options.positions) {
        const State before = state;
        std::optional<Role> chooser;
        if (!advance(machine, state, random, chooser)) break;
        if (chooser && steps >= found.size() * steps_between) found.push_back({before, *chooser});
        ++steps;
    }
    return found;
}

}  // namespace

std::uint64_t search_signature(const std::shared_ptr<const machine::Game>& game,
                               const SearchSignatureOptions& options) {
    if (game->statistics().gates > options.max_gates) return 0;
    search::Problem problem;
    problem.game = game;
    problem.facts = search::observe(*game, {}, options.seed);
    problem.evaluator = std::make_shared<evaluate::ConstantEvaluator>();
    const std::unique_ptr<Machine> machine = game->make();
    const std::vector<Position> positions = positions_of(*machine, options);
    search::SearchSettings settings;
    settings.seed = options.seed;
    settings.table_megabytes = 4;
    search::Budget budget;
    budget.max_nodes = options.max_nodes;

    std::uint64_t sum = 0;
    for (const search::SearchEntry& entry : search::search_table()) {
        if (!entry.can_handle(problem.facts)) continue;
        const std::unique_ptr<search::Search> search = entry.make(problem, settings, OptionValues(entry.options, ""));
        sum = machine::combine_signatures(sum, hash_of(entry.name));
        for (const Position& position : positions) {
            search->advance(position.state);
            const search::Choice choice = search->choose(position.state, position.role, budget);
            const std::string move = choice.move ? machine->move_name(*choice.move) : "nil";
            for (const std::uint64_t part : {hash_of(move), choice.nodes, choice.playouts, std::uint64_t{choice.proved},
                                             static_cast<std::uint64_t>(std::llround(choice.value * 1000))}) {
                sum = machine::combine_signatures(sum, part);
            }
        }
    }
    return sum;
}

}  // namespace stratagem::player
