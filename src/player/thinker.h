// A search in a thread of its own, which cannot make its player late.
//
// The thread first makes the engine, which may take long, and then thinks about one task after the other. Whoever waits
// for an answer waits no longer than wanted and gets the best one reported by then: a search that overruns, throws or
// never returns costs an answer, not the match. What the thread touches belongs to it and its owner together, so an
// owner that has waited enough leaves it behind.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "player/engine.h"
#include "search/search.h"
#include "util/deadline.h"

namespace stratagem::player {

struct Task {
    search::State state;
    search::Role role{0};
    Deadline deadline = Deadline::never();
    bool pondering = false;
    std::optional<std::uint64_t> nodes = {};  // no more than this
};

// What came of a task by the time somebody asked.
struct Thought {
    std::optional<search::Choice> choice;  // the best so far
    bool finished = false;                 // the search returned, or threw
    Deadline::Clock::time_point finished_at{};
    std::string fault;  // not empty: it threw this
};

class Thinker {
  public:
    // Runs in the thread; may throw. The flag is set when the engine is wanted at once, as far as it has come, or not
    // at all any more.
    using Make = std::function<std::unique_ptr<Engine>(const std::atomic<bool>& abort)>;
    enum class Phase { making, ready, failed };

    // `grace`: how long the destructor waits for the thread before it leaves it behind. Nothing that `make` uses may be
    // borrowed.
    explicit Thinker(Make make, std::chrono::milliseconds grace = std::chrono::seconds(2));
    ~Thinker();
    Thinker(const Thinker&) = delete;
    Thinker& operator=(const Thinker&) = delete;

    // Until the engine is made or cannot be, or the deadline, or abort().
    Phase wait_until_made(Deadline deadline) const;
    // Null unless ready. Everything but the search itself may be read.
    const Engine* engine() const;
    // What is being made shall be ready soon, with less in it.
    void hurry();
    // Why there is no engine.
    std::string fault() const;

    // Tells what is under way to stop, and starts the task as soon as it has. The search hears of the state first
    // (Search::advance).
    void begin(Task task);
    // Tells what is under way to stop.
    void cancel();
    // Of the task begun last: until it is finished, the deadline, or abort().
    Thought wait(Deadline deadline) const;
    // Nobody shall wait here any more. May be called from any thread.
    void abort();

  private:
    struct Shared;
    static void run(const std::shared_ptr<Shared>& shared, const Make& make);
    // Does the pending task. Pre: there is one, and the lock is held, which is let go meanwhile.
    static void perform(Shared& shared, std::unique_lock<std::mutex>& lock);

    std::shared_ptr<Shared> shared_;
    std::chrono::milliseconds grace_;
    std::thread thread_;
};

}  // namespace stratagem::player
