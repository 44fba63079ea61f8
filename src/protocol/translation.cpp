#include "protocol/translation.h"

#include <algorithm>
#include <unordered_set>

#include "protocol/kif_text.h"
#include "util/contract.h"

namespace stratagem::protocol {

Translation Translation::inverse() const {
    std::map<std::string, std::string> words;
    for (const auto& [from, to] : words_) words.emplace(to, from);
    STRATAGEM_EXPECTS(words.size() == words_.size());
    return Translation(std::move(words));
}

std::string Translation::operator()(std::string_view text) const {
    std::string normal = normal_form(text);
    if (words_.empty()) return normal;
    std::string result;
    std::size_t at = 0;
    KifTokens tokens(normal);
    for (KifToken token = tokens.next(); token.kind != KifToken::Kind::end; token = tokens.next()) {
        result += normal.substr(at, token.at - at);
        at = token.at + token.text.size();
        const auto known = words_.find(std::string(token.text));
        result += known == words_.end() ? token.text : std::string_view(known->second);
    }
    return result;
}

Translation spelling_of(std::string_view text) {
    constexpr std::size_t longest = 64;
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    std::unordered_set<std::string> seen;
    std::map<std::string, std::string> words;
    KifTokens tokens(text);
    for (KifToken token = tokens.next(); token.kind != KifToken::Kind::end; token = tokens.next()) {
        if (token.kind != KifToken::Kind::word || token.text.size() > longest || token.text.front() == '?') continue;
        if (std::ranges::none_of(token.text, is_letter)) continue;  // numbers are spelled in one way only
        std::string folded = lower_case(token.text);
        const bool is_new = seen.insert(folded).second;
        if (is_new && std::ranges::any_of(token.text, is_upper)) words.emplace(std::move(folded), token.text);
    }
    return Translation(std::move(words));
}

}  // namespace stratagem::protocol
