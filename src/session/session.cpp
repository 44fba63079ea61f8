#include "session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "machine/machine_text.h"
#include "machine/random.h"
#include "util/contract.h"

namespace stratagem::session {

namespace {

double seconds_since(Deadline::Clock::time_point start) {
    return std::chrono::duration<double>(Deadline::Clock::now() - start).count();
}

// Its moves are thrown like dice.
bool is_chance(const std::string& recipe) { return recipe == "random"; }

}  // namespace

Session::Session(std::shared_ptr<const machine::Game> game, Settings settings, World world)
    : prepared_(std::move(game)), settings_(std::move(settings)), world_(std::move(world)), game_(prepared_) {
    seat_recipes();
}

void Session::seat_recipes() {
    STRATAGEM_EXPECTS(settings_.against.size() + (settings_.person ? 1 : 0) == game_.seats().size());
    AdviserSettings one;
    one.threads = settings_.threads;
    one.facts_seconds = std::clamp(settings_.clock * 0.2, 0.05, 1.0);
    one.evaluator_seconds = std::clamp(settings_.clock * 0.5, 0.3, 5.0);
    one.solve_seconds = std::clamp(settings_.clock * 0.5, 0.2, 5.0);
    std::vector<std::unique_ptr<Adviser>> recipes(game_.role_count());
    std::size_t next = 0;
    for (const Role role : game_.seats()) {
        if (role == settings_.person) continue;
        one.seed = settings_.seed + ground::index(role);
        const std::string& recipe = settings_.against.at(next++);
        auto made = std::make_unique<Adviser>(recipe, prepared_, role, one);
        if (!is_chance(made->recipe())) recipes[ground::index(role)] = std::move(made);
    }
    if (settings_.person) adviser_ = std::make_unique<Adviser>(settings_.hints, prepared_, *settings_.person, one);
    recipes_ = std::move(recipes);
    last_thought_.reset();
}

std::vector<std::string> Session::move_names() const {
    if (!settings_.person) return {};
    return machine::move_names(game_.machine(), game_.legal(*settings_.person));
}

Move Session::dice(Role role) const {
    const std::span<const Move> legal = game_.legal(role);
    const std::uint64_t stream = game_.steps() * game_.role_count() + ground::index(role) + 1;
    return legal[machine::Random(settings_.seed, stream).below(static_cast<std::uint32_t>(legal.size()))];
}

search::Choice Session::think(Adviser& adviser, Role role) {
    std::shared_ptr<void> guard;
    if (world_.thinking) guard = world_.thinking(adviser.recipe(), adviser.prepared());
    try {
        // Preparing counts, but leaves half of the time.
        const auto start = Deadline::Clock::now();
        adviser.prepare(world_.interrupt);
        const double left = std::max(settings_.clock * 0.5, settings_.clock - seconds_since(start));
        search::Budget budget;
        budget.stop = {Deadline::after(std::chrono::duration<double>(left)), world_.interrupt};
        search::Choice choice = adviser.choose(game_.state(), budget);
        const std::span<const Move> legal = game_.legal(role);
        if (choice.move && std::ranges::find(legal, *choice.move) != legal.end()) return choice;
    } catch (const std::runtime_error& fault) {
        if (world_.gave_up) world_.gave_up(adviser.recipe(), fault.what());
    }
    search::Choice any;
    any.move = dice(role);
    any.note = "no answer came, so this is a move by chance";
    return any;
}

Move Session::choose(Role role) {
    const std::span<const Move> legal = game_.legal(role);
    if (legal.size() == 1) return legal[0];
    Chosen chosen{role, {}, nullptr, 0, false};
    Adviser* const recipe = recipes_[ground::index(role)].get();
    if (recipe == nullptr) {
        chosen.move = dice(role);
    } else {
        const auto start = Deadline::Clock::now();
        last_thought_ = Thought{recipe->recipe(), role, game_.state(), think(*recipe, role), false};
        chosen.move = *last_thought_->choice.move;
        chosen.thought = &*last_thought_;
        chosen.seconds = seconds_since(start);
        chosen.interrupted = interrupted();
    }
    if (world_.chosen) world_.chosen(chosen);
    return chosen.move;
}

bool Session::step(std::optional<Move> own) {
    std::vector<Move> joint;
    bool anybody = own.has_value();
    for (std::uint32_t role = 0; role < game_.role_count(); ++role) {
        anybody = anybody || game_.chooses(Role{role});
        joint.push_back(own && settings_.person == Role{role} ? *own : choose(Role{role}));
    }
    game_.step(joint);
    return anybody;
}

void Session::play(Move own) {
    STRATAGEM_EXPECTS(settings_.person && !game_.over() &&
                      std::ranges::count(game_.legal(*settings_.person), own) == 1);
    step(own);
}

bool Session::advance() {
    STRATAGEM_EXPECTS(!game_.over() && !waits());
    return step({});
}

std::size_t Session::undo() {
    const std::optional<std::size_t> step = settings_.person ? game_.last_choice(*settings_.person) : std::nullopt;
    if (!step) return 0;
    const std::size_t steps = game_.steps() - *step;
    game_.back_to(*step);
    last_thought_.reset();
    return steps;
}

const Thought& Session::hint() {
    STRATAGEM_EXPECTS(settings_.person && !game_.over());
    const Role role = *settings_.person;
    last_thought_ = Thought{adviser_->recipe(), role, game_.state(), think(*adviser_, role), true};
    return *last_thought_;
}

const Thought* Session::why() {
    if (!last_thought_ && (game_.over() || !settings_.person)) return nullptr;
    if (!last_thought_) hint();
    return &*last_thought_;
}

std::optional<Session::Outcome> Session::outcome() {
    STRATAGEM_EXPECTS(game_.over());
    std::vector<int> others;
    for (const Role role : game_.seats()) {
        if (settings_.person != role) others.push_back(game_.goal(role).value_or(0));
    }
    if (!settings_.person || others.empty()) return {};
    const int own = game_.goal(*settings_.person).value_or(0);
    const int most = std::ranges::max(others);
    if (own != most) return own > most ? Outcome::won : Outcome::lost;
    return std::ranges::min(others) == most ? Outcome::draw : Outcome::shared;
}

SavedGame Session::saved() const {
    SavedGame saved;
    saved.game = settings_.game;
    saved.rules = rules_hash(*prepared_);
    if (settings_.person) saved.role = game_.role_name(*settings_.person);
    saved.against = settings_.against;
    saved.hints = settings_.hints;
    saved.clock = settings_.clock;
    saved.seed = settings_.seed;
    for (std::size_t step = 0; step < game_.steps(); ++step) saved.moves.push_back(game_.joint_names(step));
    return saved;
}

std::string Session::resume(const SavedGame& saved) {
    if (saved.rules != rules_hash(*prepared_)) return fmt::format("it is of {} or of other rules", saved.game);
    Settings settings = settings_;
    settings.person.reset();
    const std::vector<Role> seats = game_.seats();
    for (const Role role : seats) {
        if (game_.role_name(role) == saved.role) settings.person = role;
    }
    if (!saved.role.empty() && !settings.person) return fmt::format("there is no role '{}'", saved.role);
    if (saved.against.size() + (settings.person ? 1 : 0) != seats.size()) return "it names too few or many players";
    settings.against = saved.against;
    settings.hints = saved.hints;
    settings.clock = saved.clock;
    settings.seed = saved.seed;
    const SavedGame before = this->saved();
    if (std::string problem = game_.replay(saved.moves); !problem.empty()) return problem;
    std::swap(settings_, settings);
    try {
        seat_recipes();
    } catch (const OptionError& fault) {
        std::swap(settings_, settings);
        game_.replay(before.moves);
        return fault.what();
    }
    return "";
}

}  // namespace stratagem::session
