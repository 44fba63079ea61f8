#include "arena/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "arena/local_agent.h"
#include "gdl/print.h"
#include "machine/machine_text.h"
#include "machine/random.h"
#include "machine/term_text.h"
#include "util/processor_wait.h"

namespace stratagem::arena {

using machine::Machine;
using machine::Move;
using machine::Role;
using player::Agent;
using player::Reply;

namespace {

double seconds_since(player::TimePoint start) { return player::Seconds(Deadline::Clock::now() - start).count(); }

std::int64_t milliseconds_now() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

// Text of others, fit for a line of a log.
std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 200;
    std::string shown;
    for (const char c : text.substr(0, longest)) shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    if (text.size() > longest) shown += "…";
    return shown;
}

// For people, who may not know the marks.
std::string_view words(Fault fault) {
    switch (fault) {
        case Fault::none:
            return "";
        case Fault::illegal:
            return "made no legal move (IL)";
        case Fault::late:
            return "was late (TO)";
        case Fault::unreachable:
            return "gave no answer (CE)";
    }
    return "";
}

// As machines write it: players differ in case and in spaces. Nothing for what is no term.
std::optional<std::string> canonical_term(std::string_view text) {
    constexpr std::size_t longest = 1 << 20;
    if (text.size() > longest) return std::nullopt;
    gdl::TermPool terms;
    const std::optional<gdl::Term> term = machine::parse_term(terms, text);
    return term ? std::optional(gdl::to_kif(terms, *term)) : std::nullopt;
}

struct TimedReply {
    Reply reply;
    double seconds = 0;
    std::optional<double> waited;  // of these, for a processor
};

// "0.130 s", and how much of it the player could do nothing about.
std::string duration_text(const TimedReply& timed) {
    return timed.waited ? fmt::format("{:.3f} s, {:.3f} s of them without a processor", timed.seconds, *timed.waited)
                        : fmt::format("{:.3f} s", timed.seconds);
}

class Referee {
  public:
    Referee(std::shared_ptr<const machine::Game> game, std::span<const std::unique_ptr<Agent>> agents,
            const MatchSettings& settings)
        : game_(std::move(game)),
          settings_(settings),
          agents_(agents),
          machine_(game_->make()),
          roles_(seats_of(*machine_)),
          random_(settings.seed),
          state_(machine_->initial()) {
        machine_->set_deadline(settings.stop.as_deadline());
        if (agents.size() != roles_.size()) throw std::invalid_argument("a match needs one player for each seat");
        result_.id = settings.id.empty() ? fmt::format("match-{:016x}", settings.seed) : settings.id;
        result_.seed = settings.seed;
        if (settings.state) stand_at(*settings.state);
        result_.roles = machine::role_names(*machine_);
        repeats_.resize(roles_.size());
        for (std::size_t seat = 0; seat < roles_.size(); ++seat) {
            SeatResult& result = result_.seats.emplace_back();
            result.player = agents[seat]->name();
            result.role = machine_->role_name(roles_[seat]);
        }
    }

    MatchResult run() {
        const player::TimePoint begin = Deadline::Clock::now();
        result_.started = milliseconds_now();
        const std::jthread watch = watch_stop();
        try {
            play();
        } catch (const machine::LimitExceeded& limit) {
            if (!settings_.stop.now()) result_.problem = limit.what();
            abort_all();
        } catch (...) {
            abort_all();  // the referee's machine gave up; nobody shall go on waiting for a message
            throw;
        }
        result_.seconds = seconds_since(begin);
        return std::move(result_);
    }

  private:
    void stand_at(const std::vector<std::string>& fluents) {
        result_.own_start = true;
        state_.clear();
        for (const std::string& name : fluents) {
            const std::optional<machine::Fluent> found = machine_->find_fluent(name);
            if (!found) throw std::invalid_argument(fmt::format("the game has no fluent '{}'", name));
            state_.insert(*found);
        }
        for (const std::unique_ptr<Agent>& agent : agents_) {
            if (agent->begins_anywhere()) continue;
            throw std::invalid_argument(
                fmt::format("{} cannot be told of a state to begin with, only of moves", agent->name()));
        }
    }

    void play() {
        start();
        note_state();
        std::vector<std::string> last = open();
        while (!settings_.stop.now() && !result_.error_ended) {
            if (machine_->terminal(state_) || !find_legal()) {
                result_.complete = true;
                break;
            }
            if (result_.steps == settings_.max_steps) {
                result_.cut_short = true;
                result_.problem = fmt::format("it has more than {} moves", settings_.max_steps);
                break;
            }
            std::vector<std::string> moves = step(last);
            if (settings_.stop.now() || result_.error_ended) break;  // answers given in a hurry do not count
            keep(moves);
            last = std::move(moves);
            if (settings_.on_step) settings_.on_step(last);
        }
        finish(last);
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
            if (!done.stop_requested()) abort_all();
        });
    }

    void abort_all() {
        if (aborted_.exchange(true)) return;
        for (const std::unique_ptr<Agent>& agent : agents_) agent->abort();
    }

    // Those elsewhere at the same time, and meanwhile those here one after the other.
    std::vector<TimedReply> ask_all(const std::function<Reply(std::size_t seat)>& ask) {
        std::vector<TimedReply> replies(agents_.size());
        const auto ask_one = [&](std::size_t seat) {
            const std::optional<player::Seconds> waited = waited_for_processor();
            const player::TimePoint asked = Deadline::Clock::now();
            try {
                replies[seat].reply = ask(seat);
            } catch (const std::exception& fault) {
                replies[seat].reply = {};
                replies[seat].reply.problem = fault.what();
            }
            replies[seat].seconds = seconds_since(asked);
            const auto now = waited_for_processor();
            // Of those elsewhere, nothing is known.
            if (now && waited && !agents_[seat]->elsewhere()) replies[seat].waited = (*now - *waited).count();
        };
        std::vector<std::jthread> elsewhere;
        for (std::size_t seat = 0; seat < agents_.size(); ++seat) {
            if (agents_[seat]->elsewhere()) elsewhere.emplace_back(ask_one, seat);
        }
        for (std::size_t seat = 0; seat < agents_.size(); ++seat) {
            if (!agents_[seat]->elsewhere() && !settings_.stop.now()) ask_one(seat);
        }
        elsewhere.clear();  // waits for them
        return replies;
    }

    void start() {
        const std::vector<TimedReply> replies = ask_all([&](std::size_t seat) {
            return agents_[seat]->start({result_.id, game_, roles_[seat], settings_.clocks, settings_.state});
        });
        if (settings_.stop.now()) return;
        for (std::size_t seat = 0; seat < replies.size(); ++seat) {
            const auto& [reply, seconds, waited] = replies[seat];
            Fault& fault = result_.seats[seat].start;
            note_answer(seat, reply);
            if (reply.kind == Reply::Kind::unreachable) {
                fault = Fault::unreachable;
            } else if (reply.kind == Reply::Kind::late ||
                       (agents_[seat]->has_clock() && seconds > settings_.clocks.start.count())) {
                fault = Fault::late;
            }
            if (fault != Fault::none) {
                say(seat, fmt::format("{} at the start, after {}: {}", words(fault), duration_text(replies[seat]),
                                      excerpt(reply.problem)));
                end_on_error(seat, fault, "at the start", reply);
                // Rows without an error would not say why the match ended.
                SeatResult& result = result_.seats[seat];
                if (settings_.abort_on_error) ++(fault == Fault::late ? result.late : result.unreachable);
            } else if (!reply.problem.empty()) {
                say(seat, fmt::format("{} at the start", excerpt(reply.problem)));
            }
        }
    }

    void note_answer(std::size_t seat, const Reply& reply) {
        SeatResult& result = result_.seats[seat];
        if (reply.kind == Reply::Kind::move) {
            ++result.answers;
        } else {
            result.problem = reply.problem;
        }
    }

    void end_on_error(std::size_t seat, Fault fault, const std::string& when, const Reply& reply) {
        if (!settings_.abort_on_error || result_.error_ended) return;
        result_.error_ended = true;
        const std::string& what = reply.problem.empty() ? reply.move : reply.problem;
        result_.problem = fmt::format("{} ({}) {} {}{}", result_.seats[seat].player, result_.seats[seat].role,
                                      words(fault), when, what.empty() ? "" : fmt::format(": {}", excerpt(what)));
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

    Move any(Role role, machine::Random& random) const {
        const std::vector<Move>& legal = legal_[ground::index(role)];
        return legal[random.below(static_cast<std::uint32_t>(legal.size()))];
    }

    // The moves that were given, and then random ones of all. The last joint move, which the players have not been told
    // of.
    std::vector<std::string> open() {
        machine::Random random(settings_.opening_seed);
        std::vector<std::string> last;
        const std::size_t given = settings_.first_moves.size();
        const std::size_t steps = std::min(given + settings_.opening, settings_.max_steps);
        while (result_.steps < steps && !settings_.stop.now() && !result_.error_ended) {
            if (result_.steps < given) {
                make_first_move(settings_.first_moves[result_.steps]);
            } else if (!find_open_move(random)) {
                break;
            }
            ask_all([&](std::size_t seat) {
                agents_[seat]->watch(last);
                return Reply{};
            });
            forget_replies();
            last = machine::move_names(*machine_, joint_);
            std::swap(state_, next_);
            keep(last);
            if (settings_.on_step) settings_.on_step(last);
        }
        return last;
    }

    void forget_replies() {
        faults_.assign(legal_.size(), Fault::none);
        fault_notes_.assign(legal_.size(), "");
        reply_seconds_.assign(legal_.size(), 0);
        thoughts_.assign(legal_.size(), std::nullopt);
    }

    void make_first_move(const std::vector<std::string>& moves) {
        const auto refuse = [&](const std::string& why) {
            throw std::invalid_argument(fmt::format("step {}: {}", result_.steps + 1, why));
        };
        if (machine_->terminal(state_) || !find_legal()) refuse("the game is over before it");
        if (moves.size() != legal_.size()) refuse("one move for each role is needed");
        joint_.clear();
        for (std::size_t role = 0; role < legal_.size(); ++role) {
            const std::optional<Move> move = find_legal_move(legal_[role], moves[role]);
            if (!move) refuse(fmt::format("'{}' is no legal move", moves[role]));
            joint_.push_back(*move);
        }
        machine_->next(state_, joint_, next_);
    }

    // A joint move that does not end the game, and the state after it; false when none is found.
    bool find_open_move(machine::Random& random) {
        constexpr int tries = 20;
        if (machine_->terminal(state_) || !find_legal()) return false;
        for (int i = 0; i < tries; ++i) {
            joint_.clear();
            for (std::uint32_t role = 0; role < legal_.size(); ++role) joint_.push_back(any(Role{role}, random));
            machine_->next(state_, joint_, next_);
            if (!machine_->terminal(next_)) return true;
        }
        return false;
    }

    std::vector<std::string> step(std::span<const std::string> last) {
        joint_.clear();
        // Chance and whatever replaces a bad move; drawn for every role, so that no player's mistakes change the dice.
        for (std::uint32_t role = 0; role < legal_.size(); ++role) joint_.push_back(any(Role{role}, random_));
        forget_replies();
        const std::vector<TimedReply> replies = ask_all([&](std::size_t seat) { return agents_[seat]->play(last); });
        if (settings_.stop.now()) return {};
        for (std::size_t seat = 0; seat < replies.size(); ++seat) judge(seat, replies[seat]);
        if (result_.error_ended) return {};
        std::vector<std::string> names = machine::move_names(*machine_, joint_);
        machine_->next(state_, joint_, next_);
        std::swap(state_, next_);
        return names;
    }

    void judge(std::size_t seat, const TimedReply& timed) {
        const Reply& reply = timed.reply;
        SeatResult& result = result_.seats[seat];
        const std::size_t role = ground::index(roles_[seat]);
        const double allowed =
            (settings_.clocks.play + (agents_[seat]->elsewhere() ? settings_.grace : player::Seconds(0))).count();
        note_answer(seat, reply);
        result.slowest = std::max(result.slowest, timed.seconds);
        reply_seconds_[role] = timed.seconds;
        count_thought(result, reply);
        thoughts_[role] = thought_of(reply);
        std::optional<Move> move;
        if (reply.kind == Reply::Kind::unreachable) {
            faults_[role] = Fault::unreachable;
            ++result.unreachable;
        } else if (reply.kind == Reply::Kind::late || (agents_[seat]->has_clock() && timed.seconds > allowed)) {
            faults_[role] = Fault::late;
            ++result.late;
        } else if (move = find_legal_move(legal_[role], reply.move); !move) {
            faults_[role] = Fault::illegal;
            ++result.illegal;
        }
        if (move) {
            joint_[role] = *move;
            repeats_[seat] = {};
        } else {
            fault_notes_[role] = excerpt(reply.problem.empty() ? reply.move : reply.problem);
            say_fault(seat, timed);
            end_on_error(seat, faults_[role], fmt::format("in step {}", result_.steps + 1), reply);
        }
    }

    // Whoever is gone is gone in every step: what is the same as before is said twice and no more.
    void say_fault(std::size_t seat, const TimedReply& timed) {
        const std::size_t role = ground::index(roles_[seat]);
        Repeats& repeats = repeats_[seat];
        if (faults_[role] != Fault::unreachable || repeats.note != fault_notes_[role]) {
            repeats = {faults_[role] == Fault::unreachable ? fault_notes_[role] : "", 0};
        }
        constexpr std::size_t most = 2;
        if (++repeats.times > most) return;
        say(seat,
            fmt::format("{} in step {}, after {}: {}; {} is made instead{}", words(faults_[role]), result_.steps + 1,
                        duration_text(timed), fault_notes_[role], machine_->move_name(joint_[role]),
                        repeats.times == most ? " (said again only when it changes)" : ""));
    }

    static void count_thought(SeatResult& result, const Reply& reply) {
        if (!reply.thought_known) return;
        using Source = player::Answer::Source;
        if (reply.source == Source::search || reply.source == Source::report) {
            ++result.searches;
            result.states += std::max(reply.choice.nodes, reply.choice.playouts);
            result.seconds += reply.choice.seconds;
        }
        if (reply.source != Source::search && reply.source != Source::only_move) ++result.fallbacks;
    }

    static std::optional<Thought> thought_of(const Reply& reply) {
        if (!reply.thought_known) return std::nullopt;
        Thought thought;
        thought.source = player::to_string(reply.source);
        thought.value = reply.choice.value;
        thought.proved = reply.choice.proved;
        thought.depth = reply.choice.depth;
        thought.nodes = reply.choice.nodes;
        thought.playouts = reply.choice.playouts;
        thought.seconds = reply.choice.seconds;
        thought.note = reply.choice.note;
        return thought;
    }

    // Among the legal moves only: what players invent is not made known to the machine.
    std::optional<Move> find_legal_move(const std::vector<Move>& legal, std::string_view text) const {
        const std::optional<std::string> name = canonical_term(text);
        if (!name) return std::nullopt;
        const auto found = std::ranges::find_if(legal, [&](Move one) { return machine_->move_name(one) == *name; });
        return found == legal.end() ? std::nullopt : std::optional(*found);
    }

    void note_state() {
        result_.state_times.push_back(milliseconds_now());
        if (settings_.keep_states) result_.states.push_back(machine::state_text(*machine_, state_));
    }

    void keep(const std::vector<std::string>& moves) {
        result_.moves.push_back(moves);
        result_.faults.push_back(faults_);
        result_.fault_notes.push_back(fault_notes_);
        result_.reply_seconds.push_back(reply_seconds_);
        result_.thoughts.push_back(thoughts_);
        std::vector<std::uint32_t>& counts = result_.legal_counts.emplace_back();
        for (const std::vector<Move>& legal : legal_) counts.push_back(static_cast<std::uint32_t>(legal.size()));
        ++result_.steps;
        note_state();
    }

    void finish(std::span<const std::string> last) {
        if (!result_.complete) {
            abort_all();
            return;
        }
        ask_all([&](std::size_t seat) {
            agents_[seat]->stop(last);
            return Reply{};
        });
        for (std::uint32_t role = 0; role < machine_->role_count(); ++role) {
            result_.goals.push_back(machine_->goal(state_, Role{role}).value_or(0));
        }
        for (std::size_t seat = 0; seat < roles_.size(); ++seat) {
            result_.seats[seat].score = result_.goals[ground::index(roles_[seat])];
        }
        note_rules_fault();
    }

    // Rules that say too little or too much still have matches and scores, which mean little: who looks at them must
    // hear of it. Pre: the match is over.
    void note_rules_fault() {
        if (!machine_->terminal(state_)) {
            for (std::uint32_t role = 0; role < legal_.size(); ++role) {
                machine_->legal(state_, Role{role}, legal_[role]);
                if (!legal_[role].empty()) continue;
                result_.rules_fault =
                    fmt::format("{} has no legal move, and the game has not ended", machine_->role_name(Role{role}));
                return;
            }
        }
        for (const Role role : roles_) {
            const std::optional<int> goal = machine_->goal(state_, role);
            if (goal && *goal >= 0 && *goal <= 100) continue;
            result_.rules_fault = goal ? fmt::format("the goal value of {} is {}, and not between 0 and 100",
                                                     machine_->role_name(role), *goal)
                                       : fmt::format("{} has no goal value at the end, or several: that counts as 0",
                                                     machine_->role_name(role));
            return;
        }
    }

    void say(std::size_t seat, std::string_view line) const {
        if (settings_.log) settings_.log(seat, line);
    }

    std::shared_ptr<const machine::Game> game_;
    const MatchSettings& settings_;
    std::span<const std::unique_ptr<Agent>> agents_;  // by seat
    std::unique_ptr<Machine> machine_;
    std::vector<Role> roles_;  // by seat
    machine::Random random_;
    machine::State state_;
    machine::State next_;
    std::vector<std::vector<Move>> legal_;  // by role, as are those below
    std::vector<Move> joint_;
    std::vector<Fault> faults_;
    std::vector<std::string> fault_notes_;
    struct Repeats {
        std::string note;  // of a player who is gone
        std::size_t times = 0;
    };
    std::vector<Repeats> repeats_;  // by seat
    std::vector<std::optional<Thought>> thoughts_;
    std::vector<double> reply_seconds_;
    std::atomic<bool> aborted_{false};
    MatchResult result_;
};

}  // namespace

std::string_view to_string(Fault fault) {
    switch (fault) {
        case Fault::none:
            return "";
        case Fault::illegal:
            return "IL";
        case Fault::late:
            return "TO";
        case Fault::unreachable:
            return "CE";
    }
    return "";
}

std::vector<Role> seats_of(const Machine& machine) {
    std::vector<Role> seats;
    for (std::uint32_t role = 0; role < machine.role_count(); ++role) {
        if (machine.role_name(Role{role}) != "random") seats.push_back(Role{role});
    }
    return seats;
}

std::uint64_t agent_seed(std::uint64_t match_seed, std::size_t seat) {
    return machine::Random(match_seed, seat + 1).next();  // stream 0 are the dice
}

MatchResult play_match(const std::shared_ptr<const machine::Game>& game, std::span<const std::unique_ptr<Agent>> agents,
                       const MatchSettings& settings) {
    return Referee(game, agents, settings).run();
}

MatchResult play_match(const std::shared_ptr<const machine::Game>& game, std::span<const player::Recipe> recipes,
                       const MatchSettings& settings) {
    std::vector<std::unique_ptr<Agent>> agents;
    for (std::size_t seat = 0; seat < recipes.size(); ++seat) {
        player::PlayerSettings one = settings.player;
        one.search.seed = agent_seed(settings.seed, seat);
        one.prepares = settings.players_prepare;
        if (settings.log) one.log = [&settings, seat](std::string_view line) { settings.log(seat, line); };
        agents.push_back(std::make_unique<LocalAgent>(recipes[seat].text(), recipes[seat], std::move(one)));
    }
    return play_match(game, agents, settings);
}

}  // namespace stratagem::arena
