#include "protocol/kif_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/syntax.h"

namespace stratagem::protocol {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

bool is_forbidden(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && !is_blank(c)) || byte == 0x7F;
}

bool is_word(char c) { return c != '(' && c != ')' && c != ';' && !is_blank(c) && !is_forbidden(c); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

void KifTokens::skip_blanks() {
    while (at_ < text_.size()) {
        if (is_blank(text_[at_])) {
            ++at_;
        } else if (text_[at_] == ';') {
            while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
        } else if (text_.substr(at_).starts_with(byte_order_mark)) {
            at_ += byte_order_mark.size();
        } else {
            return;
        }
    }
}

KifToken KifTokens::next() {
    using Kind = KifToken::Kind;
    skip_blanks();
    const std::size_t begin = at_;
    if (begin >= text_.size()) return {Kind::end, {}, text_.size()};
    const char c = text_[at_++];
    if (c == '(') return {Kind::open, text_.substr(begin, 1), begin};
    if (c == ')') return {Kind::close, text_.substr(begin, 1), begin};
    if (!is_word(c)) return {Kind::bad, text_.substr(begin, 1), begin};
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return {Kind::word, text_.substr(begin, at_ - begin), begin};
}

KifParts split_list(std::string_view text, std::size_t most) {
    using Kind = KifToken::Kind;
    KifParts result;
    const auto fail = [&](std::string fault, std::size_t at) {
        result.parts.clear();
        result.fault = std::move(fault);
        result.fault_at = at;
        return result;
    };
    KifTokens tokens(text);
    KifToken token = tokens.next();
    if (token.kind == Kind::end) return fail("there is nothing", 0);
    if (token.kind != Kind::open) return fail("a message is a list in parentheses", token.at);
    std::size_t depth = 1;
    std::size_t begin = 0;  // of the inner list being read
    while (depth > 0) {
        token = tokens.next();
        if (token.kind == Kind::end) return fail(fmt::format("{} ')' missing at the end", depth), token.at);
        if (token.kind == Kind::bad) {
            return fail(fmt::format("character {:#04x} has no place here", static_cast<unsigned char>(token.text[0])),
                        token.at);
        }
        if (token.kind == Kind::open) {
            if (depth == 1) begin = token.at;
            if (++depth > gdl::max_nesting) {
                return fail(fmt::format("parentheses nested more than {} deep", gdl::max_nesting), token.at);
            }
            continue;
        }
        if (token.kind == Kind::close && --depth == 0) break;
        if (depth > 1) continue;
        if (result.parts.size() == most) return fail(fmt::format("more than {} parts", most), token.at);
        if (token.kind == Kind::word) {
            result.parts.push_back({token.text, token.at});
        } else {
            result.parts.push_back({text.substr(begin, token.at + 1 - begin), begin});
        }
    }
    token = tokens.next();
    if (token.kind != Kind::end) return fail("something stands behind the message", token.at);
    return result;
}

std::string normal_form(std::string_view text) {
    using Kind = KifToken::Kind;
    struct OpenList {
        std::size_t at = 0;  // its parenthesis in the result
        std::size_t parts = 0;
    };
    std::string result;
    std::vector<OpenList> open;
    KifTokens tokens(text);
    Kind before = Kind::open;
    for (KifToken token = tokens.next(); token.kind != Kind::end; token = tokens.next()) {
        if (token.kind == Kind::close) {
            // One word alone in a list, or a list that was one.
            const bool lone = !open.empty() && open.back().parts == 1 && result[open.back().at + 1] != '(';
            if (lone) {
                result.erase(open.back().at, 1);
            } else {
                result += ')';
            }
            if (!open.empty()) open.pop_back();
        } else {
            if (before != Kind::open) result += ' ';
            if (!open.empty()) ++open.back().parts;
            if (token.kind == Kind::open) open.push_back({result.size(), 0});
            result += lower_case(token.text);
        }
        before = token.kind;
    }
    return result;
}

std::string_view trimmed(std::string_view text) {
    const auto is_padding = [](char c) { return c == '\0' || is_blank(c); };
    for (;;) {
        if (text.starts_with(byte_order_mark)) {
            text.remove_prefix(byte_order_mark.size());
        } else if (!text.empty() && is_padding(text.front())) {
            text.remove_prefix(1);
        } else if (!text.empty() && is_padding(text.back())) {
            text.remove_suffix(1);
        } else {
            return text;
        }
    }
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

std::string one_line(std::string_view text, std::size_t most) {
    std::string result(text.substr(0, most));
    // Not to end in the middle of a character.
    if (text.size() > most) {
        while (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0U) == 0x80U) result.pop_back();
        if (!result.empty() && (static_cast<unsigned char>(result.back()) & 0xC0U) == 0xC0U) result.pop_back();
        result += "…";
    }
    for (char& c : result) {
        if (is_blank(c)) c = ' ';
        if (is_forbidden(c)) c = '?';
    }
    return result;
}

}  // namespace stratagem::protocol
