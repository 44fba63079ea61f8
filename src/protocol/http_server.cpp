#include "protocol/http_server.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "protocol/thread_pool.h"

namespace stratagem::protocol {

namespace {

constexpr const char* content_type = "text/acl";
// Tells a handler of the library which connection it serves. No request can have it: see read_head().
constexpr const char* connection_field = "connection-number";

// Pages of any site may talk to a player, as they may to those of others.
httplib::Headers open_to_all() {
    return {{"Access-Control-Allow-Origin", "*"},
            {"Access-Control-Allow-Methods", "POST, GET, OPTIONS"},
            {"Access-Control-Allow-Headers", "Content-Type, Accept, Sender, Receiver"},
            {"Access-Control-Max-Age", "86400"}};
}

std::string plain_reply(int status, std::string_view text) {
    std::string reply = fmt::format("HTTP/1.1 {} {}\r\n", status, status < 500 ? "Refused" : "Failed");
    for (const auto& [name, value] : open_to_all()) reply += fmt::format("{}: {}\r\n", name, value);
    return reply + fmt::format("Connection: close\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", content_type,
                               text.size(), text);
}

// Each of many threads may have had a long text once, and the C library would learn to keep the room for it, thread by
// thread. Told a size, it gives back at once what is longer.
void keep_no_long_texts() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

}  // namespace

class HttpServer::Listener final : public httplib::Server {
  public:
    Listener(HttpLimits limits, HttpServer::Handler handler, Refused refused)
        : limits_(limits), handler_(std::move(handler)), refused_(std::move(refused)) {
        new_task_queue = [this] {
            return new ThreadPool(limits_.connections, [this](std::size_t waiting) { call(waiting); });
        };
        set_default_headers(open_to_all());
        // The library would let two programs have the same port, and give each a part of the messages.
        set_socket_options([](socket_t socket) {
            const int on = 1;
            ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        });
        set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
            if (request.method == "POST" || request.method == "PUT") return HandlerResponse::Unhandled;
            serve(request, response, nullptr);
            return HandlerResponse::Handled;
        });
        const auto with_body = [this](const httplib::Request& request, httplib::Response& response,
                                      const httplib::ContentReader& reader) { serve(request, response, &reader); };
        Post("/", with_body);
        Put("/", with_body);
        set_exception_handler(
            [this](const httplib::Request& request, httplib::Response& response, const std::exception_ptr&) {
                response.status = 500;
                response.set_content("something went wrong here", content_type);
                refused_(request.remote_addr, 500, "a handler failed");
            });
    }

    void open(const std::string& address, int port) {
        keep_no_long_texts();
        errno = 0;
        port_ = port == 0 ? bind_to_any_port(address) : (bind_to_port(address, port) ? port : -1);
        if (port_ < 0) {
            throw std::runtime_error(fmt::format("cannot listen on {}, port {}: {}", address, port,
                                                 errno != 0 ? std::strerror(errno) : "no such address"));
        }
        // The library asks for room for five who wait to be let in; a second call changes that.
        ::listen(svr_sock_, 512);
        evictor_ = std::thread([this] { keep_order(); });
        thread_ = std::thread([this] { listen_after_bind(); });
        while (!is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    void close() {
        if (!thread_.joinable()) return;
        {
            const std::scoped_lock lock(mutex_, crowd_);
            closing_ = true;
            for (auto& [number, place] : places_) {
                if (!place.working) place.connection->hang_up();
            }
        }
        changed_.notify_all();
        stop();
        thread_.join();
        evictor_.join();
    }

    int port() const { return port_; }

    std::size_t connections() const {
        const std::scoped_lock lock(mutex_);
        return places_.size();
    }

  private:
    struct Place {
        Connection* connection = nullptr;
        bool working = false;  // the request is there, and is being answered
        bool hung_up = false;
        Deadline::Clock::time_point since = Deadline::Clock::now();
    };

    // While it lives, the connection can be found by its number.
    class Registered {
      public:
        Registered(Listener& listener, Connection& connection) : listener_(listener) {
            const std::scoped_lock lock(listener_.mutex_);
            number_ = ++listener_.last_number_;
            listener_.places_[number_].connection = &connection;
            if (listener_.closing_) connection.hang_up();
        }
        ~Registered() {
            const std::scoped_lock lock(listener_.mutex_);
            listener_.places_.erase(number_);
        }
        Registered(const Registered&) = delete;
        Registered& operator=(const Registered&) = delete;
        std::uint64_t number() const { return number_; }

      private:
        Listener& listener_;
        std::uint64_t number_ = 0;
    };

    // What a long body takes of the room for all of them.
    class Room {
      public:
        explicit Room(Listener& listener) : listener_(listener) {}
        ~Room() { listener_.body_bytes_ -= taken_; }
        Room(const Room&) = delete;
        Room& operator=(const Room&) = delete;
        // For a body that is now this long.
        bool suffices(std::size_t size) {
            if (size <= listener_.limits_.small_body_bytes) return true;
            listener_.body_bytes_ += size - taken_;
            taken_ = size;
            return listener_.body_bytes_ <= listener_.limits_.all_bodies_bytes;
        }

      private:
        Listener& listener_;
        std::size_t taken_ = 0;
    };

    bool process_and_close_socket(socket_t socket) override {
        Connection connection(socket, limits_);
        const Registered registered(*this, connection);
        const RequestHead& head = connection.receive_head();
        if (head.status < 0) return false;
        if (head.status > 0) {
            refuse(connection, head.status, head.fault);
        } else if (head.length && *head.length > limits_.body_bytes) {
            refuse(connection, 413, fmt::format("bodies of more than {} bytes are not read", limits_.body_bytes));
        } else {
            bool closed = false;
            process_request(connection, true, closed, [&](httplib::Request& request) {
                request.set_header(connection_field, std::to_string(registered.number()));
            });
        }
        mark(registered.number(), false);
        connection.linger();
        return true;
    }

    void refuse(Connection& connection, int status, const std::string& why) {
        std::string ip;
        int port = 0;
        connection.get_remote_ip_and_port(ip, port);
        refused_(fmt::format("{}:{}", ip, port), status, why);
        connection.send(plain_reply(status, why + "\n"));
    }

    void serve(const httplib::Request& request, httplib::Response& response, const httplib::ContentReader* reader) {
        const std::uint64_t number = std::stoull(request.get_header_value(connection_field));
        Connection& connection = find(number);
        HttpRequest asked;
        asked.method = request.method;
        asked.target = connection.head().target;
        asked.from = fmt::format("{}:{}", request.remote_addr, request.remote_port);
        asked.received = connection.received();
        Room room(*this);
        HttpReply reply;
        if (reader != nullptr) reply = read_body(*reader, connection, room, asked.body);
        if (reply.status != 200) {
            refused_(asked.from, reply.status, reply.text);
            reply.text += '\n';
        } else if (mark(number, true)) {
            reply = handler_(asked);
        }
        response.status = reply.status;
        response.set_content(reply.text, content_type);
    }

    HttpReply read_body(const httplib::ContentReader& reader, const Connection& connection, Room& room,
                        std::string& body) {
        HttpReply reply;
        const bool complete = reader([&](const char* data, std::size_t size) {
            if (body.size() + size > limits_.body_bytes) {
                reply = {413, fmt::format("bodies of more than {} bytes are not read", limits_.body_bytes)};
            } else if (!room.suffices(body.size() + size)) {
                reply = {503, "too many long requests at the same time"};
            } else {
                body.append(data, size);
            }
            return reply.status == 200;
        });
        if (complete || reply.status != 200) return reply;
        if (connection.expired()) return {408, "the body did not come in time"};
        return {400, "the body cannot be read"};
    }

    Connection& find(std::uint64_t number) {
        const std::scoped_lock lock(mutex_);
        return *places_.at(number).connection;
    }

    // False when it was hung up on meanwhile.
    bool mark(std::uint64_t number, bool working) {
        const std::scoped_lock lock(mutex_);
        Place& place = places_.at(number);
        place.working = working;
        if (closing_ && !working) place.connection->hang_up();
        return !place.hung_up;
    }

    void call(std::size_t waiting) {
        const std::scoped_lock lock(crowd_);
        waiting_ = waiting;
        changed_.notify_all();
    }

    // While somebody waits for a thread: those who have had time to say something, and have not finished, must go, the
    // oldest first.
    void keep_order() {
        std::unique_lock lock(crowd_);
        while (!closing_) {
            changed_.wait(lock, [this] { return closing_ || waiting_ > 0; });
            const std::size_t wanted = waiting_;
            lock.unlock();
            hang_up_on_oldest(wanted);
            lock.lock();
            changed_.wait_for(lock, std::chrono::milliseconds(5), [this] { return closing_.load(); });
        }
    }

    void hang_up_on_oldest(std::size_t wanted) {
        constexpr std::chrono::milliseconds fair{50};
        const auto since = Deadline::Clock::now() - fair;
        const std::scoped_lock lock(mutex_);
        for (auto& [number, place] : places_) {
            if (wanted == 0 || place.since > since) return;
            if (place.working) continue;
            // Those on their way out count too: their threads will be free in a moment.
            --wanted;
            if (place.hung_up) continue;
            place.hung_up = true;
            place.connection->hang_up();
        }
    }

    const HttpLimits limits_;
    const HttpServer::Handler handler_;
    const Refused refused_;
    int port_ = -1;
    std::thread thread_;
    mutable std::mutex mutex_;
    std::map<std::uint64_t, Place> places_;  // in the order they came
    std::uint64_t last_number_ = 0;
    std::atomic<bool> closing_{false};
    std::atomic<std::size_t> body_bytes_{0};
    std::thread evictor_;
    std::mutex crowd_;  // guards what follows; apart from the other, as the pool calls while it holds its own
    std::condition_variable changed_;
    std::size_t waiting_ = 0;
};

HttpServer::HttpServer(HttpLimits limits, Handler handler, Refused refused)
    : listener_(std::make_unique<Listener>(limits, std::move(handler), std::move(refused))) {}

HttpServer::~HttpServer() { close(); }

void HttpServer::open(const std::string& address, int port) { listener_->open(address, port); }

int HttpServer::port() const { return listener_->port(); }

void HttpServer::close() { listener_->close(); }

std::size_t HttpServer::connections() const { return listener_->connections(); }

}  // namespace stratagem::protocol
