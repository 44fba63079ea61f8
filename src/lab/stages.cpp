#include "lab/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace stratagem::lab {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::size_t entrant_named(arena::Contest& contest, const std::string& name,
                          const std::function<arena::Entrant(const std::string&)>& make) {
    const auto known = std::ranges::find(contest.entrants, name, &arena::Entrant::name);
    if (known != contest.entrants.end()) return static_cast<std::size_t>(known - contest.entrants.begin());
    contest.entrants.push_back(make(name));
    return contest.entrants.size() - 1;
}

}  // namespace

std::vector<StagePair> read_pairs(std::string_view text) {
    const bool long_form = text.find(" vs ") != std::string_view::npos;
    const std::string_view between = long_form ? " vs " : ":";
    std::vector<StagePair> pairs;
    for (bool more = true; more;) {
        const std::size_t end = text.find(long_form ? ';' : ',');
        more = end != std::string_view::npos;
        const std::string_view item = trimmed(text.substr(0, end));
        text = more ? text.substr(end + 1) : "";
        const std::size_t middle = item.find(between);
        const std::string_view first = trimmed(item.substr(0, middle));
        const std::string_view second =
            middle == std::string_view::npos ? "" : trimmed(item.substr(middle + between.size()));
        if (first.empty() || second.empty() || second.find(between) != std::string_view::npos) {
            throw std::invalid_argument(
                fmt::format("'{}' is no pair; write A:B, or \"A vs B; C vs D\" where recipes have options", item));
        }
        pairs.push_back({std::string(first), std::string(second)});
    }
    return pairs;
}

void Duel::add(double first_points, double second_points) {
    first.add(first_points);
    second.add(second_points);
    lead.add(first_points - second_points);
    ++(first_points > second_points ? wins : first_points < second_points ? losses : draws);
}

std::optional<double> Duel::win_rate() const {
    const double all = first.mean() + second.mean();
    return matches() > 0 && all > 0 ? std::optional(first.mean() / all) : std::nullopt;
}

Stages::Stages(arena::Contest& contest, std::vector<StagePair> pairs, std::size_t matches, std::uint64_t seed,
               const std::function<arena::Entrant(const std::string&)>& make, const Alike& alike)
    : pairs_(std::move(pairs)),
      by_game_(pairs_.size(), std::vector<Duel>(contest.games.size())),
      overall_(pairs_.size()) {
    for (const StagePair& pair : pairs_) {
        first_.push_back(entrant_named(contest, pair.first, make));
        second_.push_back(entrant_named(contest, pair.second, make));
        if (first_.back() == second_.back()) {
            throw std::invalid_argument(fmt::format("{} against itself would show nothing", pair.first));
        }
    }
    // Game by game, so that what was found out of one need not be kept for another.
    for (std::size_t game = 0; alike && game < contest.games.size(); ++game) {
        for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
            by_game_[pair][game].alike = alike(pairs_[pair], *contest.games[game]);
        }
    }
    const std::size_t rounds = arena::whole_rotations(matches, 2, true);
    for (std::size_t round = 0; round < rounds; ++round) plan_round(contest, round, matches, seed);
}

void Stages::plan_round(const arena::Contest& contest, std::size_t round, std::size_t matches, std::uint64_t seed) {
    for (std::size_t game = 0; game < contest.games.size(); ++game) {
        const std::size_t seats = contest.games[game]->seats();
        const bool alone = seats == 1;
        if (alone && round >= matches) continue;  // there are no seats to change
        arena::PlannedMatch planned;
        planned.game = game;
        planned.seed = arena::match_seed(seed, round);
        planned.opening_seed = arena::match_seed(seed, alone ? round : round / 2);
        for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
            if (by_game_[pair][game].alike) continue;
            plan_match(planned, pair, seats, alone ? 0 : round);
            if (alone) plan_match(planned, pair, seats, 1);  // one of the same seed for the other
        }
    }
}

// `planned` lacks its number and who sits where; they change over with every turn.
void Stages::plan_match(arena::PlannedMatch planned, std::size_t pair, std::size_t seats, std::size_t turn) {
    planned.number = plan_.size();
    for (std::size_t seat = 0; seat < seats; ++seat) {
        planned.seating.push_back((seat + turn) % 2 == 0 ? first_[pair] : second_[pair]);
    }
    plan_.push_back(std::move(planned));
    pair_.push_back(pair);
}

void Stages::take(const arena::PlannedMatch& planned, const arena::MatchResult& result) {
    const std::size_t pair = pair_[planned.number];
    for (Duel* duel : {&by_game_[pair][planned.game], &overall_[pair]}) {
        for (const arena::SeatResult& seat : result.seats) duel->errors += seat.errors();
        if (!result.complete) ++duel->incomplete;
    }
    if (!result.complete) return;
    arena::Sample first, second;
    for (std::size_t seat = 0; seat < planned.seating.size(); ++seat) {
        (planned.seating[seat] == first_[pair] ? first : second).add(result.seats[seat].score);
    }
    if (planned.seating.size() > 1) return count(pair, planned.game, first.mean(), second.mean());
    // The matches of a pair for one follow each other in the plan, that of the first before that of the second.
    const bool is_first = first.count() > 0;
    const auto other = alone_.find(is_first ? planned.number + 1 : planned.number - 1);
    if (other == alone_.end()) {
        alone_[planned.number] = is_first ? first.mean() : second.mean();
    } else {
        count(pair, planned.game, is_first ? first.mean() : other->second, is_first ? other->second : second.mean());
        alone_.erase(other);
    }
}

void Stages::count(std::size_t pair, std::size_t game, double first, double second) {
    by_game_[pair][game].add(first, second);
    overall_[pair].add(first, second);
}

}  // namespace stratagem::lab
