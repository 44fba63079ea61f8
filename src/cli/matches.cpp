#include "cli/matches.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <set>

#include "arena/contest.h"
#include "arena/provenance.h"
#include "arena/record.h"
#include "arena/standings.h"
#include "arena/standings_table.h"
#include "arena/store.h"
#include "cli/entrants.h"
#include "cli/position.h"
#include "cli/tables.h"
#include "gdl/rules_text.h"

namespace stratagem::cli {

namespace {

using Json = nlohmann::json;

// Half the width of the interval, and its ends; null where nothing can be said.
void add_interval(Json& lists, const arena::Sample& points) {
    const std::optional<arena::Range> range = points.interval95();
    lists["ci95"].push_back(range ? Json(range->half_width()) : Json());
    lists["ci95_low"].push_back(range ? Json(range->low) : Json());
    lists["ci95_high"].push_back(range ? Json(range->high) : Json());
}

class Matches {
  public:
    Matches(const MatchesOptions& options, const std::shared_ptr<const gdl::Description>& description)
        : options_(options) {
        contest_.match = options.match;
        contest_.match.clocks = {player::Seconds(options.start_clock), player::Seconds(options.play_clock)};
        contest_.match.grace = player::Seconds(options.grace);
        contest_.match.keep_states = !options.record.empty() || !options.json_dir.empty();
        EntrantOptions entrant{options.match.player, options.match.players_prepare, contest_.match.grace,
                               options.scramble};
        if (options.isolate) entrant.isolation = Isolation::all;
        for (const std::string& text : player::split_recipes(options.players)) {
            contest_.entrants.push_back(make_entrant(text, text, entrant));
        }
        labels_ = arena::labels_of(contest_.entrants);
        contest_.games.push_back(
            std::make_shared<const arena::ContestGame>(game_name(options.game), machine::GdlGame::at_once(description),
                                                       machine_options(contest_.entrants, options.match.player)));
        if (contest_.match.keep_states) rules_ = contest_.games.front()->unprepared().rules().value_or("");
    }

    int run() {
        const arena::ContestGame& game = *contest_.games.front();
        if (contest_.entrants.size() < game.seats() || game.seats() == 0) {
            tell("stratagem: {} has {} players, and --players names {}\n", game.name(), game.seats(),
                 contest_.entrants.size());
            return exit_code::usage;
        }
        provenance_ = arena::provenance_of(contest_, options_.match.seed);
        check_tables(options_.tables);
        if (!options_.record.empty()) open_store();
        if (!options_.json_dir.empty()) arena::check_folder(options_.json_dir);
        {
            const Interruptible interruptible;
            const Waiting waiting(fmt::format("preparing {}", game.name()));
            const std::string& note = game.game()->note();
            if (interruptible.interrupted()) throw machine::LimitExceeded("interrupted");
            if (!note.empty()) tell("stratagem: {}: {}\n", game.name(), note);
        }
        begin_elsewhere(game);
        const std::vector<arena::PlannedMatch> all =
            arena::plan(contest_, options_.matches, options_.swap, options_.match.seed, options_.opening_seed);
        const std::size_t matches = arena::whole_rotations(options_.matches, game.seats(), options_.swap);
        if (matches != options_.matches) {
            tell(
                "stratagem: --swap: {} matches instead of {}, so that every player has each of the {} roles "
                "equally often\n",
                matches, options_.matches, game.seats());
        }
        const BackgroundLog log_in_background;
        const Interruptible interruptible;
        arena::ContestRun run;
        run.at_once = jobs();
        run.stop = interruptible.stop();
        run.on_end = [&](const arena::PlannedMatch& planned, arena::MatchResult& result) { keep(planned, result); };
        run.on_match = [&](const arena::PlannedMatch& planned, arena::MatchResult& result) { take(planned, result); };
        run.on_step = [&](const arena::PlannedMatch& planned, std::size_t steps) {
            progress_.show(
                [&] { return fmt::format("match {} of {}, move {}", planned.number + 1, all.size(), steps); });
        };
        run.player_logs = options_.log;
        // Players elsewhere fail in ways that nobody here would hear of.
        const bool some_elsewhere = std::ranges::any_of(contest_.entrants, &arena::Entrant::elsewhere);
        if (options_.log || options_.tell_faults || some_elsewhere) {
            run.log = [&](const arena::PlannedMatch& planned, std::size_t seat, std::string_view line) {
                progress_.clear();
                tell("{}.{} {}: {}\n", planned.number + 1, seat + 1, labels_[planned.seating[seat]], line);
            };
        }
        arena::run_matches(contest_, all, run);
        progress_.clear();
        summarise();
        if (interruptible.interrupted()) {
            tell("stratagem: interrupted\n");
            return exit_code::interrupted;
        }
        const bool absent = tell_absent();
        if (absent || error_ended_) return exit_code::no;
        return limit_hit_ ? exit_code::limit : exit_code::success;
    }

  private:
    // Where --state or --moves say.
    void begin_elsewhere(const arena::ContestGame& game) {
        if (options_.state.empty() && options_.moves.empty()) return;
        const std::unique_ptr<machine::Machine> machine = game.game()->make();
        if (!options_.moves.empty()) {
            contest_.match.first_moves = joint_moves(*machine, options_.moves);
            return;
        }
        for (const arena::Entrant& entrant : contest_.entrants) {
            if (!entrant.elsewhere) continue;
            throw PositionError(fmt::format(
                "{} plays elsewhere, and the protocol has no words for a state to begin with; --moves can be used",
                entrant.name));
        }
        const machine::State state = state_of_fluents(*machine, options_.state);
        if (machine->terminal(state)) throw PositionError("the game is over in this state");
        contest_.match.state.emplace();
        state.for_each([&](machine::Fluent fluent) { contest_.match.state->push_back(machine->fluent_name(fluent)); });
    }

    // Matches at once; one where a player is elsewhere, who may hold one match only.
    std::size_t jobs() const {
        const bool elsewhere = std::ranges::any_of(contest_.entrants, &arena::Entrant::elsewhere);
        if (elsewhere && options_.jobs > 1) {
            tell("stratagem: --jobs: one match at a time, as a player is elsewhere\n");
            return 1;
        }
        return options_.jobs;
    }

    // Players who gave no answer in a whole match, each once.
    bool tell_absent() const {
        for (const auto& [player, problem] : absent_) {
            tell("stratagem: {} was never there{}\n", labels_[player], problem.empty() ? "" : ": " + problem);
        }
        return !absent_.empty();
    }

    void open_store() {
        if (options_.record.ends_with(".json")) {
            tell("stratagem: --record: {} becomes an SQLite database; --json-dir writes JSON\n", options_.record);
        }
        store_ = std::make_unique<arena::Store>(options_.record);
        const Json spec{{"game", contest_.games.front()->name()},
                        {"players", options_.players},
                        {"matches", options_.matches},
                        {"swap", options_.swap},
                        {"start_clock", options_.start_clock},
                        {"play_clock", options_.play_clock},
                        {"scramble", options_.scramble},
                        {"nodes", options_.match.player.nodes ? Json(*options_.match.player.nodes) : Json()},
                        {"opening", options_.match.opening},
                        {"state", options_.state},
                        {"moves", options_.moves},
                        {"seed", options_.match.seed}};
        run_ = store_->begin(spec.dump(-1, ' ', false, Json::error_handler_t::replace));
    }

    arena::StoredMatch summary_of(const arena::PlannedMatch& planned, const arena::MatchResult& result) const {
        return arena::summarise(planned.number, contest_.games.front()->name(), planned.seating, result);
    }

    void keep(const arena::PlannedMatch& planned, const arena::MatchResult& result) {
        if (!store_ && options_.json_dir.empty()) return;
        const arena::StoredMatch match = summary_of(planned, result);
        const arena::MatchRecord record = arena::make_record(
            result,
            {match.game, "", contest_.match.clocks, options_.scramble, rules_, to_json(provenance_, planned).dump()});
        if (store_) store_->add(run_, match, record);
        if (!options_.json_dir.empty()) arena::write_record(options_.json_dir, record);
    }

    void take(const arena::PlannedMatch& planned, const arena::MatchResult& result) {
        progress_.clear();
        arena::StoredMatch match = summary_of(planned, result);
        error_ended_ = error_ended_ || result.error_ended;
        for (std::size_t seat = 0; seat < result.seats.size(); ++seat) {
            if (result.seats[seat].answers == 0) absent_[planned.seating[seat]] = result.seats[seat].problem;
        }
        if (result.complete) {
            add_to_group(match);
        } else if (result.cut_short) {
            tell("stratagem: match {} was cut short after {} step{} and does not count\n", planned.number + 1,
                 result.steps, result.steps == 1 ? "" : "s");
        } else {
            tell("stratagem: match {} was ended after {} moves and does not count: {}\n", planned.number + 1,
                 result.steps, result.problem);
            limit_hit_ = limit_hit_ || (!result.error_ended && !result.problem.empty());
        }
        tell_rules_fault(planned, result);
        report(planned, result);
        flush_output();
        moves_ += result.steps;
        matches_.push_back(std::move(match));
    }

    // Each once: what is wrong with rules shows in every match.
    void tell_rules_fault(const arena::PlannedMatch& planned, const arena::MatchResult& result) {
        if (result.rules_fault.empty() || !rules_faults_.insert(result.rules_fault).second) return;
        tell("stratagem: match {}: {}; 'stratagem check {} --simulate 100' tells more of such rules\n",
             planned.number + 1, result.rules_fault, options_.game);
    }

    void add_to_group(const arena::StoredMatch& match) {
        arena::Seating group = match.seating;
        std::ranges::sort(group);
        std::vector<arena::Sample>& scores = groups_[group];
        scores.resize(group.size());
        for (std::size_t seat = 0; seat < match.seating.size(); ++seat) {
            const auto place = std::ranges::find(group, match.seating[seat]) - group.begin();
            scores[static_cast<std::size_t>(place)].add(match.seats[seat].score);
        }
    }

    void report(const arena::PlannedMatch& planned, const arena::MatchResult& result) const {
        if (!options_.json) {
            std::string line = fmt::format("match {}:", planned.number + 1);
            for (std::size_t i = 0; i < result.seats.size(); ++i) {
                const arena::SeatResult& seat = result.seats[i];
                line += fmt::format("  {} {} ({})", labels_[planned.seating[i]],
                                    result.complete ? std::to_string(seat.score) : "-", seat.role);
                if (seat.errors() > 0) line += fmt::format(" {} error{}", seat.errors(), seat.errors() == 1 ? "" : "s");
            }
            fmt::print("{}  {} move{}, {:.1f} s\n", line, result.steps, result.steps == 1 ? "" : "s", result.seconds);
            return;
        }
        Json lists = Json::object();
        for (const char* key : {"players", "roles", "scores", "errors", "illegal", "late", "unreachable", "fallbacks",
                                "searches", "states_per_second", "slowest_reply"}) {
            lists[key] = Json::array();
        }
        for (const arena::SeatResult& seat : result.seats) {
            lists["players"].push_back(seat.player);
            lists["roles"].push_back(seat.role);
            lists["scores"].push_back(result.complete ? Json(seat.score) : Json());
            lists["errors"].push_back(seat.errors());
            lists["illegal"].push_back(seat.illegal);
            lists["late"].push_back(seat.late);
            lists["unreachable"].push_back(seat.unreachable);
            lists["fallbacks"].push_back(seat.fallbacks);
            lists["searches"].push_back(seat.searches);
            lists["states_per_second"].push_back(seat.seconds > 0 ? static_cast<double>(seat.states) / seat.seconds
                                                                  : 0);
            lists["slowest_reply"].push_back(seat.slowest);
        }
        Json numbers = Json::array();
        for (const std::size_t player : planned.seating) numbers.push_back(player + 1);
        lists.update({{"match", planned.number + 1},
                      {"player_numbers", std::move(numbers)},
                      {"id", result.id},
                      {"game", contest_.games.front()->name()},
                      {"seed", result.seed},
                      {"moves", result.steps},
                      {"seconds", result.seconds},
                      {"complete", result.complete},
                      {"cut_short", result.cut_short},
                      {"problem", result.complete ? Json(result.rules_fault) : Json(result.problem)}});
        print_json(lists);
    }

    void summarise() const {
        const arena::Standings standings(contest_.entrants.size(), {contest_.games.front()->name()}, matches_);
        std::vector<std::size_t> order(contest_.entrants.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        write_tables(options_.tables,
                     arena::standings_table(contest_.games.front()->name(), standings, order, labels_, provenance_));
        if (options_.json) {
            print_json(summary_json(standings));
            return;
        }
        std::size_t width = 8;
        for (const std::string& label : labels_) width = std::max(width, label.size());
        fmt::print("\n{:<{}} {:>7} {:>20} {:>8} {:>7} {:>5} {:>11} {:>9} {:>14} {:>10}\n", "player", width, "matches",
                   "mean score", "win rate", "illegal", "late", "unreachable", "fallbacks", "states/s", "slowest");
        for (std::size_t i = 0; i < contest_.entrants.size(); ++i) {
            const arena::Tally& one = standings.overall(i);
            const std::optional<double> rate = one.win_rate();
            fmt::print("{:<{}} {:>7} {:>20} {:>8} {:>7} {:>5} {:>11} {:>9} {:>14} {:>8.3f} s\n", labels_[i], width,
                       one.points().count(), arena::mean_text(one.points()), rate ? fmt::format("{:.3f}", *rate) : "-",
                       one.illegal(), one.late(), one.unreachable(), one.fallbacks(),
                       with_commas(static_cast<std::uint64_t>(one.states_per_second())), one.slowest());
        }
        if (groups_.size() > 1) print_groups();
    }

    Json summary_json(const arena::Standings& standings) const {
        Json lists = Json::object();
        for (const char* key : {"players", "matches", "mean", "ci95", "ci95_low", "ci95_high", "win_rate", "errors",
                                "illegal", "late", "unreachable", "fallbacks", "states_per_second", "slowest_reply"}) {
            lists[key] = Json::array();
        }
        for (std::size_t i = 0; i < contest_.entrants.size(); ++i) {
            const arena::Tally& one = standings.overall(i);
            const std::optional<double> rate = one.win_rate();
            lists["players"].push_back(contest_.entrants[i].name);
            lists["matches"].push_back(one.points().count());
            lists["mean"].push_back(one.points().mean());
            add_interval(lists, one.points());
            lists["win_rate"].push_back(rate ? Json(*rate) : Json());
            lists["errors"].push_back(one.errors());
            lists["illegal"].push_back(one.illegal());
            lists["late"].push_back(one.late());
            lists["unreachable"].push_back(one.unreachable());
            lists["fallbacks"].push_back(one.fallbacks());
            lists["states_per_second"].push_back(one.states_per_second());
            lists["slowest_reply"].push_back(one.slowest());
        }
        lists.update({{"summary", true},
                      {"game", contest_.games.front()->name()},
                      {"groups", groups_json()},
                      {"moves", moves_},
                      {"provenance", to_json(provenance_)}});
        return lists;
    }

    // Who did how well against whom.
    Json groups_json() const {
        Json list = Json::array();
        for (const auto& [group, scores] : groups_) {
            Json one{{"matches", scores.front().count()}};
            for (std::size_t i = 0; i < group.size(); ++i) {
                one["players"].push_back(contest_.entrants[group[i]].name);
                one["player_numbers"].push_back(group[i] + 1);
                one["mean"].push_back(scores[i].mean());
                add_interval(one, scores[i]);
            }
            list.push_back(std::move(one));
        }
        return list;
    }

    void print_groups() const {
        fmt::print("\n");
        for (const auto& [group, scores] : groups_) {
            std::string line;
            for (std::size_t i = 0; i < group.size(); ++i) {
                line += fmt::format("{}{} {}", i == 0 ? "" : ", ", labels_[group[i]], arena::mean_text(scores[i]));
            }
            fmt::print("{}\n", line);
        }
    }

    const MatchesOptions& options_;
    arena::Contest contest_;
    std::vector<std::string> labels_;  // by entrant
    std::string rules_;                // for records
    arena::Provenance provenance_;
    std::unique_ptr<arena::Store> store_;
    arena::Store::Run run_{};
    std::vector<arena::StoredMatch> matches_;
    std::map<arena::Seating, std::vector<arena::Sample>> groups_;  // by the players of a group, in ascending order
    std::size_t moves_ = 0;
    std::map<std::size_t, std::string> absent_;  // by entrant: why no answer came from it in a whole match
    bool error_ended_ = false;
    bool limit_hit_ = false;  // the referee could not go on
    std::set<std::string> rules_faults_;
    Progress progress_;
};

}  // namespace

void add_matches_options(CLI::App& command, MatchesOptions& options) {
    command.add_option("FILE", options.game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    command
        .add_option("--players", options.players,
                    "In the order of roles: recipes (stratagem list recipes), which play in this process, and "
                    "addresses (http://host:port) of players elsewhere; with more players than roles every group of "
                    "them plays")
        ->type_name("PLAYER,…")
        ->required();
    command.add_option("--matches", options.matches, "How many matches each group plays")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    command.add_option("--start-clock", options.start_clock, "Seconds to prepare")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--play-clock", options.play_clock, "Seconds for each move")
        ->check(seconds_range())
        ->capture_default_str();
    add_nodes_option(command, options.match.player);
    command.add_option("--grace", options.grace, "Seconds a move of a player elsewhere may be late")
        ->check(real_number(0, 1'000'000))
        ->capture_default_str();
    command.add_flag("--swap", options.swap,
                     "Players take each other's roles in turn; --matches is raised to what gives each of them every "
                     "role equally often");
    CLI::Option* state = command.add_option("--state", options.state,
                                            "Begin where these fluents hold, \"(cell 1 1 x) (control o)\"; for recipes "
                                            "only, as players elsewhere cannot be told");
    command
        .add_option("--moves", options.moves,
                    "Begin after these moves, \"(mark 2 2) (mark 1 1)\": in each step that of the one role with a "
                    "choice, or one for every role")
        ->excludes(state);
    command.add_option("--jobs", options.jobs, "Matches at a time; by clocks, more than processors disturb each other")
        ->check(whole_number(1, 1'024))
        ->capture_default_str();
    command.add_flag("--abort-on-error", options.match.abort_on_error,
                     "End with exit code 1 at the first move that is illegal, late or does not come");
    command.add_flag("--scramble", options.scramble, "Give each player elsewhere the rules under names of its own");
    command.add_option("--record", options.record, "Keep every match in this SQLite database")->type_name("DB");
    command.add_option("--json-dir", options.json_dir, "Write every match to this folder, as public managers do")
        ->type_name("DIR");
    add_table_option(command, options.tables);
    command.add_flag("--isolate", options.isolate,
                     "Recipes think in processes of their own: one that crashes loses a move, not the match");
    command.add_flag("--prepare", options.match.players_prepare,
                     "Let each recipe ground the rules by itself in the start clock");
    command.add_flag("--ponder", options.match.player.ponder,
                     "Search in the others' time too, and in all of the start clock");
    command.add_option("--threads", options.match.player.search.threads, "Of each search")
        ->check(thread_range())
        ->capture_default_str();
    command.add_option("--table", options.match.player.search.table_megabytes, "Megabytes of each search's table")
        ->check(megabyte_range())
        ->capture_default_str();
    command
        .add_option("--opening", options.match.opening,
                    "Random moves of all at the beginning, the same until each player has had each role; without "
                    "them players who always choose the same play one match again and again")
        ->check(whole_number(0, 1'000'000))
        ->capture_default_str();
    command.add_option("--opening-seed", options.opening_seed, "Of these moves, where it is not to be --seed")
        ->check(seed_range());
    command
        .add_option("--max-steps,--max-moves", options.match.max_steps,
                    "A longer match is cut short and does not count, which is no failure")
        ->check(step_range())
        ->capture_default_str();
    add_machine_option(command, options.match.player.machine);
    add_limit_options(command, options.match.player.machine, &options.match.player.search.table_megabytes);
    add_notation_option(command, options.notation);
    command
        .add_option("--seed", options.match.seed,
                    "Of the players and of chance; that of the first match, from which the others are made")
        ->capture_default_str()
        ->check(seed_range());
    command.add_flag("--log", options.log, "What the players think, on standard error");
    command.add_flag("--json", options.json, "One JSON object for each match and line, then one for the whole");
}

int run_matches(const MatchesOptions& options, Context& context) {
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    try {
        return Matches(options, description).run();
    } catch (const OptionError& fault) {
        tell("stratagem: --players: {}\n", fault.what());
    } catch (const arena::StoreError& fault) {
        tell("stratagem: --record: {}\n", fault.what());
    } catch (const TableError& fault) {
        tell("stratagem: {}\n", fault.what());
    } catch (const arena::RecordError& fault) {
        tell("stratagem: --json-dir: {}\n", fault.what());
    } catch (const PositionError& fault) {
        tell("stratagem: --{}: {}\n", options.state.empty() ? "moves" : "state", fault.what());
    }
    return exit_code::usage;
}

}  // namespace stratagem::cli
