// A match played by a player in processes of its own against chance, with a referee who forgives nothing.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "machine/machine_games.h"
#include "machine/random.h"
#include "player/fake_search.h"
#include "worker/worker_player.h"

namespace stratagem::worker::testing {

inline WorkerSettings quick_settings(player::testing::Lines& lines, std::string recipe = "legal") {
    WorkerSettings settings;
    settings.recipe = std::move(recipe);
    settings.player.ponder = false;
    settings.player.search.table_megabytes = 1;
    settings.player.log = lines.log();
    return settings;
}

inline std::string bundled_rules(const std::string& game) {
    return gdl::testing::content_of(std::filesystem::path(STRATAGEM_GAMES_DIR) / (game + ".kif"));
}

// Generous, so that nothing hangs on how busy the computer is.
inline player::TextMatch text_match(const std::string& game, const std::string& role,
                                    player::Seconds clock = player::Seconds(120)) {
    player::TextMatch match;
    match.name = game;
    match.rules = bundled_rules(game);
    match.role = role;
    match.clocks = {clock, clock};
    return match;
}

struct Played {
    bool complete = false;
    std::string problem;  // the first thing that went wrong; the match ends there
    std::size_t turns = 0;
    std::size_t by_chance = 0;       // turns answered by any legal move
    std::vector<std::string> moves;  // of the player
    double slowest = 0;              // seconds
};

// The player has the first role; the others move by chance. `before_turn` is called before each of them.
inline Played play(WorkerPlayer& player, const std::string& game, player::Seconds clock, std::uint64_t seed,
                   const std::function<void()>& before_turn = {}) {
    Played played;
    const gdl::Description description = machine::testing::bundled(game);
    const std::unique_ptr<machine::Machine> machine =
        machine::testing::made(description, machine::MachineKind::circuit);
    machine::Random random(seed);
    const player::Opening opening =
        player.start(text_match(game, machine->role_name(machine::Role{0}), clock), Deadline::Clock::now());
    if (!opening.fault.empty()) played.problem = opening.fault;
    machine::State state = machine->initial();
    machine::State next;
    std::vector<machine::Move> legal, joint;
    std::vector<std::string> last;
    while (played.problem.empty() && !machine->terminal(state)) {
        if (before_turn) before_turn();
        joint.clear();
        std::vector<std::string> names;
        for (std::uint32_t r = 0; r < machine->role_count(); ++r) {
            machine->legal(state, machine::Role{r}, legal);
            joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
            if (r > 0) continue;
            const player::TimePoint asked = Deadline::Clock::now();
            const player::Answer answer = player.play(last, asked);
            const double seconds = player::testing::seconds_since(asked);
            played.slowest = std::max(played.slowest, seconds);
            if (seconds > clock.count()) played.problem = "late: " + std::to_string(seconds);
            if (answer.source == player::Answer::Source::fallback) ++played.by_chance;
            const auto found = std::ranges::find_if(
                legal, [&](machine::Move move) { return machine->move_name(move) == answer.move; });
            if (found == legal.end()) {
                played.problem = "illegal in turn " + std::to_string(played.turns + 1) + ": '" + answer.move + "'";
                break;
            }
            joint[0] = *found;
            played.moves.push_back(answer.move);
        }
        if (!played.problem.empty()) break;
        for (const machine::Move move : joint) names.push_back(machine->move_name(move));
        machine->next(state, joint, next);
        std::swap(state, next);
        last = std::move(names);
        ++played.turns;
    }
    played.complete = played.problem.empty();
    return played;
}

inline bool is_there(pid_t pid) { return pid > 0 && ::kill(pid, 0) == 0; }

// Asks again until it is so. Generous: only what never gets there fails.
template <typename Condition>
bool eventually(Condition&& condition) {
    const Deadline deadline = Deadline::after(std::chrono::seconds(120));
    while (!condition()) {
        if (deadline.expired()) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace stratagem::worker::testing
