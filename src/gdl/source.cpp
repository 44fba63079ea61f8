#include "gdl/source.h"

#include <algorithm>
#include <utility>

namespace stratagem::gdl {

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
    // Offsets beyond the limit are never asked for: the reader refuses such a text before it makes any span.
    const std::size_t size = std::min(text_.size(), max_source_bytes);
    for (std::size_t i = 0; i < size; ++i) {
        // A lone CR (old Macintosh files) ends a line too; the CR of CRLF does not.
        const bool lone_return = text_[i] == '\r' && (i + 1 == size || text_[i + 1] != '\n');
        if (text_[i] == '\n' || lone_return) line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
    }
}

std::string_view Source::text(Span span) const {
    const std::size_t begin = std::min<std::size_t>(span.begin, text_.size());
    const std::size_t end = std::clamp<std::size_t>(span.end, begin, text_.size());
    return std::string_view(text_).substr(begin, end - begin);
}

Position Source::position(std::uint32_t offset) const {
    const std::uint32_t line = line_number(offset);
    return {line, count_characters(text(Span{line_starts_[line - 1], offset})) + 1};
}

std::uint32_t Source::line_number(std::uint32_t offset) const {
    const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
    return static_cast<std::uint32_t>(after - line_starts_.begin());
}

std::string_view Source::line(std::uint32_t number) const {
    if (number == 0 || number > line_starts_.size()) return {};
    const std::size_t begin = line_starts_[number - 1];
    std::size_t end = number < line_starts_.size() ? line_starts_[number] : text_.size();
    while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
    return std::string_view(text_).substr(begin, end - begin);
}

std::size_t character_length(std::string_view text) {
    if (text.empty()) return 0;
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) return 1;
    const std::size_t length = byte(0) < 0xC2 ? 0 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : byte(0) < 0xF5 ? 4 : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return 0;
    }
    // The second byte tells over-long forms, surrogates and what lies beyond U+10FFFF.
    const bool allowed = (byte(0) != 0xE0 || byte(1) >= 0xA0) && (byte(0) != 0xED || byte(1) < 0xA0) &&
                         (byte(0) != 0xF0 || byte(1) >= 0x90) && (byte(0) != 0xF4 || byte(1) < 0x90);
    return allowed ? length : 0;
}

std::uint32_t count_characters(std::string_view text) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < text.size(); ++count) {
        const bool ascii = static_cast<unsigned char>(text[i]) < 0x80;
        i += ascii ? 1 : std::max<std::size_t>(1, character_length(text.substr(i)));
    }
    return count;
}

}  // namespace stratagem::gdl
