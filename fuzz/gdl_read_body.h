// What must hold of the language room for any bytes whatever: the body of the fuzzer, and of the tests that replay the
// inputs it once failed on.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/check.h"
#include "gdl/format.h"
#include "gdl/print.h"
#include "gdl/read.h"
#include "gdl/scramble.h"

namespace stratagem::fuzz {

inline std::vector<std::string> rules_of(const gdl::Description& description) {
    std::vector<std::string> rules;
    rules.reserve(description.rules.size());
    for (const gdl::Rule& rule : description.rules) rules.push_back(gdl::to_kif(description.terms, rule));
    return rules;
}

// Every diagnostic points into the text and can be shown.
inline std::string examine_diagnostics(const gdl::ReadResult& result) {
    constexpr std::size_t shown = 20;
    const gdl::Source& source = *result.description.source;
    std::size_t count = 0;
    for (const gdl::Diagnostic& diagnostic : result.diagnostics.all()) {
        const gdl::Span span = diagnostic.span;
        if (span.begin > span.end || span.end > source.text().size()) {
            return fmt::format("{} spans {} to {} of {} bytes", diagnostic.code, span.begin, span.end,
                               source.text().size());
        }
        if (++count <= shown && gdl::render(source, diagnostic).empty()) return "a diagnostic without text";
    }
    return {};
}

// Formatting keeps the rules, in both notations, and formatting again changes nothing.
inline std::string examine_format(const gdl::Description& description, const std::vector<std::string>& rules,
                                  gdl::Notation notation) {
    const std::string_view name = notation == gdl::Notation::kif ? "KIF" : "infix";
    const std::string text = gdl::format(description, notation);
    const gdl::ReadResult again = gdl::read("formatted", text, notation);
    if (!again.ok()) {
        return fmt::format("formatted as {} it is not read: {}\n{}", name,
                           gdl::render(*again.description.source, again.diagnostics.all().front()), text);
    }
    if (rules_of(again.description) != rules) return fmt::format("formatted as {} it has other rules:\n{}", name, text);
    const std::string twice = gdl::format(again.description, notation);
    if (twice != text) return fmt::format("formatted twice as {}:\n{}\n--- became ---\n{}", name, text, twice);
    return {};
}

// A scrambled game is a game of the same size, and as valid as before.
inline std::string examine_scramble(const gdl::Description& description, bool valid) {
    const gdl::Scrambled scrambled = gdl::scramble(description, 1);
    const gdl::ReadResult again = gdl::read_and_check("scrambled", scrambled.text, gdl::Notation::kif);
    if (again.description.rules.size() != description.rules.size()) {
        return fmt::format("scrambled it has {} rules instead of {}:\n{}", again.description.rules.size(),
                           description.rules.size(), scrambled.text);
    }
    if (again.ok() != valid) {
        return fmt::format("scrambled it is {}:\n{}", again.ok() ? "valid" : "invalid", scrambled.text);
    }
    return {};
}

// Empty when all is well, else what is not. Whatever the text looks like, it is read in both notations.
inline std::string examine(std::string_view text) {
    for (const gdl::Notation notation : {gdl::Notation::kif, gdl::Notation::infix}) {
        gdl::ReadResult result = gdl::read("text", std::string(text), notation);
        const bool readable = result.ok();
        gdl::check(result.description, result.diagnostics);
        if (std::string fault = examine_diagnostics(result); !fault.empty()) return fault;
        if (!readable) continue;

        const std::vector<std::string> rules = rules_of(result.description);
        for (const gdl::Notation target : {gdl::Notation::kif, gdl::Notation::infix}) {
            if (std::string fault = examine_format(result.description, rules, target); !fault.empty()) return fault;
        }
        if (std::string fault = examine_scramble(result.description, result.ok()); !fault.empty()) return fault;
    }
    return examine_diagnostics(gdl::read_and_check("text", std::string(text)));
}

}  // namespace stratagem::fuzz
