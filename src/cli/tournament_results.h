// What came of a tournament: on standard output, as records, tables and a page.
#pragma once

#include "cli/tournament.h"

namespace stratagem::cli {

// Of all there is by now, whenever it was played. Results first, since the rest may fail; false if it did.
bool tell_results(const Tournament& cup);

}  // namespace stratagem::cli
