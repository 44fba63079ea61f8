// The circuit against matches recorded from an independent implementation, when these stand beside the project, with
// the interpreter running along: a sample of the games, or every step of all of them with STRATAGEM_FULL_TESTS=1.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gdl/scramble.h"
#include "machine/machine_games.h"
#include "machine/machine_text.h"
#include "machine/tools/rename_trace.h"
#include "machine/tools/replay.h"
#include "test_size.h"

namespace stratagem::machine {
namespace {

namespace fs = std::filesystem;

fs::path shared() { return fs::path(STRATAGEM_SOURCE_DIR).parent_path() / "shared"; }

// Every `stride`-th file, from `first` on.
std::vector<fs::path> trace_files(std::size_t first, std::size_t stride) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(shared() / "oracle", error)) {
        if (entry.path().extension() == ".gz") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    if (full_tests()) return files;
    std::vector<fs::path> sample;
    for (std::size_t i = first; i < files.size(); i += stride) sample.push_back(files[i]);
    return sample;
}

// False when the game was left to the full test.
bool expect_agreement(const gdl::Description& description, MachineKind kind, const std::vector<Trace>& traces) {
    MachineOptions options;
    options.kind = kind;
    if (!full_tests()) options.build_limit_seconds = 1;
    const GdlGame game(description, options);
    if (!full_tests() && game.kind() != kind) return false;
    const std::unique_ptr<Machine> machine = game.make();
    MachineText text(*machine);
    for (const Trace& trace : traces) {
        const std::size_t max_steps = full_tests() ? trace.steps.size() : std::min<std::size_t>(trace.steps.size(), 12);
        const ReplayResult result = replay(text, trace, max_steps);
        EXPECT_EQ(result.steps, max_steps) << trace.game;
        for (const Mismatch& mismatch : result.mismatches) {
            ADD_FAILURE() << fmt::format("{} match {} step {} {}: expected {}, got {}", trace.game, mismatch.match,
                                         mismatch.step, mismatch.what, mismatch.expected, mismatch.got);
        }
    }
    return true;
}

std::vector<Trace> traces_of(const fs::path& file) {
    std::vector<Trace> traces = read_traces(file);
    EXPECT_FALSE(traces.empty()) << file;
    if (!full_tests()) traces.resize(1);
    return traces;
}

gdl::Description description_of(const std::string& game) {
    return testing::described_file(shared() / "games" / (game + ".kif"));
}

TEST(ReplayMachines, CircuitAndInterpreterAgreeWithTheRecords) {
    const std::vector<fs::path> files = trace_files(0, 8);
    if (files.empty()) GTEST_SKIP() << "no recorded matches beside the project";
    std::size_t replayed = 0;
    for (const fs::path& file : files) {
        const std::vector<Trace> traces = traces_of(file);
        replayed += expect_agreement(description_of(traces.front().game), MachineKind::check, traces) ? 1U : 0U;
    }
    EXPECT_GT(replayed, 0U);
}

TEST(ReplayMachines, TheCircuitAgreesUnderOtherNamesAndOrder) {
    const std::vector<fs::path> files = trace_files(4, 8);
    if (files.empty()) GTEST_SKIP() << "no recorded matches beside the project";
    std::size_t replayed = 0;
    for (const fs::path& file : files) {
        std::vector<Trace> traces = traces_of(file);
        const gdl::Scrambled scrambled = gdl::scramble(description_of(traces.front().game), 7);
        for (Trace& trace : traces) rename(trace, scrambled.names);
        const gdl::Description description = testing::described(scrambled.text, "scrambled");
        replayed += expect_agreement(description, MachineKind::circuit, traces) ? 1U : 0U;
    }
    EXPECT_GT(replayed, 0U);
}

TEST(RenameTrace, RenamesWordsAndNothingElse) {
    const std::map<std::string, std::string> names = {{"cell", "xx"}, {"b", "cell"}, {"1", "2"}};
    EXPECT_EQ(renamed("(cell 1 (cells b))", names), "(xx 2 (cells cell))");
    EXPECT_EQ(renamed("b", names), "cell");
    EXPECT_EQ(renamed("", names), "");
}

TEST(RenameTrace, SortsAnew) {
    Trace trace;
    trace.roles = {"a", "b"};
    trace.steps.push_back({{"p", "q"}, false, {{"p", "q"}, {"p"}}, {}, {"q", "p"}});
    rename(trace, {{"p", "z"}, {"q", "y"}, {"a", "c"}});
    EXPECT_EQ(trace.roles, (std::vector<std::string>{"c", "b"}));
    EXPECT_EQ(trace.steps[0].state, (std::vector<std::string>{"y", "z"}));
    EXPECT_EQ(trace.steps[0].legals[0], (std::vector<std::string>{"y", "z"}));
    EXPECT_EQ(trace.steps[0].moves, (std::vector<std::string>{"y", "z"}));  // by role, not sorted
}

}  // namespace
}  // namespace stratagem::machine
