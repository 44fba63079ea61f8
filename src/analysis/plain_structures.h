// Structures as Kuhlmann's thesis has them (Automated Domain Analysis and Transfer Learning, 2010, section 4.1): boards
// with markers and pieces, quantities, step counters, teams. A plain view of a game that simple features are made from.
//
// There are two ways to it: by templates and random play, as in the thesis (templates.h), or from the structures that
// are found and proved by meaning (structures.h). Both give the same kind of thing, so that they can be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/findings.h"

namespace stratagem::analysis {

// What may lie on a board, with the fluents that say where it lies.
struct PlainMarker {
    std::vector<gdl::Term> content;  // the values of the content arguments
    std::vector<Fluent> fluents;
    bool seen = false;   // in a state of random play
    bool piece = false;  // it was seen, and never in two cells at once
};

struct PlainBoard {
    std::size_t family = 0;
    std::vector<std::uint32_t> coordinates;          // arguments that say which cell
    std::vector<std::uint32_t> content;              // arguments that say what lies there
    std::vector<std::optional<std::size_t>> orders;  // by coordinate
    std::vector<PlainMarker> markers;                // in order of their first fluents
    std::size_t cells = 0;                           // combinations of coordinates

    bool is_ordered() const;
    std::size_t pieces() const;
};

struct PlainQuantity {
    struct Amount {
        std::vector<gdl::Term> inputs;  // whose amount it is
        std::vector<Fluent> fluents;
    };

    std::size_t family = 0;
    std::uint32_t output = 0;  // argument
    std::size_t order = 0;
    std::vector<Amount> amounts;
};

struct PlainCounter {
    std::size_t family = 0;
    std::size_t order = 0;
};

struct PlainStructures {
    std::vector<Family> families;
    std::vector<Order> orders;
    std::vector<PlainCounter> counters;
    std::vector<PlainBoard> boards;
    std::vector<PlainQuantity> quantities;
    std::vector<std::uint32_t> team;  // by role: equal numbers play together
    std::size_t states = 0;           // looked at
    bool complete = true;             // false: time was up before everything was looked at

    bool is_counter(std::size_t family) const;
    // Of the board or quantity: the index of the fluent's argument in its order. Pre: the order knows it.
    std::uint32_t index_of(const ground::Program& program, Fluent fluent, std::uint32_t argument,
                           std::size_t order) const;
};

// A board whose markers are told apart by these arguments; all others are coordinates. Whether markers are seen and
// pieces is left open.
PlainBoard make_board(const ground::Program& program, const Family& family, std::size_t number,
                      std::vector<std::uint32_t> content, const std::vector<std::optional<std::size_t>>& orders);
PlainQuantity make_quantity(const ground::Program& program, const Family& family, std::size_t number,
                            std::uint32_t output, std::size_t order);

// What the analysis found by meaning, in this form. Pre: there is a program.
PlainStructures plain_structures_by_meaning(const Findings& findings);

// One line for each structure; with names, for people.
std::string to_text(const PlainStructures& structures, const gdl::TermPool& terms);

}  // namespace stratagem::analysis
