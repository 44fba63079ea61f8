#include "search/max_n/max_n.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/limits.h"
#include "search/common/rounding.h"
#include "util/contract.h"

namespace stratagem::search {

using ground::index;

namespace {

constexpr std::uint32_t deepest = 200;
constexpr std::int32_t rank_of_table_move = 1 << 30;
constexpr std::int32_t history_limit = 1 << 24;

}  // namespace

MaxN::MaxN(const Problem& problem, const SearchSettings& settings, const MaxNOptions& options)
    : problem_(problem),
      options_(options),
      machine_(problem.game->make()),
      table_(settings.table_megabytes << 20, problem.facts.roles) {
    problem_.evaluator = evaluator_for_scores(problem, settings);
    opinions_ = problem_.evaluator->start();
    const analysis::GameKind& facts = problem_.facts;
    int least_sum = 0;
    for (std::size_t role = 0; role < facts.roles; ++role) {
        scales_.emplace_back(facts.least_goal[role], facts.most_goal[role]);
        least_sum += facts.is_chance[role] ? 0 : facts.least_goal[role];
    }
    blind_ = problem_.evaluator->is_constant();
    most_sum_ = facts.most_sum;
    seen_.resize(facts.roles, Seen(facts.roles));
    shared_sum_ = facts.games > 0 && facts.most_sum - facts.least_sum <= static_cast<int>(facts.roles);
    least_sum_ = least_sum;
    frames_.resize(max_ply + 1);
    for (Frame& frame : frames_) {
        frame.legal.resize(facts.roles);
        frame.joint.resize(facts.roles);
        frame.movers.resize(facts.roles);
    }
}

void MaxN::visit(std::uint32_t ply, std::int32_t depth, const Floor& floor, Value& value) {
    Frame& frame = frames_[ply];
    frame.table_best = 0;
    frame.best = 0;
    value.pruned = value.mean = false;
    if (nodes_ >= max_nodes_ || pacer_.due()) stopped_ = true;
    if (stopped_) return;
    ++nodes_;
    if (find(ply, depth, value)) return;
    if (machine_->terminal(frame.state)) return end_of_game(frame.state, ply, false, value);
    if (depth <= 0 || ply >= max_ply) {
        opinion(frame.state, value);
        store(ply, 0, value);
        return;
    }
    if (!expand(frame)) return end_of_game(frame.state, ply, true, value);
    decide(ply, 0, depth - 1, floor, value);
    if (!stopped_) store(ply, depth, value);
}

// Legal moves of all roles; those with a choice in the order in which they decide: we, the others, chance.
bool MaxN::expand(Frame& frame) {
    frame.mover_count = 0;
    const auto add = [&](std::uint32_t role, bool by_chance) {
        Mover& mover = frame.movers[frame.mover_count++];
        mover.role = role;
        mover.by_chance = by_chance;
    };
    for (std::uint32_t role = 0; role < frame.legal.size(); ++role) {
        machine_->legal(frame.state, Role{role}, frame.legal[role]);
        if (frame.legal[role].empty()) return false;
        frame.joint[role] = frame.legal[role][0];
    }
    see_movers(frame);
    const bool we_choose = frame.legal[role_].size() > 1;
    if (we_choose) add(role_, false);
    for (const bool chance : {false, true}) {
        for (std::uint32_t role = 0; role < frame.legal.size(); ++role) {
            if (role == role_ || frame.legal[role].size() == 1 || problem_.facts.is_chance[role] != chance) continue;
            add(role, chance || (options_.others_random && we_choose));
        }
    }
    return true;
}

void MaxN::end_of_game(const State& state, std::uint32_t ply, bool stuck, Value& value) {
    value.scores.resize(scales_.size());
    goals_.resize(scales_.size());
    int sum = 0;
    for (std::uint32_t role = 0; role < scales_.size(); ++role) {
        goals_[role] = stuck ? 0 : machine_->goal(state, Role{role}).value_or(0);
        value.scores[role] = scales_[role].of_goal(goals_[role], static_cast<std::int32_t>(ply));
        if (!problem_.facts.is_chance[role]) sum += goals_[role];
    }
    most_sum_ = std::max(most_sum_, sum);  // more than was ever seen: pruning must allow for it
    Seen& seen = seen_[role_];
    for (std::uint32_t role = 0; role < scales_.size(); ++role) {
        const int both = goals_[role_] + goals_[role];
        seen.differs[role] = seen.differs[role] || seen.sum[role].value_or(both) != both;
        seen.sum[role] = both;
    }
    value.complete = true;
}

void MaxN::see_movers(const Frame& frame) {
    Seen& seen = seen_[role_];
    std::size_t choosers = 0;
    for (std::uint32_t role = 0; role < frame.legal.size(); ++role) {
        if (frame.legal[role].size() == 1 || problem_.facts.is_chance[role]) continue;
        ++choosers;
        if (role != role_) seen.moves[role] = true;
    }
    seen.at_once = seen.at_once || choosers > 1;
}

// What was believed of the game held wherever the search has been. With more players others may harm us at their own
// cost; only against one opponent, whose loss is our gain, is a value sure.
bool MaxN::is_sure() const {
    const analysis::GameKind& facts = problem_.facts;
    if (facts.players > 1 && !(holds(facts.two_player_zero_sum) && holds(facts.turn_taking))) return false;
    const Seen& seen = seen_[role_];
    if (seen.skipped && facts.two_player_zero_sum != analysis::Verdict::proved) return false;
    const auto others = std::ranges::count(seen.moves, true);
    if (others == 0) return true;
    const auto other = static_cast<std::size_t>(std::ranges::find(seen.moves, true) - seen.moves.begin());
    return others == 1 && !seen.at_once && !seen.differs[other];
}

void MaxN::opinion(const State& state, Value& value) {
    value.scores.resize(scales_.size());
    value.complete = false;
    double sum = 0;
    for (std::uint32_t role = 0; role < scales_.size(); ++role) {
        value.scores[role] = scales_[role].of_opinion(opinions_->value(state, Role{role}));
        if (!problem_.facts.is_chance[role]) sum += value.scores[role];
    }
    if (!shared_sum_ || sum <= 0) return;
    const double factor = static_cast<double>(most_sum_) * score_unit / sum;
    for (std::uint32_t role = 0; role < scales_.size(); ++role) {
        value.scores[role] = scales_[role].inside(static_cast<Score>(value.scores[role] * factor));
    }
}

bool MaxN::better(const Value& a, const Value& b, std::uint32_t role) const {
    if (a.scores[role] != b.scores[role]) return a.scores[role] > b.scores[role];
    if (a.scores[role_] != b.scores[role_]) return a.scores[role_] < b.scores[role_];
    return a.scores < b.scores;
}

// What the player before can still get here is less than he has: the sum of all, less what this player is sure of, less
// the least the others must get. Bonuses for the number of steps are allowed for.
bool MaxN::too_good(const Value& value, std::uint32_t role, const Floor& floor) const {
    if (!options_.prune || !shared_sum_ || !floor.role || floor.role == role) return false;
    const int others = least_sum_ - scales_[role].least() - scales_[*floor.role].least();
    constexpr Score bonuses = 2 * 2 * max_steps;
    const Score left = (most_sum_ - others) * score_unit - value.scores[role] + bonuses;
    return left < floor.score;
}

void MaxN::decide(std::uint32_t ply, std::size_t mover, std::int32_t depth, const Floor& floor, Value& value) {
    Frame& frame = frames_[ply];
    if (mover == frame.mover_count) {
        machine_->next(frame.state, frame.joint, frames_[ply + 1].state);
        return visit(ply + 1, depth, floor, value);
    }
    if (frame.movers[mover].by_chance) return mean_of(ply, mover, depth, value);
    best_of(ply, mover, depth, floor, value);
}

void MaxN::rank_moves(Frame& frame, std::size_t place) {
    Mover& mover = frame.movers[place];
    const std::vector<Move>& moves = frame.legal[mover.role];
    if (index(moves.back()) >= history_.size()) history_.resize(index(moves.back()) + 1, 0);
    mover.order.resize(moves.size());
    mover.rank.resize(moves.size());
    for (std::uint32_t i = 0; i < moves.size(); ++i) {
        mover.order[i] = i;
        mover.rank[i] = history_[index(moves[i])];
    }
    if (place == 0 && frame.table_best > 0 && frame.table_best <= moves.size()) {
        mover.rank[frame.table_best - 1U] = rank_of_table_move;
    }
    std::sort(mover.order.begin(), mover.order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return mover.rank[a] != mover.rank[b] ? mover.rank[a] > mover.rank[b] : a < b;
    });
}

// As in alpha-beta (Minimax::reduction).
std::int32_t MaxN::reduction(std::uint32_t place, std::int32_t depth) const {
    if (!options_.nonuniform || depth < 2 || place < 3) return 0;
    return place >= 10 && depth >= 4 ? 2 : 1;
}

void MaxN::best_of(std::uint32_t ply, std::size_t place, std::int32_t depth, const Floor& floor, Value& value) {
    Frame& frame = frames_[ply];
    rank_moves(frame, place);
    Mover& mover = frame.movers[place];
    const std::uint32_t role = mover.role;
    Value& best = mover.best;
    bool complete = true;
    bool mean = false;
    bool any = false;
    std::uint32_t tried = 0;
    for (const std::uint32_t number : mover.order) {
        const Move move = frame.legal[role][number];
        frame.joint[role] = move;
        const Floor next_floor = any ? Floor{role, best.scores[role]} : Floor{};
        const std::int32_t less = any ? reduction(tried, depth) : 0;
        ++tried;
        decide(ply, place + 1, depth - less, next_floor, value);
        if (!stopped_ && less > 0 && !value.complete && !value.pruned && better(value, best, role)) {
            decide(ply, place + 1, depth, next_floor, value);
        }
        if (stopped_) return;
        // Pruned below because this player has better: that is all that has to be known about it.
        complete = complete && (value.complete || value.pruned);
        mean = mean || value.mean;
        if (value.pruned) continue;
        if (any && !better(value, best, role)) continue;
        best.scores.swap(value.scores);
        any = true;
        if (place == 0) frame.best = static_cast<std::uint16_t>(number < UINT16_MAX ? number + 1 : 0);
        if (ply == 0 && role == role_) {
            best_ = move;
            root_.scores = best.scores;
        }
        // Nothing can be better than a win with this move.
        const Score at_once = scales_[role].of_goal(scales_[role].most(), static_cast<std::int32_t>(ply) + 1);
        if (options_.prune && best.scores[role] == at_once) {
            // The moves left might harm us more, unless nothing could, or what others gain is proved to be our loss.
            if (role != role_ && !scales_[role_].is_worst(best.scores[role_])) seen_[role_].skipped = true;
            break;
        }
        if (too_good(best, role, floor)) {
            history_[index(move)] += depth * depth + 1;
            best.pruned = true;
            break;
        }
    }
    value.scores.swap(best.scores);
    value.complete = complete;
    value.mean = mean;
    value.pruned = best.pruned;
    best.pruned = false;
    if (frame.best > 0 && place == 0) {
        std::int32_t& count = history_[index(frame.legal[role][frame.best - 1U])];
        count += depth + 1;
        if (count > history_limit) {
            for (std::int32_t& each : history_) each /= 2;
        }
    }
}

void MaxN::mean_of(std::uint32_t ply, std::size_t place, std::int32_t depth, Value& value) {
    Frame& frame = frames_[ply];
    const std::uint32_t role = frame.movers[place].role;
    frame.movers[place].sums.assign(scales_.size(), Sum{});
    bool complete = true;
    bool first = true;
    const std::vector<Move>& moves = frame.legal[role];
    for (const Move move : moves) {
        frame.joint[role] = move;
        decide(ply, place + 1, depth, Floor{}, value);
        if (stopped_) return;
        complete = complete && value.complete;
        for (std::size_t i = 0; i < scales_.size(); ++i) {
            Sum& sum = frame.movers[place].sums[i];
            const Score score = value.scores[i];
            const bool is_end = !ScoreScale::is_opinion(score);
            const int goal = is_end ? ScoreScale::goal(score) : 0;
            sum.same = sum.same && is_end && (first || goal == sum.goal);
            sum.goal = goal;
            sum.plain += is_end ? goal * score_unit : score;
            sum.total += score;
        }
        first = false;
    }
    const auto count = static_cast<std::int64_t>(moves.size());
    for (std::size_t i = 0; i < scales_.size(); ++i) {
        const Sum& sum = frame.movers[place].sums[i];
        value.scores[i] = sum.same ? static_cast<Score>(sum.total / count) & ~1
                                   : scales_[i].inside(static_cast<Score>(sum.plain / count));
    }
    value.complete = complete;
    value.mean = true;
    value.pruned = false;
}

bool MaxN::find(std::uint32_t ply, std::int32_t depth, Value& value) {
    Frame& frame = frames_[ply];
    const VectorTable::Found found = table_.find(key(frame.state));
    if (found.entry == nullptr) return false;
    frame.table_best = found.entry->best;
    if (ply == 0 || (!found.entry->complete && found.entry->depth != depth)) return false;
    value.scores.resize(scales_.size());
    for (std::size_t i = 0; i < scales_.size(); ++i) {
        value.scores[i] = scales_[i].absolute(found.values[i], static_cast<std::int32_t>(ply));
    }
    value.complete = found.entry->complete;
    value.mean = found.entry->mean;
    return true;
}

void MaxN::store(std::uint32_t ply, std::int32_t depth, const Value& value) {
    if (value.pruned) return;
    const Frame& frame = frames_[ply];
    VectorTable::Entry entry;
    entry.key = key(frame.state);
    entry.best = frame.best;
    entry.depth = static_cast<std::uint8_t>(std::clamp(depth, 0, 255));
    entry.complete = value.complete;
    entry.mean = value.mean;
    Value& relative = frames_[ply].value;
    relative.scores.resize(scales_.size());
    for (std::size_t i = 0; i < scales_.size(); ++i) {
        relative.scores[i] = scales_[i].relative(value.scores[i], static_cast<std::int32_t>(ply));
    }
    table_.store(entry, relative.scores);
}

Choice MaxN::answer(std::uint32_t depth, const Value& value) {
    Choice choice;
    choice.value = scales_[role_].value(value.scores[role_]);
    choice.judged = !blind_ || value.scores[role_] != scales_[role_].of_opinion(50);
    choice.depth = depth;
    choice.nodes = nodes_;
    choice.proved = value.complete && !value.mean && is_sure();
    std::string values;
    for (std::size_t i = 0; i < scales_.size(); ++i) {
        values += fmt::format("{}{:.1f}", i == 0 ? "" : " ", scales_[i].value(value.scores[i]));
    }
    choice.note = fmt::format("values {} at depth {}{}", values, depth, value.complete ? ", complete" : "");
    return choice;
}

Choice MaxN::choose(const State& state, Role role, const Budget& budget,
                    const std::function<void(const Choice&)>& report) {
    STRATAGEM_EXPECTS(!machine_->terminal(state));
    const Deadline::Clock::time_point begin = Deadline::Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Deadline::Clock::now() - begin).count(); };
    role_ = index(role);
    salt_ = machine::zobrist(machine::Fluent{0x7000'0000U + role_});
    pacer_ = Pacer(budget.stop);
    nodes_ = 0;
    max_nodes_ = budget.max_nodes;
    stopped_ = false;
    opinions_->begin_at(state);
    table_.age();
    for (std::int32_t& count : history_) count /= 4;

    Choice choice;
    std::vector<Move> legal;
    machine_->legal(state, role, legal);
    if (legal.empty()) return choice;
    choice.move = legal[0];
    choice.value = scales_[role_].value(scales_[role_].of_opinion(50));
    frames_[0].state = state;
    try {
        const std::uint32_t max_depth = std::min({budget.max_depth, options_.deepest, deepest});
        for (std::uint32_t depth = 1; depth <= max_depth; ++depth) {
            best_.reset();
            Value& value = root_;
            Value found;
            visit(0, static_cast<std::int32_t>(depth), Floor{}, found);
            if (stopped_) {
                // The first move is the best of the depth before, so what was found since then is no worse.
                if (best_) choice.move = best_;
                break;
            }
            value = found;
            const std::optional<Move> move = best_ ? best_ : choice.move;
            choice = answer(depth, value);
            choice.move = move;
            choice.seconds = seconds();
            if (report) report(choice);
            if (value.complete) break;
        }
    } catch (const machine::LimitExceeded& error) {
        choice.note = error.what();
    }
    choice.nodes = nodes_;
    choice.seconds = seconds();
    return choice;
}

namespace {

constexpr Option max_n_options[] = {
    {"others", Option::Kind::choice, "serial", 0, 0, "serial|random",
     "what others do when they move at the same time: know our move and play for themselves, or move by chance"},
    {"nonuniform", Option::Kind::choice, "off", 0, 0, "auto|on|off",
     "search moves that were better before deeper than others; auto: unless the evaluator knows nothing"},
    {"horizon", Option::Kind::integer, "0", 0, deepest, "",
     "search no deeper than so many moves; 0: as deep as there is time"},
    {"prune", Option::Kind::flag, "on", 0, 0, "", "shallow pruning, in games where goal values add up to the same"},
};

bool any_game(const analysis::GameKind&) { return true; }

}  // namespace

constinit const SearchEntry max_n_entry{
    "maxn", "MaxN for any game: every role plays for itself", max_n_options, any_game,
    [](const Problem& problem, const SearchSettings& settings, const OptionValues& values) -> std::unique_ptr<Search> {
        const std::string& nonuniform = values.choice("nonuniform");
        MaxNOptions options;
        options.others_random = values.choice("others") == "random";
        options.prune = values.flag("prune");
        options.nonuniform = nonuniform == "auto" ? !problem.evaluator->is_constant() : nonuniform == "on";
        if (const std::int64_t depth = values.integer("horizon"); depth > 0) {
            options.deepest = static_cast<std::uint32_t>(depth);
        }
        return std::make_unique<MaxN>(problem, settings, options);
    }};

}  // namespace stratagem::search
