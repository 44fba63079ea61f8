// Makes puzzles: random games are played, and where the player to move can force a win in a number of moves within the
// range, and not sooner, the position is kept. Alpha-beta proposes; exhaustive search (PlainForce, which shares no code
// with it) decides.
//
//   make_puzzles GAME.kif SEED COUNT LEAST MOST PLIES > puzzles/GAME.json
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "gdl/read.h"
#include "machine/gdl_game.h"
#include "machine/random.h"
#include "search/plain_search.h"
#include "search/puzzles/puzzle.h"
#include "search/registry.h"

namespace {

using namespace stratagem;
using namespace stratagem::search;

std::string stem(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    return name.substr(0, name.find('.'));
}

struct Maker {
    const Problem& problem;
    machine::Machine& machine;
    std::uint32_t least, most;
    std::size_t plies;
    std::set<std::uint64_t> seen;

    // One random game; adds what is found on the way.
    void play(machine::Random& random, testing::PuzzleFile& file, std::size_t count) {
        State state = machine.initial();
        State next;
        std::vector<std::string> story;
        for (std::size_t ply = 0; ply < plies && !machine.terminal(state) && file.puzzles.size() < count; ++ply) {
            std::uint32_t mover = 0;
            std::vector<Move> joint(machine.role_count());
            std::string names;
            for (std::uint32_t role = 0; role < joint.size(); ++role) {
                std::vector<Move> legal;
                machine.legal(state, Role{role}, legal);
                if (legal.size() > 1) mover = role;
                joint[role] = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
                names += (role == 0 ? "" : " | ") + machine.move_name(joint[role]);
            }
            if (ply >= plies / 4) consider(state, mover, story, file);
            machine.next(state, joint, next);
            std::swap(state, next);
            story.push_back(names);
        }
    }

    void consider(const State& state, std::uint32_t role, const std::vector<std::string>& story,
                  testing::PuzzleFile& file) {
        if (seen.contains(state.hash())) return;
        const SearchEntry& entry = *find_search("alphabeta");
        Budget budget;
        budget.max_nodes = 3'000'000;
        budget.max_depth = most;
        const Choice choice = entry.make(problem, SearchSettings{1, 1, 16}, OptionValues(entry.options, "forced=off"))
                                  ->choose(state, Role{role}, budget);
        const int goal = problem.facts.most_goal[role];
        if (!choice.proved || choice.value < goal || choice.depth < least) return;
        const std::uint32_t win_in = choice.depth;
        testing::PlainForce force(machine, role, goal);
        if (!force.within(state, win_in) || force.within(state, win_in - 1)) {
            fmt::print(stderr, "alpha-beta and exhaustive search differ after {} moves\n", story.size());
            std::exit(1);
        }
        seen.insert(state.hash());
        file.puzzles.push_back({story, role, win_in});
        fmt::print(stderr, "{}: win in {} after {} moves\n", file.puzzles.size(), win_in, story.size());
    }
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 7) {
        fmt::print(stderr, "usage: make_puzzles GAME.kif SEED COUNT LEAST MOST PLIES\n");
        return 2;
    }
    std::ifstream stream(arguments[1]);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const gdl::ReadResult rules = gdl::read_and_check(arguments[1], text);
    if (!rules.ok()) return 2;
    Problem problem;
    problem.game = std::make_shared<machine::GdlGame>(rules.description);
    problem.facts = analysis::observe(*problem.game, {});
    problem.evaluator = std::make_shared<evaluate::ConstantEvaluator>();
    const std::unique_ptr<machine::Machine> machine = problem.game->make();

    testing::PuzzleFile file;
    file.game = stem(arguments[1]);
    file.seed = std::strtoull(arguments[2], nullptr, 10);
    const auto wanted = static_cast<std::size_t>(std::strtoull(arguments[3], nullptr, 10));
    Maker maker{problem,
                *machine,
                static_cast<std::uint32_t>(std::strtoul(arguments[4], nullptr, 10)),
                static_cast<std::uint32_t>(std::strtoul(arguments[5], nullptr, 10)),
                static_cast<std::size_t>(std::strtoull(arguments[6], nullptr, 10)),
                {}};
    machine::Random random(file.seed);
    // At most one from each game would be best; a few are close relatives.
    while (file.puzzles.size() < wanted) maker.play(random, file, file.puzzles.size() + 1);
    fmt::print("{}\n", nlohmann::json(file).dump(1));
    return 0;
}
