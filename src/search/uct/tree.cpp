#include "search/uct/tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <utility>

#include "util/contract.h"

namespace stratagem::search::uct {

namespace {

constexpr std::size_t chunk_nodes = 1024;
constexpr std::size_t first_table = 1 << 12;
constexpr std::uint32_t first_arms = 4;
constexpr std::size_t place_bytes = sizeof(Node*);  // NOLINT(bugprone-sizeof-expression): the table holds pointers

}  // namespace

Tree::Tree(TreeOptions options) : options_(std::move(options)), memory_(options_.bytes) {
    memory_.charge(first_table * place_bytes);
    table_.assign(first_table, nullptr);
}

Tree::~Tree() {
    for_each([this](Node& node) { release(node); });
}

void Tree::for_each(const std::function<void(Node&)>& visit) {
    for (std::size_t i = 0; i < made_; ++i) {
        Node& node = chunks_[i / chunk_nodes][i % chunk_nodes];
        if (node.mark != 0) visit(node);
    }
}

Node* Tree::find(const State& state) const {
    Node* best = nullptr;
    for (Node* node = table_[bucket(state)]; node != nullptr; node = node->next_in_bucket) {
        if (!is_live(*node) || node->state != state) continue;
        if (best == nullptr || node->visits > best->visits) best = node;
    }
    return best;
}

void Tree::link(Node& node) {
    Node*& head = table_[bucket(node.state)];
    node.next_in_bucket = head;
    head = &node;
    if (++live_ > table_.size()) grow_table();
}

void Tree::unlink(Node& node) {
    Node** place = &table_[bucket(node.state)];
    while (*place != &node) place = &(*place)->next_in_bucket;
    *place = node.next_in_bucket;
    node.next_in_bucket = nullptr;
    --live_;
}

void Tree::grow_table() {
    if (!memory_.charge(table_.size() * place_bytes)) return;
    std::vector<Node*> old(table_.size() * 2, nullptr);
    old.swap(table_);
    for (Node* node : old) {
        while (node != nullptr) {
            Node* const next = node->next_in_bucket;
            Node*& head = table_[bucket(node->state)];
            node->next_in_bucket = head;
            head = node;
            node = next;
        }
    }
}

// Memory from the budget; what a collection gave up is freed as it is needed.
void* Tree::take(std::size_t bytes) {
    do {
        if (void* const block = memory_.take(bytes)) return block;
    } while (sweep_one());
    return nullptr;
}

bool Tree::sweep_one() {
    while (sweep_ < sweep_end_) {
        Node& node = chunks_[sweep_ / chunk_nodes][sweep_ % chunk_nodes];
        ++sweep_;
        if (node.mark == 0 || is_live(node)) continue;
        unlink(node);
        release(node);
        free_.push_back(&node);
        return true;
    }
    return false;
}

void Tree::clear() {
    for_each([this](Node& node) {
        STRATAGEM_EXPECTS(node.pending == 0);
        unlink(node);
        release(node);
        free_.push_back(&node);
    });
    sweep_ = sweep_end_ = 0;
}

// Gives back all but the node itself and the words of its state, which the next state takes over.
void Tree::release(Node& node) {
    for (Chooser& chooser : node.choosing()) {
        if (chooser.arms != nullptr) memory_.give(chooser.arms, arms_bytes(chooser.capacity));
    }
    if (node.choosers != nullptr) memory_.give(node.choosers, node.block_bytes);
    if (node.roles != nullptr) memory_.give(node.roles, role_count() * sizeof(RolePart));
    if (node.joint) memory_.refund(node.joint->size() * joint_entry_bytes);
    node.joint.reset();
    node.roles = nullptr;
    node.choosers = nullptr;
    node.chooser_count = 0;
    node.mark = 0;
}

Node* Tree::reuse_or_make() {
    if (free_.empty()) sweep_one();
    if (!free_.empty()) {
        Node* const node = free_.back();
        free_.pop_back();
        return node;
    }
    if (made_ == chunks_.size() * chunk_nodes) {
        if (!memory_.charge(chunk_nodes * sizeof(Node))) return nullptr;
        chunks_.push_back(std::make_unique<Node[]>(chunk_nodes));
    }
    Node& node = chunks_[made_ / chunk_nodes][made_ % chunk_nodes];
    ++made_;
    return &node;
}

Node* Tree::make(const State& state) {
    Node* const node = reuse_or_make();
    if (node == nullptr) return nullptr;
    if (!start(*node, state)) {
        release(*node);
        free_.push_back(node);
        return nullptr;
    }
    node->mark = epoch_;
    link(*node);
    return node;
}

bool Tree::start(Node& node, const State& state) {
    if (node.state.words().size() < state.words().size()) {
        const std::size_t before = node.state.words().empty() ? 0 : state_bytes(node.state);
        while (!memory_.charge(state_bytes(state) - before)) {
            if (!sweep_one()) return false;
        }
    }
    node.state = state;
    node.visits = node.pending = node.walk = 0;
    node.distance = 0;
    node.opened = node.terminal = node.exact = false;
    node.roles = static_cast<RolePart*>(take(role_count() * sizeof(RolePart)));
    if (node.roles == nullptr) return false;
    for (std::size_t role = 0; role < role_count(); ++role) {
        RolePart* const part = std::construct_at(node.roles + role);
        part->lo = options_.least[role];
        part->hi = options_.most[role];
    }
    return true;
}

void Tree::settle(Node& node, std::span<const double> goals) const {
    STRATAGEM_EXPECTS(goals.size() == role_count());
    node.terminal = node.exact = true;
    for (std::size_t role = 0; role < role_count(); ++role) {
        node.roles[role].lo = node.roles[role].hi = static_cast<float>(goals[role]);
    }
}

// One block for all whose size is known from the start: choosers, their all-moves-as-first entries, their moves.
bool Tree::open(Node& node, const Opening& opening) {
    STRATAGEM_EXPECTS(!node.terminal);
    STRATAGEM_EXPECTS(!node.opened);
    STRATAGEM_EXPECTS(opening.legal.size() == role_count());
    std::size_t choosers = 0;
    std::size_t moves = 0;
    for (const std::vector<Move>& legal : opening.legal) {
        if (legal.size() < 2) continue;
        ++choosers;
        moves += legal.size();
    }
    const std::size_t bytes = choosers * sizeof(Chooser) + moves * (sizeof(Move) + (options_.amaf ? sizeof(Amaf) : 0));
    auto* next = choosers == 0 ? nullptr : static_cast<std::byte*>(take(bytes));
    if (next == nullptr && choosers > 0) return false;
    const auto place = [&next]<typename Type>(std::size_t count, const Type& value) {
        Type* const first = reinterpret_cast<Type*>(next);
        std::uninitialized_fill_n(first, count, value);
        next += count * sizeof(Type);
        return first;
    };
    node.block_bytes = static_cast<std::uint32_t>(bytes);
    node.choosers = place(choosers, Chooser{});
    node.chooser_count = static_cast<std::uint32_t>(choosers);
    Amaf* amaf = options_.amaf ? place(moves, Amaf{}) : nullptr;
    std::size_t chooser = 0;
    for (std::uint32_t role = 0; role < role_count(); ++role) {
        const std::vector<Move>& legal = opening.legal[role];
        node.roles[role].fixed = legal.front();
        if (legal.size() < 2) continue;
        Chooser& own = node.choosers[chooser++];
        own.role = Role{role};
        own.chance = options_.chance[role];
        own.ordered = opening.ordered;
        own.count = static_cast<std::uint32_t>(legal.size());
        own.moves = place(legal.size(), Move{});
        std::ranges::copy(legal, own.moves);
        own.amaf = amaf;
        if (amaf != nullptr) amaf += legal.size();
    }
    node.opened = true;
    if (choosers != 1 || opening.priors.empty()) return true;
    Chooser& own = node.choosers[0];
    for (std::uint32_t i = 0; i < own.count; ++i) {
        if (!try_move(own, i)) return true;
        own.arms[i].prior = static_cast<std::uint16_t>(std::lround(std::clamp(opening.priors[i], 0.0, 1.0) * 65534));
    }
    return true;
}

std::optional<std::uint32_t> Tree::slot_of(Chooser& chooser, Move move) {
    const auto place =
        static_cast<std::uint32_t>(std::find(chooser.moves, chooser.moves + chooser.count, move) - chooser.moves);
    if (place == chooser.count) return std::nullopt;
    return place < chooser.tried ? place : try_move(chooser, place);
}

std::optional<std::uint32_t> Tree::try_move(Chooser& chooser, std::uint32_t place) {
    STRATAGEM_EXPECTS(place >= chooser.tried && place < chooser.count);
    if (chooser.tried == chooser.capacity) {
        const std::uint32_t capacity =
            std::min(chooser.count, std::max(first_arms, chooser.capacity + chooser.capacity / 2 + 1));
        void* const block = take(arms_bytes(capacity));
        if (block == nullptr) return std::nullopt;
        Arm* const arms = static_cast<Arm*>(block);
        Key* const keys = reinterpret_cast<Key*>(arms + capacity);
        std::uninitialized_copy_n(chooser.arms, chooser.tried, arms);
        std::uninitialized_copy_n(chooser.keys, chooser.tried, keys);
        if (chooser.arms != nullptr) memory_.give(chooser.arms, arms_bytes(chooser.capacity));
        chooser.arms = arms;
        chooser.keys = keys;
        chooser.capacity = capacity;
    }
    const std::uint32_t slot = chooser.tried++;
    std::swap(chooser.moves[slot], chooser.moves[place]);
    if (chooser.amaf != nullptr) std::swap(chooser.amaf[slot], chooser.amaf[place]);
    const std::size_t role = ground::index(chooser.role);
    Arm* const arm = std::construct_at(chooser.arms + slot);
    arm->lo = options_.least[role];
    arm->hi = options_.most[role];
    std::construct_at(chooser.keys + slot);
    return slot;
}

Node* Tree::child(const Node& node, std::span<const std::uint32_t> slots) const {
    if (node.chooser_count == 1) return node.choosers[0].arms[slots[0]].child;
    if (!node.joint) return nullptr;
    const auto found = node.joint->find(joint_number(node.choosing(), slots));
    return found == node.joint->end() ? nullptr : found->second;
}

void Tree::set_child(Node& node, std::span<const std::uint32_t> slots, Node* child) {
    if (node.chooser_count == 1) {
        node.choosers[0].arms[slots[0]].child = child;
        return;
    }
    if (!node.joint) node.joint = std::make_unique<std::unordered_map<std::uint64_t, Node*>>();
    const auto [place, is_new] = node.joint->try_emplace(joint_number(node.choosing(), slots), child);
    place->second = child;
    // Over the budget by less than a batch: the next node finds memory spent.
    if (is_new && !memory_.charge(joint_entry_bytes)) node.joint->erase(place);
}

}  // namespace stratagem::search::uct
