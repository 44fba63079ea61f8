#include "player/search_signature.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "evaluate/evaluator.h"
#include "machine/playout.h"
#include "search/registry.h"
#include "util/fnv_hash.h"

namespace stratagem::player {

namespace {

using machine::Machine;
using machine::Role;
using machine::State;

constexpr std::size_t steps_between = 4;  // random moves from one position to the next

struct Position {
    State state;
    Role role{0};  // the first player who has a choice there
};

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t sum = 0;
    for (const char c : text) sum = combine_hashes(sum, static_cast<unsigned char>(c));
    return sum;
}

// Some states of one random game, not next to each other.
class PositionFinder : public machine::PlayVisitor {
  public:
    explicit PositionFinder(std::size_t wanted) : wanted_(wanted) {}

    bool on_state(machine::MachinePosition&, std::size_t step) {
        step_ = step;
        return found.size() < wanted_;
    }
    void on_moves(machine::MachinePosition& position, const machine::RandomJoint& joint) {
        if (step_ < found.size() * steps_between) return;
        for (std::uint32_t role = 0; role < joint.legal.size(); ++role) {
            if (joint.legal[role].size() < 2 || position.machine().role_name(Role{role}) == "random") continue;
            found.push_back({position.current(), Role{role}});
            return;
        }
    }

    std::vector<Position> found;

  private:
    std::size_t wanted_;
    std::size_t step_ = 0;
};

std::vector<Position> positions_of(Machine& machine, const SearchSignatureOptions& options) {
    PositionFinder finder(options.positions);
    machine::Random random(options.seed);
    machine::RandomPlay(machine).play(random, {}, machine.initial(), finder);
    return std::move(finder.found);
}

}  // namespace

std::uint64_t search_signature(const std::shared_ptr<const machine::Game>& game,
                               const SearchSignatureOptions& options) {
    if (game->statistics().gates > options.max_gates) return 0;
    search::Problem problem;
    problem.game = game;
    problem.analysis = analysis::shared_analysis(game, {.seed = options.seed, .repeatable = true});
    problem.facts = problem.analysis->kind({});
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
        sum = combine_hashes(sum, hash_of(entry.name));
        for (const Position& position : positions) {
            search->advance(position.state);
            const search::Choice choice = search->choose(position.state, position.role, budget);
            const std::string move = choice.move ? machine->move_name(*choice.move) : "nil";
            for (const std::uint64_t part : {hash_of(move), choice.nodes, choice.playouts, std::uint64_t{choice.proved},
                                             static_cast<std::uint64_t>(std::llround(choice.value * 1000))}) {
                sum = combine_hashes(sum, part);
            }
        }
    }
    return sum;
}

}  // namespace stratagem::player
