#include "machine/tools/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include <algorithm>
#include <memory>

namespace stratagem::machine {

using nlohmann::json;

namespace {

struct CloseFile {
    void operator()(gzFile file) const { gzclose(file); }
};
using File = std::unique_ptr<std::remove_pointer_t<gzFile>, CloseFile>;

std::vector<std::string> sorted_strings(const json& list) {
    auto result = list.get<std::vector<std::string>>();
    std::ranges::sort(result);
    return result;
}

TraceStep parse_step(const json& from, const std::vector<std::string>& roles) {
    TraceStep step;
    step.state = sorted_strings(from.at("state"));
    step.terminal = from.at("terminal").get<bool>();
    if (from.contains("moves")) step.moves = from.at("moves").get<std::vector<std::string>>();
    for (const std::string& role : roles) {
        if (from.contains("legals")) step.legals.push_back(sorted_strings(from.at("legals").at(role)));
        if (from.contains("goals")) {
            const json& goal = from.at("goals").at(role);
            step.goals.push_back(goal.is_null() ? std::optional<int>{} : goal.get<int>());
        }
    }
    return step;
}

}  // namespace

// zlib reads plain files as they are.
std::string read_text(const std::filesystem::path& path) {
    const File file(gzopen(path.c_str(), "rb"));
    if (!file) throw TraceError(fmt::format("{}: cannot be opened", path.string()));
    std::string text;
    std::vector<char> buffer(std::size_t{1} << 16);
    for (;;) {
        const int bytes = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        if (bytes < 0) throw TraceError(fmt::format("{}: cannot be read or unpacked", path.string()));
        if (bytes == 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(bytes));
    }
    int status = Z_OK;
    gzerror(file.get(), &status);
    if (status != Z_OK && status != Z_STREAM_END) {
        throw TraceError(fmt::format("{}: ends too early", path.string()));
    }
    return text;
}

Trace parse_trace(std::string_view line) {
    try {
        const json from = json::parse(line);
        Trace trace;
        trace.game = from.at("game").get<std::string>();
        trace.match = from.at("match").get<std::size_t>();
        trace.roles = from.at("roles").get<std::vector<std::string>>();
        trace.truncated = from.value("truncated", false);
        for (const json& step : from.at("steps")) trace.steps.push_back(parse_step(step, trace.roles));
        return trace;
    } catch (const json::exception& error) {
        throw TraceError(fmt::format("not a trace: {}", error.what()));
    }
}

std::vector<Trace> read_traces(const std::filesystem::path& path) {
    const std::string text = read_text(path);
    std::vector<Trace> traces;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        ++number;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        try {
            traces.push_back(parse_trace(line));
        } catch (const TraceError& error) {
            throw TraceError(fmt::format("{}:{}: {}", path.string(), number, error.what()));
        }
    }
    return traces;
}

std::string to_json(const Trace& trace) {
    json steps = json::array();
    for (const TraceStep& step : trace.steps) {
        json to = {{"state", step.state}, {"terminal", step.terminal}};
        for (std::size_t role = 0; role < step.legals.size(); ++role)
            to["legals"][trace.roles[role]] = step.legals[role];
        for (std::size_t role = 0; role < step.goals.size(); ++role) {
            const std::optional<int>& goal = step.goals[role];
            to["goals"][trace.roles[role]] = goal ? json(*goal) : json();
        }
        if (!step.moves.empty()) to["moves"] = step.moves;
        steps.push_back(std::move(to));
    }
    json result = {{"game", trace.game}, {"match", trace.match}, {"roles", trace.roles}, {"steps", std::move(steps)}};
    if (trace.truncated) result["truncated"] = true;
    return result.dump();
}

}  // namespace stratagem::machine
