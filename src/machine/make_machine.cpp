#include "machine/make_machine.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <stdexcept>

#include "ground/ground.h"
#include "machine/check_machine.h"
#include "machine/circuit/build_circuit.h"
#include "machine/circuit/circuit_machine.h"
#include "machine/interpreter_machine.h"

namespace stratagem::machine {

namespace {

constexpr std::array machines{
    MachineEntry{MachineKind::circuit, "circuit",
                 "the ground rules as a circuit of gates, run incrementally; fast (default)"},
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

MachineFactory::MachineFactory(const gdl::Description& description, const MachineOptions& options)
    : description_(&description), interpreter_limits_(options.interpreter), kind_(options.kind) {
    statistics_.roles = description.roles().size();
    if (kind_ == MachineKind::interpreter) return;
    const Deadline::Clock::time_point start = Deadline::Clock::now();
    build_circuit(options);
    statistics_.build_seconds = seconds_since(start);
    if (!circuit_) kind_ = MachineKind::interpreter;
}

// Grounds and builds; on failure leaves a note instead of a circuit.
void MachineFactory::build_circuit(const MachineOptions& options) {
    const Deadline::Clock::time_point start = Deadline::Clock::now();
    ground::GroundLimits limits;
    limits.deadline = Deadline::after(std::chrono::duration<double>(options.build_limit_seconds));
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

std::unique_ptr<Machine> MachineFactory::make() const {
    const auto interpreter = [this] {
        return std::make_unique<InterpreterMachine>(*description_, interpreter_limits_);
    };
    switch (kind_) {
        case MachineKind::circuit:
            return std::make_unique<CircuitMachine>(circuit_);
        case MachineKind::interpreter:
            return interpreter();
        case MachineKind::check:
            return std::make_unique<CheckMachine>(std::make_unique<CircuitMachine>(circuit_), interpreter());
    }
    return interpreter();
}

}  // namespace stratagem::machine
