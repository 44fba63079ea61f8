// The results of stages, as a table for files.
#pragma once

#include "arena/provenance.h"
#include "arena/table.h"
#include "lab/stages.h"

namespace stratagem::lab {

// A row for each pair and game, and one for all games where there are several. `contest`: the one the stages were made
// with.
arena::Table stages_table(const Stages& stages, const arena::Contest& contest, const arena::Provenance& provenance);

}  // namespace stratagem::lab
