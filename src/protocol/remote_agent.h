// A player at the other end of a wire, as its referee sees it: the manager side of the protocol.
//
// Every call sends one message and waits for the reply until the clock and a grace have passed, whatever the other side
// does meanwhile: one that sends a byte now and then is as late as one that sends nothing. How answers are read stands
// in http_call.h and player_reply.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "player/agent.h"
#include "protocol/http_call.h"
#include "protocol/messages.h"
#include "protocol/player_address.h"
#include "protocol/translation.h"

namespace stratagem::protocol {

struct RemoteSettings {
    player::Seconds grace{1};               // common managers wait so much longer than the clock
    std::optional<std::uint64_t> scramble;  // the player gets to see the game under names drawn from this seed
    player::Seconds connect{5};             // longest wait for a connection, also for STOP and ABORT to be answered
    std::string sender = "STRATAGEM";
    std::string name;  // in records; empty: the address
};

class RemoteAgent final : public player::Agent {
  public:
    // Throws std::invalid_argument for what is no address of a player.
    explicit RemoteAgent(std::string url, RemoteSettings settings = {});
    ~RemoteAgent() override;

    std::string name() const override { return settings_.name.empty() ? url_ : settings_.name; }
    bool elsewhere() const override { return true; }

    player::Reply start(const player::MatchStart& match) override;
    player::Reply play(std::span<const std::string> last) override;
    void stop(std::span<const std::string> last) override;
    void abort() override;

    // Who is there. Nothing when nobody answers within `patience`.
    std::optional<PlayerInfo> info(player::Seconds patience = player::Seconds(2));

  private:
    class Reachable;
    // What messages say besides what they are about.
    struct Sides {
        std::string match;
        std::string role;
    };

    // What the player says. Ended by abort().
    CallResult send(const Message& message, player::Seconds patience);
    CallResult exchange(HttpCall& call, const Message& message, const std::string& receiver, player::Seconds patience);
    std::vector<std::string> translated(std::span<const std::string> moves) const;

    const std::string url_;
    const RemoteSettings settings_;
    PlayerAddress address_;
    player::Clocks clocks_;
    std::optional<std::string> unheard_;  // why START did not get there: who comes later knows nothing of the match
    Translation outward_;
    Translation inward_;
    std::atomic<bool> aborted_{false};
    std::mutex mutex_;          // for abort(), which needs what follows
    HttpCall* call_ = nullptr;  // under way
    Sides sides_;               // empty before the match has begun
};

}  // namespace stratagem::protocol
