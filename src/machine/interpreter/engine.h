// Evaluation on demand with tabling.
//
// A call is answered from its table; a call asked for the first time runs the code of its clauses, depth first, and
// fills the table. This is the SLG idea (Chen and Warren, "Tabled evaluation with delaying for general logic programs",
// 1996) made simple by three facts about game rules:
//   - the strata are those of the predicates, so a call into another component of the dependency graph never comes back
//     to its caller: it is run to its end before the caller goes on, and a negation just looks whether its table is
//     empty;
//   - a call inside its own component (recursion) never descends: the caller is suspended as a copy of its small frame,
//     and continues once for each answer that arrives. The component is complete when nothing is left to do (least
//     fixpoint, semi-naive: no pair of caller and answer is met twice);
//   - bindings need no undoing (code.h).
// Some descriptions are stratified only atom by atom: (<= (goal ?r 0) (not (goal ?r 100))). A negation inside its own
// component therefore runs the call it negates as a component of its own. Where that comes back to a table still under
// way, calls are too coarse to tell whether any atom depends on its own negation (a call stands for many atoms, and
// one that only waits for its turn is under way too). From then on that component is evaluated by the alternating
// fixpoint (Van Gelder 1993): its rules are run again and again without asking for negations, which are answered from
// the round before. Rounds give by turns too much (starting from nothing) and too little; where the two meet, that is
// the perfect model. Where they do not, some atom really depends on its own negation, and the rules are refused.
// All stacks are explicit, so the depth of rules and recursion is bounded by memory limits only.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "machine/interpreter/orderer.h"
#include "machine/interpreter/patterns.h"
#include "machine/interpreter/tables.h"
#include "machine/limits.h"

namespace stratagem::machine::interpreter {

class Engine {
  public:
    Engine(Rulebook& rulebook, gdl::TermPool& terms, Limits limits);

    void set_limits(const Limits& limits) { limits_ = limits; }
    const Limits& limits() const { return limits_; }

    std::uint32_t pattern(Predicate predicate, const std::vector<ColumnUse>& columns) {
        return patterns_.find_or_add(predicate, columns);
    }

    // Forgets what depends on the state (and the move), or on the move only.
    void state_changed();
    void move_changed();

    // Number of answers to a call. They stay readable through for_each_answer until something changes.
    // Throws LimitExceeded, after which everything derived is forgotten and the engine can be used again.
    std::uint32_t solve(std::uint32_t pattern, std::span<const gdl::Term> key);

    // visit(const Term* values), for the call solved last.
    template <typename Visitor>
    void for_each_answer(Visitor&& visit) {
        Tables& tables = *solved_tables_;
        for (std::uint32_t answer = tables[solved_].first; answer != Relation::none; answer = tables.next(answer)) {
            visit(tables.values(answer));
        }
    }

  private:
    // A choice that can still be changed: the instruction that made it and what it would try next.
    struct Choice {
        std::int32_t place;
        std::uint32_t next;
    };
    // A piece of code being run for a table, or the leader of a component waiting for the work in it to end.
    struct Activation {
        enum class Kind : std::uint8_t { clauses, resumed, leader };
        Kind kind = Kind::clauses;
        std::uint32_t pattern = 0;
        std::uint32_t table = 0;
        std::uint32_t clause = 0;  // next to be tried
        std::uint32_t place = 0;   // where to go on when what was called is complete
        std::uint32_t frame = 0;
        std::uint32_t choices = 0;  // below these belong to others
        const Code* code = nullptr;
        // Of a leader: where its shares of the stacks below begin.
        std::uint32_t events = 0;
        std::uint32_t consumers = 0;
        std::uint32_t consumer_values = 0;
        std::uint32_t members = 0;
        // Of a leader whose component alternates: rounds ended, and tables known when this one began.
        std::uint32_t round = 0;
        std::uint32_t known = 0;
    };
    // A table under way in a component and, in one that alternates, what the last two rounds found for it.
    struct Member {
        std::uint32_t pattern = 0;
        std::uint32_t table = 0;
        std::uint32_t guess = Relation::none;  // first answer of the round before
        std::uint32_t guessed = 0;             // answers in the round before
        std::uint32_t guessed_before = 0;      // in the round before that one
    };
    // Thrown and caught inside the engine: this component must alternate.
    struct MustAlternate {
        std::uint32_t component;
    };
    // A caller in the same component, waiting for more answers of a table.
    struct Consumer {
        const Code* code;
        std::uint32_t place;  // of the call
        std::uint32_t pattern;
        std::uint32_t table;  // that the caller works for
        std::uint32_t values;
        std::uint32_t next;
    };
    // Something to do in a component: run a table's clauses (no consumer), or hand an answer to a consumer.
    struct Event {
        std::uint32_t consumer;
        std::uint32_t answer_or_table;
        std::uint32_t pattern;
    };
    // What the main loop does next: run instructions, go back to the last choice, start the next clause of the top
    // activation, or go on with the activation below one that has ended.
    enum class Step : std::uint8_t { run, fail, next_clause, returned };

    Tables& tables_of(const CallPattern& pattern) { return tables_[static_cast<std::size_t>(pattern.level)]; }
    void start(std::uint32_t pattern, std::uint32_t table);
    Step execute();
    Step retry();
    Step fail_to(std::int32_t culprit);
    Step next_clause();
    Step go_on();
    Step next_event();
    Step enter(std::uint32_t pattern, std::uint32_t table);
    Step call(const Instruction& instruction);
    Step suspend(std::uint32_t pattern, std::uint32_t table_number);
    void compile_once(CallPattern& pattern);
    void join_component(std::uint32_t pattern, std::uint32_t table);
    Step answer(const Instruction& instruction, std::uint32_t first, std::uint32_t count);
    Step answer_by_guess(const Instruction& instruction, std::uint32_t table_number);
    bool alternates(std::uint32_t component) const {
        return component < alternates_.size() && alternates_[component] != 0;
    }
    bool next_round();
    [[noreturn]] void not_stratified(const CallPattern& pattern) const;
    // The leader of the component that the top activation works in.
    std::uint32_t leader() const { return static_cast<std::uint32_t>(activations_.size() - 2); }
    Step emit(const Instruction& instruction);
    Step leave();
    void add_activation(Activation::Kind kind, std::uint32_t pattern, std::uint32_t table);
    void use_frame(const Code& code);
    void forget_choices(std::int32_t after);
    std::span<const gdl::Term> gather(const Instruction& instruction);
    bool apply(const Instruction& instruction, const gdl::Term* row);
    void remember_choice(std::uint32_t next, bool retrying);
    bool scan_from(const Instruction& instruction, std::uint32_t row, bool retrying);
    bool answer_from(const Instruction& instruction, std::uint32_t answer, bool retrying);
    bool open(const Instruction& instruction);
    void build(const Instruction& instruction);
    // Counts one more step of any loop; looks at the clock after so many.
    void tick() {
        constexpr std::uint32_t ticks_between_looks_at_the_clock = 4096;
        if (++ticks_ % ticks_between_looks_at_the_clock == 0) look_at_the_clock();
    }
    void look_at_the_clock() const;
    void check_size(const Tables& tables, std::uint32_t pattern) const;
    [[noreturn]] void exceeded(const std::string& what, std::uint32_t pattern) const;
    void forget_everything();

    Rulebook& rulebook_;
    gdl::TermPool& terms_;
    Limits limits_;
    Patterns patterns_;
    Orderer orderer_;
    std::array<Tables, level_count> tables_;
    std::vector<std::uint16_t> depths_;     // of terms, by index
    std::vector<std::uint8_t> alternates_;  // by component; empty while none does

    // The running computation. The registers of the top activation:
    const Code* code_ = nullptr;
    std::uint32_t place_ = 0;
    gdl::Term* frame_ = nullptr;
    std::uint32_t choice_base_ = 0;
    std::vector<Activation> activations_;
    std::vector<Choice> choices_;
    std::vector<gdl::Term> frames_;
    std::vector<Consumer> consumers_;
    std::vector<gdl::Term> consumer_values_;
    std::vector<Event> events_;
    std::vector<Member> members_;
    std::vector<gdl::Term> scratch_;
    std::uint32_t ticks_ = 0;
    Deadline deadline_;  // of the question under way
    std::size_t terms_at_start_ = 0;

    Tables* solved_tables_ = nullptr;
    std::uint32_t solved_ = 0;
};

}  // namespace stratagem::machine::interpreter
