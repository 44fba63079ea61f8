// The head of an HTTP request, checked before the library sees it.
//
// cpp-httplib reads lines of any length, as many as come, and matches paths and ranges by recursion. So the head is
// collected here first, within limits, and handed on with nothing in it but what this house needs: one short path, the
// few fields that say how the body is written, and proper line ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stratagem::protocol {

struct RequestHead {
    int status = 0;     // not 0: the request is refused with this status …
    std::string fault;  // … and these words

    std::string method;
    std::string target;                   // as it came
    std::optional<std::uint64_t> length;  // Content-Length
    bool chunked = false;                 // Transfer-Encoding
    std::string text;                     // what the library gets to see
};

// How many bytes of `text` the head takes, the empty line behind it included; 0 while that line has not come.
std::size_t head_length(std::string_view text);

// Whether what has come can be answered although that line has not: a GET whose first line is whole needs nothing that
// may follow. `closed`: nothing more will come, and the line needs no end.
bool is_whole_get(std::string_view text, bool closed);

// Pre: `text` is head_length() bytes long, or is_whole_get(). Targets above `longest_target` bytes are refused.
RequestHead read_head(std::string_view text, std::size_t longest_target);

}  // namespace stratagem::protocol
