// A GGP player as the network sees it: the door (http_door.h), the desk behind it (player_desk.h) and a log.
//
//   PlayerServer server(settings);
//   server.open();             // throws when it cannot listen
//   … server.port() …
//   server.close();
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "protocol/http_door.h"
#include "protocol/player_desk.h"

namespace stratagem::protocol {

inline constexpr int default_port = 9147;

struct ServerSettings {
    std::string address = "127.0.0.1";  // this computer only
    int port = default_port;            // 0: any that is free
    DeskSettings desk;                  // its log hears of messages too
    DoorLimits limits;
};

class PlayerServer {
  public:
    explicit PlayerServer(ServerSettings settings);
    ~PlayerServer();
    PlayerServer(const PlayerServer&) = delete;
    PlayerServer& operator=(const PlayerServer&) = delete;

    // Returns when messages are answered. Throws std::runtime_error, which names the address, when it cannot listen.
    void open();
    // Matches are given up.
    void close();

    int port() const { return door_.port(); }
    std::size_t matches() const { return desk_.matches(); }
    std::size_t connections() const { return door_.connections(); }

  private:
    HttpReply answer(const HttpRequest& request);
    HttpReply answer_message(const HttpRequest& request, const std::string& text);
    void refused(const std::string& from, int status, const std::string& why);
    void say(std::string_view line);
    // Of lines anybody can cause, the first few in ten seconds; the others are counted.
    void say_rarely(std::string_view line);

    ServerSettings settings_;
    std::mutex log_;
    TimePoint period_since_{};  // for say_rarely()
    std::size_t in_period_ = 0;
    PlayerDesk desk_;
    HttpDoor door_;
};

}  // namespace stratagem::protocol
