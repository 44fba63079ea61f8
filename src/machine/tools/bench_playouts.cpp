#include "machine/tools/bench_playouts.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

#include "machine/limits.h"
#include "machine/single_playouts.h"

namespace stratagem::machine {

namespace {

// One thread's share of the work.
class Worker {
  public:
    Worker(const Game& game, const BenchOptions& options, const Stop& stop, std::size_t number)
        : machine_(game.make()), stop_(stop) {
        playouts_ = game.kind() == MachineKind::lanes ? game.make_playouts(options.seed, number, options.statistics)
                                                      : make_single_playouts(game, options.seed, number);
        playouts_->set_max_steps(options.max_steps);
        if (options.statistics) playouts_->collect(&statistics_);
    }

    // No exception leaves a thread.
    void run() noexcept {
        try {
            play();
        } catch (const LimitExceeded& limit) {
            result_.limit_hit = true;
            result_.fault = limit.what();
        } catch (const std::exception& fault) {
            result_.fault = fault.what();
        }
    }

    const BenchResult& result() const { return result_; }

  private:
    void play() {
        // Many in one call: what a batch loses at its end is then next to nothing.
        const PlayoutRequest request{&machine_->initial(), 1U << 24};
        PlayoutResult played;
        while (!stop_.now()) {
            playouts_->play(std::span(&request, 1), std::span(&played, 1), stop_);
            result_.playouts += played.finished + played.cut;
            result_.steps += played.steps;
            result_.too_long += played.cut - played.stuck;
            result_.stuck += played.stuck;
        }
        result_.samples = statistics_.samples;
    }

    std::unique_ptr<Machine> machine_;
    std::unique_ptr<Playouts> playouts_;
    PlayoutStatistics statistics_;
    const Stop& stop_;
    BenchResult result_;
};

}  // namespace

BenchResult bench_playouts(const Game& game, const BenchOptions& options, const Stop& stop,
                           const std::function<void()>& tick) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (std::size_t i = 0; i < options.threads; ++i) {
        workers.push_back(std::make_unique<Worker>(game, options, stop, i));
    }
    const Deadline::Clock::time_point start = Deadline::Clock::now();
    std::atomic<std::size_t> running = workers.size();
    {
        std::vector<std::jthread> threads;
        threads.reserve(workers.size());
        for (const std::unique_ptr<Worker>& worker : workers) {
            threads.emplace_back([&worker, &running] {
                worker->run();
                running.fetch_sub(1);
            });
        }
        while (running.load() > 0) {
            const auto rest =
                std::min<Deadline::Clock::duration>(stop.deadline.remaining(), std::chrono::milliseconds(50));
            std::this_thread::sleep_for(std::max<Deadline::Clock::duration>(rest, std::chrono::milliseconds(1)));
            tick();
        }
    }
    BenchResult sum;
    sum.seconds = std::chrono::duration<double>(Deadline::Clock::now() - start).count();
    for (const std::unique_ptr<Worker>& worker : workers) {
        const BenchResult& part = worker->result();
        sum.playouts += part.playouts;
        sum.steps += part.steps;
        sum.too_long += part.too_long;
        sum.stuck += part.stuck;
        sum.samples += part.samples;
        if (sum.fault.empty() && !part.fault.empty()) {
            sum.fault = part.fault;
            sum.limit_hit = part.limit_hit;
        }
    }
    return sum;
}

}  // namespace stratagem::machine
