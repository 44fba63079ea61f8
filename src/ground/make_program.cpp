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

// Gives atoms their numbers in a program, and says there what they are.
class Numbering {
  public:
    Numbering(Program& program, Database& database, gdl::TermPool& terms)
        : program_(program), database_(database), terms_(terms), number_(database.atom_count(), Atom::none) {
        for (std::uint32_t i = 0; i < program.roles.size(); ++i) role_of_.emplace(program.roles[i], Role{i});
        number_fluents_and_moves();
    }

    Atom operator[](WorkAtom atom) const { return number_[atom]; }
    Atom head(const WorkRule& rule) const {
        return rule.is_next ? program_.next[index(number_[rule.head])] : number_[rule.head];
    }

    // Derived atoms are numbered as rules mention them in their heads: every possible one has a rule.
    void number_head(const WorkRule& rule) {
        if (rule.is_next) {
            Atom& next = program_.next[index(number_[rule.head])];
            if (next != Atom::none) return;
            const Term fluent = database_.inner_term(rule.head);
            next = derived(terms_.compound(keyword::next, std::span(&fluent, 1)));
        } else if (number_[rule.head] == Atom::none) {
            const Term term = database_.term(rule.head);
            number_[rule.head] = derived(term);
            note_meaning(term, number_[rule.head]);
        }
    }

  private:
    // In the order of their relations: what belongs together gets neighbouring numbers.
    void number_fluents_and_moves() {
        std::vector<std::vector<WorkAtom>> moves(program_.roles.size());
        for (std::uint32_t r = 0; r < database_.relation_count(); ++r) {
            const RelationInfo& info = database_[RelationId{r}];
            if (info.kind != RelationKind::fluent && info.kind != RelationKind::move) continue;
            for (Relation::Row row = 0; row < info.atoms.size(); ++row) {
                const WorkAtom atom = info.atoms[row];
                if (!database_.is_possible(atom)) continue;
                if (info.kind == RelationKind::move) {
                    moves[index(role_of_.at(info.relation.at(row, 0)))].push_back(atom);
                    continue;
                }
                number_[atom] = Atom{count_++};
                program_.fluents.push_back(database_.inner_term(atom));
            }
        }
        for (std::uint32_t role = 0; role < moves.size(); ++role) {
            for (const WorkAtom atom : moves[role]) {
                number_[atom] = Atom{count_++};
                program_.moves.push_back({Role{role}, database_.inner_term(atom)});
            }
        }
        program_.next.assign(program_.fluents.size(), Atom::none);
        program_.legal.assign(program_.moves.size(), Atom::none);
    }

    Atom derived(Term term) {
        program_.derived.push_back(term);
        return Atom{count_++};
    }

    void note_meaning(Term term, Atom atom) {
        const Symbol symbol = terms_.symbol(term);
        const std::uint32_t arity = terms_.arity(term);
        if (symbol == keyword::terminal && arity == 0) program_.terminal = atom;
        if (arity != 2) return;
        const auto role = role_of_.find(terms_.argument(term, 0));
        if (role == role_of_.end()) return;
        if (symbol == keyword::legal) {
            const WorkAtom move = database_.intern_move(role->first, terms_.argument(term, 1));
            program_.legal[index(number_[move]) - program_.fluents.size()] = atom;
        } else if (symbol == keyword::goal) {
            const std::optional<int> value = integer(terms_, terms_.argument(term, 1));
            if (value) program_.goals.push_back({role->second, *value, atom});
        } else if (symbol == keyword::sees) {
            program_.percepts.push_back({role->second, terms_.argument(term, 1), atom});
        }
    }

    Program& program_;
    Database& database_;
    gdl::TermPool& terms_;
    std::map<Term, Role> role_of_;
    std::vector<Atom> number_;
    std::uint32_t count_ = 0;
};

}  // namespace

Program Grounder::make_program() {
    Program program;
    program.roles = roles_;
    Numbering number(program, database_, terms_);
    for (const WorkRule& rule : rules_) {
        check_limits();
        number.number_head(rule);
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
        program.add_rule(number.head(rule), body);
    }
    program.statics = make_statics(database_, settled_, unpacked_, {}, terms_);
    program.terms = std::move(terms_);
    return program;
}

}  // namespace stratagem::ground
