#include "arena/entrant.h"

#include "arena/local_agent.h"

namespace stratagem::arena {

Entrant local_entrant(std::string name, const player::Recipe& recipe, const player::PlayerSettings& settings,
                      bool prepares) {
    Entrant entrant;
    entrant.name = std::move(name);
    entrant.text = recipe.text();
    entrant.threads = recipe.threads().value_or(settings.search.threads);
    entrant.ponders = recipe.ponder().value_or(settings.ponder);
    entrant.make = [name = entrant.name, recipe, settings, prepares](const SeatOffer& offer) {
        player::PlayerSettings own = settings;
        own.search.seed = offer.seed;
        own.log = offer.log;
        if (!prepares) own.prepared = offer.factory;
        return std::make_unique<LocalAgent>(name, recipe, std::move(own));
    };
    return entrant;
}

}  // namespace stratagem::arena
