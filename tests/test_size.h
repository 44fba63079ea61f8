// How much tests try: all there is in the full tests (./test --full), less than usual under the sanitizers, where
// everything takes about eight times as long and what counts is that every road was gone once.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include "util/sanitized.h"

namespace stratagem {

inline bool full_tests() { return std::getenv("STRATAGEM_FULL_TESTS") != nullptr; }

// Of states, games, rounds: so many, or a tenth where it is sanitized.
inline std::size_t sized(std::size_t usual) { return sanitized && usual >= 10 ? usual / 10 : usual; }

// Of a collection every so-many-th is taken; fewer where it is sanitized.
inline std::size_t every(std::size_t usual) { return full_tests() ? 1 : usual * (sanitized ? 3 : 1); }

// All of them, or every third.
template <typename Thing>
std::vector<Thing> some_of(std::vector<Thing> all) {
    if (!sanitized) return all;
    std::vector<Thing> some;
    for (std::size_t i = 0; i < all.size(); i += 3) some.push_back(std::move(all[i]));
    return some;
}

// What is expected of all of them, or of every third.
inline std::size_t at_least(std::size_t usual) { return sanitized ? usual / 5 : usual; }

}  // namespace stratagem
