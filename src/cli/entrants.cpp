#include "cli/entrants.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/ranges.h"
#include "cli/run_game.h"
#include "protocol/remote_agent.h"
#include "util/options.h"
#include "worker/worker_agent.h"

namespace stratagem::cli {

void add_nodes_option(CLI::App& command, player::PlayerSettings& settings) {
    constexpr std::uint64_t most = 1'000'000'000'000'000;
    command
        .add_option("--nodes", settings.nodes,
                    "Search each move of a recipe with so many states, or leaves of a Monte-Carlo tree, and by no "
                    "clock: the same seed gives "
                    "the same matches on any computer. A recipe may have a number of its own, uct:nodes=1000; players "
                    "elsewhere keep the clocks")
        ->type_name("N")
        ->check(whole_number(1, most));
}

bool thinks(const player::Recipe& recipe) {
    const std::string_view name = recipe.entry() == nullptr ? std::string_view{} : recipe.entry()->name;
    return name != "random" && name != "legal";
}

bool is_address(std::string_view text) { return text.find("://") != std::string_view::npos; }

machine::MachineOptions machine_options(std::span<const arena::Entrant> entrants, player::PlayerSettings settings) {
    const bool counted = std::ranges::any_of(entrants, [](const arena::Entrant& one) { return !one.has_clock; });
    if (counted && !settings.nodes) settings.nodes = 1;
    machine::MachineOptions options = player::without_clock(settings.machine, settings);
    options.interrupt = Interruptible::flag();
    return options;
}

namespace {

bool is_isolated(const player::Recipe& recipe, Isolation isolation) {
    if (isolation != Isolation::thinkers) return isolation == Isolation::all;
    return thinks(recipe);
}

// host:port, as it is written elsewhere. After the colon of a recipe come options, never a number alone.
bool looks_like_address(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) return false;
    return text.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
}

// The same player in a process of its own. What it fails in is its own fault, and the match goes on.
void isolate(arena::Entrant& entrant, const EntrantOptions& options) {
    worker::WorkerSettings settings;
    settings.recipe = entrant.text;
    settings.player = options.player;
    settings.second = false;
    if (options.memory > 0) worker::share_memory(settings, options.memory);
    entrant.make = [name = entrant.name, settings, prepares = options.prepare](const arena::SeatOffer& offer) {
        worker::WorkerSettings one = settings;
        one.player.search.seed = offer.seed;
        one.player.log = offer.log;
        auto agent = std::make_unique<worker::WorkerAgent>(name, std::move(one));
        if (!prepares) agent->prepare(*offer.game);
        return agent;
    };
}

}  // namespace

arena::Entrant make_entrant(const std::string& name, const std::string& text, const EntrantOptions& options) {
    if (!is_address(text)) {
        if (looks_like_address(text)) {
            throw OptionError(
                fmt::format("'{0}' is no recipe; if it is the address of a player, write http://{0}", text));
        }
        const player::Recipe recipe(text);
        arena::Entrant entrant = arena::local_entrant(name, recipe, options.player, options.prepare);
        if (is_isolated(recipe, options.isolation)) isolate(entrant, options);
        return entrant;
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
