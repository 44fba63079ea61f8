// The value of a state for people: how far each goal pulls it, and the sub-goals behind that in words of the rules.
//
// Of a conjunction what is missing most comes first, of a disjunction what is nearest. Values of conditions are in
// hundredths: 0 is surely false, 100 surely true, and what is above 50 holds.
#include <fmt/format.h>

#include <algorithm>

#include "evaluate/condition_words.h"
#include "evaluate/neural/neural_evaluator.h"
#include "gdl/print.h"

namespace stratagem::evaluate::neural {

using Kind = DomainTheory::Kind;

class Explainer {
  public:
    Explainer(const NeuralEvaluator& evaluator, const machine::State& state)
        : evaluator_(evaluator), theory_(evaluator.goals_.theory()), state_(state), work_(evaluator) {
        work_.move_to(state);
    }

    Explanation explain(machine::Role role) const {
        const gdl::Term name = evaluator_.program_->roles[ground::index(role)];
        const std::span<const DomainTheory::Goal> goals = evaluator_.goals_of(role);
        const std::size_t now = evaluator_.holding(work_.goals(), role);
        const bool anchored = !evaluator_.ladders_.empty() && now != Ladder::none;
        Explanation result{fmt::format("{}: {:g} {}", text(name), evaluator_.start_value(role, now),
                                       anchored ? "by the goal that holds" : "without knowing better"),
                           evaluator_.value(work_, role),
                           {}};
        for (std::size_t i = 0; i < goals.size(); ++i) {
            if (goals[i].value == evaluator_.start_value(role, now)) continue;
            const double pull = evaluator_.pull(work_.goals(), role, now, i);
            Explanation part{fmt::format("goal {} pulls by {:+.3g}", goals[i].value, pull), pull, {}};
            part.parts.push_back(explain(goals[i].condition, 1));
            result.parts.push_back(std::move(part));
        }
        const auto strength = [](const Explanation& part) { return std::abs(part.value); };
        std::ranges::stable_sort(result.parts, std::greater{}, strength);
        if (result.parts.size() > most_parts) {
            const std::size_t hidden = result.parts.size() - (most_parts - 1);
            const double next = result.parts[most_parts - 1].value;
            result.parts.resize(most_parts - 1);
            result.parts.push_back({fmt::format("and {} goals more", hidden), next, {}});
        }
        if (work_.bonus(role) != 0) {
            result.parts.push_back({"bonus of moves, pieces and depth", work_.bonus(role), {}});
        }
        if (evaluator_.end_) result.parts.push_back({"how near the end is", 100 * work_.end(), {}});
        return result;
    }

  private:
    static constexpr std::size_t most_parts = 6;
    static constexpr std::size_t most_depth = 3;  // below the condition of a goal

    double hundredths(Code of) const { return 50 * (evaluator_.goals_.network().output(work_.goals().values, of) + 1); }

    // Recursion is bounded by most_depth.
    Explanation explain(Code of, std::size_t depth) const {
        const DomainTheory::Node& node = theory_.node(node_of(of));
        Explanation result{
            words_of(of), depth == 1 ? 50 * (evaluator_.goals_.answer(work_.goals(), of) + 1) : hundredths(of), {}};
        if (depth >= most_depth || node.kind == Kind::comparison) return result;
        std::vector<Code> parts;
        for (const Code part : theory_.parts(node)) parts.push_back(part ^ negated(of));
        const bool lowest_first = (node.kind == Kind::conjunction) != negated(of);
        std::ranges::stable_sort(parts, {},
                                 [&](Code part) { return lowest_first ? hundredths(part) : -hundredths(part); });
        const std::size_t shown = parts.size() > most_parts ? most_parts - 1 : parts.size();
        for (std::size_t i = 0; i < shown; ++i) result.parts.push_back(explain(parts[i], depth + 1));
        if (shown < parts.size()) {
            result.parts.push_back({fmt::format("and {} more", parts.size() - shown), hundredths(parts[shown]), {}});
        }
        return result;
    }

    std::string text(gdl::Term term) const { return gdl::to_kif(evaluator_.program_->terms, term); }

    std::string words_of(Code of) const {
        const ground::Program& program = *evaluator_.program_;
        const DomainTheory::Node& node = theory_.node(node_of(of));
        const char* no = negated(of) ? "not " : "";
        switch (node.kind) {
            case Kind::constant:
                return negated(of) ? "never" : "always";
            case Kind::fluent: {
                const Fluent fluent{ground::index(node.atom)};
                std::string more;
                if (const feature::LeafFeatures* features = evaluator_.features()) {
                    more = features->say(fluent, state_.holds(fluent), work_.features());
                }
                return fmt::format("{}{}{}{}", no, words(program, fluent), more.empty() ? "" : ", ", more);
            }
            case Kind::recursive:
                return no + program.name(node.atom);
            case Kind::comparison:
                return no + compared(node_of(of));
            case Kind::conjunction:
            case Kind::disjunction:
                break;
        }
        const bool all = (node.kind == Kind::conjunction) != negated(of);
        std::string result = fmt::format("{} of {}", all ? "all" : "one", node.end - node.first);
        if (const std::string name = author_name(program, node.atom); !name.empty()) {
            result = fmt::format("{}{}: {}", no, name, result);
        }
        if (const std::string pattern = pattern_of(node); !pattern.empty()) result += " " + pattern;
        return result;
    }

    // What the state says the numbers are, or how far counting them gets.
    std::string compared(std::uint32_t number) const {
        const Comparison& comparison = theory_.comparison(theory_.node(number));
        std::string left = "nothing", right = "nothing";
        for (std::size_t i = 0; i < comparison.inputs.size(); ++i) {
            if (hundredths(theory_.parts(theory_.node(number))[i]) < 50) continue;
            const Comparison::Input& input = comparison.inputs[i];
            const std::string name = evaluator_.program_->name(input.atom);
            if (input.left != Comparison::none) left = name;
            if (input.right != Comparison::none) right = name;
        }
        const Network::CountedSides sides = evaluator_.goals_.network().count_sides(work_.goals().values, number);
        if (sides.left_guessed) left = so_far(comparison, sides.left, Comparison::none);
        if (sides.right_guessed) right = so_far(comparison, Comparison::none, sides.right);
        return fmt::format("{} {} {}", left, comparison.equality ? "as much as" : "more than", right);
    }

    // In the words of the atom that would say it, if it says nothing else.
    std::string so_far(const Comparison& comparison, std::uint32_t left, std::uint32_t right) const {
        for (const Comparison::Input& input : comparison.inputs) {
            if (input.left == left && input.right == right) return "so far " + evaluator_.program_->name(input.atom);
        }
        return fmt::format("so far {} of {}", std::min(left, right) + 1, comparison.size);
    }

    std::string pattern_of(const DomainTheory::Node& node) const {
        std::vector<Fluent> fluents;
        for (const Code part : theory_.parts(node)) {
            const DomainTheory::Node& leaf = theory_.node(node_of(part));
            if (leaf.kind != Kind::fluent || negated(part)) return {};
            fluents.push_back(Fluent{ground::index(leaf.atom)});
        }
        return common_pattern(*evaluator_.program_, fluents);
    }

    const NeuralEvaluator& evaluator_;
    const DomainTheory& theory_;
    const machine::State& state_;
    Work work_;
};

Explanation NeuralEvaluator::explain(const machine::State& state, machine::Role role) const {
    return Explainer(*this, state).explain(role);
}

}  // namespace stratagem::evaluate::neural
