// One thread's walk through the game tree: us against everybody else, by alpha-beta with a shared table.
//
// A state asks up to three questions one after the other: what we do (the greatest value counts), what the others do,
// knowing our move (the least counts, or the mean if they are taken to move at random), and what chance does (the
// mean). In a game where players take turns all but one of them have a single answer, and this is plain alpha-beta;
// where several move at once it is the paranoid search of the papers, which serialises their moves with ours first.
// What that proves is what we are sure of, not what the game is worth: the others do not know our move.
//
// The first move of a state is searched with the whole window, the others with an empty one that asks only whether they
// are better (principal variation search). Moves are ordered by the table's best move, two killers, and the history
// heuristic (Schaeffer 1989). With `nonuniform` depth moves that come late in this order are searched less deep, unless
// they turn out to be good: the better a move was in shallower searches the deeper it is searched, as in Schiffel and
// Thielscher's player (section 3), but at every state and not at the root alone.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "evaluate/evaluator.h"
#include "machine/machine.h"
#include "search/common/pacer.h"
#include "search/common/score.h"
#include "search/common/sides.h"
#include "search/common/step_counter.h"
#include "search/common/table.h"
#include "search/search.h"

namespace stratagem::search {

struct MinimaxOptions {
    bool nonuniform = false;      // late moves less deep
    bool rank_by_values = false;  // our moves at the root by their values in the search before, else by history
    bool forced = true;           // a state with a single joint move costs no depth
    bool others_random = false;   // where others move at the same time as we do
    bool store_opinions = false;  // in the table, when the evaluator is slower than the table
};

class Minimax {
  public:
    static constexpr std::uint32_t max_ply = 240;

    // Pre: all of them outlive this. Not checked: a lifetime.
    Minimax(machine::Machine& machine, const evaluate::Evaluator& evaluator, Table& table, const StepCounter& counter,
            const MinimaxOptions& options);

    // Whose part is taken from now on.
    void take_part(Role role, std::vector<Side> sides, const ScoreScale& scale);
    // The state to search, until `halt` is set, `stop` is due or so many nodes were visited.
    void start(const State& root, const Stop& stop, const std::atomic<bool>& halt, std::uint64_t max_nodes);

    // One search of this depth, at least 1. Meaningless when stopped() afterwards. Pre: a part was taken, and start().
    Result search(std::uint32_t depth, Score alpha, Score beta);

    bool stopped() const { return stopped_; }
    std::uint64_t nodes() const { return nodes_; }
    // Our best move in the last search so far, with its score: nothing unless one was above alpha.
    struct Best {
        Move move{};
        Score score = 0;
    };
    const std::optional<Best>& best() const { return best_; }
    // Expected joint moves from the root: best() and what the table says. Pre: a search was made.
    std::vector<std::vector<Move>> line(Move first);

  private:
    // What one side may do in a state: all combinations of its roles' moves, by number.
    struct Stage {
        Side side = Side::ours;
        bool mean = false;
        std::vector<std::uint32_t> roles;  // those with a choice
        std::uint32_t count = 1;
        std::vector<std::uint32_t> order;
        std::vector<std::int32_t> rank;
    };
    struct Frame {
        State state;
        std::vector<std::vector<Move>> legal;
        std::vector<Move> joint;
        std::array<Stage, 3> stages;
        std::array<Move, 2> killers{};
        bool has_killers = false;
        std::uint16_t table_best = 0;
        std::uint16_t best = 0;
        std::uint32_t first = 0;  // the first stage with a choice that is not a mean
        bool cut = false;         // not all that can be done here is looked at
        bool hoped = false;       // friends choose, or both sides at once
    };

    Result visit(std::uint32_t ply, std::int32_t depth, Score alpha, Score beta);
    Result decide(std::uint32_t ply, std::uint32_t stage, std::int32_t depth, Score alpha, Score beta);
    template <bool greatest>
    Result best_of(std::uint32_t ply, std::uint32_t stage_number, std::int32_t depth, Score alpha, Score beta);
    template <bool greatest>
    Result value_of_choice(std::uint32_t ply, std::uint32_t stage_number, std::uint32_t place, std::int32_t depth,
                           Score alpha, Score beta);
    template <bool greatest>
    void take_in(std::uint32_t ply, std::uint32_t stage_number, std::uint32_t number, const Result& result, Score bound,
                 Result& best);
    Result mean_of(std::uint32_t ply, std::uint32_t stage_number, std::int32_t depth);

    bool expand(Frame& frame);
    void place(Frame& frame, const Stage& stage, std::uint32_t number) const;
    void rank_choices(Frame& frame, std::uint32_t stage_number);
    static void bring_forward(Stage& stage, std::uint32_t place);
    void remember_cut(Frame& frame, const Stage& stage, std::int32_t depth);
    std::int32_t reduction(std::uint32_t place, std::int32_t depth) const;
    std::uint64_t key(const State& state) const { return counter_.masked_hash(state) ^ salt_; }
    bool find(std::uint32_t ply, std::int32_t depth, Score alpha, Score beta, Result& result);
    void store(std::uint32_t ply, std::int32_t depth, Score alpha, Score beta, const Result& result);
    Result end_of_game(int goal, std::uint32_t ply) const;
    bool out_of_budget();

    machine::Machine& machine_;
    std::unique_ptr<evaluate::Evaluation> opinions_;
    Table& table_;
    const StepCounter& counter_;
    MinimaxOptions options_;

    Role role_{};
    std::vector<Side> sides_;
    ScoreScale scale_;
    std::uint64_t salt_ = 0;

    Pacer pacer_{Stop{}};
    const std::atomic<bool>* halt_ = nullptr;
    std::uint64_t max_nodes_ = 0;
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;
    std::uint32_t iteration_ = 0;  // the depth asked for
    std::optional<Best> best_;

    std::vector<Frame> frames_;
    std::vector<std::int32_t> history_;  // by move
    std::vector<Score> root_values_;     // of our choices at the root, by number, in the search before or in this
};

}  // namespace stratagem::search
