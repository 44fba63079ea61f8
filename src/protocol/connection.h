// One connection of a stranger: a socket that is patient up to a point.
//
// cpp-httplib limits how long each single read may take; who sends a byte every few seconds stays for ever. Here the
// whole request has one deadline and a limit of bytes, and the head is read and checked before the library sees it. A
// body of unknown length, which the library would read until the other side closes, ends where its parentheses do.
#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>

#include "protocol/request_head.h"
#include "util/deadline.h"

namespace stratagem::protocol {

struct HttpLimits {
    std::size_t head_bytes = std::size_t{32} << 10;
    std::size_t target_bytes = std::size_t{16} << 10;
    // Of one body. The largest game known has 0.05 MB.
    std::size_t body_bytes = std::size_t{16} << 20;
    // Bodies up to this size are always taken in, longer ones as long as all of them together stay below the next.
    std::size_t small_body_bytes = std::size_t{64} << 10;
    std::size_t all_bodies_bytes = std::size_t{32} << 20;
    std::size_t connections = 200;
    std::chrono::milliseconds request_time{10'000};  // for head and body to arrive
    // For the rest of the head of a GET whose first line is there: some managers never send the empty line at its end.
    std::chrono::milliseconds silence_time{300};
    std::chrono::milliseconds reply_time{5'000};   // for the reply to be taken
    std::chrono::milliseconds linger_time{1'000};  // for the other side to close after it
};

class Connection final : public httplib::Stream {
  public:
    // Takes the socket over.
    Connection(socket_t socket, const HttpLimits& limits);
    ~Connection() override;
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Reads up to the end of the head. A status of -1 means that the other side is gone.
    const RequestHead& receive_head();
    const RequestHead& head() const { return head_; }
    // When the first byte of the request was there.
    Deadline::Clock::time_point received() const { return received_; }
    bool expired() const { return deadline_.expired(); }

    // Sends what came of it without help of the library.
    void send(std::string_view text);
    // Tells the other side that nothing more will come, and waits a moment for it to have read everything: closing
    // while unread bytes are there would take the reply back.
    void linger();

    // From any thread: whatever waits for the other side gives up. Pre: the connection lives. Not
    // checked: a lifetime.
    void hang_up() const;

    bool is_readable() const override;
    bool is_writable() const override;
    ssize_t read(char* data, size_t size) override;
    ssize_t write(const char* data, size_t size) override;
    using httplib::Stream::write;
    void get_remote_ip_and_port(std::string& ip, int& port) const override;
    void get_local_ip_and_port(std::string& ip, int& port) const override;
    socket_t socket() const override { return socket_; }

  private:
    // From the socket itself; 0 at its end, -1 when the deadline has passed or it failed.
    ssize_t receive(char* data, size_t size) const { return receive(data, size, deadline_); }
    ssize_t receive(char* data, size_t size, Deadline deadline) const;
    // Of `size` bytes of a body without length, those up to its last parenthesis.
    std::size_t up_to_balance(const char* data, std::size_t size);

    socket_t socket_;
    const HttpLimits& limits_;
    Deadline deadline_;
    Deadline::Clock::time_point received_;
    RequestHead head_;
    std::string ahead_;  // for read(): the head as the library shall see it, and what came with it
    std::size_t ahead_at_ = 0;
    std::size_t head_left_ = 0;  // of ahead_, bytes that are head
    std::size_t body_bytes_ = 0;
    std::size_t depth_ = 0;
    bool in_comment_ = false;
    bool balanced_ = false;
};

}  // namespace stratagem::protocol
