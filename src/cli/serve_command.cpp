// stratagem serve: a player that game managers reach over the network.
#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "cli/entrants.h"
#include "cli/run_game.h"
#include "protocol/player_server.h"
#include "worker/memory.h"
#include "worker/worker_player.h"

namespace stratagem::cli {

namespace {

struct ServeOptions {
    protocol::ServerSettings server;
    std::string recipe = "best";
    std::string fallback = "uct,mcts-plain";
    std::string info_form = "list";
    double idle = 0;
    double margin = 0;
    std::size_t memory = 0;  // 0: half of what the computer has
    bool in_process = false;
};

// Of those given, the ones that are not what has failed already.
std::vector<std::string> fallbacks_of(const player::Recipe& recipe, const std::string& given) {
    std::vector<std::string> found;
    if (given == "none") return found;
    for (const std::string& text : player::split_recipes(given)) found.push_back(player::Recipe(text).text());
    if (!thinks(recipe)) found.clear();
    std::erase(found, recipe.text());
    return found;
}

void check_table(const player::Recipe& recipe, std::size_t megabytes) {
    const std::size_t table = recipe.table_megabytes().value_or(0);
    if (table <= megabytes / 2) return;
    throw OptionError(
        fmt::format("recipe '{}': a table of {} MB does not fit into the {} MB a match has to think with "
                    "(--memory, --matches)",
                    recipe.text(), table, megabytes));
}

// Every match in processes of its own, with its share of the memory.
void use_workers(protocol::ServiceSettings& service, std::size_t megabytes, const std::string& fallback) {
    worker::WorkerSettings settings;
    settings.recipe = service.recipe.text();
    settings.fallback_recipes = fallbacks_of(service.recipe, fallback);
    settings.player = service.player;
    worker::share_memory(settings, megabytes / service.matches);
    check_table(service.recipe, settings.thinker_megabytes);
    for (const std::string& text : settings.fallback_recipes) {
        check_table(player::Recipe(text), settings.thinker_megabytes);
    }
    service.make_player = [settings](player::Log log) {
        worker::WorkerSettings one = settings;
        one.player.log = std::move(log);
        return std::make_unique<worker::WorkerPlayer>(std::move(one));
    };
}

int run_serve(ServeOptions& options) {
    protocol::ServiceSettings& service = options.server.service;
    service.info_as_word = options.info_form == "word";
    service.idle = player::Seconds(options.idle);
    if (options.margin > 0) service.player.reply_margin = player::Seconds(options.margin);
    try {
        service.recipe = player::Recipe(options.recipe);
        const std::size_t megabytes = options.memory > 0 ? options.memory : worker::machine_megabytes() / 2;
        if (!options.in_process) use_workers(service, megabytes, options.fallback);
    } catch (const OptionError& fault) {
        tell("stratagem: {}\n", fault.what());
        return exit_code::usage;
    }
    service.log = [](std::string_view line) { tell("{}\n", line); };
    const BackgroundLog log_in_background;
    const Interruptible interruptible;
    protocol::PlayerServer server(options.server);
    try {
        server.open();
    } catch (const std::runtime_error& fault) {
        tell("stratagem: {}\n", fault.what());
        return exit_code::usage;
    }
    tell("{} ({}) listens on {}, port {}; Ctrl-C ends it\n", service.name, service.recipe.text(),
         options.server.address, server.port());
    while (!interruptible.interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (server.matches() > 0) tell("matches given up: {}\n", server.matches());
    server.close();
    return exit_code::success;
}

}  // namespace

void add_serve(CLI::App& program, Context& context) {
    auto* command = program.add_subcommand("serve", "Play over the network: a GGP player behind HTTP");
    auto options = std::make_shared<ServeOptions>();
    protocol::ServerSettings& server = options->server;
    command->add_option("--port", server.port, "Port to listen on; 0 for any that is free, which is printed")
        ->check(whole_number(0, 65'535))
        ->capture_default_str()
        ->type_name("N");
    command
        ->add_option("--listen", server.address,
                     "Address to listen on; 0.0.0.0 or :: for all. The default can be reached from this computer only")
        ->capture_default_str()
        ->type_name("ADDRESS");
    command->add_option("--recipe", options->recipe, "How to play (stratagem list recipes)")
        ->capture_default_str()
        ->type_name("RECIPE");
    command
        ->add_option(
            "--fallback", options->fallback,
            "Recipes to go on with, one after the other and the last by the interpreter, when the processes of "
            "--recipe fail again and again; or none")
        ->capture_default_str()
        ->type_name("RECIPE,…");
    command->add_option("--name", server.service.name, "What it is called when asked by INFO: one word")
        ->check([](const std::string& name) {
            const bool word = !name.empty() && name.find_first_of("() \t\r\n;") == std::string::npos;
            return word ? std::string() : std::string("must be one word without parentheses");
        })
        ->capture_default_str()
        ->type_name("NAME");
    command->add_option("--matches", server.service.matches, "Matches at a time; more are told BUSY")
        ->check(whole_number(1, 64))
        ->capture_default_str()
        ->type_name("N");
    command
        ->add_option("--info-form", options->info_form,
                     "How INFO is answered: list, ((name N) (status available)), or word, available")
        ->check(CLI::IsMember({"list", "word"}).description(""))
        ->capture_default_str()
        ->type_name("list|word");
    command
        ->add_option("--idle", options->idle,
                     "Seconds without a message after which a match is given up (default: the start clock and five "
                     "play clocks, at least 30)")
        ->check(real_number(0, 1'000'000))
        ->type_name("S");
    command
        ->add_option("--margin", options->margin,
                     "Seconds before the end of a clock by which answers are sent, at least (default: 0.02, and a "
                     "twentieth of the play clock up to 0.2); more for managers far away")
        ->check(real_number(0, 60))
        ->type_name("S");
    command->add_option("--threads", server.service.player.search.threads, "Threads of each match's search")
        ->check(thread_range())
        ->capture_default_str()
        ->type_name("N");
    command
        ->add_option("--table", server.service.player.search.table_megabytes,
                     "Megabytes of each match's table; half of its memory at most")
        ->check(megabyte_range())
        ->capture_default_str()
        ->type_name("MB");
    command
        ->add_option("--memory", options->memory,
                     "Megabytes of memory for all matches together (default: half of what the computer has)")
        ->check(whole_number(256, 16'777'216))
        ->type_name("MB");
    command->add_flag("--in-process", options->in_process,
                      "Think in this process, where matches can hurt each other: for debugging");
    command->add_option("--seed", server.service.player.search.seed, "Seed of everything left to chance")
        ->capture_default_str()
        ->type_name("N")
        ->check(seed_range());
    command->footer("Messages and what the player thinks are told on standard error, a line each.\n\n" +
                    examples({"stratagem serve --recipe uct",
                              "stratagem serve --port 4000 --listen 0.0.0.0 --name rook --matches 2",
                              "curl --data '(INFO)' http://localhost:9147/"}));
    command->callback([options, &context] { context.exit_code = guarded([&] { return run_serve(*options); }); });
}

}  // namespace stratagem::cli
