// A match as it is written down: the JSON layout that public game managers publish, so that what reads theirs reads
// ours. Keys of our own come on top (the rules, roles, seed, reply times, what players thought), and readers skip what
// they do not know. A record needs nothing else to be looked at and checked.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "arena/match.h"

namespace stratagem::arena {

// A record that cannot be written or read.
struct RecordError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct MatchRecord {
    std::string match_id;
    std::string random_token;
    std::string game;             // gameName: what people call it
    std::string tournament;       // tournamentNameFromHost; empty: none
    std::int64_t start_time = 0;  // milliseconds of the time of day
    double start_clock = 0;
    double play_clock = 0;
    std::string rules;       // gdl::rules_text; empty: not recorded
    std::string rules_hash;  // of that text
    std::string problem;     // why the match was ended before its end, where that is known
    bool completed = false;
    bool aborted = false;
    bool scrambled = false;
    std::vector<std::string> roles;
    std::vector<std::string> player_names;                      // by role; "random" for chance
    bool own_start = false;                                     // the first state is not the one the rules begin with
    std::vector<std::string> states;                            // "(cell 1 1 b) (control x)"
    std::vector<std::int64_t> state_times;                      // one for each state
    std::vector<std::vector<std::string>> moves;                // by step and role
    std::vector<std::vector<std::string>> errors;               // likewise: "", "IL", "TO" or "CE"
    std::vector<std::vector<double>> reply_milliseconds;        // likewise, to the microsecond
    std::vector<std::vector<std::string>> fault_notes;          // likewise: what was answered instead
    std::vector<std::vector<std::uint32_t>> legal_counts;       // likewise: how many moves there were to choose from
    std::vector<std::vector<std::optional<Thought>>> thoughts;  // likewise
    std::vector<std::string> start_errors;                      // by role
    std::vector<int> goals;                                     // by role; empty unless completed
    std::uint64_t seed = 0;                                     // with the same players, the match can be played again

    std::size_t role_count() const { return roles.empty() && !moves.empty() ? moves.front().size() : roles.size(); }

    std::string provenance;  // a JSON object as text; empty: unknown

    friend bool operator==(const MatchRecord&, const MatchRecord&) = default;
};

// Of lists by step and role, which may be missing or shorter in records of others; nothing where there is none.
template <typename Value>
const Value* recorded(const std::vector<std::vector<Value>>& rows, std::size_t step, std::size_t role) {
    return step < rows.size() && role < rows[step].size() ? &rows[step][role] : nullptr;
}

struct RecordHead {
    std::string game;
    std::string tournament;
    player::Clocks clocks;
    bool scrambled = false;
    std::string rules = {};       // gdl::rules_text
    std::string provenance = {};  // a JSON object (provenance.h)
};
MatchRecord make_record(const MatchResult& result, const RecordHead& head);

nlohmann::json to_json(const MatchRecord& record);
// Of ours, or of a public manager (where what is missing stays empty). Throws RecordError saying what is wrong with it,
// and in which place.
MatchRecord record_from_json(const nlohmann::json& object);
// The same from text; what is no JSON is told with line and column.
MatchRecord record_from_text(std::string_view text);

// Over several lines, as a file; bytes that are no UTF-8 are replaced.
std::string to_text(const MatchRecord& record);
// To DIR/<match id>.json, whole or not at all and never over anything else: where another file has the name, a number
// is put behind it. Makes the folder. Returns the file. Throws RecordError.
std::filesystem::path write_record(const std::filesystem::path& folder, const MatchRecord& record);
// Makes the folder; throws RecordError where write_record could not write there.
void check_folder(const std::filesystem::path& folder);

}  // namespace stratagem::arena
