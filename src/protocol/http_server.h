// An HTTP server for small messages that strangers cannot keep others out of.
//
// One request for each connection. Whoever is slow, long or silent is sent away by deadline, by size, or because
// somebody else came and every thread is taken: then the one who has been sending for longest goes. Requests that have
// arrived are never sent away, so a manager gets through whatever else is connected. See connection.h, thread_pool.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "protocol/connection.h"
#include "util/deadline.h"

namespace stratagem::protocol {

struct HttpRequest {
    std::string method;
    std::string target;
    std::string body;
    std::string from;                      // address and port of the other side
    Deadline::Clock::time_point received;  // its first byte
};

struct HttpReply {
    int status = 200;
    std::string text;
};

class HttpServer {
  public:
    // Called from any thread, several at a time; a request in it is safe from being sent away.
    using Handler = std::function<HttpReply(const HttpRequest&)>;
    // Told of requests that never became one.
    using Refused = std::function<void(const std::string& from, int status, const std::string& why)>;

    HttpServer(HttpLimits limits, Handler handler, Refused refused);
    // Waits for handlers; whoever is still sending is hung up on.
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    // Port 0 means any. Throws std::runtime_error, which names the address, when it cannot listen there.
    void open(const std::string& address, int port);
    int port() const;
    void close();
    // Connections there are now.
    std::size_t connections() const;

  private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

}  // namespace stratagem::protocol
