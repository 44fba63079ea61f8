// Where recorded matches come from: files of one or many, folders, databases; and the game they are of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "arena/record.h"
#include "arena/store.h"
#include "cli/command.h"

namespace stratagem::cli {

// Which matches of many are meant; all where nothing is said.
struct RecordChoice {
    std::string match;                // a number as reports have it, from 1, or an id
    std::optional<std::int64_t> run;  // of a database
};

struct FoundRecord {
    std::string place;       // for messages: "cup.db, match 3"
    std::size_t number = 1;  // within its file, or in the plan of its run
    std::int64_t run = 0;    // of a database
    arena::MatchRecord record;
};

// Whether records can be read from there, judged by the first bytes; a folder is one of records if it holds *.json.
bool holds_records(const std::filesystem::path& path);

// Calls `take` for each chosen match, until it returns false; a record that is damaged is told to `damaged` with its
// place, and the rest goes on. Takes the layout of public managers, one record to a file or to a line, also compressed;
// traces (machine/tools/trace.h); databases of `match --record` and `tournament`; and folders of such files.
// Throws RecordError and StoreError where nothing can be read, or where what is chosen is not there or not clear.
void each_record(const std::filesystem::path& path, const RecordChoice& choice,
                 const std::function<bool(const FoundRecord&)>& take,
                 const std::function<void(const std::string& problem)>& damaged);

// The rules of a record: those it holds, or of the bundled game of its name. Problems are told on standard error unless
// the game is merely unknown; then nothing is returned.
std::shared_ptr<const gdl::Description> rules_of(const arena::MatchRecord& record, const std::string& place);

}  // namespace stratagem::cli
