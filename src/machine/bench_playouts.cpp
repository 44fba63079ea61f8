#include "machine/bench_playouts.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <vector>

#include "machine/circuit/circuit_machine.h"
#include "machine/playout.h"

namespace stratagem::machine {

namespace {

// One thread's share of the work.
class Worker {
  public:
    Worker(const MachineFactory& factory, const BenchOptions& options, const Stop& stop, std::size_t number)
        : machine_(factory.make()), options_(options), stop_(stop), random_(options.seed, number) {}

    // No exception leaves a thread.
    void run() noexcept {
        try {
            if (auto* const circuit = dynamic_cast<CircuitMachine*>(machine_.get())) {
                run_circuit(*circuit);
            } else {
                run_any();
            }
        } catch (const LimitExceeded& limit) {
            result_.limit_hit = true;
            result_.fault = limit.what();
        } catch (const std::exception& fault) {
            result_.fault = fault.what();
        }
    }

    const BenchResult& result() const { return result_; }

  private:
    // The circuit has a loop of its own that never leaves its current state.
    void run_circuit(CircuitMachine& machine) {
        std::vector<int> goals;
        while (!stop_.now()) {
            bool stuck = false;
            machine.go_to(machine.initial());
            const std::size_t steps = machine.playout(random_, goals, options_.max_steps, &stuck);
            ++result_.playouts;
            result_.steps += steps;
            result_.stuck += stuck ? 1U : 0U;
            result_.too_long += !stuck && steps >= options_.max_steps && !machine.terminal() ? 1U : 0U;
        }
    }

    void run_any() {
        RandomPlay play(*machine_);
        const PlayoutOptions playout{options_.max_steps, false, stop_};
        while (!stop_.now()) {
            const Playout& played = play.play(random_, playout);
            if (played.end == PlayoutEnd::stopped) break;
            ++result_.playouts;
            result_.steps += played.steps;
            result_.stuck += played.end == PlayoutEnd::no_legal_move ? 1U : 0U;
            result_.too_long += played.end == PlayoutEnd::too_long ? 1U : 0U;
        }
    }

    std::unique_ptr<Machine> machine_;
    const BenchOptions& options_;
    const Stop& stop_;
    Random random_;
    BenchResult result_;
};

}  // namespace

BenchResult bench_playouts(const MachineFactory& factory, const BenchOptions& options, const Stop& stop,
                           const std::function<void()>& tick) {
    std::vector<std::unique_ptr<Worker>> workers;
    for (std::size_t i = 0; i < options.threads; ++i) {
        workers.push_back(std::make_unique<Worker>(factory, options, stop, i));
    }
    const Deadline::Clock::time_point start = Deadline::Clock::now();
    std::atomic<std::size_t> running = workers.size();
    {
        std::vector<std::jthread> threads;
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
        if (sum.fault.empty() && !part.fault.empty()) {
            sum.fault = part.fault;
            sum.limit_hit = part.limit_hit;
        }
    }
    return sum;
}

}  // namespace stratagem::machine
