#include "cli/tournament_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "arena/standings_table.h"
#include "util/number_text.h"

namespace stratagem::cli {

namespace {

using Json = nlohmann::json;

// Null where nothing can be said.
Json number_json(std::optional<double> number) { return number ? Json(*number) : Json(); }

Json points_json(const arena::Sample& points) {
    const std::optional<arena::Range> range = points.interval95();
    return {{"matches", points.count()},
            {"mean", points.mean()},
            {"ci95", number_json(points.ci95())},
            {"ci95_low", range ? Json(range->low) : Json()},
            {"ci95_high", range ? Json(range->high) : Json()}};
}

Json tally_json(const arena::Tally& one) {
    Json object = points_json(one.points());
    object.update({{"win_rate", number_json(one.win_rate())},
                   {"wins", one.wins()},
                   {"draws", one.draws()},
                   {"losses", one.losses()},
                   {"errors", one.errors()},
                   {"illegal", one.illegal()},
                   {"late", one.late()},
                   {"unreachable", one.unreachable()},
                   {"states_per_second", one.states_per_second()},
                   {"slowest_reply", one.slowest()}});
    return object;
}

// As people count, from 1.
Json failed_numbers(const Tournament& cup) {
    Json numbers = Json::array();
    for (const auto& [number, tries] : cup.failed) numbers.push_back(number + 1);
    return numbers;
}

}  // namespace

Json match_json(const std::string& game, const arena::PlannedMatch& planned, const arena::MatchResult& result) {
    Json players = Json::array();
    Json scores = players;
    Json errors = players;
    for (const arena::SeatResult& seat : result.seats) {
        players.push_back(seat.player);
        scores.push_back(seat.score);
        errors.push_back(seat.errors());
    }
    return {{"match", planned.number + 1}, {"game", game},
            {"seed", result.seed},         {"players", std::move(players)},
            {"scores", std::move(scores)}, {"errors", std::move(errors)},
            {"moves", result.steps},       {"seconds", result.seconds},
            {"complete", result.complete}};
}

Json summary_json(const Tournament& cup, const arena::Standings& standings) {
    Json players = Json::array();
    for (const std::size_t player : standings.ranking()) {
        Json one = tally_json(standings.overall(player));
        one["player"] = cup.spec.players[player].name;
        const std::optional<arena::Rating>& rating = standings.ratings()[player];
        one["elo"] = rating ? Json(rating->elo) : Json();
        one["elo_ci95"] = rating ? Json(rating->ci95) : Json();
        Json games = Json::object();
        for (std::size_t game = 0; game < cup.names.size(); ++game) {
            games[cup.names[game]] = tally_json(standings.in_game(game, player));
        }
        one["games"] = std::move(games);
        Json against = Json::object();
        for (std::size_t other = 0; other < cup.spec.players.size(); ++other) {
            const arena::Pairing& pair = standings.pairing(player, other);
            if (pair.points.count() == 0) continue;
            Json one_pair = points_json(pair.points);
            one_pair["win_rate"] = number_json(pair.win_rate());
            against[cup.spec.players[other].name] = std::move(one_pair);
        }
        one["against"] = std::move(against);
        players.push_back(std::move(one));
    }
    return {{"summary", true},
            {"name", cup.spec.name},
            {"planned", cup.plan.size()},
            {"matches", standings.matches()},
            {"incomplete", standings.incomplete()},
            {"failed", failed_numbers(cup)},
            {"database", cup.spec.database.string()},
            {"report", cup.spec.report.string()},
            {"players", std::move(players)},
            {"provenance", to_json(cup.provenance)}};
}

void print_table(const Tournament& cup, const arena::Standings& standings) {
    std::size_t width = 8;
    for (const arena::PlayerSpec& player : cup.spec.players) width = std::max(width, player.name.size());
    fmt::print("{}: {} of {} matches\n\n", cup.spec.name, standings.matches(), cup.plan.size());
    fmt::print("{:<{}} {:>7} {:>20} {:>8} {:>12} {:>15} {:>6} {:>14}\n", "player", width, "matches", "mean points",
               "win rate", "Elo", "won/drawn/lost", "errors", "states/s");
    for (const std::size_t player : standings.ranking()) {
        const arena::Tally& one = standings.overall(player);
        const std::optional<arena::Rating>& rating = standings.ratings()[player];
        const std::optional<double> rate = one.win_rate();
        fmt::print("{:<{}} {:>7} {:>20} {:>8} {:>12} {:>15} {:>6} {:>14}\n", cup.spec.players[player].name, width,
                   one.points().count(), arena::mean_text(one.points()), rate ? fmt::format("{:.3f}", *rate) : "-",
                   rating ? fmt::format("{:+.0f} ± {:.0f}", rating->elo, rating->ci95) : "-",
                   fmt::format("{}/{}/{}", one.wins(), one.draws(), one.losses()), one.errors(),
                   with_commas(static_cast<std::uint64_t>(one.states_per_second())));
    }
}

}  // namespace stratagem::cli
