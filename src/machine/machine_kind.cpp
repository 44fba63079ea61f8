#include "machine/machine_kind.h"

#include <array>

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

}  // namespace stratagem::machine
