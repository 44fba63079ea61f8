// A player of this process as an Agent.
#pragma once

#include <span>
#include <string>

#include "player/agent.h"

namespace stratagem::arena {

class LocalAgent final : public player::Agent {
  public:
    LocalAgent(std::string name, player::Recipe recipe, player::PlayerSettings settings)
        : name_(std::move(name)), player_(std::move(recipe), std::move(settings)) {}

    std::string name() const override { return name_; }
    bool elsewhere() const override { return false; }
    bool begins_anywhere() const override { return true; }

    player::Reply start(const player::MatchStart& match) override {
        player::Reply reply;
        if (match.state) player_.begin_at(*match.state);
        if (player_.start(match.description, match.role, match.clocks)) {
            reply.kind = player::Reply::Kind::move;
        } else {
            reply.problem = "these rules cannot be run";
        }
        return reply;
    }

    player::Reply play(std::span<const std::string> last) override {
        player::Answer answer = player_.play(last);
        player::Reply reply;
        reply.kind = player::Reply::Kind::move;
        reply.move = std::move(answer.move);
        reply.source = answer.source;
        reply.choice = std::move(answer.choice);
        reply.thought_known = true;
        return reply;
    }

    void watch(std::span<const std::string> last) override { player_.watch(last); }
    void stop(std::span<const std::string>) override { player_.stop(); }
    void abort() override { player_.abort(); }

  private:
    std::string name_;
    player::Player player_;
};

}  // namespace stratagem::arena
