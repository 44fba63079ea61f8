// One thread of a search, with a machine and playouts of its own.
//
// It goes round and round: carry results up the tree, walk down it to new leaves, make the states behind them, have
// games played from them. With lanes hundreds of games are under way at any time; in each round some leaves get their
// results and others take their place, so that no lane stays empty for long. Without, a round is one leaf and one game.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "machine/game.h"
#include "machine/playouts.h"
#include "search/uct/shared_tree.h"
#include "search/uct/single_games.h"

namespace stratagem::search::uct {

class Worker {
  public:
    // `playouts` may be null: games are played one by one on the worker's own machine.
    Worker(SharedTree& shared, std::unique_ptr<machine::Machine> machine, std::unique_ptr<machine::Playouts> playouts,
           std::uint64_t seed, std::uint64_t stream, std::size_t max_steps);

    // What the worker's machine says about a state.
    void look(const State& state, Opening& opening);
    // Searches until the job is done. `tick` is called after each round. Throws what machines throw, leaving the tree
    // in order.
    void run(Job& job, const std::function<void()>& tick);

  private:
    struct Step {
        Node* node = nullptr;
        std::uint32_t first_slot = 0;
        // Place in Visit::better: what the node is worth by a move that needs no visit any more.
        std::optional<std::uint32_t> better = {};
    };
    // A visit on its way.
    struct Visit {
        std::vector<Step> path;            // from the root
        std::vector<std::uint32_t> slots;  // of the choosers of the path's nodes, one after the other
        std::vector<double> better;        // see Step
        Node* leaf = nullptr;              // where the walk ended
        bool fresh = false;                // it ended at a move behind which there is no node yet
        bool opens = false;                // it ended at a node whose moves are not known yet, and goes on from it
        Opening opening;                   // of that node
        std::vector<Move> joint;           // the last move
        State state;                       // where it leads
        std::vector<double> values;        // by role, in [0, 1]
        bool known = false;                // values are there
        bool over = false;                 // the new state is terminal or stuck
        std::vector<double> goals;         // of it
        std::vector<Move> game;            // moves of the playout, if recorded
        bool active = false;               // on its way
        std::uint32_t games = 0;           // being played for it

        const State& start() const { return leaf != nullptr ? leaf->state : state; }
    };
    enum class Reached { leaf, settled, collision };
    // Of the stream of games.
    struct Shape {
        std::size_t leaves = 1;    // to be added now
        std::size_t playouts = 1;  // from each of them
    };

    double scaled(std::uint32_t role, double goal) const;
    std::span<const std::uint32_t> slots_of(const Visit& visit, std::size_t step) const;
    Shape shape(const Job& job) const;
    // Of this thread; the wall clock would count what others do on a busy computer.
    static double busy_seconds();
    static void learn_cost(double& known, double cost);

    // Under the lock.
    void gather(Job& job);
    Reached walk(Job& job, Visit& visit);
    bool pick(Job& job, Visit& visit, Node& node);
    void take_step(Visit& visit, Node& node);
    void link(Job& job, Visit& visit);
    bool link_opened(Visit& visit);
    void finish(Visit& visit);
    void back_up(Visit& visit);
    void back_up_moves(const Visit& visit);
    void undo(Visit& visit);
    void make_room(Job& job);

    // Outside of it.
    void expand_all(const Stop& stop);
    void expand(Visit& visit);
    void choose_first(Visit& visit);
    void order_moves(Opening& opening) const;
    void add_priors(const State& state, Opening& opening);
    // Has games played from new leaves, and fills ready_.
    void play(Job& job);
    void play_stream(Job& job);
    void take(Visit& visit, const machine::PlayoutResult& result) const;
    void play_single(Job& job);
    void set_values(Visit& visit, std::span<const double> goals) const;
    void blend(Visit& visit);

    void round(Job& job);
    void finish_ready();
    void drain(Job& job);
    void undo_all();
    std::uint32_t new_visit();

    SharedTree& shared_;
    std::unique_ptr<machine::Machine> machine_;
    std::unique_ptr<evaluate::Evaluation> opinions_;  // null where no evaluator is used
    std::unique_ptr<machine::Playouts> playouts_;
    machine::Random random_;
    MoveAverages averages_;                  // from games played one by one
    machine::PlayoutStatistics statistics_;  // from batches
    SingleGames games_;
    std::size_t roles_;
    bool needs_playouts_;
    bool timed_ = false;    // shapes follow the costs measured, so no two searches are quite the same
    double leaf_cost_ = 0;  // seconds
    double playout_cost_ = 0;

    std::deque<Visit> visits_;  // places; named by their numbers below
    std::vector<std::uint32_t> unused_;
    std::vector<std::uint32_t> fresh_;  // new in this round
    std::vector<std::uint32_t> ready_;  // results are there, to be carried up
    std::size_t games_flying_ = 0;
    std::size_t playouts_each_ = 1;
    double tree_since_ = 0;  // when work on the tree began, in busy_seconds()
    std::size_t leaves_since_ = 0;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint32_t> seen_;  // by move: the last backing up that met it
    std::uint32_t seen_stamp_ = 0;
    State state_;
};

}  // namespace stratagem::search::uct
