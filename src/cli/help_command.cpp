// stratagem help, version and man: what the program says of itself.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "build_info.h"
#include "cli/command.h"
#include "cli/man_page.h"
#include "cli/program_map.h"
#include "cli/usage.h"

namespace stratagem::cli {

namespace {

int print_help(const CLI::App& program, const std::vector<std::string>& words) {
    const CLI::App* app = &program;
    for (const std::string& word : words) {
        const CLI::App* inner = find_command(*app, word);
        if (inner == nullptr) {
            tell("stratagem help: {}\nSee 'stratagem --help'.\n", unknown_command(*app, word));
            return exit_code::usage;
        }
        app = inner;
    }
    fmt::print("{}", help_text(*app));
    return exit_code::success;
}

}  // namespace

void add_help(CLI::App& program, Context& context) {
    CLI::App& help = *program.add_subcommand("help", "Explain the program, or a command");
    const auto words = std::make_shared<std::vector<std::string>>();
    help.add_option("COMMAND", *words, "Which one");
    help.footer(examples({"stratagem help", "stratagem help match", "stratagem help bench playouts"}));
    help.callback([words, &program, &context] { context.exit_code = print_help(program, *words); });

    CLI::App& version = *program.add_subcommand("version", "Print the version");
    version.footer(examples({"stratagem version"}));
    version.callback([] { fmt::print("stratagem {}\n", build_info::version); });

    CLI::App& man = *program.add_subcommand("man", "Print the manual page, for man")->group("");
    man.footer(examples({"stratagem man | man -l -"}));
    man.callback([&program] { fmt::print("{}", man_page(program)); });
}

}  // namespace stratagem::cli
