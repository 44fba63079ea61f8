#include "search/alpha_beta/minimax.h"

#include <algorithm>

#include "util/contract.h"

namespace stratagem::search {

using ground::index;

namespace {

// Ranks: above any history.
constexpr std::int32_t rank_of_table_move = 1 << 30;
constexpr std::int32_t rank_of_values = (1 << 29) + (1 << 28);  // and the score, which is less than the difference
constexpr std::int32_t rank_of_first_killer = 1 << 29;
constexpr std::int32_t rank_of_second_killer = 1 << 28;
constexpr std::int32_t history_limit = 1 << 24;

constexpr std::uint32_t most_choices = 1U << 20;  // combinations of moves of one side that are looked at

}  // namespace

Minimax::Minimax(machine::Machine& machine, const evaluate::Evaluator& evaluator, Table& table,
                 const StepCounter& counter, const MinimaxOptions& options)
    : machine_(machine), opinions_(evaluator.start()), table_(table), counter_(counter), options_(options) {
    frames_.resize(max_ply + 1);
}

void Minimax::take_part(Role role, std::vector<Side> sides, const ScoreScale& scale) {
    role_ = role;
    sides_ = std::move(sides);
    scale_ = scale;
    // Values of one role mean nothing to another.
    salt_ = machine::zobrist(machine::Fluent{0x7000'0000U + index(role)});
}

void Minimax::start(const State& root, const Stop& stop, const std::atomic<bool>& halt, std::uint64_t max_nodes) {
    frames_[0].state = root;
    opinions_->begin_at(root);
    pacer_ = Pacer(stop);
    halt_ = &halt;
    max_nodes_ = max_nodes;
    nodes_ = 0;
    stopped_ = false;
    best_.reset();
    root_values_.clear();
    for (Frame& frame : frames_) frame.has_killers = false;
    for (std::int32_t& count : history_) count /= 4;  // of the last state, still worth something
}

Result Minimax::search(std::uint32_t depth, Score alpha, Score beta) {
    STRATAGEM_EXPECTS(!sides_.empty() && halt_ != nullptr && depth > 0 && alpha < beta);
    best_.reset();
    iteration_ = depth;
    return visit(0, static_cast<std::int32_t>(depth), alpha, beta);
}

bool Minimax::out_of_budget() {
    if (nodes_ >= max_nodes_ || pacer_.due() || halt_->load(std::memory_order_relaxed)) stopped_ = true;
    return stopped_;
}

Result Minimax::end_of_game(int goal, std::uint32_t ply) const {
    return {scale_.of_goal(goal, static_cast<std::int32_t>(ply)), true, true, false, 0};
}

Result Minimax::visit(std::uint32_t ply, std::int32_t depth, Score alpha, Score beta) {
    Frame& frame = frames_[ply];
    frame.table_best = 0;
    frame.best = 0;
    Result result;
    if (out_of_budget()) return {};
    ++nodes_;
    // The table first: where it knows the answer the machine need not go to the state. At the horizon that is not worth
    // the wait for memory, unless opinions are what is dear.
    if ((depth > 0 || options_.store_opinions) && find(ply, depth, alpha, beta, result)) return result;
    if (machine_.terminal(frame.state)) return end_of_game(machine_.goal(frame.state, role_).value_or(0), ply);
    if (depth <= 0 || ply >= max_ply) {
        result = {scale_.of_opinion(opinions_->value(frame.state, role_)), false, false, false, 0};
        if (options_.store_opinions) store(ply, 0, -score_infinity, score_infinity, result);
        return result;
    }
    if (!expand(frame)) return end_of_game(0, ply);  // nobody can go on: the game is over and nobody gets anything
    const bool single = frame.stages[0].count == 1 && frame.stages[1].count == 1 && frame.stages[2].count == 1;
    // Chains of forced moves are followed, but not without end.
    const std::int32_t cost = single && options_.forced && ply < 2 * iteration_ + 8 ? 0 : 1;
    result = decide(ply, 0, depth - cost, alpha, beta);
    if (stopped_) return {};
    if (frame.cut) result.at_least = result.at_most = false;
    result.hoped = result.hoped || frame.hoped;
    store(ply, depth, alpha, beta, result);
    return result;
}

// Legal moves of all roles, sorted into the stages; false when a role has none.
bool Minimax::expand(Frame& frame) {
    const std::size_t roles = sides_.size();
    frame.legal.resize(roles);
    frame.joint.resize(roles);
    frame.cut = frame.hoped = false;
    for (std::size_t s = 0; s < frame.stages.size(); ++s) {
        frame.stages[s].side = static_cast<Side>(s);
        frame.stages[s].roles.clear();
        frame.stages[s].count = 1;
    }
    for (std::uint32_t role = 0; role < roles; ++role) {
        std::vector<Move>& legal = frame.legal[role];
        machine_.legal(frame.state, Role{role}, legal);
        if (legal.empty()) return false;
        frame.joint[role] = legal[0];
        if (legal.size() == 1) continue;
        Stage& stage = frame.stages[static_cast<std::size_t>(sides_[role])];
        const std::uint64_t count = std::uint64_t{stage.count} * legal.size();
        if (count > most_choices) {  // the role's first move stands for the others: better than no answer
            frame.cut = true;
            continue;
        }
        stage.count = static_cast<std::uint32_t>(count);
        stage.roles.push_back(role);
        if (stage.side == Side::ours && Role{role} != role_) frame.hoped = true;
    }
    // The others do not know our move: that they can hold us to what they could if they knew is not proved.
    if (frame.stages[0].count > 1 && frame.stages[1].count > 1) frame.hoped = true;
    frame.stages[0].mean = false;
    frame.stages[1].mean = options_.others_random && frame.stages[0].count > 1;
    frame.stages[2].mean = true;
    frame.first = frame.stages[0].count > 1 ? 0 : 1;
    return true;
}

void Minimax::place(Frame& frame, const Stage& stage, std::uint32_t number) const {
    for (const std::uint32_t role : stage.roles) {
        const std::vector<Move>& legal = frame.legal[role];
        const auto size = static_cast<std::uint32_t>(legal.size());
        frame.joint[role] = legal[number % size];
        number /= size;
    }
}

Result Minimax::decide(std::uint32_t ply, std::uint32_t stage, std::int32_t depth, Score alpha, Score beta) {
    Frame& frame = frames_[ply];
    while (stage < frame.stages.size() && frame.stages[stage].count == 1) ++stage;
    if (stage == frame.stages.size()) {
        machine_.next(frame.state, frame.joint, frames_[ply + 1].state);
        Result result = visit(ply + 1, depth, alpha, beta);
        result.height = higher(result.height);
        return result;
    }
    if (frame.stages[stage].mean) return mean_of(ply, stage, depth);
    return stage == 0 ? best_of<true>(ply, stage, depth, alpha, beta) : best_of<false>(ply, stage, depth, alpha, beta);
}

// In a fresh state the history is all there is; the table's move and the killers belong to the first stage.
void Minimax::rank_choices(Frame& frame, std::uint32_t stage_number) {
    Stage& stage = frame.stages[stage_number];
    stage.order.resize(stage.count);
    stage.rank.resize(stage.count);
    const bool one_role = stage.roles.size() == 1;
    const std::vector<Move>& moves = frame.legal[stage.roles[0]];
    // Moves may get new numbers while a game is played; those of a role are in ascending order.
    for (const std::uint32_t role : stage.roles) {
        if (index(frame.legal[role].back()) >= history_.size()) history_.resize(index(frame.legal[role].back()) + 1, 0);
    }
    for (std::uint32_t i = 0; i < stage.count; ++i) {
        stage.order[i] = i;
        if (one_role) {
            stage.rank[i] = history_[index(moves[i])];
            if (frame.has_killers && moves[i] == frame.killers[0]) stage.rank[i] = rank_of_first_killer;
            if (frame.has_killers && moves[i] == frame.killers[1]) stage.rank[i] = rank_of_second_killer;
        } else {
            stage.rank[i] = 0;
            std::uint32_t rest = i;
            for (const std::uint32_t role : stage.roles) {
                const auto size = static_cast<std::uint32_t>(frame.legal[role].size());
                stage.rank[i] +=
                    history_[index(frame.legal[role][rest % size])] / static_cast<std::int32_t>(sides_.size());
                rest /= size;
            }
        }
    }
    if (options_.rank_by_values && &frame == frames_.data() && stage_number == 0) {
        root_values_.resize(stage.count, -score_infinity);
        for (std::uint32_t i = 0; i < stage.count; ++i) stage.rank[i] = rank_of_values + root_values_[i];
    }
    if (stage_number == frame.first && frame.table_best > 0 && frame.table_best <= stage.count) {
        stage.rank[frame.table_best - 1U] = rank_of_table_move;
    }
}

std::int32_t Minimax::reduction(std::uint32_t place, std::int32_t depth) const {
    if (!options_.nonuniform || depth < 2 || place < 3) return 0;
    return place >= 10 && depth >= 4 ? 2 : 1;
}

// Puts the best of the choices from this place on there. Not before it is needed: most states end after the first.
void Minimax::bring_forward(Stage& stage, std::uint32_t place) {
    std::uint32_t chosen = place;
    for (std::uint32_t k = place + 1; k < stage.count; ++k) {
        const bool before = stage.rank[k] != stage.rank[chosen] ? stage.rank[k] > stage.rank[chosen]
                                                                : stage.order[k] < stage.order[chosen];
        if (before) chosen = k;
    }
    std::swap(stage.rank[place], stage.rank[chosen]);
    std::swap(stage.order[place], stage.order[chosen]);
}

// Of the choice at this place of the order: in the whole window for the first, for others only whether they are better.
template <bool greatest>
Result Minimax::value_of_choice(std::uint32_t ply, std::uint32_t stage_number, std::uint32_t place, std::int32_t depth,
                                Score alpha, Score beta) {
    if (place == 0) return decide(ply, stage_number + 1, depth, alpha, beta);
    const Score low = greatest ? alpha : beta - 1;
    const std::int32_t less = reduction(place, depth);
    Result result = decide(ply, stage_number + 1, depth - less, low, low + 1);
    const auto improves = [&] { return !stopped_ && (greatest ? result.score > alpha : result.score < beta); };
    if (less > 0 && improves()) result = decide(ply, stage_number + 1, depth, low, low + 1);
    if (improves() && beta - alpha > 1 && (greatest ? result.score < beta : result.score > alpha)) {
        result = decide(ply, stage_number + 1, depth, alpha, beta);
    }
    return result;
}

// What the value of a choice means for `best`, the state's so far. `bound` is what the choice had to surpass.
template <bool greatest>
void Minimax::take_in(std::uint32_t ply, std::uint32_t stage_number, std::uint32_t number, const Result& result,
                      Score bound, Result& best) {
    const auto better = [](Score a, Score b) { return greatest ? a > b : a < b; };
    Frame& frame = frames_[ply];
    if (ply == 0 && stage_number == 0 && number < root_values_.size()) root_values_[number] = result.score;
    best.height = std::max(best.height, result.height);
    best.hoped = best.hoped || result.hoped;
    const bool proof = greatest ? result.at_least : result.at_most;
    bool& best_proof = greatest ? best.at_least : best.at_most;
    if (better(result.score, best.score)) {
        best.score = result.score;
        best_proof = proof;
        // A choice that is only the least bad of those that failed says nothing.
        const bool good = better(result.score, bound);
        if (good && stage_number == frame.first && number < Table::max_best) {
            frame.best = static_cast<std::uint16_t>(number + 1);
        }
        if (greatest && ply == 0 && good) best_ = Best{frame.joint[index(role_)], result.score};
    } else if (result.score == best.score) {
        best_proof = best_proof || proof;
    }
}

// Principal variation search over one side's choices. Written once for both sides; `greatest` for ours.
template <bool greatest>
Result Minimax::best_of(std::uint32_t ply, std::uint32_t stage_number, std::int32_t depth, Score alpha, Score beta) {
    Frame& frame = frames_[ply];
    Stage& stage = frame.stages[stage_number];
    rank_choices(frame, stage_number);

    Result best{greatest ? -score_infinity : score_infinity, false, false, false, 0};
    bool& best_proof = greatest ? best.at_least : best.at_most;
    bool limit = true;  // proved that no choice is better than the best
    bool complete = false;
    for (std::uint32_t i = 0; i < stage.count; ++i) {
        bring_forward(stage, i);
        const std::uint32_t number = stage.order[i];
        place(frame, stage, number);
        const Result result = value_of_choice<greatest>(ply, stage_number, i, depth, alpha, beta);
        if (stopped_) return {};
        limit = limit && (greatest ? result.at_most : result.at_least);
        take_in<greatest>(ply, stage_number, number, result, greatest ? alpha : beta, best);
        complete = i + 1 == stage.count;

        // Enough? Also when nothing can be better: how soon does not matter then.
        if (greatest) alpha = std::max(alpha, best.score);
        if (!greatest) beta = std::min(beta, best.score);
        const bool perfect = best_proof && (greatest ? scale_.is_best(best.score) : scale_.is_worst(best.score));
        if (alpha >= beta || perfect) {
            place(frame, stage, number);
            remember_cut(frame, stage, depth);
            break;
        }
    }
    if (greatest) {
        best.at_most = (complete && limit) || scale_.is_best(best.score);
        best.at_least = best.at_least || scale_.is_worst(best.score);
    } else {
        best.at_least = (complete && limit) || scale_.is_worst(best.score);
        best.at_most = best.at_most || scale_.is_best(best.score);
    }
    return best;
}

Result Minimax::mean_of(std::uint32_t ply, std::uint32_t stage_number, std::int32_t depth) {
    Frame& frame = frames_[ply];
    const Stage& stage = frame.stages[stage_number];
    Result mean{0, true, true, true, 0};
    std::int64_t sum = 0;    // without the bonus for steps
    std::int64_t total = 0;  // with it
    bool same_goal = true;
    int goal = 0;
    for (std::uint32_t number = 0; number < stage.count; ++number) {
        place(frame, stage, number);
        const Result result = decide(ply, stage_number + 1, depth, -score_infinity, score_infinity);
        if (stopped_) return {};
        // Whether sooner or later must not blur the mean.
        const bool is_end = !ScoreScale::is_opinion(result.score);
        sum += is_end ? ScoreScale::goal(result.score) * score_unit : result.score;
        total += result.score;
        mean.at_least = mean.at_least && result.at_least;
        mean.at_most = mean.at_most && result.at_most;
        mean.height = std::max(mean.height, result.height);
        same_goal = same_goal && is_end && (number == 0 || ScoreScale::goal(result.score) == goal);
        goal = is_end ? ScoreScale::goal(result.score) : 0;
    }
    mean.score =
        same_goal ? static_cast<Score>(total / stage.count) & ~1 : scale_.inside(static_cast<Score>(sum / stage.count));
    return mean;
}

void Minimax::remember_cut(Frame& frame, const Stage& stage, std::int32_t depth) {
    for (const std::uint32_t role : stage.roles) {
        std::int32_t& count = history_[index(frame.joint[role])];
        count += depth * depth + 1;
        if (count > history_limit) {
            for (std::int32_t& each : history_) each /= 2;
        }
    }
    if (stage.roles.size() != 1) return;
    const Move move = frame.joint[stage.roles[0]];
    if (!frame.has_killers) {
        frame.killers = {move, move};
        frame.has_killers = true;
    } else if (frame.killers[0] != move) {
        frame.killers = {move, frame.killers[0]};
    }
}

// The table's answer, if it has one that is good enough here.
bool Minimax::find(std::uint32_t ply, std::int32_t depth, Score alpha, Score beta, Result& result) {
    Frame& frame = frames_[ply];
    const std::optional<TableEntry> entry = table_.find(key(frame.state));
    if (!entry) return false;
    frame.table_best = entry->best;
    if (ply == 0) return false;
    if (counter_.exists() &&
        (entry->result.height == max_height || entry->result.height >= counter_.remaining(frame.state))) {
        return false;  // here the counter might run out
    }
    result = entry->result;
    result.score = scale_.absolute(result.score, static_cast<std::int32_t>(ply));
    if (result.proved()) return true;
    const bool deep = static_cast<std::int32_t>(entry->depth) >= depth;
    if (result.score >= beta && (result.at_least || (deep && entry->bound == Bound::at_least))) return true;
    if (result.score <= alpha && (result.at_most || (deep && entry->bound == Bound::at_most))) return true;
    return deep && entry->bound == Bound::exact;
}

void Minimax::store(std::uint32_t ply, std::int32_t depth, Score alpha, Score beta, const Result& result) {
    const Frame& frame = frames_[ply];
    if (counter_.exists() && (result.height == max_height || result.height >= counter_.remaining(frame.state))) return;
    TableEntry entry;
    entry.result = result;
    entry.result.score = scale_.relative(result.score, static_cast<std::int32_t>(ply));
    entry.bound = result.score <= alpha ? Bound::at_most : result.score >= beta ? Bound::at_least : Bound::exact;
    entry.depth = static_cast<std::uint8_t>(std::clamp(depth, 0, 255));
    entry.best = frame.best;
    table_.store(key(frame.state), entry);
}

std::vector<std::vector<Move>> Minimax::line(Move first) {
    STRATAGEM_EXPECTS(iteration_ > 0);
    std::vector<std::vector<Move>> moves;
    State state = frames_[0].state;
    Frame frame;
    for (std::uint32_t ply = 0; ply <= iteration_ && ply < max_ply; ++ply) {
        frame.state = state;
        if (machine_.terminal(frame.state) || !expand(frame)) break;
        const std::optional<TableEntry> entry = table_.find(key(frame.state));
        const Stage& stage = frame.stages[frame.first];
        if (entry && entry->best > 0 && entry->best <= stage.count) place(frame, stage, entry->best - 1U);
        if (ply == 0) frame.joint[index(role_)] = first;
        // What was not decided by anybody is no expectation.
        std::size_t undecided = 0;
        for (const Stage& each : frame.stages) undecided += each.count > 1 && &each != &stage ? 1U : 0U;
        if (undecided > 0 || (ply > 0 && stage.count > 1 && (!entry || entry->best == 0))) break;
        moves.push_back(frame.joint);
        machine_.next(frame.state, frame.joint, state);
    }
    return moves;
}

}  // namespace stratagem::search
