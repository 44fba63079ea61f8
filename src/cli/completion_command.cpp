// stratagem completion: scripts that teach shells what may follow on a command line of this program.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "cli/command.h"
#include "cli/completion.h"

namespace stratagem::cli {

void add_completion(CLI::App& program, Context&) {
    CLI::App& command = *program.add_subcommand("completion", "Print the completion script of a shell: bash, zsh");
    command.add_subcommand("bash", "For bash")->callback([] { fmt::print("{}", bash_completion_script()); });
    command.add_subcommand("zsh", "For zsh")->callback([] { fmt::print("{}", zsh_completion_script()); });
    CLI::App& words = *command.add_subcommand("words", "What may follow these words; for the scripts")->group("");
    const auto given = std::make_shared<std::vector<std::string>>();
    words.add_option("WORDS", *given, "After the name of the program, the last one unfinished");
    words.callback([given, &program] {
        for (const std::string& one : completions(program, *given)) fmt::print("{}\n", one);
    });
    command.require_subcommand(1);
    command.footer(examples({"source <(stratagem completion bash)",
                             "stratagem completion zsh > ~/.zsh/functions/_stratagem   # a folder in $fpath"}));
}

}  // namespace stratagem::cli
