// From what the goals say to networks that say how much of it is so: three transformations, all correct without
// training. The sign of every neuron is the truth of its node, and no part that becomes truer makes it less true.
#pragma once

#include <cstdint>
#include <span>

#include "evaluate/neural/network.h"

namespace stratagem::evaluate::neural {

// C-IL2P (d'Avila Garcez and Gabbay 2002; thesis, section 3.2): one weight for all neurons of the network of a goal,
// high enough for its widest. What several networks share has the highest of their weights. Nexplayer 1.0.
struct CilpSettings {
    double truth = 0;   // A_min; 0: by the widest node of the network
    double weight = 0;  // W; 0: the least that is correct for A_min
};
Network transform_by_cilp(const DomainTheory& theory, const CilpSettings& settings = {});

// Local transformation (Michulke 2011; thesis, section 3.3): each neuron the lowest weight that those above it can tell
// true from false by. Nexplayer 1.1.
struct LocalSettings {
    double difference = 1;  // between truth and falsehood in the input of a neuron; less than 2
    // Inputs that are not -1 or 1: what they may be, by node; empty: none. Such inputs are squashed as well, by weights
    // that keep true and false apart.
    std::span<const Limits> inputs;
    std::span<const NodeFeature> features = {};
    machine::Stop stop = {};
    // Numbers that are compared are taken for what they may be. Else they count as -1 or 1, and so do all other inputs:
    // weights are lower, and signs no longer always right (as in the thesis).
    bool sound = true;
};
// Throws DomainTheory::Interrupted when told to stop.
Network transform_locally(const DomainTheory& theory, const LocalSettings& settings = {});

// Soft means (soft_mean.h), for far more resolution. What Nexplayer 2 stands on.
Network transform_softly(const DomainTheory& theory, const SoftSettings& settings = {},
                         std::span<const Limits> inputs = {}, std::span<const NodeFeature> features = {});

// Limits of the biased or unbiased input of a sigmoid neuron, by those of its parts (thesis, equation 3.3.1).
Limits input_limits(const Network& network, std::uint32_t number);

}  // namespace stratagem::evaluate::neural
