// Typed options of registered things (searches, evaluators, recipes): described once, read from text, listed by `list`.
//
// Written as "name=value,name=value". A wrong name or value is an OptionError that says what would be right.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stratagem {

struct OptionError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Option {
    enum class Kind : std::uint8_t { flag, integer, real, choice, text };

    std::string_view name;
    Kind kind = Kind::flag;
    std::string_view default_value;  // as text
    double least = 0;                // range of numbers
    double most = 0;
    std::string_view choices;  // of a choice: "a|b|c"
    std::string_view help;
    // The condition (see OptionValues::unmet) without which a value that is not the default has no effect.
    std::string_view needs = {};
};

// Whether the text is a value of the option.
bool accepts(const Option& option, std::string_view text);

// The values of a described set of options; those not given have their default.
class OptionValues {
  public:
    OptionValues(std::span<const Option> described, std::string_view text);

    bool flag(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    double real(std::string_view name) const;
    const std::string& choice(std::string_view name) const;
    // Of any kind, as it is written.
    const std::string& text(std::string_view name) const;
    // What of a condition is not the case; empty where all of it is. A condition is written as clauses that must all
    // hold, each with alternatives of which one must: "lanes=on,mast=off or greedy!=0,evaluator=leaf|prior". A word
    // alone is a fact that whoever asks knows about: it holds if it is among `facts`.
    std::string_view unmet(std::string_view condition, std::span<const std::string_view> facts = {}) const;
    // Every option with its value, in the order described: the full truth about what runs.
    std::string to_text() const;

  private:
    const std::string& text_of(std::string_view name, Option::Kind kind) const;

    std::span<const Option> described_;
    std::vector<std::string> values_;
};

}  // namespace stratagem
