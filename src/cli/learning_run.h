// What `learn` and `lab learning` share: a game made ready to be learned, and learning that is looked at in growing
// intervals.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/run_game.h"
#include "evaluate/linear/learn.h"

namespace stratagem::cli {

struct LearningOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    double seconds = 60;
    std::uint64_t games = 0;  // instead of a time
    std::string features;     // options of the evaluator linear
    std::size_t lines = 12;
    std::uint64_t seed = 1;
    machine::MachineOptions machine;
};

// Adds all of them but for the machine's limits. Options of `features` that do not exist are heard of by
// learning_settings.
void add_learning_options(CLI::App& command, LearningOptions& options);
// Throws OptionError.
evaluate::linear::LearnSettings learning_settings(const LearningOptions& options);

struct ReadyToLearn {
    std::shared_ptr<const machine::Game> game;  // null: the rules could not be used, and the exit code says so
    std::unique_ptr<evaluate::linear::SelfPlay> play;
    int exit_code = 0;
};
// Tells what keeps a game from being learned. Throws OptionError.
ReadyToLearn make_ready_to_learn(const LearningOptions& options, Context& context, const Interruptible& interruptible);

// Calls `look` with the seconds learned so far: the time between two looks doubles, so that they are close where most
// is learned.
void learn_and_look(const LearningOptions& options, evaluate::linear::SelfPlay& play,
                    const Interruptible& interruptible, const std::function<void(double seconds)>& look);

}  // namespace stratagem::cli
