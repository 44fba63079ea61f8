// Alpha-beta beside the raw machine, and the time puzzles take.
#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <string>

#include "gdl/read.h"
#include "machine/gdl_game.h"
#include "search/puzzles/puzzle.h"
#include "search/registry.h"

namespace {

using namespace stratagem;
using namespace stratagem::search;

struct Prepared {
    explicit Prepared(const std::string& name) {
        const std::string path = std::string(STRATAGEM_GAMES_DIR) + "/" + name + ".kif";
        std::ifstream stream(path);
        rules = gdl::read_and_check(path, std::string{std::istreambuf_iterator<char>(stream), {}});
        problem.game = std::make_shared<machine::GdlGame>(rules.description);
        problem.facts = analysis::observe(*problem.game, {});
        problem.evaluator = std::make_shared<evaluate::ConstantEvaluator>();
    }
    gdl::ReadResult rules;
    Problem problem;
};

// Depth first to a fixed depth, deeper and deeper: the states a search without any thought would reach.
class RawWalk {
  public:
    RawWalk(machine::Machine& machine, std::uint64_t max_nodes) : machine_(machine), max_nodes_(max_nodes) {
        frames_.resize(max_depth + 1);
        for (Frame& frame : frames_) {
            frame.legal.resize(machine.role_count());
            frame.joint.resize(machine.role_count());
        }
        frames_[0].state = machine.initial();
    }
    std::uint64_t run() {
        for (std::size_t depth = 1; depth < max_depth && nodes_ < max_nodes_; ++depth) visit(0, depth);
        return nodes_;
    }

  private:
    static constexpr std::size_t max_depth = 60;
    struct Frame {
        State state;
        std::vector<std::vector<Move>> legal;
        std::vector<Move> joint;
    };

    void visit(std::size_t ply, std::size_t depth) {
        if (++nodes_ >= max_nodes_) return;
        Frame& frame = frames_[ply];
        if (machine_.terminal(frame.state) || depth == 0) return;
        for (std::uint32_t role = 0; role < frame.legal.size(); ++role) {
            machine_.legal(frame.state, Role{role}, frame.legal[role]);
            if (frame.legal[role].empty()) return;
        }
        each(ply, depth, 0);
    }
    void each(std::size_t ply, std::size_t depth, std::size_t role) {
        Frame& frame = frames_[ply];
        if (role == frame.legal.size()) {
            machine_.next(frame.state, frame.joint, frames_[ply + 1].state);
            return visit(ply + 1, depth - 1);
        }
        for (const Move move : frame.legal[role]) {
            frame.joint[role] = move;
            each(ply, depth, role + 1);
            if (nodes_ >= max_nodes_) return;
        }
    }

    machine::Machine& machine_;
    std::uint64_t max_nodes_;
    std::uint64_t nodes_ = 0;
    std::vector<Frame> frames_;
};

constexpr std::uint64_t nodes_of_a_run = 1'000'000;

void raw(benchmark::State& state, const std::string& name) {
    const Prepared prepared(name);
    const std::unique_ptr<machine::Machine> machine = prepared.problem.game->make();
    std::uint64_t nodes = 0;
    for (auto each : state) {
        (void)each;
        nodes += RawWalk(*machine, nodes_of_a_run).run();
    }
    state.counters["states"] = benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
}

void alpha_beta(benchmark::State& state, const std::string& name, std::size_t threads) {
    const Prepared prepared(name);
    const SearchEntry& entry = *find_search("alphabeta");
    std::uint64_t nodes = 0;
    double depth = 0;
    for (auto each : state) {
        (void)each;
        state.PauseTiming();
        const auto search = entry.make(prepared.problem, {1, threads, 256}, OptionValues(entry.options, ""));
        const std::unique_ptr<machine::Machine> machine = prepared.problem.game->make();
        state.ResumeTiming();
        Budget budget;
        budget.max_nodes = nodes_of_a_run * threads;
        const Choice choice = search->choose(machine->initial(), Role{0}, budget);
        nodes += choice.nodes;
        depth = choice.depth;
    }
    state.counters["states"] = benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
    state.counters["depth"] = depth;
}

void puzzles(benchmark::State& state, const std::string& name) {
    const Prepared prepared(name);
    std::ifstream stream(std::string(STRATAGEM_SOURCE_DIR) + "/tests/search/puzzles/" + name + ".json");
    const auto file = nlohmann::json::parse(stream).get<testing::PuzzleFile>();
    const std::unique_ptr<machine::Machine> machine = prepared.problem.game->make();
    const SearchEntry& entry = *find_search("alphabeta");
    double slowest = 0;
    double solved = 0;
    for (auto each : state) {
        (void)each;
        solved = 0;
        for (const testing::Puzzle& puzzle : file.puzzles) {
            State at = machine->initial();
            for (const std::string& step : puzzle.moves) {
                std::vector<Move> joint;
                std::size_t from = 0;
                for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
                    const std::size_t to = step.find(" | ", from);
                    joint.push_back(machine->find_move(Role{role}, step.substr(from, to - from)).value());
                    from = to + 3;
                }
                State next;
                machine->next(at, joint, next);
                at = next;
            }
            const auto search = entry.make(prepared.problem, {1, 1, 256}, OptionValues(entry.options, ""));
            Budget budget;
            budget.stop.deadline = Deadline::after(std::chrono::seconds(20));
            const Choice choice = search->choose(at, Role{puzzle.role}, budget);
            solved += choice.proved ? 1 : 0;
            slowest = std::max(slowest, choice.seconds);
        }
    }
    state.counters["solved"] = solved;
    state.counters["of"] = static_cast<double>(file.puzzles.size());
    state.counters["slowest"] = slowest;
}

[[maybe_unused]] const bool registered = [] {
    for (const std::string name :
         {"connect_four", "breakthrough", "english_draughts", "othello", "hex", "nine_board_tic_tac_toe"}) {
        benchmark::RegisterBenchmark(("raw/" + name).c_str(), raw, name)->UseRealTime();
        for (const std::size_t threads : {1U, 2U}) {
            benchmark::RegisterBenchmark(("alphabeta/" + name + "/" + std::to_string(threads)).c_str(), alpha_beta,
                                         name, threads)
                ->UseRealTime();
        }
    }
    for (const std::string name : {"connect_four", "english_draughts"}) {
        benchmark::RegisterBenchmark(("puzzles/" + name).c_str(), puzzles, name)->UseRealTime()->Iterations(1);
    }
    return true;
}();

}  // namespace
