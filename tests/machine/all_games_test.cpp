// One suite for every game: random play on which all machines agree, hashes that follow from the state, and states that
// can be left and come back to. Applied to each bundled game, and to a sample of the collection beside the project.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "machine/machine_games.h"
#include "machine/machine_text.h"
#include "machine/playout.h"
#include "machine/tools/signature.h"
#include "test_size.h"

namespace stratagem::machine {
namespace {

namespace fs = std::filesystem;
using testing::described;

std::uint64_t computed_hash(const State& state) {
    std::uint64_t hash = 0;
    state.for_each([&](Fluent fluent) { hash ^= zobrist(fluent); });
    return hash;
}

// Everything a machine says of a state.
struct Answers {
    bool terminal = false;
    std::vector<std::vector<Move>> legal;
    std::vector<std::optional<int>> goals;

    bool operator==(const Answers&) const = default;
};

Answers ask(Machine& machine, const State& state) {
    Answers answers;
    answers.terminal = machine.terminal(state);
    for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
        machine.legal(state, Role{role}, answers.legal.emplace_back());
        answers.goals.push_back(machine.goal(state, Role{role}));
    }
    return answers;
}

// A random walk of at most `steps`; every state on it with the joint move made there (none in the last).
struct Walk {
    std::vector<State> states;
    std::vector<std::vector<Move>> joint;
};

Walk walk(Machine& machine, std::uint64_t seed, std::size_t steps) {
    Walk result;
    Random random(seed);
    State state = machine.initial();
    State next;
    std::vector<Move> legal;
    for (;;) {
        result.states.push_back(state);
        if (machine.terminal(state) || result.joint.size() >= steps) return result;
        std::vector<Move> joint;
        for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
            machine.legal(state, Role{role}, legal);
            if (legal.empty()) return result;
            EXPECT_TRUE(std::ranges::is_sorted(legal));
            joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        machine.next(state, joint, next);
        result.joint.push_back(std::move(joint));
        std::swap(state, next);
    }
}

// The state was left by many others since: the same questions must give the same answers, in any order.
void expect_return(Machine& machine, const Walk& walk, std::uint64_t seed) {
    std::vector<Answers> answers;
    for (const State& state : walk.states) answers.push_back(ask(machine, state));
    Random random(seed);
    State next;
    const auto count = static_cast<std::uint32_t>(walk.states.size());
    for (int i = 0; i < 20; ++i) {
        const std::uint32_t place = random.below(count);
        const State copy = walk.states[place];
        EXPECT_EQ(ask(machine, copy), answers[place]);
        EXPECT_EQ(copy, walk.states[place]);
        if (place + 1 < count) {
            machine.next(copy, walk.joint[place], next);
            EXPECT_EQ(next, walk.states[place + 1]);
            EXPECT_EQ(next.hash(), walk.states[place + 1].hash());
        }
    }
}

// Equal states have equal hashes, hashes follow from the fluents, and different states hardly ever share one.
void expect_hashes(const Machine& machine, const Walk& walk) {
    std::map<std::uint64_t, std::string> seen;
    for (const State& state : walk.states) {
        EXPECT_EQ(state.hash(), computed_hash(state));
        const auto [place, is_new] = seen.try_emplace(state.hash(), state_text(machine, state));
        EXPECT_TRUE(is_new || place->second == state_text(machine, state));
    }
}

void expect_good_machine(Machine& machine, std::size_t steps) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const Walk path = walk(machine, seed, steps);
        expect_hashes(machine, path);
        expect_return(machine, path, seed);
    }
}

void expect_good_game(const fs::path& path, std::size_t steps, double build_seconds) {
    SCOPED_TRACE(path.filename().string());
    const gdl::Description description = testing::described_file(path);
    std::set<std::uint64_t> signatures;
    for (const MachineEntry& entry : machine_table()) {
        MachineOptions options;
        options.kind = entry.kind;
        options.build_limit_seconds = build_seconds;
        const GdlGame game(description, options);
        if (game.kind() != entry.kind) continue;  // too large to ground in a test
        const std::unique_ptr<Machine> machine = game.make();
        expect_good_machine(*machine, steps);
        signatures.insert(signature(*machine, {.max_steps = steps}));
    }
    EXPECT_EQ(signatures.size(), 1U);
}

TEST(AllGames, BundledGamesRunAlikeOnAllMachines) {
    for (const fs::path& path : gdl::testing::bundled_files()) expect_good_game(path, 40, 20);
}

TEST(AllGames, ASampleOfTheSharedGamesRunsAlikeOnAllMachines) {
    const std::vector<fs::path> files = gdl::testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no games beside the project";
    for (std::size_t i = 0; i < files.size(); i += sanitized ? 40 : 13) {
        if (!gdl::read_and_check("game", gdl::testing::content_of(files[i])).ok()) continue;
        expect_good_game(files[i], 10, 2);
    }
}

TEST(Signature, ChangesWithTheGameAndTheSeed) {
    const gdl::Description description = described(testing::counting_game);
    std::string other = testing::counting_game;
    other.replace(other.find("100"), 3, "99");
    const gdl::Description changed = described(other);
    const auto machine = testing::made(description, MachineKind::circuit);
    const std::uint64_t before = signature(*machine);
    EXPECT_EQ(signature(*machine), before);
    EXPECT_NE(signature(*testing::made(changed, MachineKind::circuit)), before);
    EXPECT_NE(signature(*testing::made(testing::bundled("tic_tac_toe"), MachineKind::circuit), {.seed = 1}),
              signature(*testing::made(testing::bundled("tic_tac_toe"), MachineKind::circuit), {.seed = 2}));
}

}  // namespace
}  // namespace stratagem::machine
