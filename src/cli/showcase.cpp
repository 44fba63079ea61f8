// `stratagem` without arguments: what it can do, in some seconds, with no input and no terminal needed.
//
// A game is read, what was found out about it is said, and two players meet on a board drawn after each move. Their
// thinking is bounded by counts, with the clock only as a safety net, so that the match is the same on every computer
// that is not very slow.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/analysis.h"
#include "build_info.h"
#include "cli/command.h"
#include "cli/run_game.h"
#include "gdl/game_file.h"
#include "machine/single_playouts.h"
#include "session/adviser.h"
#include "session/play_game.h"
#include "view/board.h"
#include "view/explanation.h"
#include "view/text_picture.h"

namespace stratagem::cli {

namespace {

constexpr std::string_view showcase_game = "connect_four";
constexpr std::array<std::string_view, 2> recipes{"best", "blind"};  // by role
constexpr std::uint64_t seed = 1;
constexpr std::uint64_t effort = 10'000;  // states looked at for each move
constexpr std::chrono::milliseconds longest_thought{1000};
constexpr std::uint32_t sample = 2'000'000;  // random games
constexpr std::chrono::milliseconds longest_sample{1000};
constexpr std::chrono::seconds longest_analysis{3};
constexpr std::size_t boards_in_a_row = 3;
constexpr std::size_t text_width = 100;

using machine::Move;
using machine::Role;
using session::PlayGame;

struct Ply {
    view::Thought thought;
    std::size_t step = 0;  // counted from 1
};

// Pictures with a line above each, side by side.
class Strip {
  public:
    explicit Strip(bool colour) : colour_(colour) {}

    void add(std::string title, const view::Picture& picture) {
        view::Lines& lines = blocks_.emplace_back();
        lines.emplace_back(std::move(title));
        for (view::Line& line : view::lay_out(picture, {.others = false})) lines.push_back(std::move(line));
    }
    bool full() const { return blocks_.size() == boards_in_a_row; }
    void flush() {
        if (blocks_.empty()) return;
        view::Lines shown;
        for (const view::Line& line : view::side_by_side(blocks_, boards_in_a_row)) {
            shown.emplace_back("  ").add(line);
        }
        fmt::print("{}\n", view::to_terminal(shown, colour_));
        flush_output();
        blocks_.clear();
    }

  private:
    bool colour_;
    std::vector<view::Lines> blocks_;
};

void say(const std::string& text) { fmt::print("{}", view::wrapped_text(text, text_width)); }

void show_facts(const analysis::Analysis& known) {
    const machine::MachineStatistics& found = known.game()->statistics();
    say(fmt::format(
        "Worked out in {:.0f} ms: {} roles, {} fluents (facts a state may hold), {} moves; {} ground rules, "
        "which make a circuit of {} gates.",
        1000 * found.build_seconds, found.roles, found.fluents, found.moves, found.ground_rules, found.gates));
    const analysis::GameKind facts = known.kind({Deadline::after(longest_sample), nullptr});
    say(
        fmt::format("Seen in {} random games: {} of {} roles choose, {}, and {}; {:.1f} joint moves a state, {:.0f} "
                    "moves a game, {} at most.",
                    facts.games, facts.players, facts.roles, holds(facts.turn_taking) ? "in turns" : "at the same time",
                    holds(facts.two_player_zero_sum) ? "what one wins the other loses" : "their points do not add up",
                    facts.branching, facts.length, facts.longest));
}

// What holds in every state that can come up, not only in those seen.
void show_proofs(const analysis::Analysis& asked) {
    using analysis::Verdict;
    const auto start = Deadline::Clock::now();
    const analysis::Findings found = asked.ask(analysis::Items::all(), {Deadline::after(longest_analysis), nullptr});
    std::vector<std::string> proved;
    if (found.kind().turn_taking == Verdict::proved) proved.emplace_back("nobody ever has a choice out of turn");
    if (found.goal_sum().constant == Verdict::proved) {
        proved.push_back(fmt::format("points always add up to {}", *found.goal_sum().sum));
    }
    for (const analysis::Structure& one : found.structures()) {
        if (one.verdict != Verdict::proved || one.kind != analysis::Structure::Kind::board) continue;
        const std::string name(found.program()->terms.symbols().name(found.families()[one.family].name));
        proved.push_back(fmt::format("every {} has one content at a time", name));
    }
    const auto stays = std::ranges::count(found.persistence().stays, Verdict::proved);
    if (stays > 0) proved.push_back(fmt::format("{} fluents stay for good once they hold", stays));
    if (proved.empty()) return;
    std::string text = fmt::format("Proved in {:.0f} ms: ",
                                   std::chrono::duration<double, std::milli>(Deadline::Clock::now() - start).count());
    for (std::size_t i = 0; i < proved.size(); ++i) text += (i == 0 ? "" : "; ") + proved[i];
    say(text + ".");
}

// What moving first is worth when everybody plays at random.
void show_advantage(const machine::Game& shown, PlayGame& played) {
    const std::unique_ptr<machine::Playouts> playouts = shown.make_playouts(seed);
    const machine::State start = played.machine().initial();
    const std::array requests{machine::PlayoutRequest{&start, sample}};
    std::array<machine::PlayoutResult, 1> results;
    const auto begin = Deadline::Clock::now();
    playouts->play(requests, results, {Deadline::after(longest_sample), nullptr});
    const double seconds = std::chrono::duration<double>(Deadline::Clock::now() - begin).count();
    std::vector<std::string> means;
    double others = 0;
    for (std::uint32_t role = 0; role < played.role_count(); ++role) {
        const double mean = results[0].mean(role);
        means.push_back(fmt::format("{} {:.1f}", played.role_name(Role{role}), mean));
        if (role > 0) others = std::max(others, mean);
    }
    const double advantage = results[0].mean(0) - others;
    say(fmt::format("{} more, {:.1f} million a second: {} points on average, so that moving first {}.",
                    with_commas(results[0].finished), 1e-6 * results[0].finished / std::max(seconds, 1e-9),
                    fmt::join(means, ", "),
                    advantage > 1    ? "helps"
                    : advantage < -1 ? "harms"
                                     : "makes no difference"));
}

// Plays the match and draws it; what was thought on the way.
std::vector<Ply> show_match(const std::shared_ptr<const machine::Game>& shown, PlayGame& played) {
    std::vector<std::unique_ptr<session::Adviser>> players;
    for (std::uint32_t role = 0; role < played.role_count(); ++role) {
        session::AdviserSettings settings;
        settings.seed = seed + role;
        settings.table_megabytes = 32;
        settings.solve_seconds = 0;  // it would take longer than anybody watches
        players.push_back(std::make_unique<session::Adviser>(std::string(recipes[role % recipes.size()]), shown,
                                                             Role{role}, settings));
        players.back()->prepare();
        say(fmt::format("{} is played by {}: {}.", played.role_name(Role{role}), players.back()->recipe(),
                        player::find_recipe(players.back()->recipe())->about));
    }
    fmt::print("\n");
    const view::Board board(view::look_at(*shown));
    Strip strip(use_colour(stdout));
    std::vector<Ply> plies;
    while (!played.over()) {
        std::vector<Move> joint;
        for (std::uint32_t role = 0; role < played.role_count(); ++role) {
            joint.push_back(played.legal(Role{role}).front());
            if (!played.chooses(Role{role})) continue;
            search::Budget budget;
            budget.max_nodes = effort;
            budget.stop.deadline = Deadline::after(longest_thought);
            search::Choice choice = players[role]->choose(played.state(), budget);
            if (choice.move) joint.back() = *choice.move;
            plies.push_back(
                {{players[role]->recipe(), Role{role}, played.state(), std::move(choice), false}, played.steps() + 1});
        }
        const view::FluentTexts before = view::fluents_of(played.machine(), played.state());
        std::string title =
            fmt::format("{}. {}", played.steps() + 1, view::describe(played.machine(), played.state(), joint));
        played.step(joint);
        strip.add(std::move(title), board.picture(view::fluents_of(played.machine(), played.state()), &before));
        if (strip.full()) strip.flush();
    }
    strip.flush();
    return plies;
}

void show_result(PlayGame& played) {
    fmt::print("The game is over after {} moves:", played.steps());
    for (std::uint32_t role = 0; role < played.role_count(); ++role) {
        const std::optional<int> goal = played.goal(Role{role});
        fmt::print("{} {} {}", role == 0 ? "" : ",", played.role_name(Role{role}),
                   goal ? std::to_string(*goal) : "no value");
    }
    fmt::print(" (of 100).\n");
}

// Where it was decided: the first move at which the better player knew, and what the other thought then.
void show_decision(PlayGame& played, const std::vector<Ply>& plies) {
    std::optional<Role> winner;
    for (std::uint32_t role = 0; role < played.role_count(); ++role) {
        const auto points = [&](Role one) { return played.goal(one).value_or(0); };
        if (!winner || points(Role{role}) > points(*winner)) winner = Role{role};
    }
    const int best = winner ? played.goal(*winner).value_or(0) : 0;
    const auto decisive = std::ranges::find_if(plies, [&](const Ply& ply) {
        return ply.thought.role == winner && ply.thought.choice.proved && ply.thought.choice.value >= best;
    });
    if (decisive == plies.end()) {
        if (plies.empty()) return;
        fmt::print("Nothing was proved before the end. The last thought:\n{}",
                   view::to_text(view::explain(played.machine(), plies.back().thought), text_width));
        return;
    }
    say(fmt::format("It was decided at move {}, {} moves before the end, when {} had proved what it would get:",
                    decisive->step, played.steps() - decisive->step, decisive->thought.thinker));
    fmt::print("{}", view::to_text(view::explain(played.machine(), decisive->thought), text_width));
    const auto other = std::find_if(std::make_reverse_iterator(decisive), plies.rend(),
                                    [&](const Ply& ply) { return ply.thought.role != *winner; });
    if (other != plies.rend()) {
        say(fmt::format("One move before, {} {}: {} for {}.", other->thought.thinker,
                        other->thought.choice.proved ? "had seen it coming" : "had still thought",
                        view::value_text(other->thought.choice), played.role_name(other->thought.role)));
    }
}

int show_all() {
    const gdl::GameText text = gdl::find_game(std::string(showcase_game));
    if (!text.ok()) {
        tell("stratagem: {}\n", text.error);
        return exit_code::usage;
    }
    fmt::print("Stratagem {}, a general game player: rules in, play out.\n\n", build_info::version);

    gdl::ReadResult result = gdl::read_and_check(text.name, text.text);
    fmt::print("Reading the bundled game {}: {} rules, {} errors, {} warnings.\n", showcase_game,
               result.description.rules.size(), result.diagnostics.errors(), result.diagnostics.warnings());
    if (!result.ok()) {
        tell("stratagem: {} is not as it was delivered; 'stratagem check {}' says more\n", showcase_game,
             showcase_game);
        return exit_code::no;
    }
    const std::shared_ptr<const machine::Game> prepared =
        prepare(std::make_shared<const gdl::Description>(std::move(result.description)), {});
    if (!prepared->program()) return exit_code::limit;
    PlayGame played(prepared);
    const auto known = analysis::shared_analysis(prepared, {.seed = seed});
    show_facts(*known);
    show_advantage(*prepared, played);
    show_proofs(*known);
    fmt::print("\n");
    const std::vector<Ply> plies = show_match(prepared, played);
    show_result(played);
    show_decision(played, plies);
    fmt::print(
        "\nTry next:\n"
        "  ./stratagem play {}\n"
        "  ./stratagem analyze {}\n"
        "  ./stratagem list games\n",
        showcase_game, showcase_game);
    return exit_code::success;
}

}  // namespace

int showcase() { return guarded(show_all); }

}  // namespace stratagem::cli
