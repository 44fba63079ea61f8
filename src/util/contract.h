// Promises that execute: what a function expects of its caller, and what an object keeps true of itself.
//
// A promise that is broken is a bug of this program, never of its input, and nothing sensible can follow it: checking
// builds (STRATAGEM_CHECKS, which Debug configurations define, sanitizers and fuzzers among them) say where it was
// broken and abort. Other builds read the condition and run nothing, so a condition must have no effects.
//
//     STRATAGEM_EXPECTS(bound > 0);             at the head of a function: what stands as `Pre:` at its declaration
//     STRATAGEM_ENSURES(result < bound);        before it returns: what it promised
//     STRATAGEM_INVARIANT(is_consistent());     after an object was made or changed
#pragma once

#include <cstdio>
#include <cstdlib>

namespace stratagem {

#ifdef STRATAGEM_CHECKS
inline constexpr bool promises_are_checked = true;
#else
inline constexpr bool promises_are_checked = false;
#endif

// Straight to the stream: a log in the background would not get round to writing it.
[[noreturn]] inline void abort_for_broken_promise(const char* file, int line, const char* function, const char* kind,
                                                  const char* condition) {
    std::fprintf(stderr, "%s:%d: %s: %s does not hold: %s\n", file, line, function, kind, condition);
    std::abort();
}

}  // namespace stratagem

#ifdef STRATAGEM_CHECKS
#define STRATAGEM_PROMISE(kind, ...) \
    (static_cast<bool>(__VA_ARGS__)  \
         ? static_cast<void>(0)      \
         : ::stratagem::abort_for_broken_promise(__FILE__, __LINE__, __func__, kind, #__VA_ARGS__))
#else
#define STRATAGEM_PROMISE(kind, ...) static_cast<void>(sizeof(static_cast<bool>(__VA_ARGS__)))
#endif

#define STRATAGEM_EXPECTS(...) STRATAGEM_PROMISE("precondition", __VA_ARGS__)
#define STRATAGEM_ENSURES(...) STRATAGEM_PROMISE("postcondition", __VA_ARGS__)
#define STRATAGEM_INVARIANT(...) STRATAGEM_PROMISE("invariant", __VA_ARGS__)
