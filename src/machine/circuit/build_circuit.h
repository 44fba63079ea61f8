// From a ground program to the circuit that is run: the whole, and smaller ones for the phases of the game.
#pragma once

#include <memory>

#include "machine/circuit/circuit.h"

namespace stratagem::machine {

// Variants (GateOptions, phases) are tried in a few random games, and the one with the least work is kept: work is
// counted, not timed, so the same game always gives the same circuit.
//
// A phase is told by a fluent of a group (fluents of one name) of which exactly one holds in every state seen in some
// random games.// Throws std::runtime_error when the deadline passes before the whole circuit is there.
std::shared_ptr<const Circuit> build_circuit(std::shared_ptr<const ground::Program> program,
                                             const Deadline& deadline = Deadline::never());

}  // namespace stratagem::machine
