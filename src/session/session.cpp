#include "session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>

#include "view/move_text.h"
#include "machine/random.h"

namespace stratagem::session {

namespace {

constexpr std::size_t short_list = 10;  // lines of moves that are shown without being asked for

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return "";
    return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

double seconds_since(Deadline::Clock::time_point start) {
    return std::chrono::duration<double>(Deadline::Clock::now() - start).count();
}

// Its moves are thrown like dice.
bool is_chance(const std::string& recipe) { return recipe == "random"; }

}  // namespace

std::vector<Role> PlaySession::seats(const PlayGame& game) {
    std::vector<Role> roles;
    for (std::uint32_t role = 0; role < game.role_count(); ++role) {
        if (!game.is_chance(Role{role})) roles.push_back(Role{role});
    }
    return roles;
}

PlaySession::PlaySession(std::shared_ptr<const machine::Game> prepared, PlaySettings settings, PlayWorld world)
    : prepared_(std::move(prepared)),
      settings_(std::move(settings)),
      world_(std::move(world)),
      game_(*prepared_),
      board_(look_at(*prepared_)) {
    make_minds();
}

void PlaySession::make_minds() {
    MindSettings mind;
    mind.threads = settings_.threads;
    mind.facts_seconds = std::clamp(settings_.clock * 0.2, 0.05, 1.0);
    mind.evaluator_seconds = std::clamp(settings_.clock * 0.5, 0.3, 5.0);
    mind.solve_seconds = std::clamp(settings_.clock * 0.5, 0.2, 5.0);
    std::vector<std::unique_ptr<Mind>> minds(game_.role_count());
    std::size_t next = 0;
    for (const Role role : seats(game_)) {
        if (role == settings_.person) continue;
        mind.seed = settings_.seed + ground::index(role);
        const std::string& recipe = settings_.against.at(next++);
        auto made = std::make_unique<Mind>(recipe, prepared_, role, mind);
        if (!is_chance(made->recipe())) minds[ground::index(role)] = std::move(made);
    }
    if (settings_.person) adviser_ = std::make_unique<Mind>(settings_.hints, prepared_, *settings_.person, mind);
    minds_ = std::move(minds);
    last_thought_.reset();
}

std::string PlaySession::name_of(Role role) const {
    return settings_.person == role ? fmt::format("{} (you)", game_.role_name(role)) : game_.role_name(role);
}

std::string PlaySession::prompt() const {
    if (game_.over() || !settings_.person) return "over> ";
    return game_.role_name(*settings_.person) + "> ";
}

void PlaySession::begin() {
    std::string others;
    std::size_t next = 0;
    for (std::uint32_t role = 0; role < game_.role_count(); ++role) {
        if (settings_.person == Role{role}) continue;
        const bool chance = game_.is_chance(Role{role});
        others += fmt::format("{}{}{}", others.empty() ? "" : ", ", game_.role_name(Role{role}),
                              chance ? " (chance)" : fmt::format(" ({})", settings_.against[next++]));
    }
    if (settings_.person) {
        print(fmt::format("{}: you play {}{}.\nType a move by its number or its text, or help.\n", settings_.title,
                          game_.role_name(*settings_.person), others.empty() ? "" : " against " + others));
    } else {
        print(fmt::format("{}: {}.\n", settings_.title, others));
    }
    if (game_.steps() > 0) print(fmt::format("Going on after step {}.\n", game_.steps()));
    show_board(true);
    run();
}

void PlaySession::run() {
    while (!game_.over()) {
        if (settings_.person && game_.chooses(*settings_.person)) {
            if (game_.state() != shown_) show_board(false);
            show_turn();
            return;
        }
        step({});
        if (settings_.person) continue;
        if (interrupted()) {
            print("Interrupted.\n");
            finished_ = true;
            return;
        }
        show_board(false);
    }
    if (game_.state() != shown_) show_board(false);
    announce_end();
    if (!settings_.person) finished_ = true;
}

Move PlaySession::dice(Role role) const {
    const std::span<const Move> legal = game_.legal(role);
    const std::uint64_t stream = game_.steps() * game_.role_count() + ground::index(role) + 1;
    return legal[machine::Random(settings_.seed, stream).below(static_cast<std::uint32_t>(legal.size()))];
}

search::Choice PlaySession::think(Mind& mind, Role role) {
    std::shared_ptr<void> guard;
    if (world_.thinking) {
        guard = world_.thinking(fmt::format("{} {}", mind.recipe(), mind.prepared() ? "thinks" : "prepares"));
    }
    try {
        // Preparing counts, but leaves half of the time.
        const auto start = Deadline::Clock::now();
        mind.prepare(world_.interrupt);
        const double left = std::max(settings_.clock * 0.5, settings_.clock - seconds_since(start));
        search::Budget budget;
        budget.stop = {Deadline::after(std::chrono::duration<double>(left)), world_.interrupt};
        search::Choice choice = mind.choose(game_.state(), budget);
        const std::span<const Move> legal = game_.legal(role);
        if (choice.move && std::ranges::find(legal, *choice.move) != legal.end()) return choice;
    } catch (const std::runtime_error& fault) {
        print(fmt::format("{} gave up: {}\n", mind.recipe(), fault.what()));
    }
    search::Choice any;
    any.move = dice(role);
    any.note = "no answer came, so this is a move by chance";
    return any;
}

Move PlaySession::choose(Role role) {
    const std::span<const Move> legal = game_.legal(role);
    if (legal.size() == 1) return legal[0];
    const std::string who = game_.role_name(role);
    Mind* const mind = minds_[ground::index(role)].get();
    if (mind == nullptr) {
        const Move move = dice(role);
        print(fmt::format("{} plays {}, by chance\n", who, game_.machine().move_name(move)));
        return move;
    }
    const auto start = Deadline::Clock::now();
    ThoughtOf thought{mind->recipe(), role, game_.state(), think(*mind, role), false};
    const Move move = *thought.choice.move;
    print(fmt::format("{}{} plays {}{} ({}, {:.1f} s{})\n", settings_.colour ? "\x1b[1m" : "", who,
                      game_.machine().move_name(move), settings_.colour ? "\x1b[0m" : "", mind->recipe(),
                      seconds_since(start), interrupted() ? ", interrupted" : ""));
    last_thought_ = std::move(thought);
    return move;
}

void PlaySession::step(std::optional<Move> own) {
    std::vector<Move> joint;
    bool anybody = own.has_value();
    for (std::uint32_t role = 0; role < game_.role_count(); ++role) {
        anybody = anybody || game_.chooses(Role{role});
        joint.push_back(own && settings_.person == Role{role} ? *own : choose(Role{role}));
    }
    if (!anybody) print(fmt::format("no choice: {}\n", game_.describe(game_.state(), joint)));
    game_.step(joint);
}

std::vector<std::string> PlaySession::own_moves() const {
    std::vector<std::string> names;
    if (!settings_.person) return names;
    for (const Move move : game_.legal(*settings_.person)) {
        names.push_back(game_.machine().move_name(move));
    }
    return names;
}

void PlaySession::try_move(const std::string& typed) {
    if (game_.over()) {
        print("The game is over. undo takes moves back, save keeps it, quit leaves.\n");
        return;
    }
    const std::vector<std::string> names = own_moves();
    const MoveMatch match = match_move(typed, names);
    if (match.ambiguous()) {
        print(fmt::format("'{}' could be:\n", typed));
        show_moves(match.places, true);
    } else if (!match.found()) {
        print(fmt::format("'{}' is neither a legal move nor a command; moves lists the moves, help the commands.\n",
                          typed));
    } else {
        step(game_.legal(*settings_.person)[match.places.front()]);
        run();
    }
}

void PlaySession::hear(std::string_view line) {
    const std::string text = trimmed(line);
    if (text.empty() || finished_) return;
    const bool forced = text.front() == '/';
    const std::vector<std::string> names = own_moves();
    const std::string plain = plain_move(text);
    // A move that is called like a command is a move; a slash makes it a command again.
    const bool is_move =
        !forced && std::ranges::any_of(names, [&](const std::string& name) { return plain_move(name) == plain; });
    const std::string typed = forced ? text.substr(1) : text;
    const std::size_t space = std::min(typed.find_first_of(" \t"), typed.size());
    std::string word = plain_move(typed.substr(0, space));
    if (word == "?") word = "help";
    if (word == "q" || word == "exit") word = "quit";
    const auto found = std::ranges::find(commands(), word, &Command::name);
    if (!is_move && !typed.starts_with('(') && found != commands().end()) {
        (this->*found->run)(trimmed(typed.substr(space)));
    } else if (forced) {
        print(fmt::format("There is no command '{}'; help lists them.\n", word));
    } else {
        try_move(typed);
    }
}

void PlaySession::show_board(bool legend) {
    const FluentTexts before = fluents_of(game_.machine(), shown_);
    Drawing drawing;
    drawing.colour = settings_.colour;
    drawing.legend = legend;
    drawing.width = settings_.width;
    if (!legend) drawing.before = &before;
    print("\n" + board_.draw(fluents_of(game_.machine(), game_.state()), drawing));
    shown_ = game_.state();
}

void PlaySession::show_turn() {
    std::vector<std::size_t> places(own_moves().size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    print("\n");
    show_moves(places, false);
}

void PlaySession::show_moves(const std::vector<std::size_t>& places, bool all) {
    const std::string text = move_columns(own_moves(), places, settings_.width);
    if (all || static_cast<std::size_t>(std::ranges::count(text, '\n')) <= short_list) {
        print(text);
    } else {
        print(fmt::format("{} moves: moves lists them, moves WORD those that begin so.\n", places.size()));
    }
}

void PlaySession::announce_end() {
    if (const std::optional<Role> stuck = game_.stuck()) {
        print(fmt::format("\nThe game cannot go on after {}: {} has no legal move.\n", steps_text(game_.steps()),
                          name_of(*stuck)));
        return;
    }
    std::string goals;
    std::vector<int> others;
    for (const Role role : seats(game_)) {
        const std::optional<int> goal = game_.goal(role);
        goals +=
            fmt::format("{}{} {}", goals.empty() ? "" : ", ", name_of(role), goal ? std::to_string(*goal) : "no value");
        if (settings_.person != role) others.push_back(goal.value_or(0));
    }
    std::string verdict;
    if (settings_.person && !others.empty()) {
        const int own = game_.goal(*settings_.person).value_or(0);
        const int most = std::ranges::max(others);
        verdict = own > most ? " You win." : own < most ? " You lose." : " You share the first place.";
        if (own == most && std::ranges::min(others) == most) verdict = " A draw.";
    }
    print(fmt::format("\nThe game is over after {}: {} (of 100).{}\n", steps_text(game_.steps()), goals, verdict));
}

}  // namespace stratagem::session
