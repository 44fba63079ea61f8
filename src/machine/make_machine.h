// From rules to a running game: the whole pipeline in one place.
//
//   description -> ground program -> circuit -> CircuitMachine
//   description -> Interpreter -> InterpreterMachine        when asked for, or when the rules cannot be grounded
//   ground program -> lanes, beside the circuit             for random games by the hundred (make_playouts.h)
//   both of them -> CheckMachine                            the one checked against the other at every call
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gdl/description.h"
#include "machine/limits.h"
#include "machine/machine.h"

namespace stratagem::machine {

class Circuit;
struct SharedNumbers;
namespace lanes {
class LaneGame;
}

enum class MachineKind { circuit, lanes, interpreter, check };

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

// Prepares a game once and then gives as many machines as there are threads.
class MachineFactory {
  public:
    // Pre: the description passed the check; it must outlive the factory. Throws InvalidRules.
    explicit MachineFactory(const gdl::Description& description, const MachineOptions& options = {});

    const gdl::Description& description() const { return *description_; }
    // What will really be made; differs from what was asked for when note() says why.
    MachineKind kind() const { return kind_; }
    // Why the circuit is not used although it was asked for; empty otherwise.
    const std::string& note() const { return note_; }
    // Time or memory was the reason.
    bool limit_hit() const { return limit_hit_; }
    const MachineStatistics& statistics() const { return statistics_; }
    // Null without a circuit.
    const std::shared_ptr<const Circuit>& circuit() const { return circuit_; }
    // The game compiled for lanes, by the first call (a factory of kind `lanes` does it at once); with `statistics`
    // also for playouts that collect them. Null where that cannot be done; lanes_note() says why. May be called from
    // several threads at once. When the flag is set compiling ends, and a later call begins anew.
    std::shared_ptr<const lanes::LaneGame> lane_game(bool statistics = false,
                                                     const std::atomic<bool>* interrupt = nullptr) const;
    std::string lanes_note() const;

    // All machines of one factory number fluents and moves alike: they understand each other's states and moves.
    // May be called from several threads at once. Throws LimitExceeded when not even the initial state can be found.
    std::unique_ptr<Machine> make() const;

  private:
    void build_circuit(const MachineOptions& options);

    struct Lanes;  // made on demand, hence behind a lock

    const gdl::Description* description_;
    Limits interpreter_limits_;
    MachineKind kind_;
    std::string note_;
    bool limit_hit_ = false;
    MachineStatistics statistics_;
    std::shared_ptr<const Circuit> circuit_;
    std::shared_ptr<SharedNumbers> numbers_;  // of the interpreters
    std::shared_ptr<Lanes> lanes_;
};

}  // namespace stratagem::machine
