// A game with all that is known of it, and what that is as text: without names of groups and without seconds, so that
// it can be compared.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "gdl/print.h"
#include "machine/same_game.h"

namespace stratagem::analysis::testing {

struct KnownGame {
    explicit KnownGame(const std::string& name) : KnownGame(machine::testing::bundled(name)) {}
    explicit KnownGame(gdl::Description rules) : description(std::move(rules)), prepared(description) {
        // More time than is ever needed, so that the same comes of it however slow the computer is. Without any clock
        // counts of work would end proofs instead.
        AnalysisOptions options;
        options.stop.deadline = Deadline::after(std::chrono::hours(24));
        analysis = analyze(prepared, options);
    }

    const Findings& operator*() const { return *analysis; }
    const Findings* operator->() const { return &*analysis; }

    std::string name(Fluent fluent) const {
        return gdl::to_kif(analysis->program()->terms, analysis->program()->fluents[ground::index(fluent)]);
    }
    Fluent fluent(const std::string& text) const {
        for (std::uint32_t i = 0; i < analysis->program()->fluents.size(); ++i) {
            if (name(Fluent{i}) == text) return Fluent{i};
        }
        ADD_FAILURE() << text;
        return Fluent{0};
    }
    std::string family_name(std::size_t family) const {
        return std::string(analysis->program()->terms.symbols().name(analysis->families()[family].name));
    }
    std::string relation_name(const Order& order) const {
        return std::string(analysis->program()->terms.symbols().name(order.relation));
    }
    const Structure& structure(const std::string& family) const {
        for (const Structure& one : analysis->structures()) {
            if (family_name(one.family) == family) return one;
        }
        ADD_FAILURE() << family;
        return analysis->structures().front();
    }
    std::uint16_t steps(const std::string& from, const std::string& to) const {
        return analysis->graph()->distances_to(fluent(to))[ground::index(fluent(from))];
    }
    // The stage that was not finished, if there is one.
    std::optional<std::string> cut_short() const {
        for (const Stage& stage : analysis->stages()) {
            if (!stage.complete) return stage.name;
        }
        return {};
    }

    gdl::Description description;
    machine::GdlGame prepared;
    std::optional<Findings> analysis;
};

// The fluent with ordered arguments left open: "(cell _ _ white)".
inline std::string kind_of(const KnownGame& known, std::size_t family, Fluent fluent) {
    const gdl::TermPool& terms = known->program()->terms;
    const gdl::Term term = known->program()->fluents[ground::index(fluent)];
    if (known->families()[family].arity == 0) return known.name(fluent);
    std::string text = "(" + known.family_name(family);
    for (std::uint32_t i = 0; i < known->families()[family].arity; ++i) {
        const bool open = known->argument_orders().of(family, i).has_value();
        text += " " + (open ? std::string("_") : gdl::to_kif(terms, terms.argument(term, i)));
    }
    return text + ")";
}

inline std::string structure_text(const KnownGame& known, const Structure& structure) {
    std::string text = fmt::format("{}: {}", known.family_name(structure.family), to_string(structure.kind));
    if (structure.kind == Structure::Kind::proposition) return text + "\n";
    text += ";";
    for (std::size_t i = 0; i < structure.arguments.size(); ++i) {
        const Argument& one = structure.arguments[i];
        text += fmt::format(" {}{}{}", one.output ? "-" : "+", known->families()[structure.family].values[i].size(),
                            one.order ? " by " + known.relation_name(known->orders()[*one.order]) : "");
    }
    if (structure.kind != Structure::Kind::set) {
        text += fmt::format("; {}, ", to_string(structure.verdict));
        text +=
            structure.total == Verdict::refuted ? "sometimes" : fmt::format("always {}", to_string(structure.total));
    }
    if (structure.only_ends) text += "; only ends the game";
    if (structure.rising != Verdict::unknown) {
        text +=
            fmt::format("; never falls {}, never rises {}", to_string(structure.rising), to_string(structure.falling));
    }
    text += "\n";
    for (std::size_t i = 0; i < structure.contents.size(); ++i) {
        text += fmt::format("    {}{}\n", structure.contents[i],
                            structure.single[i] == Verdict::unknown
                                ? ""
                                : fmt::format(": in one place at most, {}", to_string(structure.single[i])));
    }
    for (std::size_t i = 0; i < structure.chooser.size(); ++i) {
        text += fmt::format("    {}: {} chooses\n", known.name(known->families()[structure.family].members[i]),
                            gdl::to_kif(known->program()->terms, known->program()->roles[structure.chooser[i]]));
    }
    return text;
}

inline std::string persistence_text(const KnownGame& known) {
    struct Count {
        std::size_t all = 0, stay = 0, gone = 0;
    };
    std::map<std::string, Count> counts;
    for (std::size_t family = 0; family < known->families().size(); ++family) {
        for (const Fluent fluent : known->families()[family].members) {
            Count& count = counts[kind_of(known, family, fluent)];
            ++count.all;
            count.stay += known->persistence().stays[ground::index(fluent)] == Verdict::proved ? 1 : 0;
            count.gone += known->persistence().gone[ground::index(fluent)] == Verdict::proved ? 1 : 0;
        }
    }
    std::string text = "\nproved to stay once they hold, not to come back once they are gone\n";
    for (const auto& [kind, count] : counts) {
        if (count.stay + count.gone == 0) continue;
        text += fmt::format("  {}: {} and {} of {}\n", kind, count.stay, count.gone, count.all);
    }
    return text;
}

inline std::string groups_text(const KnownGame& known) {
    std::map<std::string, std::size_t> counts;
    for (const Group& group : known->groups()) {
        std::string of = "several families";
        if (group.family != Group::mixed) {
            of = known.family_name(group.family);
            for (std::uint32_t i = 0; i < known->families()[group.family].arity; ++i) {
                of += (group.outputs >> i & 1U) != 0 ? " -" : " +";
            }
        }
        ++counts[fmt::format("{} of {} fluents, {}: {}", group.at_least_one ? "exactly one" : "at most one",
                             group.fluents.size(), of, to_string(group.verdict))];
    }
    std::string text = "\ngroups\n";
    for (const auto& [kind, count] : counts) text += fmt::format("  {} times {}\n", count, kind);
    return text;
}

// What is known, for people to read and tests to compare.
inline std::string knowledge(const KnownGame& known) {
    std::string text = "roles:";
    for (std::size_t role = 0; role < known->program()->roles.size(); ++role) {
        text += fmt::format(" {}{}", gdl::to_kif(known->program()->terms, known->program()->roles[role]),
                            known->kind().is_chance[role] ? " (chance)" : "");
    }
    text += fmt::format("\nturns: {}\nconstant sum: {}", to_string(known->kind().turn_taking),
                        to_string(known->goal_sum().constant));
    if (known->goal_sum().sum) text += fmt::format(", {}", *known->goal_sum().sum);
    text += fmt::format("\nparts: {}\n\norders\n", known->subgames().parts.size());
    for (const Order& order : known->orders()) {
        text += fmt::format("  {}: {} of {}, {}\n", known.relation_name(order),
                            order.kind == Order::Kind::successor ? "successor" : "order", order.elements.size(),
                            order.linear ? "a line" : "not a line");
    }
    text += "\nfluents (+ given, - determined)\n";
    for (const Structure& structure : known->structures()) text += "  " + structure_text(known, structure);
    return text + persistence_text(known) + groups_text(known);
}

}  // namespace stratagem::analysis::testing
