// A game whose ground program was made in code: by a compiler of another language, or by hand.
//
// It has no words to send to others or to keep in records, and no interpreter behind it; everything else works as for
// rules in GDL.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "machine/compiled_program.h"
#include "machine/game.h"

namespace stratagem::machine {

class ProgramGame final : public Game, public std::enable_shared_from_this<ProgramGame> {
  public:
    // Throws std::invalid_argument for a program that is not consistent, std::runtime_error when the circuit cannot be
    // built within the limits of the options. Held by a shared pointer, since it may be asked for itself.
    static std::shared_ptr<const ProgramGame> make_from(std::string name, ground::Program program,
                                                        const MachineOptions& options = {});

    const std::string& name() const override { return name_; }
    const std::vector<std::string>& roles() const override { return roles_; }
    std::unique_ptr<Machine> make() const override { return compiled_.make(); }
    std::unique_ptr<Playouts> make_playouts(std::uint64_t seed, std::uint64_t stream = 0, bool statistics = false,
                                            const std::atomic<bool>* interrupt = nullptr) const override;
    std::shared_ptr<const ground::Program> program() const override { return compiled_.program(); }
    std::shared_ptr<const Circuit> circuit() const override { return compiled_.circuit(); }
    MachineKind kind() const override { return MachineKind::circuit; }
    const MachineStatistics& statistics() const override { return statistics_; }
    bool is_quick() const override { return true; }
    bool has_fixed_numbers() const override { return true; }
    std::optional<Fingerprint> fingerprint() const override { return compiled_.fingerprint(); }
    std::shared_ptr<const Game> remade(const MachineOptions&) const override { return shared_from_this(); }

  private:
    ProgramGame(std::string name, std::shared_ptr<const ground::Program> program, const MachineOptions& options);

    std::string name_;
    std::vector<std::string> roles_;
    CompiledProgram compiled_;
    MachineStatistics statistics_;
};

}  // namespace stratagem::machine
