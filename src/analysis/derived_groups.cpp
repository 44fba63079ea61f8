#include "analysis/derived_groups.h"

#include <algorithm>
#include <map>

#include "analysis/state_values.h"

namespace stratagem::analysis {

namespace {

constexpr std::size_t most_states = 250;
constexpr std::size_t fewest_states = 20;
constexpr std::size_t most_work = 20'000'000;  // rules times states
constexpr std::size_t most_efforts = 3;        // questions that may use up all conflicts they are given
constexpr std::size_t most_atoms = 50'000;
constexpr std::uint32_t most_arguments = 6;

struct Derived {
    std::vector<Atom> atoms;
    bool at_least_one = false;
};

// Relations whose atoms agree in all arguments but one.
class Finder {
  public:
    Finder(const RuleIndex& index, const Samples& samples, const machine::Stop& stop)
        : program_(index.program()), values_(index) {
        find_relevant(index);
        see(samples, stop);
    }

    // In the order in which they depend on each other.
    std::vector<Derived> find() {
        struct Key {
            gdl::Symbol name;
            std::uint32_t output;
            std::vector<gdl::Term> inputs;
            auto operator<=>(const Key&) const = default;
        };
        std::map<Key, std::vector<std::size_t>> parts;  // places in relevant_
        for (std::size_t i = 0; i < relevant_.size(); ++i) {
            const gdl::Term term = program_.derived[ground::index(relevant_[i]) - program_.first_derived()];
            const std::uint32_t arity = program_.terms.arity(term);
            if (arity == 0 || arity > most_arguments) continue;
            for (std::uint32_t output = 0; output < arity; ++output) {
                Key key{program_.terms.symbol(term), output, {}};
                for (std::uint32_t argument = 0; argument < arity; ++argument) {
                    if (argument != output) key.inputs.push_back(program_.terms.argument(term, argument));
                }
                parts[std::move(key)].push_back(i);
            }
        }
        std::vector<std::pair<std::size_t, Derived>> found;
        for (const auto& [key, places] : parts) {
            if (places.size() < 2) continue;
            if (auto group = judge(places)) found.emplace_back(places.back(), std::move(*group));
        }
        std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
        std::vector<Derived> result;
        for (auto& [last, group] : found) result.push_back(std::move(group));
        return result;
    }

  private:
    // What goals and the end depend on, of what does not depend on moves; in the order of StateValues.
    void find_relevant(const RuleIndex& index) {
        std::vector<bool> wanted(program_.atom_count());
        std::vector<Atom> stack;
        const auto want = [&](Atom atom) {
            if (atom == Atom::none || wanted[ground::index(atom)]) return;
            wanted[ground::index(atom)] = true;
            stack.push_back(atom);
        };
        for (const ground::GoalEntry& goal : program_.goals) want(goal.atom);
        want(program_.terminal);
        while (!stack.empty()) {
            const Atom atom = stack.back();
            stack.pop_back();
            for (const std::uint32_t rule : index.rules(atom)) {
                for (const ground::Condition condition : program_.body(rule)) want(condition.atom());
            }
        }
        for (const Atom atom : values_.order()) {
            if (wanted[ground::index(atom)] && relevant_.size() < most_atoms) relevant_.push_back(atom);
        }
    }

    // As many states as there is work for: each goes through all rules.
    void see(const Samples& samples, const machine::Stop& stop) {
        const std::size_t affordable = most_work / std::max<std::size_t>(1, program_.rule_count());
        states_ = std::min({samples.size(), most_states, std::max(fewest_states, affordable)});
        const std::size_t stride = samples.size() / states_;
        holding_.assign(relevant_.size(), SampleSet(states_));
        everywhere_ = SampleSet(states_);
        for (std::size_t i = 0; i < states_; ++i) {
            if (stop.now()) return relevant_.clear();
            everywhere_.insert(i);
            const std::vector<bool>& values = values_.of(samples.all()[i * stride].state);
            for (std::size_t k = 0; k < relevant_.size(); ++k) {
                if (values[ground::index(relevant_[k])]) holding_[k].insert(i);
            }
        }
    }

    std::optional<Derived> judge(const std::vector<std::size_t>& places) const {
        Derived group;
        SampleSet where(states_);
        for (const std::size_t place : places) {
            if (where.meets(holding_[place])) return {};
            where.add(holding_[place]);
            group.atoms.push_back(relevant_[place]);
        }
        group.at_least_one = where == everywhere_;
        // What is hardly ever so says little.
        if (!group.at_least_one && where.empty()) return {};
        return group;
    }

    const ground::Program& program_;
    StateValues values_;
    std::vector<Atom> relevant_;
    std::vector<SampleSet> holding_;  // by place in relevant_
    SampleSet everywhere_;
    std::size_t states_ = 0;
};

}  // namespace

std::size_t prove_derived_groups(Transition& transition, const Samples& samples, std::span<const Group> groups,
                                 const ProofLimits& limits) {
    // States by themselves: what is proved here may not rest on there being a step.
    Clauses clauses;
    clauses.draw_on(limits.allowance);
    Frame frame(transition.index(), clauses);
    std::vector<Literal> literals;
    for (const Group& group : groups) {
        if (group.verdict != Verdict::proved) continue;
        if (limits.stop.now()) return 0;
        literals.clear();
        for (const Fluent fluent : group.fluents) literals.push_back(frame.fluent(fluent));
        clauses.at_most_one(literals);
        if (group.at_least_one) clauses.add(literals);
    }
    std::size_t proved = 0;
    if (limits.over()) return proved;
    std::size_t left = most_efforts * limits.conflicts;  // conflicts of questions that come to nothing
    for (const Derived& group : Finder(transition.index(), samples, limits.stop).find()) {
        if (limits.over() || left == 0) break;
        literals.clear();
        for (const Atom atom : group.atoms) literals.push_back(frame.literal(atom));
        const Literal wrong = clauses.not_exactly_one(literals, group.at_least_one);
        // That there is always one is hardly ever chance, and worth an effort.
        const std::uint32_t effort = group.at_least_one ? limits.conflicts : limits.conflicts / 50;
        const Answer answer = clauses.solve({wrong}, effort, limits.stop);
        if (answer == Answer::unknown) left -= std::min<std::size_t>(left, effort);
        if (answer != Answer::unsatisfiable) continue;
        ++proved;
        clauses.at_most_one(literals);
        if (group.at_least_one) clauses.add(literals);
        for (Frame* other : {&transition.before(), &transition.after()}) {
            literals.clear();
            for (const Atom atom : group.atoms) literals.push_back(other->literal(atom));
            transition.clauses().at_most_one(literals);
            if (group.at_least_one) transition.clauses().add(literals);
        }
    }
    return proved;
}

}  // namespace stratagem::analysis
