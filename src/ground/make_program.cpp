// The last step of grounding: possible atoms get their final numbers, impossible ones disappear from the rules.
#include <algorithm>
#include <charconv>
#include <map>

#include "ground/grounder.h"

namespace stratagem::ground {

using gdl::Symbol;
using gdl::Term;
namespace keyword = gdl::keyword;

namespace {

// A goal value is an integer constant; anything else was warned about and never counts.
std::optional<int> integer(const gdl::TermPool& terms, Term term) {
    if (terms.arity(term) != 0) return std::nullopt;
    const std::string_view name = terms.symbols().name(terms.symbol(term));
    int value = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), value);
    if (fault != std::errc{} || end != name.data() + name.size()) return std::nullopt;
    return value;
}

}  // namespace

Program Grounder::make_program() {
    Program program;
    program.roles = roles_;
    std::map<Term, Role> role_of;
    for (std::uint32_t i = 0; i < roles_.size(); ++i) role_of.emplace(roles_[i], Role{i});

    // Fluents and moves in the order of their relations: what belongs together gets neighbouring numbers.
    std::vector<WorkAtom> fluents;
    std::vector<std::vector<WorkAtom>> moves(roles_.size());
    for (std::uint32_t r = 0; r < database_.relation_count(); ++r) {
        const RelationInfo& info = database_[RelationId{r}];
        if (info.kind != RelationKind::fluent && info.kind != RelationKind::move) continue;
        for (Relation::Row row = 0; row < info.atoms.size(); ++row) {
            const WorkAtom atom = info.atoms[row];
            if (!database_.is_possible(atom)) continue;
            if (info.kind == RelationKind::fluent) {
                fluents.push_back(atom);
            } else {
                moves[index(role_of.at(info.relation.at(row, 0)))].push_back(atom);
            }
        }
    }
    std::vector<Atom> number(database_.atom_count(), Atom::none);
    std::uint32_t count = 0;
    for (const WorkAtom atom : fluents) {
        number[atom] = Atom{count++};
        program.fluents.push_back(database_.inner_term(atom));
    }
    for (std::uint32_t role = 0; role < moves.size(); ++role) {
        for (const WorkAtom atom : moves[role]) {
            number[atom] = Atom{count++};
            program.moves.push_back({Role{role}, database_.inner_term(atom)});
        }
    }
    program.next.assign(fluents.size(), Atom::none);
    program.legal.assign(program.moves.size(), Atom::none);

    // Derived atoms are numbered as rules mention them in their heads: every possible one has a rule.
    const auto derived = [&](Term term) {
        program.derived.push_back(term);
        return Atom{count++};
    };
    for (const WorkRule& rule : rules_) {
        check_limits();
        if (rule.is_next) {
            Atom& next = program.next[index(number[rule.head])];
            if (next != Atom::none) continue;
            const Term fluent = database_.inner_term(rule.head);
            next = derived(terms_.compound(keyword::next, std::span(&fluent, 1)));
        } else if (number[rule.head] == Atom::none) {
            const Term term = database_.term(rule.head);
            number[rule.head] = derived(term);
            const Symbol symbol = terms_.symbol(term);
            const std::uint32_t arity = terms_.arity(term);
            if (symbol == keyword::terminal && arity == 0) program.terminal = number[rule.head];
            if (arity != 2) continue;
            const auto role = role_of.find(terms_.argument(term, 0));
            if (role == role_of.end()) continue;
            if (symbol == keyword::legal) {
                const WorkAtom move = database_.intern_move(role->first, terms_.argument(term, 1));
                program.legal[index(number[move]) - fluents.size()] = number[rule.head];
            } else if (symbol == keyword::goal) {
                const std::optional<int> value = integer(terms_, terms_.argument(term, 1));
                if (value) program.goals.push_back({role->second, *value, number[rule.head]});
            } else if (symbol == keyword::sees) {
                program.percepts.push_back({role->second, terms_.argument(term, 1), number[rule.head]});
            }
        }
    }
    std::sort(program.goals.begin(), program.goals.end(), [](const GoalEntry& a, const GoalEntry& b) {
        return std::pair(a.role, a.value) < std::pair(b.role, b.value);
    });

    const RelationId init = database_.plain(keyword::init, 1);
    for (const Relation::Row row : database_[init].relation.active()) {
        const WorkAtom atom = database_.intern_fluent(database_[init].relation.at(row, 0));
        program.initial.push_back(Fluent{index(number[atom])});
    }
    std::sort(program.initial.begin(), program.initial.end());

    std::vector<Condition> body;
    for (const WorkRule& rule : rules_) {
        check_limits();
        body.clear();
        const WorkAtom* atoms = bodies_.data() + rule.body_begin;
        for (std::uint32_t i = 0; i < rule.positive_count; ++i) body.emplace_back(number[atoms[i]]);
        for (std::uint32_t i = 0; i < rule.negative_count; ++i) {
            const WorkAtom atom = atoms[rule.positive_count + i];
            // What can never hold is never in the way.
            if (database_.is_possible(atom)) body.push_back(!Condition(number[atom]));
        }
        std::sort(body.begin(), body.end());
        body.erase(std::unique(body.begin(), body.end()), body.end());
        program.add_rule(rule.is_next ? program.next[index(number[rule.head])] : number[rule.head], body);
    }
    program.statics = make_statics(database_, settled_, unpacked_, {}, terms_);
    program.terms = std::move(terms_);
    return program;
}

}  // namespace stratagem::ground
