// The values of a state for people: the tree of sub-goals in words of the rules, the most influential first.
//
// What adds most to the sum of a conjunction or disjunction comes first: of a conjunction that does not hold what is
// missing most, of a disjunction what is nearest. Values are degrees of truth in hundredths; of goals, times what they
// are worth.
#include <fmt/format.h>

#include <algorithm>

#include "evaluate/fuzzy/fuzzy_evaluator.h"
#include "gdl/print.h"
#include "ground/made_names.h"

namespace stratagem::evaluate::fuzzy {

using Kind = analysis::FormulaGraph::Kind;

class Explainer {
  public:
    Explainer(const FuzzyEvaluator& evaluator, const machine::State& state)
        : evaluator_(evaluator), graph_(evaluator.graph_), state_(state), work_(evaluator) {
        work_.move_to(state);
    }

    Explanation explain(machine::Role role) const {
        const gdl::Term name = evaluator_.program_->roles[ground::index(role)];
        Explanation result{text(name), evaluator_.value(work_.values(), role), {}};
        const std::vector<FuzzyEvaluator::Goal>& goals = evaluator_.goals_[ground::index(role)];
        if (evaluator_.settings_.aggregation == Settings::Aggregation::ladder) {
            for (const FuzzyEvaluator::Rung& rung : evaluator_.ladders_[ground::index(role)]) {
                result.parts.push_back(explain(rung, goals));
            }
        } else {
            for (const FuzzyEvaluator::Goal& goal : goals) {
                if (goal.value > 0) result.parts.push_back(explain(goal));
            }
        }
        // By what they add to the value of the state.
        const auto weight = [&](const Explanation& part) { return part.value; };
        std::ranges::stable_sort(result.parts, std::greater{}, weight);
        if (result.parts.size() > most_parts) {
            const std::size_t hidden = result.parts.size() - (most_parts - 1);
            const double next = result.parts[most_parts - 1].value;
            result.parts.resize(most_parts - 1);
            result.parts.push_back({fmt::format("and {} goals more", hidden), next, {}});
        }
        Explanation end = explain(evaluator_.terminal_condition_, 1);
        end.text = "the end: " + end.text;
        result.parts.push_back(std::move(end));
        return result;
    }

  private:
    using Graph = analysis::FormulaGraph;
    static constexpr std::size_t most_parts = 6;
    static constexpr std::size_t most_depth = 3;  // below the condition of a goal

    Explanation explain(const FuzzyEvaluator::Goal& goal) const {
        const double value = evaluator_.prospect(work_.values(), goal.code) * goal.value;
        Explanation result{fmt::format("goal {}: {}", goal.value, how_far(goal.code)), value, {}};
        result.parts.push_back(explain(goal.condition, 1));
        return result;
    }

    Explanation explain(const FuzzyEvaluator::Rung& rung, const std::vector<FuzzyEvaluator::Goal>& goals) const {
        const double value = evaluator_.prospect(work_.values(), rung.code) * rung.weight;
        Explanation result{fmt::format("at least {}: {}", rung.value, how_far(rung.code)), value, {}};
        for (std::size_t i = rung.first; i < rung.end && result.parts.size() < most_parts; ++i) {
            Explanation goal = explain(rung.avoids ? !goals[i].condition : goals[i].condition, 1);
            goal.text = fmt::format("{}goal {}: {}", rung.avoids ? "without " : "", goals[i].value, goal.text);
            result.parts.push_back(std::move(goal));
        }
        return result;
    }

    std::string_view how_far(FuzzyEvaluator::Code code) const {
        return work_.values().fails[code.code()] == 0 ? "met, the end is welcome" : "not met, the end is to be avoided";
    }

    Explanation explain(Graph::Edge edge, std::size_t depth) const {
        const Graph::Node& node = graph_.node(edge.node());
        Explanation result{words(edge), 100 * evaluator_.network_.value(work_.values(), evaluator_.code_of(edge)), {}};
        if (depth >= most_depth) return result;
        std::vector<Graph::Edge> parts(graph_.edges(node).begin(), graph_.edges(node).end());
        const bool conjunction = node.kind == Kind::conjunction;
        const auto influence = [&](Graph::Edge part) {
            return work_.values().power[evaluator_.code_of(conjunction ? part : !part).code()];
        };
        std::ranges::stable_sort(parts, std::greater{}, influence);
        const std::size_t shown = parts.size() > most_parts ? most_parts - 1 : parts.size();
        for (std::size_t i = 0; i < shown; ++i) result.parts.push_back(explain(parts[i], depth + 1));
        if (shown < parts.size()) {
            const double next = evaluator_.network_.value(work_.values(), evaluator_.code_of(parts[shown]));
            result.parts.push_back({fmt::format("and {} more", parts.size() - shown), 100 * next, {}});
        }
        return result;
    }

    std::string text(gdl::Term term) const { return gdl::to_kif(evaluator_.program_->terms, term); }

    std::string words(Graph::Edge edge) const {
        const Graph::Node& node = graph_.node(edge.node());
        switch (node.kind) {
            case Kind::constant:
                return edge.negated() ? "never" : "always";
            case Kind::fluent:
                return words(Fluent{ground::index(node.atom)}, edge.negated());
            case Kind::recursive:
                if (const Comparison* compared = evaluator_.comparison(node)) return words(*compared, edge.negated());
                [[fallthrough]];
            case Kind::move:
                return (edge.negated() ? "not " : "") + evaluator_.program_->name(node.atom);
            case Kind::conjunction:
            case Kind::disjunction:
                break;
        }
        const bool conjunction = node.kind == Kind::conjunction;
        const char* how = conjunction ? (edge.negated() ? "not all" : "all") : (edge.negated() ? "none" : "one");
        std::string result = fmt::format("{} of {}", how, node.count);
        if (const std::string name = author_name(node.atom); !name.empty()) {
            result = fmt::format("{}{}: {} of {}", edge.negated() ? "not " : "", name, conjunction ? "all" : "one",
                                 node.count);
        }
        if (const std::string pattern = common_pattern(node); !pattern.empty()) result += " " + pattern;
        return result;
    }

    std::string words(Fluent fluent, bool negated) const {
        const std::string name = text(evaluator_.program_->fluents[ground::index(fluent)]);
        if (!negated && !state_.holds(fluent) && evaluator_.nearness_) {
            const std::optional<std::uint32_t> steps = evaluator_.nearness_->steps_to_nearest(state_, fluent);
            if (steps) return fmt::format("{} step{} from {}", *steps, *steps == 1 ? "" : "s", name);
        }
        if (!negated && !state_.holds(fluent) && evaluator_.approach_) {
            const std::optional<std::uint32_t> steps = evaluator_.approach_->steps_to(state_, fluent);
            if (steps) return fmt::format("{} step{} from what brings about {}", *steps, *steps == 1 ? "" : "s", name);
        }
        return (negated ? "not " : "") + name;
    }

    // The numbers compared, as the state says them.
    std::string words(const Comparison& comparison, bool negated) const {
        std::string left, right;
        const auto number = static_cast<std::size_t>(&comparison - evaluator_.rewritten_->comparisons.data());
        for (std::size_t i = 0; i < comparison.inputs.size(); ++i) {
            const Comparison::Input& input = comparison.inputs[i];
            if (work_.values().fails[evaluator_.code_of(evaluator_.inputs_[number][i]).code()] != 0) continue;
            const std::string name = comparison.size == 1 ? "" : evaluator_.program_->name(input.atom);
            if (input.left != Comparison::none) left = name;
            if (input.right != Comparison::none) right = name;
        }
        if (comparison.size == 1) return negated ? "not what was never seen" : "what was never seen";
        if (left == right && !left.empty()) {
            return fmt::format("{}numbers of {} compared", negated ? "not: " : "", left);
        }
        return fmt::format("{}{} {} {}", negated ? "not: " : "", left.empty() ? "nothing" : left,
                           comparison.equality ? "as much as" : "more than", right.empty() ? "nothing" : right);
    }

    // The relation a node stands for, if the author of the rules gave it a name.
    std::string author_name(Atom atom) const {
        const ground::Program& program = *evaluator_.program_;
        const std::uint32_t number = ground::index(atom);
        if (atom == Atom::none || number < program.first_derived() || number >= program.atom_count()) return {};
        const gdl::Term term = program.derived[number - program.first_derived()];
        const std::string name = text(term);
        return ground::is_made_name(name.starts_with('(') ? std::string_view(name).substr(1) : name) ? "" : name;
    }

    // "(cell 8 ?b white)" where all parts are fluents of one name; empty otherwise.
    std::string common_pattern(const Graph::Node& node) const {
        const ground::Program& program = *evaluator_.program_;
        std::vector<std::string> pattern;
        std::string functor;
        for (const Graph::Edge edge : graph_.edges(node)) {
            const Graph::Node& part = graph_.node(edge.node());
            if (part.kind != Kind::fluent || edge.negated()) return {};
            const gdl::Term term = program.fluents[ground::index(part.atom)];
            const std::string name = text(term);
            const std::string its_functor = name.substr(0, name.find(' '));
            const std::span<const gdl::Term> arguments = program.terms.arguments(term);
            if (functor.empty()) {
                functor = its_functor;
                for (const gdl::Term argument : arguments) pattern.push_back(text(argument));
                continue;
            }
            if (functor != its_functor || arguments.size() != pattern.size()) return {};
            for (std::size_t i = 0; i < pattern.size(); ++i) {
                if (pattern[i] != text(arguments[i])) pattern[i] = std::string("?") + static_cast<char>('a' + i % 26);
            }
        }
        if (pattern.empty()) return {};
        return fmt::format("{} {})", functor, fmt::join(pattern, " "));
    }

    const FuzzyEvaluator& evaluator_;
    const Graph& graph_;
    const machine::State& state_;
    Work work_;
};

Explanation FuzzyEvaluator::explain(const machine::State& state, machine::Role role) const {
    return Explainer(*this, state).explain(role);
}

}  // namespace stratagem::evaluate::fuzzy
