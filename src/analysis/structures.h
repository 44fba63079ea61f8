// What fluents are for: boards and what lies on them, pieces, quantities, counters of steps, whose turn it is.
//
// Decided by meaning: which arguments determine the others (groups.h), which are ordered (orders.h), and how they
// change from step to step. Names play no part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/argument_orders.h"
#include "analysis/fluent_graph.h"
#include "analysis/groups.h"
#include "analysis/orders.h"

namespace stratagem::analysis {

struct Argument {
    bool output = false;               // determined by the inputs
    std::optional<std::size_t> order;  // of its values
};

struct Structure {
    enum class Kind : std::uint8_t {
        proposition,   // no arguments
        set,           // no argument is determined by the others
        singleton,     // at most one of the family holds
        quantity,      // a singleton whose only argument is ordered
        step_counter,  // a quantity that grows by one with every step
        control,       // a singleton that says who has a choice
        board,         // cells (inputs) with contents (outputs)
        places,        // things (inputs) and the ordered coordinates of where they are (outputs)
        amounts,       // things (inputs) and an ordered amount of each (output)
    };

    std::size_t family = 0;
    Kind kind = Kind::set;
    Verdict verdict = Verdict::observed;  // that the inputs determine the outputs; of a counter, that it counts
    Verdict total = Verdict::unknown;     // for all inputs there is an output in every state
    std::vector<Argument> arguments;

    // Of a board: contents in order of first occurrence, with those that are in one place at most.
    std::vector<std::string> contents;
    std::vector<Verdict> single;  // by content: in at most one cell; unknown where it was seen in two
    // Of a step counter: nothing but the end of the game depends on it.
    bool only_ends = false;
    // Of quantities and amounts: with every step no lower, no higher; of counters, they follow from the kind.
    Verdict rising = Verdict::unknown;
    Verdict falling = Verdict::unknown;
    // Of control: by fluent of the family, the role that chooses while it holds.
    std::vector<std::uint32_t> chooser;
};

std::string_view to_string(Structure::Kind kind);

// One for each family, in their order. When time is up, what is left are sets of which nothing is known.
std::vector<Structure> find_structures(const RuleIndex& index, std::span<const Family> families, const Samples& samples,
                                       std::span<const Group> groups, std::span<const Order> orders,
                                       const ArgumentOrders& argument_orders, const FluentGraph& graph,
                                       const machine::Stop& stop);

}  // namespace stratagem::analysis
