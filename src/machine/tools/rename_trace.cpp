#include "machine/tools/rename_trace.h"

#include <algorithm>

namespace stratagem::machine {

namespace {

void rename_all(std::vector<std::string>& terms, const std::map<std::string, std::string>& names) {
    for (std::string& term : terms) term = renamed(term, names);
}

}  // namespace

std::string renamed(const std::string& term, const std::map<std::string, std::string>& names) {
    std::string result;
    for (std::size_t i = 0; i < term.size();) {
        const std::size_t end = std::min(term.find_first_of("() ", i), term.size());
        if (end == i) {
            result += term[i++];
            continue;
        }
        const std::string word = term.substr(i, end - i);
        const auto found = names.find(word);
        result += found == names.end() ? word : found->second;
        i = end;
    }
    return result;
}

void rename(Trace& trace, const std::map<std::string, std::string>& names) {
    rename_all(trace.roles, names);
    for (TraceStep& step : trace.steps) {
        rename_all(step.state, names);
        std::ranges::sort(step.state);
        for (std::vector<std::string>& moves : step.legals) {
            rename_all(moves, names);
            std::ranges::sort(moves);
        }
        rename_all(step.moves, names);
    }
}

}  // namespace stratagem::machine
