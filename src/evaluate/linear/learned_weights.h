// Weights while they are learned: each with a step of its own (temporal coherence, Beal and Smith 1999).
//
// A weight that is pushed to and fro moves less and less, so that noise gets no weight. What is read for values stands
// apart from what is needed for learning, as it is read far more often.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/linear/model.h"

namespace stratagem::evaluate::linear {

class LearnedWeights {
  public:
    LearnedWeights(const Tuples& tuples, std::size_t seats)
        : seats_(seats),
          block_size_(tuples.entries() * seats),
          weights_(tuples.views().blocks * block_size_, 0),
          pushed_(weights_.size()) {}

    const float* data() const { return weights_.data(); }
    const float* block(std::size_t block) const { return weights_.data() + block * block_size_; }

    float sum(std::size_t block, std::span<const std::uint32_t> entries, std::size_t seat) const {
        const float* const weights = weights_.data() + block * block_size_;
        float sum = 0;
        for (const std::uint32_t entry : entries) sum += weights[entry * seats_ + seat];
        return sum;
    }
    // Moves the sum of these entries by `step` times the error, as long as nothing was learned of them before. An
    // entry that is there several times, in a state that is like itself, counts as one.
    void push(std::size_t block, std::span<const std::uint32_t> entries, std::size_t seat, float step, float error) {
        ++pushes_;
        const float move = step * error / static_cast<float>(entries.size());
        float* const weights = weights_.data() + block * block_size_;
        Pushed* const pushed = pushed_.data() + block * block_size_;
        for (const std::uint32_t entry : entries) {
            const std::size_t place = entry * seats_ + seat;
            Pushed& one = pushed[place];
            if (one.last == pushes_) continue;
            one.last = pushes_;
            weights[place] += one.all > 0 ? move * std::abs(one.net) / one.all : move;
            one.net += error;
            one.all += std::abs(error);
        }
    }
    // As a model has them.
    std::vector<std::int16_t> rounded() const {
        std::vector<std::int16_t> result;
        result.reserve(weights_.size());
        for (const float weight : weights_) {
            const float scaled = std::clamp(weight * static_cast<float>(Model::unit), -32767.0F, 32767.0F);
            result.push_back(static_cast<std::int16_t>(std::lround(scaled)));
        }
        return result;
    }

  private:
    struct Pushed {
        float net = 0, all = 0;  // errors so far, with and without their signs
        std::uint32_t last = 0;  // push
    };

    std::size_t seats_, block_size_;
    std::vector<float> weights_;
    std::vector<Pushed> pushed_;
    std::uint32_t pushes_ = 0;
};

}  // namespace stratagem::evaluate::linear
