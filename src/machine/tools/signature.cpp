#include "machine/tools/signature.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine_text.h"
#include "machine/random.h"
#include "util/fnv_hash.h"

namespace stratagem::machine {

namespace {

class Signer {
  public:
    Signer(Machine& machine, const SignatureOptions& options)
        : machine_(machine), options_(options), random_(options.seed) {}

    std::uint64_t run() {
        for (const std::string& role : role_names(machine_)) hash_.add(role);
        for (std::size_t game = 0; game < options_.games; ++game) {
            state_ = machine_.initial();
            while (look() && steps_ < options_.max_steps && advance()) ++steps_;
        }
        return hash_.value();
    }

  private:
    // Hashes the state and its goals; false at the end of the game.
    bool look() {
        for (const std::string& name : fluent_names(machine_, state_)) hash_.add(name);
        for (std::uint32_t role = 0; role < machine_.role_count(); ++role) {
            const std::optional<int> goal = machine_.goal(state_, Role{role});
            hash_.add(goal ? static_cast<std::uint64_t>(static_cast<std::int64_t>(*goal)) : ~std::uint64_t{0} >> 1);
        }
        const bool terminal = machine_.terminal(state_);
        hash_.add(std::uint64_t{terminal});
        return !terminal;
    }

    // False when a role has no move.
    bool advance() {
        joint_.clear();
        for (std::uint32_t role = 0; role < machine_.role_count(); ++role) {
            machine_.legal(state_, Role{role}, legal_);
            if (legal_.empty()) return false;
            named_.clear();
            for (const Move move : legal_) named_.emplace_back(machine_.move_name(move), move);
            std::ranges::sort(named_);
            for (const auto& [name, move] : named_) hash_.add(name);
            const auto& [name, move] = named_[random_.below(static_cast<std::uint32_t>(named_.size()))];
            hash_.add(name);
            joint_.push_back(move);
        }
        machine_.next(state_, joint_, next_);
        std::swap(state_, next_);
        return true;
    }

    Machine& machine_;
    const SignatureOptions& options_;
    Random random_;
    FnvHash hash_;
    std::size_t steps_ = 0;
    State state_;
    State next_;
    std::vector<Move> joint_;
    std::vector<Move> legal_;
    std::vector<std::pair<std::string, Move>> named_;
};

}  // namespace

std::uint64_t signature(Machine& machine, const SignatureOptions& options) { return Signer(machine, options).run(); }

}  // namespace stratagem::machine
