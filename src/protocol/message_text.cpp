#include "protocol/message_text.h"

namespace stratagem::protocol {

namespace {

int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// What is no proper escape stays as it is.
std::string percent_decoded(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+') {
            result += ' ';
        } else if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
            result += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        } else {
            result += text[i];
        }
    }
    return result;
}

// Behind "message=" or whatever stands before the first parenthesis.
std::string from_first_list(const std::string& text) {
    const std::size_t open = text.find('(');
    return open == std::string::npos ? text : text.substr(open);
}

// The first part of a body in parts: between its headers and the next line with the boundary.
std::string_view first_part(std::string_view body) {
    const std::size_t line_end = body.find_first_of("\r\n");
    const std::string_view boundary = body.substr(0, line_end);
    std::size_t begin = body.find("\r\n\r\n");
    if (boundary.size() <= 2 || begin == std::string_view::npos) return body;
    begin += 4;
    const std::size_t end = body.find(boundary, begin);
    return body.substr(begin, end == std::string_view::npos ? end : end - begin);
}

}  // namespace

std::string message_in_body(std::string body) {
    // The end of a string, which some send along.
    while (body.ends_with('\0')) body.pop_back();
    if (body.starts_with("--")) return std::string(first_part(body));
    const bool encoded = body.find('(') == std::string::npos && body.find("%28") != std::string::npos;
    return encoded ? from_first_list(percent_decoded(body)) : body;
}

std::string message_in_target(std::string_view target) {
    std::string text = percent_decoded(target);
    if (text.find('(') != std::string::npos) return from_first_list(text);
    const std::size_t cut = text.find_last_of("/?=");
    return cut == std::string::npos ? text : text.substr(cut + 1);
}

}  // namespace stratagem::protocol
