#include "machine/make_machine.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "ground/ground.h"
#include "machine/check_machine.h"
#include "machine/circuit/build_circuit.h"
#include "machine/circuit/circuit_machine.h"
#include "machine/interpreter_machine.h"
#include "machine/lanes/lane_game.h"

namespace stratagem::machine {

namespace {

constexpr std::array machines{
    MachineEntry{MachineKind::circuit, "circuit",
                 "the ground rules as a circuit of gates, run incrementally; fast (default)"},
    MachineEntry{MachineKind::lanes, "lanes",
                 "the circuit as machine code that plays 512 random games at once; playouts only"},
    MachineEntry{MachineKind::interpreter, "interpreter",
                 "first-order evaluation straight from the rules; slower, runs every game"},
    MachineEntry{MachineKind::check, "check", "circuit and interpreter side by side, compared at every call"},
};

double seconds_since(Deadline::Clock::time_point start) {
    return std::chrono::duration<double>(Deadline::Clock::now() - start).count();
}

}  // namespace

std::span<const MachineEntry> machine_table() { return machines; }

std::optional<MachineKind> find_machine(std::string_view name) {
    for (const MachineEntry& entry : machines) {
        if (entry.name == name) return entry.kind;
    }
    return {};
}

std::string_view to_string(MachineKind kind) {
    for (const MachineEntry& entry : machines) {
        if (entry.kind == kind) return entry.name;
    }
    return "unknown";
}

struct MachineFactory::Lanes {
    std::mutex mutex;
    lanes::LaneOptions options;
    double limit_seconds = 0;
    std::string note;
    // Without and with statistics.
    std::array<bool, 2> tried{};
    std::array<std::shared_ptr<const lanes::LaneGame>, 2> games;
};

MachineFactory::MachineFactory(const gdl::Description& description, const MachineOptions& options)
    : description_(&description),
      interpreter_limits_(options.interpreter),
      kind_(options.kind),
      numbers_(std::make_shared<SharedNumbers>()),
      lanes_(std::make_shared<Lanes>()) {
    lanes_->options.width = lanes::find_width(options.lane_width);
    lanes_->limit_seconds = options.build_limit_seconds;
    statistics_.roles = description.roles().size();
    if (kind_ == MachineKind::interpreter) return;
    const Deadline::Clock::time_point start = Deadline::Clock::now();
    build_circuit(options);
    if (kind_ == MachineKind::lanes && circuit_ && !lane_game(false, options.interrupt)) {
        note_ = fmt::format("no lanes, the circuit is used: {}", lanes_note());
        kind_ = MachineKind::circuit;
    }
    statistics_.build_seconds = seconds_since(start);
    if (!circuit_) kind_ = MachineKind::interpreter;
}

// Grounds and builds; on failure leaves a note instead of a circuit.
void MachineFactory::build_circuit(const MachineOptions& options) {
    const Deadline::Clock::time_point start = Deadline::Clock::now();
    ground::GroundLimits limits;
    limits.deadline =
        Deadline::after(std::chrono::duration<double>(options.build_limit_seconds)).or_when(options.interrupt);
    limits.max_bytes = options.build_limit_bytes;
    ground::GroundResult grounded = ground::ground(*description_, limits);
    statistics_.ground_seconds = seconds_since(start);
    if (!grounded.program) {
        note_ = fmt::format("no circuit, the interpreter is used: {}", grounded.failure);
        limit_hit_ = grounded.limit_hit;
        return;
    }
    const auto program = std::make_shared<const ground::Program>(std::move(*grounded.program));
    statistics_.fluents = program->fluents.size();
    statistics_.moves = program->moves.size();
    statistics_.ground_rules = program->rule_count();
    try {
        circuit_ = machine::build_circuit(program, limits.deadline);
    } catch (const std::runtime_error& fault) {
        note_ = fmt::format("no circuit, the interpreter is used: {}", fault.what());
        limit_hit_ = limits.deadline.expired();
        return;
    }
    statistics_.gates = circuit_->gate_count();
    statistics_.depth = circuit_->depth();
}

std::shared_ptr<const lanes::LaneGame> MachineFactory::lane_game(bool statistics,
                                                                 const std::atomic<bool>* interrupt) const {
    const std::scoped_lock lock(lanes_->mutex);
    auto& game = lanes_->games[statistics ? 1 : 0];
    if (std::exchange(lanes_->tried[statistics ? 1 : 0], true)) return game;
    if (!circuit_) {
        lanes_->note = "there is no circuit";
        return nullptr;
    }
    try {
        const Deadline deadline =
            Deadline::after(std::chrono::duration<double>(lanes_->limit_seconds)).or_when(interrupt);
        lanes::LaneOptions options = lanes_->options;
        options.statistics = statistics;
        for (const Circuit::Phase& phase : circuit_->phases()) options.phases.push_back(phase.fluent);
        game = std::make_shared<const lanes::LaneGame>(circuit_->shared_program(), options, deadline);
    } catch (const std::runtime_error& fault) {
        lanes_->note = fault.what();
        if (Deadline::never().or_when(interrupt).interrupted()) lanes_->tried[statistics ? 1 : 0] = false;
    }
    return game;
}

std::string MachineFactory::lanes_note() const {
    const std::scoped_lock lock(lanes_->mutex);
    return lanes_->note;
}

std::unique_ptr<Machine> MachineFactory::make() const {
    const auto interpreter = [this] {
        return std::make_unique<InterpreterMachine>(*description_, interpreter_limits_, numbers_);
    };
    switch (kind_) {
        case MachineKind::circuit:
        case MachineKind::lanes:  // for anything but playouts
            return std::make_unique<CircuitMachine>(circuit_);
        case MachineKind::interpreter:
            return interpreter();
        case MachineKind::check:
            return std::make_unique<CheckMachine>(std::make_unique<CircuitMachine>(circuit_), interpreter());
    }
    return interpreter();
}

}  // namespace stratagem::machine
