// stratagem replay: recorded matches played again, everything compared.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "arena/replay_record.h"
#include "cli/ranges.h"
#include "cli/record_source.h"
#include "cli/run_game.h"
#include "gdl/scramble.h"
#include "machine/machine_text.h"
#include "machine/tools/rename_trace.h"
#include "machine/tools/replay.h"

namespace stratagem::cli {

namespace fs = std::filesystem;

namespace {

using Names = std::map<std::string, std::string>;

struct ReplayOptions {
    std::string game;                 // or the first record
    std::vector<std::string> traces;  // or records
    std::string rules;                // --game
    RecordChoice choice;
    std::optional<gdl::Notation> notation;
    machine::MachineOptions machine;
    std::size_t max_steps = static_cast<std::size_t>(-1);
    std::string names_file;
    std::optional<std::uint64_t> scramble_seed;
    bool json = false;
};

// A game and one file of matches.
struct Task {
    std::string game;
    fs::path trace;
};

// "nim" of nim.jsonl.gz.
std::string trace_name(fs::path path) {
    path = path.filename();
    for (const std::string_view ending : {".gz", ".jsonl", ".json"}) {
        if (path.extension() == ending) path = path.stem();
    }
    return path.string();
}

std::vector<fs::path> traces_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".jsonl.gz") || name.ends_with(".jsonl")) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

// Pairs what was typed. A folder of rules (without METADATA, which would make it one game) goes by names of traces.
std::optional<std::vector<Task>> make_tasks(const ReplayOptions& options) {
    std::error_code ignored;
    const bool many_games = fs::is_directory(options.game, ignored) && !fs::exists(fs::path(options.game) / "METADATA");
    std::vector<Task> tasks;
    for (const std::string& typed : options.traces) {
        const bool folder = fs::is_directory(typed, ignored);
        for (const fs::path& trace : folder ? traces_in(typed) : std::vector<fs::path>{typed}) {
            if (!many_games) {
                tasks.push_back({options.game, trace});
                continue;
            }
            const fs::path rules = fs::path(options.game) / (trace_name(trace) + ".kif");
            if (fs::exists(rules, ignored)) {
                tasks.push_back({rules.string(), trace});
            } else if (folder) {
                tell("stratagem: {}: no rules {}, left out\n", trace.string(), rules.string());
            } else {
                tell("stratagem: {}: no rules {}\n", trace.string(), rules.string());
                return {};
            }
        }
    }
    if (tasks.empty()) tell("stratagem: no traces (.jsonl or .jsonl.gz) there\n");
    if (tasks.empty()) return {};
    return tasks;
}

// Nothing and a message when the file is no map of names.
std::optional<Names> read_names(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    try {
        return nlohmann::json::parse(file).get<Names>();
    } catch (const nlohmann::json::exception&) {
        tell("stratagem: {}: not a map of names as 'stratagem scramble --map' writes it\n", path);
        return {};
    }
}

struct Outcome {
    std::size_t matches = 0;
    machine::ReplayResult result;
    machine::MachineKind kind = machine::MachineKind::circuit;
    double seconds = 0;
};

void report(const Task& task, const Outcome& outcome, const ReplayOptions& options) {
    const std::vector<machine::Mismatch>& mismatches = outcome.result.mismatches;
    if (options.json) {
        nlohmann::json list = nlohmann::json::array();
        for (const machine::Mismatch& mismatch : mismatches) {
            list.push_back({{"match", mismatch.match},
                            {"step", mismatch.step},
                            {"what", mismatch.what},
                            {"expected", mismatch.expected},
                            {"got", mismatch.got}});
        }
        print_json({{"game", game_name(task.game)},
                    {"trace", task.trace.string()},
                    {"machine", machine::to_string(outcome.kind)},
                    {"matches", outcome.matches},
                    {"steps", outcome.result.steps},
                    {"seconds", outcome.seconds},
                    {"mismatches", std::move(list)}});
    } else {
        const auto count = [](std::size_t number, std::string_view one, std::string_view more) {
            return fmt::format("{} {}", number, number == 1 ? one : more);
        };
        fmt::print("{}: {}, {}, {} ({}, {:.2f} s)\n", game_name(task.game), count(outcome.matches, "match", "matches"),
                   count(outcome.result.steps, "step", "steps"),
                   mismatches.empty() ? "no mismatch" : count(mismatches.size(), "MISMATCH", "MISMATCHES"),
                   machine::to_string(outcome.kind), outcome.seconds);
        for (const machine::Mismatch& mismatch : mismatches) {
            fmt::print("  match {} step {}: {}\n    expected: {}\n    got:      {}\n", mismatch.match, mismatch.step,
                       mismatch.what, mismatch.expected, mismatch.got);
        }
    }
    flush_output();
}

class Replayer {
  public:
    Replayer(const ReplayOptions& options, Names names) : options_(options), names_(std::move(names)) {}

    // An exit code.
    int run(const std::vector<Task>& tasks) {
        int worst = exit_code::success;
        std::size_t done = 0;
        for (const Task& task : tasks) {
            if (tasks.size() > 1) {
                progress_.show([&] { return fmt::format("{}/{} {}", done, tasks.size(), game_name(task.game)); });
            }
            worst = graver(worst, guarded([&] { return run(task); }));
            ++done;
            if (interrupted_) {
                tell("stratagem: interrupted\n");
                return exit_code::interrupted;
            }
        }
        if (tasks.size() > 1 && !options_.json) {
            progress_.clear();
            fmt::print("{} games, {} steps, {} mismatches, {} not replayed to the end\n", done,
                       with_commas(total_steps_), with_commas(total_mismatches_), unfinished_);
        }
        return worst;
    }

  private:
    // Unreadable input before limits before mismatches.
    static int graver(int a, int b) {
        const auto weight = [](int code) {
            return code == exit_code::no ? 1 : code == exit_code::limit ? 2 : code == 0 ? 0 : 3;
        };
        return weight(b) > weight(a) ? b : a;
    }

    int run(const Task& task) {
        ++unfinished_;
        Context context;
        std::shared_ptr<const gdl::Description> description = load(task.game, context, options_.notation);
        if (!description) return context.exit_code;
        Names names = names_;
        if (options_.scramble_seed) {
            gdl::Scrambled scrambled = gdl::scramble(*description, *options_.scramble_seed);
            names = std::move(scrambled.names);
            description = std::make_shared<const gdl::Description>(
                gdl::read(task.game + " (scrambled)", std::move(scrambled.text)).description);
        }
        std::vector<machine::Trace> traces;
        try {
            traces = machine::read_traces(task.trace);
        } catch (const machine::TraceError& error) {
            progress_.clear();
            tell("stratagem: {}\n", error.what());
            return exit_code::usage;
        }
        for (machine::Trace& trace : traces) machine::rename(trace, names);

        const auto start = Deadline::Clock::now();
        Outcome outcome;
        const auto game = prepare(description, options_.machine);
        outcome.kind = game->kind();
        const std::unique_ptr<machine::Machine> machine = game->make();
        machine::MachineText text(*machine);
        const Interruptible interruptible;
        for (const machine::Trace& trace : traces) {
            if (interruptible.interrupted()) break;
            machine::ReplayResult result = machine::replay(text, trace, options_.max_steps);
            ++outcome.matches;
            outcome.result.steps += result.steps;
            std::ranges::move(result.mismatches, std::back_inserter(outcome.result.mismatches));
        }
        interrupted_ = interruptible.interrupted();
        outcome.seconds = std::chrono::duration<double>(Deadline::Clock::now() - start).count();
        total_steps_ += outcome.result.steps;
        total_mismatches_ += outcome.result.mismatches.size();
        --unfinished_;
        progress_.clear();
        report(task, outcome, options_);
        return outcome.result.mismatches.empty() ? exit_code::success : exit_code::no;
    }

    const ReplayOptions& options_;
    Names names_;
    Progress progress_;
    bool interrupted_ = false;
    std::size_t total_steps_ = 0;
    std::size_t total_mismatches_ = 0;
    std::size_t unfinished_ = 0;
};

// Records of matches: each knows its game, or is told it.
class RecordReplayer {
  public:
    // `game` empty: as each record says.
    RecordReplayer(const ReplayOptions& options, std::string game) : options_(options), game_(std::move(game)) {}

    int run(const fs::path& path) {
        std::map<std::string, Outcome> outcomes;  // by game
        int worst = exit_code::success;
        const auto start = Deadline::Clock::now();
        const Interruptible interruptible;
        try {
            each_record(
                path, options_.choice,
                [&](const FoundRecord& found) {
                    Prepared& prepared = game_of(found);
                    if (!prepared.machine) {
                        worst = exit_code::usage;
                        return true;
                    }
                    Outcome& outcome = outcomes[found.record.game];
                    outcome.kind = prepared.game->kind();
                    machine::ReplayResult result =
                        arena::replay(*prepared.machine, found.record, found.number, options_.max_steps);
                    ++outcome.matches;
                    outcome.result.steps += result.steps;
                    std::ranges::move(result.mismatches, std::back_inserter(outcome.result.mismatches));
                    return !interruptible.interrupted();
                },
                [&](const std::string& problem) {
                    tell("stratagem: {}\n", problem);
                    worst = exit_code::usage;
                });
        } catch (const arena::RecordError& fault) {
            return refuse(fault);
        } catch (const arena::StoreError& fault) {
            return refuse(fault);
        } catch (const machine::TraceError& fault) {
            return refuse(fault);
        }
        for (auto& [game, outcome] : outcomes) {
            outcome.seconds = std::chrono::duration<double>(Deadline::Clock::now() - start).count();
            report({game, path}, outcome, options_);
            if (!outcome.result.mismatches.empty() && worst == exit_code::success) worst = exit_code::no;
        }
        return interruptible.interrupted() ? exit_code::interrupted : worst;
    }

  private:
    struct Prepared {
        std::shared_ptr<const machine::Game> game;
        std::unique_ptr<machine::Machine> machine;  // none: its rules are not there or no good
    };

    static int refuse(const std::exception& fault) {
        tell("stratagem: {}\n", fault.what());
        return exit_code::usage;
    }

    Prepared& game_of(const FoundRecord& found) {
        const arena::MatchRecord& record = found.record;
        const std::string key = !game_.empty() ? "" : record.rules.empty() ? record.game : record.rules;
        const auto [place, is_new] = games_.try_emplace(key);
        Prepared& prepared = place->second;
        if (!is_new) return prepared;
        Context context;
        const std::shared_ptr<const gdl::Description> rules =
            game_.empty() ? rules_of(record, found.place) : load(game_, context, options_.notation);
        if (!rules) {
            if (game_.empty()) {
                tell("stratagem: {}: the rules of {} are not known; --game names them\n", found.place,
                     record.game.empty() ? "this game" : record.game);
            }
            return prepared;
        }
        machine::MachineOptions building = options_.machine;
        building.interrupt = Interruptible::flag();
        prepared.game = prepare(rules, building);
        prepared.machine = prepared.game->make();
        return prepared;
    }

    const ReplayOptions& options_;
    std::string game_;
    std::map<std::string, Prepared> games_;
};

// Not a file of traces, which hold more and are compared line by line.
bool is_record(const std::string& typed) {
    std::error_code ignored;
    if (fs::is_directory(typed, ignored)) return holds_records(typed) && traces_in(typed).empty();
    if (!holds_records(typed)) return false;
    std::ifstream file(typed, std::ios::binary);
    if (file.get() == 'S') return true;  // of a database
    try {
        return machine::read_text(typed).find("\"matchId\"") != std::string::npos;
    } catch (const machine::TraceError&) {
        return false;
    }
}

// Nothing where no records were meant.
std::optional<int> run_records(const ReplayOptions& options) {
    const bool named = !options.rules.empty();
    std::vector<std::string> records = options.traces;
    std::string game = options.rules;
    if (named || records.empty() || is_record(options.game)) {
        records.insert(records.begin(), options.game);
    } else {
        if (!std::ranges::all_of(records, is_record)) return std::nullopt;
        game = options.game;
    }
    if (!options.names_file.empty() || options.scramble_seed) {
        tell("stratagem: --names and --scramble are for traces, not for records\n");
        return exit_code::usage;
    }
    RecordReplayer replayer(options, game);
    int worst = exit_code::success;
    for (const std::string& record : records) {
        const int code = replayer.run(record);
        if (code == exit_code::interrupted) return code;
        worst = std::max(worst, code);
    }
    return worst;
}

int run_replay(const ReplayOptions& options) {
    if (const std::optional<int> code = run_records(options)) return *code;
    Names names;
    if (!options.names_file.empty()) {
        std::optional<Names> read = read_names(options.names_file);
        if (!read) return exit_code::usage;
        names = std::move(*read);
    }
    const std::optional<std::vector<Task>> tasks = make_tasks(options);
    if (!tasks) return exit_code::usage;
    return Replayer(options, std::move(names)).run(*tasks);
}

}  // namespace

void add_replay(CLI::App& program, Context& context) {
    CLI::App& command =
        *program.add_subcommand("replay", "Play recorded matches again and compare states, legal moves, end and goals");
    const auto options = std::make_shared<ReplayOptions>();
    command
        .add_option("FILE", options->game,
                    "Path, bundled game or repository folder; or a folder of .kif files; or a record, which knows its "
                    "game: of 'match --json-dir', a database of 'match --record' or 'tournament', or a folder of them")
        ->required();
    command.add_option("TRACE", options->traces,
                       "Files of recorded matches (traces in .jsonl, also .gz, or records), or folders of them");
    command.add_option("--game", options->rules, "The rules, where records do not hold them")->type_name("FILE");
    command.add_option("--match", options->choice.match, "Only this one of a database or file: its number, or its id")
        ->type_name("MATCH");
    command.add_option("--run", options->choice.run, "Of a database with several runs")
        ->check(whole_number(1, 1'000'000'000))
        ->type_name("NUMBER");
    add_machine_option(command, options->machine);
    add_limit_options(command, options->machine);
    add_notation_option(command, options->notation);
    command.add_option("--max-steps", options->max_steps, "Compare only so many states of each match")
        ->check(step_range());
    CLI::Option* names =
        command.add_option("--names", options->names_file, "The file of 'scramble --map', for rules scrambled with it")
            ->type_name("MAP.json");
    command
        .add_option("--scramble", options->scramble_seed,
                    "Scramble the rules with this seed first, and the matches too")
        ->type_name("SEED")
        ->excludes(names)
        ->check(seed_range());
    command.add_flag("--json", options->json, "One JSON object for each trace file and line");
    command.footer(
        examples({"stratagem replay tic_tac_toe matches.jsonl.gz --machine check",
                  "stratagem replay games/ traces/ --json", "stratagem replay cup.db --match 12"}) +
        "\nWhen FILE is a folder of rules, each TRACE goes with the rules of the same name. Exit code 1 when "
        "something differs.");
    command.callback([options, &context] { context.exit_code = guarded([&] { return run_replay(*options); }); });
}

}  // namespace stratagem::cli
