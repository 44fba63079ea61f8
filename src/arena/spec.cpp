#include "arena/spec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "gdl/game_file.h"
#include "gdl/rules_text.h"

namespace stratagem::arena {

namespace {

using nlohmann::json;

// One object of the file: every key is asked for once, and what nobody asked for is an error.
class Reader {
  public:
    Reader(const json& object, std::string file, std::string path)
        : object_(object), file_(std::move(file)), path_(std::move(path)) {
        if (!object.is_object()) fail("", fmt::format("must be an object, not {}", a_kind(object)));
    }

    [[noreturn]] void fail(const std::string& key, const std::string& what) const {
        const std::string place = path_.empty() || key.empty() ? path_ + key : path_ + "." + key;
        throw SpecError(place.empty() ? fmt::format("{}: {}", file_, what)
                                      : fmt::format("{}: {}: {}", file_, place, what));
    }

    const json* find(const std::string& key) {
        asked_.push_back(key);
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }
    void take(const std::string& key, std::string& value) {
        if (const json* found = find(key)) value = text(*found, key);
    }
    void take(const std::string& key, bool& value) {
        const json* found = find(key);
        if (found == nullptr) return;
        if (!found->is_boolean()) fail(key, fmt::format("must be true or false, not {}", a_kind(*found)));
        value = found->get<bool>();
    }
    void take(const std::string& key, double& value, double least, double most) {
        const json* found = find(key);
        if (found == nullptr) return;
        if (!found->is_number()) fail(key, fmt::format("must be a number, not {}", a_kind(*found)));
        value = found->get<double>();
        if (!(value >= least && value <= most)) fail(key, fmt::format("must be between {} and {}", least, most));
    }
    template <typename Number>
    void take_whole(const std::string& key, Number& value, std::uint64_t least, std::uint64_t most) {
        const json* found = find(key);
        if (found == nullptr) return;
        if (!found->is_number_unsigned()) {
            fail(key, fmt::format("must be a whole number from {} to {}", least, most));
        }
        const auto given = found->get<std::uint64_t>();
        if (given < least || given > most) fail(key, fmt::format("must be from {} to {}", least, most));
        value = static_cast<Number>(given);
    }
    // A list that is there and not empty.
    const json& list(const std::string& key) {
        const json* found = find(key);
        if (found == nullptr) fail("", fmt::format("the key '{}' is missing", key));
        if (!found->is_array()) fail(key, fmt::format("must be a list, not {}", a_kind(*found)));
        if (found->empty()) fail(key, "must not be empty");
        return *found;
    }
    std::string text(const json& value, const std::string& key) const {
        if (!value.is_string()) fail(key, fmt::format("must be a text, not {}", a_kind(value)));
        return value.get<std::string>();
    }
    void end() const {
        for (auto entry = object_.begin(); entry != object_.end(); ++entry) {
            if (std::ranges::find(asked_, entry.key()) != asked_.end()) continue;
            const std::optional<std::string> nearest = gdl::nearest_name(entry.key(), asked_);
            fail(entry.key(), nearest ? fmt::format("there is no such key; did you mean '{}'?", *nearest)
                                      : fmt::format("there is no such key; there are {}", fmt::join(asked_, ", ")));
        }
    }
    static std::string a_kind(const json& value) {
        if (value.is_null()) return "null";
        const std::string name = value.type_name();
        return (name.front() == 'a' || name.front() == 'o' ? "an " : "a ") + name;
    }

  private:
    const json& object_;
    std::string file_;
    std::string path_;
    std::vector<std::string> asked_;
};

// Of all: "parse error at line 3, column 5: …", without the number of the exception.
std::string parse_message(const std::string& what) {
    const std::size_t end = what.find("] ");
    return end == std::string::npos ? what : what.substr(end + 2);
}

PlayerSpec read_player(const json& value, Reader& top, const std::string& file, const std::string& path) {
    PlayerSpec player;
    if (value.is_object()) {
        Reader reader(value, file, path);
        reader.take("player", player.text);
        player.name = player.text;
        reader.take("name", player.name);
        reader.end();
        if (player.text.empty()) reader.fail("", "the key 'player' is missing: a recipe or an address");
    } else if (value.is_string()) {
        player.name = player.text = value.get<std::string>();
    } else {
        top.fail(path, fmt::format("must be a recipe, an address, or an object with 'name' and 'player', not {}",
                                   Reader::a_kind(value)));
    }
    if (player.text.empty() || player.name.empty()) top.fail(path, "must not be empty");
    return player;
}

// From where the file stands; names of bundled games stay as they are.
std::filesystem::path beside(const std::filesystem::path& file, const std::string& name) {
    const std::filesystem::path path(name);
    return path.is_absolute() ? path : file.parent_path() / path;
}

}  // namespace

TournamentSpec read_spec(std::string_view text, const std::filesystem::path& file) {
    const std::string file_name = file.string();
    json object;
    try {
        object = json::parse(text);
    } catch (const json::exception& fault) {
        throw SpecError(fmt::format("{}: {}", file_name, parse_message(fault.what())));
    }
    TournamentSpec spec;
    Reader reader(object, file_name, "");
    spec.name = file.stem().string();
    reader.take("name", spec.name);

    const json& games = reader.list("games");
    for (std::size_t i = 0; i < games.size(); ++i) {
        const std::string key = fmt::format("games[{}]", i);
        std::string game = reader.text(games[i], key);
        if (game.empty()) reader.fail(key, "must not be empty");
        const std::filesystem::path local = beside(file, game);
        std::error_code ignored;
        if (std::filesystem::exists(local, ignored)) game = local.string();
        if (std::ranges::find(spec.games, game) != spec.games.end()) reader.fail(key, "is there twice");
        spec.games.push_back(game);
    }
    const json& players = reader.list("players");
    std::set<std::string> names;
    for (std::size_t i = 0; i < players.size(); ++i) {
        const std::string key = fmt::format("players[{}]", i);
        spec.players.push_back(read_player(players[i], reader, file_name, key));
        if (!names.insert(spec.players.back().name).second) {
            reader.fail(key, fmt::format("the name '{}' is taken; give it one of its own: "
                                         "{{\"name\": \"…\", \"player\": \"{}\"}}",
                                         spec.players.back().name, spec.players.back().text));
        }
    }
    reader.take_whole("matches", spec.matches, 1, 1'000'000);
    reader.take("swap", spec.swap);
    double start = spec.clocks.start.count();
    double play = spec.clocks.play.count();
    reader.take("start_clock", start, 0.001, 1e6);
    reader.take("play_clock", play, 0.001, 1e6);
    spec.clocks = {player::Seconds(start), player::Seconds(play)};
    std::uint64_t nodes = 0;
    reader.take_whole("nodes", nodes, 1, 1'000'000'000'000'000);
    if (nodes > 0) spec.nodes = nodes;
    reader.take("grace", spec.grace, 0, 1e6);
    reader.take_whole("seed", spec.seed, 0, (std::uint64_t{1} << 53) - 1);
    reader.take_whole("threads", spec.threads, 1, 256);
    reader.take_whole("table", spec.table_megabytes, 1, 1 << 20);
    reader.take("ponder", spec.ponder);
    reader.take("prepare", spec.prepare);
    reader.take_whole("opening", spec.opening, 0, 1'000'000);
    reader.take_whole("max_moves", spec.max_moves, 1, 1'000'000'000);
    reader.take_whole("parallel", spec.parallel, 0, 1024);
    reader.take_whole("jobs", spec.parallel, 0, 1024);
    std::string database = file.stem().string() + ".db";
    std::string report = file.stem().string() + ".html";
    std::string records;
    reader.take("database", database);
    reader.take("report", report);
    reader.take("records", records);
    reader.end();
    if (database.empty()) reader.fail("database", "must not be empty");
    spec.database = beside(file, database);
    if (!report.empty()) spec.report = beside(file, report);
    if (!records.empty()) spec.records = beside(file, records);
    return spec;
}

std::string tournament_key(const TournamentSpec& spec, const std::vector<std::string>& rules) {
    json games = json::array();
    for (std::size_t i = 0; i < spec.games.size(); ++i) {
        games.push_back({std::filesystem::path(spec.games[i]).stem().string(), gdl::rules_hash(rules[i])});
    }
    json players = json::array();
    for (const PlayerSpec& player : spec.players) players.push_back({player.name, player.text});
    json key{{"games", std::move(games)},
             {"players", std::move(players)},
             {"swap", spec.swap},
             {"start_clock", spec.clocks.start.count()},
             {"play_clock", spec.clocks.play.count()},
             {"grace", spec.grace},
             {"seed", spec.seed},
             {"threads", spec.threads},
             {"table", spec.table_megabytes},
             {"ponder", spec.ponder},
             {"prepare", spec.prepare},
             {"max_moves", spec.max_moves}};
    // Tournaments without are found again where they were begun before there were these.
    if (spec.opening > 0) key["opening"] = spec.opening;
    if (spec.nodes) key["nodes"] = *spec.nodes;
    return key.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace stratagem::arena
