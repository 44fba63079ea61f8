#include "arena/record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "machine/random.h"
#include "util/output_file.h"

namespace stratagem::arena {

namespace {

using nlohmann::json;

// Readers of the public layout insist on one, to tell matches of one name apart.
std::string make_token(std::uint64_t seed, std::int64_t started) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
    machine::Random random(seed, static_cast<std::uint64_t>(started));
    std::string token;
    for (int i = 0; i < 32; ++i) token += letters[random.below(letters.size())];
    return token;
}

// Managers count clocks in whole seconds; ours may have parts of them.
json clock_json(double seconds) {
    if (seconds == std::floor(seconds) && seconds < 1e9) return static_cast<std::int64_t>(seconds);
    return seconds;
}

template <typename T>
void take(const json& object, const char* key, T& value) {
    const auto found = object.find(key);
    if (found == object.end() || found->is_null()) return;
    try {
        value = found->get<T>();
    } catch (const json::exception& fault) {
        throw std::invalid_argument(
            fmt::format("the match record's '{}' is not as it should be: {}", key, fault.what()));
    }
}

// "((a) (b))" is a list of facts, which we keep without its outer parentheses and with single spaces.
std::string facts_of(std::string_view text) {
    std::string tidy;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (blank && (tidy.empty() || tidy.back() == ' ' || tidy.back() == '(')) continue;
        if (c == ')' && !tidy.empty() && tidy.back() == ' ') tidy.pop_back();
        tidy += blank ? ' ' : c;
    }
    while (!tidy.empty() && tidy.back() == ' ') tidy.pop_back();
    if (tidy.size() < 2 || tidy.front() != '(' || tidy.back() != ')') {
        throw std::invalid_argument(fmt::format("the match record has a state that is no list of facts: {}", tidy));
    }
    return tidy.substr(1, tidy.size() - 2);
}

void check(const MatchRecord& record) {
    const auto per_role = [](const auto& rows, std::size_t roles) {
        return std::ranges::all_of(rows, [&](const auto& row) { return row.size() == roles; });
    };
    const std::size_t roles = record.moves.empty() ? record.roles.size() : record.moves.front().size();
    const auto fail = [](const char* what) {
        throw std::invalid_argument(fmt::format("the match record has {}", what));
    };
    if (!per_role(record.moves, roles)) fail("steps with different numbers of moves");
    if (!per_role(record.errors, roles)) fail("steps with a number of errors other than that of roles");
    if (!record.roles.empty() && record.roles.size() != roles) fail("moves of another number of roles");
    if (!record.goals.empty() && roles != 0 && record.goals.size() != roles) fail("goals of another number of roles");
    if (!record.states.empty() && record.states.size() != record.moves.size() + 1) {
        fail("a number of states other than that of moves and one");
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
    record.random_token = make_token(result.seed, result.started);
    record.game = head.game;
    record.tournament = head.tournament;
    record.start_time = result.started;
    record.start_clock = head.clocks.start.count();
    record.play_clock = head.clocks.play.count();
    record.completed = result.complete;
    record.aborted = !result.complete;
    record.scrambled = head.scrambled;
    record.roles = result.roles;
    record.player_names.assign(result.roles.size(), "random");
    record.start_errors.assign(result.roles.size(), "");
    for (const SeatResult& seat : result.seats) {
        const auto place = std::ranges::find(result.roles, seat.role) - result.roles.begin();
        record.player_names[static_cast<std::size_t>(place)] = seat.player;
        record.start_errors[static_cast<std::size_t>(place)] = to_string(seat.start);
    }
    record.states = result.states;
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
    record.goals = result.goals;
    record.seed = result.seed;
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
    if (!record.goals.empty()) object["goalValues"] = record.goals;
    if (!record.tournament.empty()) object["tournamentNameFromHost"] = record.tournament;
    if (std::ranges::any_of(record.start_errors, [](const std::string& mark) { return !mark.empty(); })) {
        object["startErrors"] = record.start_errors;
    }
    return object;
}

MatchRecord record_from_json(const json& object) {
    if (!object.is_object()) throw std::invalid_argument("a match record is a JSON object");
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
    for (const std::string& state : states) record.states.push_back(facts_of(state));
    take(object, "moves", record.moves);
    take(object, "stateTimes", record.state_times);
    take(object, "errors", record.errors);
    take(object, "replyMilliseconds", record.reply_milliseconds);
    take(object, "legalMoveCounts", record.legal_counts);
    take(object, "goalValues", record.goals);
    take(object, "startClock", record.start_clock);
    take(object, "playClock", record.play_clock);
    take(object, "playerNamesFromHost", record.player_names);
    take(object, "scrambled", record.scrambled);
    take(object, "tournamentNameFromHost", record.tournament);
    take(object, "seed", record.seed);
    record.start_errors.assign(record.roles.size(), "");
    take(object, "startErrors", record.start_errors);
    if (record.match_id.empty()) throw std::invalid_argument("the match record has no 'matchId'");
    check(record);
    return record;
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
        const std::filesystem::path path = folder / (i == 1 ? name + ".json" : fmt::format("{}-{}.json", name, i));
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
