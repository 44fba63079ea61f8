// Two machines run side by side and compared at every call.
//
// Any difference between two ways to run a game is a bug of the first rank; this machine finds it where it happens,
// whoever is playing. It speaks the numbers of the first machine; the second is asked the same questions under names.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "machine/machine.h"

namespace stratagem::machine {

// The two machines gave different answers; what() tells everything in one text.
class MachineMismatch : public std::runtime_error {
  public:
    MachineMismatch(std::string asked, std::string where, std::string first, std::string second);

    std::string question;  // "legal white", "next (mark 1 1) noop"
    std::string state;     // the fluents in KIF, sorted
    std::string answer;    // of the first machine; of lists only what the second lacks
    std::string expected;  // of the second
};

class CheckMachine final : public Machine {
  public:
    // Throws MachineMismatch when the roles or the initial states differ, as each question may later.
    CheckMachine(std::unique_ptr<Machine> tested, std::unique_ptr<Machine> reference);

    std::size_t role_count() const override { return tested_->role_count(); }
    const State& initial() const override { return tested_->initial(); }
    bool terminal(const State& state) override;
    void legal(const State& state, Role role, std::vector<Move>& moves) override;
    void next(const State& state, std::span<const Move> joint, State& result) override;
    std::optional<int> goal(const State& state, Role role) override;
    Deadline set_deadline(const Deadline& deadline) override {
        return Deadline::earlier(tested_->set_deadline(deadline), reference_->set_deadline(deadline));
    }

    std::string role_name(Role role) const override { return tested_->role_name(role); }
    std::string fluent_name(Fluent fluent) const override { return tested_->fluent_name(fluent); }
    std::string move_name(Move move) const override { return tested_->move_name(move); }
    std::optional<Fluent> find_fluent(std::string_view name) override { return tested_->find_fluent(name); }
    std::optional<Move> find_move(Role role, std::string_view name) override { return tested_->find_move(role, name); }

  private:
    // The numbers of the reference, looked up by name once. A name that means nothing there is a mismatch.
    Fluent translate(Fluent fluent);
    Move translate(Role role, Move move);
    void translate(const State& state, State& result);
    void compare(const std::string& question, const State& asked, const State& tested, const State& reference);

    std::unique_ptr<Machine> tested_;
    std::unique_ptr<Machine> reference_;
    std::vector<std::optional<Fluent>> fluents_;  // by fluent of the tested machine
    std::vector<std::optional<Move>> moves_;
    // Work space.
    State state_;
    State translated_;
    State reference_next_;
    std::vector<Move> joint_;
    std::vector<Move> tested_moves_;
    std::vector<Move> reference_moves_;
};

}  // namespace stratagem::machine
