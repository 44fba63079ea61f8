#include "gdl/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "util/contract.h"

namespace stratagem::gdl {

namespace {

constexpr std::array codes = {
    // 1xx: the text.
    DiagnosticCode{"E101", "parenthesis never closed", "add the missing ')' where the form should end"},
    DiagnosticCode{"E102", "closing parenthesis without an opening one",
                   "remove it, or look above for a form that was closed too early"},
    DiagnosticCode{"E103", "empty list", "write the name of a relation or function first, or remove ()"},
    DiagnosticCode{"E104", "nested too deeply", "no game needs this; look for a missing ')' above"},
    DiagnosticCode{"E105", "name too long", "a name may have at most 65,536 bytes; is this file a game?"},
    DiagnosticCode{"E106", "character that no description may contain",
                   "remove it; outside comments only printable characters and white space may stand"},
    DiagnosticCode{"E107", "unknown encoding", "save the file as UTF-8 (or plain ASCII) and try again"},
    DiagnosticCode{"E108", "file too large", "descriptions may have at most 64 MiB"},
    DiagnosticCode{"E109", "no rules", "a game needs at least roles, legal moves, an end and goals"},
    DiagnosticCode{"E110", "rule without a head", "write (<= head condition ...)"},
    DiagnosticCode{"E111", "name expected before the arguments",
                   "the first word inside parentheses must be the name of a relation or function"},
    DiagnosticCode{"E112", "wrong number of operands", "write (not A), (distinct s t), (or A B ...) or (and A B ...)"},
    DiagnosticCode{"E113", "connective where a term should be",
                   "not, or, and, <= and distinct join conditions; they cannot stand inside a term"},
    DiagnosticCode{"E114", "too many arguments", "a relation or function may have at most 1,000 arguments"},
    DiagnosticCode{"E115", "variable where a condition should be",
                   "a condition is a relation with arguments, such as (true (cell ?x ?y b))"},
    DiagnosticCode{"E116", "infix form not understood",
                   "infix rules read like  head(X) :- condition(X, Y), ~other(Y)."},
    DiagnosticCode{"E117", "quoted name never closed", "add the missing quotation mark"},
    DiagnosticCode{"E118", "variable without a name", "write at least one letter or digit after the '?'"},
    DiagnosticCode{"W119", "name is not UTF-8", "the bytes are kept as they are; save the file as UTF-8"},
    // 2xx: arities.
    DiagnosticCode{"E201", "keyword with a wrong number of arguments",
                   "role, init, true, next, base take one argument; legal, does, goal, input, sees two; terminal none"},
    DiagnosticCode{"W202", "relation used with different numbers of arguments",
                   "they are different relations; give every use the same number of arguments, or use another name"},
    DiagnosticCode{"W203", "function used with different numbers of arguments",
                   "they are different functions; give every use the same number of arguments, or use another name"},
    // 3xx: heads and bodies.
    DiagnosticCode{"E301", "keyword that may not be defined",
                   "true and does describe the state and the moves, distinct compares; rules only use them"},
    DiagnosticCode{"E302", "role defined by a rule or with variables",
                   "write each role as a fact of its own, such as (role white)"},
    DiagnosticCode{
        "E303", "init or next used as a condition",
        "ask for the current state with true; init stands only in heads, and next elsewhere in rules for sees"},
    DiagnosticCode{"W305", "keyword used as an ordinary name", "choose another name to avoid confusion"},
    // 4xx: dependencies.
    DiagnosticCode{"E401", "initial state depends on the state or on moves",
                   "init, base and input must follow from facts alone"},
    DiagnosticCode{"E402", "legal, goal or terminal depends on does",
                   "only next and sees may look at the moves just made"},
    DiagnosticCode{"W403", "initial state depends on legal, goal or terminal",
                   "it has a meaning as long as they do not look at the state; name what they share in a relation of "
                   "its own"},
    // 5xx: safety.
    DiagnosticCode{"E501", "variable of the head not bound",
                   "add a positive condition that says what the variable may be"},
    DiagnosticCode{"E502", "variable of a negation not bound",
                   "add a positive condition that binds the variable outside the not"},
    DiagnosticCode{"E503", "variable of distinct not bound", "add a positive condition that binds the variable"},
    // 6xx: negation and recursion.
    DiagnosticCode{"E601", "negation in a cycle", "a relation must not depend on its own negation; break the cycle"},
    DiagnosticCode{"W602", "recursion may grow without end",
                   "each argument of a recursive condition should occur in the head, be constant, or be bound by a "
                   "condition outside the recursion"},
    DiagnosticCode{"W603", "negation of other cases of the same relation",
                   "the cases differ by their constants, so the meaning is clear, but the specification forbids it: "
                   "move the shared conditions to a relation of its own"},
    // 7xx: the game as a whole.
    DiagnosticCode{"E701", "no roles", "add a fact such as (role white) for each player"},
    DiagnosticCode{"W702", "game that cannot end", "define terminal"},
    DiagnosticCode{"W703", "role without a goal", "define (goal ROLE VALUE)"},
    DiagnosticCode{"W704", "role without legal moves", "define (legal ROLE MOVE)"},
    DiagnosticCode{"W705", "no initial state", "define (init FLUENT)"},
    DiagnosticCode{"W706", "relation used but never defined", "it never holds; is its name misspelt?"},
    DiagnosticCode{"W707", "rule or fact repeated", "remove one of them"},
    DiagnosticCode{"W708", "goal value is no integer from 0 to 100", "use whole numbers from 0 to 100"},
    DiagnosticCode{"W709", "condition that can never hold", "remove it or correct it"},
    DiagnosticCode{"W710", "relation defined but never used",
                   "remove it; or is its name misspelt here or where it is used?"},
    DiagnosticCode{"W711", "role name that is no role", "declare it with a role fact, or correct the name"},
    DiagnosticCode{"W712", "fluent used but never true", "define it with init or next; or is its name misspelt?"},
    DiagnosticCode{"W713", "move used but never legal", "define it with legal; or is its name misspelt?"},
    DiagnosticCode{"W714", "rule that assumes what it says", "such a rule never adds anything: remove or correct it"},
    // 8xx: what random games show (check --simulate).
    DiagnosticCode{"E801", "role without a legal move",
                   "until the game ends every role needs a move in every state, if only one that does nothing"},
    DiagnosticCode{"E802", "no goal value at the end", "every role needs a goal value in every terminal state"},
    DiagnosticCode{"E803", "several goal values at the end",
                   "make the rules for goal exclude each other in terminal states"},
    DiagnosticCode{"E804", "goal value at the end is no integer from 0 to 100", "use whole numbers from 0 to 100"},
    DiagnosticCode{"W805", "game not seen to end", "limit the number of steps, or allow more with --max-steps"},
    DiagnosticCode{"W806", "nobody seen to win", "random games may only be too weak; can some role reach 100?"},
};

// Moves an offset to the left until it stands at the start of a UTF-8 character.
std::size_t character_start(std::string_view text, std::size_t offset) {
    while (offset > 0 && offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0U) == 0x80U) --offset;
    return offset;
}

std::string shortened(std::string text) {
    constexpr std::size_t kept_at_end = Diagnostics::max_message_bytes / 3;
    if (text.size() <= Diagnostics::max_message_bytes) return text;
    const std::size_t tail = character_start(text, text.size() - kept_at_end);
    const std::size_t head = character_start(text, kept_at_end);
    return text.substr(0, head) + " ... " + text.substr(tail);
}

}  // namespace

std::string_view to_string(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

std::span<const DiagnosticCode> diagnostic_codes() { return codes; }

void Diagnostics::add(std::string_view code, Span span, std::string message, std::string hint) {
    const auto* const entry =
        std::find_if(codes.begin(), codes.end(), [&](const DiagnosticCode& other) { return other.code == code; });
    STRATAGEM_EXPECTS(entry != codes.end());
    const Severity severity = code.front() == 'E' ? Severity::error : Severity::warning;
    std::size_t& count = severity == Severity::error ? errors_ : warnings_;
    if (++count > max_kept) return;
    if (hint.empty()) hint = entry->remedy;
    kept_.push_back({severity, entry->code, span, shortened(std::move(message)), shortened(std::move(hint))});
}

void Diagnostics::append(const Diagnostics& other) {
    // Of each severity the first max_kept are there.
    std::size_t errors = errors_;
    std::size_t warnings = warnings_;
    for (const Diagnostic& diagnostic : other.kept_) {
        std::size_t& count = diagnostic.severity == Severity::error ? errors : warnings;
        if (++count <= max_kept) kept_.push_back(diagnostic);
    }
    errors_ += other.errors_;
    warnings_ += other.warnings_;
}

void Diagnostics::sort() {
    std::stable_sort(kept_.begin(), kept_.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::pair(a.span.begin, a.code) < std::pair(b.span.begin, b.code);
    });
}

namespace {

// Long lines (generated files put everything on one) are shown as a window around the place.
struct Excerpt {
    std::string text;
    std::size_t caret = 0;   // characters before the caret
    std::size_t length = 1;  // carets
};

// Shown text must not disturb a terminal: tabs become blanks, control characters and broken bytes a dot.
std::string printable(std::string_view raw) {
    std::string shown;
    shown.reserve(raw.size());
    while (!raw.empty()) {
        const std::size_t length = character_length(raw);
        const auto byte = static_cast<unsigned char>(raw.front());
        // U+0080 to U+009F, two bytes each, are control characters too.
        const bool control =
            byte < 0x20 || byte == 0x7F || (byte == 0xC2 && length == 2 && static_cast<unsigned char>(raw[1]) < 0xA0);
        if (length == 0 || control) {
            shown += raw.front() == '\t' ? ' ' : '.';
        } else {
            shown += raw.substr(0, length);
        }
        raw.remove_prefix(std::max<std::size_t>(1, length));
    }
    return shown;
}

Excerpt excerpt(std::string_view line, std::size_t begin, std::size_t end) {
    constexpr std::size_t before = 50;
    constexpr std::size_t width = 110;
    const std::size_t first = begin > before && line.size() > width ? character_start(line, begin - before) : 0;
    const std::size_t last = character_start(line, std::min(line.size(), first + width));
    Excerpt result;
    const std::string lead = printable(line.substr(first, begin - first));
    const std::string marked = printable(line.substr(begin, std::clamp(end, begin, std::max(begin, last)) - begin));
    result.text =
        (first > 0 ? "... " : "") + printable(line.substr(first, last - first)) + (last < line.size() ? " ..." : "");
    result.caret = (first > 0 ? 4 : 0) + count_characters(lead);
    result.length = std::max<std::size_t>(1, count_characters(marked));
    return result;
}

}  // namespace

std::string render(const Source& source, const Diagnostic& diagnostic, bool colour) {
    const bool error = diagnostic.severity == Severity::error;
    const auto paint = [&](std::string_view code) { return colour ? code : std::string_view{}; };
    const std::string_view bold = paint("\033[1m");
    const std::string_view strong = paint(error ? "\033[1;31m" : "\033[1;35m");
    const std::string_view plain = paint("\033[0m");

    const Position position = source.position(diagnostic.span.begin);
    std::string text =
        fmt::format("{}{}:{}:{}: {}{}[{}]{}: {}\n", bold, source.name(), position.line, position.column, strong,
                    to_string(diagnostic.severity), diagnostic.code, plain, printable(diagnostic.message));
    const std::string_view line = source.line(position.line);
    if (!line.empty()) {
        const auto line_begin = static_cast<std::size_t>(line.data() - source.text().data());
        const std::size_t begin = std::min<std::size_t>(diagnostic.span.begin - line_begin, line.size());
        const std::size_t end =
            diagnostic.span.end > diagnostic.span.begin ? diagnostic.span.end - line_begin : begin + 1;
        const Excerpt shown = excerpt(line, begin, end);
        fmt::format_to(std::back_inserter(text), "{:>6} | {}\n       | {:>{}}{}{}{}\n", position.line, shown.text, "",
                       shown.caret, strong, std::string(shown.length, '^'), plain);
    }
    fmt::format_to(std::back_inserter(text), "       = hint: {}\n", printable(diagnostic.hint));
    return text;
}

}  // namespace stratagem::gdl
