// A game written in GDL: description, then program, then circuit and lanes, with the interpreter for what is too large.
//
// The whole way from rules to machines stands here once:
//
//   description -> ground (room `ground`) -> CompiledProgram -> CircuitMachine
//   description -> InterpreterMachine                        when grounding fails or is not wanted
//   program     -> LaneGame -> LanePlayouts                  random games by the hundred, when first asked for
//   both of them -> CheckMachine                             the one checked against the other at every call
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gdl/description.h"
#include "machine/compiled_program.h"
#include "machine/game.h"

namespace stratagem::machine {

struct SharedNumbers;

class GdlGame final : public Game {
  public:
    // Pre: the description passed the check. Throws InvalidRules.
    explicit GdlGame(std::shared_ptr<const gdl::Description> description, const MachineOptions& options = {});
    explicit GdlGame(gdl::Description description, const MachineOptions& options = {})
        : GdlGame(std::make_shared<const gdl::Description>(std::move(description)), options) {}

    // Run by the interpreter, which is ready at once.
    static std::shared_ptr<const GdlGame> at_once(std::shared_ptr<const gdl::Description> description);

    const gdl::Description& description() const { return *description_; }

    const std::string& name() const override { return description_->source->name(); }
    const std::vector<std::string>& roles() const override { return roles_; }
    std::unique_ptr<Machine> make() const override;
    std::unique_ptr<Playouts> make_playouts(std::uint64_t seed, std::uint64_t stream = 0, bool statistics = false,
                                            const std::atomic<bool>* interrupt = nullptr) const override;
    std::shared_ptr<const ground::Program> program() const override {
        return compiled_ ? compiled_->program() : nullptr;
    }
    std::shared_ptr<const Circuit> circuit() const override { return compiled_ ? compiled_->circuit() : nullptr; }
    MachineKind kind() const override { return kind_; }
    const MachineStatistics& statistics() const override { return statistics_; }
    const std::string& note() const override { return note_; }
    bool limit_hit() const override { return limit_hit_; }
    bool is_quick() const override { return compiled_ != nullptr && kind_ != MachineKind::check; }
    // The interpreter numbers what it meets as it meets it.
    bool has_fixed_numbers() const override { return compiled_ != nullptr; }
    std::optional<Fingerprint> fingerprint() const override;
    std::optional<std::string> rules() const override;
    std::shared_ptr<const Game> remade(const MachineOptions& options) const override;
    std::shared_ptr<const Game> interpreted() const override { return at_once(description_); }

    // Null without a program.
    const CompiledProgram* compiled() const { return compiled_.get(); }

  private:
    // Grounds and builds; on failure leaves a note instead of a program.
    void compile(const MachineOptions& options);

    std::shared_ptr<const gdl::Description> description_;
    std::vector<std::string> roles_;
    Limits interpreter_limits_;
    MachineKind kind_;
    std::string note_;
    bool limit_hit_ = false;
    MachineStatistics statistics_;
    std::unique_ptr<const CompiledProgram> compiled_;
    std::shared_ptr<SharedNumbers> numbers_;  // of the interpreters
};

}  // namespace stratagem::machine
