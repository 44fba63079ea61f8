// Threads for connections: as many as are needed, up to a limit, so that a connection never waits for another one.
//
// cpp-httplib has eight threads; eight idle connections would keep everybody else out. Here each connection has a
// thread of its own. When there are as many as may be, the pool calls for help and somebody else sees to it that one of
// them becomes free (http_server.cpp).
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace stratagem::protocol {

class ThreadPool final : public httplib::TaskQueue {
  public:
    // `crowded` is told how many jobs wait although every thread is taken, whenever that changes. It is called under a
    // lock and must not take long.
    ThreadPool(std::size_t most, std::function<void(std::size_t)> crowded)
        : most_(most), crowded_(std::move(crowded)) {}
    ~ThreadPool() override { shutdown(); }

    void enqueue(std::function<void()> job) override;
    // Waits until all jobs are done.
    void shutdown() override;

  private:
    void work();
    void count_waiting();

    std::size_t most_;
    std::function<void(std::size_t)> crowded_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::condition_variable taken_;  // a job was
    std::deque<std::function<void()>> jobs_;
    std::vector<std::thread> threads_;
    std::size_t idle_ = 0;
    std::size_t waiting_ = 0;
    bool over_ = false;
};

}  // namespace stratagem::protocol
