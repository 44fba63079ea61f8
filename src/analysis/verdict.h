// How sure something is.
#pragma once

#include <cstdint>
#include <string_view>

namespace stratagem::analysis {

enum class Verdict : std::uint8_t {
    unknown,   // neither shown nor refuted in the time there was
    refuted,   // a state or a step was found in which it does not hold
    observed,  // held in every state looked at; no proof
    proved,    // holds in every reachable state
};

// It may be relied on where a mistake costs strength and nothing else.
constexpr bool holds(Verdict verdict) { return verdict == Verdict::observed || verdict == Verdict::proved; }

constexpr std::string_view to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::unknown:
            return "unknown";
        case Verdict::refuted:
            return "refuted";
        case Verdict::observed:
            return "observed";
        case Verdict::proved:
            return "proved";
    }
    return "unknown";
}

}  // namespace stratagem::analysis
