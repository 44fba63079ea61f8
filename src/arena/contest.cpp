#include "arena/contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <random>
#include <thread>

#include "util/contract.h"
#include "util/fnv_hash.h"

namespace stratagem::arena {

namespace {

// Managers and players write them as words of KIF.
std::string match_id(std::string_view game, std::size_t number) {
    using namespace std::chrono;
    std::string id;
    for (const char c : game) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        id += plain ? c : '_';
    }
    // With the time: a player elsewhere may still remember a match of an earlier run. And with something that no other
    // process draws: several may begin the same match of the same seed at the same moment.
    constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::random_device device;
    std::string drawn;
    for (int i = 0; i < 8; ++i) drawn += letters[device() % letters.size()];
    return fmt::format("{}.{}.{}.{}", id.substr(0, 100), number + 1,
                       duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count(), drawn);
}

class Run {
  public:
    Run(const Contest& contest, std::span<const PlannedMatch> matches, const ContestRun& run)
        : contest_(contest),
          matches_(matches),
          run_(run),
          repeatable_(!std::ranges::all_of(contest.entrants, &Entrant::has_clock)) {}

    void all() {
        {
            std::vector<std::jthread> others;
            for (std::size_t i = 1; i < std::min(run_.at_once, matches_.size()); ++i) {
                others.emplace_back([this] { work(); });
            }
            work();
        }
        if (fault_) std::rethrow_exception(fault_);
        // Where some were stopped, those that had ended after them.
        for (auto& [place, result] : waiting_) {
            if (result) run_.on_match(matches_[place], *result);
        }
    }

  private:
    void work() {
        while (!run_.stop.now() && !failed_.load() && !enough_.load()) {
            const std::size_t place = next_.fetch_add(1);
            if (place >= matches_.size()) return;
            try {
                play(place);
            } catch (...) {
                const std::scoped_lock lock(mutex_);
                if (!failed_.exchange(true)) fault_ = std::current_exception();
            }
        }
    }

    void play(std::size_t place) {
        const PlannedMatch& planned = matches_[place];
        if (run_.on_begin) {
            const std::scoped_lock lock(mutex_);
            run_.on_begin(planned);
        }
        std::optional<MatchResult> result;
        try {
            result = play_one(planned);
        } catch (const std::exception& fault) {
            if (!run_.on_failure) throw;
            const std::scoped_lock lock(mutex_);
            run_.on_failure(planned, fault);
        }
        if (result && result->error_ended) enough_.store(true);
        if (result && !result->complete && run_.stop.now()) return;
        const std::scoped_lock lock(mutex_);
        if (result && run_.on_end) run_.on_end(planned, *result);
        if (run_.on_match) tell(place, std::move(result));
    }

    // What ended before its turn waits for those before it; what failed is passed over.
    void tell(std::size_t place, std::optional<MatchResult> result) {
        waiting_.emplace(place, std::move(result));
        while (!waiting_.empty() && waiting_.begin()->first == told_) {
            std::optional<MatchResult> next = std::move(waiting_.begin()->second);
            waiting_.erase(waiting_.begin());
            const PlannedMatch& planned = matches_[told_++];
            if (next) run_.on_match(planned, *next);
        }
    }

    MatchResult play_one(const PlannedMatch& planned) {
        const ContestGame& entered = *contest_.games[planned.game];
        const std::shared_ptr<const machine::Game> game = repeatable_ ? entered.game_for_match() : entered.game();
        MatchSettings settings = contest_.match;
        settings.id = match_id(entered.name(), planned.number);
        settings.seed = planned.seed;
        settings.opening_seed = planned.opening_seed;
        settings.stop = run_.stop;
        if (run_.log) {
            settings.log = [&](std::size_t seat, std::string_view line) {
                const std::scoped_lock lock(mutex_);
                run_.log(planned, seat, line);
            };
        }
        std::size_t steps = 0;
        if (run_.on_step) {
            settings.on_step = [&](std::span<const std::string>) {
                const std::scoped_lock lock(mutex_);
                run_.on_step(planned, ++steps);
            };
        }
        std::vector<std::unique_ptr<player::Agent>> agents;
        for (std::size_t seat = 0; seat < planned.seating.size(); ++seat) {
            SeatOffer offer{agent_seed(planned.seed, seat), game, {}};
            if (settings.log && run_.player_logs)
                offer.log = [&settings, seat](std::string_view line) { settings.log(seat, line); };
            agents.push_back(contest_.entrants[planned.seating[seat]].make(offer));
        }
        MatchResult result = play_match(game, agents, settings);
        agents.clear();  // before the callbacks they may still use are gone
        return result;
    }

    const Contest& contest_;
    std::span<const PlannedMatch> matches_;
    const ContestRun& run_;
    bool repeatable_;  // some are given nodes and not time
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> failed_{false};
    std::atomic<bool> enough_{false};                            // a player made an error, and that was to end the run
    std::mutex mutex_;                                           // of the callbacks and of what is below
    std::map<std::size_t, std::optional<MatchResult>> waiting_;  // by place in `matches`; nothing: it failed
    std::size_t told_ = 0;
    std::exception_ptr fault_;
};

}  // namespace

ContestGame::ContestGame(std::string name, std::shared_ptr<const machine::Game> unprepared,
                         machine::MachineOptions options)
    : name_(std::move(name)),
      unprepared_(std::move(unprepared)),
      options_(std::move(options)),
      seats_(machine::seat_count(*unprepared_)) {}

std::shared_ptr<const machine::Game> ContestGame::game() const {
    const std::scoped_lock lock(preparing_);
    if (!prepared_) prepared_ = unprepared_->remade(options_);
    return prepared_;
}

std::shared_ptr<const machine::Game> ContestGame::game_for_match() const {
    std::shared_ptr<const machine::Game> shared = game();
    if (shared->has_fixed_numbers()) return shared;
    machine::MachineOptions options = options_;
    options.kind = machine::MachineKind::interpreter;
    return unprepared_->remade(options);
}

std::uint64_t match_seed(std::uint64_t contest_seed, std::size_t number) {
    if (number == 0) return contest_seed;
    return combine_hashes(contest_seed, number) >> 11;
}

std::vector<PlannedMatch> plan(const Contest& contest, std::size_t matches, bool swap, std::uint64_t seed,
                               std::optional<std::uint64_t> opening_seed) {
    std::vector<std::vector<Seating>> by_game;
    std::vector<std::size_t> rounds;
    std::size_t most_rounds = 0;
    for (const auto& game : contest.games) {
        STRATAGEM_EXPECTS(game->seats() <= contest.entrants.size());
        rounds.push_back(whole_rotations(matches, game->seats(), swap));
        most_rounds = std::max(most_rounds, rounds.back());
        by_game.push_back(schedule(contest.entrants.size(), game->seats(), rounds.back(), swap));
    }
    std::vector<PlannedMatch> all;
    std::size_t number = 0;
    for (std::size_t round = 0; round < most_rounds; ++round) {
        for (std::size_t game = 0; game < by_game.size(); ++game) {
            const std::size_t groups = by_game[game].size() / rounds[game];
            for (std::size_t group = 0; group < groups; ++group, ++number) {
                if (round >= rounds[game]) continue;
                PlannedMatch& match = all.emplace_back();
                match.number = number;
                match.game = game;
                match.seating = by_game[game][round * groups + group];
                match.seed = match_seed(seed, match.number);
                match.opening_seed = match_seed(opening_seed.value_or(seed), round / (swap ? match.seating.size() : 1));
            }
        }
    }
    return all;
}

const PlannedMatch* find_planned(std::span<const PlannedMatch> plan, std::size_t number) {
    const auto found = std::ranges::lower_bound(plan, number, {}, &PlannedMatch::number);
    return found != plan.end() && found->number == number ? &*found : nullptr;
}

bool any_clock(std::span<const Entrant> entrants) { return std::ranges::any_of(entrants, &Entrant::has_clock); }

std::size_t matches_at_once(const Contest& contest, std::size_t processors) {
    std::size_t most_seats = 1;
    for (const auto& game : contest.games) most_seats = std::max(most_seats, game->seats());
    std::vector<std::size_t> threads;
    bool ponders = false;
    for (const Entrant& entrant : contest.entrants) {
        if (entrant.elsewhere) return 1;
        threads.push_back(entrant.threads);
        ponders = ponders || entrant.ponders;
    }
    std::ranges::sort(threads, std::greater{});
    std::size_t needed = 0;
    for (std::size_t i = 0; i < threads.size() && i < (ponders ? most_seats : 1); ++i) needed += threads[i];
    return std::max<std::size_t>(1, processors / std::max<std::size_t>(1, needed));
}

void run_matches(const Contest& contest, std::span<const PlannedMatch> matches, const ContestRun& run) {
    Run(contest, matches, run).all();
}

}  // namespace stratagem::arena
