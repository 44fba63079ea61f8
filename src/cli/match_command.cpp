// stratagem match: players against each other, and what their results are worth.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "arena/match.h"
#include "arena/schedule.h"
#include "arena/statistics.h"
#include "cli/run_game.h"
#include "machine/signature.h"

namespace stratagem::cli {

namespace {

struct Options {
    std::string game;
    std::optional<gdl::Notation> notation;
    std::string players;
    std::size_t matches = 1;
    double start_clock = 10;
    double play_clock = 1;
    bool swap = false;
    bool log = false;
    bool json = false;
    arena::MatchSettings match;
};

// What one player did in all its matches.
struct Standing {
    arena::Sample scores;
    std::size_t illegal = 0;
    std::size_t late = 0;
    std::size_t fallbacks = 0;
    std::size_t searches = 0;
    std::uint64_t states = 0;
    double seconds = 0;
    double slowest = 0;

    void add(const arena::SeatResult& seat, bool complete) {
        if (complete) scores.add(seat.score);
        illegal += seat.illegal;
        late += seat.late;
        fallbacks += seat.fallbacks;
        searches += seat.searches;
        states += seat.states;
        seconds += seat.seconds;
        slowest = std::max(slowest, seat.slowest);
    }
    double states_per_second() const { return seconds > 0 ? static_cast<double>(states) / seconds : 0; }
};

class Matches {
  public:
    Matches(const Options& options, gdl::Description description)
        : options_(options), description_(std::make_shared<const gdl::Description>(std::move(description))) {
        for (const std::string& text : player::split_recipes(options.players)) recipes_.emplace_back(text);
        standings_.resize(recipes_.size());
    }

    int run() {
        const std::shared_ptr<const machine::MachineFactory> factory =
            prepare(*description_, options_.match.player.machine);
        const std::size_t seats = arena::seats_of(*factory->make()).size();
        const std::vector<arena::Seating> all =
            arena::schedule(recipes_.size(), seats, options_.matches, options_.swap);
        if (all.empty()) {
            fmt::print(stderr, "stratagem: {} has {} players, and --players names {}\n", game_name(options_.game),
                       seats, recipes_.size());
            return exit_code::usage;
        }
        const Interruptible interruptible;
        for (std::size_t match = 0; match < all.size() && !interruptible.interrupted(); ++match) {
            play(match, all, factory, interruptible);
        }
        summarise();
        if (interruptible.interrupted()) {
            fmt::print(stderr, "stratagem: interrupted\n");
            return exit_code::interrupted;
        }
        return exit_code::success;
    }

  private:
    void play(std::size_t match, const std::vector<arena::Seating>& all,
              const std::shared_ptr<const machine::MachineFactory>& factory, const Interruptible& interruptible) {
        const arena::Seating& seating = all[match];
        std::vector<player::Recipe> seated;
        for (const std::size_t one : seating) seated.push_back(recipes_[one]);
        arena::MatchSettings settings = options_.match;
        settings.clocks = {player::Seconds(options_.start_clock), player::Seconds(options_.play_clock)};
        settings.seed = machine::combine_signatures(options_.match.seed, match);
        settings.stop = interruptible.stop();
        std::size_t steps = 0;
        settings.on_step = [&](std::span<const std::string>) {
            ++steps;
            progress_.show([&] { return fmt::format("match {} of {}, move {}", match + 1, all.size(), steps); });
        };
        if (options_.log) {
            settings.log = [&](std::size_t seat, std::string_view line) {
                fmt::print(stderr, "{}.{} {}: {}\n", match + 1, seat + 1, seated[seat].text(), line);
            };
        }
        const arena::MatchResult result = arena::play_match(description_, factory, seated, settings);
        progress_.clear();
        if (interruptible.interrupted()) return;
        for (std::size_t seat = 0; seat < seating.size(); ++seat) {
            standings_[seating[seat]].add(result.seats[seat], result.complete);
        }
        moves_ += result.steps;
        if (result.complete) add_to_group(seating, result);
        if (!result.complete) {
            fmt::print(stderr, "stratagem: match {} was ended after {} moves and does not count\n", match + 1,
                       result.steps);
        }
        report(match, result);
        std::fflush(stdout);
    }

    void add_to_group(const arena::Seating& seating, const arena::MatchResult& result) {
        arena::Seating group = seating;
        std::ranges::sort(group);
        std::vector<arena::Sample>& scores = groups_[group];
        scores.resize(group.size());
        for (std::size_t seat = 0; seat < seating.size(); ++seat) {
            const auto place = std::ranges::find(group, seating[seat]) - group.begin();
            scores[static_cast<std::size_t>(place)].add(result.seats[seat].score);
        }
    }

    void report(std::size_t match, const arena::MatchResult& result) const {
        if (options_.json) {
            nlohmann::json players = nlohmann::json::array();
            nlohmann::json roles = players, searches = players, scores = players, errors = players, illegal = players,
                           late = players, fallbacks = players, speed = players, slowest = players;
            for (const arena::SeatResult& seat : result.seats) {
                players.push_back(seat.player);
                roles.push_back(seat.role);
                searches.push_back(seat.searches);
                scores.push_back(seat.score);
                errors.push_back(seat.errors());
                illegal.push_back(seat.illegal);
                late.push_back(seat.late);
                fallbacks.push_back(seat.fallbacks);
                speed.push_back(seat.seconds > 0 ? static_cast<double>(seat.states) / seat.seconds : 0);
                slowest.push_back(seat.slowest);
            }
            print_json({{"match", match + 1},
                        {"game", game_name(options_.game)},
                        {"players", std::move(players)},
                        {"roles", std::move(roles)},
                        {"scores", std::move(scores)},
                        {"errors", std::move(errors)},
                        {"illegal", std::move(illegal)},
                        {"late", std::move(late)},
                        {"fallbacks", std::move(fallbacks)},
                        {"searches", std::move(searches)},
                        {"states_per_second", std::move(speed)},
                        {"slowest_reply", std::move(slowest)},
                        {"moves", result.steps},
                        {"seconds", result.seconds},
                        {"complete", result.complete}});
            return;
        }
        std::string line = fmt::format("match {}:", match + 1);
        for (const arena::SeatResult& seat : result.seats) {
            line += fmt::format("  {} {} ({})", seat.player, seat.score, seat.role);
        }
        fmt::print("{}  {} moves, {:.1f} s\n", line, result.steps, result.seconds);
    }

    void summarise() const {
        if (options_.json) {
            nlohmann::json players = nlohmann::json::array();
            nlohmann::json matches = players, mean = players, ci95 = players, errors = players, illegal = players,
                           late = players, fallbacks = players, speed = players, slowest = players;
            for (std::size_t i = 0; i < recipes_.size(); ++i) {
                const Standing& one = standings_[i];
                players.push_back(recipes_[i].text());
                matches.push_back(one.scores.count());
                mean.push_back(one.scores.mean());
                // Infinite where nothing can be said, which JSON writes as null.
                ci95.push_back(one.scores.ci95());
                errors.push_back(one.illegal + one.late);
                illegal.push_back(one.illegal);
                late.push_back(one.late);
                fallbacks.push_back(one.fallbacks);
                speed.push_back(one.states_per_second());
                slowest.push_back(one.slowest);
            }
            print_json({{"summary", true},
                        {"game", game_name(options_.game)},
                        {"players", std::move(players)},
                        {"matches", std::move(matches)},
                        {"mean", std::move(mean)},
                        {"ci95", std::move(ci95)},
                        {"errors", std::move(errors)},
                        {"illegal", std::move(illegal)},
                        {"late", std::move(late)},
                        {"fallbacks", std::move(fallbacks)},
                        {"states_per_second", std::move(speed)},
                        {"slowest_reply", std::move(slowest)},
                        {"groups", groups_json()},
                        {"moves", moves_}});
            return;
        }
        fmt::print("\n{:<28} {:>7} {:>16} {:>7} {:>5} {:>9} {:>14} {:>10}\n", "player", "matches", "mean score",
                   "illegal", "late", "fallbacks", "states/s", "slowest");
        for (std::size_t i = 0; i < recipes_.size(); ++i) {
            const Standing& one = standings_[i];
            fmt::print("{:<28} {:>7} {:>16} {:>7} {:>5} {:>9} {:>14} {:>8.3f} s\n", recipes_[i].text(),
                       one.scores.count(), mean_text(one.scores), one.illegal, one.late, one.fallbacks,
                       with_commas(static_cast<std::uint64_t>(one.states_per_second())), one.slowest);
        }
        if (groups_.size() > 1) print_groups();
    }

    // Who did how well against whom.
    nlohmann::json groups_json() const {
        nlohmann::json list = nlohmann::json::array();
        for (const auto& [group, scores] : groups_) {
            nlohmann::json players = nlohmann::json::array();
            nlohmann::json mean = players, ci95 = players;
            for (std::size_t i = 0; i < group.size(); ++i) {
                players.push_back(recipes_[group[i]].text());
                mean.push_back(scores[i].mean());
                ci95.push_back(scores[i].ci95());
            }
            list.push_back({{"players", std::move(players)},
                            {"matches", scores.front().count()},
                            {"mean", std::move(mean)},
                            {"ci95", std::move(ci95)}});
        }
        return list;
    }

    void print_groups() const {
        fmt::print("\n");
        for (const auto& [group, scores] : groups_) {
            std::string line;
            for (std::size_t i = 0; i < group.size(); ++i) {
                line += fmt::format("{}{} {}", i == 0 ? "" : ", ", recipes_[group[i]].text(), mean_text(scores[i]));
            }
            fmt::print("{}\n", line);
        }
    }

    static std::string mean_text(const arena::Sample& scores) {
        const double width = scores.ci95();
        return std::isfinite(width) ? fmt::format("{:.1f} ± {:.1f}", scores.mean(), width)
                                    : fmt::format("{:.1f} ±   ?", scores.mean());
    }

    const Options& options_;
    std::shared_ptr<const gdl::Description> description_;
    std::vector<player::Recipe> recipes_;
    std::vector<Standing> standings_;
    std::map<arena::Seating, std::vector<arena::Sample>> groups_;  // by the players of a group, in ascending order
    std::size_t moves_ = 0;
    Progress progress_;
};

int run(const Options& options, Context& context) {
    std::optional<gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    try {
        return Matches(options, std::move(*description)).run();
    } catch (const OptionError& fault) {
        fmt::print(stderr, "stratagem: --players: {}\n", fault.what());
        return exit_code::usage;
    }
}

}  // namespace

void add_match(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand("match", "Let players play against each other");
    const auto options = std::make_shared<Options>();
    options->match.player.ponder = false;
    command.add_option("FILE", options->game, "Path, bundled game, repository folder, or - for standard input")
        ->required();
    command
        .add_option("--players", options->players,
                    "Recipes (stratagem list recipes) in the order of roles; with more recipes than roles every group "
                    "of them plays")
        ->type_name("RECIPE,…")
        ->required();
    command.add_option("--matches", options->matches, "How many matches each group plays")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--start-clock", options->start_clock, "Seconds to prepare")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_option("--play-clock", options->play_clock, "Seconds for each move")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_flag("--swap", options->swap, "Players take each other's roles in turn");
    command.add_flag("--prepare", options->match.players_prepare,
                     "Let each player ground the rules by itself in the start clock");
    command.add_flag("--ponder", options->match.player.ponder,
                     "Search in the others' time too, and in all of the start clock");
    command.add_option("--threads", options->match.player.search.threads, "Of each search")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command.add_option("--table", options->match.player.search.table_megabytes, "Megabytes of each search's table")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command.add_option("--max-moves", options->match.max_steps, "A longer match is ended and does not count")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    add_machine_option(command, options->match.player.machine.kind);
    add_notation_option(command, options->notation);
    command.add_option("--seed", options->match.seed, "Of the players and of chance")->capture_default_str();
    command.add_flag("--log", options->log, "What the players think, on standard error");
    command.add_flag("--json", options->json, "One JSON object for each match and line, then one for the whole");
    command.footer(examples({"stratagem match connect_four --players uct,random --matches 4 --swap --play-clock 0.2",
                             "stratagem match tic_tac_toe --players best,uct:threads=2,blind --swap --json"}) +
                   "\nMeans are given with the half width of their 95 % confidence interval.");
    command.callback([options, &context] { context.exit_code = guarded([&] { return run(*options, context); }); });
}

}  // namespace stratagem::cli
