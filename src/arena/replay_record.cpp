#include "arena/replay_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "gdl/print.h"
#include "machine/check_machine.h"
#include "machine/machine_text.h"
#include "machine/term_text.h"

namespace stratagem::arena {

namespace {

using machine::Move;
using machine::Role;
using Strings = std::vector<std::string>;

// As machines write it; what is no term stays as it is.
std::string canonical(std::string_view text) {
    gdl::TermPool terms;
    const std::optional<gdl::Term> term = machine::parse_term(terms, text);
    return term ? gdl::to_kif(terms, *term) : std::string(text);
}

class Replay {
  public:
    Replay(machine::Machine& machine, const MatchRecord& record, std::size_t number)
        : machine_(machine), record_(record), number_(number), state_(machine.initial()) {
        if (record.own_start && !record.states.empty()) stand_at(facts_in(record.states.front()));
    }

    machine::ReplayResult run(std::size_t max_steps) {
        try {
            if (!same_roles()) return std::move(result_);
            const std::size_t states = record_.moves.size() + 1;
            for (step_ = 0; step_ < states && step_ < max_steps; ++step_) {
                ++result_.steps;
                if (!same_state()) return std::move(result_);
                if (step_ + 1 == states) {
                    compare_end();
                } else if (!make_moves()) {
                    return std::move(result_);
                }
            }
        } catch (const machine::MachineMismatch& mismatch) {
            add("machines disagree: " + mismatch.question, mismatch.expected, mismatch.answer);
        }
        return std::move(result_);
    }

  private:
    // Where the match did not begin as the rules say. What the game does not know shows when states are compared.
    void stand_at(const Strings& facts) {
        state_.clear();
        for (const std::string& fact : facts) {
            if (const std::optional<machine::Fluent> fluent = machine_.find_fluent(fact)) state_.insert(*fluent);
        }
    }

    void add(std::string what, std::string expected, std::string got) {
        result_.mismatches.push_back({number_, step_, std::move(what), std::move(expected), std::move(got)});
    }

    bool same_roles() {
        const Strings roles = machine::role_names(machine_);
        Strings recorded;
        for (const std::string& role : record_.roles) recorded.push_back(canonical(role));
        // Records of others have no names, only places.
        if (recorded.empty() && (record_.moves.empty() || record_.role_count() == roles.size())) return true;
        if (recorded == roles) return true;
        add("roles",
            recorded.empty() ? fmt::format("{} roles", record_.role_count())
                             : fmt::format("{}", fmt::join(recorded, " ")),
            fmt::format("{}", fmt::join(roles, " ")));
        return false;
    }

    bool same_state() {
        if (step_ >= record_.states.size()) return true;
        const Strings recorded = facts_in(record_.states[step_]);
        const Strings got = machine::fluent_names(machine_, state_);
        if (recorded == got) return true;
        add("state", machine::difference(recorded, got), machine::difference(got, recorded));
        return false;
    }

    // False when that cannot be done.
    bool make_moves() {
        if (machine_.terminal(state_)) {
            add("end", "the match goes on", "the game is over");
            return false;
        }
        joint_.clear();
        bool legal = true;
        for (std::uint32_t role = 0; role < machine_.role_count(); ++role) {
            machine_.legal(state_, Role{role}, legal_);
            const std::string move = canonical(record_.moves[step_][role]);
            const auto found = std::ranges::find_if(legal_, [&](Move one) { return machine_.move_name(one) == move; });
            if (found == legal_.end()) {
                add("illegal move of " + machine_.role_name(Role{role}), move, choices());
                legal = false;
                continue;
            }
            joint_.push_back(*found);
            const std::uint32_t* count = recorded(record_.legal_counts, step_, role);
            if (count != nullptr && *count != legal_.size()) {
                add("number of legal moves of " + machine_.role_name(Role{role}), std::to_string(*count),
                    std::to_string(legal_.size()));
            }
        }
        if (!legal) return false;
        machine_.next(state_, joint_, next_);
        std::swap(state_, next_);
        return true;
    }

    std::string choices() const {
        if (legal_.empty()) return "no legal move";
        Strings names = machine::move_names(machine_, legal_);
        std::ranges::sort(names);
        return "legal: " + machine::first_of(std::move(names));
    }

    void compare_end() {
        if (record_.completed && !over()) add("end", "the game is over", "it goes on");
        if (record_.goals.size() != machine_.role_count()) return;
        for (std::uint32_t role = 0; role < machine_.role_count(); ++role) {
            const int got = machine_.goal(state_, Role{role}).value_or(0);
            if (record_.goals[role] != got) {
                add("goal of " + machine_.role_name(Role{role}), std::to_string(record_.goals[role]),
                    std::to_string(got));
            }
        }
    }

    // By the rules, or since a role has no move.
    bool over() {
        if (machine_.terminal(state_)) return true;
        for (std::uint32_t role = 0; role < machine_.role_count(); ++role) {
            machine_.legal(state_, Role{role}, legal_);
            if (legal_.empty()) return true;
        }
        return false;
    }

    machine::Machine& machine_;
    const MatchRecord& record_;
    std::size_t number_;
    std::size_t step_ = 0;
    machine::State state_;
    machine::State next_;
    std::vector<Move> legal_;
    std::vector<Move> joint_;
    machine::ReplayResult result_;
};

}  // namespace

std::vector<std::string> facts_in(std::string_view state) {
    Strings facts;
    std::size_t depth = 0;
    std::size_t begin = 0;
    const auto end_at = [&](std::size_t end) {
        if (end > begin) facts.push_back(canonical(state.substr(begin, end - begin)));
        begin = end;
    };
    for (std::size_t i = 0; i < state.size(); ++i) {
        const char c = state[i];
        if (c == '(' && depth++ == 0) end_at(i);
        if (c == ')' && depth > 0 && --depth == 0) end_at(i + 1);
        if (c == ' ' && depth == 0) {
            end_at(i);
            begin = i + 1;
        }
    }
    end_at(state.size());
    std::ranges::sort(facts);
    facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    return facts;
}

machine::ReplayResult replay(machine::Machine& machine, const MatchRecord& record, std::size_t number,
                             std::size_t max_steps) {
    return Replay(machine, record, number).run(max_steps);
}

}  // namespace stratagem::arena
