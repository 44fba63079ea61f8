#include "cli/run_game.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>

#include "machine/check_machine.h"
#include "util/memory_limit.h"

namespace stratagem::cli {

namespace {

std::string machine_list() {
    std::string text;
    for (const machine::MachineEntry& entry : machine::machine_table()) {
        text += fmt::format("\n  {:<11}  {}", entry.name, entry.about);
    }
    return text;
}

// The one thing a signal handler may touch.
std::atomic<bool> interrupt_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_interrupt(int signal) {
    interrupt_flag.store(true);
    std::signal(signal, SIG_DFL);
}

}  // namespace

void add_machine_option(CLI::App& command, machine::MachineOptions& options, MachineUse use) {
    machine::MachineKind& kind = options.kind;
    command
        .add_option_function<std::string>(
            "--machine",
            [&kind, use](const std::string& name) {
                const std::optional<machine::MachineKind> found = machine::find_machine(name);
                if (!found) {
                    throw CLI::ValidationError(
                        "--machine", fmt::format("there is no machine '{}'; there are:{}", name, machine_list()));
                }
                if (*found == machine::MachineKind::lanes && use != MachineUse::playouts) {
                    throw CLI::ValidationError("--machine",
                                               "lanes play random games only: see stratagem bench playouts");
                }
                kind = *found;
            },
            "How to run the game (stratagem list machines)")
        ->type_name("MACHINE")
        ->default_str(std::string(machine::to_string(kind)));
}

void add_limit_options(CLI::App& command, machine::MachineOptions& options, std::size_t* table_megabytes) {
    command
        .add_option("--ground-seconds", options.build_limit_seconds,
                    "Time for making a circuit of the rules; what takes longer is run by the interpreter")
        ->check(seconds_range())
        ->capture_default_str()
        ->type_name("S");
    command
        .add_option_function<std::uint64_t>(
            "--memory",
            [&options, table_megabytes](std::uint64_t megabytes) {
                const std::size_t bytes = megabytes << 20;
                // Each part keeps to a share of its own, so that all of them together stay below the limit of the
                // system.
                constexpr std::size_t bytes_of_a_fact = 100;
                options.build_limit_bytes = std::min(options.build_limit_bytes, bytes / 2);
                options.interpreter.max_facts = std::min(options.interpreter.max_facts, bytes / 2 / bytes_of_a_fact);
                if (table_megabytes != nullptr) {
                    *table_megabytes = std::clamp<std::size_t>(megabytes / 4, 1, *table_megabytes);
                }
                limit_memory(megabytes);
            },
            "Megabytes this process may use; what needs more is given up, with exit code 3")
        ->check(whole_number(128, 1'048'576))
        ->type_name("MB");
}

std::string_view limits_hint(bool limit_hit) {
    return limit_hit ? " (--ground-seconds and --memory set the limits)" : "";
}

std::shared_ptr<const machine::GdlGame> prepare(std::shared_ptr<const gdl::Description> description,
                                                const machine::MachineOptions& options) {
    std::shared_ptr<const machine::GdlGame> game;
    {
        // Nothing of a game is worth keeping before it is ready: whoever has nothing else to keep need not ask.
        std::optional<Interruptible> own;
        machine::MachineOptions building = options;
        if (building.interrupt == nullptr) building.interrupt = own.emplace().stop().flag;
        const Waiting waiting(fmt::format("preparing {}", description->source->name()));
        game = std::make_shared<const machine::GdlGame>(std::move(description), building);
        if (building.interrupt->load()) throw machine::LimitExceeded("interrupted");
    }
    if (!game->note().empty()) {
        tell("stratagem: {}: {}{}\n", game->name(), game->note(), limits_hint(game->limit_hit()));
    }
    return game;
}

int guarded(const std::function<int()>& work) {
    try {
        return work();
    } catch (const machine::LimitExceeded& limit) {
        if (interrupt_flag.load()) {
            tell("stratagem: interrupted\n");
            return exit_code::interrupted;
        }
        tell("stratagem: a limit was hit: {}\n", limit.what());
        return exit_code::limit;
    } catch (const machine::InvalidRules& fault) {
        tell("stratagem: these rules cannot be run: {}\n", fault.what());
        return exit_code::no;
    } catch (const machine::MachineMismatch& mismatch) {
        tell("stratagem: {}\nThis is a bug of one of them: please report it with the rules.\n", mismatch.what());
        return exit_code::no;
    } catch (const std::bad_alloc&) {
        return memory_ran_out();
    } catch (const std::system_error& fault) {
        // A thread for whose stack there is no memory.
        if (fault.code() != std::errc::resource_unavailable_try_again) throw;
        return memory_ran_out();
    }
}

const std::atomic<bool>* Interruptible::flag() { return &interrupt_flag; }

Interruptible::Interruptible() {
    interrupt_flag.store(false);
    before_ = std::signal(SIGINT, on_interrupt);
    // Who starts a program in the background of a script tells it to ignore Ctrl-C; that stays so.
    if (before_ == SIG_IGN) std::signal(SIGINT, SIG_IGN);
}

Interruptible::~Interruptible() { std::signal(SIGINT, before_ == SIG_ERR ? SIG_DFL : before_); }

Progress::Progress() : wanted_(isatty(fileno(stderr)) == 1), next_(Deadline::after(std::chrono::seconds(2))) {}

Progress::~Progress() { clear(); }

void Progress::show(const std::function<std::string()>& text) {
    if (!wanted_ || !next_.expired()) return;
    next_ = Deadline::after(std::chrono::milliseconds(250));
    shown_ = true;
    tell("\r\x1b[K{}", text());
}

void Progress::clear() {
    if (!shown_) return;
    shown_ = false;
    tell("\r\x1b[K");
}

Waiting::Waiting(std::string what) : Waiting([what = std::move(what)] { return what; }) {}

Waiting::Waiting(std::function<std::string()> what) {
    if (isatty(fileno(stderr)) != 1) return;
    thread_ = std::jthread([what = std::move(what)](const std::stop_token& stop) {
        const Deadline::Clock::time_point start = Deadline::Clock::now();
        Progress progress;
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        while (!stop.stop_requested()) {
            wake.wait_for(lock, stop, std::chrono::milliseconds(250), [] { return false; });
            const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Deadline::Clock::now() - start);
            if (!stop.stop_requested())
                progress.show([&] { return fmt::format("{} … {} s", what(), seconds.count()); });
        }
    });
}

Waiting::~Waiting() = default;  // asks the thread to stop and waits for it

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

std::string game_name(const std::string& what) {
    namespace fs = std::filesystem;
    const fs::path path(what);
    fs::path name = path.filename().empty() ? path.parent_path().filename() : path.filename();
    if (name.extension() == ".kif" || name.extension() == ".gdl" || name.extension() == ".txt") name = name.stem();
    return name.string();
}

}  // namespace stratagem::cli
