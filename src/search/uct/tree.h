// All states of a Monte-Carlo tree in a fixed number of bytes: finding, making and recycling them.
//
// One node for each state, found by its hash and a full comparison (with `shared` off, one for each path). Nothing is
// freed when a match moves on. When memory runs out, collect() marks what can still be reached from the root, leaving
// out the least visited states if that is too much; the others are freed one by one as their memory is wanted, so that
// no pause is longer than the marking.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "machine/stop.h"
#include "search/uct/memory.h"
#include "search/uct/node.h"

namespace stratagem::search::uct {

// What a machine says about a state.
struct Opening {
    bool terminal = false;                 // or stuck: then it is worth nothing
    std::vector<double> goals;             // by role, where terminal
    std::vector<std::vector<Move>> legal;  // by role, where not
    bool ordered = false;                  // the only chooser's moves come in the order they should be tried in
    std::vector<double> priors;            // of the only chooser's moves in [0, 1]; may be empty
};

struct TreeOptions {
    std::size_t bytes = std::size_t{256} << 20;
    bool amaf = false;
    std::vector<bool> chance;        // by role
    std::vector<float> least, most;  // by role: bounds of states nothing is known about
};

class Tree {
  public:
    explicit Tree(TreeOptions options);
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;
    ~Tree();

    std::size_t role_count() const { return options_.chance.size(); }
    const TreeOptions& options() const { return options_; }

    // The most visited node of this state, or null.
    Node* find(const State& state) const;
    // Null when memory is spent.
    Node* make(const State& state);
    // Gives a node its moves. False when memory is spent. Pre: not terminal, and not done before.
    bool open(Node& node, const Opening& opening);
    // The game is over there.
    void settle(Node& node, std::span<const double> goals) const;
    // The slot of a move, with an arm made for it if need be. Nothing when memory is spent, or the chooser has no such
    // move.
    std::optional<std::uint32_t> slot_of(Chooser& chooser, Move move);
    // Makes an arm for the untried move at this place of the list, which may change its place: returns the slot, or
    // nothing when memory is spent.
    std::optional<std::uint32_t> try_move(Chooser& chooser, std::uint32_t place);

    // The state behind a joint move: null if there is none yet, busy() if it is being worked on.
    Node* child(const Node& node, std::span<const std::uint32_t> slots) const;
    void set_child(Node& node, std::span<const std::uint32_t> slots, Node* child);
    Node* busy() const { return busy_.get(); }

    // Frees what cannot be reached from the root, and of the rest what was least visited until it takes up no more than
    // `share` of memory. Nodes with pending visits stay. Returns false, having freed nothing, when stopped before.
    bool collect(Node& root, double share, const machine::Stop& stop);

    // Everything goes. Pre: no pending visits.
    void clear();

    // Some of what a collection gave up is still to be freed.
    bool sweeping() const { return sweep_ < sweep_end_; }

    void for_each(const std::function<void(Node&)>& visit);
    std::size_t size() const { return live_; }  // until swept, those already given up count
    std::size_t bytes() const { return memory_.used(); }
    std::size_t bytes_limit() const { return memory_.limit(); }

    // Whole-object audit, from the root. For tests and debug builds; asks for no pending visits.
    bool is_consistent(const Node& root) const;

  private:
    static constexpr std::size_t joint_entry_bytes = 64;  // about what an entry of the map of joint moves costs

    Node* reuse_or_make();
    bool start(Node& node, const State& state);
    void* take(std::size_t bytes);
    void release(Node& node);
    bool sweep_one();
    void link(Node& node);
    void unlink(Node& node);
    void grow_table();
    bool mark_from(Node& root, std::uint32_t threshold, const machine::Stop& stop, std::vector<std::size_t>* histogram);
    static std::size_t arms_bytes(std::uint32_t capacity) { return capacity * (sizeof(Arm) + sizeof(Key)); }
    static std::size_t state_bytes(const State& state) { return state.words().size_bytes() + Memory::overhead; }
    std::size_t bytes_of(const Node& node) const;
    bool is_live(const Node& node) const { return node.mark >= live_from_; }
    std::size_t bucket(const State& state) const { return state.hash() & (table_.size() - 1); }

    TreeOptions options_;
    Memory memory_;
    std::unique_ptr<Node> busy_ = std::make_unique<Node>();  // stands for states being worked on
    std::vector<std::unique_ptr<Node[]>> chunks_;
    std::size_t made_ = 0;  // nodes of the chunks ever used
    std::vector<Node*> free_;
    std::vector<Node*> table_;
    std::size_t live_ = 0;
    std::uint32_t epoch_ = 1;      // mark of new nodes
    std::uint32_t live_from_ = 1;  // nodes with older marks are given up
    std::size_t sweep_ = 0;        // nodes before this one are swept
    std::size_t sweep_end_ = 0;
    std::vector<Node*> stack_;
};

}  // namespace stratagem::search::uct
