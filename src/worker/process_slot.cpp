#include "worker/process_slot.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "util/contract.h"

namespace stratagem::worker {

namespace {

// Moves and lines are short; whoever sends more than this is not thinking any more.
constexpr std::size_t longest_word = std::size_t{4} << 20;
constexpr std::chrono::seconds ping_every{1};

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

void ProcessSlot::fill(std::unique_ptr<Process> process, TimePoint now) {
    STRATAGEM_EXPECTS(!filled() && process != nullptr);
    process_ = std::move(process);
    frames_ = FrameReader(longest_word);
    pinged_ = now;
    waits_ = false;
    spoken_ = false;
    error_text_.clear();
    error_lines_ = 0;
}

std::unique_ptr<Process> ProcessSlot::vacate() {
    outgoing_.clear();
    sent_ = 0;
    return std::move(process_);
}

void ProcessSlot::send(const Order& order) {
    if (!process_) return;
    outgoing_.push_back(to_frame(to_json(order)));
    write();
}

bool ProcessSlot::write() {
    while (!outgoing_.empty()) {
        const std::string& frame = outgoing_.front();
        const ssize_t count = ::send(process_->socket(), frame.data() + sent_, frame.size() - sent_, MSG_NOSIGNAL);
        if (count < 0) return would_block();
        sent_ += static_cast<std::size_t>(count);
        if (sent_ < frame.size()) return true;
        outgoing_.pop_front();
        sent_ = 0;
    }
    return true;
}

bool ProcessSlot::read(TimePoint now, std::vector<Word>& heard) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): large, and what is read comes first
    std::array<char, std::size_t{1} << 16> bytes;
    for (;;) {
        const ssize_t count = ::recv(process_->socket(), bytes.data(), bytes.size(), 0);
        if (count < 0) return would_block();
        if (count == 0) return false;
        waits_ = false;
        spoken_ = true;
        pinged_ = now;
        frames_.add({bytes.data(), static_cast<std::size_t>(count)});
        while (const std::optional<nlohmann::json> message = frames_.next()) heard.push_back(read_word(*message));
    }
}

void ProcessSlot::read_errors(std::vector<std::string>& printed) {
    constexpr std::size_t most_lines = 50;
    constexpr std::size_t longest_line = 500;
    std::array<char, 4096> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): what is read comes first
    for (;;) {
        const ssize_t count = ::read(process_->errors(), bytes.data(), bytes.size());
        if (count <= 0) return;
        for (const char c : std::string_view(bytes.data(), static_cast<std::size_t>(count))) {
            if (c != '\n') {
                if (error_text_.size() < longest_line) error_text_ += c;
                continue;
            }
            if (!error_text_.empty() && ++error_lines_ <= most_lines) printed.push_back(error_text_);
            error_text_.clear();
        }
    }
}

void ProcessSlot::add_to(std::vector<pollfd>& list) const {
    if (!process_) return;
    list.push_back({process_->socket(), static_cast<short>(outgoing_.empty() ? POLLIN : POLLIN | POLLOUT), 0});
    list.push_back({process_->errors(), POLLIN, 0});
}

std::string ProcessSlot::serve(TimePoint now, std::vector<Word>& heard, std::vector<std::string>& printed) {
    if (!process_) return {};
    try {
        const bool open = read(now, heard);
        read_errors(printed);
        return open && write() ? std::string() : std::string(ended);
    } catch (const FrameError& fault) {
        return std::string("what it says makes no sense: ") + fault.what();
    }
}

bool ProcessSlot::silent(TimePoint now, player::Seconds patience) {
    if (!process_) return false;
    if (waits_) return now - pinged_ > (spoken_ ? patience : 4 * patience);
    if (now - pinged_ >= ping_every) {
        send(Ping{});
        pinged_ = now;
        waits_ = true;
    }
    return false;
}

}  // namespace stratagem::worker
