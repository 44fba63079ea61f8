// The interpreter as a TextMachine.
#pragma once

#include "machine/interpreter/interpreter.h"
#include "machine/text_machine.h"

namespace stratagem::machine {

class TextInterpreter final : public TextMachine {
  public:
    explicit TextInterpreter(const gdl::Description& description, const Limits& limits = {})
        : interpreter_(description, limits) {}

    Interpreter& interpreter() { return interpreter_; }

    std::vector<std::string> roles() const override;
    void reset() override;
    // Throws std::invalid_argument for a move that is no ground term.
    void advance(std::span<const std::string> moves) override;
    std::vector<std::string> state() override;
    bool terminal() override;
    std::vector<std::string> legal(std::size_t role) override;
    std::optional<int> goal(std::size_t role) override;

  private:
    std::vector<std::string> to_text(const Facts& facts) const;

    Interpreter interpreter_;
    Facts facts_;
};

}  // namespace stratagem::machine
