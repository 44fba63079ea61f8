// The interpreter against matches recorded from an independent implementation, when these stand beside the project: a
// sample of each game, or every step with STRATAGEM_FULL_TESTS=1; on the rules as they are and under other names.
#include "machine/tools/replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "gdl/read.h"
#include "gdl/scramble.h"
#include "machine/interpreter/text_interpreter.h"
#include "machine/tools/rename_trace.h"
#include "test_size.h"

namespace stratagem::machine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t all_steps = static_cast<std::size_t>(-1);

fs::path shared() { return fs::path(STRATAGEM_SOURCE_DIR).parent_path() / "shared"; }

std::vector<fs::path> trace_files() {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(shared() / "oracle", error)) {
        if (entry.path().extension() == ".gz") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

gdl::Description description_of(const std::string& game) {
    std::ifstream file(shared() / "games" / (game + ".kif"), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return gdl::read(game, std::move(text)).description;
}

void expect_agreement(TextMachine& machine, const Trace& trace, std::size_t max_steps) {
    const ReplayResult result = replay(machine, trace, max_steps);
    EXPECT_EQ(result.steps, std::min(max_steps, trace.steps.size()));
    for (const Mismatch& mismatch : result.mismatches) {
        ADD_FAILURE() << fmt::format("{} match {} step {} {}: expected {}, got {}", trace.game, mismatch.match,
                                     mismatch.step, mismatch.what, mismatch.expected, mismatch.got);
    }
}

TEST(Replay, TheInterpreterAgreesWithEveryRecord) {
    const std::vector<fs::path> files = trace_files();
    if (files.empty()) GTEST_SKIP() << "no recorded matches beside the project";
    const std::size_t max_steps = full_tests() ? all_steps : 12;
    for (const fs::path& file : files) {
        std::vector<Trace> traces = read_traces(file);
        ASSERT_FALSE(traces.empty()) << file;
        if (!full_tests()) traces.resize(1);
        TextInterpreter machine(description_of(traces.front().game));
        for (const Trace& trace : traces) expect_agreement(machine, trace, max_steps);
    }
}

TEST(Replay, TheInterpreterAgreesUnderOtherNamesAndOrder) {
    const std::vector<fs::path> files = trace_files();
    if (files.empty()) GTEST_SKIP() << "no recorded matches beside the project";
    const std::size_t max_steps = full_tests() ? all_steps : 5;
    for (const fs::path& file : files) {
        std::vector<Trace> traces = read_traces(file);
        if (!full_tests()) traces.resize(1);
        const gdl::Scrambled scrambled = gdl::scramble(description_of(traces.front().game), 7);
        TextInterpreter machine(gdl::read("scrambled", scrambled.text).description);
        for (Trace& trace : traces) {
            rename(trace, scrambled.names);
            expect_agreement(machine, trace, max_steps);
        }
    }
}

}  // namespace
}  // namespace stratagem::machine
