// Matches whose processes are killed, crashed, stopped and starved at random moments: no match is lost, no move
// illegal, none late.
//
// 30 times here, 1,000 times with STRATAGEM_FULL_TESTS=1 (STRATAGEM_CHAOS says how often).
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <set>

#include "test_size.h"
#include "worker/stage.h"

namespace stratagem::worker {
namespace {

using machine::Random;
using player::Seconds;
using player::testing::Lines;
using testing::play;
using testing::Played;
using testing::quick_settings;

std::size_t wanted_blows() {
    if (const char* number = std::getenv("STRATAGEM_CHAOS")) return std::stoul(number);
    return full_tests() ? 1'000 : 30;
}

enum class Blow : std::uint8_t { kill, crash, stop, starve };
constexpr std::array<const char*, 4> blow_names{"killed", "crashed", "stopped", "starved"};

// From now on it gets no more memory.
bool starve(pid_t pid) {
    const rlimit nothing{1 << 20, 1 << 20};
    return ::prlimit(pid, RLIMIT_DATA, &nothing, nullptr) == 0;
}

bool deal(Blow blow, pid_t pid) {
    if (pid <= 0) return false;
    switch (blow) {
        case Blow::kill:
            return ::kill(pid, SIGKILL) == 0;
        case Blow::crash:
            return ::kill(pid, SIGSEGV) == 0;
        case Blow::stop:
            return ::kill(pid, SIGSTOP) == 0;
        case Blow::starve:
            return starve(pid);
    }
    return false;
}

// Strikes one of a match's processes in every other turn: before it, or while it goes on.
class Fate {
  public:
    Fate(const WorkerPlayer& player, std::uint64_t seed, std::size_t most)
        : player_(player), random_(seed, 7), left_(most), thread_([this](const std::stop_token& done) { run(done); }) {}
    ~Fate() { end(); }

    void begin_turn() {
        const std::scoped_lock lock(mutex_);
        if (random_.below(2) == 0) return;
        if (random_.below(3) == 0) {
            strike();
        } else {
            ++pending_;
            wake_.notify_all();
        }
    }
    void end() {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
    }
    const std::array<std::size_t, 4>& blows() const { return blows_; }

  private:
    void run(const std::stop_token& done) {
        std::unique_lock lock(mutex_);
        while (wake_.wait(lock, done, [this] { return pending_ > 0; })) {
            --pending_;
            const std::chrono::microseconds pause(random_.below(3000));
            lock.unlock();
            std::this_thread::sleep_for(pause);
            lock.lock();
            strike();
        }
    }

    void strike() {
        if (left_ == 0) return;
        const std::uint32_t draw = random_.below(20);
        const Blow blow = draw < 8 ? Blow::kill : draw < 15 ? Blow::crash : draw < 18 ? Blow::starve : Blow::stop;
        // Nobody dies twice, but it may take a moment until somebody else is there.
        const pid_t victim = player_.processes().at(random_.below(3) == 0 ? 1 : 0);
        if (!struck_.insert(victim).second || !deal(blow, victim)) return;
        ++blows_[static_cast<std::size_t>(blow)];
        --left_;
    }

    const WorkerPlayer& player_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    Random random_;
    std::size_t left_;
    std::size_t pending_ = 0;
    std::set<pid_t> struck_;
    std::array<std::size_t, 4> blows_{};
    std::jthread thread_;
};

TEST(Chaos, NoMatchIsLost) {
    const std::size_t wanted = wanted_blows();
    constexpr std::array<const char*, 4> games{"tic_tac_toe", "connect_four", "breakthrough", "nim"};
    constexpr std::array<const char*, 3> recipes{"legal", "uct:nodes=1000", "random"};
    constexpr Seconds clock{60};
    std::array<std::size_t, 4> blows{};
    std::size_t dealt = 0, matches = 0, turns = 0, by_chance = 0, failures = 0;
    double slowest = 0;
    while (dealt < wanted) {
        Lines lines;
        // Searches that end by themselves, so that nobody waits for clocks: they are there to be killed.
        WorkerSettings settings = quick_settings(lines, recipes[matches % recipes.size()]);
        settings.patience = Seconds(1);
        settings.player.search.seed = matches;
        WorkerPlayer player(settings);
        Fate fate(player, matches + 1, wanted - dealt);
        const Played played = play(player, games[matches % games.size()], clock, matches, [&] { fate.begin_turn(); });
        fate.end();
        ASSERT_TRUE(played.complete) << "match " << matches << ": " << played.problem << "\n" << lines.all();
        for (std::size_t i = 0; i < blows.size(); ++i) {
            blows[i] += fate.blows()[i];
            dealt += fate.blows()[i];
        }
        ++matches;
        turns += played.turns;
        by_chance += played.by_chance;
        failures += player.failures();
        slowest = std::max(slowest, played.slowest);
    }
    std::printf("%zu blows", dealt);
    for (std::size_t i = 0; i < blows.size(); ++i) std::printf(", %zu %s", blows[i], blow_names[i]);
    std::printf(
        "; %zu processes failed in %zu matches of %zu turns, %zu answered by the second; the slowest in %.2f s\n",
        failures, matches, turns, by_chance, slowest);
    EXPECT_GT(failures, wanted / 3) << "many blows are mortal";
}

}  // namespace
}  // namespace stratagem::worker
