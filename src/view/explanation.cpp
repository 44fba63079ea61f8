#include "view/explanation.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/board.h"
#include "cli/run_game.h"

namespace stratagem::view {

std::string value_text(const search::Choice& choice) {
    if (!choice.judged) return "no opinion yet";
    return choice.proved ? fmt::format("exactly {:g} of 100, proved", choice.value)
                         : fmt::format("about {:.1f} of 100", choice.value);
}

std::string effort_text(const search::Choice& choice) {
    std::string text;
    if (choice.playouts > 0) {
        text = fmt::format("{} random games", with_commas(choice.playouts));
    } else {
        text = fmt::format("{} states", with_commas(choice.nodes));
    }
    if (choice.depth > 0) text += fmt::format(", depth {}", choice.depth);
    return text + fmt::format(", {:.2f} s", choice.seconds);
}

std::vector<std::string> line_steps(PlayGame& game, const State& start, const std::vector<std::vector<Move>>& line,
                                    std::size_t longest) {
    std::vector<std::string> steps;
    State state = start;
    State next;
    std::vector<Move> legal;
    for (const std::vector<Move>& joint : line) {
        // A line is what a search expects; where it does not fit, it ends.
        if (joint.size() != game.role_count() || game.machine().terminal(state)) break;
        bool fits = true;
        for (std::uint32_t role = 0; role < joint.size(); ++role) {
            game.machine().legal(state, Role{role}, legal);
            fits = fits && std::ranges::find(legal, joint[role]) != legal.end();
        }
        if (!fits) break;
        if (steps.size() == longest) {
            steps.emplace_back("…");
            break;
        }
        steps.push_back(game.describe(state, joint));
        game.machine().next(state, joint, next);
        std::swap(state, next);
    }
    return steps;
}

std::string explain(PlayGame& game, const ThoughtOf& thought, std::size_t width) {
    const search::Choice& choice = thought.choice;
    const std::string move = choice.move ? game.machine().move_name(*choice.move) : "nothing";
    std::string text =
        wrapped_text(fmt::format("{} {} {} for {}: {}.", thought.thinker, thought.is_hint ? "would play" : "played",
                                 move, game.role_name(thought.role), value_text(choice)),
                     width);
    const bool looked = choice.nodes > 0 || choice.playouts > 0;
    std::string effort = looked          ? "It looked at " + effort_text(choice)
                         : choice.judged ? "It knew that from what it had seen before"
                                         : "Nothing was looked at";
    if (!choice.note.empty()) effort += " (" + choice.note + ")";
    text += wrapped_text(effort + ".", width);
    std::vector<std::string> steps = line_steps(game, thought.state, choice.line);
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) steps[i] += ";";
    if (!steps.empty()) {
        steps.insert(steps.begin(), "It expects:");
        text += wrapped(steps, width);
    }
    if (choice.proved) text += "Proved: no play of the others can lower this value.\n";
    return text;
}

}  // namespace stratagem::view
