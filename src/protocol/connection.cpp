#include "protocol/connection.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace stratagem::protocol {

namespace {

using Clock = Deadline::Clock;

// Waits until the socket can be read from or written to. False when the deadline came first.
bool wait_for(socket_t socket, short events, Deadline deadline) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.remaining());
        pollfd one{socket, events, 0};
        const int found = ::poll(&one, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
        if (found > 0) return true;
        if (found < 0 && errno != EINTR) return false;
        if (deadline.expired()) return false;
    }
}

void name_of(const sockaddr_storage& address, socklen_t length, std::string& ip, int& port) {
    std::array<char, NI_MAXHOST> host{};
    std::array<char, NI_MAXSERV> service{};
    if (getnameinfo(reinterpret_cast<const sockaddr*>(&address), length, host.data(), host.size(), service.data(),
                    service.size(), NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
        ip = host.data();
        port = std::atoi(service.data());
    }
}

}  // namespace

Connection::Connection(socket_t socket, const HttpLimits& limits)
    : socket_(socket), limits_(limits), deadline_(Deadline::after(limits.request_time)), received_(Clock::now()) {
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Connection::~Connection() { ::close(socket_); }

ssize_t Connection::receive(char* data, size_t size, Deadline deadline) const {
    for (;;) {
        if (!wait_for(socket_, POLLIN, deadline)) return -1;
        const ssize_t count = ::recv(socket_, data, size, MSG_DONTWAIT);
        if (count >= 0) return count;
        if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) return -1;
    }
}

const RequestHead& Connection::receive_head() {
    std::array<char, 4096> buffer{};
    std::string text;
    std::size_t length = 0;
    const auto refuse = [this](int status, std::string fault) -> const RequestHead& {
        head_.status = status;
        head_.fault = std::move(fault);
        return head_;
    };
    while (length == 0) {
        const bool may_be_all = is_whole_get(text, false);
        const Deadline silence = Deadline::after(limits_.silence_time);
        const ssize_t count =
            receive(buffer.data(), buffer.size(), may_be_all ? Deadline::earlier(silence, deadline_) : deadline_);
        const bool silent = count < 0 && may_be_all && silence.expired();
        if (silent || (count == 0 && is_whole_get(text, true))) {
            length = text.size();
            break;
        }
        if (count < 0 && !deadline_.expired()) return refuse(-1, "the connection broke");
        if (count < 0) return refuse(408, "the request did not come in time");
        if (count == 0 && text.empty()) return refuse(-1, "nothing was sent");
        if (count == 0) return refuse(400, "the request ends in the middle");
        if (text.empty()) received_ = Clock::now();
        text.append(buffer.data(), static_cast<std::size_t>(count));
        length = head_length(text);
        if (length > limits_.head_bytes || (length == 0 && text.size() > limits_.head_bytes)) {
            return refuse(431, "the head of the request is too long");
        }
    }
    head_ = read_head(std::string_view(text).substr(0, length), limits_.target_bytes);
    head_left_ = head_.text.size();
    ahead_ = head_.text + text.substr(length);
    return head_;
}

std::size_t Connection::up_to_balance(const char* data, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
        const char c = data[i];
        if (in_comment_) {
            in_comment_ = c != '\n' && c != '\r';
        } else if (c == ';') {
            in_comment_ = true;
        } else if (c == '(') {
            ++depth_;
        } else if (c == ')' && depth_ > 0 && --depth_ == 0) {
            balanced_ = true;
            return i + 1;
        }
    }
    return size;
}

ssize_t Connection::read(char* data, size_t size) {
    if (balanced_) return 0;
    const bool of_head = head_left_ > 0;
    ssize_t count = 0;
    if (ahead_at_ < ahead_.size()) {
        std::size_t taken = std::min(size, ahead_.size() - ahead_at_);
        if (of_head) taken = std::min(taken, head_left_);
        std::memcpy(data, ahead_.data() + ahead_at_, taken);
        ahead_at_ += taken;
        count = static_cast<ssize_t>(taken);
    } else {
        count = receive(data, size);
    }
    if (count <= 0) return count;
    const auto taken = static_cast<std::size_t>(count);
    if (of_head) {
        head_left_ -= taken;
        return count;
    }
    // Twice: sizes of chunks take room too.
    body_bytes_ += taken;
    if (body_bytes_ > 2 * limits_.body_bytes) return -1;
    if (head_.length || head_.chunked) return count;
    return static_cast<ssize_t>(up_to_balance(data, taken));
}

ssize_t Connection::write(const char* data, size_t size) {
    const Deadline deadline = Deadline::after(limits_.reply_time);
    for (;;) {
        const ssize_t count = ::send(socket_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) return count;
        if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) return -1;
        if (!wait_for(socket_, POLLOUT, deadline)) return -1;
    }
}

void Connection::send(std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = write(text.data(), text.size());
        if (count <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

void Connection::linger() {
    ::shutdown(socket_, SHUT_WR);
    deadline_ = Deadline::after(limits_.linger_time);
    std::array<char, 16384> buffer{};
    while (receive(buffer.data(), buffer.size()) > 0) {
    }
}

void Connection::hang_up() const { ::shutdown(socket_, SHUT_RDWR); }

bool Connection::is_readable() const {
    return ahead_at_ < ahead_.size() || wait_for(socket_, POLLIN, Deadline::after(std::chrono::milliseconds(0)));
}

bool Connection::is_writable() const { return wait_for(socket_, POLLOUT, Deadline::after(limits_.reply_time)); }

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (getpeername(socket_, reinterpret_cast<sockaddr*>(&address), &length) == 0) name_of(address, length, ip, port);
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) == 0) name_of(address, length, ip, port);
}

}  // namespace stratagem::protocol
