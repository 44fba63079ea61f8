// The parameters of a network as text, exact to the last bit, so that what was learned can be kept.
//
//   stratagem-network 1 <neurons> <connections> <fingerprint>
//   <weight> <bias>                                            for each neuron
//   <strength>                                                 for each connection
//
// The fingerprint is of what the network consists of: parameters of another game, or of other rules of the same, do not
// fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "evaluate/neural/network.h"

namespace stratagem::evaluate::neural {

std::uint64_t fingerprint(const Network& network);
std::string weights_to_text(const Network& network);
// Empty if all went well; otherwise what is wrong, and the network is as it was.
std::string read_weights(std::string_view text, Network& network);

}  // namespace stratagem::evaluate::neural
