// All that is known about a game before it is played.
//
// Found in order of usefulness, as far as the time goes: what is missing at the end says so. Nothing here is a guess
// passed off as knowledge: each item is proved, or observed on so many states, or refuted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/claims.h"
#include "analysis/structures.h"
#include "analysis/subgames.h"
#include "analysis/symmetry.h"

namespace stratagem::analysis {

struct AnalysisOptions {
    machine::Stop stop;
    std::uint64_t seed = 1;
    std::size_t sample_states = 4000;
};

// How long a part took, and whether it came to its end.
struct Stage {
    std::string name;
    double seconds = 0;
    bool complete = true;
};

struct Analysis {
    std::shared_ptr<const ground::Program> program;
    std::size_t sampled_states = 0;
    std::size_t sampled_games = 0;

    // Game type.
    std::vector<bool> is_chance;  // by role: named `random`
    Verdict turn_taking = Verdict::unknown;
    std::optional<State> several_choose;  // where that is refuted: a state in which two roles have a choice
    GoalSum goal_sum;                     // over all roles but chance
    std::vector<std::uint32_t> team;      // by role: equal numbers had equal goals at every end seen
    double branching = 0;                 // mean number of moves of those who had a choice
    double length = 0;                    // mean of the games seen to their end
    std::size_t longest = 0;

    std::vector<Family> families;
    std::vector<Order> orders;
    ArgumentOrders argument_orders;
    std::vector<Group> groups;
    Persistence persistence;
    std::unique_ptr<RuleIndex> rules;
    std::unique_ptr<FluentGraph> graph;
    std::vector<Structure> structures;  // by family
    Subgames subgames;
    Symmetries symmetries;  // of the rules, also such as swap roles or move the initial state
    std::vector<Stage> stages;
};

// Nothing where the rules cannot be grounded: the factory has no circuit.
std::optional<Analysis> analyze(const machine::MachineFactory& factory, const AnalysisOptions& options);

// The rules of the program: those of the analysis, kept alive with it, if they are of this program; else new ones.
// The analysis may be null.
std::shared_ptr<const RuleIndex> shared_rules(const std::shared_ptr<const Analysis>& analysis,
                                              const std::shared_ptr<const ground::Program>& program);

}  // namespace stratagem::analysis
