#include "machine/machine_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace stratagem::machine {

std::vector<std::string> fluent_names(const Machine& machine, const State& state) {
    std::vector<std::string> names;
    state.for_each([&](Fluent fluent) { names.push_back(machine.fluent_name(fluent)); });
    std::ranges::sort(names);
    return names;
}

std::string state_text(const Machine& machine, const State& state) {
    return fmt::format("{}", fmt::join(fluent_names(machine, state), " "));
}

std::vector<std::string> move_names(const Machine& machine, std::span<const Move> moves) {
    std::vector<std::string> names;
    for (const Move move : moves) names.push_back(machine.move_name(move));
    return names;
}

std::vector<std::string> role_names(const Machine& machine) {
    std::vector<std::string> names;
    for (std::uint32_t role = 0; role < machine.role_count(); ++role) names.push_back(machine.role_name(Role{role}));
    return names;
}

void MachineText::advance(std::span<const std::string> moves) {
    if (moves.size() != machine_.role_count()) {
        throw std::invalid_argument(fmt::format("{} moves for {} roles", moves.size(), machine_.role_count()));
    }
    moves_.clear();
    for (std::uint32_t role = 0; role < moves.size(); ++role) {
        const std::optional<Move> move = machine_.find_move(Role{role}, moves[role]);
        if (!move) throw std::invalid_argument(fmt::format("not a move: {}", moves[role]));
        moves_.push_back(*move);
    }
    machine_.next(state_, moves_, next_);
    std::swap(state_, next_);
}

std::vector<std::string> MachineText::legal(std::size_t role) {
    machine_.legal(state_, Role{static_cast<std::uint32_t>(role)}, moves_);
    std::vector<std::string> names = move_names(machine_, moves_);
    std::ranges::sort(names);
    return names;
}

std::optional<int> MachineText::goal(std::size_t role) {
    return machine_.goal(state_, Role{static_cast<std::uint32_t>(role)});
}

}  // namespace stratagem::machine
