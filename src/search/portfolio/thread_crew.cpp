#include "search/portfolio/thread_crew.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "search/portfolio/tie_breaker.h"
#include "util/contract.h"

namespace stratagem::search {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr double first_slice = 0.05;  // seconds, where no clock ends the search: then twice that, and so on
constexpr auto crew_looks = std::chrono::milliseconds(5);

}  // namespace

ThreadCrew::ThreadCrew(Problem problem, SearchSettings settings, CrewSettings crew,
                       std::vector<std::shared_ptr<const evaluate::Evaluator>> heuristics)
    : problem_(std::move(problem)),
      settings_(std::move(settings)),
      crew_(std::move(crew)),
      heuristics_(std::move(heuristics)) {
    STRATAGEM_EXPECTS(crew_.inner != nullptr && crew_.threads > 0);
    settings_.threads = crew_.threads_each;
    settings_.table_megabytes = std::max<std::size_t>(1, crew_.megabytes_each);
    // Only while this is made.
    settings_.interrupt = nullptr;
    settings_.stop = {};
    settings_.log = {};
    settings_.options_of = {};
}

std::unique_ptr<Search> ThreadCrew::make(const Assignment& assignment) const {
    Problem problem = problem_;
    if (assignment.heuristic == Assignment::blind) {
        problem.evaluator = std::make_shared<evaluate::ConstantEvaluator>();
    } else {
        problem.evaluator = heuristics_[assignment.heuristic];
        if (assignment.seed != 0) problem.evaluator = std::make_shared<TieBreaker>(problem.evaluator, assignment.seed);
    }
    SearchSettings settings = settings_;
    settings.seed += assignment.seed;
    return crew_.inner->make(problem, settings, OptionValues(crew_.inner->options, crew_.options));
}

void ThreadCrew::advance(const State& state) {
    for (const auto& [assignment, search] : searches_) {
        if (search) search->advance(state);
    }
}

// What one thread does: some of the assignments, one after the other.
class ThreadCrew::Turns {
  public:
    Turns(const ThreadCrew& crew, const State& state, Role role, const Budget& budget, std::size_t assignments)
        : crew_(crew), state_(state), role_(role), budget_(budget), assignments_(assignments) {}

    // The search is made at its first turn, in the thread that has it.
    void add(std::size_t number, const Assignment& assignment, std::unique_ptr<Search>& search) {
        mine_.push_back({number, assignment, &search, false});
    }

    // `tell(number, choice)` hears of every answer; false: nobody needs more.
    template <typename Tell>
    void run(const Stop& stop, Tell&& tell) {
        const bool timed = !stop.deadline.is_never();
        const bool counted = budget_.max_nodes != UINT64_MAX;
        double slice = first_slice;
        do {
            for (std::size_t i = 0; i < mine_.size(); ++i) {
                Turn& turn = mine_[i];
                if (turn.finished) continue;
                Budget budget = budget_;
                budget.stop = stop;
                if (counted) budget.max_nodes = share(turn.number);
                if (timed) {
                    const double left = Seconds(stop.deadline.remaining()).count();
                    const double part = left / static_cast<double>(mine_.size() - i);
                    budget.stop.deadline = Deadline::earlier(stop.deadline, Deadline::after(Seconds(part)));
                } else if (!counted) {
                    budget.stop.deadline = Deadline::earlier(stop.deadline, Deadline::after(Seconds(slice)));
                }
                if (budget.max_nodes == 0) continue;
                const bool needed = take_turn(turn, budget, tell);
                turn.finished = !budget.stop.now();
                if (!needed || stop.now()) return;
            }
            slice *= 2;
        } while (!timed && !counted && !std::ranges::all_of(mine_, &Turn::finished));
    }

  private:
    struct Turn {
        std::size_t number = 0;
        Assignment assignment;
        std::unique_ptr<Search>* search = nullptr;
        bool finished = false;  // its search ended by itself
    };

    // Of all nodes.
    std::uint64_t share(std::size_t number) const {
        return budget_.max_nodes / assignments_ + (number < budget_.max_nodes % assignments_ ? 1 : 0);
    }

    template <typename Tell>
    bool take_turn(const Turn& turn, const Budget& budget, Tell&& tell) {
        try {
            if (!*turn.search) *turn.search = crew_.make(turn.assignment);
            const Choice choice = (*turn.search)->choose(state_, role_, budget, [&](const Choice& so_far) {
                Choice heard = so_far;
                heard.proved = false;  // the last word is the answer
                tell(turn.number, heard);
            });
            return tell(turn.number, choice);
        } catch (const std::exception&) {  // it has no answer, and others have
            return true;
        }
    }

    const ThreadCrew& crew_;
    const State& state_;
    Role role_;
    const Budget& budget_;
    std::size_t assignments_;
    std::vector<Turn> mine_;
};

std::vector<Choice> ThreadCrew::search(const State& state, Role role, std::span<const Assignment> assignments,
                                       const Budget& budget, const Heard& heard) {
    const std::size_t threads = std::min(crew_.threads, assignments.size());
    std::vector<Turns> turns(threads, Turns(*this, state, role, budget, assignments.size()));
    for (std::size_t i = 0; i < assignments.size(); ++i) {
        turns[i % threads].add(i, assignments[i], searches_[assignments[i]]);
    }
    std::vector<Choice> answers(assignments.size());
    // A proof ends it for everybody, where runs need not be the same.
    const bool proof_ends = budget.max_nodes == UINT64_MAX;
    const auto take = [&](std::size_t number, const Choice& choice) {
        Choice& answer = answers[number];
        const std::uint64_t nodes = std::max(answer.nodes, choice.nodes);
        if (choice.move && (!answer.move || choice.proved || choice.depth >= answer.depth)) answer = choice;
        answer.nodes = nodes;
        if (heard) heard(number, answer);
        return !(proof_ends && choice.proved);
    };
    if (threads == 1) {
        turns[0].run(budget.stop, take);
        return answers;
    }

    std::mutex guard;
    std::condition_variable changed;
    std::deque<std::pair<std::size_t, Choice>> news;
    std::size_t working = threads;
    std::atomic<bool> halt{false};
    {
        std::vector<std::jthread> crew;
        for (Turns& one : turns) {
            crew.emplace_back([&, turn = &one] {
                turn->run({budget.stop.deadline, &halt}, [&](std::size_t number, const Choice& choice) {
                    const std::scoped_lock hold(guard);
                    news.emplace_back(number, choice);
                    changed.notify_one();
                    return true;
                });
                const std::scoped_lock hold(guard);
                --working;
                changed.notify_one();
            });
        }
        std::unique_lock hold(guard);
        while (working > 0 || !news.empty()) {
            changed.wait_for(hold, crew_looks, [&] { return working == 0 || !news.empty(); });
            std::deque<std::pair<std::size_t, Choice>> now;
            now.swap(news);
            hold.unlock();
            for (const auto& [number, choice] : now) {
                if (!take(number, choice)) halt.store(true, std::memory_order_relaxed);
            }
            if (budget.stop.now()) halt.store(true, std::memory_order_relaxed);
            hold.lock();
        }
    }
    return answers;
}

}  // namespace stratagem::search
