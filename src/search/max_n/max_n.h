// MaxN: every role plays for itself (Luckhardt and Irani 1986).
//
// For games of more than two players, and for two whose goal values do not add up to the same. A state's value is one
// value for each role; who moves takes what is best for himself. Where this leaves a choice he takes what is worst for
// us, and then what is less for the first role in which they differ, so that a value does not depend on the order in
// which moves are looked at. Simultaneous moves are made one after the other, ours first; or, with others=random, the
// others move by chance (Kuhlmann's thesis, section 4.5). The role `random` always does.
//
// In a constant-sum game a state need not be looked at further once its player is sure of so much that too little is
// left for the player before him (shallow pruning; Sturtevant and Korf 2000, Korf 1991). Opinions are scaled to the
// same sum for this.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "machine/machine.h"
#include "search/common/pacer.h"
#include "search/common/score.h"
#include "search/max_n/vector_table.h"
#include "search/registry.h"

namespace stratagem::search {

extern const SearchEntry max_n_entry;

struct MaxNOptions {
    bool others_random = false;
    bool prune = true;
    bool nonuniform = false;             // late moves less deep
    std::uint32_t deepest = UINT32_MAX;  // moves
};

class MaxN final : public Search {
  public:
    MaxN(const Problem& problem, const SearchSettings& settings, const MaxNOptions& options);

    Choice choose(const State& state, Role role, const Budget& budget,
                  const std::function<void(const Choice&)>& report = {}) override;

  private:
    static constexpr std::uint32_t max_ply = 240;

    struct Value {
        std::vector<Score> scores;  // by role
        bool complete = false;      // rests on ends of the game alone
        bool pruned = false;        // too good for its player to be reached; not exact
        bool mean = false;          // an expectation somewhere: no guarantee
    };
    // The player before, and what he already has.
    struct Floor {
        std::optional<std::uint32_t> role = {};
        Score score = 0;
    };
    // Of one role's scores.
    struct Sum {
        std::int64_t plain = 0;  // goals without the bonus for steps: sooner or later must not blur a mean
        std::int64_t total = 0;  // with it
        int goal = 0;
        bool same = true;  // all are ends of the game with this goal value
    };
    struct Mover {
        std::uint32_t role = 0;
        bool by_chance = false;
        std::vector<std::uint32_t> order;
        std::vector<std::int32_t> rank;
        Value best;
        std::vector<Sum> sums;  // by role, for a mean
    };
    struct Frame {
        State state;
        std::vector<std::vector<Move>> legal;
        std::vector<Move> joint;
        std::vector<Mover> movers;  // the first mover_count of them
        std::size_t mover_count = 0;
        Value value;
        std::uint16_t table_best = 0;
        std::uint16_t best = 0;
    };

    // What was met anywhere in the tree of one role, which may not be as it was believed to be. Kept as long as the
    // table, which answers for states that were looked at once.
    struct Seen {
        explicit Seen(std::size_t roles) : moves(roles, false), sum(roles), differs(roles, false) {}

        std::vector<bool> moves;              // by other role: had a choice
        std::vector<std::optional<int>> sum;  // by role: of its goal value and ours, at the last end
        std::vector<bool> differs;            // it was another one before
        bool at_once = false;                 // two had a choice in the same state
        bool skipped = false;                 // moves of others were not looked at, after one that is best for them
    };

    void visit(std::uint32_t ply, std::int32_t depth, const Floor& floor, Value& value);
    void decide(std::uint32_t ply, std::size_t mover, std::int32_t depth, const Floor& floor, Value& value);
    void best_of(std::uint32_t ply, std::size_t place, std::int32_t depth, const Floor& floor, Value& value);
    void mean_of(std::uint32_t ply, std::size_t place, std::int32_t depth, Value& value);
    bool expand(Frame& frame);
    void see_movers(const Frame& frame);
    bool is_sure() const;
    void end_of_game(const State& state, std::uint32_t ply, bool stuck, Value& value);
    void opinion(const State& state, Value& value);
    void rank_moves(Frame& frame, std::size_t place);
    std::int32_t reduction(std::uint32_t place, std::int32_t depth) const;
    bool better(const Value& a, const Value& b, std::uint32_t role) const;
    bool too_good(const Value& value, std::uint32_t role, const Floor& floor) const;
    bool find(std::uint32_t ply, std::int32_t depth, Value& value);
    void store(std::uint32_t ply, std::int32_t depth, const Value& value);
    std::uint64_t key(const State& state) const { return state.hash() ^ salt_; }
    Choice answer(std::uint32_t depth, const Value& value);

    Problem problem_;
    MaxNOptions options_;
    std::unique_ptr<machine::Machine> machine_;
    std::unique_ptr<evaluate::Evaluation> opinions_;
    std::vector<ScoreScale> scales_;  // by role
    bool blind_ = false;              // the evaluator knows nothing
    bool shared_sum_ = false;         // goal values add up to the same, or nearly
    int least_sum_ = 0;               // of the least goals of all roles
    int most_sum_ = 0;                // of goal values at any end seen
    std::vector<Seen> seen_;          // by the role that was ours
    std::vector<int> goals_;          // of the end that is looked at
    VectorTable table_;
    std::vector<Frame> frames_;
    std::vector<std::int32_t> history_;  // by move

    std::uint32_t role_ = 0;
    std::uint64_t salt_ = 0;
    Pacer pacer_{Stop{}};
    std::uint64_t nodes_ = 0;
    std::uint64_t max_nodes_ = 0;
    bool stopped_ = false;
    std::optional<Move> best_;  // at the root, in this depth
    Value root_;                // the value of best_
};

}  // namespace stratagem::search
