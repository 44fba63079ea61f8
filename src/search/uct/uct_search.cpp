#include "search/uct/uct_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

#include "util/contract.h"

namespace stratagem::search::uct {

using ground::index;

namespace {

constexpr std::size_t longest_line = 40;
constexpr auto report_interval = std::chrono::milliseconds(20);
constexpr double share_kept_between_moves = 0.5;
constexpr std::size_t shortest_cut = 1000;  // moves; games that run on for longer than any seen are cut
constexpr std::size_t cut_factor = 10;

TreeOptions tree_options(const Problem& problem, const SearchSettings& settings, const Settings& chosen) {
    TreeOptions options;
    options.bytes = std::max<std::size_t>(1, settings.table_megabytes) << 20;
    options.amaf = chosen.rave;
    const std::unique_ptr<machine::Machine> machine = problem.game->make();
    const analysis::GameKind& facts = problem.facts;
    for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
        const bool known = role < facts.least_goal.size() && role < facts.most_goal.size();
        options.chance.push_back(machine->role_name(Role{role}) == "random");
        // Where a role has no goal value, or the game gets stuck, it has 0.
        options.least.push_back(known ? std::min(0.0F, static_cast<float>(facts.least_goal[role])) : 0.0F);
        options.most.push_back(known ? std::max(0.0F, static_cast<float>(facts.most_goal[role])) : 100.0F);
    }
    return options;
}

std::vector<Scale> scales(const TreeOptions& options) {
    std::vector<Scale> result;
    for (std::size_t role = 0; role < options.least.size(); ++role) {
        const double span = double{options.most[role]} - double{options.least[role]};
        result.push_back({double{options.least[role]}, span > 0 ? span : 1});
    }
    return result;
}

// The two roles of a game of constant sum, where they are the only ones apart from chance.
std::optional<std::pair<Role, Role>> rivals(const analysis::GameKind& facts, const std::vector<bool>& chance) {
    std::vector<Role> players;
    for (std::uint32_t role = 0; role < chance.size(); ++role) {
        if (!chance[role]) players.push_back(Role{role});
    }
    if (players.size() != 2 || !(holds(facts.two_player_zero_sum) || holds(facts.constant_sum))) return {};
    return std::pair(players[0], players[1]);
}

bool plays_single_games(const Settings& chosen) {
    return !chosen.lanes || chosen.mast || chosen.rave || chosen.evaluator == EvaluatorUse::cutoff;
}

}  // namespace

UctSearch::UctSearch(const Problem& problem, const SearchSettings& settings, const Settings& chosen)
    : problem_(problem), random_(settings.seed, 0xA11CE) {
    Settings used = chosen;
    if (problem.evaluator->is_constant()) used.evaluator = EvaluatorUse::none;
    TreeOptions options = tree_options(problem, settings, used);
    std::vector<Scale> role_scales = scales(options);
    const auto pair = rivals(problem.facts, options.chance);
    shared_ = std::make_unique<SharedTree>(used, std::move(options), std::move(role_scales), pair,
                                           used.evaluator == EvaluatorUse::none ? nullptr : problem.evaluator);
    const bool by_batch = !plays_single_games(used);
    const std::size_t threads = std::max<std::size_t>(1, settings.threads);
    const std::size_t max_steps =
        problem.facts.longest == 0 ? 100'000 : std::max(shortest_cut, cut_factor * problem.facts.longest);
    for (std::size_t i = 0; i < threads; ++i) {
        std::unique_ptr<machine::Playouts> playouts;
        if (by_batch) {
            playouts = problem.game->make_playouts(settings.seed, i, used.history, settings.interrupt);
            if (playouts->batch() <= 1) playouts.reset();
        }
        workers_.push_back(
            std::make_unique<Worker>(*shared_, problem.game->make(), std::move(playouts), settings.seed, i, max_steps));
    }
}

// What cannot come up any more is not looked for when the match moves on but here, if memory is half full.
// Where memory is so full that not even a root fits, the old tree goes.
Node* UctSearch::find_or_make_root(const State& state, const Opening& opening, const Stop& stop) {
    Tree& tree = shared_->tree;
    const auto made = [&]() -> Node* {
        Node* node = tree.find(state);
        if (node == nullptr) node = tree.make(state);
        if (node == nullptr || (!node->opened && !tree.open(*node, opening))) return nullptr;
        return node;
    };
    Node* root = made();
    if (root == nullptr) {
        tree.clear();
        root = made();
    }
    if (root == nullptr) return nullptr;
    const auto bytes = static_cast<double>(tree.bytes());
    if (!tree.sweeping() && bytes > share_kept_between_moves * static_cast<double>(tree.bytes_limit())) {
        tree.collect(*root, share_kept_between_moves, part_of(stop));
    }
    for (Chooser& chooser : root->choosing()) shared_->policy.refresh_all(*root, chooser);
    return root;
}

Choice UctSearch::choose(const State& state, Role role, const Budget& budget,
                         const std::function<void(const Choice&)>& report) {
    const auto start = Deadline::Clock::now();
    const auto elapsed = [start] { return std::chrono::duration<double>(Deadline::Clock::now() - start).count(); };
    Choice choice;
    workers_[0]->look(state, opening_);
    // Where somebody cannot move, a tree counts the game as over.
    STRATAGEM_EXPECTS(!opening_.terminal || std::ranges::any_of(opening_.legal, &std::vector<Move>::empty));
    const std::vector<Move>& legal = opening_.legal[index(role)];
    if (!legal.empty()) choice.move = legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
    if (opening_.terminal || legal.empty()) {
        choice.value = 0;
        choice.note = legal.empty() ? "no legal move" : "another role has no legal move";
        choice.seconds = elapsed();
        return choice;
    }
    if (report) report(choice);

    Job job;
    job.role = role;
    job.budget = budget;
    {
        const std::lock_guard hold(shared_->lock);
        job.root = find_or_make_root(state, opening_, budget.stop);
    }
    if (job.root == nullptr) {
        choice.note = "no memory for a tree";
        choice.seconds = elapsed();
        return choice;
    }
    // With one move there is nothing to find out; a few visits say what the state is worth.
    constexpr std::uint64_t glance = 64;
    if (legal.size() == 1 && !budget.pondering) {
        const std::uint64_t enough = job.root->visits >= glance ? 0 : glance;
        job.budget.max_nodes = std::min(job.budget.max_nodes, enough);
    }

    auto last_report = start;
    std::optional<Move> last_move = choice.move;
    const std::function<void()> tick = [&] {
        const auto now = Deadline::Clock::now();
        if (now - last_report < report_interval) return;
        last_report = now;
        Choice better;
        {
            const std::lock_guard hold(shared_->lock);
            machine::Random own = random_;  // reports come by the clock, and the answer must not depend on them
            better = answer(job, own);
        }
        if (better.move == last_move && !better.proved) return;
        last_move = better.move;
        better.seconds = elapsed();
        report(better);
    };
    run(job, report ? tick : std::function<void()>());

    {
        const std::lock_guard hold(shared_->lock);
        choice = answer(job, random_);
        // Whoever threw left visits pending.
        STRATAGEM_INVARIANT(!job.fault.empty() || shared_->tree.is_consistent(*job.root));
    }
    if (!choice.move) choice.move = legal.front();
    choice.seconds = elapsed();
    if (report) report(choice);
    return choice;
}

void UctSearch::run(Job& job, const std::function<void()>& tick) {
    const auto work = [this, &job](std::size_t number, const std::function<void()>& after) {
        try {
            workers_[number]->run(job, after);
        } catch (const std::exception& fault) {
            const std::lock_guard hold(shared_->lock);
            job.fault = fault.what();
        }
    };
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < workers_.size(); ++i) {
        others.emplace_back([&work, i] { work(i, {}); });
    }
    work(0, tick);
}

std::uint32_t UctSearch::best_slot(const Node& root, const Chooser& chooser, machine::Random& random) const {
    const Settings& settings = shared_->settings;
    const RolePart& own = root.roles[index(chooser.role)];
    const float worst = shared_->tree.options().least[index(chooser.role)];
    const bool proved = own.lo == own.hi;
    const auto distance = [](const Arm& arm) { return arm.child == nullptr ? 0 : int{arm.child->distance}; };
    const auto mean = [](const Arm& arm) { return arm.visits == 0 ? -1.0 : arm.sum / arm.visits; };
    // Larger is better, the first entry that differs decides.
    const auto rank = [&](const Arm& arm, bool dominated) {
        std::array<double, 4> result{dominated ? 0.0 : 1.0, 0, 0, 0};
        if (proved) {
            // A proved best end by the shortest way, a proved worst one by the longest.
            const bool best = own.lo > worst && own.lo >= shared_->tree.options().most[index(chooser.role)];
            result[1] = arm.lo >= own.lo ? 1 : 0;
            if (best && root.chooser_count == 1) result[2] = -distance(arm);
            if (own.hi <= worst && root.chooser_count == 1) result[2] = distance(arm);
        }
        result[3] = settings.final_move == FinalMove::value ? mean(arm) : static_cast<double>(arm.visits);
        return result;
    };
    if (settings.final_move == FinalMove::mixed && root.chooser_count > 1 && !proved) {
        std::uint64_t total = 0;
        for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) total += chooser.arms[slot].visits;
        auto rest = static_cast<std::int64_t>(random.next() % std::max<std::uint64_t>(1, total));
        for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) {
            rest -= chooser.arms[slot].visits;
            if (rest < 0) return slot;
        }
    }
    std::uint32_t best = 0;
    for (std::uint32_t slot = 1; slot < chooser.tried; ++slot) {
        if (rank(chooser.arms[slot], Policy::dominated(root, chooser, slot)) >
            rank(chooser.arms[best], Policy::dominated(root, chooser, best))) {
            best = slot;
        }
    }
    // What is sure beats what only seems better than it.
    const double hoped = mean(chooser.arms[best]);
    const double sure = shared_->policy.scale(chooser.role).down(double{own.lo});
    if (!proved && own.lo > chooser.arms[best].lo && hoped < sure) {
        for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) {
            if (chooser.arms[slot].lo >= own.lo) return slot;
        }
    }
    return best;
}

Choice UctSearch::answer(const Job& job, machine::Random& random) const {
    const Node& root = *job.root;
    const RolePart& own = root.roles[index(job.role)];
    Choice choice;
    choice.nodes = job.created;
    choice.playouts = job.playouts;
    choice.depth = job.depth;
    choice.proved = own.lo == own.hi && shared_->settings.solver;
    double mean = root.mean(index(job.role));
    std::uint32_t visits = root.visits;
    const Arm* chosen = nullptr;
    const Chooser* chooser = nullptr;
    for (const Chooser& one : root.choosing()) {
        if (one.role == job.role) chooser = &one;
    }
    if (chooser == nullptr) {
        choice.move = own.fixed;
    } else if (chooser->tried == 0) {
        choice.move = chooser->moves[0];
    } else {
        const std::uint32_t slot = best_slot(root, *chooser, random);
        chosen = &chooser->arms[slot];
        choice.move = chooser->moves[slot];
        visits = chosen->visits;
        if (chosen->visits > 0) mean = chosen->sum / chosen->visits;
    }
    choice.judged = root.visits > 0 || choice.proved;
    choice.value = shared_->policy.scale(job.role).up(mean);
    if (chosen != nullptr) choice.value = std::clamp(choice.value, double{chosen->lo}, double{chosen->hi});
    choice.value = std::clamp(choice.value, double{own.lo}, double{own.hi});
    choice.line = best_line(root, job.role, choice.move);
    if (!job.fault.empty()) {
        choice.note = "ended early: " + job.fault;
    } else if (choice.proved) {
        choice.note = fmt::format("proved: {:g}", own.lo);
    } else {
        choice.note = fmt::format("{} of {} visits", visits, root.visits);
    }
    return choice;
}

// Everybody's most visited moves, after the answer itself.
std::vector<std::vector<Move>> UctSearch::best_line(const Node& root, Role role, std::optional<Move> first) const {
    std::vector<std::vector<Move>> line;
    std::vector<std::uint32_t> slots;
    const Node* node = &root;
    while (node != nullptr && node->opened && !node->terminal && line.size() < longest_line) {
        slots.clear();
        std::vector<Move> joint(shared_->tree.role_count());
        for (std::size_t i = 0; i < joint.size(); ++i) joint[i] = node->roles[i].fixed;
        for (const Chooser& chooser : node->choosing()) {
            std::uint32_t best = 0;
            for (std::uint32_t slot = 0; slot < chooser.tried; ++slot) {
                if (node == &root && chooser.role == role && chooser.moves[slot] == first) {
                    best = slot;
                    break;
                }
                if (chooser.arms[slot].visits > chooser.arms[best].visits) best = slot;
            }
            if (chooser.tried == 0 || chooser.arms[best].visits == 0) return line;
            slots.push_back(best);
            joint[index(chooser.role)] = chooser.moves[best];
        }
        line.push_back(std::move(joint));
        node = shared_->tree.child(*node, slots);
    }
    return line;
}

}  // namespace stratagem::search::uct
