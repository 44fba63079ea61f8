#include "analysis/structures.h"

#include <algorithm>
#include <bit>
#include <map>

#include "analysis/invariants.h"
#include "gdl/print.h"

namespace stratagem::analysis {

namespace {

constexpr std::uint32_t most_arguments = 8;
constexpr std::size_t most_amounts = 200;  // values of which it is asked whether they only go one way
constexpr std::size_t near_rules = 5000;   // for that
constexpr std::uint32_t near_conflicts = 500;

class Finder {
  public:
    Finder(const RuleIndex& index, std::span<const Family> families, const Samples& samples,
           std::span<const Group> groups, std::span<const Order> orders, const ArgumentOrders& argument_orders,
           const FluentGraph& graph, const machine::Stop& stop)
        : index_(index),
          program_(index.program()),
          families_(families),
          samples_(samples),
          groups_(groups),
          orders_(orders),
          argument_orders_(argument_orders),
          graph_(graph),
          stop_(stop),
          groups_of_(program_.fluents.size()) {
        for (const Group& group : groups) {
            if (group.verdict != Verdict::proved) continue;
            for (const Fluent fluent : group.fluents) groups_of_[ground::index(fluent)].push_back(&group);
        }
    }

    Structure find(std::size_t number) {
        Structure known = look(number);
        if (!stop_.now()) return known;
        // Some of it may be wrong: time was up in the middle.
        Structure result;
        result.family = number;
        if (families_[number].arity == 0) result.kind = Structure::Kind::proposition;
        for (const std::optional<std::size_t>& order : argument_orders_.of_family(number)) {
            result.arguments.push_back({false, order});
        }
        return result;
    }

  private:
    Structure look(std::size_t number) {
        const Family& family = families_[number];
        Structure result;
        result.family = number;
        if (family.arity == 0) {
            result.kind = Structure::Kind::proposition;
            return result;
        }
        for (std::uint32_t i = 0; i < family.arity; ++i)
            result.arguments.push_back({false, argument_orders_.of(number, i)});
        const std::uint32_t outputs = family.arity <= most_arguments ? choose_outputs(result, family) : 0;
        for (std::uint32_t i = 0; i < family.arity && i < 32; ++i)
            result.arguments[i].output = (outputs >> i & 1U) != 0;
        if (outputs == 0) return result;
        judge(result, family, outputs);
        name(result, family, outputs);
        return result;
    }

    bool out_of_time() const {
        constexpr std::uint32_t between_looks = 256;
        return looks_++ % between_looks == 0 && stop_.now();
    }

    std::string text(gdl::Term term) const { return gdl::to_kif(program_.terms, term); }
    gdl::Term argument(Fluent fluent, std::uint32_t place) const {
        return program_.terms.argument(program_.fluents[ground::index(fluent)], place);
    }

    std::vector<std::vector<Fluent>> parts(const Family& family, std::uint32_t outputs) const {
        std::map<std::vector<gdl::Term>, std::vector<Fluent>> by_inputs;
        for (const Fluent fluent : family.members) {
            if (out_of_time()) return {};
            std::vector<gdl::Term> inputs;
            for (std::uint32_t i = 0; i < family.arity; ++i) {
                if ((outputs >> i & 1U) == 0) inputs.push_back(argument(fluent, i));
            }
            by_inputs[inputs].push_back(fluent);
        }
        std::vector<std::vector<Fluent>> result;
        for (auto& [inputs, fluents] : by_inputs) result.push_back(std::move(fluents));
        return result;
    }

    bool determined(const std::vector<Fluent>& part, SampleSet* where = nullptr) const {
        SampleSet seen(samples_.size());
        for (const Fluent fluent : part) {
            if (out_of_time()) return false;
            if (seen.meets(samples_.holding(fluent))) return false;
            seen.add(samples_.holding(fluent));
        }
        if (where != nullptr) *where = seen;
        return true;
    }

    // A board before all others: all inputs are ordered, no output is, and every cell has its content. Otherwise as
    // many outputs as possible, since fewer inputs determine more; of sets of one size the one with fewer ordered
    // outputs, as coordinates are inputs rather than contents. Arguments with a single value do not count.
    std::uint32_t choose_outputs(const Structure& structure, const Family& family) const {
        std::uint32_t best = 0;
        std::tuple<bool, int, int, int> best_rank{false, -1, 0, 0};
        for (std::uint32_t outputs = 1; outputs < 1U << family.arity; ++outputs) {
            int several = 0;
            int ordered = 0;
            for (std::uint32_t i = 0; i < family.arity; ++i) {
                if ((outputs >> i & 1U) == 0) continue;
                several += family.values[i].size() > 1 ? 1 : 0;
                ordered += structure.arguments[i].order ? 1 : 0;
            }
            int ordered_inputs = 0;
            for (std::uint32_t i = 0; i < family.arity; ++i) {
                if ((outputs >> i & 1U) == 0 && structure.arguments[i].order) ++ordered_inputs;
            }
            const int inputs = static_cast<int>(family.arity) - std::popcount(outputs);
            const bool like_board = inputs > 0 && ordered_inputs == inputs && ordered == 0;
            std::tuple rank(like_board, several, -ordered, -std::popcount(outputs));
            if (rank <= best_rank) continue;
            if (stop_.now()) return 0;
            bool total = true;
            const bool fits = std::ranges::all_of(parts(family, outputs), [&](const auto& part) {
                SampleSet where;
                const bool single = determined(part, &where);
                total = total && where == samples_.everywhere();
                return single;
            });
            if (!fits) continue;
            std::get<0>(rank) = like_board && total;
            if (rank <= best_rank) continue;
            best = outputs;
            best_rank = rank;
        }
        return best;
    }

    // Proved where every part lies in a group that is.
    Verdict proved_single(const std::vector<Fluent>& part) const {
        if (part.size() < 2) return Verdict::proved;
        for (const Group* group : groups_of_[ground::index(part.front())]) {
            if (out_of_time()) return Verdict::unknown;
            if (std::ranges::includes(group->fluents, part)) return Verdict::proved;
        }
        return Verdict::observed;
    }

    // That one of the part always holds.
    Verdict always_one(const std::vector<Fluent>& part, const SampleSet& where) const {
        if (where != samples_.everywhere()) return Verdict::refuted;
        for (const Fluent fluent : part) {
            for (const Group* group : groups_of_[ground::index(fluent)]) {
                if (out_of_time()) return Verdict::unknown;
                if (!group->at_least_one || group->fluents.front() != fluent) continue;
                if (std::ranges::includes(part, group->fluents)) return Verdict::proved;
            }
        }
        return Verdict::observed;
    }

    void judge(Structure& result, const Family& family, std::uint32_t outputs) const {
        result.verdict = Verdict::proved;
        result.total = Verdict::proved;
        for (const std::vector<Fluent>& part : parts(family, outputs)) {
            SampleSet where;
            determined(part, &where);
            const Verdict always = always_one(part, where);
            if (always != Verdict::proved && result.total != Verdict::refuted) result.total = always;
            if (proved_single(part) != Verdict::proved) result.verdict = Verdict::observed;
        }
    }

    void name(Structure& result, const Family& family, std::uint32_t outputs) {
        const bool no_inputs = std::popcount(outputs) == static_cast<int>(family.arity);
        std::size_t ordered_outputs = 0;
        for (const Argument& one : result.arguments) ordered_outputs += one.output && one.order ? 1 : 0;
        if (no_inputs) {
            result.kind = Structure::Kind::singleton;
            if (family.arity == 1 && result.arguments[0].order) result.kind = Structure::Kind::quantity;
            if (result.kind == Structure::Kind::quantity && counts(result, family)) {
                result.kind = Structure::Kind::step_counter;
                result.only_ends = only_ends(family);
            }
            if (is_control(result, family)) result.kind = Structure::Kind::control;
            if (result.kind == Structure::Kind::quantity || result.kind == Structure::Kind::step_counter) {
                judge_direction(result, family);
            }
            return;
        }
        const auto output_count = static_cast<std::size_t>(std::popcount(outputs));
        if (ordered_outputs > 0 && ordered_outputs == output_count) {
            result.kind = output_count == 1 ? Structure::Kind::amounts : Structure::Kind::places;
            if (output_count == 1) judge_direction(result, family);
            return;
        }
        result.kind = Structure::Kind::board;
        find_contents(result, family, outputs);
    }

    void find_contents(Structure& result, const Family& family, std::uint32_t outputs) const {
        std::vector<std::pair<std::string, std::vector<Fluent>>> by_content;
        std::map<std::string, std::size_t> places;
        for (const Fluent fluent : family.members) {
            if (out_of_time()) return;
            std::string content;
            for (std::uint32_t i = 0; i < family.arity; ++i) {
                if ((outputs >> i & 1U) == 0) continue;
                if (!content.empty()) content += ' ';
                content += text(argument(fluent, i));
            }
            const auto [place, added] = places.emplace(content, by_content.size());
            if (added) by_content.push_back({content, {}});
            by_content[place->second].second.push_back(fluent);
        }
        for (const auto& [content, fluents] : by_content) {
            result.contents.push_back(content);
            result.single.push_back(determined(fluents) ? proved_single(fluents) : Verdict::unknown);
        }
    }

    // With every step to the next value; proved where the rules let it come from nothing else.
    bool counts(Structure& result, const Family& family) const {
        const Order& order = orders_[*result.arguments[0].order];
        const auto value = [&](Fluent fluent) { return argument(fluent, 0); };
        const std::vector<std::optional<Fluent>> held = held_in_samples(family);
        std::size_t steps = 0;
        for (std::size_t i = 0; i < held.size(); ++i) {
            const std::uint32_t previous = samples_.all()[i].previous;
            if (previous == Sample::none) continue;
            if (out_of_time()) return false;
            if (!held[previous] || !held[i] || !order.follows(value(*held[previous]), value(*held[i]))) return false;
            ++steps;
        }
        if (steps == 0) return false;
        for (const Fluent fluent : family.members) {
            if (out_of_time()) return false;
            const FluentGraph::Sources& sources = graph_.sources(fluent);
            const bool along = !sources.from_nowhere && std::ranges::all_of(sources.fluents, [&](Fluent from) {
                return std::ranges::binary_search(family.members, from) && order.follows(value(from), value(fluent));
            });
            if (!along) result.verdict = Verdict::observed;
        }
        return true;
    }

    // Of the only output: does it ever go up, or down? Proved where the rules let a value come only from values of the
    // same inputs that are not above, or not below, it, or where a solver finds no step that does otherwise.
    void judge_direction(Structure& result, const Family& family) const {
        const auto output = static_cast<std::uint32_t>(
            std::ranges::find_if(result.arguments, [](const Argument& one) { return one.output; }) -
            result.arguments.begin());
        const Order& order = orders_[*result.arguments[output].order];
        std::vector<std::uint32_t> levels(program_.fluents.size(), 0);
        for (const Fluent fluent : family.members) {
            if (out_of_time()) return;
            levels[ground::index(fluent)] = order.index_of(argument(fluent, output)).value();
        }
        const auto level = [&](Fluent fluent) { return levels[ground::index(fluent)]; };
        const auto same_inputs = [&](Fluent a, Fluent b) {
            for (std::uint32_t i = 0; i < family.arity; ++i) {
                if (i != output && argument(a, i) != argument(b, i)) return false;
            }
            return true;
        };
        const bool sure = result.verdict == Verdict::proved && order.linear;
        result.rising = result.falling = sure ? Verdict::proved : Verdict::observed;
        for (const Fluent fluent : family.members) {
            if (out_of_time()) return;
            const FluentGraph::Sources& sources = graph_.sources(fluent);
            const auto demote = [](Verdict& verdict) { verdict = Verdict::observed; };
            if (sources.from_nowhere) {
                demote(result.rising);
                demote(result.falling);
            }
            for (const Fluent from : sources.fluents) {
                const bool known = std::ranges::binary_search(family.members, from) && same_inputs(from, fluent);
                if (!known || level(from) > level(fluent)) demote(result.rising);
                if (!known || level(from) < level(fluent)) demote(result.falling);
            }
        }
        see_direction(result, family, output, level);
        if (sure && result.rising == Verdict::observed && keeps_direction(family, output, level, 1)) {
            result.rising = Verdict::proved;
        }
        if (sure && result.falling == Verdict::observed && keeps_direction(family, output, level, -1)) {
            result.falling = Verdict::proved;
        }
    }

    // No step leads from a value to one below it (sign 1), or above it (sign -1), for the same inputs.
    template <typename Level>
    bool keeps_direction(const Family& family, std::uint32_t output, const Level& level, int sign) const {
        const ProvedGroups proved(groups_, program_.fluents.size());
        for (const std::vector<Fluent>& part : parts(family, 1U << output)) {
            if (part.size() > most_amounts || stop_.now()) return false;
            LocalStep step(index_, part, near_rules);
            proved.assert_in(step);
            for (const Fluent now : part) {
                std::vector<Literal> beyond;
                for (const Fluent then : part) {
                    const int difference = static_cast<int>(level(then)) - static_cast<int>(level(now));
                    if (difference * sign < 0) beyond.push_back(step.after(then));
                }
                const Literal wrong = step.clauses().any_of(beyond);
                const Answer answer = step.clauses().solve({step.before(now), wrong}, near_conflicts, stop_);
                if (answer != Answer::unsatisfiable) return false;
            }
        }
        return true;
    }

    template <typename Level>
    void see_direction(Structure& result, const Family& family, std::uint32_t output, const Level& level) const {
        constexpr std::uint32_t none = 0xFFFFFFFFU;
        std::vector<std::uint32_t> part_of(program_.fluents.size(), none);  // fluents of the same inputs
        const std::vector<std::vector<Fluent>> all = parts(family, 1U << output);
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            for (const Fluent fluent : all[i]) part_of[ground::index(fluent)] = i;
        }
        std::vector<std::vector<Fluent>> went(all.size());  // by part: what held before, of those in `touched`
        std::vector<std::uint32_t> touched;
        for (const Sample& sample : samples_.all()) {
            if (sample.previous == Sample::none) continue;
            if (stop_.now()) return;
            const State& before = samples_.all()[sample.previous].state;
            before.for_each([&](Fluent fluent) {
                const std::uint32_t part = part_of[ground::index(fluent)];
                if (part == none) return;
                if (went[part].empty()) touched.push_back(part);
                went[part].push_back(fluent);
            });
            sample.state.for_each([&](Fluent now) {
                const std::uint32_t part = part_of[ground::index(now)];
                if (part == none || before.holds(now)) return;
                for (const Fluent then : went[part]) {
                    if (level(then) > level(now)) result.rising = Verdict::refuted;
                    if (level(then) < level(now)) result.falling = Verdict::refuted;
                }
            });
            for (const std::uint32_t part : touched) went[part].clear();
            touched.clear();
        }
    }

    // By sample: the first of the family that held.
    std::vector<std::optional<Fluent>> held_in_samples(const Family& family) const {
        std::vector<bool> member(program_.fluents.size(), false);
        for (const Fluent fluent : family.members) member[ground::index(fluent)] = true;
        std::vector<std::optional<Fluent>> held;
        for (const Sample& sample : samples_.all()) {
            held.emplace_back();
            if (out_of_time()) continue;
            sample.state.for_each([&](Fluent fluent) {
                if (!held.back() && member[ground::index(fluent)]) held.back() = fluent;
            });
        }
        return held;
    }

    // Neither moves, goals nor other fluents depend on the family.
    bool only_ends(const Family& family) {
        if (users_.empty()) find_users();
        std::vector<bool> depends(program_.atom_count());
        std::vector<std::uint32_t> open;
        const auto add = [&](std::uint32_t atom) {
            if (!depends[atom]) open.push_back(atom);
            depends[atom] = true;
        };
        for (const Fluent fluent : family.members) add(ground::index(fluent));
        while (!open.empty()) {
            if (out_of_time()) return false;
            const std::uint32_t atom = open.back();
            open.pop_back();
            for (const std::uint32_t user : users_[atom]) add(user);
        }
        const auto free = [&](Atom atom) { return atom == Atom::none || !depends[ground::index(atom)]; };
        for (std::uint32_t i = 0; i < program_.fluents.size(); ++i) {
            if (!std::ranges::binary_search(family.members, Fluent{i}) && !free(program_.next[i])) return false;
        }
        if (!std::ranges::all_of(program_.legal, free)) return false;
        return std::ranges::all_of(program_.goals, [&](const ground::GoalEntry& goal) { return free(goal.atom); });
    }

    void find_users() {
        users_.resize(program_.atom_count());
        for (std::size_t rule = 0; rule < program_.rule_count(); ++rule) {
            for (const ground::Condition condition : program_.body(rule)) {
                users_[ground::index(condition.atom())].push_back(ground::index(program_.head(rule)));
            }
        }
    }

    // Each value stands for one role, which is the only one that has a choice while it holds.
    bool is_control(Structure& result, const Family& family) const {
        constexpr std::uint32_t nobody = 0xFFFFFFFFU;
        if (family.members.size() < 2) return false;
        std::vector<std::uint32_t> chooser;
        for (const Fluent fluent : family.members) {
            std::uint32_t role = nobody;
            for (std::size_t i = 0; i < samples_.size(); ++i) {
                if (!samples_.holding(fluent).has(i)) continue;
                const std::vector<std::uint32_t>& legal = samples_.all()[i].legal;
                for (std::uint32_t one = 0; one < legal.size(); ++one) {
                    if (legal[one] < 2) continue;
                    if (role != nobody && role != one) return false;
                    role = one;
                }
            }
            if (role == nobody || std::ranges::find(chooser, role) != chooser.end()) return false;
            chooser.push_back(role);
        }
        result.chooser = std::move(chooser);
        return true;
    }

    const RuleIndex& index_;
    const ground::Program& program_;
    std::span<const Family> families_;
    const Samples& samples_;
    std::span<const Group> groups_;
    std::span<const Order> orders_;
    const ArgumentOrders& argument_orders_;
    const FluentGraph& graph_;
    const machine::Stop& stop_;
    mutable std::uint32_t looks_ = 0;                   // at the clock
    std::vector<std::vector<const Group*>> groups_of_;  // by fluent: proved ones
    std::vector<std::vector<std::uint32_t>> users_;     // by atom: heads of the rules it is a condition of
};

}  // namespace

std::string_view to_string(Structure::Kind kind) {
    switch (kind) {
        case Structure::Kind::proposition:
            return "proposition";
        case Structure::Kind::set:
            return "set";
        case Structure::Kind::singleton:
            return "singleton";
        case Structure::Kind::quantity:
            return "quantity";
        case Structure::Kind::step_counter:
            return "step counter";
        case Structure::Kind::control:
            return "control";
        case Structure::Kind::board:
            return "board";
        case Structure::Kind::places:
            return "places";
        case Structure::Kind::amounts:
            return "amounts";
    }
    return "set";
}

std::vector<Structure> find_structures(const RuleIndex& index, std::span<const Family> families, const Samples& samples,
                                       std::span<const Group> groups, std::span<const Order> orders,
                                       const ArgumentOrders& argument_orders, const FluentGraph& graph,
                                       const machine::Stop& stop) {
    Finder finder(index, families, samples, groups, orders, argument_orders, graph, stop);
    std::vector<Structure> structures;
    for (std::size_t i = 0; i < families.size(); ++i) structures.push_back(finder.find(i));
    return structures;
}

}  // namespace stratagem::analysis
