#include "machine/make_playouts.h"

#include <optional>
#include <utility>

#include "machine/circuit/circuit_machine.h"
#include "machine/lanes/lane_playouts.h"
#include "machine/playout.h"
#include "machine/random.h"

namespace stratagem::machine {

namespace {

class SinglePlayouts final : public Playouts {
  public:
    SinglePlayouts(std::unique_ptr<Machine> machine, Random random)
        : machine_(std::move(machine)), circuit_(dynamic_cast<CircuitMachine*>(machine_.get())), random_(random) {
        if (circuit_ == nullptr) play_.emplace(*machine_);
    }

    std::size_t batch() const override { return 1; }

    void play(std::span<const PlayoutRequest> requests, std::span<PlayoutResult> results, const Stop& stop) override {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            results[i] = PlayoutResult{};
            results[i].goals.assign(machine_->role_count(), 0);
            for (std::uint32_t game = 0; game < requests[i].count; ++game) {
                const bool played = statistics_ != nullptr ? play_sampled(*requests[i].start, results[i], stop)
                                    : circuit_ != nullptr  ? play_circuit(*requests[i].start, results[i])
                                                           : play_any(*requests[i].start, results[i], stop);
                if (!played) return;
                if (stop.now()) return;
            }
        }
    }

    bool collect(PlayoutStatistics* statistics) override {
        statistics_ = statistics;
        return true;
    }

  private:
    // The circuit has a loop of its own that never leaves its current state.
    bool play_circuit(const State& start, PlayoutResult& result) {
        bool stuck = false;
        circuit_->go_to(start);
        result.steps += circuit_->playout(random_, goals_, max_steps_, &stuck);
        if (stuck || !circuit_->terminal()) {
            ++result.cut;
            result.stuck += stuck ? 1U : 0U;
            return true;
        }
        ++result.finished;
        for (std::size_t role = 0; role < goals_.size(); ++role) {
            if (goals_[role] > 0) result.goals[role] += static_cast<std::uint64_t>(goals_[role]);
        }
        return true;
    }

    bool play_any(const State& start, PlayoutResult& result, const Stop& stop) {
        const Playout& played = play_->play(random_, {max_steps_, false, stop}, start);
        if (played.end == PlayoutEnd::stopped) return false;
        add(played, result);
        return true;
    }

    // Every so many positions one is kept until the game has ended.
    bool play_sampled(const State& start, PlayoutResult& result, const Stop& stop) {
        if (!play_) play_.emplace(*machine_);
        const Playout& played = play_->play(random_, {max_steps_, true, stop}, start);
        if (played.end == PlayoutEnd::stopped) return false;
        add(played, result);
        if (played.end != PlayoutEnd::terminal) return true;
        const std::size_t roles = machine_->role_count();
        State state = start;
        State next = start;
        for (std::size_t step = 0; step < played.steps; ++step) {
            const std::span joint = std::span(played.moves).subspan(step * roles, roles);
            if (++since_sample_ % sample_period == 0) sample(state, joint, played);
            machine_->next(state, joint, next);
            std::swap(state, next);
        }
        return true;
    }

    void sample(const State& state, std::span<const Move> joint, const Playout& played) {
        const auto at = [](std::vector<std::uint64_t>& list, std::size_t i) -> std::uint64_t& {
            if (i >= list.size()) list.resize(i + 1, 0);
            return list[i];
        };
        const auto value = [&](std::size_t role) { return static_cast<std::uint64_t>(played.goals[role].value_or(0)); };
        ++statistics_->samples;
        for (std::size_t role = 0; role < joint.size(); ++role) {
            ++at(statistics_->move_count, ground::index(joint[role]));
            at(statistics_->move_goals, ground::index(joint[role])) += value(role);
        }
        state.for_each([&](Fluent fluent) {
            ++at(statistics_->fluent_count, ground::index(fluent));
            for (std::size_t role = 0; role < joint.size(); ++role) {
                at(statistics_->fluent_goals, ground::index(fluent) * joint.size() + role) += value(role);
            }
        });
    }

    static void add(const Playout& played, PlayoutResult& result) {
        result.steps += played.steps;
        if (played.end != PlayoutEnd::terminal) {
            ++result.cut;
            result.stuck += played.end == PlayoutEnd::no_legal_move ? 1U : 0U;
            return;
        }
        ++result.finished;
        for (std::size_t role = 0; role < played.goals.size(); ++role) {
            result.goals[role] += static_cast<std::uint64_t>(played.goals[role].value_or(0));
        }
    }

    static constexpr std::size_t sample_period = 7;

    std::unique_ptr<Machine> machine_;
    CircuitMachine* circuit_;
    std::optional<RandomPlay> play_;
    Random random_;
    std::vector<int> goals_;
    PlayoutStatistics* statistics_ = nullptr;
    std::size_t since_sample_ = 0;
};

}  // namespace

std::unique_ptr<Playouts> make_single_playouts(const MachineFactory& factory, std::uint64_t seed,
                                               std::uint64_t stream) {
    return std::make_unique<SinglePlayouts>(factory.make(), Random(seed, stream));
}

std::unique_ptr<Playouts> make_playouts(const MachineFactory& factory, std::uint64_t seed, std::uint64_t stream,
                                        bool statistics, const std::atomic<bool>* interrupt) {
    if (auto game = factory.lane_game(statistics, interrupt)) {
        return std::make_unique<lanes::LanePlayouts>(std::move(game), seed, stream);
    }
    return make_single_playouts(factory, seed, stream);
}

}  // namespace stratagem::machine
