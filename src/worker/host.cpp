#include "worker/host.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

#include "util/memory_limit.h"
#include "worker/follower.h"
#include "worker/frame.h"
#include "worker/memory.h"
#include "worker/orders.h"
#include "worker/process.h"

namespace stratagem::worker {

namespace {

// Rules of 16 MB, with room for what is around them and for the history of a long match.
constexpr std::size_t longest_order = std::size_t{256} << 20;

// At once: threads that think, and whatever they hold, end with the process.
[[noreturn]] void leave(int code) { ::_exit(code); }

// Whatever is thrown in here ends the process; another one takes over.
template <typename Work>
void guarded(Work&& work) {
    try {
        work();
    } catch (const std::bad_alloc&) {
        leave(exit_starved);
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s\n", fault.what());
        leave(exit_fault);
    }
}

class Host {
  public:
    explicit Host(int socket) : socket_(socket) {}

    [[noreturn]] void run() {
        std::thread([this] { guarded([this] { listen(); }); }).detach();
        for (;;) {
            guarded([this] { std::visit([this](const auto& order) { perform(order); }, take()); });
        }
    }

  private:
    [[noreturn]] void listen() {
        FrameReader frames(longest_order);
        std::string bytes(std::size_t{1} << 16, '\0');
        for (;;) {
            const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) leave(0);  // nobody wants us any more
            frames.add({bytes.data(), static_cast<std::size_t>(count)});
            while (const std::optional<nlohmann::json> message = frames.next()) {
                Order order = read_order(*message);
                if (std::holds_alternative<Ping>(order)) {
                    say(Pong{});
                } else {
                    const std::scoped_lock lock(mutex_);
                    orders_.push_back(std::move(order));
                    changed_.notify_one();
                }
            }
        }
    }

    Order take() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !orders_.empty(); });
        Order order = std::move(orders_.front());
        orders_.pop_front();
        return order;
    }

    void say(const Word& word) {
        const std::string frame = to_frame(to_json(word));
        const std::scoped_lock lock(writing_);
        std::string_view left = frame;
        while (!left.empty()) {
            const ssize_t count = ::send(socket_, left.data(), left.size(), MSG_NOSIGNAL);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) leave(0);
            left.remove_prefix(static_cast<std::size_t>(count));
        }
    }

    void perform(const PrepareOrder& order) {
        player::Opening ignored;
        const std::shared_ptr<const machine::Game> read = player::read_match(order.match, ignored);
        if (read) prepared_ = read->remade(order.machine);
        say(Prepared{});
    }

    void perform(const StartOrder& order) {
        const player::Log log = [this](std::string_view line) {
            constexpr std::size_t longest = 4000;
            say(LogWord{std::string(line.substr(0, longest))});
        };
        if (order.recipe.empty()) {
            player_ = std::make_unique<Follower>(order.settings.search.seed, log);
        } else {
            player::PlayerSettings settings = order.settings;
            settings.log = log;
            player_ =
                std::make_unique<player::LocalTextPlayer>(player::Recipe(order.recipe), std::move(settings), prepared_);
        }
        const player::Opening opening = player_->start(order.match, order.received);
        // As far as that goes within the start clock; what is left, the first turn has to do.
        const player::Clocks clocks = order.match.clocks;
        const TimePoint received =
            order.received + std::chrono::duration_cast<Deadline::Clock::duration>(clocks.start - clocks.play);
        for (const JointMove& last : order.history) player_->watch(last, received);
        say(opening);
    }

    void perform(const PlayOrder& order) {
        AnswerWord word{order.turn, player().play(order.last, order.received), false};
        word.starved = starved();
        say(word);
    }
    void perform(const WatchOrder& order) { player().watch(order.last, order.received); }
    void perform(const FitsOrder& order) {
        say(FitWord{order.number, player().fits(order.moves, Deadline{order.until})});
    }
    void perform(const Ping&) {}  // never gets here

    player::TextPlayer& player() {
        if (!player_) throw FrameError("an order before the match has begun");
        return *player_;
    }

    int socket_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Order> orders_;
    std::mutex writing_;
    std::shared_ptr<const machine::Game> prepared_;
    std::unique_ptr<player::TextPlayer> player_;
};

}  // namespace

void run_host(const HostSettings& settings) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It may have ended before we asked to be told.
    if (settings.parent != 0 && ::getppid() != settings.parent) leave(0);
    // A crash must neither take the time nor the disk to write all of it down.
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (settings.megabytes > 0) limit_memory(settings.megabytes);
    notice_failures();
    Host(settings.socket).run();
}

}  // namespace stratagem::worker
