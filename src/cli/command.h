// What the subcommands share. Each command is one file with one function that adds it to the program; the only state
// is the exit code the chosen command leaves behind.
#pragma once

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <string>

#include "cli/ranges.h"
#include "cli/tell.h"
#include "gdl/read.h"

namespace stratagem::cli {

// As promised in the documentation of the command line.
namespace exit_code {
inline constexpr int success = 0;
inline constexpr int no = 1;     // the answer is "no": invalid rules, mismatch found
inline constexpr int usage = 2;  // wrong usage, unreadable input, or output that cannot be written
inline constexpr int limit = 3;  // time or memory ran out
inline constexpr int bug = 70;
inline constexpr int interrupted = 130;  // Ctrl-C; what was found by then was printed
}  // namespace exit_code

struct Context {
    int exit_code = exit_code::success;
};

void add_check(CLI::App& program, Context& context);
void add_format(CLI::App& program, Context& context);
void add_scramble(CLI::App& program, Context& context);
void add_list(CLI::App& program, Context& context);
void add_show(CLI::App& program, Context& context);
void add_replay(CLI::App& program, Context& context);
void add_view(CLI::App& program, Context& context);
void add_perft(CLI::App& program, Context& context);
void add_bench(CLI::App& program, Context& context);
void add_bench_search(CLI::App& bench, Context& context);
void add_analyze(CLI::App& program, Context& context);
void add_evaluate(CLI::App& program, Context& context);
void add_learn(CLI::App& program, Context& context);
void add_match(CLI::App& program, Context& context);
void add_play(CLI::App& program, Context& context);
void add_serve(CLI::App& program, Context& context);
void add_tournament(CLI::App& program, Context& context);
void add_host(CLI::App& program, Context& context);
void add_lab(CLI::App& program, Context& context);
void add_lab_resolution(CLI::App& lab, Context& context);
void add_lab_spread(CLI::App& lab, Context& context);
void add_lab_features(CLI::App& lab, Context& context);
void add_lab_stages(CLI::App& lab, Context& context);
void add_lab_structures(CLI::App& lab, Context& context);
void add_lab_heuristics(CLI::App& lab, Context& context);
void add_lab_selection(CLI::App& lab, Context& context);
void add_lab_learning(CLI::App& lab, Context& context);
void add_worker(CLI::App& program, Context& context);

void add_help(CLI::App& program, Context& context);
void add_completion(CLI::App& program, Context& context);

// What a first visitor sees: `stratagem` without arguments.
int showcase();

// Adds the option --syntax {kif,infix}; without it the notation is guessed.
void add_notation_option(CLI::App& command, std::optional<gdl::Notation>& notation);

// Finds, reads and checks a game for a command that needs valid rules. Errors go to standard error, warnings too if
// wanted; null is returned and the exit code set when the game cannot be used.
std::shared_ptr<const gdl::Description> load(const std::string& game, Context& context,
                                             std::optional<gdl::Notation> notation = {}, bool show_warnings = false);

// One JSON object on one line. Bytes that are no UTF-8 are replaced: names of a game may hold any.
void print_json(const nlohmann::json& object);

// Whether to colour what goes to this stream: a terminal, and NO_COLOR not set.
bool use_colour(std::FILE* stream);

// Of the terminal that standard output is; 80 where it is none.
std::size_t terminal_width();

// What was printed so far arrives now. Throws std::system_error, as printing does, when it cannot.
void flush_output();

// The same, but work goes on when it cannot: what is wrong is remembered for the end of the program.
void try_flush_output();

// The end of the program: the exit code, or another, with a message, when what was printed cannot be written.
int finish_output(int code);

// Says that memory ran out, and whether it was --memory that bounded it.
int memory_ran_out();

// Says that standard output could not be written. Where its reader is gone, as in `stratagem … | head -1`, the program
// ends quietly, as programs do.
int output_failed(int error);

// For descriptions of commands: an example, indented, under a heading.
std::string examples(std::initializer_list<std::string_view> lines);

}  // namespace stratagem::cli
