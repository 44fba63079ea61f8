// Numbers as people write them: 1,000,000 and 0.001, not 1e+06 and 1e-03.
#pragma once

#include <cstdint>
#include <string>

namespace stratagem {

std::string with_commas(std::uint64_t number);

// All digits that count, no more; an exponent only beyond what people read.
std::string number_text(double number);

}  // namespace stratagem
