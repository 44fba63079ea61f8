#include "machine/interpreter/interpreter.h"

#include <algorithm>
#include <functional>

#include "machine/interpreter/engine.h"
#include "util/contract.h"

namespace stratagem::machine {

using gdl::Term;
using interpreter::ColumnUse;
using interpreter::Engine;
using interpreter::Predicate;
using interpreter::Relation;
using interpreter::Rulebook;

Interpreter::Interpreter(const gdl::Description& description, const Limits& limits)
    : terms_(std::make_unique<gdl::TermPool>(description.terms)),
      rulebook_(std::make_unique<Rulebook>(description, *terms_)),
      engine_(std::make_unique<Engine>(*rulebook_, *terms_, limits)),
      roles_(description.roles()) {
    const auto question = [this](gdl::Symbol symbol, const std::vector<ColumnUse>& columns) {
        return engine_->pattern(rulebook_->keyword(symbol), columns);
    };
    questions_ = {
        question(gdl::keyword::init, {ColumnUse::wanted}),
        question(gdl::keyword::terminal, {}),
        question(gdl::keyword::legal, {ColumnUse::given, ColumnUse::wanted}),
        question(gdl::keyword::goal, {ColumnUse::given, ColumnUse::wanted}),
        question(gdl::keyword::next, {ColumnUse::wanted}),
        question(gdl::keyword::sees, {ColumnUse::given, ColumnUse::wanted}),
    };
    collect(questions_.init, {}, initial_);
    set_state(initial_);
}

Interpreter::~Interpreter() = default;
Interpreter::Interpreter(Interpreter&&) noexcept = default;
Interpreter& Interpreter::operator=(Interpreter&&) noexcept = default;

void Interpreter::set_limits(const Limits& limits) { engine_->set_limits(limits); }
const Limits& Interpreter::limits() const { return engine_->limits(); }

void Interpreter::set_state(std::span<const Term> fluents) {
    STRATAGEM_EXPECTS(std::ranges::all_of(
        fluents, [this](Term fluent) { return gdl::index(fluent) < terms_->size() && terms_->is_ground(fluent); }));
    const std::less<> before;
    const Term* own = state_.data();
    if (before(fluents.data(), own) || !before(fluents.data(), own + state_.size())) {
        state_.assign(fluents.begin(), fluents.end());
    } else {
        state_ = Facts(fluents.begin(), fluents.end());  // a part of the current state
    }
    if (!std::ranges::is_sorted(state_)) std::ranges::sort(state_);
    state_.erase(std::unique(state_.begin(), state_.end()), state_.end());
    fill_fluents();
    rulebook_->relation(rulebook_->does()).clear();
    move_.clear();
    engine_->state_changed();
}

// Puts the fluents where the rules look for them.
void Interpreter::fill_fluents() {
    for (std::uint32_t i = 0; i < rulebook_->predicate_count(); ++i) {
        if ((*rulebook_)[Predicate{i}].in_state) rulebook_->relation(Predicate{i}).clear();
    }
    Relation& all = rulebook_->relation(rulebook_->all_fluents());
    all.clear();
    constexpr std::uint32_t no_relation = 1;
    if (fluent_relation_.size() < terms_->size()) fluent_relation_.resize(terms_->size() * 2, 0);
    for (const Term& fluent : state_) {
        all.add({&fluent, 1});
        std::uint32_t& known = fluent_relation_[gdl::index(fluent)];
        if (known == 0) {
            Predicate predicate{};
            const bool used =
                rulebook_->find_fluent_predicate(terms_->symbol(fluent), terms_->arity(fluent), predicate);
            known = used ? (*rulebook_)[predicate].relation + 2 : no_relation;
        }
        if (known != no_relation) rulebook_->relation(known - 2).add(terms_->arguments(fluent));
    }
}

void Interpreter::find_fluents_again() {
    fluent_relation_.clear();
    fill_fluents();
}

void Interpreter::set_move(std::span<const Term> joint_move) {
    if (std::ranges::equal(joint_move, move_)) return;
    move_.assign(joint_move.begin(), joint_move.end());
    Relation& does = rulebook_->relation(rulebook_->does());
    does.clear();
    for (std::size_t i = 0; i < joint_move.size() && i < roles_.size(); ++i) {
        const Term row[] = {roles_[i], joint_move[i]};
        does.add(row);
    }
    engine_->move_changed();
}

void Interpreter::collect(std::uint32_t question, std::span<const Term> key, Facts& result) {
    result.clear();
    engine_->solve(question, key);
    engine_->for_each_answer([&](const Term* values) { result.push_back(*values); });
    std::ranges::sort(result);
}

bool Interpreter::terminal() { return engine_->solve(questions_.terminal, {}) > 0; }

void Interpreter::legal(Term role, Facts& result) { collect(questions_.legal, {&role, 1}, result); }

void Interpreter::goals(Term role, Facts& result) { collect(questions_.goal, {&role, 1}, result); }

void Interpreter::next(std::span<const Term> joint_move, Facts& result) {
    set_move(joint_move);
    collect(questions_.next, {}, result);
}

void Interpreter::sees(Term role, std::span<const Term> joint_move, Facts& result) {
    set_move(joint_move);
    collect(questions_.sees, {&role, 1}, result);
}

Facts Interpreter::legal(Term role) {
    Facts result;
    legal(role, result);
    return result;
}

Facts Interpreter::goals(Term role) {
    Facts result;
    goals(role, result);
    return result;
}

Facts Interpreter::next(std::span<const Term> joint_move) {
    Facts result;
    next(joint_move, result);
    return result;
}

Facts Interpreter::sees(Term role, std::span<const Term> joint_move) {
    Facts result;
    sees(role, joint_move, result);
    return result;
}

}  // namespace stratagem::machine
