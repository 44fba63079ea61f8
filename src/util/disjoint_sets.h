// Which of many things hang together: sets that are joined one by one (union-find, with paths halved).
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace stratagem {

class DisjointSets {
  public:
    explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
    std::uint32_t root(std::uint32_t one) {
        while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
        return one;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }

  private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace stratagem
