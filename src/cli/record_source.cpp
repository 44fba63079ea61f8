#include "cli/record_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <vector>

#include "cli/run_game.h"
#include "gdl/game_file.h"
#include "gdl/rules_text.h"
#include "gdl/source.h"
#include "machine/tools/trace.h"

namespace stratagem::cli {

namespace fs = std::filesystem;

namespace {

using Take = std::function<bool(const FoundRecord&)>;
using Damaged = std::function<void(const std::string&)>;

std::string first_bytes(const fs::path& path, std::size_t count) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes(count, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

bool is_database(const fs::path& path) { return first_bytes(path, 15) == "SQLite format 3"; }

// Messages quote what they found, which may be any bytes.
std::string printable(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const std::size_t length = gdl::character_length(text);
        const bool plain = length > 0 && static_cast<unsigned char>(text.front()) >= 0x20 && text.front() != 0x7F;
        if (plain) {
            shown += text.substr(0, length);
        } else {
            shown += '?';
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return shown;
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code problem;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
        const std::string name = entry.path().filename().string();
        const bool packed = name.ends_with(".json.gz") || name.ends_with(".jsonl.gz");
        if (!name.starts_with('.') && (packed || name.ends_with(".json") || name.ends_with(".jsonl"))) {
            files.push_back(entry.path());
        }
    }
    if (problem) throw arena::RecordError(fmt::format("cannot read {}: {}", folder.string(), problem.message()));
    std::ranges::sort(files);
    return files;
}

// What referees of other programs and tests wrote down: the same in other words.
arena::MatchRecord record_of(const machine::Trace& trace) {
    arena::MatchRecord record;
    record.match_id = fmt::format("{}.{}", trace.game, trace.match);
    record.game = trace.game;
    record.roles = trace.roles;
    record.start_errors.assign(trace.roles.size(), "");
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        const machine::TraceStep& step = trace.steps[i];
        record.states.push_back(fmt::format("{}", fmt::join(step.state, " ")));
        if (i + 1 == trace.steps.size()) break;
        if (step.moves.size() != trace.roles.size()) {
            throw arena::RecordError(
                fmt::format("step {} has {} moves for {} roles", i, step.moves.size(), trace.roles.size()));
        }
        record.moves.push_back(step.moves);
    }
    if (trace.steps.empty()) return record;
    const machine::TraceStep& last = trace.steps.back();
    record.completed = last.terminal;
    if (!last.terminal) return record;
    for (const std::optional<int>& goal : last.goals) record.goals.push_back(goal.value_or(0));
    return record;
}

// "http://games.example/games/ticTacToe/v0/" is called ticTacToe.
std::string name_of_game(std::string name) {
    while (name.ends_with('/')) name.pop_back();
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos) return name;
    const std::string last = name.substr(slash + 1);
    const bool version = last.size() > 1 && last.front() == 'v' &&
                         std::ranges::all_of(last.substr(1), [](char c) { return c >= '0' && c <= '9'; });
    return version ? name_of_game(name.substr(0, slash)) : last;
}

arena::MatchRecord read_one(std::string_view text) {
    if (text.find("\"matchId\"") == std::string_view::npos && text.find("\"steps\"") != std::string_view::npos) {
        return record_of(machine::parse_trace(text));
    }
    return arena::record_from_text(text);
}

// A number from 1; nothing for what is an id.
std::optional<std::size_t> match_number(const std::string& text) {
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
    return number;
}

bool is_chosen(const FoundRecord& found, const RecordChoice& choice) {
    if (choice.match.empty() || found.record.match_id == choice.match) return true;
    return match_number(choice.match) == found.number;
}

// False when no more are wanted.
bool each_in_file(const fs::path& path, const RecordChoice& choice, const Take& take, const Damaged& damaged,
                  std::size_t& number) {
    const std::string text = machine::read_text(path);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) throw arena::RecordError(fmt::format("{} is empty", path.string()));
    // One object over many lines, or one to each line?
    const std::size_t end_of_first = std::min(text.find('\n', first), text.size());
    const bool by_lines = text.find_last_not_of(" \t\r", end_of_first - 1) != std::string::npos &&
                          text[text.find_last_not_of(" \t\r", end_of_first - 1)] == '}' &&
                          text.find_first_not_of(" \t\r\n", end_of_first) != std::string::npos;
    std::size_t line = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = by_lines ? std::min(text.find('\n', begin), text.size()) : text.size();
        const std::string_view part = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        ++line;
        if (part.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
        ++number;
        FoundRecord found;
        found.place = by_lines ? fmt::format("{}:{}", path.string(), line) : path.string();
        found.number = number;
        try {
            found.record = read_one(part);
        } catch (const std::runtime_error& fault) {  // RecordError or TraceError
            damaged(fmt::format("{}: {}", found.place, printable(fault.what())));
            continue;
        }
        found.record.game = name_of_game(found.record.game);
        if (is_chosen(found, choice) && !take(found)) return false;
    }
    return true;
}

class Databases {
  public:
    Databases(const fs::path& path, const RecordChoice& choice)
        : path_(path), choice_(choice), store_(path, arena::Store::Access::read) {}

    void each(const Take& take, const Damaged& damaged) {
        if (choice_.match.empty()) {
            for (const arena::Store::Run run : runs()) {
                for (const std::size_t number : store_.numbers(run)) {
                    if (!one(run, number, take, damaged)) return;
                }
            }
            return;
        }
        const arena::Store::Place place = find();
        one(place.run, place.number, take, damaged);
    }

  private:
    std::vector<arena::Store::Run> runs() {
        std::vector<arena::Store::Run> all = store_.runs();
        if (choice_.run) {
            std::erase_if(all, [&](arena::Store::Run run) { return static_cast<std::int64_t>(run) != *choice_.run; });
            if (all.empty()) throw arena::RecordError(fmt::format("{} has no run {}", path_.string(), *choice_.run));
        }
        return all;
    }

    arena::Store::Place find() {
        if (const std::optional<arena::Store::Place> place = store_.find(choice_.match)) return *place;
        std::vector<arena::Store::Place> found;
        if (const std::optional<std::size_t> number = match_number(choice_.match)) {
            for (const arena::Store::Run run : runs()) {
                const std::vector<std::size_t> numbers = store_.numbers(run);
                if (std::ranges::binary_search(numbers, *number - 1)) found.push_back({run, *number - 1});
            }
        }
        if (found.empty()) throw arena::RecordError(fmt::format("{} has no match {}", path_.string(), choice_.match));
        if (found.size() > 1) {
            std::vector<std::int64_t> names;
            for (const arena::Store::Place& place : found) names.push_back(static_cast<std::int64_t>(place.run));
            throw arena::RecordError(fmt::format("{} has a match {} in runs {}: choose one with --run", path_.string(),
                                                 choice_.match, fmt::join(names, ", ")));
        }
        return found.front();
    }

    bool one(arena::Store::Run run, std::size_t number, const Take& take, const Damaged& damaged) {
        FoundRecord found;
        found.place = fmt::format("{}, match {}", path_.string(), number + 1);
        found.number = number + 1;
        found.run = static_cast<std::int64_t>(run);
        try {
            std::optional<arena::MatchRecord> record = store_.record(run, number);
            if (!record) return true;
            found.record = std::move(*record);
        } catch (const arena::StoreError& fault) {
            damaged(printable(fault.what()));
            return true;
        }
        return take(found);
    }

    fs::path path_;
    const RecordChoice& choice_;
    arena::Store store_;
};

}  // namespace

bool holds_records(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        return !fs::exists(path / "METADATA", ignored) && !files_in(path).empty() &&
               std::ranges::all_of(files_in(path), [](const fs::path& file) { return holds_records(file); });
    }
    const std::string bytes = first_bytes(path, 15);
    if (bytes == "SQLite format 3") return true;
    if (bytes.starts_with("\x1f\x8b")) return true;  // rules are never compressed
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string::npos && bytes[first] == '{';
}

void each_record(const fs::path& path, const RecordChoice& choice, const Take& take, const Damaged& damaged) {
    std::error_code problem;
    const fs::file_status status = fs::status(path, problem);
    if (!fs::exists(status)) throw arena::RecordError(fmt::format("{}: there is no such file", path.string()));
    std::size_t number = 0;
    bool taken = false;
    const Take noticing = [&](const FoundRecord& found) {
        taken = true;
        return take(found);
    };
    bool any_damaged = false;
    const Damaged telling = [&](const std::string& what) {
        any_damaged = true;
        damaged(what);
    };
    if (fs::is_directory(status)) {
        for (const fs::path& file : files_in(path)) {
            try {
                if (!each_in_file(file, choice, noticing, telling, number)) return;
            } catch (const std::runtime_error& fault) {
                telling(fault.what());
            }
        }
    } else if (is_database(path)) {
        Databases(path, choice).each(noticing, telling);
    } else {
        each_in_file(path, choice, noticing, telling, number);
    }
    if (taken || any_damaged) return;
    throw arena::RecordError(choice.match.empty() ? fmt::format("{} holds no matches", path.string())
                                                  : fmt::format("{} has no match {}", path.string(), choice.match));
}

std::shared_ptr<const gdl::Description> rules_of(const arena::MatchRecord& record, const std::string& place) {
    if (!record.rules.empty()) {
        gdl::ReadResult result = gdl::read_and_check(place, record.rules, gdl::Notation::kif);
        if (result.ok()) return std::make_shared<const gdl::Description>(std::move(result.description));
        tell("stratagem: {}: the rules in this record are not valid: {} errors\n", place, result.diagnostics.errors());
    }
    const std::string& name = record.game;
    // A name alone: what a record says must not make us read any file.
    if (name.empty() || name == "-" || name.find_first_of("/.") != std::string::npos) return nullptr;
    const std::vector<gdl::GameCard> cards = gdl::bundled_games();
    const auto card = std::ranges::find(cards, name, &gdl::GameCard::name);
    if (card == cards.end()) return nullptr;
    Context context;
    std::shared_ptr<const gdl::Description> found = load(card->path.string(), context);
    if (found && !record.rules_hash.empty() && gdl::rules_hash(gdl::rules_text(*found)) != record.rules_hash) {
        tell("stratagem: {}: the match was played by other rules than those of {} here\n", place, name);
    }
    return found;
}

}  // namespace stratagem::cli
