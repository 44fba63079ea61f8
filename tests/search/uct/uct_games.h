// Games made ready for tests of tree search, and exhaustive answers to compare with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "machine/machine_games.h"
#include "machine/random.h"
#include "search/uct/uct.h"
#include "search/uct/uct_search.h"

namespace stratagem::search::uct::testing {

// A game with everything made from it.
class Prepared {
  public:
    explicit Prepared(gdl::Description description, machine::MachineKind kind = machine::MachineKind::circuit)
        : description_(std::move(description)) {
        machine::MachineOptions options;
        options.kind = kind;
        problem.game = std::make_shared<machine::GdlGame>(description_, options);
        problem.facts = analysis::observe(*problem.game, {});
        problem.evaluator = std::make_shared<evaluate::ConstantEvaluator>();
        machine = problem.game->make();
    }
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;

    std::unique_ptr<uct::UctSearch> make(const std::string& options = {}, std::size_t threads = 1,
                                         std::uint64_t seed = 1, std::size_t megabytes = 64) const {
        return made(uct_entry, options, threads, seed, megabytes);
    }
    std::unique_ptr<uct::UctSearch> make_plain(std::uint64_t seed = 1) const {
        return made(plain_entry, {}, 1, seed, 64);
    }

    const State& initial() const { return machine->initial(); }
    std::vector<Move> legal(const State& state, std::uint32_t role) {
        std::vector<Move> moves;
        machine->legal(state, Role{role}, moves);
        return moves;
    }
    State after(const State& state, const std::vector<Move>& joint) {
        State result;
        machine->next(state, joint, result);
        return result;
    }
    // Each role makes the first of these moves that it may make, or else its first legal one.
    State after_named(const State& state, const std::vector<std::string>& names) {
        std::vector<Move> joint;
        for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
            const std::vector<Move> moves = legal(state, role);
            Move chosen = moves.at(0);
            for (const Move move : moves) {
                if (std::ranges::find(names, machine->move_name(move)) != names.end()) chosen = move;
            }
            joint.push_back(chosen);
        }
        return after(state, joint);
    }
    std::string name(const Choice& choice) const { return choice.move ? machine->move_name(*choice.move) : ""; }
    bool is_legal(const State& state, Role role, const Choice& choice) {
        const std::vector<Move> moves = legal(state, ground::index(role));
        return choice.move && std::ranges::find(moves, *choice.move) != moves.end();
    }

    // The role that chooses; nothing where none or several do.
    std::optional<Role> mover(const State& state) {
        std::optional<Role> found;
        for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
            if (legal(state, role).size() < 2) continue;
            if (found) return {};
            found = Role{role};
        }
        return found;
    }
    std::vector<State> children(const State& state) {
        std::vector<State> result;
        std::vector<std::vector<Move>> moves;
        for (std::uint32_t role = 0; role < machine->role_count(); ++role) moves.push_back(legal(state, role));
        std::vector<Move> joint(moves.size());
        const auto add = [&](const auto& self, std::size_t role) -> void {
            if (role == moves.size()) {
                result.push_back(after(state, joint));
                return;
            }
            for (const Move move : moves[role]) {
                joint[role] = move;
                self(self, role + 1);
            }
        };
        add(add, 0);
        return result;
    }

    // A state of a random game, not terminal; nothing if the game was over before.
    std::optional<State> random_state(machine::Random& random, std::size_t steps) {
        State state = initial();
        for (std::size_t i = 0; i < steps; ++i) {
            if (machine->terminal(state)) return {};
            std::vector<Move> joint;
            for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
                const std::vector<Move> moves = legal(state, role);
                joint.push_back(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
            }
            state = after(state, joint);
        }
        if (machine->terminal(state)) return {};
        return state;
    }

    Problem problem;
    std::unique_ptr<machine::Machine> machine;

  private:
    std::unique_ptr<uct::UctSearch> made(const SearchEntry& entry, const std::string& options, std::size_t threads,
                                         std::uint64_t seed, std::size_t megabytes) const {
        SearchSettings settings;
        settings.seed = seed;
        settings.threads = threads;
        settings.table_megabytes = megabytes;
        std::unique_ptr<Search> search = entry.make(problem, settings, OptionValues(entry.options, options));
        return std::unique_ptr<uct::UctSearch>(static_cast<uct::UctSearch*>(search.release()));
    }

    gdl::Description description_;
};

inline Budget nodes(std::uint64_t count) {
    Budget budget;
    budget.max_nodes = count;
    return budget;
}

// Exact values of turn-taking games of two roles, for the first role, by looking at everything.
class Minimax {
  public:
    explicit Minimax(Prepared& game) : game_(game) {}

    int value(const State& state) {
        const std::vector<std::uint64_t> key(state.words().begin(), state.words().end());
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        int result = 0;
        if (game_.machine->terminal(state)) {
            result = game_.machine->goal(state, Role{0}).value_or(0);
        } else {
            const bool first = game_.mover(state).value_or(Role{0}) == Role{0};
            result = first ? -1 : 1000;
            for (const State& child : game_.children(state)) {
                const int below = value(child);
                result = first ? std::max(result, below) : std::min(result, below);
            }
        }
        known_[key] = result;
        return result;
    }

  private:
    Prepared& game_;
    std::map<std::vector<std::uint64_t>, int> known_;
};

// Whether the role can force a goal of 100 within so many moves of anybody.
inline bool wins_within(Prepared& game, const State& state, Role role, int plies) {
    if (game.machine->terminal(state)) return game.machine->goal(state, role) == 100;
    if (plies == 0) return false;
    const bool own = game.mover(state).value_or(role) == role;
    bool any = false;
    for (const State& child : game.children(state)) {
        const bool won = wins_within(game, child, role, plies - 1);
        any |= won;
        if (own ? won : !won) return won;
    }
    return any;
}

}  // namespace stratagem::search::uct::testing
