// A player of this process as an Agent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "player/agent.h"

namespace stratagem::arena {

class LocalAgent final : public player::Agent {
  public:
    LocalAgent(std::string name, const player::Recipe& recipe, player::PlayerSettings settings)
        : name_(std::move(name)),
          has_clock_(!player::nodes_of(recipe, settings)),
          player_(recipe, without_clock(recipe, std::move(settings))) {}

    std::string name() const override { return name_; }
    bool elsewhere() const override { return false; }
    bool begins_anywhere() const override { return true; }
    bool has_clock() const override { return has_clock_; }

    player::Reply start(const player::MatchStart& match) override {
        player::Reply reply;
        if (match.state) player_.begin_at(*match.state);
        if (player_.start(match.game, match.role, match.clocks)) {
            reply.kind = player::Reply::Kind::move;
        } else {
            reply.problem = "these rules cannot be run";
        }
        return reply;
    }

    player::Reply play(std::span<const std::string> last) override { return player::to_reply(player_.play(last)); }

    void watch(std::span<const std::string> last) override { player_.watch(last); }
    void stop(std::span<const std::string>) override { player_.stop(); }
    void abort() override { player_.abort(); }

  private:
    // Where the recipe gives the number, the clocks of a match are not looked at either.
    static player::PlayerSettings without_clock(const player::Recipe& recipe, player::PlayerSettings settings) {
        settings.nodes = player::nodes_of(recipe, settings);
        return settings;
    }

    std::string name_;
    bool has_clock_;
    player::Player player_;
};

}  // namespace stratagem::arena
