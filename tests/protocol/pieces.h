// Cutting what goes over a wire into packets.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace stratagem::protocol::testing {

enum class Pieces { whole, lines, bytes };

inline std::vector<std::string_view> cut(std::string_view text, Pieces pieces) {
    std::vector<std::string_view> result;
    while (!text.empty()) {
        std::size_t size = text.size();
        if (pieces == Pieces::bytes) size = 1;
        if (pieces == Pieces::lines) size = std::min(text.find('\n'), text.size() - 1) + 1;
        result.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return result;
}

}  // namespace stratagem::protocol::testing
