#include "protocol/player_reply.h"

#include <fmt/format.h>

#include "gdl/syntax.h"
#include "protocol/kif_text.h"

namespace stratagem::protocol {

namespace {

// How much of what a player said is repeated to people.
constexpr std::size_t shown = 60;

std::string quoted(std::string_view text) {
    return text.empty() ? std::string("nothing") : fmt::format("'{}'", one_line(text, shown));
}

// A pair of quotes around all of it, or the one that languages of lists put before.
std::string_view without_quotes(std::string_view text) {
    for (const char quote : {'"', '\'', '`'}) {
        if (text.size() > 1 && text.front() == quote && text.back() == quote) return text.substr(1, text.size() - 2);
    }
    return text.starts_with("'(") ? text.substr(1) : text;
}

// Where the first word or list ends; 0 and a fault when there is none.
std::size_t first_term(std::string_view text, std::string& fault) {
    using Kind = KifToken::Kind;
    KifTokens tokens(text);
    std::size_t depth = 0;
    for (;;) {
        const KifToken token = tokens.next();
        switch (token.kind) {
            case Kind::end:
                fault = depth == 0 ? "there is nothing" : fmt::format("{} ')' missing at the end", depth);
                return 0;
            case Kind::bad:
                fault = fmt::format("character {:#04x} has no place in it", static_cast<unsigned char>(token.text[0]));
                return 0;
            case Kind::open:
                if (++depth > gdl::max_nesting) {
                    fault = fmt::format("parentheses nested more than {} deep", gdl::max_nesting);
                    return 0;
                }
                break;
            case Kind::close:
                if (depth == 0) {
                    fault = "it begins with ')'";
                    return 0;
                }
                if (--depth == 0) return token.at + 1;
                break;
            case Kind::word:
                if (depth == 0) return token.at + token.text.size();
                break;
        }
    }
}

// Nothing, or (explanation … or (taunt …; these may hold any text, with any characters.
bool may_follow(std::string_view rest) {
    using Kind = KifToken::Kind;
    KifTokens tokens(rest);
    const KifToken first = tokens.next();
    if (first.kind == Kind::end) return true;
    if (first.kind != Kind::open) return false;
    const std::string word = lower_case(tokens.next().text.substr(0, 16));
    return word == "explanation" || word == "taunt";
}

}  // namespace

MoveReply read_move(std::string_view text) {
    MoveReply reply;
    const std::string_view inner = without_quotes(trimmed(text));
    if (inner.empty()) {
        reply.fault = "the answer is empty";
        return reply;
    }
    std::string why;
    const std::size_t end = first_term(inner, why);
    if (end > 0 && !may_follow(inner.substr(end))) why = "more than one word or list";
    if (why.empty()) {
        reply.move = normal_form(inner.substr(0, end));
        // "()" is a list, but of nothing.
        if (reply.move == "()") why = "there is nothing in it";
    }
    if (!why.empty()) {
        reply.move.clear();
        reply.fault = fmt::format("not a move: {} ({})", quoted(inner), why);
    }
    return reply;
}

StartReply read_start_reply(std::string_view text) {
    // As strictly, or as little so, as a move.
    const std::string word = read_move(text).move;
    StartReply reply;
    reply.ready = word == "ready";
    reply.busy = word == "busy";
    if (!reply.ready) reply.odd = fmt::format("answered {} instead of READY", quoted(trimmed(text)));
    return reply;
}

}  // namespace stratagem::protocol
