#include "lab/proved_positions.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include "machine/random.h"
#include "player/engine.h"

namespace stratagem::lab {

namespace {

using machine::Move;
using machine::Role;
using machine::State;
using nlohmann::json;

constexpr std::string_view kind = "stratagem proved positions";
constexpr std::size_t most_fruitless = 1000;  // games in a row that end too soon, or positions without a proof

// Somebody who has a choice where nobody else has one.
struct Drawn {
    std::vector<std::vector<std::string>> path;
    State state;
    std::vector<std::vector<Move>> legal;
    Role player{};
};

std::optional<Drawn> draw(machine::Machine& machine, std::size_t plies, machine::Random& random) {
    Drawn drawn{{}, machine.initial(), std::vector<std::vector<Move>>(machine.role_count()), {}};
    std::vector<Move> joint(machine.role_count());
    State next;
    for (std::size_t ply = 0;; ++ply) {
        if (machine.terminal(drawn.state)) return std::nullopt;
        std::size_t choosing = 0;
        for (std::uint32_t role = 0; role < joint.size(); ++role) {
            std::vector<Move>& legal = drawn.legal[role];
            machine.legal(drawn.state, Role{role}, legal);
            if (legal.empty()) return std::nullopt;
            joint[role] = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
            if (legal.size() < 2) continue;
            ++choosing;
            drawn.player = Role{role};
        }
        if (ply == plies) {
            if (choosing != 1 || machine.role_name(drawn.player) == "random") return std::nullopt;
            return drawn;
        }
        std::vector<std::string>& names = drawn.path.emplace_back();
        for (const Move move : joint) names.push_back(machine.move_name(move));
        machine.next(drawn.state, joint, next);
        std::swap(drawn.state, next);
    }
}

// What each choice is worth; nothing where that could not be proved.
std::optional<ProvedPosition> prove(machine::Machine& machine, search::Search& search, const Drawn& drawn,
                                    std::uint64_t nodes, const machine::Stop& stop) {
    ProvedPosition result{drawn.path, drawn.player, {}};
    std::vector<Move> joint;
    for (const std::vector<Move>& legal : drawn.legal) joint.push_back(legal.front());
    State next;
    for (const Move move : drawn.legal[ground::index(drawn.player)]) {
        joint[ground::index(drawn.player)] = move;
        machine.next(drawn.state, joint, next);
        double goal = 0;
        if (machine.terminal(next)) {
            goal = machine.goal(next, drawn.player).value_or(0);
        } else {
            search::Budget budget{stop};
            budget.max_nodes = nodes;
            const search::Choice choice = search.choose(next, drawn.player, budget);
            if (!choice.proved) return std::nullopt;
            nodes -= std::min(nodes, choice.nodes);
            goal = choice.value;
        }
        result.choices.push_back({machine.move_name(move), static_cast<int>(std::lround(goal))});
    }
    return result;
}

}  // namespace

int ProvedPosition::goal() const { return choices.empty() ? 0 : std::ranges::max(choices, {}, &Choice::goal).goal; }

bool ProvedPosition::is_open() const {
    return std::ranges::any_of(choices, [&](const Choice& one) { return one.goal < goal(); });
}

std::size_t ProvedPositions::open() const {
    return static_cast<std::size_t>(std::ranges::count_if(positions, &ProvedPosition::is_open));
}

ProvedPositions prove_positions(const std::shared_ptr<const machine::Game>& game, const player::Recipe& prover,
                                const ProofSettings& settings) {
    ProvedPositions result{settings.plies, settings.seed, settings.nodes, 0, {}};
    player::EngineSettings making;
    making.nodes = settings.nodes;
    making.search.seed = settings.seed;
    making.search.table_megabytes = settings.table_megabytes;
    making.shares.solving = {0, 0, 0};
    making.abort = settings.stop.flag;
    const std::unique_ptr<player::Engine> engine = player::make_engine(prover, game, making);
    const std::unique_ptr<machine::Machine> machine = engine->problem.game->make();
    machine::Random random(settings.seed);
    std::set<std::vector<std::vector<std::string>>> known;
    for (std::size_t fruitless = 0; result.positions.size() < settings.count && fruitless < most_fruitless;) {
        if (settings.stop.now()) break;
        ++fruitless;
        const std::optional<Drawn> drawn = draw(*machine, settings.plies, random);
        if (!drawn || !known.insert(drawn->path).second) continue;
        std::optional<ProvedPosition> proved = prove(*machine, *engine->search, *drawn, settings.nodes, settings.stop);
        if (settings.stop.now()) break;
        if (proved) {
            result.positions.push_back(std::move(*proved));
            fruitless = 0;
        } else {
            ++result.unproved;
        }
        if (settings.progress) settings.progress(result);
    }
    return result;
}

std::string to_json(const ProvedPositions& positions) {
    json file{{"kind", kind},
              {"plies", positions.plies},
              {"seed", positions.seed},
              {"nodes", positions.nodes},
              {"unproved", positions.unproved},
              {"positions", json::array()}};
    for (const ProvedPosition& one : positions.positions) {
        json choices = json::array();
        for (const ProvedPosition::Choice& choice : one.choices) choices.push_back({choice.move, choice.goal});
        file["positions"].push_back(
            {{"path", one.path}, {"player", ground::index(one.player)}, {"choices", std::move(choices)}});
    }
    return file.dump() + "\n";
}

std::variant<ProvedPositions, std::string> positions_from_json(std::string_view text) {
    try {
        const json file = json::parse(text);
        if (!file.is_object() || file.value("kind", "") != kind) return fmt::format("this is no file of {}", kind);
        ProvedPositions result{file.at("plies"), file.at("seed"), file.at("nodes"), file.at("unproved"), {}};
        for (const json& one : file.at("positions")) {
            ProvedPosition position{one.at("path"), Role{one.at("player").get<std::uint32_t>()}, {}};
            for (const json& choice : one.at("choices")) position.choices.push_back({choice.at(0), choice.at(1)});
            if (position.choices.empty()) return "a position has no choices";
            result.positions.push_back(std::move(position));
        }
        return result;
    } catch (const json::exception& error) {
        return fmt::format("not as positions are written: {}", error.what());
    }
}

std::optional<ReachedPosition> reach_position(machine::Machine& machine, const ProvedPosition& position) {
    ReachedPosition result{machine.initial(), {}, {}};
    std::vector<Move> legal;
    State next;
    // Its number, if it is legal.
    const auto find = [&](std::uint32_t role, const std::string& name) {
        std::optional<Move> move = machine.find_move(Role{role}, name);
        machine.legal(result.state, Role{role}, legal);
        if (move && std::ranges::find(legal, *move) == legal.end()) move.reset();
        return move;
    };
    for (const std::vector<std::string>& names : position.path) {
        if (names.size() != machine.role_count() || machine.terminal(result.state)) return std::nullopt;
        std::vector<Move> joint;
        for (std::uint32_t role = 0; role < names.size(); ++role) {
            const std::optional<Move> move = find(role, names[role]);
            if (!move) return std::nullopt;
            joint.push_back(*move);
        }
        machine.next(result.state, joint, next);
        std::swap(result.state, next);
    }
    const std::uint32_t player = ground::index(position.player);
    if (player >= machine.role_count() || machine.terminal(result.state)) return std::nullopt;
    for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
        machine.legal(result.state, Role{role}, legal);
        if (legal.empty()) return std::nullopt;
        result.joint.push_back(legal.front());
    }
    for (const ProvedPosition::Choice& choice : position.choices) {
        const std::optional<Move> move = find(player, choice.move);
        if (!move) return std::nullopt;
        result.choices.push_back(*move);
    }
    return result;
}

}  // namespace stratagem::lab
