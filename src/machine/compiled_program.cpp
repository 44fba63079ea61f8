#include "machine/compiled_program.h"

#include <chrono>
#include <stdexcept>
#include <utility>

#include "machine/circuit/build_circuit.h"
#include "machine/circuit/circuit_machine.h"
#include "machine/lanes/lane_game.h"
#include "machine/lanes/lane_playouts.h"

namespace stratagem::machine {

CompiledProgram::CompiledProgram(std::shared_ptr<const ground::Program> program, const MachineOptions& options,
                                 const Deadline& deadline)
    : circuit_(build_circuit(std::move(program), deadline)),
      lane_width_(options.lane_width),
      lanes_limit_seconds_(options.build_limit_seconds) {}

MachineStatistics CompiledProgram::statistics() const {
    MachineStatistics counts;
    counts.roles = program()->roles.size();
    counts.fluents = program()->fluents.size();
    counts.moves = program()->moves.size();
    counts.ground_rules = program()->rule_count();
    counts.gates = circuit_->gate_count();
    counts.depth = circuit_->depth();
    return counts;
}

Fingerprint CompiledProgram::fingerprint() const {
    const std::scoped_lock lock(mutex_);
    if (!fingerprint_) fingerprint_ = fingerprint_of(*program());
    return *fingerprint_;
}

std::shared_ptr<const lanes::LaneGame> CompiledProgram::lane_game(bool statistics,
                                                                  const std::atomic<bool>* interrupt) const {
    const std::scoped_lock lock(mutex_);
    auto& game = lane_games_[statistics ? 1 : 0];
    if (std::exchange(lanes_tried_[statistics ? 1 : 0], true)) return game;
    try {
        const Deadline deadline =
            Deadline::after(std::chrono::duration<double>(lanes_limit_seconds_)).or_when(interrupt);
        lanes::LaneOptions options;
        options.width = lanes::find_width(lane_width_);
        options.statistics = statistics;
        for (const Circuit::Phase& phase : circuit_->phases()) options.phases.push_back(phase.fluent);
        game = std::make_shared<const lanes::LaneGame>(program(), options, deadline);
    } catch (const std::runtime_error& fault) {
        lanes_note_ = fault.what();
        if (Deadline::never().or_when(interrupt).interrupted()) lanes_tried_[statistics ? 1 : 0] = false;
    }
    return game;
}

std::string CompiledProgram::lanes_note() const {
    const std::scoped_lock lock(mutex_);
    return lanes_note_;
}

std::unique_ptr<Machine> CompiledProgram::make() const { return std::make_unique<CircuitMachine>(circuit_); }

std::unique_ptr<Playouts> CompiledProgram::make_playouts(std::uint64_t seed, std::uint64_t stream, bool statistics,
                                                         const std::atomic<bool>* interrupt) const {
    auto game = lane_game(statistics, interrupt);
    return game ? std::make_unique<lanes::LanePlayouts>(std::move(game), seed, stream) : nullptr;
}

}  // namespace stratagem::machine
