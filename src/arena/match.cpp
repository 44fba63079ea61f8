#include "arena/match.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "machine/random.h"

namespace stratagem::arena {

using machine::Machine;
using machine::Move;
using machine::Role;
using player::Player;

namespace {

double seconds_since(player::TimePoint start) { return player::Seconds(Deadline::Clock::now() - start).count(); }

class Referee {
  public:
    Referee(std::shared_ptr<const gdl::Description> description,
            const std::shared_ptr<const machine::MachineFactory>& factory, std::span<const player::Recipe> recipes,
            const MatchSettings& settings)
        : description_(std::move(description)),
          settings_(settings),
          factory_(factory),
          machine_(factory->make()),
          roles_(seats_of(*machine_)),
          random_(settings.seed),
          state_(machine_->initial()) {
        if (recipes.size() != roles_.size()) throw std::invalid_argument("a match needs one player for each seat");
        for (std::size_t seat = 0; seat < roles_.size(); ++seat) add_player(recipes[seat], seat);
    }

    MatchResult run() {
        const player::TimePoint begin = Deadline::Clock::now();
        const std::jthread watch = watch_stop();
        for (std::size_t seat = 0; seat < players_.size() && !settings_.stop.now(); ++seat) {
            players_[seat]->start(description_, roles_[seat], settings_.clocks);
        }
        std::vector<std::string> last;
        while (!settings_.stop.now()) {
            if (machine_->terminal(state_) || !find_legal()) {
                result_.complete = true;
                break;
            }
            if (result_.steps == settings_.max_steps) break;
            last = step(last);
            if (settings_.stop.now()) break;  // answers given in a hurry do not count
            if (settings_.on_step) settings_.on_step(last);
            result_.moves.push_back(last);
            ++result_.steps;
        }
        for (std::size_t seat = 0; seat < players_.size(); ++seat) {
            players_[seat]->stop();
            if (result_.complete) result_.seats[seat].score = machine_->goal(state_, roles_[seat]).value_or(0);
        }
        result_.seconds = seconds_since(begin);
        return std::move(result_);
    }

  private:
    void add_player(const player::Recipe& recipe, std::size_t seat) {
        player::PlayerSettings settings = settings_.player;
        settings.search.seed = random_.next();
        if (!settings_.players_prepare) settings.prepared = factory_;
        if (settings_.log) {
            settings.log = [this, seat](std::string_view line) { settings_.log(seat, line); };
        }
        players_.push_back(std::make_unique<Player>(recipe, settings));
        SeatResult result;
        result.player = recipe.text();
        result.role = machine_->role_name(roles_[seat]);
        result_.seats.push_back(std::move(result));
    }

    // Players think long; whoever stops the match does not want to wait for them.
    std::jthread watch_stop() {
        if (settings_.stop.flag == nullptr && settings_.stop.deadline.is_never()) return {};
        return std::jthread([this](const std::stop_token& done) {
            std::mutex mutex;
            std::condition_variable_any wake;
            std::unique_lock lock(mutex);
            while (!done.stop_requested() && !settings_.stop.now()) {
                wake.wait_for(lock, done, std::chrono::milliseconds(20), [] { return false; });
            }
            if (done.stop_requested()) return;
            for (const std::unique_ptr<Player>& one : players_) one->abort();
        });
    }

    // False when a role has no move.
    bool find_legal() {
        legal_.resize(machine_->role_count());
        for (std::uint32_t role = 0; role < legal_.size(); ++role) {
            machine_->legal(state_, Role{role}, legal_[role]);
            if (legal_[role].empty()) return false;
        }
        return true;
    }

    Move any(Role role) {
        const std::vector<Move>& legal = legal_[ground::index(role)];
        return legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
    }

    std::vector<std::string> step(std::span<const std::string> last) {
        joint_.clear();
        // Chance and whatever replaces a bad move; drawn for every role, so that no player's mistakes change the dice.
        for (std::uint32_t role = 0; role < legal_.size(); ++role) joint_.push_back(any(Role{role}));
        for (std::size_t seat = 0; seat < players_.size(); ++seat) ask(seat, last);
        std::vector<std::string> names;
        for (const Move move : joint_) names.push_back(machine_->move_name(move));
        machine_->next(state_, joint_, next_);
        std::swap(state_, next_);
        return names;
    }

    void ask(std::size_t seat, std::span<const std::string> last) {
        SeatResult& result = result_.seats[seat];
        const Role role = roles_[seat];
        const player::TimePoint asked = Deadline::Clock::now();
        const player::Answer answer = players_[seat]->play(last, asked);
        const double seconds = seconds_since(asked);
        result.slowest = std::max(result.slowest, seconds);
        if (answer.source == player::Answer::Source::search || answer.source == player::Answer::Source::report) {
            ++result.searches;
            result.states += std::max(answer.choice.nodes, answer.choice.playouts);
            result.seconds += answer.choice.seconds;
        }
        if (answer.source != player::Answer::Source::search && answer.source != player::Answer::Source::only_move) {
            ++result.fallbacks;
        }
        const std::optional<Move> move = machine_->find_move(role, answer.move);
        const bool legal = move && std::ranges::binary_search(legal_[ground::index(role)], *move);
        const bool late = seconds > settings_.clocks.play.count();
        if (!legal) ++result.illegal;
        if (late) ++result.late;
        if (legal && !late) joint_[ground::index(role)] = *move;
    }

    std::shared_ptr<const gdl::Description> description_;
    const MatchSettings& settings_;
    std::shared_ptr<const machine::MachineFactory> factory_;
    std::unique_ptr<Machine> machine_;
    std::vector<Role> roles_;  // by seat
    machine::Random random_;
    machine::State state_;
    machine::State next_;
    std::vector<std::vector<Move>> legal_;  // by role
    std::vector<Move> joint_;
    MatchResult result_;
    std::vector<std::unique_ptr<Player>> players_;  // by seat
};

}  // namespace

std::vector<Role> seats_of(const Machine& machine) {
    std::vector<Role> seats;
    for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
        if (machine.role_name(Role{role}) != "random") seats.push_back(Role{role});
    }
    return seats;
}

MatchResult play_match(const std::shared_ptr<const gdl::Description>& description,
                       const std::shared_ptr<const machine::MachineFactory>& factory,
                       std::span<const player::Recipe> recipes, const MatchSettings& settings) {
    return Referee(description, factory, recipes, settings).run();
}

}  // namespace stratagem::arena
