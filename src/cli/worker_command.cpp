// stratagem worker: the other side of a match that thinks in processes of its own. Started by this program, not by
// people, and therefore in no list of commands.
#include <unistd.h>

#include "cli/command.h"
#include "worker/host.h"

namespace stratagem::cli {

void add_worker(CLI::App& program, Context&) {
    auto* command = program.add_subcommand("worker", "Play one match for the program that started this");
    command->group("");
    auto settings = std::make_shared<worker::HostSettings>();
    settings->socket = STDIN_FILENO;
    command->add_option("--parent", settings->parent, "The process that started this, without which it ends");
    command->add_option("--memory", settings->megabytes, "Megabytes that may be taken; 0 for all there are");
    command->callback([settings] { worker::run_host(*settings); });
}

}  // namespace stratagem::cli
