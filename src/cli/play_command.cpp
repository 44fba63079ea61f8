// stratagem play: a person against recipes, in the terminal or from a script.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/play_dialogue.h"
#include "cli/run_game.h"

namespace stratagem::cli {

namespace {

struct PlayOptions {
    std::string game;
    std::optional<gdl::Notation> notation;
    machine::MachineOptions machine;
    std::string as;
    std::string against = "best";
    std::string load;
    DialogueSettings play;
};

using machine::Role;
using session::PlayGame;

constexpr std::string_view nobody = "nobody";

// A path means the same from any folder.
std::string reference_to(const std::string& game) {
    std::error_code fault;
    if (!std::filesystem::exists(game, fault)) return game;
    const std::filesystem::path whole = std::filesystem::absolute(game, fault);
    return fault ? game : whole.lexically_normal().string();
}

// False: there is no such role, and that was said.
bool seat_person(const PlayGame& game, const PlayOptions& options, session::Settings& table) {
    const std::vector<Role> seats = game.seats();
    if (options.as == nobody) return true;
    if (options.as.empty() && !seats.empty()) table.person = seats.front();
    std::vector<std::string> names;
    for (const Role role : seats) {
        names.push_back(game.role_name(role));
        if (names.back() == options.as) table.person = role;
    }
    if (table.person) return true;
    tell("stratagem: --as: there is no role '{}'; there are: {}, {}\n", options.as, fmt::join(names, ", "), nobody);
    return false;
}

bool seat_others(const PlayGame& game, const PlayOptions& options, session::Settings& table) {
    const std::size_t others = game.seats().size() - (table.person ? 1 : 0);
    table.against = player::split_recipes(options.against);
    if (table.against.size() == 1) table.against.assign(others, table.against.front());
    if (table.against.size() == others || others == 0) {
        table.against.resize(others);
        return true;
    }
    tell("stratagem: --against names {} players, and there are {} other roles\n", table.against.size(), others);
    return false;
}

// While something is thought about: Ctrl-C ends the thought, and from two seconds on its time is shown.
struct Thinking {
    explicit Thinking(const std::string& what) : waiting(what) {}

    Interruptible interruptible;
    Waiting waiting;
};

// Lines until the session or the input ends. What a script says is repeated, so that its transcript can be read.
void converse(PlayDialogue& dialogue, bool somebody_types) {
    while (!dialogue.finished()) {
        fmt::print("{}", dialogue.prompt());
        flush_output();
        std::string line;
        if (!std::getline(std::cin, line)) {
            fmt::print("\nNo more input: the game is left after {}.\n", steps_text(dialogue.session().game().steps()));
            return;
        }
        if (!somebody_types) fmt::print("{}\n", line);
        flush_output();
        dialogue.hear(line);
    }
}

int refuse(const std::string& file, const std::string& problem) {
    tell("stratagem: {} cannot be taken up: {}\n", file, problem);
    return exit_code::usage;
}

int run_play(PlayOptions options, Context& context) {
    std::optional<session::SavedGame> saved;
    if (!options.load.empty()) {
        std::string problem;
        saved = session::load_saved_game(options.load, problem);
        if (!saved) return refuse(options.load, problem);
        if (options.game.empty()) options.game = saved->game;
        // Until the session has looked at the file, nobody sits anywhere.
        options.as = nobody;
        options.against = "legal";
    }
    if (options.game.empty()) {
        tell("stratagem: play needs a game, or --load with a saved one; see stratagem play --help\n");
        return exit_code::usage;
    }
    if (options.game == "-" && (options.as != nobody || saved)) {
        tell("stratagem: moves are read from standard input, so the rules cannot be; give a file\n");
        return exit_code::usage;
    }
    const std::shared_ptr<const gdl::Description> description = load(options.game, context, options.notation);
    if (!description) return context.exit_code;
    const std::shared_ptr<const machine::Game> prepared = prepare(description, options.machine);

    DialogueSettings play = options.play;
    play.title = game_name(options.game);
    play.table.game = reference_to(options.game);
    play.colour = use_colour(stdout);
    play.width = std::min<std::size_t>(terminal_width(), 120);
    const PlayGame game(prepared);
    if (!seat_person(game, options, play.table) || !seat_others(game, options, play.table)) return exit_code::usage;

    DialogueWorld world;
    world.print = [](std::string_view text) {
        fmt::print("{}", text);
        flush_output();
    };
    world.thinking = [](const std::string& what) { return std::make_shared<Thinking>(what); };
    world.interrupt = Interruptible().stop().flag;
    try {
        PlayDialogue dialogue(prepared, play, world);
        if (saved) {
            if (const std::string problem = dialogue.session().resume(*saved); !problem.empty()) {
                return refuse(options.load, problem);
            }
        }
        dialogue.begin();
        const bool watched = dialogue.finished();
        if (!watched) converse(dialogue, isatty(fileno(stdin)) == 1);
        return watched && !dialogue.session().game().over() ? exit_code::interrupted : exit_code::success;
    } catch (const OptionError& fault) {
        tell("stratagem: {}\n", fault.what());
        return exit_code::usage;
    }
}

}  // namespace

void add_play(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand("play", "Play a game yourself, in the terminal");
    const auto options = std::make_shared<PlayOptions>();
    command.add_option("FILE", options->game, "Path, bundled game or repository folder");
    CLI::Option* as =
        command.add_option("--as", options->as, "Your role; nobody: watch the others (default: the first role)")
            ->type_name("ROLE");
    CLI::Option* against =
        command
            .add_option("--against", options->against,
                        "Recipes of the other roles in their order, or one for all (stratagem list recipes)")
            ->type_name("RECIPE,…")
            ->capture_default_str();
    CLI::Option* clock = command.add_option("--clock", options->play.table.clock, "Seconds they think about a move")
                             ->check(seconds_range())
                             ->type_name("S")
                             ->capture_default_str();
    CLI::Option* hints = command.add_option("--hints", options->play.table.hints, "Recipe that gives you hints")
                             ->type_name("RECIPE")
                             ->capture_default_str();
    CLI::Option* seed = command.add_option("--seed", options->play.table.seed, "Of the recipes and of chance")
                            ->capture_default_str()
                            ->check(seed_range());
    command.add_option("--load", options->load, "Go on with a game put away by the command save")
        ->type_name("SAVE")
        ->excludes(as)
        ->excludes(against)
        ->excludes(clock)
        ->excludes(hints)
        ->excludes(seed);
    command.add_option("--threads", options->play.table.threads, "Of each search")
        ->check(thread_range())
        ->capture_default_str();
    add_machine_option(command, options->machine);
    add_limit_options(command, options->machine);
    add_notation_option(command, options->notation);
    command.footer(
        examples({"stratagem play connect_four", "stratagem play tic_tac_toe --as o --against uct --clock 1",
                  "stratagem play breakthrough --as nobody --against best,blind",
                  "stratagem play --load my_game.json"}) +
        "\nType a move by its number, its text or its beginning; help lists the commands: undo, hint, why, save …\n"
        "Moves may come from a script too: printf '1\\n2\\nundo\\n' | stratagem play tic_tac_toe\n"
        "Ctrl-C while the other side thinks makes it move at once.");
    command.callback([options, &context] { context.exit_code = guarded([&] { return run_play(*options, context); }); });
}

}  // namespace stratagem::cli
