// Short forms for tests of the readers: what was read, and what was found wrong where, as lines of text.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "gdl/print.h"
#include "gdl/read.h"

namespace stratagem::gdl::testing {

// "E101 3:5": code, line, column.
inline std::vector<std::string> faults(const ReadResult& result) {
    std::vector<std::string> lines;
    for (const Diagnostic& diagnostic : result.diagnostics.all()) {
        const Position position = result.description.source->position(diagnostic.span.begin);
        lines.push_back(fmt::format("{} {}:{}", diagnostic.code, position.line, position.column));
    }
    return lines;
}

inline std::vector<std::string> rules(const Description& description) {
    std::vector<std::string> lines;
    for (const Rule& rule : description.rules) lines.push_back(to_kif(description.terms, rule));
    return lines;
}

// What a person reads first, for the messages of failing tests.
inline std::string rendered(const ReadResult& result) {
    std::string text;
    for (const Diagnostic& diagnostic : result.diagnostics.all()) {
        text += render(*result.description.source, diagnostic);
    }
    return text;
}

}  // namespace stratagem::gdl::testing
