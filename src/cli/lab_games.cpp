#include "cli/lab_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace stratagem::cli {

namespace {

namespace fs = std::filesystem;

// Empty for anything but a folder that has some.
std::vector<std::string> games_in(const std::string& folder) {
    std::vector<std::string> found;
    std::error_code problem;
    if (!fs::is_directory(folder, problem) || fs::exists(fs::path(folder) / "METADATA", problem)) return found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
        if (entry.path().extension() == ".kif") found.push_back(entry.path().string());
    }
    std::ranges::sort(found);
    return found;
}

}  // namespace

LabGames::LabGames(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const std::vector<std::string> inside = games_in(name);
        for (const std::string& one : inside) add(one);
        if (inside.empty()) add(name);
    }
    if (names.empty()) {
        for (const gdl::GameCard& card : gdl::bundled_games()) add(card.source());
    }
    if (ok_ && texts_.empty()) {
        tell("stratagem: the folder of bundled games was not found; set STRATAGEM_GAMES to its path\n");
        ok_ = false;
    }
}

void LabGames::add(const std::string& name) {
    gdl::GameText text = gdl::find_game(name);
    if (text.ok()) {
        texts_.push_back(std::move(text));
    } else {
        tell("stratagem: {}\n", text.error);
        ok_ = false;
    }
}

bool LabGames::measure(const gdl::GameText& text, const machine::MachineOptions& limits, const Visitor& visitor,
                       std::string& why) {
    gdl::ReadResult read = gdl::read_and_check(text.name, text.text);
    if (!read.ok()) {
        why = "not valid (see stratagem check)";
        return false;
    }
    try {
        const auto game = std::make_shared<const machine::GdlGame>(std::move(read.description), limits);
        if (!game->program()) {
            why = game->limit_hit() ? "no time or memory to ground the rules" : "the rules cannot be grounded";
            return false;
        }
        return visitor.measure(game, why);
    } catch (const machine::LimitExceeded&) {
        why = "a limit was hit";
    } catch (const machine::InvalidRules&) {
        why = "the rules cannot be run";
    } catch (const std::bad_alloc&) {
        why = "memory ran out";
    }
    return false;
}

bool LabGames::for_each(double seconds, const Interruptible& interruptible, const Visitor& visitor) {
    machine::MachineOptions limits;
    limits.build_limit_seconds = seconds;
    return for_each(std::move(limits), interruptible, visitor);
}

bool LabGames::for_each(machine::MachineOptions limits, const Interruptible& interruptible, const Visitor& visitor) {
    limits.interrupt = Interruptible::flag();
    for (std::size_t i = 0; i < texts_.size(); ++i) {
        const std::string name = game_name(texts_[i].name);
        std::string why;
        bool used = false;
        {
            const Waiting waiting(fmt::format("{} of {}: {}", i + 1, texts_.size(), name));
            used = measure(texts_[i], limits, visitor, why);
        }
        // Whatever was cut short by Ctrl-C would be a wrong answer.
        if (interruptible.interrupted()) return false;
        if (used) {
            ++visited_;
            visitor.tell(name);
        } else {
            left_out_.push_back({name, why});
            visitor.tell_left_out(left_out_.back());
        }
        flush_output();
    }
    return true;
}

std::string LabGames::left_out_text() const {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const LeftOut& one : left_out_) by_reason[one.why].push_back(one.game);
    std::string text;
    for (const auto& [why, games] : by_reason) {
        text += fmt::format("  {} left out, {}: {}\n", games.size(), why, fmt::join(games, ", "));
    }
    return text;
}

nlohmann::json LabGames::left_out_json() const {
    nlohmann::json list = nlohmann::json::array();
    for (const LeftOut& one : left_out_) list.push_back({{"game", one.game}, {"why", one.why}});
    return list;
}

void add_lab_games_option(CLI::App& command, std::vector<std::string>& names) {
    command.add_option("GAMES", names, "Paths, bundled games, or folders of .kif files; all bundled games if none");
}

}  // namespace stratagem::cli
