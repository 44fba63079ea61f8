// stratagem lab stages: matches between pairs of recipes over several games, to see whether a stage helps.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "cli/entrants.h"
#include "cli/lab_games.h"
#include "cli/tables.h"
#include "lab/alike.h"
#include "lab/stages.h"
#include "lab/stages_table.h"

namespace stratagem::cli {

namespace {

using lab::Duel;
using lab::Stages;
using Json = nlohmann::json;

// What the thesis compares, stage by stage, and then the whole with others.
constexpr const char* default_pairs =
    "nex-1.1:nex-1.0,nex-1.1s:nex-1.1,nex-1.1d:nex-1.1,nex-1.1p:nex-1.1,nex-1.1n:nex-1.1,nex-1.1a:nex-1.1,nex-1.1f:nex-"
    "1.1,nex:flux,nex:uct";

struct LabStagesOptions {
    std::vector<std::string> games;
    std::string pairs = default_pairs;
    std::size_t matches = 10;
    double start_clock = 10;
    double play_clock = 1;
    std::size_t parallel = 1;
    arena::MatchSettings match;
    std::vector<std::string> tables;
    bool all = false;
    bool json = false;
};

Json to_json(const Duel& duel) {
    const auto sample = [](const arena::Sample& one) {
        const std::optional<arena::Range> range = one.interval95();
        return Json{{"mean", one.mean()},
                    {"ci95", range ? Json(range->half_width()) : Json()},
                    {"ci95_low", range ? Json(range->low) : Json()},
                    {"ci95_high", range ? Json(range->high) : Json()}};
    };
    return {{"matches", duel.matches()},
            {"first", sample(duel.first)},
            {"second", sample(duel.second)},
            {"lead", sample(duel.lead)},
            {"wins", duel.wins},
            {"draws", duel.draws},
            {"losses", duel.losses},
            {"win_rate", duel.win_rate() ? Json(*duel.win_rate()) : Json()},
            {"errors", duel.errors},
            {"incomplete", duel.incomplete},
            {"alike", duel.alike}};
}

class Run {
  public:
    explicit Run(const LabStagesOptions& options) : options_(options) {
        contest_.match = options.match;
        contest_.match.clocks = {player::Seconds(options.start_clock), player::Seconds(options.play_clock)};
    }

    int run(Context& context) {
        const std::vector<lab::StagePair> pairs = lab::read_pairs(options_.pairs);
        const auto make = [&](const std::string& text) {
            return arena::local_entrant(text, player::Recipe(text), options_.match.player, false);
        };
        // Wrong names are told before minutes are spent on games.
        for (const lab::StagePair& pair : pairs) {
            for (const std::string& text : {pair.first, pair.second}) recipes_.push_back(make(text));
        }
        check_tables(options_.tables);
        if (!load_games(context)) return context.exit_code;
        const Interruptible interruptible;
        const BackgroundLog log_in_background;
        const auto alike = [&](const lab::StagePair& pair, const arena::ContestGame& game) {
            return !options_.all && !interruptible.interrupted() && would_play_alike(pair, game, interruptible);
        };
        Stages stages(contest_, pairs, options_.matches, options_.match.seed, make, alike);
        comparison_.reset();
        provenance_ = arena::provenance_of(contest_, options_.match.seed);
        const bool interrupted = play(stages, interruptible);
        report(stages);
        write_tables(options_.tables, lab::stages_table(stages, contest_, provenance_));
        if (!interrupted) return exit_code::success;
        tell("stratagem: interrupted; the table is of {} of {} matches\n", played_, stages.plan().size());
        return exit_code::interrupted;
    }

  private:
    // Games without a program are left out: there are no networks in them, and nothing to compare.
    bool load_games(Context& context) {
        for (const std::string& name : options_.games) {
            const std::shared_ptr<const gdl::Description> description = load(name, context);
            if (!description) return false;
            auto game =
                std::make_shared<const arena::ContestGame>(game_name(name), machine::GdlGame::at_once(description),
                                                           machine_options(recipes_, options_.match.player));
            std::string why;
            try {
                const Waiting waiting(fmt::format("preparing {}", game->name()));
                if (!game->game()->program()) why = "the rules cannot be grounded";
                if (game->seats() == 0) why = "nobody plays it";
            } catch (const std::runtime_error& fault) {
                why = fault.what();
            }
            if (why.empty()) {
                contest_.games.push_back(std::move(game));
            } else {
                tell("stratagem: {} is left out: {}\n", game->name(), why);
                left_out_.push_back({game->name(), why});
            }
        }
        if (!contest_.games.empty()) return true;
        context.exit_code = exit_code::no;
        return false;
    }

    bool would_play_alike(const lab::StagePair& pair, const arena::ContestGame& game,
                          const Interruptible& interruptible) {
        const Waiting waiting(fmt::format("comparing {} and {} in {}", pair.first, pair.second, game.name()));
        if (!comparison_ || comparison_->game() != game.game()) {
            lab::AlikeSearch search;
            // As a player has.
            search.seconds =
                arena::any_clock(recipes_) ? options_.start_clock / 2 : options_.match.player.patience.count();
            search.seed = options_.match.seed;
            search.abort = interruptible.stop().flag;
            comparison_.emplace(game.game(), search);
        }
        return comparison_->play_alike(player::Recipe(pair.first), player::Recipe(pair.second));
    }

    bool play(Stages& stages, const Interruptible& interruptible) {
        Progress progress;
        arena::ContestRun run;
        run.at_once = options_.parallel;
        run.stop = interruptible.stop();
        run.on_match = [&](const arena::PlannedMatch& planned, arena::MatchResult& result) {
            stages.take(planned, result);
            ++played_;
            progress.clear();
            std::string line =
                fmt::format("{} of {}: {},", played_, stages.plan().size(), contest_.games[planned.game]->name());
            for (const arena::SeatResult& seat : result.seats) {
                line += fmt::format(" {} {}{}", seat.player, seat.score,
                                    seat.errors() > 0 ? fmt::format(" ({} errors)", seat.errors()) : "");
            }
            tell("{}, {} moves, {:.1f} s{}\n", line, result.steps, result.seconds,
                 result.complete ? "" : "; it did not end and does not count");
        };
        run.on_step = [&](const arena::PlannedMatch& planned, std::size_t steps) {
            progress.show([&] {
                return fmt::format("{} of {}: {}, move {}", played_ + 1, stages.plan().size(),
                                   contest_.games[planned.game]->name(), steps);
            });
        };
        arena::run_matches(contest_, stages.plan(), run);
        return interruptible.interrupted();
    }

    void report(const Stages& stages) const {
        for (std::size_t pair = 0; pair < stages.pairs().size(); ++pair) {
            if (options_.json) {
                print_json(pair_json(stages, pair));
                continue;
            }
            const lab::StagePair& names = stages.pairs()[pair];
            fmt::print("{}{} against {}\n{:<32} {:>7} {:>20} {:>20} {:>23} {:>14} {:>8} {:>6}\n", pair == 0 ? "" : "\n",
                       names.first, names.second, "game", "matches", "first", "second", "lead", "won/drawn/lost",
                       "win rate", "errors");
            for (std::size_t game = 0; game < contest_.games.size(); ++game) {
                print_line(contest_.games[game]->name(), stages.in_game(pair, game));
            }
            if (contest_.games.size() > 1) print_line("all", stages.overall(pair));
        }
    }

    static void print_line(const std::string& name, const Duel& duel) {
        if (duel.matches() == 0) {
            fmt::print("{:<32} {:>7}\n", name,
                       duel.alike            ? "none: both would play alike"
                       : duel.incomplete > 0 ? "none ended"
                                             : "none");
            return;
        }
        const std::optional<double> rate = duel.win_rate();
        fmt::print("{:<32} {:>7} {:>20} {:>20} {:>23} {:>14} {:>8} {:>6}{}\n", name, duel.matches(),
                   arena::mean_text(duel.first), arena::mean_text(duel.second),
                   arena::mean_text(duel.lead, arena::Sign::always),
                   fmt::format("{}/{}/{}", duel.wins, duel.draws, duel.losses),
                   rate ? fmt::format("{:.3f}", *rate) : "-", duel.errors,
                   duel.incomplete > 0 ? fmt::format("  {} did not end", duel.incomplete) : "");
    }

    Json pair_json(const Stages& stages, std::size_t pair) const {
        Json games = Json::object(), left_out = Json::array();
        for (std::size_t game = 0; game < contest_.games.size(); ++game) {
            games[contest_.games[game]->name()] = to_json(stages.in_game(pair, game));
        }
        for (const LeftOut& one : left_out_) left_out.push_back({{"game", one.game}, {"why", one.why}});
        return {{"first", stages.pairs()[pair].first}, {"second", stages.pairs()[pair].second},
                {"start_clock", options_.start_clock}, {"play_clock", options_.play_clock},
                {"opening", options_.match.opening},   {"seed", options_.match.seed},
                {"games", std::move(games)},           {"all", to_json(stages.overall(pair))},
                {"left_out", std::move(left_out)},     {"provenance", to_json(provenance_)}};
    }

    const LabStagesOptions& options_;
    arena::Contest contest_;
    std::vector<arena::Entrant> recipes_;  // of all pairs
    arena::Provenance provenance_;
    std::vector<LeftOut> left_out_;
    std::optional<lab::PlayComparison> comparison_;  // of the game that was compared last
    std::size_t played_ = 0;
};

int checked_run(const LabStagesOptions& options, Context& context) {
    try {
        return Run(options).run(context);
    } catch (const OptionError& fault) {
        tell("stratagem: --pairs: {}\n", fault.what());
    } catch (const std::invalid_argument& fault) {
        tell("stratagem: --pairs: {}\n", fault.what());
    } catch (const TableError& fault) {
        tell("stratagem: {}\n", fault.what());
    }
    return exit_code::usage;
}

}  // namespace

void add_lab_stages(CLI::App& lab, Context& context) {
    CLI::App& command = *lab.add_subcommand(
        "stages", "Whether a stage plays better than the one before: matches between pairs of recipes");
    const auto options = std::make_shared<LabStagesOptions>();
    options->match.player.ponder = false;
    command.add_option("GAMES", options->games, "Paths, bundled games or repository folders")->required();
    command
        .add_option("--pairs", options->pairs, "Recipes against each other: A:B,C:D; with options \"A vs B; C vs D\"")
        ->type_name("A:B,…")
        ->capture_default_str();
    command
        .add_option("--matches", options->matches,
                    "Of each pair in each game, with the roles changed in turn; an odd number is raised by one")
        ->check(whole_number(1, 1'000'000))
        ->capture_default_str();
    command.add_option("--start-clock", options->start_clock, "Seconds to prepare")
        ->check(seconds_range())
        ->capture_default_str();
    command.add_option("--play-clock", options->play_clock, "Seconds for each move")
        ->check(seconds_range())
        ->capture_default_str();
    add_nodes_option(command, options->match.player);
    command
        .add_option("--jobs,--parallel", options->parallel,
                    "Matches at a time; by clocks, more than processors disturb each other")
        ->check(whole_number(1, 1'024))
        ->capture_default_str();
    command.add_option("--threads", options->match.player.search.threads, "Of each search")
        ->check(thread_range())
        ->capture_default_str();
    command.add_option("--table", options->match.player.search.table_megabytes, "Megabytes of each search's table")
        ->check(megabyte_range())
        ->capture_default_str();
    command
        .add_option("--opening", options->match.opening,
                    "Random moves at the beginning, the same for both sides of a pair")
        ->check(whole_number(0, 1'000'000))
        ->capture_default_str();
    command.add_option("--max-moves", options->match.max_steps, "A longer match is ended and does not count")
        ->check(step_range())
        ->capture_default_str();
    command.add_option("--seed", options->match.seed, "Of the players and of chance")
        ->capture_default_str()
        ->check(seed_range());
    add_limit_options(command, options->match.player.machine, &options->match.player.search.table_megabytes);
    command.add_flag("--all", options->all,
                     "Also the games in which both of a pair give the same value to every state");
    add_table_option(command, options->tables);
    command.add_flag("--json", options->json, "One JSON object for each pair and line");
    command.footer(
        examples({"stratagem lab stages connect_four pentago --pairs nex-1.1:nex-1.0 --matches 40",
                  "stratagem lab stages hallway --pairs \"nex vs nex:power=2; nex vs flux\" --play-clock 0.2 --json"}) +
        "\nPoints are means with their 95 % confidence interval; the lead is that of the first\n"
        "of a pair, its win rate its part of all points. In games of several players the two take every other\n"
        "seat; in games of one they play by themselves. Where both of a pair search alike and gave the same values\n"
        "to 1,000 states of random games, matches would show chance only, and are not played. Matches are told on\n"
        "standard error as they end, and Ctrl-C ends with the table of those.");
    command.callback(
        [options, &context] { context.exit_code = guarded([&] { return checked_run(*options, context); }); });
}

}  // namespace stratagem::cli
