#include "machine/tools/perft.h"

#include <chrono>
#include <limits>
#include <unordered_map>
#include <vector>

#include "machine/limits.h"
#include "machine/question_deadline.h"

namespace stratagem::machine {

namespace {

struct HashState {
    std::size_t operator()(const State& state) const { return state.hash(); }
};

// The states of one level, each with the number of paths to it.
using Level = std::unordered_map<State, std::uint64_t, HashState>;

class Counter {
  public:
    Counter(Machine& machine, const PerftOptions& options) : machine_(machine), options_(options) {
        level_.emplace(machine.initial(), 1);
        legal_.resize(machine.role_count());
        joint_.resize(machine.role_count());
        choice_.resize(machine.role_count());
    }

    PerftEnd run(const std::function<void(const PerftLevel&)>& report) {
        for (std::size_t depth = 0; depth <= options_.max_depth && !level_.empty(); ++depth) {
            const Deadline::Clock::time_point start = Deadline::Clock::now();
            PerftLevel counts;
            counts.depth = depth;
            counts.distinct = level_.size();
            next_level_.clear();
            bytes_ = level_bytes_;
            PerftEnd end = PerftEnd::complete;
            for (const auto& [state, paths] : level_) {
                if (options_.stop.now()) return PerftEnd::stopped;
                if (add_overflows(counts.nodes, paths)) return PerftEnd::too_many_paths;
                if (machine_.terminal(state)) {
                    counts.terminals += paths;
                } else if (!find_legal(state)) {
                    counts.stuck += paths;
                } else if (depth < options_.max_depth && end == PerftEnd::complete) {
                    // When the next level is too much for memory or numbers, this one can still be counted.
                    end = expand(state, paths);
                    if (end == PerftEnd::stopped) return end;
                }
            }
            counts.seconds = std::chrono::duration<double>(Deadline::Clock::now() - start).count();
            report(counts);
            if (end != PerftEnd::complete) return end;
            std::swap(level_, next_level_);
            level_bytes_ = bytes_ - level_bytes_;
        }
        return PerftEnd::complete;
    }

  private:
    static bool add_overflows(std::uint64_t& sum, std::uint64_t term) {
        if (term > std::numeric_limits<std::uint64_t>::max() - sum) return true;
        sum += term;
        return false;
    }

    bool find_legal(const State& state) {
        for (std::uint32_t role = 0; role < legal_.size(); ++role) {
            machine_.legal(state, Role{role}, legal_[role]);
            if (legal_[role].empty()) return false;
        }
        return true;
    }

    // Every joint move of legal_, counting through the roles' choices like the digits of a number.
    PerftEnd expand(const State& state, std::uint64_t paths) {
        choice_.assign(choice_.size(), 0);
        for (;;) {
            for (std::size_t role = 0; role < joint_.size(); ++role) joint_[role] = legal_[role][choice_[role]];
            machine_.next(state, joint_, successor_);
            const auto [place, is_new] = next_level_.try_emplace(successor_, 0);
            if (add_overflows(place->second, paths)) return PerftEnd::too_many_paths;
            if (is_new) {
                constexpr std::size_t bytes_beside_words = 96;  // of a node of the map and its place in the table
                bytes_ += successor_.words().size_bytes() + bytes_beside_words;
                if (bytes_ > options_.max_bytes) return PerftEnd::out_of_memory;
            }
            if (++ticks_ % 256 == 0 && options_.stop.now()) return PerftEnd::stopped;
            std::size_t role = 0;
            while (role < choice_.size() && ++choice_[role] == legal_[role].size()) choice_[role++] = 0;
            if (role == choice_.size()) return PerftEnd::complete;
        }
    }

    Machine& machine_;
    const PerftOptions& options_;
    Level level_;
    Level next_level_;
    std::size_t level_bytes_ = 0;
    std::size_t bytes_ = 0;  // of both levels
    std::size_t ticks_ = 0;
    State successor_;
    std::vector<std::vector<Move>> legal_;
    std::vector<Move> joint_;
    std::vector<std::size_t> choice_;
};

}  // namespace

PerftEnd perft(Machine& machine, const PerftOptions& options, const std::function<void(const PerftLevel&)>& report) {
    const QuestionDeadline bounded(machine, options.stop);
    try {
        return Counter(machine, options).run(report);
    } catch (const LimitExceeded&) {
        if (options.stop.now()) return PerftEnd::stopped;
        throw;
    }
}

}  // namespace stratagem::machine
