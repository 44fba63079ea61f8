#include "arena/record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <fstream>
#include <iterator>
#include <utility>

#include "gdl/rules_text.h"
#include "machine/random.h"
#include "util/output_file.h"

namespace stratagem::arena {

namespace {

using nlohmann::json;

// Readers of the public layout insist on one, to tell matches of one name apart.
std::string make_token(std::string_view match_id, std::uint64_t seed) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    machine::Random random(std::hash<std::string_view>{}(match_id), seed);
    std::string token;
    for (int i = 0; i < 32; ++i) token += letters[random.below(letters.size())];
    return token;
}

// Managers count clocks in whole seconds; ours may have parts of them.
json clock_json(double seconds) {
    if (seconds == std::floor(seconds) && seconds < 1e9) return static_cast<std::int64_t>(seconds);
    return seconds;
}

// Values of a record, each with the place it has there for messages: "moves[3][0]". A file may hold anything.
[[noreturn]] void wrong(const std::string& place, const char* wanted, const json& found) {
    throw RecordError(fmt::format("the match record's '{}' is not {} but {}", place, wanted,
                                  found.is_null() ? "nothing" : found.type_name()));
}

void read(const json& from, const std::string& place, std::string& value) {
    if (!from.is_string()) wrong(place, "a text", from);
    value = from.get<std::string>();
}

void read(const json& from, const std::string& place, bool& value) {
    if (!from.is_boolean()) wrong(place, "true or false", from);
    value = from.get<bool>();
}

void read(const json& from, const std::string& place, double& value) {
    if (!from.is_number()) wrong(place, "a number", from);
    value = from.get<double>();
}

template <std::integral Value>
void read(const json& from, const std::string& place, Value& value) {
    if (!from.is_number_integer()) wrong(place, "a whole number", from);
    const bool fits = from.is_number_unsigned() ? std::in_range<Value>(from.get<std::uint64_t>())
                                                : std::in_range<Value>(from.get<std::int64_t>());
    if (!fits) wrong(place, "a number in its range", from);
    value = from.is_number_unsigned() ? static_cast<Value>(from.get<std::uint64_t>())
                                      : static_cast<Value>(from.get<std::int64_t>());
}

template <typename Value>
void take(const json& object, const char* key, Value& value, const std::string& before = "");

void read(const json& from, const std::string& place, std::optional<Thought>& value) {
    if (from.is_null()) return;
    if (!from.is_object()) wrong(place, "an object", from);
    Thought& thought = value.emplace();
    take(from, "source", thought.source, place + ".");
    take(from, "value", thought.value, place + ".");
    take(from, "proved", thought.proved, place + ".");
    take(from, "depth", thought.depth, place + ".");
    take(from, "nodes", thought.nodes, place + ".");
    take(from, "playouts", thought.playouts, place + ".");
    take(from, "seconds", thought.seconds, place + ".");
    take(from, "note", thought.note, place + ".");
}

template <typename Value>
void read(const json& from, const std::string& place, std::vector<Value>& values) {
    if (!from.is_array()) wrong(place, "a list", from);
    values.clear();
    for (std::size_t i = 0; i < from.size(); ++i) {
        Value value{};
        read(from[i], fmt::format("{}[{}]", place, i), value);
        values.push_back(std::move(value));
    }
}

template <typename Value>
void take(const json& object, const char* key, Value& value, const std::string& before) {
    const auto found = object.find(key);
    if (found != object.end() && !found->is_null()) read(*found, before + key, value);
}

json thought_json(const std::optional<Thought>& thought) {
    if (!thought) return nullptr;
    json object{{"source", thought->source},
                {"value", thought->value},
                {"depth", thought->depth},
                {"nodes", thought->nodes},
                {"seconds", thought->seconds}};
    if (thought->playouts > 0) object["playouts"] = thought->playouts;
    if (thought->proved) object["proved"] = true;
    if (!thought->note.empty()) object["note"] = thought->note;
    return object;
}

bool is_note(const std::string& note) { return !note.empty(); }
bool is_thought(const std::optional<Thought>& thought) { return thought.has_value(); }

template <typename Value, typename Has>
bool any_of_rows(const std::vector<std::vector<Value>>& rows, const Has& has) {
    return std::ranges::any_of(rows, [&](const auto& row) { return std::ranges::any_of(row, has); });
}

// "((a) (b))" is a list of facts, which we keep without its outer parentheses and with single spaces.
std::string facts_of(const std::string& place, std::string_view text) {
    std::string tidy;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (blank && (tidy.empty() || tidy.back() == ' ' || tidy.back() == '(')) continue;
        if (c == ')' && !tidy.empty() && tidy.back() == ' ') tidy.pop_back();
        tidy += blank ? ' ' : c;
    }
    while (!tidy.empty() && tidy.back() == ' ') tidy.pop_back();
    if (tidy.size() < 2 || tidy.front() != '(' || tidy.back() != ')') {
        throw RecordError(fmt::format("the match record's '{}' is no list of facts: {}", place, tidy.substr(0, 100)));
    }
    return tidy.substr(1, tidy.size() - 2);
}

void check(const MatchRecord& record) {
    const std::size_t roles = record.role_count();
    const auto fail = [](const std::string& what) { throw RecordError(fmt::format("the match record has {}", what)); };
    const auto check_rows = [&](const char* key, const auto& rows) {
        if (rows.size() > record.moves.size()) fail(fmt::format("more steps in '{}' than in 'moves'", key));
        for (std::size_t step = 0; step < rows.size(); ++step) {
            if (rows[step].size() == roles) continue;
            fail(fmt::format("{} entries in '{}[{}]' and {} roles", rows[step].size(), key, step, roles));
        }
    };
    check_rows("moves", record.moves);
    check_rows("errors", record.errors);
    check_rows("replyMilliseconds", record.reply_milliseconds);
    check_rows("faultNotes", record.fault_notes);
    check_rows("legalMoveCounts", record.legal_counts);
    check_rows("thoughts", record.thoughts);
    if (!record.goals.empty() && roles != 0 && record.goals.size() != roles) fail("goals of another number of roles");
    if (!record.states.empty() && record.states.size() != record.moves.size() + 1) {
        fail(fmt::format("{} states and {} steps", record.states.size(), record.moves.size()));
    }
}

// Whether this very text is there already: a tournament writes its records whenever it is gone on with.
bool holds(const std::filesystem::path& path, const std::string& text) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {}) == text;
}

}  // namespace

MatchRecord make_record(const MatchResult& result, const RecordHead& head) {
    MatchRecord record;
    record.match_id = result.id;
    record.random_token = make_token(result.id, result.seed);
    record.game = head.game;
    record.tournament = head.tournament;
    record.start_time = result.started;
    record.start_clock = head.clocks.start.count();
    record.play_clock = head.clocks.play.count();
    record.completed = result.complete;
    record.aborted = !result.complete;
    record.scrambled = head.scrambled;
    record.rules = head.rules;
    if (!head.rules.empty()) record.rules_hash = gdl::rules_hash(head.rules);
    record.problem = result.problem;
    record.roles = result.roles;
    record.player_names.assign(result.roles.size(), "random");
    record.start_errors.assign(result.roles.size(), "");
    for (const SeatResult& seat : result.seats) {
        const auto place = std::ranges::find(result.roles, seat.role) - result.roles.begin();
        record.player_names[static_cast<std::size_t>(place)] = seat.player;
        record.start_errors[static_cast<std::size_t>(place)] = to_string(seat.start);
    }
    record.states = result.states;
    record.own_start = result.own_start;
    record.state_times = result.state_times;
    record.moves = result.moves;
    for (const std::vector<Fault>& step : result.faults) {
        std::vector<std::string>& marks = record.errors.emplace_back();
        for (const Fault fault : step) marks.emplace_back(to_string(fault));
    }
    for (const std::vector<double>& step : result.reply_seconds) {
        std::vector<double>& row = record.reply_milliseconds.emplace_back();
        for (const double seconds : step) row.push_back(std::round(seconds * 1e6) / 1e3);
    }
    record.legal_counts = result.legal_counts;
    if (any_of_rows(result.fault_notes, is_note)) record.fault_notes = result.fault_notes;
    if (any_of_rows(result.thoughts, is_thought)) record.thoughts = result.thoughts;
    // A value that is no number has no place in JSON.
    for (auto& step : record.thoughts) {
        for (std::optional<Thought>& thought : step) {
            if (thought && !std::isfinite(thought->value)) thought->value = 0;
            if (thought) thought->value = std::round(thought->value * 1e3) / 1e3;
            if (thought) thought->seconds = std::round(thought->seconds * 1e6) / 1e6;
        }
    }
    record.goals = result.goals;
    record.seed = result.seed;
    record.provenance = head.provenance;
    return record;
}

json to_json(const MatchRecord& record) {
    json states = json::array();
    for (const std::string& state : record.states) states.push_back("(" + state + ")");
    json object{{"matchId", record.match_id},
                {"randomToken", record.random_token},
                {"startTime", record.start_time},
                {"gameName", record.game},
                // Readers look for it; there is no public address of a game played from a file.
                {"gameMetaURL", ""},
                {"isCompleted", record.completed},
                {"isAborted", record.aborted},
                {"roles", record.roles},
                {"states", std::move(states)},
                {"moves", record.moves},
                {"stateTimes", record.state_times},
                {"errors", record.errors},
                {"replyMilliseconds", record.reply_milliseconds},
                {"legalMoveCounts", record.legal_counts},
                {"previewClock", -1},
                {"startClock", clock_json(record.start_clock)},
                {"playClock", clock_json(record.play_clock)},
                {"playerNamesFromHost", record.player_names},
                {"scrambled", record.scrambled},
                {"seed", record.seed}};
    if (!record.rules.empty()) object["gameRules"] = record.rules;
    if (!record.rules_hash.empty()) object["gameRulesHash"] = record.rules_hash;
    if (!record.problem.empty()) object["problem"] = record.problem;
    if (!record.fault_notes.empty()) object["faultNotes"] = record.fault_notes;
    if (!record.thoughts.empty()) {
        json rows = json::array();
        for (const auto& step : record.thoughts) {
            json& row = rows.emplace_back(json::array());
            for (const std::optional<Thought>& thought : step) row.push_back(thought_json(thought));
        }
        object["thoughts"] = std::move(rows);
    }
    if (record.own_start && !record.states.empty()) object["startState"] = "(" + record.states.front() + ")";
    if (!record.provenance.empty()) object["provenance"] = json::parse(record.provenance);
    if (!record.goals.empty()) object["goalValues"] = record.goals;
    if (!record.tournament.empty()) object["tournamentNameFromHost"] = record.tournament;
    if (std::ranges::any_of(record.start_errors, [](const std::string& mark) { return !mark.empty(); })) {
        object["startErrors"] = record.start_errors;
    }
    return object;
}

MatchRecord record_from_json(const json& object) {
    if (!object.is_object()) throw RecordError("a match record is a JSON object");
    MatchRecord record;
    take(object, "matchId", record.match_id);
    take(object, "randomToken", record.random_token);
    take(object, "startTime", record.start_time);
    take(object, "gameName", record.game);
    if (record.game.empty()) take(object, "gameMetaURL", record.game);
    take(object, "isCompleted", record.completed);
    take(object, "isAborted", record.aborted);
    take(object, "roles", record.roles);
    std::vector<std::string> states;
    take(object, "states", states);
    for (std::size_t i = 0; i < states.size(); ++i) {
        record.states.push_back(facts_of(fmt::format("states[{}]", i), states[i]));
    }
    take(object, "moves", record.moves);
    take(object, "stateTimes", record.state_times);
    take(object, "errors", record.errors);
    take(object, "replyMilliseconds", record.reply_milliseconds);
    take(object, "faultNotes", record.fault_notes);
    take(object, "legalMoveCounts", record.legal_counts);
    take(object, "thoughts", record.thoughts);
    take(object, "gameRules", record.rules);
    take(object, "gameRulesHash", record.rules_hash);
    take(object, "problem", record.problem);
    take(object, "goalValues", record.goals);
    take(object, "startClock", record.start_clock);
    take(object, "playClock", record.play_clock);
    take(object, "playerNamesFromHost", record.player_names);
    take(object, "scrambled", record.scrambled);
    take(object, "tournamentNameFromHost", record.tournament);
    take(object, "seed", record.seed);
    record.own_start = object.contains("startState");
    if (const auto found = object.find("provenance"); found != object.end()) record.provenance = found->dump();
    record.start_errors.assign(record.roles.size(), "");
    take(object, "startErrors", record.start_errors);
    if (record.match_id.empty()) throw RecordError("the match record has no 'matchId'");
    check(record);
    return record;
}

MatchRecord record_from_text(std::string_view text) {
    json object;
    try {
        object = json::parse(text);
    } catch (const json::parse_error& fault) {
        // "[json.exception.parse_error.101] parse error at line 3, column 7: … - …; last read: '…'". What was read may
        // be any bytes, and may be long.
        std::string_view what = fault.what();
        what.remove_prefix(std::min(what.find("parse error"), what.size()));
        throw RecordError(fmt::format("this is no JSON: {}", what.substr(0, what.find("; last read"))));
    }
    return record_from_json(object);
}

std::string to_text(const MatchRecord& record) {
    // One line for each key, and one for each step: a record is read by people too.
    const json object = to_json(record);
    const auto dump = [](const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); };
    std::string text = "{\n";
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        text += fmt::format("{}  {}: ", entry == object.begin() ? "" : ",\n", dump(entry.key()));
        const bool rows =
            entry->is_array() && !entry->empty() && (entry->front().is_array() || entry.key() == "states");
        if (!rows) {
            text += dump(*entry);
            continue;
        }
        text += "[\n";
        for (std::size_t i = 0; i < entry->size(); ++i) {
            text += fmt::format("    {}{}\n", dump((*entry)[i]), i + 1 < entry->size() ? "," : "");
        }
        text += "  ]";
    }
    return text + "\n}\n";
}

std::filesystem::path write_record(const std::filesystem::path& folder, const MatchRecord& record) {
    constexpr std::size_t longest_name = 200;
    constexpr int most_of_a_name = 10'000;
    std::string name;
    for (const char c : record.match_id.substr(0, longest_name)) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        name += plain || c == '_' ? c : '_';
    }
    std::error_code ignored;  // writing says what is wrong
    std::filesystem::create_directories(folder, ignored);
    const std::string text = to_text(record);
    for (int i = 1; i < most_of_a_name; ++i) {
        std::filesystem::path path = folder / (i == 1 ? name + ".json" : fmt::format("{}-{}.json", name, i));
        const NewFile file = make_file(path, text);
        if (file.problem) throw RecordError(fmt::format("cannot write {}: {}", path.string(), *file.problem));
        if (file.made || holds(path, text)) return path;
    }
    throw RecordError(fmt::format("too many files are named {} in {}", name, folder.string()));
}

void check_folder(const std::filesystem::path& folder) {
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    if (const WriteProblem problem = cannot_write(folder / "record.json")) {
        throw RecordError(fmt::format("cannot write to {}: {}", folder.string(), *problem));
    }
}

}  // namespace stratagem::arena
