#include "player/thinker.h"

#include <condition_variable>
#include <exception>
#include <mutex>

#include "util/contract.h"

namespace stratagem::player {

namespace {

// What is being handled, as text.
std::string current_fault() {
    try {
        throw;
    } catch (const std::exception& fault) {
        return *fault.what() == '\0' ? "an exception without text" : fault.what();
    } catch (...) {
        return "an unknown exception";
    }
}

}  // namespace

// What thread and owner share.
struct Thinker::Desk {
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<bool> enough{false};   // for whoever makes the engine
    std::atomic<bool> closing{false};  // set under the mutex
    bool aborted = false;
    bool gone = false;  // the thread has left
    Phase phase = Phase::making;
    std::string fault;
    std::unique_ptr<Engine> engine;
    std::optional<Task> pending;
    std::uint64_t serial = 0;  // of the task begun last
    // Each task has a flag of its own: one reset for the next task might never be seen by a slow search.
    std::shared_ptr<std::atomic<bool>> stop_current = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<std::atomic<bool>> stop_pending;
    Thought thought;  // of the task begun last

    template <typename Condition>
    void wait(std::unique_lock<std::mutex>& lock, Deadline deadline, Condition condition) {
        if (deadline.is_never()) {
            changed.wait(lock, condition);
        } else {
            changed.wait_until(lock, deadline.when(), condition);
        }
    }
};

Thinker::Thinker(Make make, std::chrono::milliseconds grace)
    : desk_(std::make_shared<Desk>()),
      grace_(grace),
      thread_([desk = desk_, make = std::move(make)] { run(desk, make); }) {}

Thinker::~Thinker() {
    std::unique_lock lock(desk_->mutex);
    desk_->enough.store(true);
    desk_->closing.store(true);
    desk_->stop_current->store(true);
    desk_->changed.notify_all();
    desk_->wait(lock, Deadline::after(grace_), [this] { return desk_->gone; });
    const bool gone = desk_->gone;
    lock.unlock();
    if (gone) {
        thread_.join();
    } else {
        thread_.detach();
    }
}

void Thinker::run(const std::shared_ptr<Desk>& desk, const Make& make) {
    std::unique_ptr<Engine> engine;
    std::string fault;
    try {
        engine = make(desk->enough);
        if (!engine || !engine->search) fault = "no search was made";
    } catch (...) {
        fault = current_fault();
    }
    std::unique_lock lock(desk->mutex);
    desk->engine = std::move(engine);
    desk->phase = fault.empty() ? Phase::ready : Phase::failed;
    desk->fault = std::move(fault);
    desk->changed.notify_all();
    while (desk->phase == Phase::ready) {
        desk->changed.wait(lock, [&] { return desk->pending || desk->closing.load(); });
        if (desk->closing.load()) break;
        perform(*desk, lock);
    }
    desk->gone = true;
    desk->changed.notify_all();
}

void Thinker::perform(Desk& desk, std::unique_lock<std::mutex>& lock) {
    STRATAGEM_EXPECTS(desk.pending && lock.owns_lock());
    const Task task = std::move(*desk.pending);
    desk.pending.reset();
    const std::uint64_t serial = desk.serial;
    desk.stop_current = std::move(desk.stop_pending);
    const std::shared_ptr<std::atomic<bool>> stop = desk.stop_current;
    search::Search& search = *desk.engine->search;
    lock.unlock();

    const auto report = [&](const search::Choice& choice) {
        const std::scoped_lock guard(desk.mutex);
        if (serial == desk.serial) desk.thought.choice = choice;
    };
    std::optional<search::Choice> choice;
    std::string fault;
    try {
        search.advance(task.state);
        search::Budget budget;
        budget.stop = {task.deadline, stop.get()};
        budget.pondering = task.pondering;
        if (task.nodes) budget.max_nodes = *task.nodes;
        choice = search.choose(task.state, task.role, budget, report);
    } catch (...) {
        fault = current_fault();
    }

    lock.lock();
    if (serial != desk.serial) return;
    if (choice) desk.thought.choice = std::move(choice);
    desk.thought.fault = std::move(fault);
    desk.thought.finished = true;
    desk.thought.finished_at = Deadline::Clock::now();
    desk.changed.notify_all();
}

Thinker::Phase Thinker::wait_until_made(Deadline deadline) const {
    std::unique_lock lock(desk_->mutex);
    desk_->wait(lock, deadline, [this] { return desk_->phase != Phase::making || desk_->aborted; });
    return desk_->phase;
}

const Engine* Thinker::engine() const {
    const std::scoped_lock lock(desk_->mutex);
    return desk_->phase == Phase::ready ? desk_->engine.get() : nullptr;
}

void Thinker::hurry() { desk_->enough.store(true); }

std::string Thinker::fault() const {
    const std::scoped_lock lock(desk_->mutex);
    return desk_->fault;
}

void Thinker::begin(Task task) {
    const std::scoped_lock lock(desk_->mutex);
    desk_->stop_current->store(true);
    ++desk_->serial;
    desk_->thought = {};
    desk_->pending = std::move(task);
    desk_->stop_pending = std::make_shared<std::atomic<bool>>(false);
    desk_->changed.notify_all();
}

void Thinker::cancel() {
    const std::scoped_lock lock(desk_->mutex);
    desk_->stop_current->store(true);
    if (desk_->pending) {
        desk_->pending.reset();
        desk_->thought.finished = true;
        desk_->thought.finished_at = Deadline::Clock::now();
        desk_->changed.notify_all();
    }
}

Thought Thinker::wait(Deadline deadline) const {
    std::unique_lock lock(desk_->mutex);
    desk_->wait(lock, deadline,
                [this] { return desk_->thought.finished || desk_->aborted || desk_->phase == Phase::failed; });
    Thought thought = desk_->thought;
    if (desk_->phase == Phase::failed) {
        thought.finished = true;
        thought.finished_at = Deadline::Clock::now();
        thought.fault = desk_->fault;
    }
    return thought;
}

void Thinker::abort() {
    const std::scoped_lock lock(desk_->mutex);
    desk_->aborted = true;
    desk_->enough.store(true);
    desk_->closing.store(true);
    desk_->stop_current->store(true);
    if (desk_->stop_pending) desk_->stop_pending->store(true);
    desk_->changed.notify_all();
}

}  // namespace stratagem::player
