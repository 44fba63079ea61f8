// What a state is worth does not depend on what things are called or in what order rules are written: every evaluator
// of every recipe gives the same values for a game and for the same game scrambled.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "analysis/neutral_order.h"
#include "evaluate/registry.h"
#include "gdl/print.h"
#include "gdl/scramble.h"
#include "machine/gdl_game.h"
#include "machine/same_game.h"
#include "player/recipe_table.h"
#include "test_size.h"

namespace stratagem::player {
namespace {

constexpr double tolerance = 1e-9;

struct Judge {
    std::string name;  // of the recipe
    const evaluate::EvaluatorEntry* entry = nullptr;
    std::string options;
};

// Of all recipes; those that judge alike once. Those that learn draw other games where moves have other numbers.
std::vector<Judge> judges() {
    std::vector<Judge> result;
    std::set<std::pair<std::string_view, std::string_view>> known;
    for (const RecipeEntry& entry : recipe_table()) {
        const evaluate::EvaluatorEntry* evaluator = evaluator_of(entry);
        if (evaluator == nullptr || evaluator->learns || !known.emplace(entry.evaluator, entry.judging).second)
            continue;
        result.push_back({std::string(entry.name), evaluator, std::string(entry.judging)});
        // What no recipe uses and random games decide.
        if (entry.name == "nex")
            result.push_back({"nex:likely=on", evaluator, std::string(entry.judging) + ",likely=on"});
    }
    return result;
}

// A game with what its evaluators are made of.
struct Known {
    explicit Known(gdl::Description description, const machine::MachineOptions& options)
        : game(std::make_shared<const machine::GdlGame>(std::move(description), options)) {
        if (game->program() == nullptr) return;
        machine = game->make();
        material = evaluate::make_material(game, std::nullopt, nullptr, 1);
    }

    std::shared_ptr<const machine::GdlGame> game;
    std::unique_ptr<machine::Machine> machine;
    evaluate::Material material;
};

// The text in other names.
std::string renamed(const std::string& text, const std::map<std::string, std::string>& names) {
    std::string result, word;
    const auto finish = [&] {
        const auto found = names.find(word);
        result += found == names.end() ? word : found->second;
        word.clear();
    };
    for (const char c : text) {
        if (c == '(' || c == ')' || c == ' ') {
            finish();
            result += c;
        } else {
            word += c;
        }
    }
    finish();
    return result;
}

std::vector<machine::State> states_of(const Known& known, std::size_t count) {
    std::vector<machine::State> result;
    machine::Random random(7);
    machine::State state = known.machine->initial();
    std::vector<machine::Move> legal, joint;
    while (result.size() < count) {
        result.push_back(state);
        joint.clear();
        for (std::uint32_t role = 0; role < known.machine->role_count(); ++role) {
            known.machine->legal(state, machine::Role{role}, legal);
            if (!legal.empty()) joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        machine::State next = known.machine->initial();
        if (!known.machine->terminal(state) && joint.size() == known.machine->role_count()) {
            known.machine->next(state, joint, next);
        } else if (result.size() == 1) {
            break;
        }
        state = std::move(next);
    }
    return result;
}

struct Totals {
    std::size_t games = 0, evaluators = 0, values = 0, differ = 0;
    std::size_t other_rules = 0;  // games that are not compared, as below
};

// Rules in another order may be cut into other parts when they are grounded. Random games are drawn by an order that
// follows from the ground rules, and are then others.
bool grounded_alike(const ground::Program& one, const ground::Program& other) {
    return one.rule_count() == other.rule_count() &&
           analysis::NeutralOrder(one).fingerprint() == analysis::NeutralOrder(other).fingerprint();
}

// How far values are apart at most, by recipe.
std::map<std::string, double> differences(const gdl::Description& description, std::uint64_t seed, std::size_t states,
                                          Totals& totals) {
    std::map<std::string, double> result;
    machine::MachineOptions options;
    options.build_limit_seconds = full_tests() ? 4 : 20;
    const Known one(description, options);
    if (!one.machine) return result;
    constexpr std::size_t most_rules = 20'000;  // proofs of larger games take minutes without a clock
    if (one.game->program()->rule_count() > most_rules) return result;
    const gdl::Scrambled scrambled = gdl::scramble(description, seed);
    options.build_limit_seconds = 60;
    const Known other(machine::testing::described(scrambled.text), options);
    if (!other.machine) return result;
    if (!grounded_alike(*one.game->program(), *other.game->program())) {
        ++totals.other_rules;
        return result;
    }
    ++totals.games;
    std::vector<std::pair<machine::State, machine::State>> pairs;
    for (const machine::State& state : states_of(one, states)) {
        machine::State same(other.game->program()->fluents.size());
        state.for_each([&](machine::Fluent fluent) {
            const ground::Program& program = *one.game->program();
            const std::string text = gdl::to_kif(program.terms, program.fluents[ground::index(fluent)]);
            const auto found = other.machine->find_fluent(renamed(text, scrambled.names));
            EXPECT_TRUE(found) << text;
            if (found) same.insert(*found);
        });
        pairs.emplace_back(state, std::move(same));
    }
    for (const Judge& judge : judges()) {
        const OptionValues values(judge.entry->options, judge.options);
        const auto here = judge.entry->make(one.material, values), there = judge.entry->make(other.material, values);
        EXPECT_EQ(here == nullptr, there == nullptr);
        if (!here || !there) continue;
        ++totals.evaluators;
        double& most = result[judge.name];
        for (const auto& [state, same] : pairs) {
            for (std::uint32_t role = 0; role < one.machine->role_count(); ++role) {
                ++totals.values;
                const double apart =
                    std::abs(here->value(state, machine::Role{role}) - there->value(same, machine::Role{role}));
                most = std::max(most, apart);
            }
        }
        totals.differ += most > tolerance ? 1 : 0;
    }
    return result;
}

void expect_same(const gdl::Description& description, std::size_t states, Totals& totals) {
    for (const auto& [recipe, apart] : differences(description, 5, states, totals)) {
        EXPECT_LE(apart, tolerance) << recipe;
    }
}

TEST(Names, ChangeNoValueInBundledGames) {
    Totals totals;
    for (const char* name : {"tic_tac_toe", "connect_four", "breakthrough_6x6", "hallway", "racetrack_corridor",
                             "english_draughts", "blocks_world", "peg_solitaire"}) {
        SCOPED_TRACE(name);
        expect_same(machine::testing::bundled(name), 12, totals);
    }
    EXPECT_EQ(totals.games, 8U);
    EXPECT_GE(totals.evaluators, 8U * 9);
}

// Some of them; all in the full tests.
TEST(Names, ChangeNoValueInSharedGames) {
    const std::vector<std::filesystem::path> files = gdl::testing::shared_files();
    if (files.empty()) GTEST_SKIP() << "no ../shared/games beside the project";
    Totals totals;
    const char* only = std::getenv("STRATAGEM_NAMES_OF");  // one game, by a part of its name
    for (std::size_t i = full_tests() ? 0 : 4; i < files.size(); i += every(70)) {
        if (only != nullptr && files[i].stem().string().find(only) == std::string::npos) continue;
        SCOPED_TRACE(files[i].stem().string());
        const gdl::ReadResult read =
            gdl::read_and_check(files[i].filename().string(), gdl::testing::content_of(files[i]));
        if (!read.ok()) continue;
        expect_same(read.description, full_tests() ? 20 : 8, totals);
        if (full_tests()) {
            fmt::print("{}: {} evaluators so far, {} differ\n", files[i].stem().string(), totals.evaluators,
                       totals.differ);
            std::fflush(stdout);
        }
    }
    fmt::print("{} games, {} evaluators, {} values: {} evaluators differ; {} games grounded otherwise\n", totals.games,
               totals.evaluators, totals.values, totals.differ, totals.other_rules);
}

}  // namespace
}  // namespace stratagem::player
