// Evaluations a second, from nothing and following a search, beside the steps a second of the machine.
//
//   evaluate_bench [--evaluator name[:options]]... [--seconds s] [--log] [file.kif...]
//
// Without evaluators: fuzzy, neural, and linear with patterns and with single fluents alone, from a little learning;
// without files: ten of the bundled games.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "evaluate/registry.h"
#include "gdl/read.h"
#include "machine/gdl_game.h"
#include "machine/random.h"

namespace {

using namespace stratagem;
using machine::Move;
using machine::Role;
using machine::State;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr std::size_t most_states = 20'000;
constexpr std::size_t most_siblings = 6;

// States in an order like that of a search: of each state of random games some successors, one of which goes on.
std::vector<State> walk(machine::Machine& machine, double seconds, double& steps_a_second) {
    std::vector<State> states;
    machine::Random random(1);
    std::vector<std::vector<Move>> legal(machine.role_count());
    std::vector<Move> joint(machine.role_count());
    State state = machine.initial(), next;
    const Clock::time_point begin = Clock::now();
    while (states.size() < most_states && since(begin) < seconds) {
        bool over = machine.terminal(state);
        std::size_t most = 1;
        for (std::uint32_t role = 0; role < legal.size(); ++role) {
            machine.legal(state, Role{role}, legal[role]);
            over = over || legal[role].empty();
            most = std::max(most, legal[role].size());
        }
        if (over) {
            state = machine.initial();
            continue;
        }
        for (std::size_t i = 0; i < std::min(most, most_siblings); ++i) {
            for (std::size_t role = 0; role < legal.size(); ++role) {
                joint[role] = legal[role][random.below(static_cast<std::uint32_t>(legal[role].size()))];
            }
            machine.next(state, joint, next);
            machine.terminal(next);
            states.push_back(next);
        }
        state = next;
    }
    steps_a_second = static_cast<double>(states.size()) / since(begin);
    return states;
}

// An evaluator as it is written: its name, a colon, its options.
struct Wanted {
    explicit Wanted(const std::string& written) : text(written), name(text.substr(0, text.find(':'))) {
        entry = evaluate::find_evaluator(name);
        if (text.size() > name.size()) options = text.substr(name.size() + 1);
    }
    std::string text, name, options;
    const evaluate::EvaluatorEntry* entry = nullptr;
};

void measure(const std::string& game, const evaluate::Material& material, const Wanted& wanted, double seconds) {
    Clock::time_point begin = Clock::now();
    const auto evaluator = wanted.entry->make(material, OptionValues(wanted.entry->options, wanted.options));
    const double build = since(begin);
    if (evaluator == nullptr) {
        fmt::print("{:20} {:32} cannot be made\n", game, wanted.text);
        return;
    }
    const std::unique_ptr<machine::Machine> machine = material.game->make();
    double steps = 0;
    const std::vector<State> states = walk(*machine, seconds, steps);
    double sum = 0;
    const auto rate = [&](auto&& value) {
        begin = Clock::now();
        std::size_t done = 0;
        while (since(begin) < seconds) {
            for (std::size_t i = 0; i < 16; ++i, ++done) sum += value(states[done % states.size()]);
        }
        return static_cast<double>(done) / since(begin);
    };
    const double full = rate([&](const State& state) { return evaluator->value(state, Role{0}); });
    const auto following = evaluator->start();
    const double changes = rate([&](const State& state) { return following->value(state, Role{0}); });
    fmt::print("{:20} {:32} {:8.4f} {:10.0f} {:10.0f} {:10.0f} {:7.2f}\n", game, wanted.text, build, full, changes,
               steps, steps / changes);
    std::fflush(stdout);
    if (sum < 0) fmt::print("never\n");
}

void measure(const std::filesystem::path& path, const std::vector<Wanted>& evaluators, double seconds, bool log) {
    std::ifstream stream(path);
    const gdl::ReadResult rules =
        gdl::read_and_check(path.string(), std::string{std::istreambuf_iterator<char>(stream), {}});
    if (!rules.ok()) return;
    evaluate::Material material;
    const auto game = std::make_shared<machine::GdlGame>(rules.description);
    material.game = game;
    if (log) material.log = [](const std::string& line) { fmt::print("{}\n", line); };
    analysis::AnalysisOptions limits;
    limits.sample_states = 1000;
    limits.stop.deadline = Deadline::after(std::chrono::seconds(3));
    if (auto known = analysis::analyze(*game, limits)) {
        material.analysis = std::make_shared<const analysis::Findings>(std::move(*known));
    }
    for (const Wanted& wanted : evaluators) measure(path.stem().string(), material, wanted, seconds);
}

}  // namespace

int main(int count, char** arguments) {
    double seconds = 0.5;  // for each rate
    bool log = false;
    std::vector<Wanted> evaluators;
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        if (argument == "--evaluator" && i + 1 < count) {
            evaluators.emplace_back(arguments[++i]);
        } else if (argument == "--seconds" && i + 1 < count) {
            seconds = std::stod(arguments[++i]);
        } else if (argument == "--log") {
            log = true;
        } else {
            files.emplace_back(argument);
        }
    }
    if (evaluators.empty()) {
        for (const char* text : {"fuzzy", "neural", "linear:states=20000", "linear:patterns=off,states=20000"}) {
            evaluators.emplace_back(text);
        }
    }
    for (const Wanted& wanted : evaluators) {
        if (wanted.entry != nullptr) continue;
        fmt::print(stderr, "no evaluator '{}'\n", wanted.name);
        return 1;
    }
    if (files.empty()) {
        for (const char* name : {"tic_tac_toe", "connect_four", "breakthrough", "othello", "chinese_checkers", "hex",
                                 "peg_solitaire", "blocks_world", "racetrack_corridor", "farmers"}) {
            files.push_back(std::filesystem::path(STRATAGEM_GAMES_DIR) / (std::string(name) + ".kif"));
        }
    }
    fmt::print("{:20} {:32} {:>8} {:>10} {:>10} {:>10} {:>7}\n", "game", "evaluator", "build s", "full/s", "changes/s",
               "steps/s", "cost");
    for (const std::filesystem::path& file : files) measure(file, evaluators, seconds, log);
    return 0;
}
