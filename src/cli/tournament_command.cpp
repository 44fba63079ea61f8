// stratagem tournament: many games, every player against every other, kept in a database and told on a page.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

#include "arena/contest.h"
#include "arena/provenance.h"
#include "arena/report.h"
#include "arena/spec.h"
#include "arena/standings.h"
#include "arena/standings_table.h"
#include "arena/store.h"
#include "cli/entrants.h"
#include "cli/record_view.h"
#include "cli/run_game.h"
#include "cli/tables.h"
#include "gdl/rules_text.h"
#include "util/output_file.h"
#include "worker/memory.h"

namespace stratagem::cli {

namespace {

using nlohmann::json;

constexpr std::string_view example = R"({
  "name": "A first tournament",
  "games": ["tic_tac_toe", "breakthrough_6x6"],
  "players": ["uct", "random", {"name": "cautious", "player": "alphabeta:threads=1"}],
  "matches": 4,
  "swap": true,
  "start_clock": 1,
  "play_clock": 0.1,
  "seed": 1
}
)";

struct Options {
    std::string file;
    std::string database;
    std::string report;
    std::string records;
    std::optional<std::size_t> parallel;
    std::size_t tries = 2;
    double board_megabytes = 4;
    player::PlayerSettings player;  // of which only the nodes count
    std::vector<std::string> tables;
    bool abort_on_error = false;
    bool in_process = false;
    bool example = false;
    bool log = false;
    bool json = false;
};

std::string duration_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
    if (whole < 120) return fmt::format("{} s", whole);
    if (whole < 7200) return fmt::format("{} min", (whole + 59) / 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

class Tournament {
  public:
    Tournament(const Options& options, arena::TournamentSpec spec) : options_(options), spec_(std::move(spec)) {}

    int run(Context& context) {
        make_contest();
        if (!load_games(context)) return context.exit_code;
        check_places();
        plan_ = arena::plan(contest_, spec_.matches, spec_.swap, spec_.seed);
        tell_more_matches();
        provenance_ = arena::provenance_of(contest_, spec_.seed);
        check_tables(options_.tables);
        store_ = std::make_unique<arena::Store>(spec_.database);
        std::vector<std::string_view> rules;
        for (const auto& game : contest_.games) rules.push_back(game->unprepared().rules().value_or(""));
        const std::string key = arena::tournament_key(spec_, rules);
        run_ = store_->open(key, key);
        bool interrupted = false;
        for (std::vector<arena::PlannedMatch> left = to_play(); !left.empty() && !interrupted && !error_ended_;
             left = to_play()) {
            interrupted = play(left);
        }
        const bool written = finish();
        if (error_ended_) return exit_code::no;
        if (!interrupted) {
            return !written ? exit_code::usage : failed_.empty() ? exit_code::success : exit_code::no;
        }
        tell(
            "stratagem: interrupted; {} of {} matches are kept in {}.\n"
            "To go on with the rest: stratagem tournament {}\n",
            kept_, plan_.size(), spec_.database.string(), options_.file);
        return exit_code::interrupted;
    }

  private:
    bool load_games(Context& context) {
        for (std::size_t i = 0; i < spec_.games.size(); ++i) {
            const std::shared_ptr<const gdl::Description> description = load(spec_.games[i], context);
            if (!description) {
                tell("stratagem: {}: games[{}] cannot be used\n", options_.file, i);
                return false;
            }
            contest_.games.push_back(std::make_shared<const arena::ContestGame>(
                game_name(spec_.games[i]), machine::GdlGame::at_once(description),
                machine_options(contest_.entrants, contest_.match.player)));
            names_.push_back(contest_.games.back()->name());
            const std::size_t seats = contest_.games.back()->seats();
            if (seats == 0 || seats > spec_.players.size()) {
                throw arena::SpecError(fmt::format("{}: games[{}]: {} needs {} players, and there are {}",
                                                   options_.file, i, names_.back(), seats, spec_.players.size()));
            }
            if (std::ranges::count(names_, names_.back()) > 1) {
                throw arena::SpecError(
                    fmt::format("{}: games[{}]: there is another game named {}", options_.file, i, names_.back()));
            }
        }
        return true;
    }

    void make_contest() {
        contest_.match.clocks = spec_.clocks;
        contest_.match.grace = player::Seconds(spec_.grace);
        contest_.match.max_steps = spec_.max_moves;
        contest_.match.opening = spec_.opening;
        contest_.match.keep_states = true;
        contest_.match.abort_on_error = options_.abort_on_error;
        EntrantOptions entrant;
        entrant.player.search.threads = spec_.threads;
        entrant.player.search.table_megabytes = spec_.table_megabytes;
        entrant.player.ponder = spec_.ponder;
        entrant.player.nodes = contest_.match.player.nodes = spec_.nodes;
        entrant.prepare = spec_.prepare;
        entrant.grace = contest_.match.grace;
        if (!options_.in_process) entrant.isolation = Isolation::thinkers;
        // Each processor has a match, and each match two players or three.
        entrant.memory = worker::machine_megabytes() / (4 * std::max(std::thread::hardware_concurrency(), 1U));
        for (std::size_t i = 0; i < spec_.players.size(); ++i) {
            try {
                contest_.entrants.push_back(make_entrant(spec_.players[i].name, spec_.players[i].text, entrant));
            } catch (const OptionError& fault) {
                throw arena::SpecError(fmt::format("{}: players[{}]: {}", options_.file, i, fault.what()));
            }
        }
    }

    // Where everybody is to have every role equally often, some games need more matches than were asked for.
    void tell_more_matches() const {
        for (const auto& game : contest_.games) {
            const std::size_t matches = arena::whole_rotations(spec_.matches, game->seats(), spec_.swap);
            if (matches == spec_.matches) continue;
            tell(
                "stratagem: {}: {} matches of each group instead of {}, so that every player has each of the {} "
                "roles equally often\n",
                game->name(), matches, spec_.matches, game->seats());
        }
    }

    // What cannot be written is said before the first match, not after the last.
    void check_places() const {
        if (!spec_.report.empty()) {
            if (const WriteProblem problem = cannot_write(spec_.report)) {
                throw arena::RecordError(fmt::format("cannot write {}: {}", spec_.report.string(), *problem));
            }
        }
        if (!spec_.records.empty()) arena::check_folder(spec_.records);
    }

    // What is not there yet. What was begun before and came to no end may have ended the program: it comes last, and
    // after so many tries it has failed.
    std::vector<arena::PlannedMatch> to_play() {
        const std::vector<std::size_t> done = store_->numbers(run_);
        const std::map<std::size_t, std::size_t> begun = store_->unfinished(run_);
        std::vector<arena::PlannedMatch> left;
        std::vector<arena::PlannedMatch> again;
        failed_.clear();
        for (const arena::PlannedMatch& planned : plan_) {
            if (std::ranges::binary_search(done, planned.number)) continue;
            const auto before = begun.find(planned.number);
            if (before == begun.end()) {
                left.push_back(planned);
            } else if (before->second < options_.tries) {
                again.push_back(planned);
            } else {
                failed_.insert(*before);
            }
        }
        left.insert(left.end(), again.begin(), again.end());
        kept_ = plan_.size() - left.size() - failed_.size();
        return left;
    }

    // True when it was interrupted.
    bool play(const std::vector<arena::PlannedMatch>& left) {
        const std::size_t fitting = arena::matches_at_once(contest_, std::thread::hardware_concurrency());
        const std::size_t at_once = spec_.parallel != 0 ? spec_.parallel : fitting;
        tell("stratagem: {} of {} matches to play, {} at a time; results go to {}\n", left.size(), plan_.size(),
             at_once, spec_.database.string());
        if (at_once > fitting && arena::any_clock(contest_.entrants)) {
            tell("stratagem: that is more than do not disturb each other's clocks ({})\n", fitting);
        }
        const BackgroundLog log_in_background;
        const Interruptible interruptible;
        const Deadline::Clock::time_point begin = Deadline::Clock::now();
        std::size_t played = 0;
        const auto progress = [&] {
            progress_.show([&] {
                const double seconds = player::Seconds(Deadline::Clock::now() - begin).count();
                std::string text = fmt::format("{} of {} matches", kept_, plan_.size());
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
            store_->begin_match(run_, planned.number);
            under_way.insert(planned.number);
        };
        run.on_failure = [&](const arena::PlannedMatch& planned, const std::exception& fault) {
            under_way.erase(planned.number);
            progress_.clear();
            tell("stratagem: match {} ({}) failed: {}\n", planned.number + 1, names_[planned.game], fault.what());
        };
        run.on_end = [&](const arena::PlannedMatch& planned, arena::MatchResult& result) {
            ++played;
            under_way.erase(planned.number);
            keep(planned, result);
            progress();
        };
        run.on_match = [&](const arena::PlannedMatch& planned, arena::MatchResult& result) {
            print_match(planned, result);
        };
        if (options_.log) {
            run.player_logs = true;
            run.log = [&](const arena::PlannedMatch& planned, std::size_t seat, std::string_view line) {
                progress_.clear();
                tell("{}.{} {}: {}\n", planned.number + 1, seat + 1, contest_.entrants[planned.seating[seat]].name,
                     line);
            };
        }
        const auto withdraw = [&] {
            for (const std::size_t number : under_way) store_->withdraw_match(run_, number);
        };
        try {
            arena::run_matches(contest_, left, run);
        } catch (...) {
            withdraw();
            throw;
        }
        withdraw();
        progress_.clear();
        return interruptible.interrupted() && kept_ < plan_.size();
    }

    void keep(const arena::PlannedMatch& planned, const arena::MatchResult& result) {
        const std::string& game = names_[planned.game];
        if (result.error_ended) {  // not kept: the same command plays it again
            error_ended_ = true;
            progress_.clear();
            tell("stratagem: match {} ({}) and the run were ended after {} moves: {}\n", planned.number + 1, game,
                 result.steps, result.problem);
            return;
        }
        const arena::StoredMatch match = arena::summarise(planned.number, game, planned.seating, result);
        const arena::MatchRecord record =
            arena::make_record(result, {game, spec_.name, spec_.clocks, false,
                                        contest_.games[planned.game]->unprepared().rules().value_or(""),
                                        to_json(provenance_, planned).dump()});
        if (store_->add(run_, match, record)) ++kept_;
        for (const arena::SeatResult& seat : result.seats) errors_ += seat.errors();
        if (!result.complete) {
            progress_.clear();
            tell("stratagem: match {} ({}) was ended after {} moves and does not count: {}\n", planned.number + 1, game,
                 result.steps, result.problem);
        }
    }

    void print_match(const arena::PlannedMatch& planned, const arena::MatchResult& result) const {
        if (!options_.json) return;
        json players = json::array();
        json scores = players;
        json errors = players;
        for (const arena::SeatResult& seat : result.seats) {
            players.push_back(seat.player);
            scores.push_back(seat.score);
            errors.push_back(seat.errors());
        }
        print_json({{"match", planned.number + 1},
                    {"game", names_[planned.game]},
                    {"seed", result.seed},
                    {"players", std::move(players)},
                    {"scores", std::move(scores)},
                    {"errors", std::move(errors)},
                    {"moves", result.steps},
                    {"seconds", result.seconds},
                    {"complete", result.complete}});
        flush_output();
    }

    // Of all there is by now, whenever it was played. Results first, since the rest may fail; false if it did.
    bool finish() {
        std::vector<arena::StoredMatch> matches = store_->matches(run_);
        std::erase_if(matches, [&](const arena::StoredMatch& match) { return !belongs(match); });
        const arena::Standings standings(spec_.players.size(), names_, matches);
        if (options_.json) {
            print_json(summary(standings));
        } else {
            print_table(standings);
        }
        try_flush_output();  // what cannot be printed is said in the end, and keeps nothing from being written
        for (const auto& [number, tries] : failed_) {
            tell("stratagem: match {} was begun {} times, never came to an end and counts as failed\n", number + 1,
                 tries);
        }
        if (!failed_.empty()) tell("stratagem: to try what failed again: --tries {}\n", failed_.begin()->second + 1);
        bool written = true;
        // A record that cannot be read is missing from the page, and nothing else is.
        std::set<std::size_t> damaged;
        const auto record = [&](std::size_t number) -> std::optional<arena::MatchRecord> {
            try {
                return store_->record(run_, number);
            } catch (const arena::StoreError& fault) {
                if (damaged.insert(number).second) tell("stratagem: {}; it is left out\n", fault.what());
                written = false;
                return std::nullopt;
            }
        };
        const auto attempt = [&](const std::function<void()>& work) {
            try {
                work();
            } catch (const arena::RecordError& fault) {
                tell("stratagem: {}\n", fault.what());
                written = false;
            }
        };
        if (!spec_.records.empty()) attempt([&] { write_records(matches, record); });
        attempt([&] {
            write_tables(options_.tables, arena::standings_table(spec_.name, standings, standings.ranking(),
                                                                 arena::labels_of(contest_.entrants), provenance_));
        });
        if (!spec_.report.empty()) {
            arena::ReportSource source{spec_, standings, matches, plan_, record};
            source.failed = failed_;
            source.provenance = provenance_;
            source.database = spec_.database.string();
            source.boards = [&](const arena::MatchRecord& one) { return boards_of(one); };
            source.most_board_bytes = static_cast<std::size_t>(options_.board_megabytes * 1'000'000);
            attempt([&] { write_report(arena::html_report(source)); });
        }
        return written;
    }

    // A match as drawings for the page. The game is looked at once, and not again where it cannot be.
    std::string boards_of(const arena::MatchRecord& record) {
        const auto place = std::ranges::find(names_, record.game);
        if (place == names_.end()) return "";
        const auto [known, is_new] = evidence_.try_emplace(record.game);
        if (is_new) {
            const arena::ContestGame& game = *contest_.games[static_cast<std::size_t>(place - names_.begin())];
            try {
                known->second = look_at(*game.game());
            } catch (const std::runtime_error& fault) {
                tell("stratagem: {}: boards are drawn from records alone: {}\n", record.game, fault.what());
                known->second.order = CoordinateOrder(game.unprepared());
            }
        }
        return to_html(RecordView(record, known->second));
    }

    // False for one of a longer plan, and for a row that something has changed.
    bool belongs(const arena::StoredMatch& match) const {
        const arena::PlannedMatch* planned = arena::find_planned(plan_, match.number);
        if (planned == nullptr) return false;
        const bool whole = match.game == names_[planned->game] && match.seating == planned->seating;
        if (!whole) {
            tell("stratagem: {}: match {} is damaged and left out\n", spec_.database.string(), match.number + 1);
        }
        return whole;
    }

    void write_records(const std::vector<arena::StoredMatch>& matches,
                       const std::function<std::optional<arena::MatchRecord>(std::size_t)>& record) const {
        for (const arena::StoredMatch& match : matches) {
            if (const std::optional<arena::MatchRecord> one = record(match.number)) {
                arena::write_record(spec_.records, *one);
            }
        }
    }

    void write_report(const std::string& page) const {
        if (const WriteProblem problem = write_file(spec_.report, page)) {
            throw arena::RecordError(fmt::format("cannot write {}: {}", spec_.report.string(), *problem));
        }
        if (!options_.json) fmt::print("\nThe whole story: {}\n", spec_.report.string());
    }

    json summary(const arena::Standings& standings) const {
        json players = json::array();
        for (const std::size_t player : standings.ranking()) {
            json one = tally_json(standings.overall(player));
            one["player"] = spec_.players[player].name;
            const std::optional<arena::Rating>& rating = standings.ratings()[player];
            one["elo"] = rating ? json(rating->elo) : json();
            one["elo_ci95"] = rating ? json(rating->ci95) : json();
            json games = json::object();
            for (std::size_t game = 0; game < names_.size(); ++game) {
                games[names_[game]] = tally_json(standings.in_game(game, player));
            }
            one["games"] = std::move(games);
            json against = json::object();
            for (std::size_t other = 0; other < spec_.players.size(); ++other) {
                const arena::Pairing& pair = standings.pairing(player, other);
                if (pair.points.count() == 0) continue;
                json one_pair = points_json(pair.points);
                one_pair["win_rate"] = number_json(pair.win_rate());
                against[spec_.players[other].name] = std::move(one_pair);
            }
            one["against"] = std::move(against);
            players.push_back(std::move(one));
        }
        return {{"summary", true},
                {"name", spec_.name},
                {"planned", plan_.size()},
                {"matches", standings.matches()},
                {"incomplete", standings.incomplete()},
                {"failed", failed_numbers()},
                {"database", spec_.database.string()},
                {"report", spec_.report.string()},
                {"players", std::move(players)},
                {"provenance", to_json(provenance_)}};
    }

    // Null where nothing can be said.
    static json number_json(std::optional<double> number) { return number ? json(*number) : json(); }

    static json points_json(const arena::Sample& points) {
        const std::optional<arena::Range> range = points.interval95();
        return {{"matches", points.count()},
                {"mean", points.mean()},
                {"ci95", number_json(points.ci95())},
                {"ci95_low", range ? json(range->low) : json()},
                {"ci95_high", range ? json(range->high) : json()}};
    }

    // As people count, from 1.
    json failed_numbers() const {
        json numbers = json::array();
        for (const auto& [number, tries] : failed_) numbers.push_back(number + 1);
        return numbers;
    }

    static json tally_json(const arena::Tally& one) {
        json object = points_json(one.points());
        object.update({{"win_rate", number_json(one.win_rate())},
                       {"wins", one.wins()},
                       {"draws", one.draws()},
                       {"losses", one.losses()},
                       {"errors", one.errors()},
                       {"illegal", one.illegal()},
                       {"late", one.late()},
                       {"unreachable", one.unreachable()},
                       {"states_per_second", one.states_per_second()},
                       {"slowest_reply", one.slowest()}});
        return object;
    }

    void print_table(const arena::Standings& standings) const {
        std::size_t width = 8;
        for (const arena::PlayerSpec& player : spec_.players) width = std::max(width, player.name.size());
        fmt::print("{}: {} of {} matches\n\n", spec_.name, standings.matches(), plan_.size());
        fmt::print("{:<{}} {:>7} {:>20} {:>8} {:>12} {:>15} {:>6} {:>14}\n", "player", width, "matches", "mean points",
                   "win rate", "Elo", "won/drawn/lost", "errors", "states/s");
        for (const std::size_t player : standings.ranking()) {
            const arena::Tally& one = standings.overall(player);
            const std::optional<arena::Rating>& rating = standings.ratings()[player];
            const std::optional<double> rate = one.win_rate();
            fmt::print("{:<{}} {:>7} {:>20} {:>8} {:>12} {:>15} {:>6} {:>14}\n", spec_.players[player].name, width,
                       one.points().count(), arena::mean_text(one.points()), rate ? fmt::format("{:.3f}", *rate) : "-",
                       rating ? fmt::format("{:+.0f} ± {:.0f}", rating->elo, rating->ci95) : "-",
                       fmt::format("{}/{}/{}", one.wins(), one.draws(), one.losses()), one.errors(),
                       with_commas(static_cast<std::uint64_t>(one.states_per_second())));
        }
    }

    const Options& options_;
    arena::TournamentSpec spec_;
    arena::Contest contest_;
    std::vector<std::string> names_;  // of the games
    arena::Provenance provenance_;
    std::vector<arena::PlannedMatch> plan_;
    std::unique_ptr<arena::Store> store_;
    arena::Store::Run run_{};
    std::size_t kept_ = 0;
    std::map<std::size_t, std::size_t> failed_;  // by number: how often they were begun
    std::map<std::string, BoardEvidence> evidence_;
    std::size_t errors_ = 0;
    bool error_ended_ = false;
    Progress progress_;
};

int run(const Options& options, Context& context) {
    if (options.example) {
        fmt::print("{}", example);
        return exit_code::success;
    }
    if (options.file.empty()) {
        tell("stratagem: tournament needs a SPEC.json; --example prints one\n");
        return exit_code::usage;
    }
    std::ifstream file(options.file, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file) {
        tell("stratagem: cannot read {}\n", options.file);
        return exit_code::usage;
    }
    try {
        arena::TournamentSpec spec = arena::read_spec(text.str(), options.file);
        if (!options.database.empty()) spec.database = options.database;
        if (!options.report.empty()) spec.report = options.report;
        if (!options.records.empty()) spec.records = options.records;
        if (options.parallel) spec.parallel = *options.parallel;
        if (options.player.nodes) spec.nodes = options.player.nodes;
        return Tournament(options, std::move(spec)).run(context);
    } catch (const arena::SpecError& fault) {
        tell("stratagem: {}\n", fault.what());
    } catch (const arena::StoreError& fault) {
        tell("stratagem: {}\n", fault.what());
    } catch (const arena::RecordError& fault) {
        tell("stratagem: {}\n", fault.what());
    }
    return exit_code::usage;
}

}  // namespace

void add_tournament(CLI::App& program, Context& context) {
    CLI::App& command =
        *program.add_subcommand("tournament", "Every player against every other in many games, with a report");
    const auto options = std::make_shared<Options>();
    command.add_option("SPEC", options->file, "What to play: a JSON file (docs/arena.md explains it)");
    command.add_flag("--example", options->example, "Print such a file, to begin with");
    command.add_option("--database", options->database, "Keep the matches here (default: beside SPEC, with .db)");
    command.add_option("--report", options->report, "Write the page here (default: beside SPEC, with .html)");
    command.add_option("--json-dir", options->records, "Write every match to this folder, as public managers do")
        ->type_name("DIR");
    command.add_flag("--in-process", options->in_process,
                     "Let recipes think in this process, where one that crashes ends the tournament: for debugging");
    command
        .add_option("--jobs,--parallel", options->parallel,
                    "Matches at a time (default: as many as do not disturb each other's clocks)")
        ->check(whole_number(1, 1'024));
    command
        .add_option("--tries", options->tries,
                    "How often a match may be begun without coming to an end, as when it crashes, until it counts as "
                    "failed")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    command
        .add_option("--boards", options->board_megabytes,
                    "Megabytes of boards on the page; matches beyond that are told how to view them")
        ->check(real_number(0, 1'000))
        ->capture_default_str();
    add_nodes_option(command, options->player);
    command.add_flag("--abort-on-error", options->abort_on_error,
                     "End with exit code 1 at the first move that is illegal, late or does not come");
    add_table_option(command, options->tables);
    command.add_flag("--log", options->log, "What the players think, on standard error");
    command.add_flag("--json", options->json, "One JSON object for each match played and line, then one for the whole");
    command.footer(
        examples({"stratagem tournament --example > first.json", "stratagem tournament first.json"}) +
        "\nWhatever ends it, the same command goes on where it stopped: matches that were played are kept and\n"
        "not played again. With more \"matches\" in SPEC, only the new ones are played.");
    command.callback([options, &context] { context.exit_code = guarded([&] { return run(*options, context); }); });
}

}  // namespace stratagem::cli
