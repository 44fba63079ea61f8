// A GGP player as the network sees it: an HTTP server (http_server.h), the service behind it (player_service.h) and a
// log.
//
//   PlayerServer server(settings);
//   server.open();             // throws when it cannot listen
//   … server.port() …
//   server.close();
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

#include "protocol/http_server.h"
#include "protocol/player_service.h"

namespace stratagem::protocol {

inline constexpr int default_port = 9147;

struct ServerSettings {
    std::string address = "127.0.0.1";  // this computer only
    int port = default_port;            // 0: any that is free
    ServiceSettings service;            // its log hears of messages too
    HttpLimits limits;
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

    int port() const { return http_.port(); }
    std::size_t matches() const { return service_.matches(); }
    std::size_t connections() const { return http_.connections(); }

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
    PlayerService service_;
    HttpServer http_;
};

}  // namespace stratagem::protocol
