#include "evaluate/neural/print.h"

#include <fmt/format.h>

#include "evaluate/condition_words.h"
#include "gdl/print.h"

namespace stratagem::evaluate::neural {

namespace {

using Kind = DomainTheory::Kind;

std::string label(const GradedTheory& graded, const ground::Program& program, std::uint32_t number) {
    const DomainTheory::Node& node = graded.theory().node(number);
    switch (node.kind) {
        case Kind::constant:
            return "always";
        case Kind::fluent:
            return words(program, Fluent{ground::index(node.atom)});
        case Kind::recursive:
            return program.name(node.atom);
        case Kind::comparison:
            return "compare";
        case Kind::conjunction:
        case Kind::disjunction:
            break;
    }
    const std::string name = author_name(program, node.atom);
    const char* kind = node.kind == Kind::conjunction ? "and" : "or";
    return fmt::format("{}{}{}{}", kind, node.crisp ? " crisp" : "", name.empty() ? "" : " ", name);
}

std::string goal_name(const ground::Program& program, const DomainTheory::Goal& goal) {
    return fmt::format("(goal {} {})", gdl::to_kif(program.terms, program.roles[ground::index(goal.role)]), goal.value);
}

}  // namespace

std::string to_text(const GradedTheory& graded, const ground::Program& program) {
    std::string text;
    for (std::uint32_t i = 0; i < graded.network().size(); ++i) {
        const Network::Neuron& neuron = graded.network().neuron(i);
        text += fmt::format("{}: {}", i, label(graded, program, i));
        for (const Code part : graded.network().parts(neuron)) {
            text += fmt::format(" {}{}", negated(part) ? "-" : "", node_of(part));
        }
        if (neuron.kind == Network::Kind::sigmoid) {
            text += fmt::format("; weight {:.4g} bias {:.4g}", neuron.weight, neuron.bias);
        }
        const Limits& limits = neuron.output;
        text += fmt::format("; false {:.4g}..{:.4g} true {:.4g}..{:.4g}\n", limits.lowest, limits.low, limits.high,
                            limits.highest);
    }
    for (const DomainTheory::Goal& goal : graded.theory().goals()) {
        text += fmt::format("{}: {}{}\n", goal_name(program, goal), negated(goal.condition) ? "-" : "",
                            node_of(goal.condition));
    }
    return text;
}

std::string to_dot(const GradedTheory& graded, const ground::Program& program) {
    std::string text = "digraph network {\n  rankdir=TB; node [fontname=\"sans-serif\", fontsize=10];\n";
    const auto style = [](Code part) { return negated(part) ? " [style=dashed]" : ""; };
    for (std::uint32_t i = 0; i < graded.network().size(); ++i) {
        const bool leaf = graded.theory().leaf(i);
        if (graded.theory().node(i).kind == Kind::constant) continue;
        text +=
            fmt::format("  n{} [label=\"{}\", shape={}];\n", i, label(graded, program, i), leaf ? "box" : "ellipse");
        for (const Code part : graded.network().parts(graded.network().neuron(i))) {
            text += fmt::format("  n{} -> n{}{};\n", i, node_of(part), style(part));
        }
    }
    std::size_t place = 0;
    for (const DomainTheory::Goal& goal : graded.theory().goals()) {
        text += fmt::format("  g{} [label=\"{}\", shape=plaintext];\n", place, goal_name(program, goal));
        if (graded.theory().node(node_of(goal.condition)).kind != Kind::constant) {
            text += fmt::format("  g{} -> n{}{};\n", place, node_of(goal.condition), style(goal.condition));
        }
        ++place;
    }
    return text + "}\n";
}

}  // namespace stratagem::evaluate::neural
