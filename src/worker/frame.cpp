#include "worker/frame.h"

#include <algorithm>

namespace stratagem::worker {

namespace {

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

}  // namespace

std::string as_text(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_ascii(c)) {
            text += c;
        } else {
            text += static_cast<char>(0xC0 | (byte >> 6));
            text += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return text;
}

std::string as_bytes(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is_ascii(text[i])) {
            bytes += text[i];
            continue;
        }
        const auto first = static_cast<unsigned char>(text[i]);
        if ((first != 0xC2 && first != 0xC3) || ++i == text.size()) throw FrameError("a character that is no byte");
        const auto second = static_cast<unsigned char>(text[i]);
        bytes += static_cast<char>((first & 0x03) << 6 | (second & 0x3F));
    }
    return bytes;
}

std::string to_frame(const nlohmann::json& message) { return message.dump() + '\n'; }

std::optional<nlohmann::json> FrameReader::next() {
    const std::size_t end = bytes_.find('\n', searched_);
    if (std::min(end, bytes_.size()) - begin_ > longest_) throw FrameError("a message without an end");
    if (end == std::string::npos) {
        bytes_.erase(0, begin_);
        begin_ = 0;
        searched_ = bytes_.size();
        return std::nullopt;
    }
    const std::string_view line = std::string_view(bytes_).substr(begin_, end - begin_);
    nlohmann::json message = nlohmann::json::parse(line, nullptr, false);
    if (message.is_discarded()) throw FrameError("a line that is no JSON");
    begin_ = end + 1;
    searched_ = begin_;
    return message;
}

}  // namespace stratagem::worker
