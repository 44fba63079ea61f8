// What is wrong (or odd) with a description, said so that its author can mend it.
//
// Reading and checking never stop at the first fault: they collect diagnostics, each with a code, a place and a
// hint. Codes are stable (docs/diagnostics.md explains each); the texts may change.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/source.h"

namespace stratagem::gdl {

enum class Severity { error, warning };

std::string_view to_string(Severity severity);

// A code and what it means in general; `Diagnostic` adds the case at hand.
struct DiagnosticCode {
    std::string_view code;    // "E501"; E = error, W = warning
    std::string_view title;   // "unsafe variable in a head"
    std::string_view remedy;  // what to do, in words of a game author
};

// Every code there is, in order, for documentation and `list diagnostics`.
std::span<const DiagnosticCode> diagnostic_codes();

struct Diagnostic {
    Severity severity = Severity::error;
    std::string_view code;  // one of diagnostic_codes()
    Span span;
    std::string message;
    std::string hint;
};

class Diagnostics {
  public:
    // More errors (or warnings) than this are counted but not kept, so that a hopeless file costs bounded memory.
    static constexpr std::size_t max_kept = 1000;
    // Names in messages may have thousands of characters: longer messages lose their middle.
    static constexpr std::size_t max_message_bytes = 1000;

    // The severity follows from the code's letter; an empty hint is replaced by the code's general remedy.
    // Pre: `code` is one of diagnostic_codes().
    void add(std::string_view code, Span span, std::string message, std::string hint = {});

    void append(const Diagnostics& other);

    // Orders by place, then code: readers and checks run in passes, people read from top to bottom.
    void sort();

    std::span<const Diagnostic> all() const { return kept_; }
    std::size_t errors() const { return errors_; }
    std::size_t warnings() const { return warnings_; }
    std::size_t dropped() const { return errors_ + warnings_ - kept_.size(); }
    bool has_errors() const { return errors_ > 0; }

  private:
    std::vector<Diagnostic> kept_;
    std::size_t errors_ = 0;
    std::size_t warnings_ = 0;
};

// The compiler-like form with the offending line and a caret under the text:
//
//   game.kif:3:5: error[E501]: variable ?x …
//       3 | (<= (p ?x) (q ?y))
//         |        ^^
//         = hint: …
std::string render(const Source& source, const Diagnostic& diagnostic, bool colour = false);

}  // namespace stratagem::gdl
