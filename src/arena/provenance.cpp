#include "arena/provenance.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <thread>

#include "build_info.h"
#include "gdl/rules_text.h"

namespace stratagem::arena {

namespace {

using nlohmann::json;

// As the system names it; the kind of machine where it does not.
std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    utsname system{};
    return uname(&system) == 0 ? system.machine : "unknown";
}

std::optional<double> load_now() {
    double load = 0;
    return getloadavg(&load, 1) == 1 ? std::optional(load) : std::nullopt;
}

std::string budget_text(const MatchSettings& match) {
    if (match.player.nodes) return fmt::format("{} nodes per move", *match.player.nodes);
    return fmt::format("{} s, {} s per move", match.clocks.start.count(), match.clocks.play.count());
}

json head_json(const Provenance& provenance) {
    return {{"version", provenance.version},
            {"commit", provenance.commit.empty() ? json() : json(provenance.commit)},
            {"date", provenance.date},
            {"processor", provenance.processor},
            {"processors", provenance.processors},
            {"load", provenance.load ? json(*provenance.load) : json()},
            {"budget", provenance.budget}};
}

json game_json(const Provenance::Game& game) { return {{"name", game.name}, {"rules", game.rules}}; }

json player_json(const Provenance::Player& player) {
    return {{"name", player.name}, {"recipe", player.recipe}, {"searches", player.searches}};
}

}  // namespace

Provenance provenance_of(const Contest& contest, std::uint64_t seed) {
    Provenance made;
    made.version = build_info::version;
    made.commit = build_info::commit;
    made.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    made.processor = processor_name();
    made.processors = std::thread::hardware_concurrency();
    made.load = load_now();
    made.budget = budget_text(contest.match);
    made.seed = seed;
    for (const auto& game : contest.games) {
        const std::optional<std::string> rules = game->unprepared().rules();
        made.games.push_back({game->name(), rules ? gdl::rules_hash(*rules) : std::string()});
    }
    for (const Entrant& entrant : contest.entrants) {
        made.players.push_back({entrant.name, entrant.spelled_out, entrant.searches});
    }
    return made;
}

json to_json(const Provenance& provenance) {
    json object = head_json(provenance);
    object["seed"] = provenance.seed;
    object["games"] = json::array();
    object["players"] = json::array();
    for (const Provenance::Game& game : provenance.games) object["games"].push_back(game_json(game));
    for (const Provenance::Player& player : provenance.players) object["players"].push_back(player_json(player));
    return object;
}

json to_json(const Provenance& provenance, const PlannedMatch& planned) {
    json object = head_json(provenance);
    object["game"] = game_json(provenance.games.at(planned.game));
    object["players"] = json::array();
    for (const std::size_t player : planned.seating) {
        object["players"].push_back(player_json(provenance.players.at(player)));
    }
    return object;
}

std::vector<std::pair<std::string, std::string>> lines_of(const Provenance& provenance) {
    return {{"version", provenance.version},
            {"commit", provenance.commit.empty() ? "unknown" : provenance.commit},
            {"date", provenance.date},
            {"processor", fmt::format("{} ({})", provenance.processor, provenance.processors)},
            {"load", provenance.load ? fmt::format("{:.2f}", *provenance.load) : "unknown"},
            {"budget", provenance.budget},
            {"seed", std::to_string(provenance.seed)}};
}

}  // namespace stratagem::arena
