// Recorded matches: every state with what should be true of it.
//
// One JSON object for each match and line, plain or compressed with gzip:
//
//   {"game": NAME, "match": K, "roles": [...], "truncated": true,
//    "steps": [{"state": [fluents], "terminal": false,
//               "legals": {role: [moves]},       absent in terminal states
//               "goals": {role: integer|null},   null: no value or more than one holds
//               "moves": [one for each role]}]}  absent in the last state
//
// Terms are lower-case prefix KIF with single spaces, fluents without the wrapping `true`.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace stratagem::machine {

struct TraceStep {
    std::vector<std::string> state;  // sorted
    bool terminal = false;
    // Both by role, in the order of Trace::roles; empty when not recorded. Moves are sorted.
    std::vector<std::vector<std::string>> legals;
    std::vector<std::optional<int>> goals;
    std::vector<std::string> moves;
};

struct Trace {
    std::string game;
    std::size_t match = 0;
    std::vector<std::string> roles;
    bool truncated = false;
    std::vector<TraceStep> steps;
};

// The file is missing, unreadable or not in the format; what() names it and the line.
class TraceError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// The text of a file, unpacked if it was compressed with gzip. Throws TraceError.
std::string read_text(const std::filesystem::path& path);

std::vector<Trace> read_traces(const std::filesystem::path& path);
// One line. Throws TraceError.
Trace parse_trace(std::string_view line);
// The line for a trace, without line break; parse_trace gives the trace back.
std::string to_json(const Trace& trace);

}  // namespace stratagem::machine
