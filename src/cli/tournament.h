// A tournament as `stratagem tournament` plays it: what was asked for, what it is made of, and playing it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arena/contest.h"
#include "arena/provenance.h"
#include "arena/spec.h"
#include "arena/store.h"
#include "cli/command.h"

namespace stratagem::cli {

struct TournamentOptions {
    std::string file;
    std::string database;
    std::string report;
    std::string records;
    std::optional<std::size_t> parallel;
    std::size_t tries = 2;
    double board_megabytes = 4;
    player::PlayerSettings player;  // of which only the nodes and the limits of machines count
    // What --memory leaves for the table of a search; whatever SPEC asks for beyond that is not given.
    std::size_t table_megabytes = std::numeric_limits<std::size_t>::max();
    std::vector<std::string> tables;
    bool abort_on_error = false;
    bool in_process = false;
    bool example = false;
    bool log = false;
    bool json = false;
};

struct Tournament {
    const TournamentOptions& options;
    arena::TournamentSpec spec;
    arena::Contest contest = {};
    std::vector<std::string> names = {};  // of the games
    arena::Provenance provenance = {};
    std::vector<arena::PlannedMatch> plan = {};
    std::unique_ptr<arena::Store> store = nullptr;
    arena::Store::Run run = {};
    std::map<std::size_t, std::size_t> failed = {};  // by number: how often they were begun
};

// Plays what is not in its database yet, and tells and writes what came of all of it; an exit code. Throws SpecError,
// StoreError and RecordError.
int run_tournament(Tournament& tournament, Context& context);

}  // namespace stratagem::cli
