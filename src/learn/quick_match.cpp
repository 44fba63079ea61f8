#include "learn/quick_match.h"

#include <limits>

#include "machine/random.h"

namespace stratagem::learn {

namespace {

using machine::Move;
using machine::Role;
using machine::State;

class Table {
  public:
    Table(const machine::Game& game, const evaluate::Evaluator* first, const evaluate::Evaluator* second,
          const QuickMatch& match)
        : machine_(game.make()),
          first_(first != nullptr ? first->start() : nullptr),
          second_(second != nullptr ? second->start() : nullptr),
          match_(match),
          random_(match.seed),
          legal_(machine_->role_count()) {
        for (std::uint32_t role = 0; role < machine_->role_count(); ++role) {
            if (machine_->role_name(Role{role}) != "random")
                players_.push_back(Role{role});
            else
                chance_ = Role{role};
        }
    }

    std::vector<double> run(const machine::Stop& stop) {
        std::vector<double> points;
        if (players_.empty()) return points;
        for (std::size_t game = 0; game < match_.games && !stop.now(); ++game) {
            const Role ours = players_[game % players_.size()];
            if (const std::optional<double> one = play(ours, stop)) points.push_back(*one);
        }
        return points;
    }

  private:
    // Nothing where the game did not come to an end.
    std::optional<double> play(Role ours, const machine::Stop& stop) {
        State state = machine_->initial();
        for (std::size_t step = 0; step <= match_.longest && !stop.now(); ++step) {
            if (machine_->terminal(state)) return machine_->goal(state, ours).value_or(0);
            std::vector<Move> drawn;
            for (std::uint32_t role = 0; role < legal_.size(); ++role) {
                machine_->legal(state, Role{role}, legal_[role]);
                if (legal_[role].empty()) return std::nullopt;
                drawn.push_back(legal_[role][random_.below(static_cast<std::uint32_t>(legal_[role].size()))]);
            }
            std::vector<Move> joint = drawn;
            for (std::uint32_t role = 0; role < legal_.size() && step >= match_.opening; ++role) {
                evaluate::Evaluation* judge = Role{role} == ours ? first_.get() : second_.get();
                if (judge != nullptr && Role{role} != chance_ && legal_[role].size() > 1) {
                    joint[role] = best(state, Role{role}, drawn, *judge);
                }
            }
            State next;
            machine_->next(state, joint, next);
            state = std::move(next);
        }
        return std::nullopt;
    }

    Move best(const State& state, Role role, std::vector<Move> joint, evaluate::Evaluation& judge) {
        double best = -std::numeric_limits<double>::infinity();
        std::uint32_t equals = 0;
        Move chosen = joint[ground::index(role)];
        State next;
        for (const Move move : legal_[ground::index(role)]) {
            joint[ground::index(role)] = move;
            machine_->next(state, joint, next);
            const double value =
                machine_->terminal(next) ? machine_->goal(next, role).value_or(0) : judge.value(next, role);
            if (value < best) continue;
            equals = value > best ? 1 : equals + 1;
            best = value;
            if (random_.below(equals) == 0) chosen = move;
        }
        return chosen;
    }

    std::unique_ptr<machine::Machine> machine_;
    std::unique_ptr<evaluate::Evaluation> first_, second_;
    QuickMatch match_;
    machine::Random random_;
    std::vector<std::vector<Move>> legal_;
    std::vector<Role> players_;
    std::optional<Role> chance_;
};

}  // namespace

std::vector<double> play_quickly(const machine::Game& game, const evaluate::Evaluator* first,
                                 const evaluate::Evaluator* second, const QuickMatch& match,
                                 const machine::Stop& stop) {
    return Table(game, first, second, match).run(stop);
}

}  // namespace stratagem::learn
