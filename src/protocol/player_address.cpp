#include "protocol/player_address.h"

#include <fmt/format.h>

#include <charconv>

#include "protocol/kif_text.h"
#include "protocol/player_server.h"

namespace stratagem::protocol {

std::string PlayerAddress::text() const {
    const bool has_colons = host.find(':') != std::string::npos;
    return has_colons ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::optional<PlayerAddress> read_address(std::string_view url) {
    constexpr std::string_view scheme = "http://";
    if (lower_case(url.substr(0, scheme.size())) == scheme) url.remove_prefix(scheme.size());
    while (url.ends_with('/')) url.remove_suffix(1);
    PlayerAddress address;
    address.port = default_port;
    std::size_t colon = url.rfind(':');
    if (url.starts_with('[')) {  // [::1]:9147
        const std::size_t end = url.find(']');
        if (end == std::string_view::npos) return {};
        address.host = std::string(url.substr(1, end - 1));
        colon = end + 1 < url.size() ? end + 1 : std::string_view::npos;
        if (colon != std::string_view::npos && url[colon] != ':') return {};
    } else {
        address.host = std::string(url.substr(0, colon));
    }
    if (colon != std::string_view::npos) {
        const std::string_view port = url.substr(colon + 1);
        const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
        const bool whole = error == std::errc{} && end == port.data() + port.size();
        if (!whole || address.port < 1 || address.port > 65535) return {};
    }
    const bool plain = address.host.find_first_of("/?#@ \t\r\n()") == std::string::npos;
    if (address.host.empty() || !plain) return {};
    return address;
}

}  // namespace stratagem::protocol
