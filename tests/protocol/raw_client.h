// The other side of a socket, byte by byte: for saying things that no library would say.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace stratagem::protocol::testing {

class RawClient {
  public:
    explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~RawClient() {
        if (socket_ >= 0) ::close(socket_);
    }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    RawClient(RawClient&& other) noexcept
        : socket_(std::exchange(other.socket_, -1)), connected_(std::exchange(other.connected_, false)) {}

    bool connected() const { return connected_; }

    // What is said next goes out as it is, as far as that can be wished for.
    void send_at_once() {
        const int at_once = 1;
        ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    }

    // False when the other side no longer listens.
    bool say(std::string_view text) {
        while (!text.empty()) {
            const ssize_t count = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
            if (count <= 0) return false;
            text.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    }
    void half_close() { ::shutdown(socket_, SHUT_WR); }

    // Whether something can be heard by now.
    bool has_reply() const {
        pollfd one{socket_, POLLIN, 0};
        return ::poll(&one, 1, 0) > 0;
    }

    // All there is until the other side closes, or until patience ends.
    std::string hear(std::chrono::milliseconds patience = std::chrono::seconds(60)) {
        std::string text;
        std::array<char, 4096> buffer{};
        for (;;) {
            pollfd one{socket_, POLLIN, 0};
            if (::poll(&one, 1, static_cast<int>(patience.count())) <= 0) return text;
            const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
            if (count <= 0) return text;
            text.append(buffer.data(), static_cast<std::size_t>(count));
        }
    }

  private:
    int socket_;
    bool connected_ = false;
};

// One request on a connection of its own, and all that comes back.
inline std::string converse(int port, std::string_view request) {
    RawClient client(port);
    client.say(request);
    return client.hear();
}

// As the common managers written in Java do it.
inline std::string java_request(std::string_view message) {
    std::string text = "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: PLAYER\r\n";
    text += "Content-type: text/acl\r\nContent-length: " + std::to_string(message.size()) + "\r\n\r\n";
    return text.append(message);
}

struct RawReply {
    int status = 0;
    std::string head;
    std::string body;
};

inline RawReply parsed(const std::string& text) {
    RawReply reply;
    const std::size_t end = text.find("\r\n\r\n");
    reply.head = text.substr(0, end);
    if (end != std::string::npos) reply.body = text.substr(end + 4);
    if (reply.head.size() > 12) reply.status = std::atoi(reply.head.substr(9, 3).c_str());
    return reply;
}

inline RawReply send_message(int port, std::string_view message) {
    return parsed(converse(port, java_request(message)));
}

// The text of a reply that must have been given with status 200.
inline std::string answer(int port, std::string_view message) {
    const RawReply reply = send_message(port, message);
    EXPECT_EQ(reply.status, 200) << message << "\n" << reply.head << "\n" << reply.body;
    return reply.body;
}

}  // namespace stratagem::protocol::testing
