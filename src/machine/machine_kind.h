// The ways to run a game, and what is said about them before one is chosen.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "machine/limits.h"

namespace stratagem::machine {

enum class MachineKind : std::uint8_t { circuit, lanes, interpreter, check };

// The machines there are, under the names people choose them by.
struct MachineEntry {
    MachineKind kind;
    std::string_view name;
    std::string_view about;
};
std::span<const MachineEntry> machine_table();
std::optional<MachineKind> find_machine(std::string_view name);
std::string_view to_string(MachineKind kind);

struct MachineOptions {
    MachineKind kind = MachineKind::circuit;
    // For grounding and building the circuit together; when they do not suffice, the interpreter takes over.
    double build_limit_seconds = 20;
    std::size_t build_limit_bytes = std::size_t{4} << 30;
    // Building ends as soon as it is set, such as by a signal handler, as if time had run out. Not used afterwards.
    const std::atomic<bool>* interrupt = nullptr;
    Limits interpreter;      // of each question to the interpreter
    std::string lane_width;  // of lanes in bits: "64", "256", "512"; empty: the widest the processor has
};

// Zeros where there is no program or no circuit.
struct MachineStatistics {
    std::size_t roles = 0;
    std::size_t fluents = 0;
    std::size_t moves = 0;
    std::size_t ground_rules = 0;
    std::size_t gates = 0;
    std::size_t depth = 0;
    double ground_seconds = 0;
    double build_seconds = 0;  // text already read: grounding and circuit, or the interpreter
};

}  // namespace stratagem::machine
