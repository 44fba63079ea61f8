#include "machine/interpreter_machine.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "gdl/print.h"
#include "machine/term_text.h"

namespace stratagem::machine {

using ground::index;

namespace {

// Nothing unless the term is an integer constant.
std::optional<int> integer(const gdl::TermPool& terms, gdl::Term term) {
    if (terms.arity(term) != 0) return {};
    const std::string_view name = terms.symbols().name(terms.symbol(term));
    int value = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), value);
    if (fault != std::errc{} || end != name.data() + name.size()) return {};
    return value;
}

// Keeps a term under its number, with holes for numbers never met.
void keep(std::vector<std::optional<gdl::Term>>& terms, std::uint32_t number, gdl::Term term) {
    if (number >= terms.size()) terms.resize(number + 1);
    terms[number] = term;
}

}  // namespace

InterpreterMachine::InterpreterMachine(const gdl::Description& description, const Limits& limits,
                                       std::shared_ptr<SharedNumbers> numbers)
    : interpreter_(description, limits),
      numbers_(numbers ? std::move(numbers) : std::make_shared<SharedNumbers>()),
      moves_of_role_(interpreter_.roles().size()) {
    store(interpreter_.initial(), initial_);
    loaded_ = initial_;
}

Fluent InterpreterMachine::number_fluent(gdl::Term term) {
    const auto known = fluent_numbers_.find(term);
    if (known != fluent_numbers_.end()) return known->second;
    const std::uint32_t number = numbers_->fluents.number(0, gdl::to_kif(interpreter_.terms(), term));
    keep(fluents_, number, term);
    return fluent_numbers_.emplace(term, Fluent{number}).first->second;
}

Move InterpreterMachine::number_move(Role role, gdl::Term term) {
    std::unordered_map<gdl::Term, Move>& of_role = moves_of_role_[index(role)];
    const auto known = of_role.find(term);
    if (known != of_role.end()) return known->second;
    const std::uint32_t number = numbers_->moves.number(index(role), gdl::to_kif(interpreter_.terms(), term));
    keep(moves_, number, term);
    return of_role.emplace(term, Move{number}).first->second;
}

gdl::Term InterpreterMachine::fluent_term(Fluent fluent) {
    const std::uint32_t number = index(fluent);
    if (number >= fluents_.size() || !fluents_[number]) {
        // Printed by another machine of the same rules, so it can be read.
        const gdl::Term term = parse_term(interpreter_.terms(), numbers_->fluents.name(number)).value();
        keep(fluents_, number, term);
        fluent_numbers_.emplace(term, fluent);
    }
    return *fluents_[number];
}

gdl::Term InterpreterMachine::move_term(Move move) {
    const std::uint32_t number = index(move);
    if (number >= moves_.size() || !moves_[number]) {
        keep(moves_, number, parse_term(interpreter_.terms(), numbers_->moves.name(number)).value());
    }
    return *moves_[number];
}

void InterpreterMachine::load(const State& state) {
    if (state == loaded_) return;
    scratch_.clear();
    state.for_each([this](Fluent fluent) { scratch_.push_back(fluent_term(fluent)); });
    interpreter_.set_state(scratch_);
    loaded_ = state;
}

void InterpreterMachine::store(const Facts& facts, State& state) {
    state.clear();
    for (const gdl::Term fact : facts) state.insert(number_fluent(fact));
}

bool InterpreterMachine::terminal(const State& state) {
    load(state);
    return interpreter_.terminal();
}

void InterpreterMachine::legal(const State& state, Role role, std::vector<Move>& moves) {
    load(state);
    interpreter_.legal(role_term(role), facts_);
    moves.clear();
    for (const gdl::Term term : facts_) moves.push_back(number_move(role, term));
    std::ranges::sort(moves);
}

void InterpreterMachine::next(const State& state, std::span<const Move> joint, State& result) {
    load(state);
    scratch_.clear();
    for (const Move move : joint) scratch_.push_back(move_term(move));
    interpreter_.next(scratch_, facts_);
    store(facts_, result);
}

std::optional<int> InterpreterMachine::goal(const State& state, Role role) {
    load(state);
    interpreter_.goals(role_term(role), facts_);
    // A value that is no integer was warned about and never counts, here as in the other machines.
    std::optional<int> found;
    for (const gdl::Term fact : facts_) {
        const std::optional<int> value = integer(interpreter_.terms(), fact);
        if (value && found) return {};
        if (value) found = value;
    }
    return found;
}

Deadline InterpreterMachine::set_deadline(const Deadline& deadline) {
    Limits limits = interpreter_.limits();
    const Deadline before = std::exchange(limits.deadline, deadline);
    interpreter_.set_limits(limits);
    return before;
}

std::string InterpreterMachine::role_name(Role role) const {
    return gdl::to_kif(interpreter_.terms(), role_term(role));
}

std::string InterpreterMachine::fluent_name(Fluent fluent) const { return numbers_->fluents.name(index(fluent)); }

std::string InterpreterMachine::move_name(Move move) const { return numbers_->moves.name(index(move)); }

std::optional<Fluent> InterpreterMachine::find_fluent(std::string_view name) {
    const std::optional<gdl::Term> term = parse_term(interpreter_.terms(), name);
    if (!term || !interpreter_.terms().is_ground(*term)) return {};
    return number_fluent(*term);
}

std::optional<Move> InterpreterMachine::find_move(Role role, std::string_view name) {
    const std::optional<gdl::Term> term = parse_term(interpreter_.terms(), name);
    if (!term || !interpreter_.terms().is_ground(*term)) return {};
    return number_move(role, *term);
}

}  // namespace stratagem::machine
