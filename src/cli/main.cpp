// The program `stratagem`: one subcommand per file of this folder.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <system_error>

#include "build_info.h"
#include "cli/command.h"
#include "cli/usage.h"

namespace {

int run(int argc, char** argv) {
    using namespace stratagem::cli;
    if (argc == 1) return showcase();

    CLI::App program{
        "Stratagem, a general game player: give it the rules of any game and it works out how to play.\n"
        "Without arguments it shows itself.",
        "stratagem"};
    program.set_version_flag("--version", fmt::format("stratagem {}", stratagem::build_info::version));
    program.require_subcommand(1);
    program.formatter(std::make_shared<HelpFormat>());
    program.footer(
        "FILE is a path, the name of a bundled game (stratagem list games), a folder of the public game\n"
        "repository, or - for standard input. 'stratagem COMMAND --help' explains a command.\n"
        "Exit codes: 0 success, 1 the answer is no, 2 wrong usage or unreadable input, 3 a limit was hit.");
    Context context;
    add_check(program, context);
    add_format(program, context);
    add_scramble(program, context);
    add_list(program, context);
    add_show(program, context);
    add_replay(program, context);
    add_view(program, context);
    add_perft(program, context);
    add_bench(program, context);
    add_analyze(program, context);
    add_evaluate(program, context);
    add_learn(program, context);
    add_match(program, context);
    add_play(program, context);
    add_serve(program, context);
    add_tournament(program, context);
    add_host(program, context);
    add_lab(program, context);
    add_worker(program, context);
    add_completion(program, context);
    add_help(program, context);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& fault) {
        if (fault.get_exit_code() != 0) {
            tell("{}", usage_fault(program, fault));
            return exit_code::usage;
        }
        std::ostringstream help;  // or version
        program.exit(fault, help, help);
        fmt::print("{}", help.str());
    }
    return context.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
    stratagem::guard_standard_streams();
    try {
        return stratagem::cli::finish_output(run(argc, argv));
    } catch (const std::bad_alloc&) {
        return stratagem::cli::memory_ran_out();
    } catch (const std::exception& fault) {
        const auto* system = dynamic_cast<const std::system_error*>(&fault);  // what printing throws
        if (system != nullptr && std::ferror(stdout) != 0) {
            return stratagem::cli::output_failed(system->code().value());
        }
        // Nothing a user does should end here.
        stratagem::cli::tell("stratagem: internal error: {}\nPlease report this with the command and its input.\n",
                             fault.what());
        return stratagem::cli::exit_code::bug;
    }
}
