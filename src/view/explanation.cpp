#include "view/explanation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "util/number_text.h"
#include "view/text_lines.h"

namespace stratagem::view {

namespace {

constexpr std::size_t longest_line = 12;  // steps that are told

std::string value_text(bool judged, bool proved, double value) {
    if (!judged) return "no opinion yet";
    return proved ? fmt::format("exactly {:g} of 100, proved", value) : fmt::format("about {:.1f} of 100", value);
}

// "1,234 states, depth 9, 0.30 s".
std::string effort_text(const Explanation& told) {
    std::string text = told.playouts > 0 ? fmt::format("{} random games", with_commas(told.playouts))
                                         : fmt::format("{} states", with_commas(told.nodes));
    if (told.depth > 0) text += fmt::format(", depth {}", told.depth);
    return text + fmt::format(", {:.2f} s", told.seconds);
}

// A line is what a search expects; where it does not fit, it ends.
void add_line(machine::Machine& machine, const Thought& thought, Explanation& told) {
    State state = thought.state;
    State next;
    std::vector<Move> legal;
    for (const std::vector<Move>& joint : thought.choice.line) {
        if (joint.size() != machine.role_count() || machine.terminal(state)) return;
        for (std::uint32_t role = 0; role < joint.size(); ++role) {
            machine.legal(state, Role{role}, legal);
            if (std::ranges::find(legal, joint[role]) == legal.end()) return;
        }
        told.line_goes_on = told.line.size() == longest_line;
        if (told.line_goes_on) return;
        told.line.push_back(describe(machine, state, joint));
        machine.next(state, joint, next);
        std::swap(state, next);
    }
}

}  // namespace

std::string value_text(const search::Choice& choice) { return value_text(choice.judged, choice.proved, choice.value); }

std::string describe(machine::Machine& machine, const State& state, std::span<const Move> joint) {
    std::string chosen;
    std::string all;
    std::vector<Move> legal;
    for (std::uint32_t role = 0; role < joint.size(); ++role) {
        machine.legal(state, Role{role}, legal);
        const std::string text = fmt::format("{} {}", machine.role_name(Role{role}), machine.move_name(joint[role]));
        all += (all.empty() ? "" : ", ") + text;
        if (legal.size() > 1) chosen += (chosen.empty() ? "" : ", ") + text;
    }
    return chosen.empty() ? all : chosen;
}

Explanation explain(machine::Machine& machine, const Thought& thought) {
    const search::Choice& choice = thought.choice;
    Explanation told;
    told.thinker = thought.thinker;
    told.role = machine.role_name(thought.role);
    if (choice.move) told.move = machine.move_name(*choice.move);
    told.is_hint = thought.is_hint;
    told.judged = choice.judged;
    told.proved = choice.proved;
    told.value = choice.value;
    told.nodes = choice.nodes;
    told.playouts = choice.playouts;
    told.depth = choice.depth;
    told.seconds = choice.seconds;
    told.note = choice.note;
    add_line(machine, thought, told);
    return told;
}

nlohmann::json to_json(const Explanation& told) {
    return {{"thinker", told.thinker},
            {"role", told.role},
            {"move", told.move.empty() ? nlohmann::json() : nlohmann::json(told.move)},
            {"hint", told.is_hint},
            {"value", told.judged ? nlohmann::json(told.value) : nlohmann::json()},
            {"proved", told.proved},
            {"nodes", told.nodes},
            {"playouts", told.playouts},
            {"depth", told.depth},
            {"seconds", told.seconds},
            {"note", told.note},
            {"line", told.line},
            {"line_goes_on", told.line_goes_on}};
}

std::string to_text(const Explanation& told, std::size_t width) {
    std::string text =
        wrapped_text(fmt::format("{} {} {} for {}: {}.", told.thinker, told.is_hint ? "would play" : "played",
                                 told.move.empty() ? "nothing" : told.move, told.role,
                                 value_text(told.judged, told.proved, told.value)),
                     width);
    const bool looked = told.nodes > 0 || told.playouts > 0;
    std::string effort = looked        ? "It looked at " + effort_text(told)
                         : told.judged ? "It knew that from what it had seen before"
                                       : "Nothing was looked at";
    if (!told.note.empty()) effort += " (" + told.note + ")";
    text += wrapped_text(effort + ".", width);
    std::vector<std::string> steps = told.line;
    if (told.line_goes_on) steps.emplace_back("…");
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) steps[i] += ";";
    if (!steps.empty()) {
        steps.insert(steps.begin(), "It expects:");
        text += wrapped(steps, width);
    }
    if (told.proved) text += "Proved: no play of the others can lower this value.\n";
    return text;
}

}  // namespace stratagem::view
