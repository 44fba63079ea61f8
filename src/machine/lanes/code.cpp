#include "machine/lanes/code.h"

#include <algorithm>
#include <stdexcept>

namespace stratagem::machine::lanes {

namespace {

constexpr std::array entries{
    WidthEntry{Width::portable64, "64", 2},
    WidthEntry{Width::avx2, "256", 2},
    WidthEntry{Width::avx512, "512", 3},
};

}  // namespace

const WidthEntry& entry_of(Width width) { return entries[static_cast<std::size_t>(width)]; }

std::optional<Width> find_width(std::string_view name) {
    const auto entry =
        std::find_if(entries.begin(), entries.end(), [&](const WidthEntry& e) { return e.name == name; });
    if (entry == entries.end()) return std::nullopt;
    return entry->width;
}

bool is_available(Width width) { return width == Width::portable64 || native_is_available(width); }

Width widest() {
    for (const Width width : {Width::avx512, Width::avx2}) {
        if (is_available(width)) return width;
    }
    return Width::portable64;
}

std::unique_ptr<const Code> make_code(const StraightLine& line, const Binding& binding, Width width) {
    if (width == Width::portable64) return make_table_code(line, binding);
    // Not the table instead: its operations have fewer inputs than this line may have.
    auto code = make_native_code(line, binding, width);
    if (!code) throw std::runtime_error("its machine code could not be made");
    return code;
}

}  // namespace stratagem::machine::lanes
