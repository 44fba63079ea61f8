#include "protocol/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace stratagem::protocol {

void ThreadPool::enqueue(std::function<void()> job) {
    {
        std::unique_lock lock(mutex_);
        // Whoever comes next waits outside, where the system limits how many do.
        taken_.wait_for(lock, std::chrono::milliseconds(100), [this] { return jobs_.size() < most_; });
        jobs_.push_back(std::move(job));
        if (idle_ < jobs_.size() && threads_.size() < most_) {
            try {
                threads_.emplace_back([this] { work(); });
            } catch (const std::system_error&) {
                most_ = std::max<std::size_t>(threads_.size(), 1);  // no more are to be had
            }
        }
        count_waiting();
    }
    changed_.notify_one();
}

void ThreadPool::count_waiting() {
    const bool all_taken = threads_.size() >= most_ && jobs_.size() > idle_;
    const std::size_t waiting = all_taken ? jobs_.size() - idle_ : 0;
    if (waiting == waiting_) return;
    waiting_ = waiting;
    crowded_(waiting);
}

void ThreadPool::shutdown() {
    {
        const std::scoped_lock lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

void ThreadPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        ++idle_;
        count_waiting();
        changed_.wait(lock, [this] { return over_ || !jobs_.empty(); });
        --idle_;
        if (jobs_.empty()) return;
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        count_waiting();
        taken_.notify_one();
        lock.unlock();
        job();
        lock.lock();
    }
}

}  // namespace stratagem::protocol
