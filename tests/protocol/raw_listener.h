// A player at the other end of a socket, byte by byte: for answers that no library would give.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace stratagem::protocol::testing {

// A listener that does with each connection what it is told.
class Listener {
  public:
    // Port 0: one that is free.
    explicit Listener(std::function<void(int socket)> manners, int port = 0)
        : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), manners_(std::move(manners)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        ::listen(socket_, 16);
        socklen_t length = sizeof address;
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] {
            for (;;) {
                const int one = ::accept(socket_, nullptr, nullptr);
                if (one < 0) return;
                manners_(one);
                ::close(one);
            }
        });
    }
    ~Listener() {
        ::shutdown(socket_, SHUT_RDWR);
        thread_.join();
        ::close(socket_);
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  private:
    int socket_;
    int port_ = 0;
    std::function<void(int)> manners_;
    std::thread thread_;
};

// A whole request, whose length must be announced; less when the other side stops before.
inline std::string hear_request(int socket) {
    constexpr std::string_view field = "Content-Length: ";
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const ssize_t count = ::recv(socket, buffer.data(), buffer.size(), 0);
        if (count <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
        const std::size_t body = text.find("\r\n\r\n");
        const std::size_t at = text.find(field);
        if (body == std::string::npos || at == std::string::npos) continue;
        if (text.size() >= body + 4 + std::stoul(text.substr(at + field.size()))) return text;
    }
}

// What comes after the head of a request.
inline std::string body_of(std::string_view request) {
    const std::size_t end = request.find("\r\n\r\n");
    return end == std::string_view::npos ? std::string() : std::string(request.substr(end + 4));
}

// Each piece in a packet of its own, as far as that can be wished for. False when the other side has left.
inline bool say_piece(int socket, std::string_view piece) {
    const int at_once = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    return ::send(socket, piece.data(), piece.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(piece.size());
}

// Nothing more will be said; returns when the other side has nothing more to say either.
inline void end_of_talk(int socket) {
    ::shutdown(socket, SHUT_WR);
    std::array<char, 4096> buffer{};
    while (::recv(socket, buffer.data(), buffer.size(), 0) > 0) {
    }
}

// Returns when the other side hangs up; until then the connection stays as it is.
inline void await_hanging_up(int socket) {
    std::array<char, 4096> buffer{};
    while (::recv(socket, buffer.data(), buffer.size(), 0) > 0) {
    }
}

}  // namespace stratagem::protocol::testing
