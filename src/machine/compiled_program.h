// A ground program made ready to run: as a circuit, and, when somebody first wants it, as code for lanes.
//
// What games that have a program share, wherever the program came from.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "machine/circuit/circuit.h"
#include "machine/fingerprint.h"
#include "machine/machine.h"
#include "machine/machine_kind.h"
#include "machine/playouts.h"

namespace stratagem::machine {

namespace lanes {
class LaneGame;
}

class CompiledProgram {
  public:
    // Throws std::runtime_error when the circuit is not built by the deadline.
    CompiledProgram(std::shared_ptr<const ground::Program> program, const MachineOptions& options,
                    const Deadline& deadline);

    const std::shared_ptr<const ground::Program>& program() const { return circuit_->shared_program(); }
    const std::shared_ptr<const Circuit>& circuit() const { return circuit_; }
    // Everything in them but the times.
    MachineStatistics statistics() const;
    // Worked out by the first call; from any thread.
    Fingerprint fingerprint() const;

    // The game compiled for lanes, by the first call; with `statistics` also for playouts that collect them. Null where
    // that cannot be done; lanes_note() says why. From any thread. When the flag is set compiling ends, and a later
    // call begins anew.
    std::shared_ptr<const lanes::LaneGame> lane_game(bool statistics = false,
                                                     const std::atomic<bool>* interrupt = nullptr) const;
    std::string lanes_note() const;

    std::unique_ptr<Machine> make() const;
    // Lanes; null where there are none.
    std::unique_ptr<Playouts> make_playouts(std::uint64_t seed, std::uint64_t stream, bool statistics,
                                            const std::atomic<bool>* interrupt = nullptr) const;

  private:
    std::shared_ptr<const Circuit> circuit_;
    std::string lane_width_;
    double lanes_limit_seconds_;
    mutable std::mutex mutex_;  // of everything below
    mutable std::optional<Fingerprint> fingerprint_;
    mutable std::string lanes_note_;
    // Without and with statistics.
    mutable std::array<bool, 2> lanes_tried_{};
    mutable std::array<std::shared_ptr<const lanes::LaneGame>, 2> lane_games_;
};

}  // namespace stratagem::machine
