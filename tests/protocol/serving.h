// A player behind a port of this computer, for tests. Clocks are generous and searches answer at once, so that nothing
// hangs on how busy the computer is.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "gdl/game_files.h"
#include "player/fake_search.h"
#include "protocol/kif_text.h"
#include "protocol/player_server.h"
#include "protocol/raw_client.h"

namespace stratagem::protocol::testing {

inline ServerSettings quick_settings(const player::Recipe& recipe = player::Recipe("legal")) {
    ServerSettings settings;
    settings.port = 0;
    settings.service.recipe = recipe;
    settings.service.player.ponder = false;
    settings.service.player.grace = std::chrono::milliseconds(20);
    settings.service.player.search.table_megabytes = 1;
    return settings;
}

class Serving {
  public:
    explicit Serving(ServerSettings settings = quick_settings())
        : server_([&] {
              settings.service.log = lines.log();
              return settings;
          }()) {
        server_.open();
    }

    int port() const { return server_.port(); }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port()); }
    PlayerServer& server() { return server_; }

    player::testing::Lines lines;

  private:
    PlayerServer server_;
};

// A latch whose searches may outlive the test: a player leaves a thread behind that does not end in time. Opened at the
// end of the test.
class SharedLatch {
  public:
    ~SharedLatch() { latch_->open(); }
    player::testing::Latch* operator->() const { return latch_.get(); }
    // Searches wait behind the latch, then make the first move.
    player::Recipe recipe() const {
        return player::testing::fake(
            "waiting", [latch = latch_](auto& machine, const auto& state, auto role, const auto&, const auto&) {
                latch->pass();
                return player::testing::nth_legal(machine, state, role, 0);
            });
    }

  private:
    std::shared_ptr<player::testing::Latch> latch_ = std::make_shared<player::testing::Latch>();
};

inline std::string bundled_rules(const std::string& game) {
    return gdl::testing::content_of(std::filesystem::path(STRATAGEM_GAMES_DIR) / (game + ".kif"));
}

inline std::string start_message(const std::string& match, const std::string& role, const std::string& rules,
                                 const std::string& clocks = "60 60") {
    return "(START " + match + " " + role + " (" + rules + "\n) " + clocks + ")";
}

// Asks again until it is so. Generous: only a server that never gets there fails.
template <typename Condition>
bool eventually(Condition&& condition) {
    const Deadline deadline = Deadline::after(std::chrono::seconds(60));
    while (!condition()) {
        if (deadline.expired()) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace stratagem::protocol::testing
