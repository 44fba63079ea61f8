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
struct Thinker::Shared {
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
    : shared_(std::make_shared<Shared>()),
      grace_(grace),
      thread_([shared = shared_, make = std::move(make)] { run(shared, make); }) {}

Thinker::~Thinker() {
    std::unique_lock lock(shared_->mutex);
    shared_->enough.store(true);
    shared_->closing.store(true);
    shared_->stop_current->store(true);
    shared_->changed.notify_all();
    shared_->wait(lock, Deadline::after(grace_), [this] { return shared_->gone; });
    const bool gone = shared_->gone;
    lock.unlock();
    if (gone) {
        thread_.join();
    } else {
        thread_.detach();
    }
}

void Thinker::run(const std::shared_ptr<Shared>& shared, const Make& make) {
    std::unique_ptr<Engine> engine;
    std::string fault;
    try {
        engine = make(shared->enough);
        if (!engine || !engine->search) fault = "no search was made";
    } catch (...) {
        fault = current_fault();
    }
    std::unique_lock lock(shared->mutex);
    shared->engine = std::move(engine);
    shared->phase = fault.empty() ? Phase::ready : Phase::failed;
    shared->fault = std::move(fault);
    shared->changed.notify_all();
    while (shared->phase == Phase::ready) {
        shared->changed.wait(lock, [&] { return shared->pending || shared->closing.load(); });
        if (shared->closing.load()) break;
        perform(*shared, lock);
    }
    shared->gone = true;
    shared->changed.notify_all();
}

void Thinker::perform(Shared& shared, std::unique_lock<std::mutex>& lock) {
    STRATAGEM_EXPECTS(shared.pending && lock.owns_lock());
    const Task task = std::move(*shared.pending);
    shared.pending.reset();
    const std::uint64_t serial = shared.serial;
    shared.stop_current = std::move(shared.stop_pending);
    const std::shared_ptr<std::atomic<bool>> stop = shared.stop_current;
    search::Search& search = *shared.engine->search;
    lock.unlock();

    const auto report = [&](const search::Choice& choice) {
        const std::scoped_lock guard(shared.mutex);
        if (serial == shared.serial) shared.thought.choice = choice;
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
    if (serial != shared.serial) return;
    if (choice) shared.thought.choice = std::move(choice);
    shared.thought.fault = std::move(fault);
    shared.thought.finished = true;
    shared.thought.finished_at = Deadline::Clock::now();
    shared.changed.notify_all();
}

Thinker::Phase Thinker::wait_until_made(Deadline deadline) const {
    std::unique_lock lock(shared_->mutex);
    shared_->wait(lock, deadline, [this] { return shared_->phase != Phase::making || shared_->aborted; });
    return shared_->phase;
}

const Engine* Thinker::engine() const {
    const std::scoped_lock lock(shared_->mutex);
    return shared_->phase == Phase::ready ? shared_->engine.get() : nullptr;
}

void Thinker::hurry() { shared_->enough.store(true); }

std::string Thinker::fault() const {
    const std::scoped_lock lock(shared_->mutex);
    return shared_->fault;
}

void Thinker::begin(Task task) {
    const std::scoped_lock lock(shared_->mutex);
    shared_->stop_current->store(true);
    ++shared_->serial;
    shared_->thought = {};
    shared_->pending = std::move(task);
    shared_->stop_pending = std::make_shared<std::atomic<bool>>(false);
    shared_->changed.notify_all();
}

void Thinker::cancel() {
    const std::scoped_lock lock(shared_->mutex);
    shared_->stop_current->store(true);
    if (shared_->pending) {
        shared_->pending.reset();
        shared_->thought.finished = true;
        shared_->thought.finished_at = Deadline::Clock::now();
        shared_->changed.notify_all();
    }
}

Thought Thinker::wait(Deadline deadline) const {
    std::unique_lock lock(shared_->mutex);
    shared_->wait(lock, deadline,
                  [this] { return shared_->thought.finished || shared_->aborted || shared_->phase == Phase::failed; });
    Thought thought = shared_->thought;
    if (shared_->phase == Phase::failed) {
        thought.finished = true;
        thought.finished_at = Deadline::Clock::now();
        thought.fault = shared_->fault;
    }
    return thought;
}

void Thinker::abort() {
    const std::scoped_lock lock(shared_->mutex);
    shared_->aborted = true;
    shared_->enough.store(true);
    shared_->closing.store(true);
    shared_->stop_current->store(true);
    if (shared_->stop_pending) shared_->stop_pending->store(true);
    shared_->changed.notify_all();
}

}  // namespace stratagem::player
