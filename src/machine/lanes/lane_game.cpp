#include "machine/lanes/lane_game.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "machine/circuit/gate_graph.h"
#include "machine/circuit/phase_groups.h"
#include "machine/lanes/choose.h"
#include "machine/lanes/translate.h"

namespace stratagem::machine::lanes {

// One pass from the program to code; the parts of LaneGame are filled as they come.
class LaneBuilder {
  public:
    LaneBuilder(LaneGame& game, const LaneOptions& options, const Deadline& deadline)
        : game_(game), program_(game.program()), options_(options), deadline_(deadline) {
        ResultRows& rows = game.rows_;
        const auto moves = static_cast<std::uint32_t>(program_.moves.size());
        rows.first_made = rows.first_goal + static_cast<std::uint32_t>(program_.goals.size());
        rows.first_legal = rows.first_made + moves;
        rows.count = rows.first_legal + (options.observe ? moves : 0);
        game.width_ = options.width.value_or(widest());
        arity_ = entry_of(game.width_).arity;
    }

    void build() {
        if (program_.rule_count() > options_.most_rules) {
            throw std::runtime_error(
                fmt::format("it has {} ground rules, more than {}", program_.rule_count(), options_.most_rules));
        }
        whole_ = std::make_unique<GateGraph>(program_, Assumption{}, gate_options(), deadline_);
        check(*whole_);
        decide_goals();
        constexpr std::size_t too_many_rules = 2'000'000;  // to build gates for each phase as well
        if (!options_.lockstep || program_.rule_count() > too_many_rules || !build_lockstep()) {
            add_phase(*whole_, Fluent{}, 0);
        }
        for (const LaneGame::Phase& phase : game_.phases_) {
            for (const Code* code : {phase.look.get(), phase.step.get(), phase.step_observed.get()}) {
                if (code != nullptr) game_.scratch_rows_ = std::max(game_.scratch_rows_, code->scratch_rows());
            }
            game_.random_rows_ = std::max<std::size_t>(game_.random_rows_, phase.random_rows);
        }
        if (game_.score_) game_.scratch_rows_ = std::max(game_.scratch_rows_, game_.score_->scratch_rows());
    }

  private:
    GateOptions gate_options() const {
        GateOptions options;
        constexpr std::size_t large = 1'000'000;  // rules: factoring to the end would take too long
        if (program_.rule_count() > large) options.factor_rounds = 2;
        return options;
    }

    void check(const GateGraph& graph) const {
        if (!graph.loop_nodes.empty())
            throw std::runtime_error("its rules are recursive in a way that depends on the state");
        const std::size_t inputs = connections(graph);
        if (inputs > options_.most_nodes) {
            throw std::runtime_error(
                fmt::format("it has {} connections between gates, more than {}", inputs, options_.most_nodes));
        }
    }

    // Inputs of all logic: the fluents, then random bits.
    Binding binding(std::size_t random) const {
        Binding result;
        for (std::uint32_t i = 0; i < program_.fluents.size(); ++i) result.inputs.push_back({Place::state, i});
        for (std::uint32_t i = 0; i < random; ++i) result.inputs.push_back({Place::random, i});
        return result;
    }

    // The graph as logic, with what code is wanted for.
    struct Model {
        Logic logic;
        Signal terminal = never;
        std::vector<Signal> goals;
        Signal conflict = never;
        std::vector<Signal> legal, made, next;
        Signal stuck = never;
        std::uint32_t random_rows = 0;
    };

    enum class Wanted { ends, all };

    Model model(const GateGraph& graph, Wanted wanted) {
        Model made;
        std::vector<Signal> roots = graph.outputs.goals;
        roots.push_back(graph.outputs.terminal);
        if (wanted == Wanted::all) {
            roots.insert(roots.end(), graph.outputs.legal.begin(), graph.outputs.legal.end());
            roots.insert(roots.end(), graph.outputs.next.begin(), graph.outputs.next.end());
        }
        Translation translate(graph, roots, program_.fluents.size(), program_.moves.size(), made.logic, deadline_);
        made.terminal = translate(graph.outputs.terminal);
        Signal some = never;
        for (std::size_t i = 0; i < program_.goals.size(); ++i) {
            if (i > 0 && program_.goals[i].role != program_.goals[i - 1].role) some = never;
            const Signal goal = translate(graph.outputs.goals[i]);
            made.goals.push_back(goal);
            made.conflict = made.logic.either(made.conflict, made.logic.both(some, goal));
            some = made.logic.either(some, goal);
        }
        if (wanted == Wanted::all) {
            for (const Signal legal : graph.outputs.legal) made.legal.push_back(translate(legal));
            choose_moves(made);
            for (std::uint32_t i = 0; i < made.made.size(); ++i) translate.set_move(i, made.made[i]);
            for (const Signal next : graph.outputs.next) made.next.push_back(translate(next));
        }
        if (made.logic.size() > options_.most_nodes) {
            throw std::runtime_error(
                fmt::format("its logic has {} nodes, more than {}", made.logic.size(), options_.most_nodes));
        }
        return made;
    }

    // One random legal move for each role.
    void choose_moves(Model& made) {
        const std::vector<Signal>& legal = made.legal;
        made.made.assign(legal.size(), never);
        for (std::uint32_t begin = 0; begin < legal.size();) {
            std::vector<std::uint32_t> moves;
            std::vector<Signal> candidates;
            std::uint32_t end = begin;
            for (; end < legal.size() && program_.moves[end].role == program_.moves[begin].role; ++end) {
                if (legal[end] == never) continue;
                moves.push_back(end);
                candidates.push_back(legal[end]);
            }
            std::vector<Signal> random(random_bits(candidates.size()));
            for (Signal& bit : random) bit = made.logic.input();
            made.random_rows += static_cast<std::uint32_t>(random.size());
            const Chosen chosen = choose(made.logic, candidates, random);
            for (std::size_t i = 0; i < moves.size(); ++i) made.made[moves[i]] = chosen.picked[i];
            made.stuck = made.logic.either(made.stuck, chosen.none);
            begin = end;
        }
        // A role for which the rules have no move at all is stuck in every state.
        std::vector<bool> can_move(program_.roles.size(), false);
        for (const ground::GroundMove& move : program_.moves) can_move[ground::index(move.role)] = true;
        if (std::find(can_move.begin(), can_move.end(), false) != can_move.end()) made.stuck = always;
    }

    // Code for some of the signals of a model.
    class Roots {
      public:
        explicit Roots(Binding where) : where_(std::move(where)) {}
        void keep(Signal signal, Place place, std::uint32_t row) {
            signals.push_back(signal);
            where_.outputs.push_back({place, row});
        }
        void keep(std::span<const Signal> list, Place place, std::uint32_t first_row) {
            for (const Signal signal : list) keep(signal, place, first_row++);
        }
        std::vector<Signal> signals;
        const Binding& where() const { return where_; }

      private:
        Binding where_;
    };

    StraightLine line(const Model& model, const Roots& roots) {
        return compile(model.logic, roots.signals, arity_, deadline_, model.made);
    }
    std::unique_ptr<const Code> code(const Model& model, const Roots& roots) {
        return make_code(line(model, roots), roots.where(), game_.width_);
    }

    Roots look(const Model& model, bool terminal, bool goals) const {
        Roots roots(binding(model.random_rows));
        if (terminal) roots.keep(model.terminal, Place::results, game_.rows_.terminal);
        if (goals) {
            roots.keep(model.goals, Place::results, game_.rows_.first_goal);
            roots.keep(model.conflict, Place::results, game_.rows_.conflict);
        }
        return roots;
    }

    // Goals with terminal, or apart? Apart, their fluents must be saved whenever a game ends, which is nearly every
    // step.
    void decide_goals() {
        const Model ends = model(*whole_, Wanted::ends);
        std::vector<bool> needed(whole_->nodes.size(), false);
        for (const Signal goal : whole_->outputs.goals) needed[goal.node()] = true;
        for (auto node = static_cast<std::uint32_t>(needed.size()); node-- > 0;) {
            if (!needed[node]) continue;
            for (const Signal input : whole_->inputs_of(node)) needed[input.node()] = true;
        }
        std::vector<Fluent> fluents;
        for (std::uint32_t i = 0; i < program_.fluents.size(); ++i) {
            if (needed[1 + i]) fluents.push_back(Fluent{i});
        }
        constexpr std::size_t per_fluent = 2;  // what saving a row costs, in instructions
        constexpr std::size_t per_step = 64;
        const std::size_t alone = line(ends, look(ends, true, false)).operations.size();
        const std::size_t together = line(ends, look(ends, true, true)).operations.size();
        goals_apart_ = together > alone + per_fluent * fluents.size() + per_step;
        if (!goals_apart_) return;
        game_.scored_ = std::move(fluents);
        game_.score_ = code(ends, look(ends, false, true));
    }

    void add_phase(const GateGraph& graph, Fluent fluent, std::uint32_t next) {
        const Model whole = model(graph, Wanted::all);
        LaneGame::Phase phase;
        phase.fluent = fluent;
        phase.next = next;
        phase.random_rows = whole.random_rows;
        phase.look = code(whole, look(whole, true, !goals_apart_));
        Roots step(binding(whole.random_rows));
        step.keep(whole.next, Place::next, 0);
        step.keep(whole.stuck, Place::results, game_.rows_.stuck);
        phase.step = code(whole, step);
        if (options_.statistics || options_.observe) {
            step.keep(whole.made, Place::results, game_.rows_.first_made);
            if (options_.observe) step.keep(whole.legal, Place::results, game_.rows_.first_legal);
            phase.step_observed = code(whole, step);
        }
        game_.phases_.push_back(std::move(phase));
    }

    // Code for each phase of a group that goes round whatever happens; of several such groups, the one that makes the
    // gates smallest. False: there is none.
    bool build_lockstep() {
        State initial(program_.fluents.size());
        for (const Fluent fluent : program_.initial) initial.insert(fluent);
        std::size_t least = connections(*whole_);
        std::vector<std::unique_ptr<GateGraph>> best;
        PhaseGroup chosen;
        std::vector<PhaseGroup> groups = phase_groups(program_);
        if (!options_.phases.empty()) groups.insert(groups.begin(), options_.phases);
        constexpr std::size_t many_rules = 30'000;  // trying more than one group takes too long
        for (const PhaseGroup& group : groups) {
            if (!chosen.empty() && program_.rule_count() > many_rules) break;
            if (!exactly_one(initial, group) || !depends_on_itself(group)) continue;
            std::vector<std::unique_ptr<GateGraph>> graphs;
            std::size_t sum = 0;
            for (std::uint32_t i = 0; i < group.size(); ++i) {
                graphs.push_back(std::make_unique<GateGraph>(program_, assume(group, i), gate_options(), deadline_));
                if (!successor_of(*graphs.back(), group)) break;
                sum += connections(*graphs.back());
            }
            if (graphs.size() < group.size() || !successor_of(*graphs.back(), group) || sum / group.size() >= least)
                continue;
            least = sum / group.size();
            best = std::move(graphs);
            chosen = group;
        }
        for (std::uint32_t i = 0; i < chosen.size(); ++i)
            add_phase(*best[i], chosen[i], *successor_of(*best[i], chosen));
        return !chosen.empty();
    }

    static std::size_t connections(const GateGraph& graph) {
        std::size_t sum = 0;
        for (const GateNode& node : graph.nodes) sum += node.input_count;
        return sum;
    }

    // Cheap and necessary: what holds next of the group depends on the group alone.
    bool depends_on_itself(const PhaseGroup& group) const {
        std::vector<bool> seen(whole_->nodes.size(), false);
        std::vector<std::uint32_t> open;
        for (const Fluent fluent : group) open.push_back(whole_->outputs.next[ground::index(fluent)].node());
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            if (seen[node]) continue;
            seen[node] = true;
            const NodeKind kind = whole_->nodes[node].kind;
            if (kind == NodeKind::move) return false;
            if (kind == NodeKind::fluent &&
                std::find(group.begin(), group.end(), Fluent{whole_->nodes[node].number}) == group.end()) {
                return false;
            }
            for (const Signal input : whole_->inputs_of(node)) open.push_back(input.node());
        }
        return true;
    }

    // Which of the group holds next, if that is one and the same whatever is done.
    static std::optional<std::uint32_t> successor_of(const GateGraph& graph, const PhaseGroup& group) {
        std::optional<std::uint32_t> successor;
        for (std::uint32_t i = 0; i < group.size(); ++i) {
            const Signal next = graph.outputs.next[ground::index(group[i])];
            if (next == never) continue;
            if (next != always || successor) return std::nullopt;
            successor = i;
        }
        return successor;
    }

    LaneGame& game_;
    const ground::Program& program_;
    const LaneOptions& options_;
    const Deadline& deadline_;
    unsigned arity_ = 2;
    std::unique_ptr<GateGraph> whole_;
    bool goals_apart_ = false;
};

LaneGame::LaneGame(std::shared_ptr<const ground::Program> program, const LaneOptions& options, const Deadline& deadline)
    : program_(std::move(program)) {
    LaneBuilder(*this, options, deadline).build();
}

std::optional<std::uint32_t> LaneGame::phase_of(const State& state) const {
    if (phases_.size() == 1) return 0;
    std::optional<std::uint32_t> result;
    for (std::uint32_t i = 0; i < phases_.size(); ++i) {
        if (!state.holds(phases_[i].fluent)) continue;
        if (result) return std::nullopt;
        result = i;
    }
    return result;
}

double LaneGame::instructions() const {
    double sum = 0;
    for (const Phase& phase : phases_) sum += static_cast<double>(phase.look->size() + phase.step->size());
    return sum / static_cast<double>(phases_.size());
}

std::string LaneGame::to_text() const {
    return fmt::format("{} bits, {} phase{}, {:.0f} instructions a step, {} scratch rows{}", entry_of(width_).name,
                       phases_.size(), phases_.size() == 1 ? "" : "s", instructions(), scratch_rows_,
                       score_ ? fmt::format(", goals apart ({} instructions)", score_->size()) : "");
}

}  // namespace stratagem::machine::lanes
