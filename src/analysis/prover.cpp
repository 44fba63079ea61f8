#include "analysis/prover.h"

#include <algorithm>
#include <chrono>

#include "analysis/derived_groups.h"
#include "analysis/growth.h"
#include "analysis/time_share.h"
#include "machine/playout.h"
#include "util/contract.h"

namespace stratagem::analysis {

namespace {

constexpr double seconds_of_rule = 1.5e-6;            // as clauses
constexpr std::size_t most_proved_rules = 1'000'000;  // where there is no clock: of more, nothing is proved soon
constexpr std::uint32_t many_conflicts = 20'000;
constexpr std::uint32_t few_conflicts = 2000;  // of questions there are many of

}  // namespace

Prover::Prover(const machine::Game& game, std::shared_ptr<const Samples> samples,
               std::shared_ptr<const FoundGroups> groups, std::uint64_t seed)
    : game_(game), program_(game.program()), samples_(std::move(samples)), found_(std::move(groups)), seed_(seed) {
    STRATAGEM_EXPECTS(program_ != nullptr && samples_ != nullptr && found_ != nullptr);
    for (std::uint32_t role = 0; role < program_->roles.size(); ++role) {
        if (!machine::is_chance(game, Role{role})) players_.push_back(Role{role});
    }
    proofs_.groups = {found_, &found_->groups};
    proofs_.persistence.stays.assign(program_->fluents.size(), Verdict::unknown);
    proofs_.persistence.gone.assign(program_->fluents.size(), Verdict::unknown);
}

// Work that returns nothing is complete unless time is up.
template <typename Work>
void Prover::stage(const char* name, const machine::Stop& stop, Work&& work) {
    const auto start = Deadline::Clock::now();
    bool complete = true;
    if constexpr (std::is_same_v<decltype(work()), bool>) {
        complete = work();
    } else {
        work();
        complete = !stop.now();
    }
    const std::chrono::duration<double> seconds = Deadline::Clock::now() - start;
    stages_.push_back({name, seconds.count(), complete});
}

void Prover::run(Item last, const machine::Stop& stop) {
    const auto wanted = [&](Item item) { return transition_ && item <= last && (!done_ || *done_ < item); };
    // The last one has all the time there is.
    const auto within = [&](Item item, double share) { return item == last ? stop : part(stop, share); };
    if (!done_) make_clauses(stop);
    if (wanted(Item::invariants)) prove_invariants(stop, within(Item::invariants, 0.65));
    if (wanted(Item::turns)) prove_turns(stop, within(Item::turns, 0.3));
    if (wanted(Item::persistence)) prove_persistences(stop, within(Item::persistence, 0.65));
    if (wanted(Item::goal_sum)) prove_goal_sum(stop);
    if (!done_ || *done_ < last) done_ = last;
    proofs_.last = *done_;
}

void Prover::make_clauses(const machine::Stop& stop) {
    stage("clauses", stop, [&] {
        // Cannot be interrupted: not begun unless there is time for it, by a careful estimate.
        const std::chrono::duration<double> cost(static_cast<double>(program_->rule_count()) * seconds_of_rule);
        const bool time =
            stop.deadline.is_never() ? program_->rule_count() < most_proved_rules : cost < stop.deadline.remaining();
        if (time && !stop.now()) transition_.emplace(*program_);
        return transition_.has_value();
    });
    cut_ = !transition_ && (!stop.deadline.is_never() || stop.now());
}

ProofLimits Prover::limits(std::uint32_t conflicts, const machine::Stop& within, std::size_t millions) {
    allowance_.emplace(millions * 1'000'000);
    Allowance* const allowance = within.deadline.is_never() ? &*allowance_ : nullptr;
    transition_->clauses().draw_on(allowance);
    return {conflicts, within, allowance};
}

void Prover::prove_invariants(const machine::Stop& stop, const machine::Stop& within) {
    stage("invariants", stop, [&] {
        auto groups = std::make_shared<std::vector<Group>>(found_->groups);
        const bool complete = prove_groups(*transition_, *groups, limits(many_conflicts, within, 30)).complete;
        proofs_.groups = std::move(groups);
        if (!complete) see_end(within);
        return complete;
    });
}

void Prover::prove_turns(const machine::Stop& stop, const machine::Stop& within) {
    stage("turn-taking", stop, [&] {
        proofs_.turn_taking = prove_turn_taking(*transition_, *samples_, limits(many_conflicts, within, 6));
        see_end(within);
        if (proofs_.turn_taking != Verdict::refuted) return;
        const auto several = [](const Sample& sample) {
            return std::ranges::count_if(sample.legal, [](std::uint32_t moves) { return moves > 1; }) > 1;
        };
        proofs_.several_choose = std::ranges::find_if(samples_->all(), several)->state;
    });
}

void Prover::prove_persistences(const machine::Stop& stop, const machine::Stop& within) {
    stage("persistence", stop, [&] {
        proofs_.persistence =
            prove_persistence(*transition_, *samples_, *proofs_.groups, limits(few_conflicts, within, 12));
        if (!proofs_.persistence.complete) see_end(within);
        return proofs_.persistence.complete;
    });
}

void Prover::prove_goal_sum(const machine::Stop& stop) {
    stage("goal sum", stop, [&] {
        if (players_.empty()) return;
        machine::Stop within = part(stop, 0.4);
        prove_derived_groups(*transition_, *samples_, *proofs_.groups, limits(many_conflicts, within, 8));
        see_end(within);
        within = part(stop, 0.3);
        prove_no_growth(*transition_, found_->families, *proofs_.groups, limits(many_conflicts, within, 5));
        see_end(within);
        within = part(stop, 0.7);
        proofs_.goal_sum = prove_constant_sum(*transition_, *samples_, players_, limits(many_conflicts, within, 12));
        see_end(within);
        doubt_sum(part(stop, 0.2));
    });
}

// A sum that is only observed is looked for in many more games: other ends may be rare, such as draws.
void Prover::doubt_sum(const machine::Stop& stop) {
    // Without a clock fewer where steps take long.
    constexpr std::size_t steps_times_rules = 4'000'000'000;
    std::size_t most_steps = 100'000;
    if (stop.deadline.is_never()) {
        most_steps = std::min(most_steps, steps_times_rules / std::max<std::size_t>(1, program_->rule_count()));
    }
    GoalSum& sum = proofs_.goal_sum;
    machine::PlayoutOptions playing;
    playing.stop = stop;
    const auto machine = game_.make();
    machine::RandomPlay play(*machine);
    machine::Random random(seed_, 77);
    for (std::size_t steps = 0; sum.constant == Verdict::observed && steps < most_steps;) {
        if (stop.now()) {
            cut_ = true;
            return;
        }
        const machine::Playout& game = play.play(random, playing);
        steps += game.steps + 1;
        if (game.end != machine::PlayoutEnd::terminal) continue;
        if (sum_of(game.goals, players_) != sum.sum) sum = refuted_by(game.last, game.goals, players_);
    }
}

}  // namespace stratagem::analysis
