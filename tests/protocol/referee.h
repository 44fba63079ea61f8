// The simplest referee there is: asks agents for moves until the game is over, and forgives nothing.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "machine/machine_games.h"
#include "machine/random.h"
#include "player/agent.h"

namespace stratagem::protocol::testing {

struct Played {
    bool complete = false;
    std::string problem;  // the first thing that went wrong; the match ends there
    std::vector<std::vector<std::string>> moves;
    std::vector<int> goals;
};

// `between` is called before each turn.
inline Played play(const std::shared_ptr<const machine::GdlGame>& game, std::span<player::Agent* const> agents,
                   const std::string& id, player::Clocks clocks = {player::Seconds(60), player::Seconds(60)},
                   const std::function<void()>& between = {}) {
    using Kind = player::Reply::Kind;
    Played played;
    const std::unique_ptr<machine::Machine> machine =
        machine::testing::made(game->description(), machine::MachineKind::circuit);
    const auto roles = static_cast<std::uint32_t>(machine->role_count());
    for (std::uint32_t r = 0; r < roles; ++r) {
        const player::Reply ready = agents[r]->start({id, game, machine::Role{r}, clocks});
        if (ready.kind != Kind::move) played.problem = "start: " + ready.problem;
    }
    machine::State state = machine->initial();
    machine::State next;
    std::vector<std::string> last;
    std::vector<machine::Move> legal;
    while (played.problem.empty() && !machine->terminal(state)) {
        if (between) between();
        std::vector<std::string> names;
        std::vector<machine::Move> joint;
        for (std::uint32_t r = 0; r < roles; ++r) {
            const machine::Role role{r};
            const player::Reply reply = agents[r]->play(last);
            if (reply.kind != Kind::move) played.problem = "play: " + reply.problem;
            machine->legal(state, role, legal);
            const std::optional<machine::Move> move = machine->find_move(role, reply.move);
            const bool is_legal = move && std::ranges::find(legal, *move) != legal.end();
            if (!is_legal && played.problem.empty()) played.problem = "illegal: '" + reply.move + "'";
            if (!played.problem.empty()) break;
            joint.push_back(*move);
            names.push_back(machine->move_name(*move));
        }
        if (!played.problem.empty()) break;
        machine->next(state, joint, next);
        std::swap(state, next);
        last = names;
        played.moves.push_back(std::move(names));
    }
    if (!played.problem.empty()) {
        for (player::Agent* agent : agents) agent->abort();
        return played;
    }
    for (player::Agent* agent : agents) agent->stop(last);
    played.complete = true;
    for (std::uint32_t r = 0; r < roles; ++r) {
        played.goals.push_back(machine->goal(state, machine::Role{r}).value_or(0));
    }
    return played;
}

}  // namespace stratagem::protocol::testing
