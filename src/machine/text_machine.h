// A running game seen from outside, where everything is text: what replaying and comparing need, for any machine.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stratagem::machine {

// Terms are lower-case prefix KIF with single spaces, fluents without the wrapping `true`; lists are sorted as
// strings. Roles are numbered in the order of roles().
class TextMachine {
  public:
    virtual ~TextMachine() = default;

    virtual std::vector<std::string> roles() const = 0;
    // Back to the initial state.
    virtual void reset() = 0;
    // To the state after a joint move, one for each role. Throws std::invalid_argument for what is no move. Pre: the
    // moves are legal, which the machine that makes them checks where it depends on it.
    virtual void advance(std::span<const std::string> moves) = 0;

    virtual std::vector<std::string> state() = 0;
    virtual bool terminal() = 0;
    virtual std::vector<std::string> legal(std::size_t role) = 0;
    // Nothing unless exactly one value holds and it is an integer.
    virtual std::optional<int> goal(std::size_t role) = 0;
};

}  // namespace stratagem::machine
