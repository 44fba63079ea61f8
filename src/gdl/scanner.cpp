#include "gdl/scanner.h"

#include <fmt/format.h>

namespace stratagem::gdl {

Scanner::Scanner(const Source& source, SymbolTable& symbols, SyntaxTree& tree, Diagnostics& diagnostics,
                 char comment_marker)
    : text_(source.text()),
      comment_marker_(comment_marker),
      symbols_(symbols),
      tree_(tree),
      diagnostics_(diagnostics) {}

void Scanner::skip_comment() {
    const std::uint32_t begin = at_;
    while (!at_end() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
    std::uint32_t before = begin;
    while (before > 0 && (text_[before - 1] == ' ' || text_[before - 1] == '\t')) --before;
    const bool own_line = before == 0 || text_.substr(0, before) == byte_order_mark || text_[before - 1] == '\n' ||
                          text_[before - 1] == '\r';
    tree_.comments.push_back({{begin, at_}, own_line});
}

void Scanner::skip_blanks() {
    while (!at_end()) {
        const char c = text_[at_];
        if (is_blank(c)) {
            ++at_;
        } else if (at_byte_order_mark()) {
            advance(static_cast<std::uint32_t>(byte_order_mark.size()));
        } else if (at_comment()) {
            skip_comment();
        } else if (is_forbidden(c)) {
            const std::uint32_t begin = at_;
            while (!at_end() && is_forbidden(text_[at_])) ++at_;
            report("E106", {begin, at_},
                   fmt::format("control character with code {} in the text", static_cast<unsigned char>(text_[begin])));
        } else {
            return;
        }
    }
}

Symbol Scanner::intern(std::string_view name, Span span) {
    if (name.size() > max_word_bytes) {
        report("E105", {span.begin, span.begin + 1}, fmt::format("name of {} bytes", name.size()));
        name = name.substr(0, 64);
    }
    // As the first name of a text it would make the whole look like UTF-16.
    if (name.starts_with("\xFF\xFE") || name.starts_with("\xFE\xFF")) {
        report("E107", span, "here seems to begin text in UTF-16");
    }
    bool ascii = true;
    folded_.assign(name);
    for (char& c : folded_) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (static_cast<unsigned char>(c) >= 0x80) ascii = false;
    }
    if (!ascii && !is_utf8(folded_)) report("W119", span, "this name is not written in UTF-8");
    return symbols_.intern(folded_);
}

Node Scanner::add(NodeKind kind, Span span, Symbol symbol) {
    const Node node{static_cast<std::uint32_t>(tree_.nodes.size())};
    tree_.nodes.push_back({span, Node::none, Node::none, symbol, kind});
    return node;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace stratagem::gdl
