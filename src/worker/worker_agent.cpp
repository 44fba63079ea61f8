#include "worker/worker_agent.h"

#include "gdl/print.h"

namespace stratagem::worker {

namespace {

// As the words it was read from.
player::TextMatch text_of(const gdl::Description& description, machine::Role role) {
    player::TextMatch text;
    text.name = description.source->name();
    text.rules = description.source->text();
    text.notation.reset();
    text.role = gdl::to_kif(description.terms, description.roles()[ground::index(role)]);
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

void WorkerAgent::prepare(const gdl::Description& description) {
    if (!description.roles().empty()) player_.prepare(text_of(description, machine::Role{0}));
}

player::Reply WorkerAgent::start(const player::MatchStart& match) {
    const std::size_t before = player_.failures();
    player::TextMatch text = text_of(*match.description, match.role);
    text.clocks = match.clocks;
    text.state = match.state;
    const player::Opening opening = player_.start(text, Deadline::Clock::now());
    player::Reply reply;
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
