#include "machine/interpreter/text_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "gdl/print.h"
#include "machine/term_text.h"

namespace stratagem::machine {

std::vector<std::string> TextInterpreter::to_text(const Facts& facts) const {
    std::vector<std::string> result;
    result.reserve(facts.size());
    for (const gdl::Term fact : facts) result.push_back(gdl::to_kif(interpreter_.terms(), fact));
    std::ranges::sort(result);
    return result;
}

std::vector<std::string> TextInterpreter::roles() const {
    std::vector<std::string> result;
    for (const gdl::Term role : interpreter_.roles()) result.push_back(gdl::to_kif(interpreter_.terms(), role));
    return result;
}

void TextInterpreter::reset() { interpreter_.set_state(interpreter_.initial()); }

void TextInterpreter::advance(std::span<const std::string> moves) {
    std::vector<gdl::Term> joint_move;
    for (const std::string& move : moves) {
        const std::optional<gdl::Term> term = parse_term(interpreter_.terms(), move);
        if (!term || !interpreter_.terms().is_ground(*term)) {
            throw std::invalid_argument(fmt::format("not a move: {}", move));
        }
        joint_move.push_back(*term);
    }
    interpreter_.next(joint_move, facts_);
    interpreter_.set_state(facts_);
}

std::vector<std::string> TextInterpreter::state() { return to_text(interpreter_.state()); }

bool TextInterpreter::terminal() { return interpreter_.terminal(); }

std::vector<std::string> TextInterpreter::legal(std::size_t role) {
    interpreter_.legal(interpreter_.roles().at(role), facts_);
    return to_text(facts_);
}

std::optional<int> TextInterpreter::goal(std::size_t role) {
    interpreter_.goals(interpreter_.roles().at(role), facts_);
    if (facts_.size() != 1) return {};
    const std::string text = gdl::to_kif(interpreter_.terms(), facts_.front());
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

}  // namespace stratagem::machine
