#include "worker/worker_agent.h"

namespace stratagem::worker {

namespace {

// In words, if it has any.
std::optional<player::TextMatch> text_of(const machine::Game& game, machine::Role role) {
    std::optional<std::string> rules = game.rules();
    if (!rules) return std::nullopt;
    player::TextMatch text;
    text.name = game.name();
    text.rules = std::move(*rules);
    text.role = game.roles()[ground::index(role)];
    return text;
}

std::optional<std::uint64_t> nodes_of(const WorkerSettings& settings) {
    return player::nodes_of(player::Recipe(settings.recipe), settings.player);
}

WorkerSettings for_a_referee(WorkerSettings settings) {
    settings.second = false;
    settings.attempts = 1;
    settings.fallback_recipes.clear();  // what is to be measured is not to be replaced
    // Where the recipe gives the number, the clocks of a match are not looked at either.
    settings.player.nodes = nodes_of(settings);
    return settings;
}

}  // namespace

WorkerAgent::WorkerAgent(std::string name, WorkerSettings settings)
    : name_(std::move(name)), has_clock_(!nodes_of(settings)), player_(for_a_referee(std::move(settings))) {}

void WorkerAgent::prepare(const machine::Game& game) {
    if (game.roles().empty()) return;
    if (const auto text = text_of(game, machine::Role{0})) player_.prepare(*text);
}

player::Reply WorkerAgent::start(const player::MatchStart& match) {
    const std::size_t before = player_.failures();
    player::Reply reply;
    std::optional<player::TextMatch> text = text_of(*match.game, match.role);
    if (!text) {
        reply.problem = "a game without rules in words cannot be sent to another process";
        return reply;
    }
    text->clocks = match.clocks;
    text->state = match.state;
    const player::Opening opening = player_.start(*text, Deadline::Clock::now());
    reply.problem = opening.fault;
    if (player_.failures() > before) reply.problem = player_.last_failure();
    if (reply.problem.empty()) reply.kind = player::Reply::Kind::move;
    return reply;
}

player::Reply WorkerAgent::play(std::span<const std::string> last) {
    const std::size_t before = player_.failures();
    player::Answer answer = player_.play(last, Deadline::Clock::now());
    if (player_.failures() == before) return player::to_reply(std::move(answer));
    player::Reply failed;
    failed.problem = player_.last_failure();
    return failed;
}

}  // namespace stratagem::worker
