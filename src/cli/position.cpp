#include "cli/position.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/machine_text.h"
#include "protocol/kif_text.h"

namespace stratagem::cli {

namespace {

using machine::Machine;
using machine::Move;
using machine::Role;
using machine::State;

// Words and lists one after the other, each in normal form.
std::vector<std::string> terms_of(std::string_view text) {
    constexpr std::size_t most = 1'000'000;
    const std::string list = fmt::format("({})", text);
    const protocol::KifParts parts = protocol::split_list(list, most);
    if (!parts.ok()) throw PositionError(fmt::format("{}, at character {}", parts.fault, parts.fault_at));
    std::vector<std::string> terms;
    for (const protocol::KifPart& part : parts.parts) terms.push_back(protocol::normal_form(part.text));
    return terms;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

std::string some(const std::vector<std::string>& names) {
    constexpr std::size_t most = 6;
    const std::vector<std::string> first(names.begin(),
                                         names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size())));
    return fmt::format("{}{}", fmt::join(first, ", "), names.size() > most ? ", …" : "");
}

// Legal moves of all roles, by name.
struct Choices {
    Choices(Machine& machine, const State& state) {
        std::vector<Move> legal;
        for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
            machine.legal(state, Role{role}, legal);
            names.push_back(machine::move_names(machine, legal));
            if (legal.size() > 1) choosers.push_back(role);
        }
    }

    // All of these are legal, one for each role.
    bool allow(std::span<const std::string> joint) const {
        for (std::size_t role = 0; role < names.size(); ++role) {
            if (role >= joint.size() || !has(names[role], joint[role])) return false;
        }
        return true;
    }

    std::vector<std::vector<std::string>> names;  // by role
    std::vector<std::uint32_t> choosers;
};

}  // namespace

State state_of_fluents(Machine& machine, std::string_view text) {
    std::vector<std::string> terms = terms_of(text);
    // A list of lists: one pair of parentheses too many for a fluent.
    if (terms.size() == 1 && terms[0].starts_with("((")) {
        terms = terms_of(std::string_view(terms[0]).substr(1, terms[0].size() - 2));
    }
    State state = machine.initial();
    state.clear();
    for (std::string& term : terms) {
        constexpr std::string_view wrapping = "(true ";
        if (term.starts_with(wrapping)) term = term.substr(wrapping.size(), term.size() - wrapping.size() - 1);
        const std::optional<machine::Fluent> fluent = machine.find_fluent(term);
        if (!fluent) throw PositionError(fmt::format("the game has no fluent '{}'", term));
        state.insert(*fluent);
    }
    return state;
}

namespace {

struct Path {
    State state;
    std::vector<std::vector<std::string>> moves;  // by step and role
};

Path follow(Machine& machine, std::string_view text) {
    std::string blank(text);
    std::ranges::replace(blank, ';', ' ');
    const std::vector<std::string> terms = terms_of(blank);
    Path path{machine.initial(), {}};
    State& state = path.state;
    std::size_t at = 0;
    for (std::size_t step = 1; at < terms.size(); ++step) {
        if (machine.terminal(state)) throw PositionError(fmt::format("the game is over before step {}", step));
        const Choices choices(machine, state);
        std::vector<std::string> joint;
        const auto rest = std::span(terms).subspan(at);
        if (choices.allow(rest.first(std::min(rest.size(), choices.names.size())))) {
            joint.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(choices.names.size()));
            at += joint.size();
        } else if (choices.choosers.size() <= 1) {
            const std::uint32_t chooser = choices.choosers.empty() ? 0 : choices.choosers[0];
            if (!has(choices.names[chooser], rest[0])) {
                throw PositionError(fmt::format("step {}: '{}' is no legal move of {}; legal: {}", step, rest[0],
                                                machine.role_name(Role{chooser}), some(choices.names[chooser])));
            }
            for (const std::vector<std::string>& names : choices.names) {
                if (names.empty()) throw PositionError(fmt::format("step {}: a role has no legal move", step));
                joint.push_back(names[0]);
            }
            joint[chooser] = rest[0];
            ++at;
        } else {
            throw PositionError(fmt::format("step {}: several roles choose: one legal move for each of {} is needed",
                                            step, fmt::join(machine::role_names(machine), ", ")));
        }
        std::vector<Move> moves;
        for (std::uint32_t role = 0; role < joint.size(); ++role) {
            moves.push_back(*machine.find_move(Role{role}, joint[role]));
        }
        State next;
        machine.next(state, moves, next);
        state = std::move(next);
        path.moves.push_back(std::move(joint));
    }
    return path;
}

}  // namespace

State state_after_moves(Machine& machine, std::string_view text) { return follow(machine, text).state; }

std::vector<std::vector<std::string>> joint_moves(Machine& machine, std::string_view text) {
    return follow(machine, text).moves;
}

}  // namespace stratagem::cli
