// A tournament as one page that can be read anywhere: no scripts, nothing fetched, for light and dark screens.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "arena/contest.h"
#include "arena/record.h"
#include "arena/spec.h"
#include "arena/standings.h"

namespace stratagem::arena {

struct ReportSource {
    const TournamentSpec& spec;
    const Standings& standings;
    std::span<const StoredMatch> matches;
    std::span<const PlannedMatch> plan;  // of the whole tournament
    // The record of a match by its number; asked once for each.
    std::function<std::optional<MatchRecord>(std::size_t number)> record;
};

std::string html_report(const ReportSource& source);

// What people type to see a match played again; `opening_seed` as it was planned.
std::string replay_command(const TournamentSpec& spec, const std::string& game, const StoredMatch& match,
                           std::uint64_t opening_seed);

}  // namespace stratagem::arena
