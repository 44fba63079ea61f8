#include "evaluate/linear/self_play.h"

#include <algorithm>
#include <limits>

#include "evaluate/linear/follow.h"
#include "evaluate/linear/learned_weights.h"
#include "machine/circuit/circuit_machine.h"
#include "machine/random.h"

namespace stratagem::evaluate::linear {

using machine::Move;
using machine::Role;
using machine::State;

class SelfPlay::Player {
  public:
    Player(const std::shared_ptr<const machine::Circuit>& circuit, const Seats& seats, const Tuples& tuples,
           const SelfPlaySettings& settings, SelfPlayed& played)
        : machine_(circuit),
          seats_(seats),
          tuples_(tuples),
          weights_(tuples, seats.count()),
          fluents_(weights_of_fluents<float>(tuples, seats.count(), weights_.data())),
          settings_(settings),
          random_(settings.seed),
          played_(played),
          roles_(machine_.role_count()),
          legal_(roles_),
          joint_(roles_) {
        for (std::size_t view = 0; view < tuples.phases(); ++view) {
            followers_.emplace_back(tuples, view, weights_.block(tuples.views().of_phase[view].block),
                                    fluents_[view].data(), seats.count());
        }
    }

    void run(const machine::Stop& stop, std::uint64_t games) {
        while (played_.games < games && !is_over() && !stop.now()) play(stop);
    }
    const LearnedWeights& weights() const { return weights_; }

    bool is_over() const {
        return (settings_.most_states > 0 && played_.states >= settings_.most_states) || fruitless_ > most_fruitless;
    }

  private:
    // A state of a game, and what is learned of it.
    struct Past {
        std::size_t view = 0;
        std::size_t first = 0;   // of its entries
        bool by_chance = false;  // the move made there
    };

    void play(const machine::Stop& stop) {
        state_ = machine_.initial();
        past_.clear();
        entries_.clear();
        // Every other game begins as games do, the others anywhere: a search looks at states that nobody would go to.
        const double most_opening = random_.below(2) == 0 ? 2 : settings_.opening * usual_length_;
        const std::uint32_t opening = random_.below(1 + static_cast<std::uint32_t>(most_opening));
        ++fruitless_;
        for (std::size_t step = 0; step < settings_.longest; ++step) {
            if (machine_.terminal(state_)) {
                usual_length_ += (static_cast<double>(step) - usual_length_) /
                                 static_cast<double>(std::min<std::size_t>(100, played_.games + 1));
                learn();
                return;
            }
            if (is_over() || stop.now()) return;
            remember();
            const bool chance = step < opening || random_.below(1'000'000) < settings_.explore * 1'000'000;
            if (!choose(chance)) return;
            past_.back().by_chance = chance;
            ++played_.states;
            machine_.next(state_, joint_, next_);
            std::swap(state_, next_);
        }
    }

    void remember() {
        for (Sums& one : followers_) one.move_to(state_);
        const std::size_t view = tuples_.phase(state_.words());
        past_.push_back({view, entries_.size(), false});
        entries_.push_back(0);
        state_.for_each([&](machine::Fluent fluent) { entries_.push_back(tuples_.entry_of(view, fluent)); });
        const std::span<const std::uint32_t> looks = followers_[view].entries();
        entries_.insert(entries_.end(), looks.begin(), looks.end());
    }

    // Everybody takes what is best against moves of the others drawn by chance. False where somebody is stuck.
    bool choose(bool chance) {
        for (std::uint32_t role = 0; role < roles_; ++role) {
            machine_.legal(state_, Role{role}, legal_[role]);
            if (legal_[role].empty()) return false;
            joint_[role] = legal_[role][random_.below(static_cast<std::uint32_t>(legal_[role].size()))];
        }
        if (chance) return true;
        drawn_ = joint_;
        for (std::uint32_t role = 0; role < roles_; ++role) {
            if (legal_[role].size() < 2 || !seats_.plays(Role{role})) continue;
            tried_ = drawn_;
            float best = -std::numeric_limits<float>::infinity();
            std::uint32_t equals = 0;
            for (const Move move : legal_[role]) {
                tried_[role] = move;
                machine_.next(state_, tried_, next_);
                ++played_.states;
                const float value = worth(next_, Role{role});
                if (value < best) continue;
                equals = value > best ? 1 : equals + 1;
                best = value;
                if (equals == 1 || random_.below(equals) == 0) joint_[role] = move;
            }
        }
        return true;
    }

    float worth(const State& state, Role role) {
        if (machine_.terminal(state)) {
            constexpr double sure = 1000;
            return static_cast<float>((seats_.share(role, machine_.goal(state, role).value_or(0)) - 0.5) * sure);
        }
        const std::size_t view = tuples_.phase(state.words());
        const Role image{tuples_.views().of_phase[view].exchange.roles[ground::index(role)]};
        return static_cast<float>(seats_.sign(image)) * followers_[view].peek(state, seats_.seat_of(image));
    }

    // From the end of a game back: what is expected of a state moves towards what is expected later, and what came of
    // it (TD(λ), forward view). What later states have just learned counts already: so what came of a long game is
    // known at its beginning after a few games.
    void learn() {
        fruitless_ = 0;
        const std::size_t seats = seats_.count();
        std::vector<double>& target = target_;  // by role
        target.assign(roles_, 0);
        expected_.resize(seats);
        for (std::uint32_t role = 0; role < roles_; ++role) {
            if (seats_.plays(Role{role}))
                target[role] = seats_.share(Role{role}, machine_.goal(state_, Role{role}).value_or(0));
        }
        double first = 0;
        std::size_t end = entries_.size();
        for (std::size_t step = past_.size(); step-- > 0;) {
            const Past& past = past_[step];
            const std::span<const std::uint32_t> entries(entries_.data() + past.first, end - past.first);
            end = past.first;
            const Views::View& view = tuples_.views().of_phase[past.view];
            for (std::size_t seat = 0; seat < seats; ++seat) expected_[seat] = weights_.sum(view.block, entries, seat);
            for (std::uint32_t role = 0; role < roles_; ++role) {
                const Role image{view.exchange.roles[role]};
                if (!seats_.plays(image)) continue;
                const std::size_t seat = seats_.seat_of(image);
                const double expected = logistic(seats_.sign(image) * double{expected_[seat]});
                if (past.by_chance) {
                    target[role] = expected;  // what came of it is not what it was worth
                    continue;
                }
                const double error = target[role] - expected;
                target[role] = (1 - settings_.lambda) * expected + settings_.lambda * target[role];
                if (seats_.sign(image) < 0) continue;
                if (seat == 0 && step + 1 == past_.size()) first = std::abs(error);
                weights_.push(view.block, entries, seat, static_cast<float>(settings_.step), static_cast<float>(error));
            }
        }
        take_up();
        ++played_.games;
        played_.error += (first - played_.error) / std::min<double>(1000, static_cast<double>(played_.games));
    }

    // What was pushed changes the sums of the present state too.
    void take_up() {
        const std::size_t seats = seats_.count();
        for (std::size_t view = 0; view < followers_.size(); ++view) {
            const float* block = weights_.block(tuples_.views().of_phase[view].block);
            for (std::uint32_t i = 0; i * seats < fluents_[view].size(); ++i) {
                const std::size_t entry = tuples_.entry_of(view, machine::Fluent{i});
                for (std::size_t seat = 0; seat < seats; ++seat) {
                    fluents_[view][i * seats + seat] = block[entry * seats + seat];
                }
            }
            followers_[view].move_to(machine_.initial());
            followers_[view].add_up();
        }
    }

    static constexpr std::size_t most_fruitless = 1000;  // games in a row without an end
    using Sums = Follower<float, float>;

    machine::CircuitMachine machine_;
    const Seats& seats_;
    const Tuples& tuples_;
    LearnedWeights weights_;
    std::vector<std::vector<float>> fluents_;  // by view, then fluent and seat: their weights
    std::vector<Sums> followers_;              // by view
    SelfPlaySettings settings_;
    machine::Random random_;
    SelfPlayed& played_;
    std::size_t roles_;
    std::vector<std::vector<Move>> legal_;  // by role
    std::vector<Move> joint_, drawn_, tried_;
    State state_, next_;
    std::vector<Past> past_;
    std::vector<std::uint32_t> entries_;  // state after state
    std::vector<float> expected_;         // by seat: sums
    std::vector<double> target_;
    double usual_length_ = 0;  // of games
    std::size_t fruitless_ = 0;
};

SelfPlay::SelfPlay(const std::shared_ptr<const machine::Circuit>& circuit, const analysis::GameKind& kind,
                   std::shared_ptr<const Tuples> tuples, const SelfPlaySettings& settings)
    : tuples_(std::move(tuples)), seats_(kind) {
    player_ = std::make_unique<Player>(circuit, seats_, *tuples_, settings, played_);
}

SelfPlay::~SelfPlay() = default;

void SelfPlay::run(const machine::Stop& stop, std::uint64_t games) {
    if (seats_.count() > 0) player_->run(stop, games);
}

bool SelfPlay::is_over() const { return seats_.count() == 0 || player_->is_over(); }

Model SelfPlay::model() const { return {tuples_, seats_, player_->weights().rounded()}; }

}  // namespace stratagem::evaluate::linear
