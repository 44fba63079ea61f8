#include "protocol/messages.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "gdl/syntax.h"
#include "protocol/kif_text.h"

namespace stratagem::protocol {

namespace {

// The word of the message and the six parts START has; one more, to tell how many are too many.
constexpr std::size_t most_parts = 7;

struct Fault {
    std::string what;
    std::size_t at = 0;
};

// The parts of a message, each read as what it must be. Throws Fault, which never leaves this file.
class Parts {
  public:
    explicit Parts(std::vector<KifPart> parts) : parts_(std::move(parts)) {}

    std::size_t size() const { return parts_.size(); }

    std::string word(std::size_t i, std::string_view what) const {
        if (parts_[i].is_list()) throw Fault{fmt::format("the {} must be a word", what), parts_[i].at};
        return lower_case(parts_[i].text);
    }

    // Roles are words in practice, but the language allows any term.
    std::string term(std::size_t i) const { return normal_form(parts_[i].text); }

    double seconds(std::size_t i, std::string_view what) const {
        const std::string_view text = parts_[i].text;
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error == std::errc{} && end == text.data() + text.size();
        if (!whole || !std::isfinite(value) || value < 0) {
            throw Fault{fmt::format("the {} must be a number of seconds, not '{}'", what, one_line(text, 40)),
                        parts_[i].at};
        }
        return value;
    }

    std::string rules(std::size_t i) const {
        if (!parts_[i].is_list()) throw Fault{"the rules must be a list", parts_[i].at};
        std::string_view text = parts_[i].text;
        text.remove_prefix(1);
        text.remove_suffix(1);
        return std::string(text);
    }

    // Words and lists in one list; NIL is the empty one.
    std::vector<std::string> list(std::size_t i, std::string_view what) const {
        std::vector<std::string> result;
        if (!parts_[i].is_list()) {
            if (lower_case(parts_[i].text) != "nil")
                throw Fault{fmt::format("the {} must be a list or NIL", what), parts_[i].at};
            return result;
        }
        const KifParts inner = split_list(parts_[i].text, gdl::max_arity);
        if (!inner.ok()) throw Fault{fmt::format("the {}: {}", what, inner.fault), parts_[i].at + inner.fault_at};
        for (const KifPart& part : inner.parts) result.push_back(normal_form(part.text));
        return result;
    }

    TurnReport report(std::size_t i) const {
        TurnReport result;
        if (size() == i + 1) {
            result.moves = list(i, "moves");
            return result;
        }
        Sight sight;
        const std::string_view turn = parts_[i].text;
        const auto [end, error] = std::from_chars(turn.data(), turn.data() + turn.size(), sight.turn);
        if (error != std::errc{} || end != turn.data() + turn.size()) {
            throw Fault{fmt::format("the turn must be a number, not '{}'", one_line(turn, 40)), parts_[i].at};
        }
        sight.own_move = term(i + 1);
        if (sight.own_move == "nil") sight.own_move.clear();
        sight.percepts = list(i + 2, "percepts");
        result.sight = std::move(sight);
        return result;
    }

    void expect(std::initializer_list<std::size_t> sizes, std::string_view shape) const {
        for (const std::size_t allowed : sizes) {
            if (size() == allowed) return;
        }
        throw Fault{fmt::format("{} parts; the form is {}", size(), shape), parts_.empty() ? 0 : parts_.back().at};
    }

  private:
    std::vector<KifPart> parts_;
};

Message build(const Parts& parts) {
    const std::string kind = parts.word(0, "kind of a message");
    if (kind == "info") {
        parts.expect({1}, "(INFO)");
        return InfoMessage{};
    }
    if (kind == "preview") {
        parts.expect({3}, "(PREVIEW (rule …) startclock)");
        return PreviewMessage{parts.rules(1), parts.seconds(2, "start clock")};
    }
    if (kind == "start") {
        parts.expect({6}, "(START match role (rule …) startclock playclock)");
        return StartMessage{parts.word(1, "match"), parts.term(2), parts.rules(3), parts.seconds(4, "start clock"),
                            parts.seconds(5, "play clock")};
    }
    if (kind == "play") {
        parts.expect({3, 5}, "(PLAY match (move …)) or (PLAY match turn move (percept …))");
        return PlayMessage{parts.word(1, "match"), parts.report(2)};
    }
    if (kind == "stop") {
        parts.expect({3, 5}, "(STOP match (move …)) or (STOP match turn move (percept …))");
        return StopMessage{parts.word(1, "match"), parts.report(2)};
    }
    if (kind == "abort") {
        parts.expect({2}, "(ABORT match)");
        return AbortMessage{parts.word(1, "match")};
    }
    throw Fault{
        fmt::format("'{}' is no message; there are INFO, PREVIEW, START, PLAY, STOP and ABORT", one_line(kind, 40)), 0};
}

// Clocks are whole seconds in the protocol; parts of seconds are ours, for tests and hurried people.
std::string clock_text(double seconds) { return fmt::format("{}", seconds); }

std::string list_text(const std::vector<std::string>& items) {
    return items.empty() ? "NIL" : fmt::format("({})", fmt::join(items, " "));
}

std::string report_text(const TurnReport& report) {
    if (!report.sight) return list_text(report.moves);
    const std::string& own = report.sight->own_move;
    return fmt::format("{} {} {}", report.sight->turn, own.empty() ? "NIL" : own, list_text(report.sight->percepts));
}

struct Printer {
    std::string operator()(const InfoMessage&) const { return "(INFO)"; }
    std::string operator()(const PreviewMessage& m) const {
        return fmt::format("(PREVIEW ({}) {})", m.rules, clock_text(m.start_clock));
    }
    std::string operator()(const StartMessage& m) const {
        return fmt::format("(START {} {} ({}) {} {})", m.match, m.role, m.rules, clock_text(m.start_clock),
                           clock_text(m.play_clock));
    }
    std::string operator()(const PlayMessage& m) const {
        return fmt::format("(PLAY {} {})", m.match, report_text(m.report));
    }
    std::string operator()(const StopMessage& m) const {
        return fmt::format("(STOP {} {})", m.match, report_text(m.report));
    }
    std::string operator()(const AbortMessage& m) const { return fmt::format("(ABORT {})", m.match); }
};

// Decides whether a long text may be read at all.
bool has_rules(std::string_view text) {
    KifTokens tokens(text);
    tokens.next();
    const std::string kind = lower_case(tokens.next().text.substr(0, 16));
    return kind == "start" || kind == "preview";
}

}  // namespace

MessageResult read_message(std::string_view text) {
    MessageResult result;
    if (text.size() > max_short_message && !has_rules(text)) {
        result.fault = fmt::format("{} bytes are too many for a message without rules", text.size());
        return result;
    }
    KifTokens tokens(text);
    const KifToken first = tokens.next();
    const bool bare_word = first.kind == KifToken::Kind::word && tokens.next().kind == KifToken::Kind::end;
    if (bare_word && lower_case(first.text) == "info") {
        result.message = InfoMessage{};
        return result;
    }
    KifParts parts = split_list(text, most_parts);
    if (parts.ok() && parts.parts.empty()) {
        parts.fault = "the list is empty";
    }
    if (!parts.ok()) {
        result.fault = std::move(parts.fault);
        result.at = parts.fault_at;
        return result;
    }
    try {
        result.message = build(Parts(std::move(parts.parts)));
    } catch (Fault& fault) {
        result.fault = std::move(fault.what);
        result.at = fault.at;
    }
    return result;
}

std::string to_text(const Message& message) { return std::visit(Printer{}, message); }

std::string_view kind_name(const Message& message) {
    static constexpr std::array<std::string_view, 6> names{"INFO", "PREVIEW", "START", "PLAY", "STOP", "ABORT"};
    static_assert(std::variant_size_v<Message> == names.size());
    return names[message.index()];
}

PlayerInfo read_info_reply(std::string_view text) {
    PlayerInfo info;
    constexpr std::size_t most = 100;
    const KifParts fields = split_list(text.substr(0, max_short_message), most);
    if (!fields.ok()) {
        const KifToken word = KifTokens(text).next();
        if (word.kind == KifToken::Kind::word) info.status = lower_case(word.text);
        return info;
    }
    for (const KifPart& field : fields.parts) {
        if (!field.is_list()) continue;
        const KifParts pair = split_list(field.text, 2);
        if (!pair.ok() || pair.parts.size() != 2) continue;
        const std::string key = lower_case(pair.parts[0].text);
        if (key == "name") info.name = std::string(pair.parts[1].text);
        if (key == "status") info.status = lower_case(pair.parts[1].text);
    }
    return info;
}

}  // namespace stratagem::protocol
