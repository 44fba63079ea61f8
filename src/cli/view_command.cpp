// stratagem view: a recorded match, step by step.
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "cli/ranges.h"
#include "cli/record_source.h"
#include "cli/run_game.h"
#include "view/record_view.h"

namespace stratagem::cli {

namespace {

struct ViewOptions {
    std::string record;
    RecordChoice choice;
    std::string game;
    std::optional<gdl::Notation> notation;
    std::optional<std::size_t> step;
    bool json = false;
};

// Keys come one by one and are not shown, and what was on the screen comes back in the end.
class Screen {
  public:
    Screen() : usable_(tcgetattr(STDIN_FILENO, &before_) == 0) {
        if (!usable_) return;
        termios raw = before_;
        raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);
        raw.c_cc[VMIN] = 1;
        raw.c_cc[VTIME] = 0;
        usable_ = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
        if (usable_) fmt::print("\x1b[?1049h");
    }
    ~Screen() {
        if (!usable_) return;
        std::fputs("\x1b[?1049l", stdout);
        std::fflush(stdout);
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
    }
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    bool usable() const { return usable_; }

    void show(const std::string& text) const {
        fmt::print("\x1b[H\x1b[2J{}", text);
        std::fflush(stdout);
    }

  private:
    termios before_{};
    bool usable_;
};

enum class Key : std::uint8_t { next, previous, first, last, enter, erase, quit, other };
struct Pressed {
    Key key = Key::other;
    char digit = 0;  // if it was one
};

class Keyboard {
  public:
    Pressed wait() {
        const std::optional<char> c = byte();
        if (!c) return {Key::quit};
        if (*c >= '0' && *c <= '9') return {Key::other, *c};
        switch (*c) {
            case 'n':
            case ' ':
            case 'j':
                return {Key::next};
            case 'p':
            case 'b':
            case 'k':
                return {Key::previous};
            case 'f':
            case 'g':
                return {Key::first};
            case 'l':
            case 'G':
                return {Key::last};
            case '\r':
            case '\n':
                return {Key::enter};
            case 0x7F:
            case '\b':
                return {Key::erase};
            case 'q':
            case 3:  // Ctrl-C and Ctrl-D, which mean nothing else while keys come one by one
            case 4:
                return {Key::quit};
            case 0x1B:
                return arrow();
            default:
                return {};
        }
    }

  private:
    static std::optional<char> byte() {
        char c = 0;
        for (;;) {
            const ssize_t got = ::read(STDIN_FILENO, &c, 1);
            if (got == 1) return c;
            if (got == 0 || errno != EINTR) return std::nullopt;
        }
    }

    // The rest of what cursor keys send: "[C", "OC", "[5~".
    static Pressed arrow() {
        const std::optional<char> kind = byte();
        if (!kind) return {Key::quit};
        if (*kind != '[' && *kind != 'O') return {};
        const std::optional<char> which = byte();
        if (!which) return {Key::quit};
        switch (*which) {
            case 'B':
            case 'C':
                return {Key::next};
            case 'A':
            case 'D':
                return {Key::previous};
            case 'H':
                return {Key::first};
            case 'F':
                return {Key::last};
            default:
                break;
        }
        if (*which < '0' || *which > '9') return {};
        std::optional<char> end = which;
        while (end && *end != '~' && *end < 0x40) end = byte();
        switch (*which) {
            case '6':
                return {Key::next};
            case '5':
                return {Key::previous};
            case '1':
            case '7':
                return {Key::first};
            case '4':
            case '8':
                return {Key::last};
            default:
                return {};
        }
    }
};

// What can be known of a game for drawing it; where its rules cannot be run, the order of coordinates alone and a
// message. A record that has no states gets them, as far as its moves are legal.
view::BoardEvidence evidence_of(const std::shared_ptr<const gdl::Description>& rules, arena::MatchRecord& record) {
    try {
        const auto game = prepare(rules, {});
        if (record.states.empty()) view::add_states(record, *game);
        return view::look_at(*game);
    } catch (const std::runtime_error& fault) {
        tell("stratagem: {}: boards are drawn from the record alone: {}\n", record.game, fault.what());
        view::BoardEvidence evidence;
        evidence.order = view::CoordinateOrder(*machine::GdlGame::at_once(rules));
        return evidence;
    }
}

void step_through(const view::RecordView& match, std::size_t step) {
    const Screen screen;
    if (!screen.usable()) return;
    Keyboard keyboard;
    std::string typed;
    const std::size_t last = match.positions() - 1;
    for (;;) {
        const view::TextStyle style{.colour = use_colour(stdout), .legend = true, .width = terminal_width()};
        screen.show(fmt::format("{}\n{}\n{}", match.heading(), match.position(step, style),
                                typed.empty() ? "next: n, space or →   previous: p or ←   first: f   last: l   "
                                                "a number and Enter: there   quit: q\n"
                                              : fmt::format("go to {}", typed)));
        const Pressed pressed = keyboard.wait();
        if (pressed.digit != 0) {
            if (typed.size() < 9) typed += pressed.digit;
            continue;
        }
        if (pressed.key == Key::erase) {
            if (!typed.empty()) typed.pop_back();
            continue;
        }
        if (pressed.key == Key::enter && !typed.empty()) {
            step = std::min<std::size_t>(std::stoul(typed), last);
            typed.clear();
            continue;
        }
        typed.clear();
        if (pressed.key == Key::quit) return;
        if (pressed.key == Key::next || pressed.key == Key::enter) step = std::min(step + 1, last);
        if (pressed.key == Key::previous && step > 0) --step;
        if (pressed.key == Key::first) step = 0;
        if (pressed.key == Key::last) step = last;
    }
}

int show(FoundRecord& found, const ViewOptions& options, Context& context) {
    std::shared_ptr<const gdl::Description> rules;
    if (!options.game.empty()) {
        rules = load(options.game, context, options.notation);
        if (!rules) return context.exit_code;
    } else {
        rules = rules_of(found.record, found.place);
        if (!rules && !found.record.states.empty()) {
            tell("stratagem: {}: the rules of {} are not known, so boards may be drawn less well; --game names them\n",
                 found.place, found.record.game.empty() ? "this game" : found.record.game);
        }
    }
    view::BoardEvidence evidence = rules ? evidence_of(rules, found.record) : view::BoardEvidence{};
    const view::RecordView match(std::move(found.record), std::move(evidence));
    if (options.step && *options.step >= match.positions()) {
        tell("stratagem: {}: there is no step {}; the last is {}\n", found.place, *options.step, match.positions() - 1);
        return exit_code::usage;
    }
    if (options.json) {
        const std::size_t first = options.step.value_or(0);
        const std::size_t end = options.step ? first + 1 : match.positions();
        for (std::size_t step = first; step < end; ++step) print_json(match.position_json(step));
        return exit_code::success;
    }
    if (isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1) {
        step_through(match, options.step.value_or(0));
        return exit_code::success;
    }
    fmt::print("{}", match.heading());
    if (options.step) {
        fmt::print("\n{}", match.position(*options.step, {use_colour(stdout), true}));
        return exit_code::success;
    }
    for (std::size_t step = 0; step < match.positions(); ++step) {
        fmt::print("\n{}", match.position(step, {use_colour(stdout), step == 0}));
    }
    return exit_code::success;
}

void list(const FoundRecord& found, const ViewOptions& options) {
    const arena::MatchRecord& record = found.record;
    if (options.json) {
        nlohmann::json object{{"number", found.number},       {"match", record.match_id},       {"game", record.game},
                              {"roles", record.roles},        {"players", record.player_names}, {"goals", record.goals},
                              {"steps", record.moves.size()}, {"completed", record.completed}};
        if (found.run != 0) object["run"] = found.run;
        print_json(object);
        return;
    }
    std::string players;
    for (std::size_t role = 0; role < record.player_names.size(); ++role) {
        players += fmt::format("{}{}", players.empty() ? "" : ", ", record.player_names[role]);
        if (role < record.goals.size()) players += fmt::format(" {}", record.goals[role]);
    }
    std::string line = fmt::format("{:>5}{}  {}  {}  {} moves{}", found.number,
                                   found.run != 0 ? fmt::format(" (run {})", found.run) : "", record.game, players,
                                   record.moves.size(), record.completed ? "" : ", not ended");
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    }
    fmt::print("{}\n", line);
}

int run_view(const ViewOptions& options, Context& context) {
    // One match is shown; of several, what there is to choose from.
    std::optional<FoundRecord> first;
    bool several = false;
    bool damaged = false;
    try {
        each_record(
            options.record, options.choice,
            [&](const FoundRecord& found) {
                if (!first) {
                    first = found;
                    return true;
                }
                if (!several) list(*first, options);
                several = true;
                list(found, options);
                return true;
            },
            [&](const std::string& problem) {
                tell("stratagem: {}\n", problem);
                damaged = true;
            });
    } catch (const std::runtime_error& fault) {  // of records, stores and files
        tell("stratagem: {}\n", fault.what());
        return exit_code::usage;
    }
    if (several) tell("stratagem: choose one of these with --match\n");
    int code = exit_code::success;
    if (first && !several) code = show(*first, options, context);
    return code == exit_code::success && damaged ? exit_code::usage : code;
}

}  // namespace

void add_view(CLI::App& program, Context& context) {
    CLI::App& command = *program.add_subcommand("view", "Look at a recorded match, step by step");
    const auto options = std::make_shared<ViewOptions>();
    command
        .add_option("RECORD", options->record,
                    "A record of 'match --json-dir' or of a public manager, a database of 'match --record' or "
                    "'tournament', a file of traces, or a folder of records")
        ->required();
    command.add_option("--match", options->choice.match, "Which of several: its number, or its id")->type_name("MATCH");
    command.add_option("--run", options->choice.run, "Of a database with several runs")
        ->check(whole_number(1, 1'000'000'000))
        ->type_name("NUMBER");
    command.add_option("--game", options->game, "The rules, where the record does not hold them: as FILE elsewhere")
        ->type_name("FILE");
    add_notation_option(command, options->notation);
    command.add_option("--step", options->step, "Only the position after so many steps; in a terminal, the first")
        ->check(whole_number(0, 1'000'000'000))
        ->type_name("N");
    command.add_flag("--json", options->json, "One JSON object for each position and line");
    command.footer(
        examples({"stratagem match connect_four --players uct,flux --json-dir records && stratagem view records",
                  "stratagem view cup.db --match 12", "stratagem view record.json --step 5"}) +
        "\nIn a terminal: n, space or → next, p or ← previous, f first, l last, a number and Enter to go there, q "
        "quit.\n"
        "In a pipe, all positions are printed. Without --match, several matches are listed. Exit code 2 for what is "
        "damaged.");
    command.callback([options, &context] { context.exit_code = guarded([&] { return run_view(*options, context); }); });
}

}  // namespace stratagem::cli
