// The interpreter as a Machine: terms numbered as they are met.
//
// Nothing is known of the game beforehand, so fluents and moves get the next free number when they first turn up, and
// states grow with the numbers. Machines that share their numbers understand each other's states and moves; others
// agree only if they were asked the same questions.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gdl/description.h"
#include "machine/interpreter/interpreter.h"
#include "machine/machine.h"
#include "machine/shared_numbers.h"

namespace stratagem::machine {

class InterpreterMachine final : public Machine {
  public:
    // As for Interpreter: what evaluates may throw LimitExceeded (the machine remains usable) or InvalidRules.
    // Without numbers to share it has some of its own.
    explicit InterpreterMachine(const gdl::Description& description, const Limits& limits = {},
                                std::shared_ptr<SharedNumbers> numbers = nullptr);

    void set_limits(const Limits& limits) { interpreter_.set_limits(limits); }

    std::size_t role_count() const override { return moves_of_role_.size(); }
    const State& initial() const override { return initial_; }
    bool terminal(const State& state) override;
    void legal(const State& state, Role role, std::vector<Move>& moves) override;
    void next(const State& state, std::span<const Move> joint, State& result) override;
    std::optional<int> goal(const State& state, Role role) override;
    Deadline set_deadline(const Deadline& deadline) override;

    std::string role_name(Role role) const override;
    std::string fluent_name(Fluent fluent) const override;
    std::string move_name(Move move) const override;
    // Any ground term may be a fluent or a move of the game, so these fail for texts that are none only.
    std::optional<Fluent> find_fluent(std::string_view name) override;
    std::optional<Move> find_move(Role role, std::string_view name) override;

  private:
    gdl::Term role_term(Role role) const { return interpreter_.roles()[ground::index(role)]; }
    Fluent number_fluent(gdl::Term term);
    Move number_move(Role role, gdl::Term term);
    // The other way; learns what another machine numbered.
    gdl::Term fluent_term(Fluent fluent);
    gdl::Term move_term(Move move);
    void load(const State& state);
    void store(const Facts& facts, State& state);

    Interpreter interpreter_;
    State initial_;
    State loaded_;  // what the interpreter holds
    std::shared_ptr<SharedNumbers> numbers_;
    // What this machine has met so far, with holes where only others have.
    std::vector<std::optional<gdl::Term>> fluents_;
    std::vector<std::optional<gdl::Term>> moves_;
    std::unordered_map<gdl::Term, Fluent> fluent_numbers_;
    std::vector<std::unordered_map<gdl::Term, Move>> moves_of_role_;
    Facts facts_;                     // work space of the questions
    std::vector<gdl::Term> scratch_;  // fluents or a joint move on their way in
};

}  // namespace stratagem::machine
