// Games compiled for lanes, for tests of playouts; and playing some of them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "machine/circuit/circuit_machine.h"
#include "machine/lanes/lane_playouts.h"
#include "machine/same_game.h"

namespace stratagem::machine::lanes::testing {

inline std::vector<Width> widths() {
    std::vector<Width> result;
    for (const Width width : {Width::portable64, Width::avx2, Width::avx512}) {
        if (is_available(width)) result.push_back(width);
    }
    return result;
}

// Lanes and the circuit of one program: they understand each other's states.
struct LanesAndCircuit {
    explicit LanesAndCircuit(const gdl::Description& description, const LaneOptions& options = {})
        : program(machine::testing::grounded(description)),
          game(std::make_shared<const LaneGame>(program, options, Deadline::never())),
          circuit(std::make_shared<const Circuit>(program)),
          machine(circuit) {}
    explicit LanesAndCircuit(const std::string& rules, const LaneOptions& options = {})
        : LanesAndCircuit(machine::testing::described(rules), options) {}

    std::shared_ptr<const ground::Program> program;
    std::shared_ptr<const LaneGame> game;
    std::shared_ptr<const Circuit> circuit;
    CircuitMachine machine;

    LanePlayouts playouts(std::uint64_t seed) const { return LanePlayouts(game, seed); }
};

inline LaneOptions with_width(Width width) {
    LaneOptions options;
    options.width = width;
    return options;
}

inline std::vector<PlayoutResult> play(Playouts& playouts, std::span<const PlayoutRequest> requests,
                                       const Stop& stop = {}) {
    std::vector<PlayoutResult> results(requests.size());
    playouts.play(requests, results, stop);
    return results;
}

inline PlayoutResult play(Playouts& playouts, const State& start, std::uint32_t count, const Stop& stop = {}) {
    const PlayoutRequest request{&start, count};
    return play(playouts, std::span(&request, 1), stop)[0];
}

inline void expect_equal(const PlayoutResult& a, const PlayoutResult& b) {
    EXPECT_EQ(a.finished, b.finished);
    EXPECT_EQ(a.cut, b.cut);
    EXPECT_EQ(a.stuck, b.stuck);
    EXPECT_EQ(a.steps, b.steps);
    EXPECT_EQ(a.goals, b.goals);
}

// States met in random games, terminal ones among them.
inline std::vector<State> some_states(CircuitMachine& machine, std::uint64_t seed, std::size_t count) {
    Random random(seed);
    std::vector<State> states;
    std::vector<Move> joint;
    machine.go_to(machine.initial());
    while (states.size() < count) {
        if (random.below(3) == 0) states.push_back(machine.current());
        bool stuck = machine.terminal();
        joint.clear();
        for (std::uint32_t role = 0; role < machine.role_count() && !stuck; ++role) {
            const auto legal = machine.legal(Role{role});
            stuck = legal.empty();
            if (!stuck) joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        if (stuck) {
            if (machine.terminal() && states.size() < count) states.push_back(machine.current());
            machine.go_to(machine.initial());
        } else {
            machine.advance(joint);
        }
    }
    return states;
}

}  // namespace stratagem::machine::lanes::testing
