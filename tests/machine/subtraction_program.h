// A game that has no rules in words: its ground program is put together here.
//
// Two roles take one, two or three counters from a pile in turn, and who takes the last has won. Who stands before a
// multiple of four has lost, whatever he does; before any other pile the rest by four is the only move that wins.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ground/program.h"
#include "machine/program_game.h"

namespace stratagem::machine::testing {

class SubtractionProgram {
  public:
    static constexpr std::uint32_t most = 3;  // that may be taken at once

    explicit SubtractionProgram(std::uint32_t pile) : pile_(pile) {
        add_nouns();
        add_moves();
        add_steps();
        add_end();
    }

    ground::Program take() { return std::move(program_); }

  private:
    using Term = gdl::Term;
    using Atom = ground::Atom;

    Term word(std::string_view name) { return program_.terms.constant(program_.terms.symbols().intern(name)); }
    Term number(std::uint32_t value) { return word(std::to_string(value)); }
    Term term(std::string_view name, std::initializer_list<Term> arguments) {
        return program_.terms.compound(program_.terms.symbols().intern(name),
                                       std::span(arguments.begin(), arguments.size()));
    }
    // Pre: all fluents and moves are there, which have the first numbers.
    Atom derive(Term what) {
        program_.derived.push_back(what);
        return Atom{program_.atom_count() - 1};
    }
    void rule(Atom head, std::initializer_list<Atom> all_of) {
        std::vector<ground::Condition> body;
        for (const Atom atom : all_of) body.emplace_back(atom, true);
        program_.add_rule(head, body);
    }

    Atom pile(std::uint32_t counters) const { return program_.atom(ground::Fluent{counters}); }
    Atom turn(std::uint32_t role) const { return program_.atom(ground::Fluent{pile_ + 1 + role}); }
    // So many counters; none: waiting.
    ground::Move move(std::uint32_t role, std::uint32_t counters) const {
        return ground::Move{role * (most + 1) + counters};
    }

    void add_nouns() {
        program_.roles = {word("first"), word("second")};
        for (std::uint32_t i = 0; i <= pile_; ++i) program_.fluents.push_back(term("pile", {number(i)}));
        for (const Term role : program_.roles) program_.fluents.push_back(term("turn", {role}));
        for (std::uint32_t role = 0; role < 2; ++role) {
            program_.moves.push_back({ground::Role{role}, word("wait")});
            for (std::uint32_t i = 1; i <= most; ++i) {
                program_.moves.push_back({ground::Role{role}, term("take", {number(i)})});
            }
        }
        program_.initial = {ground::Fluent{pile_}, ground::Fluent{pile_ + 1}};
        for (std::uint32_t i = 0; i < pile_; ++i) {
            program_.statics.add(program_.terms, term("succ", {number(i), number(i + 1)}));
        }
    }

    void add_moves() {
        for (std::uint32_t role = 0; role < 2; ++role) {
            for (std::uint32_t taken = 0; taken <= most; ++taken) {
                const Term what = program_.moves[ground::index(move(role, taken))].term;
                const Atom legal = derive(term("legal", {program_.roles[role], what}));
                program_.legal.push_back(legal);
                if (taken == 0) rule(legal, {turn(1 - role)});
                for (std::uint32_t left = taken; taken > 0 && left <= pile_; ++left) {
                    rule(legal, {turn(role), pile(left)});
                }
            }
        }
    }

    void add_steps() {
        for (std::uint32_t left = 0; left <= pile_; ++left) {
            // There are never more of them than in the beginning.
            program_.next.push_back(left == pile_ ? Atom::none : derive(term("next", {program_.fluents[left]})));
            for (std::uint32_t taken = 1; taken <= most && left + taken <= pile_; ++taken) {
                for (std::uint32_t role = 0; role < 2; ++role) {
                    rule(program_.next[left], {pile(left + taken), program_.atom(move(role, taken))});
                }
            }
        }
        for (std::uint32_t role = 0; role < 2; ++role) {
            program_.next.push_back(derive(term("next", {program_.fluents[pile_ + 1 + role]})));
            rule(program_.next.back(), {turn(1 - role)});
        }
    }

    void add_end() {
        program_.terminal = derive(word("terminal"));
        rule(program_.terminal, {pile(0)});
        for (std::uint32_t role = 0; role < 2; ++role) {
            for (const int value : {0, 100}) {
                const Atom goal = derive(term("goal", {program_.roles[role], word(std::to_string(value))}));
                program_.goals.push_back({ground::Role{role}, value, goal});
                rule(goal, {pile(0), turn(value == 0 ? role : 1 - role)});
            }
        }
    }

    std::uint32_t pile_;
    ground::Program program_;
};

inline std::shared_ptr<const ProgramGame> subtraction_game(std::uint32_t pile = 10) {
    return ProgramGame::make_from("subtraction", SubtractionProgram(pile).take());
}

}  // namespace stratagem::machine::testing
