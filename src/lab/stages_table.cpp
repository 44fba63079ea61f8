#include "lab/stages_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace stratagem::lab {

namespace {

std::string number(std::optional<double> value, int digits = 2) {
    return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

// With all options, as the player of this name was made.
std::string recipe_of(const arena::Provenance& provenance, const std::string& name) {
    const auto found = std::ranges::find(provenance.players, name, &arena::Provenance::Player::name);
    return found == provenance.players.end() ? name : found->recipe;
}

std::vector<std::string> cells_of(const Duel& duel) {
    const std::optional<arena::Range> lead = duel.lead.interval95();
    const auto mean = [&](const arena::Sample& sample) { return duel.matches() == 0 ? "" : number(sample.mean()); };
    return {std::to_string(duel.matches()),
            mean(duel.first),
            mean(duel.second),
            mean(duel.lead),
            lead ? number(lead->low) : "",
            lead ? number(lead->high) : "",
            std::to_string(duel.wins),
            std::to_string(duel.draws),
            std::to_string(duel.losses),
            number(duel.win_rate(), 3),
            std::to_string(duel.errors),
            std::to_string(duel.incomplete),
            duel.alike ? "alike" : ""};
}

}  // namespace

arena::Table stages_table(const Stages& stages, const arena::Contest& contest, const arena::Provenance& provenance) {
    constexpr bool number_column = true, only_csv = true;
    arena::Table table;
    table.title = "Stages";
    table.columns = {{"first"},
                     {"first_recipe", false, only_csv},
                     {"second"},
                     {"second_recipe", false, only_csv},
                     {"game"},
                     {"rules", false, only_csv},
                     {"matches", number_column},
                     {"first_mean", number_column},
                     {"second_mean", number_column},
                     {"lead", number_column},
                     {"lead_ci95_low", number_column},
                     {"lead_ci95_high", number_column},
                     {"wins", number_column},
                     {"draws", number_column},
                     {"losses", number_column},
                     {"win_rate", number_column},
                     {"errors", number_column, only_csv},
                     {"incomplete", number_column, only_csv},
                     {"note"}};
    for (std::size_t pair = 0; pair < stages.pairs().size(); ++pair) {
        const std::string& first = stages.pairs()[pair].first;
        const std::string& second = stages.pairs()[pair].second;
        const auto add = [&](const std::string& game, const std::string& rules, const Duel& duel) {
            std::vector<std::string>& row = table.rows.emplace_back();
            row = {first, recipe_of(provenance, first), second, recipe_of(provenance, second), game, rules};
            for (std::string& cell : cells_of(duel)) row.push_back(std::move(cell));
        };
        for (std::size_t game = 0; game < contest.games.size(); ++game) {
            add(provenance.games.at(game).name, provenance.games.at(game).rules, stages.in_game(pair, game));
        }
        if (contest.games.size() > 1) add("all", "", stages.overall(pair));
    }
    table.about = lines_of(provenance);
    return table;
}

}  // namespace stratagem::lab
