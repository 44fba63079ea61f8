#include "machine/tools/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "gdl/print.h"
#include "machine/check_machine.h"
#include "machine/term_text.h"
#include "util/contract.h"

namespace stratagem::machine {

namespace {

using Strings = std::vector<std::string>;

std::string to_text(const std::optional<int>& goal) { return goal ? fmt::format("{}", *goal) : "none"; }

class Comparison {
  public:
    Comparison(const Trace& trace, ReplayResult& result) : trace_(trace), result_(result) {}

    void at_step(std::size_t step) { step_ = step; }

    bool lists(std::string what, const Strings& expected, const Strings& got) {
        if (expected == got) return true;
        add(std::move(what), difference(expected, got), difference(got, expected));
        return false;
    }

    void values(std::string what, const std::string& expected, const std::string& got) {
        if (expected != got) add(std::move(what), expected, got);
    }

  private:
    void add(std::string what, std::string expected, std::string got) {
        result_.mismatches.push_back({trace_.match, step_, std::move(what), std::move(expected), std::move(got)});
    }

    const Trace& trace_;
    ReplayResult& result_;
    std::size_t step_ = 0;
};

// As machines print it; what is no term stays as it is.
std::string canonical(const std::string& move) {
    gdl::TermPool terms;
    const std::optional<gdl::Term> term = parse_term(terms, move);
    return term ? gdl::to_kif(terms, *term) : move;
}

// False when a recorded move is not legal: what follows it is defined by no rule.
bool legal_moves(Comparison& compare, TextMachine& machine, const Strings& roles, const Strings& moves) {
    if (moves.size() != roles.size()) {
        compare.values("moves", fmt::format("{} moves, one for each role", roles.size()),
                       fmt::format("{} moves", moves.size()));
        return false;
    }
    for (std::size_t role = 0; role < roles.size(); ++role) {
        const Strings legal = machine.legal(role);
        if (std::ranges::binary_search(legal, moves[role])) continue;
        if (std::ranges::binary_search(legal, canonical(moves[role]))) continue;
        compare.values("moves", "a legal move of " + roles[role], "illegal move " + moves[role]);
        return false;
    }
    return true;
}

// False when the state is wrong.
bool compare_step(Comparison& compare, TextMachine& machine, const Strings& roles, const TraceStep& step) {
    if (!compare.lists("state", step.state, machine.state())) return false;
    compare.values("terminal", step.terminal ? "true" : "false", machine.terminal() ? "true" : "false");
    for (std::size_t role = 0; role < step.legals.size(); ++role) {
        compare.lists("legal " + roles[role], step.legals[role], machine.legal(role));
    }
    for (std::size_t role = 0; role < step.goals.size(); ++role) {
        compare.values("goal " + roles[role], to_text(step.goals[role]), to_text(machine.goal(role)));
    }
    return true;
}

}  // namespace

std::string first_of(std::vector<std::string> names) {
    constexpr std::size_t max_shown = 10;
    const std::size_t hidden = names.size() > max_shown ? names.size() - max_shown : 0;
    names.resize(names.size() - hidden);
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    if (hidden > 0) text += fmt::format(" and {} more", hidden);
    return text;
}

std::string difference(const std::vector<std::string>& from, const std::vector<std::string>& without) {
    STRATAGEM_EXPECTS(std::ranges::is_sorted(from) && std::ranges::is_sorted(without));
    Strings result;
    std::ranges::set_difference(from, without, std::back_inserter(result));
    return result.empty() ? "nothing more" : first_of(std::move(result));
}

ReplayResult replay(TextMachine& machine, const Trace& trace, std::size_t max_steps) {
    ReplayResult result;
    Comparison compare(trace, result);
    const Strings roles = machine.roles();
    if (roles != trace.roles) {
        compare.values("roles", fmt::format("{}", fmt::join(trace.roles, " ")),
                       fmt::format("{}", fmt::join(roles, " ")));
        return result;
    }
    try {
        machine.reset();
        for (std::size_t i = 0; i < trace.steps.size() && i < max_steps; ++i) {
            const TraceStep& step = trace.steps[i];
            compare.at_step(i);
            ++result.steps;
            if (!compare_step(compare, machine, roles, step) || step.moves.empty()) break;
            if (i + 1 == trace.steps.size() || i + 1 >= max_steps) break;
            if (!legal_moves(compare, machine, roles, step.moves)) break;
            machine.advance(step.moves);
        }
    } catch (const MachineMismatch& mismatch) {
        compare.values("machines disagree: " + mismatch.question, mismatch.expected, mismatch.answer);
    } catch (const std::invalid_argument& fault) {
        compare.values("moves", "moves the machine knows", fault.what());
    }
    return result;
}

}  // namespace stratagem::machine
