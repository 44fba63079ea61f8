// What tells two ground games apart, in few enough bytes to be sent or to be a key.
//
// Everything that numbers stand for is hashed in the order of the numbers: roles, fluents and moves by name, the
// rules between them, and the static relations. 128 bits, so that two different games of one store never meet by
// chance.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "ground/program.h"

namespace stratagem::machine {

struct Fingerprint {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    auto operator<=>(const Fingerprint&) const = default;
    // 32 hexadecimal digits.
    std::string to_text() const;
};

Fingerprint fingerprint_of(const ground::Program& program);

}  // namespace stratagem::machine
