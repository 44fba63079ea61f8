// Matches really played at competitions and on public servers, when these stand beside the project: every step of every
// match, on the interpreter, under other names, and on the circuit with the interpreter running along. Good play
// reaches states that random play never does. Only what was recorded is there: states, moves, ends, some goals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gdl/scramble.h"
#include "machine/interpreter/text_interpreter.h"
#include "machine/machine_games.h"
#include "machine/machine_text.h"
#include "machine/tools/rename_trace.h"
#include "machine/tools/replay.h"
#include "test_size.h"

namespace stratagem::machine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t matches_known = 148;

fs::path shared() { return fs::path(STRATAGEM_SOURCE_DIR).parent_path() / "shared"; }

struct Recorded {
    std::string game;
    gdl::Description description;
    std::vector<Trace> traces;
};

// Every file of matches in turn.
void for_each_recorded(const std::function<void(Recorded)>& use) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(shared() / "recorded", error)) {
        if (entry.path().extension() == ".gz") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const fs::path& file : files) {
        const std::string game = file.stem().stem().string();  // without .jsonl.gz
        use({game, testing::described_file(shared() / "games" / (game + ".kif")), read_traces(file)});
    }
}

// The number of matches.
std::size_t expect_agreement(TextMachine& machine, const Recorded& recorded) {
    for (const Trace& trace : recorded.traces) {
        const ReplayResult result = replay(machine, trace);
        EXPECT_EQ(result.steps, trace.steps.size()) << recorded.game;
        for (const Mismatch& mismatch : result.mismatches) {
            ADD_FAILURE() << fmt::format("{} match {} step {} {}: expected {}, got {}", recorded.game, mismatch.match,
                                         mismatch.step, mismatch.what, mismatch.expected, mismatch.got);
        }
    }
    return recorded.traces.size();
}

TEST(Recorded, TheInterpreterAgreesWithEveryMatch) {
    std::size_t matches = 0;
    for_each_recorded([&](Recorded recorded) {
        TextInterpreter machine(std::move(recorded.description));
        matches += expect_agreement(machine, recorded);
    });
    if (matches == 0) GTEST_SKIP() << "no recorded matches beside the project";
    EXPECT_GE(matches, matches_known);
}

TEST(Recorded, TheInterpreterAgreesUnderOtherNamesAndOrder) {
    std::size_t matches = 0;
    for_each_recorded([&](Recorded recorded) {
        const gdl::Scrambled scrambled = gdl::scramble(recorded.description, 11);
        for (Trace& trace : recorded.traces) rename(trace, scrambled.names);
        TextInterpreter machine(testing::described(scrambled.text, "scrambled"));
        matches += expect_agreement(machine, recorded);
    });
    if (matches == 0) GTEST_SKIP() << "no recorded matches beside the project";
    EXPECT_GE(matches, matches_known);
}

// Games that take long to ground are left to the full test.
TEST(Recorded, CircuitAndInterpreterAgreeWithTheMatches) {
    const bool full = full_tests();
    std::size_t matches = 0;
    for_each_recorded([&](Recorded recorded) {
        MachineOptions options;
        options.kind = MachineKind::check;
        options.build_limit_seconds = full ? 60 : 1;
        const GdlGame game(recorded.description, options);
        if (!full && game.kind() != MachineKind::check) return;
        const std::unique_ptr<Machine> machine = game.make();
        MachineText text(*machine);
        matches += expect_agreement(text, recorded);
    });
    if (matches == 0) GTEST_SKIP() << "no recorded matches beside the project";
    EXPECT_GE(matches, full ? matches_known : 1);
}

}  // namespace
}  // namespace stratagem::machine
