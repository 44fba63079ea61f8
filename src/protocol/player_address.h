// Where a player is to be found.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stratagem::protocol {

struct PlayerAddress {
    std::string host;
    int port = 0;

    // "host:port", with brackets around what has colons itself.
    std::string text() const;
};

// The parts of http://host:port, http://host or host:port; nothing when it is no such address.
std::optional<PlayerAddress> read_address(std::string_view url);

}  // namespace stratagem::protocol
