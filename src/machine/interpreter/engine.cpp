#include "machine/interpreter/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "machine/interpreter/compiler.h"

namespace stratagem::machine::interpreter {

using gdl::Term;

Engine::Engine(Rulebook& rulebook, gdl::TermPool& terms, Limits limits)
    : rulebook_(rulebook), terms_(terms), limits_(limits), patterns_(rulebook), orderer_(rulebook, terms) {}

void Engine::state_changed() {
    tables_[static_cast<std::size_t>(Level::state)].clear();
    move_changed();
}

void Engine::move_changed() { tables_[static_cast<std::size_t>(Level::move)].clear(); }

void Engine::forget_everything() {
    for (Tables& tables : tables_) tables.clear();
}

std::uint32_t Engine::solve(std::uint32_t pattern, std::span<const Term> key) {
    // What is true of all states is worth keeping, but a game that counts for ever asks for ever more of it.
    Tables& fixed = tables_[static_cast<std::size_t>(Level::fixed)];
    if (fixed.size() > limits_.max_facts / 2) fixed.clear();
    Tables& tables = tables_of(patterns_[pattern]);
    for (;;) {
        const std::uint32_t table = tables.find_or_add(pattern, key);
        solved_tables_ = &tables;
        solved_ = table;
        if (tables[table].status == Table::Status::complete) return tables[table].count;
        try {
            start(pattern, table);
        } catch (const MustAlternate& found) {
            forget_everything();
            if (alternates_.size() <= found.component) alternates_.resize(found.component + 1, 0);
            alternates_[found.component] = 1;
        } catch (...) {
            forget_everything();
            throw;
        }
    }
}

void Engine::start(std::uint32_t pattern, std::uint32_t table) {
    activations_.clear();
    choices_.clear();
    consumers_.clear();
    consumer_values_.clear();
    events_.clear();
    members_.clear();
    terms_at_start_ = terms_.size();
    deadline_ =
        Deadline::earlier(limits_.deadline, Deadline::after(std::chrono::duration<double>(limits_.question_seconds)));
    look_at_the_clock();
    Step step = enter(pattern, table);
    for (;;) {
        switch (step) {
            case Step::run:
                step = execute();
                break;
            case Step::fail:
                step = retry();
                break;
            case Step::next_clause:
                step = next_clause();
                break;
            case Step::returned:
                if (activations_.empty()) return;
                step = go_on();
                break;
        }
    }
}

// ---- activations

void Engine::add_activation(Activation::Kind kind, std::uint32_t pattern, std::uint32_t table) {
    Activation activation;
    activation.kind = kind;
    activation.pattern = pattern;
    activation.table = table;
    if (!activations_.empty()) {
        const Activation& below = activations_.back();
        activation.frame = below.frame + (below.code != nullptr ? below.code->frame_size : 0);
    }
    activation.choices = static_cast<std::uint32_t>(choices_.size());
    choice_base_ = activation.choices;
    activations_.push_back(activation);
}

Engine::Step Engine::enter(std::uint32_t pattern, std::uint32_t table) {
    tick();
    CallPattern& callee = patterns_[pattern];
    compile_once(callee);
    Tables& tables = tables_of(callee);
    check_size(tables, pattern);
    if (!callee.recursive) {
        tables[table].status = Table::Status::running;
        add_activation(Activation::Kind::clauses, pattern, table);
        return Step::next_clause;
    }
    add_activation(Activation::Kind::leader, pattern, table);
    Activation& leader = activations_.back();
    leader.events = static_cast<std::uint32_t>(events_.size());
    leader.consumers = static_cast<std::uint32_t>(consumers_.size());
    leader.consumer_values = static_cast<std::uint32_t>(consumer_values_.size());
    leader.members = static_cast<std::uint32_t>(members_.size());
    join_component(pattern, table);
    return next_event();
}

void Engine::use_frame(const Code& code) {
    Activation& top = activations_.back();
    code_ = top.code = &code;
    if (frames_.size() < std::size_t{top.frame} + code.frame_size) {
        frames_.resize((std::size_t{top.frame} + code.frame_size) * 2);
    }
    frame_ = frames_.data() + top.frame;
}

Engine::Step Engine::next_clause() {
    Activation& top = activations_.back();
    CallPattern& pattern = patterns_[top.pattern];
    if (top.kind == Activation::Kind::clauses && top.clause < pattern.clauses.size()) {
        use_frame(pattern.clauses[top.clause++]);
        place_ = 0;
        return Step::run;
    }
    if (!pattern.recursive) tables_of(pattern)[top.table].status = Table::Status::complete;
    return leave();
}

Engine::Step Engine::leave() {
    choices_.resize(activations_.back().choices);
    activations_.pop_back();
    return Step::returned;
}

// The activation on top called something that is complete now: its call is simply done again.
Engine::Step Engine::go_on() {
    Activation& top = activations_.back();
    choice_base_ = top.choices;
    if (top.kind == Activation::Kind::leader) return next_event();
    use_frame(*top.code);
    place_ = top.place;
    return Step::run;
}

Engine::Step Engine::next_event() {
    const Activation leader = activations_.back();
    while (events_.size() > leader.events || next_round()) {
        const Event event = events_.back();
        events_.pop_back();
        if (event.consumer == Relation::none) {
            add_activation(Activation::Kind::clauses, event.pattern, event.answer_or_table);
            return Step::next_clause;
        }
        tick();
        const Consumer& consumer = consumers_[event.consumer];
        CallPattern& pattern = patterns_[consumer.pattern];
        Tables& tables = tables_of(pattern);
        if (pattern.wanted == 0 && tables[consumer.table].count > 0) continue;
        add_activation(Activation::Kind::resumed, consumer.pattern, consumer.table);
        use_frame(*consumer.code);
        std::copy_n(consumer_values_.data() + consumer.values, code_->frame_size, frame_);
        if (apply(code_->instructions[consumer.place], tables.values(event.answer_or_table))) {
            place_ = consumer.place + 1;
            return Step::run;
        }
        activations_.pop_back();
    }
    for (std::size_t i = leader.members; i < members_.size(); ++i) {
        tables_of(patterns_[members_[i].pattern])[members_[i].table].status = Table::Status::complete;
    }
    members_.resize(leader.members);
    consumers_.resize(leader.consumers);
    consumer_values_.resize(leader.consumer_values);
    return leave();
}

// With the leader of a component on top that has nothing left to do: starts the next round if there has to be one.
bool Engine::next_round() {
    Activation& leader = activations_.back();
    const CallPattern& pattern = patterns_[leader.pattern];
    if (!alternates(pattern.component)) return false;
    Tables& tables = tables_of(pattern);  // of all of the component
    const std::span<Member> members = std::span(members_).subspan(leader.members);
    // What was not asked for in the first round was guessed without any ground in this one.
    const bool again = leader.round > 0 && members.size() > leader.known;
    if (!again && leader.round > 0) {
        const Member* unsettled = nullptr;
        bool changed = false;
        for (const Member& member : members) {
            const std::uint32_t found = tables[member.table].count;
            if (found != member.guessed) unsettled = &member;
            if (found != member.guessed_before) changed = true;
        }
        if (unsettled == nullptr) return false;
        if (!changed) not_stratified(patterns_[unsettled->pattern]);
    }
    leader.round = again ? 0 : leader.round + 1;
    leader.known = static_cast<std::uint32_t>(members.size());
    consumers_.resize(leader.consumers);
    consumer_values_.resize(leader.consumer_values);
    check_size(tables, leader.pattern);
    for (Member& member : members) {
        tick();
        const Table& table = tables[member.table];
        member.guessed_before = again ? 0 : member.guessed;
        member.guessed = again ? 0 : table.count;
        member.guess = again ? Relation::none : table.first;
        tables.start_again(member.table);
        events_.push_back({Relation::none, member.table, member.pattern});
    }
    return true;
}

// ---- going back

void Engine::forget_choices(std::int32_t after) {
    while (choices_.size() > choice_base_ && choices_.back().place > after) choices_.pop_back();
}

Engine::Step Engine::fail_to(std::int32_t culprit) {
    forget_choices(culprit);
    return Step::fail;
}

Engine::Step Engine::retry() {
    tick();
    while (choices_.size() > choice_base_) {
        Choice& choice = choices_.back();
        const auto place = static_cast<std::uint32_t>(choice.place);
        const Instruction& instruction = code_->instructions[place];
        switch (instruction.op) {
            case Op::scan:
                if (!scan_from(instruction, choice.next, true)) continue;
                place_ = place + 1;
                return Step::run;
            case Op::call:
                if (!answer_from(instruction, choice.next, true)) continue;
                place_ = place + 1;
                return Step::run;
            case Op::either:
                place_ = code_->branches[instruction.target + choice.next];
                if (++choice.next == instruction.extra) choices_.pop_back();
                return Step::run;
            default:  // unless: its body could not be proved
                choices_.pop_back();
                place_ = instruction.target;
                return Step::run;
        }
    }
    return Step::next_clause;
}

// ---- instructions

Engine::Step Engine::execute() {
    for (;;) {
        tick();
        const Instruction& instruction = code_->instructions[place_];
        bool success = true;
        switch (instruction.op) {
            case Op::enter: {
                const Activation& top = activations_.back();
                Tables& tables = tables_of(patterns_[top.pattern]);
                success = apply(instruction, tables.key(tables[top.table]));
                break;
            }
            case Op::scan: {
                Relation& relation = rulebook_.relation(instruction.target);
                const std::uint32_t row = relation.first(instruction.extra, gather(instruction).data());
                success = scan_from(instruction, row, false);
                break;
            }
            case Op::test:
            case Op::test_not: {
                Relation& relation = rulebook_.relation(instruction.target);
                const std::uint32_t row = relation.first(instruction.extra, gather(instruction).data());
                success = (row != Relation::none) == (instruction.op == Op::test);
                break;
            }
            case Op::call:
            case Op::call_test:
            case Op::call_not: {
                const Step step = call(instruction);
                if (step != Step::run) return step;
                break;
            }
            case Op::distinct:
            case Op::same: {
                const Operand* operands = code_->operands.data() + instruction.first_operand;
                success = (operands[0].value(frame_) == operands[1].value(frame_)) == (instruction.op == Op::same);
                break;
            }
            case Op::build:
                build(instruction);
                break;
            case Op::open:
                success = open(instruction);
                break;
            case Op::either:
                if (instruction.extra == 0) return fail_to(instruction.culprit);
                if (instruction.extra > 1) choices_.push_back({static_cast<std::int32_t>(place_), 1});
                place_ = code_->branches[instruction.target];
                continue;
            case Op::jump:
                place_ = instruction.target;
                continue;
            case Op::commit:
                forget_choices(instruction.culprit);
                break;
            case Op::unless:
                choices_.push_back({static_cast<std::int32_t>(place_), 0});
                break;
            case Op::proved:
                forget_choices(static_cast<std::int32_t>(instruction.target) - 1);
                success = false;
                break;
            case Op::fail:
                success = false;
                break;
            case Op::unsafe:
                throw InvalidRules(fmt::format("unsafe rule: a variable of {} gets no value",
                                               rulebook_[patterns_[activations_.back().pattern].predicate].name));
            case Op::emit:
                return emit(instruction);
        }
        if (!success) return fail_to(instruction.culprit);
        ++place_;
    }
}

Engine::Step Engine::call(const Instruction& instruction) {
    const CallPattern& callee = patterns_[instruction.target];
    Tables& tables = tables_of(callee);
    const std::uint32_t number = tables.find_or_add(instruction.target, gather(instruction));
    const Table& table = tables[number];
    if (table.status != Table::Status::complete) {
        const CallPattern& caller = patterns_[activations_.back().pattern];
        const bool inside = callee.recursive && callee.component == caller.component;
        const bool by_guess = inside && instruction.negative && alternates(callee.component);
        if (by_guess) return answer_by_guess(instruction, number);
        if (!inside || (instruction.negative && table.status == Table::Status::fresh)) {
            activations_.back().place = place_;
            return enter(instruction.target, number);
        }
        if (instruction.negative) throw MustAlternate{callee.component};
        // A test that has its answer need not wait for more.
        if (callee.wanted > 0 || table.count == 0) return suspend(instruction.target, number);
    }
    return answer(instruction, table.first, table.count);
}

// Goes on with answers that are known, `count` of them.
Engine::Step Engine::answer(const Instruction& instruction, std::uint32_t first, std::uint32_t count) {
    bool success = false;
    switch (instruction.op) {
        case Op::call:
            success = answer_from(instruction, first, false);
            break;
        case Op::call_test:
            success = count > 0;
            break;
        default:
            success = count == 0;
            break;
    }
    return success ? Step::run : fail_to(instruction.culprit);
}

// A call below a negation, in a component that alternates.
Engine::Step Engine::answer_by_guess(const Instruction& instruction, std::uint32_t table_number) {
    const CallPattern& callee = patterns_[instruction.target];
    // Two rounds would be mixed: such a condition grows with what it asks for, and must not be guessed.
    if (instruction.negative_twice) not_stratified(callee);
    const Table& table = tables_of(callee)[table_number];
    if (table.status == Table::Status::fresh) join_component(instruction.target, table_number);
    const Member& member = members_[table.member];
    return answer(instruction, member.guess, member.guessed);
}

void Engine::compile_once(CallPattern& pattern) {
    if (pattern.compiled) return;
    orderer_.set_deadline(deadline_);
    compile(pattern, rulebook_, terms_, orderer_, patterns_);
}

// Makes a table one of those of the leader above whom everything now runs, to be worked on when its turn comes.
void Engine::join_component(std::uint32_t pattern, std::uint32_t table) {
    CallPattern& callee = patterns_[pattern];
    compile_once(callee);
    Tables& tables = tables_of(callee);
    check_size(tables, pattern);
    tables[table].status = Table::Status::running;
    tables[table].member = static_cast<std::uint32_t>(members_.size());
    members_.push_back({pattern, table});
    events_.push_back({Relation::none, table, pattern});
}

Engine::Step Engine::suspend(std::uint32_t pattern, std::uint32_t table_number) {
    const CallPattern& callee = patterns_[pattern];
    Tables& tables = tables_of(callee);
    Table& table = tables[table_number];
    if (table.status == Table::Status::fresh) join_component(pattern, table_number);
    // A table of another leader further down, which waits for this one by way of a negation.
    if (table.member < activations_[leader()].members) throw MustAlternate{callee.component};
    const Activation& top = activations_.back();
    const auto consumer = static_cast<std::uint32_t>(consumers_.size());
    consumers_.push_back(
        {code_, place_, top.pattern, top.table, static_cast<std::uint32_t>(consumer_values_.size()), table.consumers});
    consumer_values_.insert(consumer_values_.end(), frame_, frame_ + code_->frame_size);
    table.consumers = consumer;
    for (std::uint32_t answer = table.first; answer != Relation::none; answer = tables.next(answer)) {
        tick();
        events_.push_back({consumer, answer, 0});
    }
    if (consumers_.size() + events_.size() > limits_.max_facts) {
        exceeded(fmt::format("more than {} facts", limits_.max_facts), pattern);
    }
    return Step::fail;
}

void Engine::not_stratified(const CallPattern& pattern) const {
    throw InvalidRules(
        fmt::format("not stratified: {} depends on its own negation", rulebook_[pattern.predicate].name));
}

Engine::Step Engine::emit(const Instruction& instruction) {
    Activation& top = activations_.back();
    const CallPattern& pattern = patterns_[top.pattern];
    Tables& tables = tables_of(pattern);
    const bool added = tables.add_answer(top.table, gather(instruction));
    if (added) check_size(tables, top.pattern);
    if (added && pattern.recursive) {
        const Table& table = tables[top.table];
        for (std::uint32_t c = table.consumers; c != Relation::none; c = consumers_[c].next) {
            tick();
            events_.push_back({c, table.last, 0});
        }
    }
    if (pattern.wanted > 0) return fail_to(instruction.culprit);
    // One proof is enough.
    choices_.resize(choice_base_);
    top.clause = static_cast<std::uint32_t>(pattern.clauses.size());
    return Step::next_clause;
}

std::span<const Term> Engine::gather(const Instruction& instruction) {
    if (scratch_.size() < instruction.operand_count) scratch_.resize(instruction.operand_count);
    const Operand* operands = code_->operands.data() + instruction.first_operand;
    for (std::uint32_t i = 0; i < instruction.operand_count; ++i) scratch_[i] = operands[i].value(frame_);
    return {scratch_.data(), instruction.operand_count};
}

bool Engine::apply(const Instruction& instruction, const Term* row) {
    const Action* action = code_->actions.data() + instruction.first_action;
    const Action* end = action + instruction.action_count;
    for (; action != end; ++action) {
        const Term value = row[action->column];
        if (action->bind) {
            frame_[action->operand.number()] = value;
        } else if (action->operand.value(frame_) != value) {
            return false;
        }
    }
    return true;
}

// Takes the first row from `row` on that fits. Retrying: the choice on top is this instruction's.
// Notes where to go on when what follows fails: `next`, if there is one.
void Engine::remember_choice(std::uint32_t next, bool retrying) {
    if (retrying && next != Relation::none) {
        choices_.back().next = next;
    } else if (retrying) {
        choices_.pop_back();
    } else if (next != Relation::none) {
        choices_.push_back({static_cast<std::int32_t>(place_), next});
    }
}

bool Engine::scan_from(const Instruction& instruction, std::uint32_t row, bool retrying) {
    const Relation& relation = rulebook_.relation(instruction.target);
    while (row != Relation::none) {
        tick();
        const std::uint32_t next = relation.next(instruction.extra, row);
        if (apply(instruction, relation.row(row))) {
            remember_choice(next, retrying);
            return true;
        }
        row = next;
    }
    if (retrying) choices_.pop_back();
    return false;
}

bool Engine::answer_from(const Instruction& instruction, std::uint32_t answer, bool retrying) {
    const Tables& tables = tables_of(patterns_[instruction.target]);
    while (answer != Relation::none) {
        tick();
        const std::uint32_t next = tables.next(answer);
        if (apply(instruction, tables.values(answer))) {
            remember_choice(next, retrying);
            return true;
        }
        answer = next;
    }
    if (retrying) choices_.pop_back();
    return false;
}

bool Engine::open(const Instruction& instruction) {
    const Term term = code_->operands[instruction.first_operand].value(frame_);
    if (terms_.symbol(term) != gdl::Symbol{instruction.target} || terms_.arity(term) != instruction.extra) return false;
    return apply(instruction, terms_.arguments(term).data());
}

void Engine::build(const Instruction& instruction) {
    const Term term = terms_.compound(gdl::Symbol{instruction.target}, gather(instruction));
    frame_[instruction.extra] = term;
    if (terms_.size() <= depths_.size()) return;
    const std::uint32_t pattern = activations_.back().pattern;
    if (terms_.size() - terms_at_start_ > limits_.max_facts) {
        exceeded(fmt::format("more than {} new terms", limits_.max_facts), pattern);
    }
    while (depths_.size() < terms_.size()) {
        std::uint16_t depth = 0;
        for (const Term argument : terms_.arguments(Term{static_cast<std::uint32_t>(depths_.size())})) {
            depth = std::max(depth, depths_[gdl::index(argument)]);
        }
        depths_.push_back(static_cast<std::uint16_t>(std::min(depth + 1, 0xFFFF)));
    }
    if (depths_[gdl::index(term)] > limits_.max_term_depth) {
        exceeded(fmt::format("a term nested deeper than {}", limits_.max_term_depth), pattern);
    }
}

// ---- limits

void Engine::look_at_the_clock() const {
    if (!deadline_.expired()) return;
    const std::uint32_t pattern = activations_.empty() ? 0 : activations_.back().pattern;
    exceeded(deadline_.interrupted() ? "interrupted" : "the time limit was reached", pattern);
}

void Engine::check_size(const Tables& tables, std::uint32_t pattern) const {
    if (tables.size() > limits_.max_facts) exceeded(fmt::format("more than {} facts", limits_.max_facts), pattern);
}

void Engine::exceeded(const std::string& what, std::uint32_t pattern) const {
    throw LimitExceeded(fmt::format("{} while deriving {}", what, rulebook_[patterns_[pattern].predicate].name));
}

}  // namespace stratagem::machine::interpreter
