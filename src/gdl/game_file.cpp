#include "gdl/game_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>

#include "build_info.h"
#include "gdl/embedded_games.h"
#include "gdl/source.h"
#include "util/edit_distance.h"

namespace stratagem::gdl {

namespace fs = std::filesystem;

namespace {

GameText failure(std::string name, std::string error) { return {std::move(name), {}, std::move(error)}; }

// Reads until the end or just past the limit, so that an endless pipe costs bounded memory.
GameText read_stream(std::string name, std::FILE* stream) {
    GameText result;
    result.name = std::move(name);
    std::string buffer(1 << 16, '\0');
    while (result.text.size() <= max_source_bytes) {
        const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), stream);
        result.text.append(buffer, 0, count);
        if (count < buffer.size()) break;
    }
    if (std::ferror(stream) != 0) result.error = fmt::format("cannot read {}: {}", result.name, std::strerror(errno));
    return result;
}

GameText read_path(std::string name, const fs::path& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) return failure(std::move(name), fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
    return read_stream(std::move(name), file.get());
}

// The number of a version folder (v0, v12), or nothing.
std::optional<unsigned> version_of(const fs::path& folder) {
    const std::string name = folder.filename().string();
    if (name.size() < 2 || name.front() != 'v') return std::nullopt;
    unsigned version = 0;
    const auto [end, fault] = std::from_chars(name.data() + 1, name.data() + name.size(), version);
    if (fault != std::errc{} || end != name.data() + name.size()) return std::nullopt;
    return version;
}

// In the public repository later versions of a game live in v1, v2 … beside the METADATA of the first.
fs::path newest_version(const fs::path& folder) {
    fs::path newest = folder;
    std::optional<unsigned> highest;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::optional<unsigned> version = version_of(entry.path());
        if (!version || !fs::exists(entry.path() / "METADATA", ignored)) continue;
        if (!highest || *version > *highest) {
            highest = version;
            newest = entry.path();
        }
    }
    return newest;
}

GameText read_folder(const std::string& name, const fs::path& folder) {
    const fs::path home = newest_version(folder);
    const fs::path metadata = home / "METADATA";
    const GameText text = read_path(metadata.string(), metadata);
    if (!text.ok()) return failure(name, fmt::format("{} is a folder without a METADATA file", folder.string()));
    const nlohmann::json fields = nlohmann::json::parse(text.text, nullptr, /*allow_exceptions=*/false);
    if (!fields.is_object() || !fields.contains("rulesheet") || !fields["rulesheet"].is_string()) {
        return failure(name, fmt::format("{} is no JSON object that names a \"rulesheet\"", metadata.string()));
    }
    return read_path(name, home / fields["rulesheet"].get<std::string>());
}

// "; title: Connect Four" -> the text after the colon, if the line starts with this key.
void take_field(std::string_view line, std::string_view key, std::string& value) {
    if (!line.starts_with("; ") || !line.substr(2).starts_with(key)) return;
    line.remove_prefix(2 + key.size());
    if (!line.starts_with(": ")) return;
    line.remove_prefix(2);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    value = line;
}

GameCard read_card(std::string name, std::istream& file) {
    GameCard card;
    card.name = std::move(name);
    std::string line;
    while (std::getline(file, line) && line.starts_with(";")) {
        take_field(line, "title", card.title);
        take_field(line, "about", card.about);
        take_field(line, "players", card.players);
        take_field(line, "value", card.value);
    }
    return card;
}

GameCard read_card(const fs::path& path) {
    std::ifstream file(path);
    GameCard card = read_card(path.stem().string(), file);
    card.path = path;
    return card;
}

// Where the program looks by itself. A folder of another name would be ours; one called "games" may be anybody's.
bool has_our_games(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "tic_tac_toe.kif", ignored);
}

bool told_where_games_are() {
    const char* chosen = std::getenv("STRATAGEM_GAMES");
    return chosen != nullptr && *chosen != '\0';
}

// Nothing where a folder counts instead.
std::span<const EmbeddedGame> games_without_a_folder() {
    return told_where_games_are() || bundled_games_folder() ? std::span<const EmbeddedGame>{} : embedded_games();
}

}  // namespace

std::optional<fs::path> bundled_games_folder() {
    std::error_code ignored;
    if (told_where_games_are()) {
        const fs::path chosen = std::getenv("STRATAGEM_GAMES");
        return fs::is_directory(chosen, ignored) ? std::optional(chosen) : std::nullopt;
    }
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const std::string_view place : build_info::games_from_executable) {
        const fs::path folder = (program / place).lexically_normal();
        if (has_our_games(folder)) return folder;
    }
    const fs::path built = build_info::games_in_source;
    return has_our_games(built) ? std::optional(built) : std::nullopt;
}

std::vector<GameCard> bundled_games() {
    std::vector<GameCard> cards;
    for (const EmbeddedGame& game : games_without_a_folder()) {
        std::istringstream text{std::string(game.text)};
        cards.push_back(read_card(std::string(game.name), text));
    }
    const std::optional<fs::path> folder = bundled_games_folder();
    if (!folder) return cards;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(*folder, ignored)) {
        if (entry.path().extension() == ".kif") cards.push_back(read_card(entry.path()));
    }
    std::sort(cards.begin(), cards.end(), [](const GameCard& a, const GameCard& b) { return a.name < b.name; });
    return cards;
}

GameText find_game(const std::string& what) {
    if (what == "-") return read_stream("<stdin>", stdin);
    std::error_code ignored;
    const fs::path path(what);
    if (fs::is_directory(path, ignored)) return read_folder(what, path);
    if (fs::exists(path, ignored)) return read_path(what, path);
    const bool plain_name = !what.empty() && what.find('/') == std::string::npos;
    if (plain_name) {
        if (const std::optional<fs::path> folder = bundled_games_folder()) {
            const fs::path bundled = *folder / (path.extension() == ".kif" ? what : what + ".kif");
            if (fs::exists(bundled, ignored)) return read_path(what, bundled);
        }
        const std::string name = path.extension() == ".kif" ? path.stem().string() : what;
        for (const EmbeddedGame& game : games_without_a_folder()) {
            if (game.name == name) return {what, std::string(game.text), {}};
        }
    }
    std::string error = fmt::format("no file and no bundled game called '{}'", what);
    std::vector<std::string> names;
    for (const GameCard& card : bundled_games()) names.push_back(card.name);
    if (const std::optional<std::string> near = nearest_name(path.stem().string(), names)) {
        error += fmt::format("; did you mean '{}'?", *near);
    } else {
        error += "; 'stratagem list games' shows the bundled ones";
    }
    return failure(what, error);
}

std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& names) {
    std::optional<std::string> nearest;
    std::size_t best = name.size() / 3 + 1;
    for (const std::string& candidate : names) {
        const std::size_t distance = edit_distance(name, candidate, best);
        if (distance > best || (nearest && distance == best)) continue;
        best = distance;
        nearest = candidate;
    }
    return nearest;
}

}  // namespace stratagem::gdl
