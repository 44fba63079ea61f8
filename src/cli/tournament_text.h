// A tournament in words: one match, and all of them, as JSON and as a table for people.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "arena/contest.h"
#include "arena/standings.h"
#include "cli/tournament.h"

namespace stratagem::cli {

nlohmann::json match_json(const std::string& game, const arena::PlannedMatch& planned,
                          const arena::MatchResult& result);

nlohmann::json summary_json(const Tournament& cup, const arena::Standings& standings);

// On standard output.
void print_table(const Tournament& cup, const arena::Standings& standings);

}  // namespace stratagem::cli
