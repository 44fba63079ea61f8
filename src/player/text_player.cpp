#include "player/text_player.h"

#include <fmt/format.h>

#include <algorithm>

#include "gdl/print.h"
#include "machine/gdl_game.h"

namespace stratagem::player {

namespace {

// The first errors are what their author can mend first; thousands more may follow from them.
std::string first_errors(const gdl::ReadResult& result) {
    constexpr std::size_t most = 3;
    std::string text;
    std::size_t told = 0;
    for (const gdl::Diagnostic& diagnostic : result.diagnostics.all()) {
        if (diagnostic.severity != gdl::Severity::error) continue;
        if (told == most) break;
        const gdl::Position place = result.description.source->position(diagnostic.span.begin);
        text += fmt::format("{}line {}, column {}: {} ({})", told == 0 ? "" : "; ", place.line, place.column,
                            diagnostic.message, diagnostic.code);
        ++told;
    }
    const std::size_t all = result.diagnostics.errors();
    if (all > told) text += fmt::format("; {} errors in all", all);
    return text;
}

}  // namespace

std::shared_ptr<const machine::Game> read_match(const TextMatch& match, Opening& opening) {
    auto result = std::make_shared<gdl::ReadResult>(gdl::read_and_check(match.name, match.rules, match.notation));
    opening.known = true;
    if (!result->ok()) {
        opening.fault = fmt::format("these rules are not valid: {}", first_errors(*result));
        return nullptr;
    }
    const gdl::Description& description = result->description;
    for (const gdl::Term role : description.roles()) opening.roles.push_back(gdl::to_kif(description.terms, role));
    opening.sees = std::ranges::any_of(description.rules, [&](const gdl::Rule& rule) {
        return description.terms.symbol(rule.head) == gdl::keyword::sees;
    });
    const auto own = std::ranges::find(opening.roles, match.role);
    if (own == opening.roles.end()) {
        constexpr std::size_t longest = 60;
        opening.fault = fmt::format("these rules have no role {}", match.role.substr(0, longest));
        return nullptr;
    }
    opening.own = static_cast<std::size_t>(own - opening.roles.begin());
    return machine::GdlGame::at_once({result, &result->description});
}

namespace {

PlayerSettings for_a_game(PlayerSettings settings, bool prepared) {
    settings.prepares = settings.prepares && !prepared;
    return settings;
}

}  // namespace

LocalTextPlayer::LocalTextPlayer(Recipe recipe, PlayerSettings settings, std::shared_ptr<const machine::Game> prepared)
    : prepared_(std::move(prepared)),
      player_(std::move(recipe), for_a_game(std::move(settings), prepared_ != nullptr)) {}

Opening LocalTextPlayer::start(const TextMatch& match, TimePoint received) {
    std::shared_ptr<const machine::Game> game = read_match(match, opening_);
    if (!game) return opening_;
    if (prepared_) game = prepared_;
    if (match.state) player_.begin_at(*match.state);
    const machine::Role role{static_cast<std::uint32_t>(opening_.own)};
    if (!player_.start(std::move(game), role, match.clocks, received)) opening_.fault = "these rules cannot be run";
    return opening_;
}

}  // namespace stratagem::player
