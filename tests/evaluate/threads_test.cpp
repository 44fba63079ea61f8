// One evaluator, asked by several threads at once: each gets the numbers that it would get alone. What the thread
// sanitizer looks at, too.
#include <gtest/gtest.h>

#include <thread>

#include "evaluate/feature/random_games.h"
#include "evaluate/registry.h"
#include "machine/machine_games.h"

namespace stratagem::evaluate {
namespace {

constexpr std::size_t thread_count = 4;

// The values of the states of a few random games: as one follows the other, from nothing, and after beginning anew.
std::vector<double> values_in_games(const Evaluator& evaluator, const std::shared_ptr<const machine::Circuit>& circuit,
                                    std::uint64_t seed) {
    std::vector<double> values;
    const std::unique_ptr<Evaluation> following = evaluator.start();
    machine::CircuitMachine machine(circuit);
    machine::Random random(seed);
    const auto see = [&](const machine::CircuitMachine& at) {
        for (std::uint32_t role = 0; role < circuit->program().roles.size(); ++role) {
            values.push_back(following->value(at.current(), machine::Role{role}));
            if (values.size() % 5 == 0) values.push_back(evaluator.value(at.current(), machine::Role{role}));
        }
    };
    for (int game = 0; game < 3; ++game) {
        following->begin_at(machine.initial());
        feature::play_random_game(machine, nullptr, random, {}, see, [](const std::vector<int>&) {});
    }
    return values;
}

TEST(EvaluatorThreads, DoNotDisturbEachOther) {
    constexpr std::pair<const char*, const char*> evaluators[] = {
        {"fuzzy", ""},
        {"neural", "transformation=local"},
        {"single", ""},
        {"neural",
         "distances=on,variable=on,admissible=on,persistence=on,orders=on,chains=on,solutions=on,partial=on,pieces=30,"
         "mobility=0.3"},
    };
    for (const char* rules : {"breakthrough_6x6", "connect_four", "racetrack_corridor", "capture_go_3x3"}) {
        SCOPED_TRACE(rules);
        const auto game = std::make_shared<const machine::GdlGame>(machine::testing::bundled(rules));
        Material material = make_material(game, 1, nullptr, 1);
        material.stop = {};  // what is not known by now may be missing, but evaluators are made
        for (const auto& [name, options] : evaluators) {
            SCOPED_TRACE(options);
            const EvaluatorEntry* entry = find_evaluator(name);
            const auto evaluator = entry->make(material, OptionValues(entry->options, options));
            ASSERT_NE(evaluator, nullptr);
            std::vector<std::vector<double>> together(thread_count);
            {
                std::vector<std::jthread> threads;
                for (std::size_t i = 0; i < thread_count; ++i) {
                    threads.emplace_back([&, i] { together[i] = values_in_games(*evaluator, game->circuit(), i + 1); });
                }
            }
            for (std::size_t i = 0; i < thread_count; ++i) {
                EXPECT_FALSE(together[i].empty());
                EXPECT_EQ(together[i], values_in_games(*evaluator, game->circuit(), i + 1)) << "thread " << i;
            }
        }
    }
}

}  // namespace
}  // namespace stratagem::evaluate
