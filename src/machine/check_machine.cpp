#include "machine/check_machine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "machine/machine_text.h"
#include "util/contract.h"

namespace stratagem::machine {

using ground::index;

namespace {

using Strings = std::vector<std::string>;

std::string to_text(std::optional<int> goal) { return goal ? fmt::format("{}", *goal) : "none"; }
std::string to_text(bool value) { return value ? "true" : "false"; }

std::uint64_t computed_hash(const State& state) {
    std::uint64_t hash = 0;
    state.for_each([&](Fluent fluent) { hash ^= zobrist(fluent); });
    return hash;
}

// What the one list has and the other lacks. Pre: both sorted.
std::string only_in(const Strings& list, const Strings& other) {
    STRATAGEM_EXPECTS(std::ranges::is_sorted(list) && std::ranges::is_sorted(other));
    Strings rest;
    std::ranges::set_difference(list, other, std::back_inserter(rest));
    return rest.empty() ? "nothing more" : fmt::format("{}", fmt::join(rest, " "));
}

}  // namespace

MachineMismatch::MachineMismatch(std::string asked, std::string where, std::string first, std::string second)
    : std::runtime_error(fmt::format("the machines disagree: {}\n  state: {}\n  the one: {}\n  the other: {}", asked,
                                     where, first, second)),
      question(std::move(asked)),
      state(std::move(where)),
      answer(std::move(first)),
      expected(std::move(second)) {}

CheckMachine::CheckMachine(std::unique_ptr<Machine> tested, std::unique_ptr<Machine> reference)
    : tested_(std::move(tested)), reference_(std::move(reference)) {
    const Strings roles = role_names(*tested_);
    const Strings expected = role_names(*reference_);
    if (roles != expected) {
        throw MachineMismatch("roles", "", fmt::format("{}", fmt::join(roles, " ")),
                              fmt::format("{}", fmt::join(expected, " ")));
    }
    compare("initial", tested_->initial(), tested_->initial(), reference_->initial());
}

Fluent CheckMachine::translate(Fluent fluent) {
    if (index(fluent) >= fluents_.size()) fluents_.resize(index(fluent) + 1);
    std::optional<Fluent>& known = fluents_[index(fluent)];
    if (!known) {
        const std::string name = tested_->fluent_name(fluent);
        known = reference_->find_fluent(name);
        if (!known) throw MachineMismatch("is it a fluent?", "", name, "unknown");
    }
    return *known;
}

Move CheckMachine::translate(Role role, Move move) {
    if (index(move) >= moves_.size()) moves_.resize(index(move) + 1);
    std::optional<Move>& known = moves_[index(move)];
    if (!known) {
        const std::string name = tested_->move_name(move);
        known = reference_->find_move(role, name);
        if (!known) throw MachineMismatch("is it a move of " + role_name(role) + "?", "", name, "unknown");
    }
    return *known;
}

void CheckMachine::translate(const State& state, State& result) {
    result.clear();
    state.for_each([&](Fluent fluent) { result.insert(translate(fluent)); });
}

void CheckMachine::compare(const std::string& question, const State& asked, const State& tested,
                           const State& reference) {
    translate(tested, translated_);
    if (translated_ == reference) return;
    const Strings got = fluent_names(*tested_, tested);
    const Strings expected = fluent_names(*reference_, reference);
    throw MachineMismatch(question, state_text(*tested_, asked), only_in(got, expected), only_in(expected, got));
}

bool CheckMachine::terminal(const State& state) {
    translate(state, state_);
    const bool got = tested_->terminal(state);
    const bool expected = reference_->terminal(state_);
    if (got != expected)
        throw MachineMismatch("terminal", state_text(*tested_, state), to_text(got), to_text(expected));
    return got;
}

void CheckMachine::legal(const State& state, Role role, std::vector<Move>& moves) {
    translate(state, state_);
    tested_->legal(state, role, moves);
    reference_->legal(state_, role, reference_moves_);
    tested_moves_.clear();
    for (const Move move : moves) tested_moves_.push_back(translate(role, move));
    std::ranges::sort(tested_moves_);
    // Ascending is part of the promise, and a move listed twice shows here too.
    const bool ascending = std::ranges::adjacent_find(moves, std::greater_equal<>{}) == moves.end();
    if (tested_moves_ == reference_moves_ && ascending) return;
    Strings got = move_names(*tested_, moves);
    Strings expected = move_names(*reference_, reference_moves_);
    std::ranges::sort(got);
    std::ranges::sort(expected);
    throw MachineMismatch("legal " + role_name(role), state_text(*tested_, state),
                          ascending ? only_in(got, expected) : "moves out of order", only_in(expected, got));
}

void CheckMachine::next(const State& state, std::span<const Move> joint, State& result) {
    translate(state, state_);
    joint_.clear();
    for (std::uint32_t role = 0; role < joint.size(); ++role) joint_.push_back(translate(Role{role}, joint[role]));
    tested_->next(state, joint, result);
    reference_->next(state_, joint_, reference_next_);
    translate(result, translated_);
    if (translated_ == reference_next_) {
        const std::uint64_t hash = computed_hash(result);
        if (result.hash() == hash) return;
        throw MachineMismatch("hash of next", state_text(*tested_, state), fmt::format("{:x}", result.hash()),
                              fmt::format("{:x}", hash));
    }
    compare(fmt::format("next {}", fmt::join(move_names(*tested_, joint), " ")), state, result, reference_next_);
}

std::optional<int> CheckMachine::goal(const State& state, Role role) {
    translate(state, state_);
    const std::optional<int> got = tested_->goal(state, role);
    const std::optional<int> expected = reference_->goal(state_, role);
    if (got != expected) {
        throw MachineMismatch("goal " + role_name(role), state_text(*tested_, state), to_text(got), to_text(expected));
    }
    return got;
}

}  // namespace stratagem::machine
