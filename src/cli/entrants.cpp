#include "cli/entrants.h"

#include <fmt/format.h>

#include "protocol/remote_agent.h"
#include "util/options.h"

namespace stratagem::cli {

bool is_address(std::string_view text) { return text.find("://") != std::string_view::npos; }

arena::Entrant make_entrant(const std::string& name, const std::string& text, const EntrantOptions& options) {
    if (!is_address(text)) {
        return arena::local_entrant(name, player::Recipe(text), options.player, options.prepare);
    }
    if (!protocol::read_address(text) || !text.starts_with("http://")) {
        throw OptionError(fmt::format("'{}' is no address of a player; write http://host:port", text));
    }
    arena::Entrant entrant;
    entrant.name = name;
    entrant.text = entrant.spelled_out = text;
    entrant.elsewhere = true;
    entrant.make = [name, text, grace = options.grace, scramble = options.scramble](const arena::SeatOffer& offer) {
        protocol::RemoteSettings settings;
        settings.name = name;
        settings.grace = grace;
        if (scramble) settings.scramble = offer.seed;
        return std::make_unique<protocol::RemoteAgent>(text, std::move(settings));
    };
    return entrant;
}

}  // namespace stratagem::cli
