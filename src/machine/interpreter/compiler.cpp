#include "machine/interpreter/compiler.h"

#include <algorithm>
#include <utility>

#include "machine/limits.h"
#include "util/contract.h"

namespace stratagem::machine::interpreter {

using gdl::Term;

namespace {

class ClauseCompiler {
  public:
    ClauseCompiler(const CallPattern& pattern, const Clause& clause, Rulebook& rulebook, const gdl::TermPool& terms,
                   Orderer& orderer, Patterns& patterns)
        : pattern_(pattern),
          clause_(clause),
          rulebook_(rulebook),
          terms_(terms),
          orderer_(orderer),
          patterns_(patterns),
          variables_(terms, clause),
          bound_(variables_.none()),
          binder_(variables_.count(), none) {}

    Code run() {
        head();
        VariableSet needed = variables_.none();
        for (std::size_t i = 0; i < clause_.arguments.size(); ++i) {
            if (pattern_.columns[i] == ColumnUse::wanted) variables_.add_term(clause_.arguments[i], needed);
        }
        conjunction(pointers(clause_.body), needed);
        answer();
        code_.frame_size = static_cast<std::uint32_t>(binder_.size());
        return std::move(code_);
    }

  private:
    static constexpr std::int32_t none = -1;
    static constexpr std::size_t max_instructions = 1'000'000;  // distributing can multiply

    // A function term found in a column, still to be taken apart.
    struct Nested {
        std::uint32_t slot;
        Term pattern;
    };

    static std::vector<const Goal*> pointers(const std::vector<Goal>& goals) {
        std::vector<const Goal*> result;
        for (const Goal& goal : goals) result.push_back(&goal);
        return result;
    }

    std::int32_t here() const { return static_cast<std::int32_t>(code_.instructions.size()); }
    std::uint32_t place() const { return static_cast<std::uint32_t>(code_.instructions.size()); }

    Instruction& add(Op op) {
        orderer_.tick(variables_.count() + 1);
        if (code_.instructions.size() >= max_instructions) {
            throw LimitExceeded("a rule with too many alternatives for " + rulebook_[clause_.head].name);
        }
        Instruction instruction;
        instruction.op = op;
        instruction.negative = negations_ > 0;
        instruction.negative_twice = negations_ > 1;
        instruction.culprit = floor_;
        instruction.first_operand = static_cast<std::uint32_t>(code_.operands.size());
        instruction.first_action = static_cast<std::uint32_t>(code_.actions.size());
        code_.instructions.push_back(instruction);
        return code_.instructions.back();
    }

    void add_operands(Instruction& instruction, const std::vector<Operand>& operands) {
        instruction.operand_count = static_cast<std::uint32_t>(operands.size());
        code_.operands.insert(code_.operands.end(), operands.begin(), operands.end());
        for (const Operand& operand : operands) blame(instruction, operand);
    }

    void blame(Instruction& instruction, const Operand& operand) const {
        if (!operand.is_constant()) instruction.culprit = std::max(instruction.culprit, binder_[operand.number()]);
    }

    void add_actions(Instruction& instruction, const std::vector<Action>& actions) {
        instruction.action_count = static_cast<std::uint32_t>(actions.size());
        code_.actions.insert(code_.actions.end(), actions.begin(), actions.end());
    }

    std::uint32_t new_slot(std::int32_t bound_by) {
        binder_.push_back(bound_by);
        return static_cast<std::uint32_t>(binder_.size() - 1);
    }

    // What to do with column `column` holding `pattern`; variables met for the first time are bound from now on.
    void match(std::uint32_t column, Term pattern, std::int32_t by, std::vector<Action>& actions,
               std::vector<Nested>& nested) {
        if (terms_.is_ground(pattern)) {
            actions.push_back({column, false, Operand::constant(pattern)});
        } else if (terms_.is_variable(pattern)) {
            const std::uint32_t slot = variables_.number(pattern);
            actions.push_back({column, !bound_[slot], Operand::slot(slot)});
            if (!bound_[slot]) binder_[slot] = by;
            bound_[slot] = true;
        } else {
            const std::uint32_t slot = new_slot(by);
            actions.push_back({column, true, Operand::slot(slot)});
            nested.push_back({slot, pattern});
        }
    }

    void open(std::vector<Nested> nested) {
        while (!nested.empty()) {
            const Nested next = nested.back();
            nested.pop_back();
            std::vector<Action> actions;
            std::int32_t blamed = binder_[next.slot];
            for (std::uint32_t i = 0; i < terms_.arity(next.pattern); ++i) {
                const Term part = terms_.argument(next.pattern, i);
                if (terms_.is_variable(part) && bound_[variables_.number(part)]) {
                    blamed = std::max(blamed, binder_[variables_.number(part)]);
                }
                match(i, part, binder_[next.slot], actions, nested);
            }
            Instruction& instruction = add(Op::open);
            instruction.target = gdl::index(terms_.symbol(next.pattern));
            instruction.extra = terms_.arity(next.pattern);
            add_operands(instruction, {Operand::slot(next.slot)});
            instruction.culprit = std::max(instruction.culprit, blamed);
            add_actions(instruction, actions);
        }
    }

    // Pre: every variable of the pattern is bound.
    Operand value(Term pattern) {
        STRATAGEM_EXPECTS(variables_.all_in(pattern, bound_));
        if (terms_.is_ground(pattern)) return Operand::constant(pattern);
        if (terms_.is_variable(pattern)) return Operand::slot(variables_.number(pattern));
        std::vector<Operand> parts;
        for (std::uint32_t i = 0; i < terms_.arity(pattern); ++i) parts.push_back(value(terms_.argument(pattern, i)));
        Instruction& instruction = add(Op::build);
        add_operands(instruction, parts);
        instruction.target = gdl::index(terms_.symbol(pattern));
        const std::uint32_t slot = new_slot(instruction.culprit);
        instruction.extra = slot;
        return Operand::slot(slot);
    }

    void head() {
        std::vector<Action> actions;
        std::vector<Nested> nested;
        std::uint32_t column = 0;
        for (std::size_t i = 0; i < clause_.arguments.size(); ++i) {
            if (pattern_.columns[i] != ColumnUse::given) continue;
            match(column++, clause_.arguments[i], none, actions, nested);
        }
        add_actions(add(Op::enter), actions);
        open(std::move(nested));
    }

    void answer() {
        std::vector<Operand> operands;
        for (std::size_t i = 0; i < clause_.arguments.size(); ++i) {
            if (pattern_.columns[i] != ColumnUse::wanted) continue;
            if (!variables_.all_in(clause_.arguments[i], bound_)) {
                add(Op::unsafe);
                return;
            }
            operands.push_back(value(clause_.arguments[i]));
        }
        add_operands(add(Op::emit), operands);
    }

    // The goals of a conjunction on their way to the orderer, which sees the first few hundred at a time: what it does
    // grows with the square of their number, and a rule may have any number of them.
    class Queue {
      public:
        Queue(const Variables& variables, std::vector<const Goal*> goals, const VariableSet& needed_after)
            : seen(std::move(goals)), needed(needed_after), variables_(variables), needed_after_(needed_after) {
            if (seen.size() <= window) return;
            behind_.assign(seen.begin() + window, seen.end());
            seen.resize(window);
            std::ranges::reverse(behind_);
            uses_.assign(variables.count(), 0);
            for (const Goal* goal : behind_) count(*goal, 1);
        }

        // Lets the orderer see more. False when it sees all.
        bool advance(std::size_t more) {
            if (behind_.empty()) return false;
            for (; more > 0 && !behind_.empty(); --more) {
                seen.push_back(behind_.back());
                count(*behind_.back(), -1);
                behind_.pop_back();
            }
            return true;
        }

        static constexpr std::size_t window = 256;
        std::vector<const Goal*> seen;
        VariableSet needed;  // by what comes after all of this and by goals not yet seen

      private:
        void count(const Goal& goal, int change) {
            variables_.for_each(goal, [&](std::uint32_t variable) {
                uses_[variable] += change;
                needed[variable] = needed_after_[variable] || uses_[variable] > 0;
            });
        }

        const Variables& variables_;
        const VariableSet& needed_after_;
        std::vector<const Goal*> behind_;  // the last comes first
        std::vector<int> uses_;            // by variable: goals behind that have it
    };

    void conjunction(std::vector<const Goal*> goals, const VariableSet& needed_after) {
        Queue queue(variables_, std::move(goals), needed_after);
        std::vector<const Goal*>& remaining = queue.seen;
        while (!remaining.empty()) {
            std::size_t next = orderer_.pick(variables_, remaining, bound_, queue.needed);
            if (next == Orderer::stuck) {
                if (queue.advance(remaining.size())) continue;
                next = 0;
                const auto either = std::ranges::find_if(
                    remaining, [](const Goal* goal) { return goal->kind == Goal::Kind::disjunction; });
                if (either != remaining.end()) return distribute(**either, remaining, needed_after);
            }
            const Goal& goal = *remaining[next];
            remaining.erase(remaining.begin() + static_cast<std::ptrdiff_t>(next));
            VariableSet needed = queue.needed;
            if (variables_.count() > 0) {
                for (const Goal* other : remaining) variables_.add_goal(*other, needed);
            }
            emit(goal, needed);
            if (remaining.size() < Queue::window) queue.advance(1);
            if (!remaining.empty()) commit(needed);
        }
    }

    // The branches bind different variables that the other goals need: A and (B or C) = (A and B) or (A and C).
    void distribute(const Goal& either, const std::vector<const Goal*>& remaining, const VariableSet& needed_after) {
        Goal whole;
        whole.kind = Goal::Kind::disjunction;
        for (const std::vector<Goal>& branch : either.branches) {
            std::vector<Goal>& joined = whole.branches.emplace_back(branch);
            for (const Goal* goal : remaining) {
                if (goal != &either) joined.push_back(*goal);
            }
        }
        disjunction(whole, needed_after);
    }

    // Forgets choices whose variables nobody will look at again: going back to them would repeat what follows.
    void commit(const VariableSet& needed) {
        std::int32_t live = floor_;
        for (std::size_t v = 0; v < needed.size(); ++v) {
            if (needed[v] && bound_[v]) live = std::max(live, binder_[v]);
        }
        if (last_choice_ <= live) return;
        add(Op::commit).culprit = live;
        last_choice_ = live;
    }

    void emit(const Goal& goal, const VariableSet& needed) {
        switch (goal.kind) {
            case Goal::Kind::call:
                return call(goal, needed);
            case Goal::Kind::distinct:
                return compare(goal, Op::distinct);
            case Goal::Kind::negation:
                return negation(goal);
            case Goal::Kind::disjunction:
                return disjunction(goal, needed);
        }
    }

    void compare(const Goal& goal, Op op) {
        const Term left = goal.arguments[0];
        const Term right = goal.arguments[1];
        if (!variables_.all_in(left, bound_) || !variables_.all_in(right, bound_)) {
            // Unsafe. A variable without a value differs from everything but itself.
            if ((left == right) == (op == Op::distinct)) add(Op::fail);
            return;
        }
        const std::vector<Operand> operands{value(left), value(right)};
        add_operands(add(op), operands);
    }

    void call(const Goal& goal, const VariableSet& needed) {
        std::vector<ColumnUse> uses;
        std::vector<Operand> key;
        for (const Term argument : goal.arguments) {
            if (variables_.all_in(argument, bound_)) {
                uses.push_back(ColumnUse::given);
                key.push_back(value(argument));
            } else {
                uses.push_back(is_of_no_interest(argument, goal, needed) ? ColumnUse::any : ColumnUse::wanted);
            }
        }
        const bool stored = rulebook_[goal.predicate].stored;
        std::vector<Action> actions;
        std::vector<Nested> nested;
        std::uint32_t column = 0;
        for (std::uint32_t i = 0; i < uses.size(); ++i) {
            if (uses[i] != ColumnUse::wanted) continue;
            match(stored ? i : column++, goal.arguments[i], here(), actions, nested);
        }
        const bool test = std::ranges::find(uses, ColumnUse::wanted) == uses.end();
        if (!test) last_choice_ = here();
        look_up(goal.predicate, uses, key, stored ? (test ? Op::test : Op::scan) : (test ? Op::call_test : Op::call));
        add_actions(code_.instructions.back(), actions);
        open(std::move(nested));
    }

    bool is_of_no_interest(Term argument, const Goal& goal, const VariableSet& needed) const {
        if (!terms_.is_variable(argument)) return false;
        const std::uint32_t variable = variables_.number(argument);
        return !needed[variable] && variables_.occurrences(variable, goal.arguments) == 1;
    }

    void look_up(Predicate predicate, const std::vector<ColumnUse>& uses, const std::vector<Operand>& key, Op op) {
        Instruction& instruction = add(op);
        add_operands(instruction, key);
        const PredicateInfo& info = rulebook_[predicate];
        if (!info.stored) {
            instruction.target = patterns_.find_or_add(predicate, uses);
            return;
        }
        std::vector<std::uint32_t> columns;
        for (std::uint32_t i = 0; i < uses.size(); ++i) {
            if (uses[i] == ColumnUse::given) columns.push_back(i);
        }
        instruction.target = info.relation;
        instruction.extra = rulebook_.relation(info.relation).index_on(columns);
    }

    void negation(const Goal& goal) {
        const std::vector<Goal>& body = goal.branches.front();
        if (body.size() == 1 && body.front().kind == Goal::Kind::distinct) return compare(body.front(), Op::same);
        if (body.size() == 1 && body.front().kind == Goal::Kind::call && negated_call(body.front())) return;
        // The general case: try to prove the body, and fail when that succeeds.
        const std::int32_t start = here();
        std::int32_t blamed = floor_;
        VariableSet inside = variables_.none();
        variables_.add_goals(body, inside);
        for (std::size_t v = 0; v < inside.size(); ++v) {
            if (inside[v] && bound_[v]) blamed = std::max(blamed, binder_[v]);
        }
        add(Op::unless);
        const VariableSet bound_before = bound_;
        const std::int32_t choice_before = last_choice_;
        const std::int32_t floor_before = std::exchange(floor_, start);
        ++negations_;
        conjunction(pointers(body), variables_.none());
        --negations_;
        bound_ = bound_before;
        last_choice_ = choice_before;
        floor_ = floor_before;
        Instruction& end = add(Op::proved);
        end.target = static_cast<std::uint32_t>(start);
        end.culprit = blamed;
        code_.instructions[static_cast<std::size_t>(start)].target = place();
    }

    // False when the call cannot be answered by a single look-up.
    bool negated_call(const Goal& goal) {
        std::vector<ColumnUse> uses;
        for (const Term argument : goal.arguments) {
            if (variables_.all_in(argument, bound_)) {
                uses.push_back(ColumnUse::given);
            } else if (is_of_no_interest(argument, goal, variables_.none())) {
                uses.push_back(ColumnUse::any);
            } else {
                return false;
            }
        }
        std::vector<Operand> key;
        for (std::size_t i = 0; i < uses.size(); ++i) {
            if (uses[i] == ColumnUse::given) key.push_back(value(goal.arguments[i]));
        }
        ++negations_;
        look_up(goal.predicate, uses, key, rulebook_[goal.predicate].stored ? Op::test_not : Op::call_not);
        --negations_;
        return true;
    }

    void disjunction(const Goal& goal, const VariableSet& needed) {
        const std::int32_t start = here();
        Instruction& either = add(Op::either);
        either.target = static_cast<std::uint32_t>(code_.branches.size());
        either.extra = static_cast<std::uint32_t>(goal.branches.size());
        const std::size_t first_branch = code_.branches.size();
        code_.branches.resize(first_branch + goal.branches.size());
        const VariableSet bound_before = bound_;
        VariableSet bound_after(variables_.count(), true);
        const std::int32_t floor_before = std::exchange(floor_, start);
        std::vector<std::uint32_t> jumps;
        for (std::size_t i = 0; i < goal.branches.size(); ++i) {
            code_.branches[first_branch + i] = place();
            bound_ = bound_before;
            conjunction(pointers(goal.branches[i]), needed);
            for (std::size_t v = 0; v < bound_.size(); ++v) bound_after[v] = bound_after[v] && bound_[v];
            jumps.push_back(place());
            add(Op::jump);
        }
        floor_ = floor_before;
        for (const std::uint32_t jump : jumps) code_.instructions[jump].target = place();
        bound_ = goal.branches.empty() ? bound_before : bound_after;
        // Any choice inside the branches can change what they bind.
        for (std::size_t v = 0; v < bound_.size(); ++v) {
            if (bound_[v] && !bound_before[v]) binder_[v] = here() - 1;
        }
        last_choice_ = here() - 1;
    }

    const CallPattern& pattern_;
    const Clause& clause_;
    Rulebook& rulebook_;
    const gdl::TermPool& terms_;
    Orderer& orderer_;
    Patterns& patterns_;
    Variables variables_;
    Code code_;
    VariableSet bound_;
    std::vector<std::int32_t> binder_;  // by slot: the last instruction whose other choices can change its value
    std::int32_t floor_ = none;         // the innermost either or unless around: never skipped when failing
    std::int32_t last_choice_ = none;
    int negations_ = 0;  // around the goal being compiled
};

}  // namespace

void compile(CallPattern& pattern, Rulebook& rulebook, const gdl::TermPool& terms, Orderer& orderer,
             Patterns& patterns) {
    // A copy: compiling never adds clauses, but it keeps this independent of how the rulebook stores them.
    const std::vector<std::uint32_t> clauses = rulebook[pattern.predicate].clauses;
    for (const std::uint32_t number : clauses) {
        pattern.clauses.push_back(
            ClauseCompiler(pattern, rulebook.clause(number), rulebook, terms, orderer, patterns).run());
    }
    pattern.compiled = true;
}

}  // namespace stratagem::machine::interpreter
