#include "protocol/request_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "protocol/kif_text.h"
#include "util/contract.h"

namespace stratagem::protocol {

namespace {

// Takes the first line off the text.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

bool read_request_line(std::string_view line, RequestHead& head, std::string& version) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last) return false;
    head.method = std::string(line.substr(0, first));
    // Between them, spaces that should have been encoded are let through.
    head.target = std::string(trimmed(line.substr(first, last - first)));
    version = std::string(line.substr(last + 1));
    return !head.target.empty() && (version == "HTTP/1.1" || version == "HTTP/1.0");
}

// Fields that change how the body is read, or what is said before it is sent.
constexpr std::array<std::string_view, 4> passed_on{"content-length", "transfer-encoding", "content-encoding",
                                                    "expect"};

}  // namespace

std::size_t head_length(std::string_view text) {
    // Empty lines before a request are allowed and mean nothing.
    const std::size_t begin = text.find_first_not_of("\r\n");
    if (begin == std::string_view::npos) return 0;
    for (std::size_t end = text.find('\n', begin); end != std::string_view::npos; end = text.find('\n', end + 1)) {
        if (text.substr(end + 1).starts_with('\n')) return end + 2;
        if (text.substr(end + 1).starts_with("\r\n")) return end + 3;
    }
    return 0;
}

bool is_whole_get(std::string_view text, bool closed) {
    text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
    // In the middle of a later line, its end is still on the way.
    if (!closed && !text.ends_with('\n')) return false;
    RequestHead head;
    std::string version;
    return read_request_line(take_line(text), head, version) && head.method == "GET";
}

RequestHead read_head(std::string_view text, std::size_t longest_target) {
    STRATAGEM_EXPECTS(text.size() == head_length(text) || is_whole_get(text, true));
    RequestHead head;
    const auto refuse = [&head](int status, std::string fault) {
        head.status = status;
        head.fault = std::move(fault);
        return head;
    };
    text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
    std::string version;
    if (!read_request_line(take_line(text), head, version)) return refuse(400, "this is not a request of HTTP/1.x");
    if (head.target.size() > longest_target) return refuse(414, "the address is too long");
    head.text = fmt::format("{} / {}\r\n", head.method, version);
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string name = lower_case(trimmed(line.substr(0, colon)));
        const std::string value(trimmed(line.substr(colon + 1)));
        if (std::ranges::find(passed_on, name) == passed_on.end()) continue;
        if (name == "content-length") {
            std::uint64_t length = 0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
            if (error != std::errc{} || end != value.data() + value.size()) {
                return refuse(400, fmt::format("Content-Length is '{}'", one_line(value, 40)));
            }
            if (head.length && *head.length != length) return refuse(400, "two different values of Content-Length");
            if (head.length) continue;
            head.length = length;
        }
        if (name == "transfer-encoding") {
            if (lower_case(value) == "identity") continue;
            if (lower_case(value) != "chunked") return refuse(501, "only chunked transfer is understood");
            if (head.chunked) continue;
            head.chunked = true;
        }
        head.text += fmt::format("{}: {}\r\n", name, value);
    }
    head.text += "\r\n";
    return head;
}

}  // namespace stratagem::protocol
