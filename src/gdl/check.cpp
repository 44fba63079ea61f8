#include "gdl/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/check/passes.h"
#include "util/contract.h"

namespace stratagem::gdl {

namespace passes {

Context::Context(const Description& rules) : description(rules), terms(rules.terms), graph(rules) {
    if (description.source == nullptr) return;
    const std::string_view text = description.source->text();
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool ends = text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'));
        if (ends) line_ends_.push_back(static_cast<std::uint32_t>(at));
    }
}

std::string Context::text(Node place, std::string_view fallback) const {
    constexpr std::size_t longest = 60;
    if (description.source == nullptr || place == Node::none) return std::string(fallback);
    const std::string_view whole = description.source->text(description.span(place));
    if (whole.size() > longest || whole.find_first_of("\n\r\t") != std::string_view::npos) return std::string(fallback);
    return std::string(whole);
}

std::string Context::line(Node place) const {
    if (place == Node::none) return "another place";
    const auto before = std::lower_bound(line_ends_.begin(), line_ends_.end(), description.span(place).begin);
    return fmt::format("line {}", before - line_ends_.begin() + 1);
}

std::string Context::chain(const Ways& ways, RelationId from) const {
    STRATAGEM_EXPECTS(ways.leads(from));
    constexpr int shown = 6;
    const auto step = [&](const Dependency& edge) {
        return fmt::format(" -> {}{}", edge.negative ? "not " : "", name(edge.to));
    };
    std::string result(name(from));
    for (int i = 0; i < shown && ways.distance(from) > 1; ++i) {
        result += step(ways.first_step(from));
        from = ways.first_step(from).to;
    }
    if (ways.distance(from) > 1) result += " -> ...";
    if (ways.distance(from) > 0) result += step(ways.last_step(from));
    return result;
}

std::string arguments(std::uint32_t count) {
    if (count == 0) return "no arguments";
    return fmt::format("{} argument{}", count, count == 1 ? "" : "s");
}

}  // namespace passes

void check(const Description& description, Diagnostics& diagnostics) {
    const passes::Context context(description);
    passes::check_arities(context);
    passes::check_heads(context);
    passes::check_dependencies(context);
    passes::check_safety(context);
    passes::check_stratification(context);
    passes::check_recursion(context);
    passes::check_roles(context);
    passes::check_game(context);
    passes::check_names(context);
    passes::check_rules(context);
    context.hand_over(diagnostics);
}

bool passes_check(const Description& description) {
    Diagnostics diagnostics;
    check(description, diagnostics);
    return !diagnostics.has_errors();
}

}  // namespace stratagem::gdl
