#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "cli/entrants.h"
#include "cli/run_game.h"
#include "cli/tables.h"
#include "cli/tournament.h"
#include "cli/tournament_results.h"
#include "cli/tournament_text.h"
#include "gdl/rules_text.h"
#include "util/memory_limit.h"
#include "util/output_file.h"
#include "worker/memory.h"

namespace stratagem::cli {

namespace {

std::string duration_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
    if (whole < 120) return fmt::format("{} s", whole);
    if (whole < 7200) return fmt::format("{} min", (whole + 59) / 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

class TournamentRun {
  public:
    explicit TournamentRun(Tournament& cup) : cup_(cup) {}

    int run(Context& context) {
        make_contest();
        if (!load_games(context)) return context.exit_code;
        check_places();
        cup_.plan = arena::plan(cup_.contest, cup_.spec.matches, cup_.spec.swap, cup_.spec.seed);
        tell_more_matches();
        cup_.provenance = arena::provenance_of(cup_.contest, cup_.spec.seed);
        check_tables(cup_.options.tables);
        cup_.store = std::make_unique<arena::Store>(cup_.spec.database);
        std::vector<std::string> rules;
        for (const auto& game : cup_.contest.games) rules.push_back(game->unprepared().rules().value_or(""));
        const std::string key = arena::tournament_key(cup_.spec, rules);
        cup_.run = cup_.store->open(key, key);
        bool interrupted = false;
        for (std::vector<arena::PlannedMatch> left = to_play(); !left.empty() && !interrupted && !error_ended_;
             left = to_play()) {
            interrupted = play(left);
        }
        const bool written = tell_results(cup_);
        if (error_ended_) return exit_code::no;
        if (!interrupted) {
            return !written ? exit_code::usage : cup_.failed.empty() ? exit_code::success : exit_code::no;
        }
        tell(
            "stratagem: interrupted; {} of {} matches are kept in {}.\n"
            "To go on with the rest: stratagem tournament {}\n",
            kept_, cup_.plan.size(), cup_.spec.database.string(), cup_.options.file);
        return exit_code::interrupted;
    }

  private:
    bool load_games(Context& context) {
        for (std::size_t i = 0; i < cup_.spec.games.size(); ++i) {
            const std::shared_ptr<const gdl::Description> description = load(cup_.spec.games[i], context);
            if (!description) {
                tell("stratagem: {}: games[{}] cannot be used\n", cup_.options.file, i);
                return false;
            }
            cup_.contest.games.push_back(std::make_shared<const arena::ContestGame>(
                game_name(cup_.spec.games[i]), machine::GdlGame::at_once(description),
                machine_options(cup_.contest.entrants, cup_.contest.match.player)));
            cup_.names.push_back(cup_.contest.games.back()->name());
            const std::size_t seats = cup_.contest.games.back()->seats();
            if (seats == 0 || seats > cup_.spec.players.size()) {
                throw arena::SpecError(fmt::format("{}: games[{}]: {} needs {} players, and there are {}",
                                                   cup_.options.file, i, cup_.names.back(), seats,
                                                   cup_.spec.players.size()));
            }
            if (std::ranges::count(cup_.names, cup_.names.back()) > 1) {
                throw arena::SpecError(fmt::format("{}: games[{}]: there is another game named {}", cup_.options.file,
                                                   i, cup_.names.back()));
            }
        }
        return true;
    }

    void make_contest() {
        cup_.contest.match.clocks = cup_.spec.clocks;
        cup_.contest.match.grace = player::Seconds(cup_.spec.grace);
        cup_.contest.match.max_steps = cup_.spec.max_moves;
        cup_.contest.match.opening = cup_.spec.opening;
        cup_.contest.match.keep_states = true;
        cup_.contest.match.abort_on_error = cup_.options.abort_on_error;
        cup_.contest.match.player.machine = cup_.options.player.machine;
        EntrantOptions entrant;
        entrant.player.machine = cup_.options.player.machine;
        entrant.player.search.threads = cup_.spec.threads;
        entrant.player.search.table_megabytes = cup_.spec.table_megabytes;
        entrant.player.ponder = cup_.spec.ponder;
        entrant.player.nodes = cup_.contest.match.player.nodes = cup_.spec.nodes;
        entrant.prepare = cup_.spec.prepare;
        entrant.grace = cup_.contest.match.grace;
        if (!cup_.options.in_process) entrant.isolation = Isolation::thinkers;
        // Each processor has a match, and each match two players or three.
        const std::size_t share =
            worker::machine_megabytes() / (std::size_t{4} * std::max(std::thread::hardware_concurrency(), 1U));
        entrant.memory = std::min<std::size_t>(share, memory_limit_megabytes().value_or(share));
        for (std::size_t i = 0; i < cup_.spec.players.size(); ++i) {
            try {
                cup_.contest.entrants.push_back(
                    make_entrant(cup_.spec.players[i].name, cup_.spec.players[i].text, entrant));
            } catch (const OptionError& fault) {
                throw arena::SpecError(fmt::format("{}: players[{}]: {}", cup_.options.file, i, fault.what()));
            }
        }
    }

    // Where everybody is to have every role equally often, some games need more matches than were asked for.
    void tell_more_matches() const {
        for (const auto& game : cup_.contest.games) {
            const std::size_t matches = arena::whole_rotations(cup_.spec.matches, game->seats(), cup_.spec.swap);
            if (matches == cup_.spec.matches) continue;
            tell(
                "stratagem: {}: {} matches of each group instead of {}, so that every player has each of the {} "
                "roles equally often\n",
                game->name(), matches, cup_.spec.matches, game->seats());
        }
    }

    // What cannot be written is said before the first match, not after the last.
    void check_places() const {
        if (!cup_.spec.report.empty()) {
            if (const WriteProblem problem = cannot_write(cup_.spec.report)) {
                throw arena::RecordError(fmt::format("cannot write {}: {}", cup_.spec.report.string(), *problem));
            }
        }
        if (!cup_.spec.records.empty()) arena::check_folder(cup_.spec.records);
    }

    // What is not there yet. What was begun before and came to no end may have ended the program: it comes last, and
    // after so many tries it has failed.
    std::vector<arena::PlannedMatch> to_play() {
        const std::vector<std::size_t> done = cup_.store->numbers(cup_.run);
        const std::map<std::size_t, std::size_t> begun = cup_.store->unfinished(cup_.run);
        std::vector<arena::PlannedMatch> left;
        std::vector<arena::PlannedMatch> again;
        cup_.failed.clear();
        for (const arena::PlannedMatch& planned : cup_.plan) {
            if (std::ranges::binary_search(done, planned.number)) continue;
            const auto before = begun.find(planned.number);
            if (before == begun.end()) {
                left.push_back(planned);
            } else if (before->second < cup_.options.tries) {
                again.push_back(planned);
            } else {
                cup_.failed.insert(*before);
            }
        }
        left.insert(left.end(), again.begin(), again.end());
        kept_ = cup_.plan.size() - left.size() - cup_.failed.size();
        return left;
    }

    // True when it was interrupted.
    bool play(const std::vector<arena::PlannedMatch>& left) {
        const std::size_t fitting = arena::matches_at_once(cup_.contest, std::thread::hardware_concurrency());
        const std::size_t at_once = cup_.spec.parallel != 0 ? cup_.spec.parallel : fitting;
        tell("stratagem: {} of {} matches to play, {} at a time; results go to {}\n", left.size(), cup_.plan.size(),
             at_once, cup_.spec.database.string());
        if (at_once > fitting && arena::any_clock(cup_.contest.entrants)) {
            tell("stratagem: that is more than do not disturb each other's clocks ({})\n", fitting);
        }
        const BackgroundLog log_in_background;
        const Interruptible interruptible;
        const Deadline::Clock::time_point begin = Deadline::Clock::now();
        std::size_t played = 0;
        const auto progress = [&] {
            progress_.show([&] {
                const double seconds = player::Seconds(Deadline::Clock::now() - begin).count();
                std::string text = fmt::format("{} of {} matches", kept_, cup_.plan.size());
                if (errors_ > 0) text += fmt::format(", {} errors", errors_);
                if (played > 0) {
                    const double rest = static_cast<double>(left.size() - played) / static_cast<double>(played);
                    text += fmt::format(", about {} left", duration_text(seconds * rest));
                }
                return text;
            });
        };
        arena::ContestRun run;
        run.at_once = at_once;
        run.stop = interruptible.stop();
        run.on_step = [&](const arena::PlannedMatch&, std::size_t) { progress(); };
        // Matches under way, which are not to be taken for failed ones when the run ends in good order.
        std::set<std::size_t> under_way;
        run.on_begin = [&](const arena::PlannedMatch& planned) {
            cup_.store->begin_match(cup_.run, planned.number);
            under_way.insert(planned.number);
        };
        run.on_failure = [&](const arena::PlannedMatch& planned, const std::exception& fault) {
            under_way.erase(planned.number);
            progress_.clear();
            tell("stratagem: match {} ({}) failed: {}\n", planned.number + 1, cup_.names[planned.game], fault.what());
        };
        run.on_end = [&](const arena::PlannedMatch& planned, arena::MatchResult& result) {
            ++played;
            under_way.erase(planned.number);
            keep(planned, result);
            tell_note(planned.game);
            progress();
        };
        run.on_match = [&](const arena::PlannedMatch& planned, arena::MatchResult& result) {
            if (!cup_.options.json) return;
            print_json(match_json(cup_.names[planned.game], planned, result));
            flush_output();
        };
        if (cup_.options.log) {
            run.player_logs = true;
            run.log = [&](const arena::PlannedMatch& planned, std::size_t seat, std::string_view line) {
                progress_.clear();
                tell("{}.{} {}: {}\n", planned.number + 1, seat + 1, cup_.contest.entrants[planned.seating[seat]].name,
                     line);
            };
        }
        const auto withdraw = [&] {
            for (const std::size_t number : under_way) cup_.store->withdraw_match(cup_.run, number);
        };
        try {
            arena::run_matches(cup_.contest, left, run);
        } catch (...) {
            withdraw();
            throw;
        }
        withdraw();
        progress_.clear();
        return interruptible.interrupted() && kept_ < cup_.plan.size();
    }

    // A game that runs otherwise than asked for; once it has been made, and once in all.
    void tell_note(std::size_t game) {
        const std::shared_ptr<const machine::Game> prepared = cup_.contest.games[game]->game();
        if (prepared->note().empty() || !noted_.insert(game).second) return;
        progress_.clear();
        tell("stratagem: {}: {}{}\n", cup_.names[game], prepared->note(), limits_hint(prepared->limit_hit()));
    }

    void keep(const arena::PlannedMatch& planned, const arena::MatchResult& result) {
        const std::string& game = cup_.names[planned.game];
        if (result.error_ended) {  // not kept: the same command plays it again
            error_ended_ = true;
            progress_.clear();
            tell("stratagem: match {} ({}) and the run were ended after {} moves: {}\n", planned.number + 1, game,
                 result.steps, result.problem);
            return;
        }
        const arena::StoredMatch match = arena::summarise(planned.number, game, planned.seating, result);
        const arena::MatchRecord record =
            arena::make_record(result, {game, cup_.spec.name, cup_.spec.clocks, false,
                                        cup_.contest.games[planned.game]->unprepared().rules().value_or(""),
                                        to_json(cup_.provenance, planned).dump()});
        if (cup_.store->add(cup_.run, match, record)) ++kept_;
        for (const arena::SeatResult& seat : result.seats) errors_ += seat.errors();
        if (!result.complete) {
            progress_.clear();
            tell("stratagem: match {} ({}) was ended after {} moves and does not count: {}\n", planned.number + 1, game,
                 result.steps, result.problem);
        }
    }

    Tournament& cup_;
    std::size_t kept_ = 0;
    std::size_t errors_ = 0;
    std::set<std::size_t> noted_;  // games
    bool error_ended_ = false;
    Progress progress_;
};

}  // namespace

int run_tournament(Tournament& tournament, Context& context) { return TournamentRun(tournament).run(context); }

}  // namespace stratagem::cli
