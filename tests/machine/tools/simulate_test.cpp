// Faults that only playing shows; the examples of docs/diagnostics.md among them.
#include "machine/tools/simulate.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "machine/machine_games.h"

namespace stratagem::machine {
namespace {

using testing::bundled;
using testing::counting_game;
using testing::described;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::made;

Simulation simulated(const gdl::Description& description, SimulationOptions options = {},
                     MachineKind kind = MachineKind::circuit) {
    return simulate(description, *made(description, kind), options);
}

std::set<std::string> codes_of(const gdl::Description& description) {
    gdl::Diagnostics diagnostics;
    SimulationOptions options;
    options.games = 20;
    options.max_steps = 100;
    add_diagnostics(description, simulated(description, options), diagnostics);
    std::set<std::string> codes;
    for (const gdl::Diagnostic& diagnostic : diagnostics.all()) codes.emplace(diagnostic.code);
    return codes;
}

TEST(Simulate, ExamplesOfTheDocumentationGiveTheirCodeAndNoOther) {
    std::ifstream file(std::string(STRATAGEM_SOURCE_DIR) + "/docs/diagnostics.md");
    std::string code;
    std::string text;
    int examples = 0;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("```")) {
            if (!code.empty()) text += line + "\n";
        } else if (!code.empty()) {
            EXPECT_THAT(codes_of(described(text, code)), ElementsAre(code)) << text;
            ++examples;
            code.clear();
            text.clear();
        } else if (line.ends_with(" simulate")) {
            std::istringstream words(line.substr(3));
            std::string language;
            words >> language >> code;
        }
    }
    int codes = 0;
    for (const gdl::DiagnosticCode& one : gdl::diagnostic_codes()) codes += one.code[1] == '8' ? 1 : 0;
    EXPECT_EQ(examples, codes);
}

TEST(Simulate, TellsOfEachGame) {
    std::vector<std::size_t> told;
    SimulationOptions options;
    options.games = 3;
    options.on_game = [&](std::size_t games) { told.push_back(games); };
    simulated(described(counting_game), options);
    EXPECT_THAT(told, ElementsAre(1U, 2U, 3U));
}

TEST(Simulate, AGoodGameGivesNumbersOnly) {
    const Simulation simulation = simulated(described(counting_game), {.games = 200, .stop = {}});
    EXPECT_EQ(simulation.games, 200U);
    EXPECT_EQ(simulation.ended, 200U);
    EXPECT_EQ(simulation.longest, 3U);
    EXPECT_FALSE(simulation.stopped);
    EXPECT_THAT(simulation.findings, IsEmpty());
    ASSERT_EQ(simulation.roles.size(), 2U);
    EXPECT_EQ(simulation.roles[0].wins + simulation.roles[1].wins, 200U);
    EXPECT_GT(simulation.roles[0].wins, 0U);
    EXPECT_EQ(simulation.roles[0].worst, 0);
    EXPECT_EQ(simulation.roles[0].best, 100);
}

TEST(Simulate, KeepsTheShortestWayToAFault) {
    // Adding one or two; at five there is no move. The shortest way takes three steps.
    const gdl::Description description = described(R"(
        (role a) (init (n 0))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
        (<= (legal a one) (true (n ?x)) (distinct ?x 5) (succ ?x ?y))
        (<= (legal a two) (true (n ?x)) (distinct ?x 4) (succ ?x ?y) (succ ?y ?z))
        (<= (next (n ?y)) (does a one) (true (n ?x)) (succ ?x ?y))
        (<= (next (n ?z)) (does a two) (true (n ?x)) (succ ?x ?y) (succ ?y ?z))
        (<= terminal (true (n 6)))
        (goal a 100))");
    for (const MachineEntry& entry : machine_table()) {
        const Simulation simulation = simulated(description, {.games = 200, .stop = {}}, entry.kind);
        ASSERT_EQ(simulation.findings.size(), 1U);
        const SimulationFinding& finding = simulation.findings.front();
        EXPECT_EQ(finding.code, "E801");
        EXPECT_EQ(finding.role, "a");
        EXPECT_EQ(finding.steps, 3U);
        EXPECT_EQ(finding.moves.size(), 3U);
        EXPECT_GT(finding.games, 1U);

        gdl::Diagnostics diagnostics;
        add_diagnostics(description, simulation, diagnostics);
        ASSERT_EQ(diagnostics.all().size(), 1U);
        EXPECT_TRUE(diagnostics.has_errors());
        EXPECT_THAT(diagnostics.all().front().message, HasSubstr("after 3 steps: ["));
        EXPECT_EQ(description.source->text(diagnostics.all().front().span), "(role a)");
    }
}

TEST(Simulate, SeveralGoalValuesAreListed) {
    const Simulation simulation = simulated(described(R"(
        (role a) (init done) (legal a go) (<= (next done) (true done)) (<= terminal (true done))
        (goal a 10) (<= (goal a 20) (true done)))"));
    ASSERT_EQ(simulation.findings.size(), 1U);
    EXPECT_EQ(simulation.findings.front().code, "E803");
    EXPECT_THAT(simulation.findings.front().message, HasSubstr("10, 20"));
}

TEST(Simulate, ChanceNeedsNoGoalAndDoesNotWin) {
    const gdl::Description description = described(R"(
        (role random) (role a) (init start)
        (legal random go) (legal a go)
        (<= (next done) (does a go)) (<= terminal (true done))
        (goal a 50))");
    const Simulation simulation = simulated(description);
    EXPECT_THAT(simulation.findings, IsEmpty());
    EXPECT_FALSE(simulation.win_found());
}

TEST(Simulate, StopsWhenAsked) {
    const std::atomic<bool> stop{true};
    SimulationOptions options;
    options.stop.flag = &stop;
    const Simulation simulation = simulated(described(counting_game), options);
    EXPECT_TRUE(simulation.stopped);
    EXPECT_EQ(simulation.games, 0U);
}

TEST(Simulate, TheBundledGamesKeepTheConditions) {
    for (const auto& path : gdl::testing::bundled_files()) {
        const gdl::Description description = testing::described_file(path);
        const Simulation simulation = simulated(description, {.games = 5, .stop = {}});
        EXPECT_THAT(simulation.findings, IsEmpty()) << path << ": " << simulation.findings.front().message;
    }
}

}  // namespace
}  // namespace stratagem::machine
