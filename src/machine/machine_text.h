// A Machine at its border: states, moves and answers as text.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"
#include "machine/text_machine.h"

namespace stratagem::machine {

// The fluents that hold, in KIF, sorted as strings.
std::vector<std::string> fluent_names(const Machine& machine, const State& state);
// The same on one line: "(cell 1 1 b) (control x)".
std::string state_text(const Machine& machine, const State& state);
// In the order given.
std::vector<std::string> move_names(const Machine& machine, std::span<const Move> moves);
std::vector<std::string> role_names(const Machine& machine);

// Any machine as a TextMachine that keeps the current state, for replaying.
class MachineText final : public TextMachine {
  public:
    // `machine` must outlive this.
    explicit MachineText(Machine& machine) : machine_(machine), state_(machine.initial()) {}

    std::vector<std::string> roles() const override { return role_names(machine_); }
    void reset() override { state_ = machine_.initial(); }
    // Throws std::invalid_argument for a move the machine does not know.
    void advance(std::span<const std::string> moves) override;
    std::vector<std::string> state() override { return fluent_names(machine_, state_); }
    bool terminal() override { return machine_.terminal(state_); }
    std::vector<std::string> legal(std::size_t role) override;
    std::optional<int> goal(std::size_t role) override;

  private:
    Machine& machine_;
    State state_;
    State next_;
    std::vector<Move> moves_;
};

}  // namespace stratagem::machine
