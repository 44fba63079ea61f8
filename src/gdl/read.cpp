#include "gdl/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gdl/check.h"
#include "gdl/reader.h"
#include "gdl/scanner.h"

namespace stratagem::gdl {

bool screen(const Source& source, Diagnostics& diagnostics) {
    const std::string_view text = source.text();
    if (text.size() > max_source_bytes) {
        diagnostics.add("E108", {}, fmt::format("the text has {} bytes", text.size()));
        return false;
    }
    using namespace std::string_view_literals;
    // UTF-32 first: its little-endian mark begins like that of UTF-16.
    for (const auto& [mark, encoding] : {std::pair{"\xFF\xFE\0\0"sv, "UTF-32"}, std::pair{"\0\0\xFE\xFF"sv, "UTF-32"},
                                         std::pair{"\xFF\xFE"sv, "UTF-16"}, std::pair{"\xFE\xFF"sv, "UTF-16"}}) {
        if (text.starts_with(mark)) {
            diagnostics.add("E107", {0, 1}, fmt::format("the text is encoded in {}", encoding));
            return false;
        }
    }
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        const auto at = static_cast<std::uint32_t>(zero);
        diagnostics.add("E107", {at, at + 1}, "zero byte: this is a binary file, or one in UTF-16");
        return false;
    }
    return true;
}

Notation guess_notation(std::string_view text) {
    std::size_t at = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == ';' || c == '%') {
            while (at < text.size() && text[at] != '\n' && text[at] != '\r') ++at;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
            ++at;
        } else {
            break;
        }
    }
    if (at == text.size() || text[at] == '(' || text[at] == ')') return Notation::kif;
    // A word first: infix if it is followed by arguments, an arrow or a full stop, else a bare KIF fact or rubbish.
    const std::size_t end = text.find_first_of(" \t\n\r().:,;", at);
    if (end == std::string_view::npos) return Notation::kif;
    if (text[end] == '(' || text[at] == '\'') return Notation::infix;
    const std::size_t next = std::min(text.find_first_not_of(" \t\n\r", end), text.size());
    const std::string_view rest = text.substr(next);
    return rest.starts_with('.') || rest.starts_with(":-") || rest.starts_with("<=") ? Notation::infix : Notation::kif;
}

ReadResult read(std::string name, std::string text, std::optional<Notation> notation) {
    ReadResult result;
    Description& description = result.description;
    description.source = std::make_shared<const Source>(std::move(name), std::move(text));
    if (!screen(*description.source, result.diagnostics)) return result;
    const Notation chosen = notation ? *notation : guess_notation(description.source->text());
    const auto reader = chosen == Notation::kif ? read_kif : read_infix;
    reader(*description.source, description.terms.symbols(), description.syntax, result.diagnostics);
    build_rules(description, result.diagnostics);
    if (description.syntax.statements.empty() && !result.diagnostics.has_errors()) {
        result.diagnostics.add("E109", {}, "the text contains no rules");
    }
    result.diagnostics.sort();
    return result;
}

ReadResult read_and_check(std::string name, std::string text, std::optional<Notation> notation) {
    ReadResult result = read(std::move(name), std::move(text), notation);
    Diagnostics found;
    if (!result.description.rules.empty()) check(result.description, found);
    if (!result.diagnostics.has_errors()) {
        result.diagnostics.append(found);
    } else {
        // Statements with a fault are missing from the rules, so what concerns the game as a whole (7xx: nothing
        // defined, no end, no goal …) would only be an echo of that fault.
        for (const Diagnostic& diagnostic : found.all()) {
            if (diagnostic.code[1] == '7') continue;
            result.diagnostics.add(diagnostic.code, diagnostic.span, diagnostic.message, diagnostic.hint);
        }
    }
    result.diagnostics.sort();
    return result;
}

}  // namespace stratagem::gdl
