// Games made ready for searching, and positions in them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "machine/machine_games.h"
#include "machine/random.h"
#include "search/plain_search.h"
#include "search/registry.h"

namespace stratagem::search::testing {

// An opinion that has nothing to do with the game: what is proved must not depend on it.
class NoiseEvaluator final : public evaluate::Evaluator {
  public:
    double value(const State& state, Role role) const override {
        machine::Random random(state.hash(), ground::index(role));
        return random.below(10'001) / 100.0;
    }
    evaluate::Explanation explain(const State&, Role) const override { return {"noise", 0, {}}; }
};

struct Prepared {
    explicit Prepared(gdl::Description rules, machine::MachineKind kind = machine::MachineKind::circuit)
        : description(std::make_unique<gdl::Description>(std::move(rules))) {
        machine::MachineOptions options;
        options.kind = kind;
        problem.game = std::make_shared<machine::GdlGame>(*description, options);
        problem.facts = analysis::observe(*problem.game, {});
        problem.evaluator = std::make_shared<evaluate::ConstantEvaluator>();
        machine = problem.game->make();
    }

    std::unique_ptr<Search> make(std::string_view name, std::string_view options = "", std::size_t threads = 1) const {
        const SearchEntry* entry = find_search(name);
        EXPECT_NE(entry, nullptr) << name;
        return entry->make(problem, SearchSettings{1, threads, 4}, OptionValues(entry->options, options));
    }

    std::vector<Move> legal(const State& state, std::uint32_t role) const {
        std::vector<Move> moves;
        machine->legal(state, Role{role}, moves);
        return moves;
    }
    bool is_legal(const State& state, std::uint32_t role, std::optional<Move> move) const {
        const std::vector<Move> moves = legal(state, role);
        return move && std::find(moves.begin(), moves.end(), *move) != moves.end();
    }
    // The first role with a choice, else 0.
    std::uint32_t mover(const State& state) const {
        for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
            if (legal(state, role).size() > 1) return role;
        }
        return 0;
    }
    Move move(std::uint32_t role, const std::string& name) const {
        const std::optional<Move> found = machine->find_move(Role{role}, name);
        EXPECT_TRUE(found) << name;
        return found.value_or(Move{});
    }

    // A random state so many moves from the start; the last before the end where the game is shorter.
    State walk(std::size_t steps, std::uint64_t seed) const {
        machine::Random random(seed);
        State state = machine->initial();
        State next;
        std::vector<Move> joint(machine->role_count());
        for (std::size_t i = 0; i < steps; ++i) {
            for (std::uint32_t role = 0; role < joint.size(); ++role) {
                const std::vector<Move> moves = legal(state, role);
                if (moves.empty()) return state;
                joint[role] = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
            }
            machine->next(state, joint, next);
            if (machine->terminal(next)) break;
            state = next;
        }
        return state;
    }

    // The same, tried until a game lasts that long.
    State late(std::size_t steps, std::uint64_t seed) const {
        for (std::uint64_t i = 0;; ++i) {
            machine::Random random(seed, i);
            State state = machine->initial();
            State next;
            std::vector<Move> joint(machine->role_count());
            std::size_t made = 0;
            for (; made < steps && !machine->terminal(state); ++made) {
                for (std::uint32_t role = 0; role < joint.size(); ++role) {
                    const std::vector<Move> moves = legal(state, role);
                    joint[role] = moves[random.below(static_cast<std::uint32_t>(moves.size()))];
                }
                machine->next(state, joint, next);
                std::swap(state, next);
            }
            if (made == steps && !machine->terminal(state)) return state;
        }
    }

    // Every state that can come up and is not terminal.
    std::vector<State> reachable() const {
        std::unordered_set<State, HashState> seen{machine->initial()};
        std::vector<State> open{machine->initial()};
        std::vector<State> result;
        while (!open.empty()) {
            const State state = open.back();
            open.pop_back();
            if (machine->terminal(state)) continue;
            result.push_back(state);
            std::vector<std::vector<Move>> moves;
            for (std::uint32_t role = 0; role < machine->role_count(); ++role) moves.push_back(legal(state, role));
            std::vector<Move> joint(moves.size());
            for_each_joint(moves, std::vector<bool>(moves.size(), true), joint, [&] {
                State next;
                machine->next(state, joint, next);
                if (seen.insert(next).second) open.push_back(next);
            });
        }
        return result;
    }

    std::unique_ptr<gdl::Description> description;
    Problem problem;
    std::unique_ptr<machine::Machine> machine;
};

inline Prepared prepared(const std::string& game) { return Prepared(machine::testing::bundled(game)); }
inline Prepared prepared_rules(const std::string& rules) { return Prepared(machine::testing::described(rules)); }

inline Budget nodes(std::uint64_t count) {
    Budget budget;
    budget.max_nodes = count;
    return budget;
}
inline Budget depth(std::uint32_t count) {
    Budget budget;
    budget.max_depth = count;
    return budget;
}

}  // namespace stratagem::search::testing
