// What the subcommands that run games share: choosing a machine, stopping, progress, the cost in memory.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "cli/command.h"
#include "machine/gdl_game.h"
#include "machine/stop.h"
#include "util/number_text.h"

namespace stratagem::cli {

// Lanes play random games and answer nothing else.
enum class MachineUse { questions, playouts };

// Adds the option --machine; an unknown name is wrong usage, and the message lists those there are.
void add_machine_option(CLI::App& command, machine::MachineOptions& options, MachineUse use = MachineUse::questions);

// Adds the options --ground-seconds and --memory. Add them after the option that sets the size of a search's table, if
// there is one: the table gets its share of the memory.
void add_limit_options(CLI::App& command, machine::MachineOptions& options, std::size_t* table_megabytes = nullptr);

// What to say to people behind a note of a game: which options set the limit it has hit, if it has.
std::string_view limits_hint(bool limit_hit);

// Prepares a game, telling on standard error when it will run otherwise than asked for. Ctrl-C ends it by
// LimitExceeded, also where the options have no flag for it.
std::shared_ptr<const machine::GdlGame> prepare(std::shared_ptr<const gdl::Description> description,
                                                const machine::MachineOptions& options);

// Runs a command's work; limits, disagreeing machines and rules without meaning become messages and exit codes.
int guarded(const std::function<int()>& work);

// While it lives, Ctrl-C sets a flag instead of ending the program; a second Ctrl-C ends it after all.
class Interruptible {
  public:
    Interruptible();
    ~Interruptible();
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

    bool interrupted() const { return flag()->load(); }
    machine::Stop stop(Deadline deadline = Deadline::never()) const { return {deadline, flag()}; }
    // What Ctrl-C sets while one of these lives; for what is made ready before one does.
    static const std::atomic<bool>* flag();

  private:
    void (*before_)(int);
};

// A line on standard error that is written over, from two seconds on and only if somebody is there to see it.
class Progress {
  public:
    Progress();
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Cheap enough to be called often; shows a few lines a second at most.
    void show(const std::function<std::string()>& text);
    // Takes the line away, before something else is printed.
    void clear();

  private:
    bool wanted_;
    bool shown_ = false;
    Deadline next_;
};

// Shows how long something has been going on, while this lives. A thread, and only if somebody is there to see it.
class Waiting {
  public:
    explicit Waiting(std::string what);
    // For what changes meanwhile; asked by the thread.
    explicit Waiting(std::function<std::string()> what);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

  private:
    std::jthread thread_;
};

// The most memory this process ever held.
double peak_megabytes();

// "connect_four" of a path, a name or a folder; what results are filed under.
std::string game_name(const std::string& what);

}  // namespace stratagem::cli
