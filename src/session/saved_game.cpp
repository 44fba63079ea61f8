#include "session/saved_game.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "gdl/rules_text.h"

namespace stratagem::session {

namespace {

constexpr std::string_view format_name = "stratagem-play";
constexpr int format_version = 1;
constexpr std::uintmax_t largest_file = 64U << 20;

std::string system_fault() { return std::strerror(errno); }

// What must be on the disk before the old file goes.
std::string write_and_sync(const std::string& path, const std::string& text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) return system_fault();
    std::string problem;
    for (std::size_t done = 0; done < text.size() && problem.empty();) {
        const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
        if (wrote < 0 && errno != EINTR) problem = system_fault();
        if (wrote > 0) done += static_cast<std::size_t>(wrote);
    }
    if (problem.empty() && ::fsync(file) != 0) problem = system_fault();
    if (::close(file) != 0 && problem.empty()) problem = system_fault();
    return problem;
}

SavedGame from_json(const nlohmann::json& object) {
    SavedGame saved;
    object.at("game").get_to(saved.game);
    object.at("rules").get_to(saved.rules);
    if (!object.at("role").is_null()) object.at("role").get_to(saved.role);
    object.at("against").get_to(saved.against);
    object.at("hints").get_to(saved.hints);
    object.at("clock").get_to(saved.clock);
    object.at("seed").get_to(saved.seed);
    object.at("moves").get_to(saved.moves);
    return saved;
}

}  // namespace

std::string rules_hash(const machine::Game& game) {
    if (const std::optional<std::string> rules = game.rules()) return gdl::rules_hash(*rules);
    const std::optional<machine::Fingerprint> fingerprint = game.fingerprint();
    return fingerprint ? fingerprint->to_text() : "";
}

std::string to_json(const SavedGame& saved) {
    nlohmann::ordered_json object{{"format", format_name}, {"version", format_version}, {"game", saved.game},
                                  {"rules", saved.rules},  {"role", nullptr},           {"against", saved.against},
                                  {"hints", saved.hints},  {"clock", saved.clock},      {"seed", saved.seed},
                                  {"moves", saved.moves}};
    if (!saved.role.empty()) object["role"] = saved.role;
    return object.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<SavedGame> read_saved_game(std::string_view text, std::string& problem) {
    try {
        const nlohmann::json object = nlohmann::json::parse(text);
        if (!object.is_object() || object.value("format", "") != format_name) {
            problem = "it is no saved game";
            return {};
        }
        if (const int version = object.at("version").get<int>(); version != format_version) {
            problem = fmt::format("it is of version {} and this program reads version {}", version, format_version);
            return {};
        }
        SavedGame saved = from_json(object);
        if (!(saved.clock > 0 && saved.clock <= 1e6)) {
            problem = "its clock is out of range";
            return {};
        }
        return saved;
    } catch (const nlohmann::json::exception& fault) {
        problem = fmt::format("it is damaged: {}", fault.what());
        return {};
    }
}

std::string write_saved_game(const std::string& path, const SavedGame& saved) {
    const std::string draft = fmt::format("{}.{}.part", path, ::getpid());
    std::string problem = write_and_sync(draft, to_json(saved));
    if (problem.empty() && ::rename(draft.c_str(), path.c_str()) != 0) problem = system_fault();
    if (!problem.empty()) ::unlink(draft.c_str());
    return problem;
}

std::optional<SavedGame> load_saved_game(const std::string& path, std::string& problem) {
    std::error_code fault;
    const std::uintmax_t size = std::filesystem::file_size(path, fault);
    if (fault) {
        problem = fault.message();
        return {};
    }
    if (size > largest_file) {
        problem = "it is too large to be a saved game";
        return {};
    }
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) {
        problem = "it cannot be read";
        return {};
    }
    return read_saved_game(text, problem);
}

}  // namespace stratagem::session
