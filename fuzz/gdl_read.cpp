// Fuzzer of the language room: reads any bytes in both notations and, where they are a description, formats, reads
// again and scrambles. What must hold is in gdl_read_body.h.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "gdl_read_body.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string fault = stratagem::fuzz::examine({reinterpret_cast<const char*>(data), size});
    if (!fault.empty()) {
        fmt::print(stderr, "{}\n", fault);
        std::abort();
    }
    return 0;
}
