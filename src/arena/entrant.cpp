#include "arena/entrant.h"

#include <fmt/format.h>

#include <algorithm>

#include "arena/local_agent.h"
#include "player/spelled_out.h"

namespace stratagem::arena {

std::vector<std::string> labels_of(std::span<const Entrant> entrants) {
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < entrants.size(); ++i) {
        const std::string& name = entrants[i].name;
        const auto same = [&](const Entrant& one) { return one.name == name; };
        labels.push_back(std::ranges::count_if(entrants, same) == 1
                             ? name
                             : fmt::format("{} ({})", name, std::ranges::count_if(entrants.first(i + 1), same)));
    }
    return labels;
}

Entrant local_entrant(std::string name, const player::Recipe& recipe, const player::PlayerSettings& settings,
                      bool prepares) {
    Entrant entrant;
    entrant.name = std::move(name);
    entrant.text = recipe.text();
    entrant.spelled_out = player::spelled_out(recipe, settings);
    entrant.has_clock = !player::nodes_of(recipe, settings);
    entrant.searches = player::searches_spelled_out(recipe);
    entrant.threads = recipe.threads().value_or(entrant.has_clock ? settings.search.threads : 1);
    entrant.ponders = entrant.has_clock && recipe.ponder().value_or(settings.ponder);
    entrant.make = [name = entrant.name, recipe, settings, prepares](const SeatOffer& offer) {
        player::PlayerSettings own = settings;
        own.search.seed = offer.seed;
        own.log = offer.log;
        own.prepares = prepares;
        return std::make_unique<LocalAgent>(name, recipe, std::move(own));
    };
    return entrant;
}

}  // namespace stratagem::arena
