// Copies of relations where one relation is asked for in two places of a game's life.
//
// Two uses are rare and allowed all the same:
//   - init may depend on what is asked for in play (legal, goal, terminal), as long as that does not look at the
//     state. What is asked for in play belongs to the program, while init is evaluated before there is one: init gets
//     a copy of everything between it and them;
//   - sees may ask for next. The rules of next make fluents, which no rule can ask for: sees asks a copy.
#pragma once

#include <vector>

#include "ground/clause.h"
#include "ground/effort.h"

namespace stratagem::ground {

void copy_for_init(std::vector<Clause>& clauses, gdl::TermPool& terms, Effort& effort);
void copy_for_sees(std::vector<Clause>& clauses, gdl::TermPool& terms, Effort& effort);

}  // namespace stratagem::ground
