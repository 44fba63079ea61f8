#include "arena/standings_table.h"

#include <fmt/format.h>

namespace stratagem::arena {

namespace {

std::string number(std::optional<double> value, int digits) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

std::vector<std::string> cells_of(const Tally& one) {
    const std::optional<Range> range = one.points().interval95();
    return {std::to_string(one.points().count()),
            one.points().count() == 0 ? "" : number(one.points().mean(), 2),
            range ? number(range->low, 2) : "",
            range ? number(range->high, 2) : "",
            !range                                            ? ""
            : one.points().method() == IntervalMethod::wilson ? "wilson"
                                                              : "student",
            number(one.win_rate(), 3),
            std::to_string(one.wins()),
            std::to_string(one.draws()),
            std::to_string(one.losses()),
            std::to_string(one.errors()),
            std::to_string(one.illegal()),
            std::to_string(one.late()),
            std::to_string(one.unreachable()),
            number(one.states_per_second(), 0)};
}

}  // namespace

Table standings_table(const std::string& title, const Standings& standings, std::span<const std::size_t> order,
                      std::span<const std::string> labels, const Provenance& provenance) {
    constexpr bool number_column = true, only_csv = true;
    Table table;
    table.title = title;
    table.columns = {{"player"},
                     {"recipe", false, only_csv},
                     {"game"},
                     {"rules", false, only_csv},
                     {"matches", number_column},
                     {"mean", number_column},
                     {"ci95_low", number_column},
                     {"ci95_high", number_column},
                     {"interval", false, only_csv},
                     {"win_rate", number_column},
                     {"wins", number_column},
                     {"draws", number_column},
                     {"losses", number_column},
                     {"errors", number_column},
                     {"illegal", number_column, only_csv},
                     {"late", number_column, only_csv},
                     {"unreachable", number_column, only_csv},
                     {"states_per_second", number_column, only_csv},
                     {"elo", number_column},
                     {"elo_ci95", number_column, only_csv}};
    const auto add = [&](std::size_t player, const std::string& game, const std::string& rules, const Tally& tally,
                         const std::optional<Rating>& rating) {
        std::vector<std::string>& row = table.rows.emplace_back();
        row = {labels[player], provenance.players.at(player).recipe, game, rules};
        for (std::string& cell : cells_of(tally)) row.push_back(std::move(cell));
        row.push_back(rating ? number(rating->elo, 0) : "");
        row.push_back(rating ? number(rating->ci95, 0) : "");
    };
    const bool several = standings.games().size() > 1;
    for (const std::size_t player : order) {
        // Ratings are of all games together.
        if (several) add(player, "all", "", standings.overall(player), standings.ratings()[player]);
        for (std::size_t game = 0; game < standings.games().size(); ++game) {
            const Provenance::Game& played = provenance.games.at(game);
            add(player, played.name, played.rules, standings.in_game(game, player),
                several ? std::nullopt : standings.ratings()[player]);
        }
    }
    table.about = lines_of(provenance);
    return table;
}

}  // namespace stratagem::arena
