#include "analysis/analysis.h"

#include <algorithm>
#include <array>

#include "analysis/prover.h"
#include "analysis/slot.h"
#include "analysis/time_share.h"

namespace stratagem::analysis {

struct Analysis::Slots {
    Slot<GameKind> kind;
    Slot<Samples> samples;
    Slot<std::vector<Order>> orders;
    Slot<FoundGroups> groups;
    Slot<RuleIndex> rules;
    Slot<FoundGraph> graph;
    Slot<Subgames> parts;
    Slot<Symmetries> symmetries;
    Slot<Proofs> proofs;
    std::optional<Prover> prover;  // of whoever works on the proofs
    Slot<std::vector<Structure>> structures;
};

namespace {

constexpr std::array all_items{Item::kind,  Item::samples,     Item::orders,     Item::groups,
                               Item::graph, Item::parts,       Item::symmetries, Item::invariants,
                               Item::turns, Item::persistence, Item::goal_sum,   Item::structures};

bool is_proof(Item item) { return item >= Item::invariants && item <= Item::goal_sum; }

// What an item is made from.
Items sources_of(Item item) {
    switch (item) {
        case Item::groups:
            return {Item::samples};
        case Item::graph:
            return {Item::samples, Item::orders, Item::groups};
        case Item::invariants:
            return {Item::samples, Item::groups};
        case Item::turns:
            return {Item::invariants};
        case Item::persistence:
            return {Item::turns};
        case Item::goal_sum:
            return {Item::persistence};
        case Item::structures:
            return {Item::samples, Item::orders, Item::groups, Item::graph, Item::invariants};
        default:
            return {};
    }
}

Items with_sources(Items wanted) {
    for (auto item = all_items.rbegin(); item != all_items.rend(); ++item) {
        if (!wanted.has(*item)) continue;
        for (const Item source : all_items) {
            if (sources_of(*item).has(source)) wanted.add(source);
        }
    }
    return wanted;
}

machine::Stop soon(const machine::Stop& stop, double share, std::chrono::milliseconds most) {
    machine::Stop result = part(stop, share);
    if (!stop.deadline.is_never()) result.deadline = Deadline::earlier(result.deadline, Deadline::after(most));
    return result;
}

constexpr auto anything = [](const auto&) { return true; };

}  // namespace

// One round of questions to an analysis.
class Analyst {
  public:
    Analyst(const Analysis& analysis, Items wanted, const machine::Stop& stop)
        : game_(*analysis.game_),
          settings_(analysis.settings_),
          slots_(*analysis.slots_),
          wanted_(with_sources(wanted)),
          stop_(stop) {
        result_.program_ = game_.program();
        result_.kind_ = unobserved(game_);
        for (const Item item : all_items) {
            if (wanted_.has(item) && needs_work(item)) last_ = item;
        }
    }

    Findings run() {
        if (wanted_.has(Item::kind)) find_kind();
        if (!result_.program_) return std::move(result_);
        if (wanted_.has(Item::samples)) take_samples();
        if (wanted_.has(Item::orders)) find_all_orders();
        if (wanted_.has(Item::groups)) find_all_groups();
        if (wanted_.has(Item::graph) || wanted_.has(Item::parts) || wanted_.has(Item::symmetries)) find_rules();
        if (wanted_.has(Item::graph)) find_graph();
        if (wanted_.has(Item::parts)) find_parts();
        if (wanted_.has(Item::symmetries)) find_all_symmetries();
        if (wanted_.has(Item::invariants)) prove();
        if (wanted_.has(Item::structures)) find_all_structures();
        if (result_.proofs_) {
            result_.kind_.add_turn_taking(result_.proofs_->turn_taking);
            result_.kind_.add_goal_sum(result_.proofs_->goal_sum);
        }
        return std::move(result_);
    }

  private:
    template <typename T>
    static bool open(const Slot<T>& slot) {
        const auto there = slot.there();
        return !there || there->cut;
    }
    bool needs_work(Item item) const {
        switch (item) {
            case Item::kind:
                return open(slots_.kind);
            case Item::samples:
                return open(slots_.samples);
            case Item::orders:
                return open(slots_.orders);
            case Item::groups:
                return open(slots_.groups);
            case Item::graph:
                return open(slots_.graph);
            case Item::parts:
                return open(slots_.parts);
            case Item::symmetries:
                return open(slots_.symmetries);
            case Item::structures:
                return open(slots_.structures);
            default: {
                const auto there = slots_.proofs.there();
                return !there || there->cut || there->value->last < item;
            }
        }
    }

    machine::Stop share_of(Item item, double share) const { return item == last_ ? stop_ : part(stop_, share); }

    // The item is asked for or made; where it is not there in time, nothing.
    template <typename T, typename Enough, typename Work>
    std::shared_ptr<const T> get(Slot<T>& slot, const typename Slot<T>::Sources& from, const machine::Stop& within,
                                 Enough&& enough, Work&& work) {
        const bool possible = std::ranges::all_of(from, [](const auto& one) { return one != nullptr; });
        const auto found = possible ? slot.get(from, within, enough, work) : nullptr;
        if (!found) {
            result_.missing_ = true;
            return nullptr;
        }
        result_.stages_.insert(result_.stages_.end(), found->stages.begin(), found->stages.end());
        return found->value;
    }

    // One stage of work that makes a T. `is_complete(value)` if that can be told; else it is unless time is up.
    template <typename T, typename Make, typename Complete>
    std::shared_ptr<const T> timed(const char* name, Slot<T>& slot, const typename Slot<T>::Sources& from,
                                   const machine::Stop& within, Make&& make, Complete&& is_complete) {
        return get(slot, from, within, anything, [&](const auto&, const machine::Stop& stop) {
            const auto start = Deadline::Clock::now();
            Found<T> found;
            found.value = make(stop);
            const std::chrono::duration<double> seconds = Deadline::Clock::now() - start;
            found.stages.push_back({name, seconds.count(), is_complete(*found.value)});
            found.cut = stop.now() && !(found.stages[0].complete && knows_itself(is_complete));
            return found;
        });
    }
    // Work that cannot tell whether it was cut short.
    struct UnlessTimeIsUp {
        const machine::Stop& stop;
        bool operator()(const auto&) const { return !stop.now(); }
    };
    template <typename Complete>
    static constexpr bool knows_itself(const Complete&) {
        return !std::is_same_v<Complete, UnlessTimeIsUp>;
    }

    void find_kind() {
        constexpr auto most = std::chrono::milliseconds(1000);
        const machine::Stop within = last_ == Item::kind ? stop_ : soon(stop_, 0.1, most);
        const auto kind = timed<GameKind>(
            "kind", slots_.kind, {}, within,
            [&](const machine::Stop& stop) {
                return std::make_shared<const GameKind>(observe(game_, stop, settings_.seed));
            },
            [](const GameKind& one) { return one.complete; });
        if (kind) result_.kind_ = *kind;
    }

    void take_samples() {
        result_.samples_ = timed<Samples>(
            "samples", slots_.samples, {}, share_of(Item::samples, 0.15),
            [&](const machine::Stop& stop) {
                SampleLimits limits;
                limits.stop = stop;
                limits.states = settings_.sample_states;
                limits.seed = settings_.seed;
                return std::make_shared<const Samples>(game_, program().fluents.size(), limits);
            },
            UnlessTimeIsUp{stop_});
    }

    void find_all_orders() {
        result_.orders_ = timed<std::vector<Order>>(
            "orders", slots_.orders, {}, share_of(Item::orders, 0.2),
            [&](const machine::Stop& stop) {
                return std::make_shared<const std::vector<Order>>(
                    find_orders(program().statics, program().terms, stop));
            },
            UnlessTimeIsUp{stop_});
    }

    void find_all_groups() {
        result_.groups_ = timed<FoundGroups>(
            "groups", slots_.groups, {result_.samples_}, share_of(Item::groups, 0.2),
            [&](const machine::Stop& stop) {
                auto found = std::make_shared<FoundGroups>();
                found->families = make_families(program());
                found->groups = find_groups(program(), found->families, *result_.samples_, stop);
                return found;
            },
            UnlessTimeIsUp{stop_});
    }

    // Cannot be cut short, and is no stage of its own.
    void find_rules() {
        result_.rules_ = get(slots_.rules, {}, stop_, anything, [&](const auto&, const machine::Stop&) {
            Found<RuleIndex> found;
            found.value = make_rules(result_.program_);
            return found;
        });
    }

    void find_graph() {
        const auto make = [&](const machine::Stop& stop) {
            auto found = std::make_shared<FoundGraph>();
            const std::vector<Family>& families = result_.groups_->families;
            found->argument_orders = find_argument_orders(program(), families, *result_.orders_, ArgumentDomains(game_),
                                                          *result_.samples_, stop);
            const FluentKinds kinds(program(), families, found->argument_orders, *result_.samples_, stop);
            found->graph = std::make_unique<FluentGraph>(*result_.rules_, kinds, stop);
            return found;
        };
        result_.graph_ = timed<FoundGraph>(
            "fluent graph", slots_.graph, {result_.samples_, result_.orders_, result_.groups_, result_.rules_},
            share_of(Item::graph, 0.25), make,
            [&](const FoundGraph& one) { return one.graph->complete() == program().fluents.size(); });
    }

    void find_parts() {
        result_.subgames_ = timed<Subgames>(
            "parts", slots_.parts, {result_.rules_}, share_of(Item::parts, 0.2),
            [&](const machine::Stop& stop) {
                return std::make_shared<const Subgames>(find_subgames(*result_.rules_, stop));
            },
            [](const Subgames& one) { return one.complete; });
    }

    void find_all_symmetries() {
        // What is not found soon is hardly ever found at all, and proofs need the time. Without a clock the search
        // counts its steps.
        constexpr auto most = std::chrono::milliseconds(1500);
        const machine::Stop within = last_ == Item::symmetries ? stop_ : soon(stop_, 0.15, most);
        result_.symmetries_ = timed<Symmetries>(
            "symmetries", slots_.symmetries, {result_.rules_}, within,
            [&](const machine::Stop& stop) {
                return std::make_shared<const Symmetries>(find_symmetries(*result_.rules_, false, stop));
            },
            [](const Symmetries& one) { return one.complete; });
    }

    // One after the other, as each may use what was proved before: as far as they are wanted.
    void prove() {
        Item last = Item::invariants;
        for (const Item item : all_items) {
            if (is_proof(item) && wanted_.has(item)) last = item;
        }
        const auto enough = [&](const Proofs& proofs) { return proofs.last >= last; };
        const auto work = [&](const Slot<Proofs>::Pointer& before, const machine::Stop& stop) {
            const bool again = !before || !slots_.prover || Slot<Proofs>::worth_another(*before, stop);
            if (again) slots_.prover.emplace(game_, result_.samples_, result_.groups_, settings_.seed);
            Prover& prover = *slots_.prover;
            prover.run(last, stop);
            Found<Proofs> found;
            found.value = std::make_shared<const Proofs>(prover.proofs());
            found.stages = prover.stages();
            found.cut = prover.cut();
            if (last == Item::goal_sum) slots_.prover.reset();  // its clauses take much memory
            return found;
        };
        result_.proofs_ = get(slots_.proofs, {result_.samples_, result_.groups_}, stop_, enough, work);
    }

    void find_all_structures() {
        // They take next to nothing in most games and are what others build on: worth a moment also when time is up.
        const machine::Stop within = stop_.at_least(std::chrono::milliseconds(50));
        const std::shared_ptr<const std::vector<Group>> groups = result_.proofs_ ? result_.proofs_->groups : nullptr;
        result_.structures_ = timed<std::vector<Structure>>(
            "structures", slots_.structures,
            {result_.samples_, result_.orders_, result_.groups_, result_.graph_, result_.rules_, groups}, within,
            [&](const machine::Stop& stop) {
                return std::make_shared<const std::vector<Structure>>(
                    find_structures(*result_.rules_, result_.groups_->families, *result_.samples_, *groups,
                                    *result_.orders_, result_.graph_->argument_orders, *result_.graph_->graph, stop));
            },
            UnlessTimeIsUp{within});
    }

    const ground::Program& program() const { return *result_.program_; }

    const machine::Game& game_;
    const AnalysisSettings& settings_;
    Analysis::Slots& slots_;
    Items wanted_;
    const machine::Stop& stop_;
    std::optional<Item> last_;  // that is to be worked out
    Findings result_;
};

Analysis::Analysis(std::shared_ptr<const machine::Game> game, const AnalysisSettings& settings)
    : game_(std::move(game)), settings_(settings), slots_(std::make_unique<Slots>()) {}

Analysis::~Analysis() = default;

Findings Analysis::ask(Items wanted, const machine::Stop& stop) const { return Analyst(*this, wanted, stop).run(); }

GameKind Analysis::kind(const machine::Stop& stop, bool with_proofs) const {
    GameKind kind = ask({Item::kind}, stop).kind();
    const auto proofs = with_proofs ? slots_->proofs.there() : nullptr;
    if (!proofs) return kind;
    kind.add_turn_taking(proofs->value->turn_taking);
    kind.add_goal_sum(proofs->value->goal_sum);
    return kind;
}

std::optional<Findings> analyze(const machine::Game& game, const AnalysisOptions& options) {
    if (!game.program()) return {};
    // The caller's game, which this does not outlive.
    const Analysis analysis(std::shared_ptr<const machine::Game>(std::shared_ptr<void>(), &game), options);
    return analysis.ask(Items::all(), options.stop);
}

}  // namespace stratagem::analysis
