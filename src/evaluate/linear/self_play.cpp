#include "evaluate/linear/self_play.h"

#include <algorithm>
#include <limits>

#include "evaluate/linear/follow.h"
#include "evaluate/linear/sharing.h"
#include "machine/circuit/circuit_machine.h"
#include "machine/random.h"

namespace stratagem::evaluate::linear {

using machine::Move;
using machine::Role;
using machine::State;

// Weights while they are learned, and the state they are added up for.
class SelfPlay::Weights {
  public:
    Weights(const Tuples& tuples, std::size_t seats, const Sharing& sharing)
        : tuples_(tuples),
          seats_(seats),
          width_(seats * tuples.phases()),
          sharing_(sharing),
          learned_(sharing.places),
          follower_(tuples),
          sum_(width_, 0) {}

    void move_to(const State& state) {
        const auto add = [&](std::uint32_t weight, float sign) {
            for (std::size_t i = 0; i < width_; ++i) sum_[i] += sign * at(weight * width_ + i);
        };
        follower_.move_to(
            state, [&](std::uint32_t weight) { add(weight, -1); }, [&](std::uint32_t weight) { add(weight, 1); });
    }
    double logit(std::size_t seat) const { return sum_[follower_.phase() * seats_ + seat]; }
    std::span<const std::uint32_t> contents() const { return follower_.contents(); }

    // Of what a state's tuples held.
    double logit(std::span<const std::uint32_t> contents, std::size_t seat) const {
        const std::size_t sum = tuples_.phase(contents) * seats_ + seat;
        double result = 0;
        for (std::size_t tuple = 0; tuple < contents.size(); ++tuple) {
            result += at(tuples_.weight(tuple, contents[tuple]) * width_ + sum);
        }
        return result;
    }
    void push(std::span<const std::uint32_t> contents, std::size_t seat, double step, double error) {
        const std::size_t sum = tuples_.phase(contents) * seats_ + seat;
        // Tuples that share a weight move it together: the step is shared among them so that the sum of all moves by
        // it.
        entries_.clear();
        double moved = 0;
        for (std::size_t tuple = 0; tuple < contents.size(); ++tuple) {
            const std::size_t entry = tuples_.weight(tuple, contents[tuple]) * width_ + sum;
            if (sharing_.sign[entry] == 0) continue;
            entries_.push_back(entry);
            Learned& one = learned_[sharing_.place[entry]];
            moved += 2 * sharing_.sign[entry] * one.times + 1;  // the sum of squares of how often each is there
            one.times += static_cast<float>(sharing_.sign[entry]);
        }
        const auto share = static_cast<float>(step / std::max(moved, 1.0));
        for (const std::size_t entry : entries_) {
            Learned& one = learned_[sharing_.place[entry]];
            if (one.times == 0) continue;
            const float pushed = one.times * static_cast<float>(error);
            one.times = 0;
            const float rate = one.all > 0 ? std::abs(one.net) / one.all : 1;
            one.weight += share * pushed * rate;
            one.net += pushed;
            one.all += std::abs(pushed);
        }
    }
    // What was pushed changes the sums of the present state too.
    void add_up_again() {
        std::ranges::fill(sum_, 0);
        const std::span<const std::uint32_t> contents = follower_.contents();
        for (std::size_t tuple = 0; tuple < contents.size(); ++tuple) {
            const std::size_t weight = tuples_.weight(tuple, contents[tuple]);
            for (std::size_t i = 0; i < width_; ++i) sum_[i] += at(weight * width_ + i);
        }
    }
    std::vector<std::int32_t> rounded() const {
        std::vector<std::int32_t> result;
        result.reserve(sharing_.place.size());
        for (std::size_t entry = 0; entry < sharing_.place.size(); ++entry) {
            const double weight = std::clamp<double>(at(entry), -1000, 1000);
            result.push_back(static_cast<std::int32_t>(std::lround(weight * Model::unit)));
        }
        return result;
    }

  private:
    struct Learned {
        float weight = 0;
        float net = 0, all = 0;  // errors so far, with and without their signs
        float times = 0;         // in the state that is learned from, while it is
    };

    float at(std::size_t entry) const {
        return static_cast<float>(sharing_.sign[entry]) * learned_[sharing_.place[entry]].weight;
    }

    const Tuples& tuples_;
    std::size_t seats_, width_;
    const Sharing& sharing_;
    std::vector<Learned> learned_;
    Follower follower_;
    std::vector<std::size_t> entries_;  // of the state that is learned from
    std::vector<double> sum_;           // by phase, then seat
};

class SelfPlay::Player {
  public:
    Player(const std::shared_ptr<const machine::Circuit>& circuit, const Seats& seats, const Tuples& tuples,
           const Sharing& sharing, const SelfPlaySettings& settings, SelfPlayed& played)
        : machine_(circuit),
          seats_(seats),
          weights_(tuples, seats.count(), sharing),
          settings_(settings),
          random_(settings.seed),
          played_(played),
          roles_(machine_.role_count()),
          legal_(roles_),
          joint_(roles_) {}

    void run(const machine::Stop& stop) {
        while (!is_over() && !stop.now()) play(stop);
    }
    const Weights& weights() const { return weights_; }

    bool is_over() const {
        return (settings_.most_states > 0 && played_.states >= settings_.most_states) || fruitless_ > most_fruitless;
    }

  private:
    void play(const machine::Stop& stop) {
        state_ = machine_.initial();
        past_.clear();
        by_chance_.clear();
        const std::size_t opening =
            settings_.opening == 0 ? 0 : random_.below(static_cast<std::uint32_t>(settings_.opening) + 1);
        ++fruitless_;
        for (std::size_t step = 0; step < settings_.longest; ++step) {
            if (machine_.terminal(state_)) {
                learn();
                return;
            }
            if (is_over() || stop.now()) return;
            weights_.move_to(state_);
            past_.insert(past_.end(), weights_.contents().begin(), weights_.contents().end());
            const bool chance = step < opening || random_.below(1'000'000) < settings_.explore * 1'000'000;
            if (!choose(chance)) return;
            by_chance_.push_back(chance);
            ++played_.states;
            machine_.next(state_, joint_, next_);
            std::swap(state_, next_);
        }
    }

    // Everybody takes what is best against moves of the others drawn by chance. False where somebody is stuck.
    bool choose(bool chance) {
        for (std::uint32_t role = 0; role < roles_; ++role) {
            machine_.legal(state_, Role{role}, legal_[role]);
            if (legal_[role].empty()) return false;
            joint_[role] = legal_[role][random_.below(static_cast<std::uint32_t>(legal_[role].size()))];
        }
        if (chance) return true;
        const std::vector<Move> drawn = joint_;
        for (std::uint32_t role = 0; role < roles_; ++role) {
            if (legal_[role].size() < 2 || !seats_.plays(Role{role})) continue;
            tried_ = drawn;
            double best = -std::numeric_limits<double>::infinity();
            std::uint32_t equals = 0;
            for (const Move move : legal_[role]) {
                tried_[role] = move;
                machine_.next(state_, tried_, next_);
                ++played_.states;
                const double value = worth(next_, Role{role});
                if (value < best) continue;
                equals = value > best ? 1 : equals + 1;
                best = value;
                if (random_.below(equals) == 0) joint_[role] = move;
            }
        }
        return true;
    }

    double worth(const State& state, Role role) {
        if (machine_.terminal(state)) {
            constexpr double sure = 1000;
            return (seats_.share(role, machine_.goal(state, role).value_or(0)) - 0.5) * sure;
        }
        weights_.move_to(state);
        return seats_.sign(role) * weights_.logit(seats_.seat_of(role));
    }

    void learn() {
        fruitless_ = 0;
        const std::size_t steps = by_chance_.size();
        const std::size_t width = weights_.contents().size();
        const auto contents = [&](std::size_t step) { return std::span(past_).subspan(step * width, width); };
        double first = 0;
        for (std::size_t seat = 0; seat < seats_.count(); ++seat) {
            const Role player = seats_.player(seat);
            double target = seats_.share(player, machine_.goal(state_, player).value_or(0));
            for (std::size_t step = steps; step-- > 0;) {
                const double expected = logistic(weights_.logit(contents(step), seat));
                if (by_chance_[step]) {
                    target = expected;  // what came of it is not what it was worth
                    continue;
                }
                const double error = target - expected;
                if (seat == 0 && step + 1 == steps) first = std::abs(error);
                weights_.push(contents(step), seat, settings_.step, error);
                target = (1 - settings_.lambda) * expected + settings_.lambda * target;
            }
        }
        weights_.add_up_again();
        ++played_.games;
        played_.error += (first - played_.error) / std::min<double>(1000, static_cast<double>(played_.games));
    }

    static constexpr std::size_t most_fruitless = 1000;  // games in a row without an end

    machine::CircuitMachine machine_;
    const Seats& seats_;
    Weights weights_;
    SelfPlaySettings settings_;
    machine::Random random_;
    SelfPlayed& played_;
    std::size_t roles_;
    std::vector<std::vector<Move>> legal_;  // by role
    std::vector<Move> joint_, tried_;
    State state_, next_;
    std::vector<std::uint32_t> past_;  // contents of the tuples, state after state
    std::vector<bool> by_chance_;      // the move made there
    std::size_t fruitless_ = 0;
};

SelfPlay::SelfPlay(const std::shared_ptr<const machine::Circuit>& circuit, const analysis::GameKind& kind,
                   std::shared_ptr<const Tuples> tuples, const CellSymmetries& symmetries,
                   const SelfPlaySettings& settings)
    : tuples_(std::move(tuples)), seats_(kind), sharing_(share_weights(*tuples_, seats_, symmetries)) {
    played_.weights = sharing_.places;
    player_ = std::make_unique<Player>(circuit, seats_, *tuples_, sharing_, settings, played_);
}

SelfPlay::~SelfPlay() = default;

void SelfPlay::run(const machine::Stop& stop) {
    if (seats_.count() > 0) player_->run(stop);
}

bool SelfPlay::is_over() const { return seats_.count() == 0 || player_->is_over(); }

Model SelfPlay::model() const { return {tuples_, seats_, player_->weights().rounded()}; }

}  // namespace stratagem::evaluate::linear
