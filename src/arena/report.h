// A tournament as one page that can be read anywhere: no scripts, nothing fetched, for light and dark screens.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "arena/contest.h"
#include "arena/provenance.h"
#include "arena/record.h"
#include "arena/spec.h"
#include "arena/standings.h"

namespace stratagem::arena {

struct ReportSource {
    const TournamentSpec& spec;
    const Standings& standings;
    std::span<const StoredMatch> matches;
    std::span<const PlannedMatch> plan;  // of the whole tournament
    // The record of a match by its number; asked at most twice for each.
    std::function<std::optional<MatchRecord>(std::size_t number)> record;
    // Matches that were begun so often and came to no end, by number.
    std::map<std::size_t, std::size_t> failed = {};
    // The positions of a match drawn, as HTML. Matches have them in the order of their numbers, which goes through all
    // games and players, until the page holds so many bytes of them: thousands of matches make no page one can open.
    std::function<std::string(const MatchRecord&)> boards = {};
    std::size_t most_board_bytes = 4'000'000;
    std::string database = {};   // where `stratagem view` finds the matches; empty: nowhere
    Provenance provenance = {};  // of the run that makes the page
};

std::string html_report(const ReportSource& source);

// What people type to see a match played again; `opening_seed` as it was planned.
std::string replay_command(const TournamentSpec& spec, const std::string& game, const StoredMatch& match,
                           std::uint64_t opening_seed);

}  // namespace stratagem::arena
