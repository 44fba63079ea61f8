// A game that has no rules in words: its ground program is put together here.
//
// Two roles take counters from a pile in turn, and who cannot take any has lost. One, two or three at a time, unless
// said otherwise: then who stands before a multiple of four has lost, whatever he does; before any other pile the rest
// by four is the only move that wins.
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
    // `takes`: how many may be taken at once, ascending, none of them 0.
    explicit SubtractionProgram(std::uint32_t pile, std::vector<std::uint32_t> takes = {1, 2, 3})
        : pile_(pile), takes_(std::move(takes)) {
        add_nouns();
        add_moves();
        add_steps();
        add_end();
    }

    ground::Program program() && { return std::move(program_); }

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
        for (const Atom atom : all_of) body.emplace_back(atom);
        program_.add_rule(head, body);
    }

    Atom pile(std::uint32_t counters) const { return program_.atom(ground::Fluent{counters}); }
    Atom turn(std::uint32_t role) const { return program_.atom(ground::Fluent{pile_ + 1 + role}); }
    ground::Move wait(std::uint32_t role) const {
        return ground::Move{role * static_cast<std::uint32_t>(takes_.size() + 1)};
    }
    // By place in takes_.
    ground::Move take(std::uint32_t role, std::uint32_t place) const {
        return ground::Move{ground::index(wait(role)) + 1 + place};
    }

    void add_nouns() {
        program_.roles = {word("first"), word("second")};
        for (std::uint32_t i = 0; i <= pile_; ++i) program_.fluents.push_back(term("pile", {number(i)}));
        for (const Term role : program_.roles) program_.fluents.push_back(term("turn", {role}));
        for (std::uint32_t role = 0; role < 2; ++role) {
            program_.moves.push_back({ground::Role{role}, word("wait")});
            for (const std::uint32_t taken : takes_) {
                program_.moves.push_back({ground::Role{role}, term("take", {number(taken)})});
            }
        }
        program_.initial = {ground::Fluent{pile_}, ground::Fluent{pile_ + 1}};
        for (std::uint32_t i = 0; i < pile_; ++i) {
            program_.statics.add(program_.terms, term("succ", {number(i), number(i + 1)}));
        }
    }

    void add_moves() {
        for (std::uint32_t role = 0; role < 2; ++role) {
            const auto make_legal = [&](ground::Move move) {
                program_.legal.push_back(
                    derive(term("legal", {program_.roles[role], program_.moves[ground::index(move)].term})));
                return program_.legal.back();
            };
            rule(make_legal(wait(role)), {turn(1 - role)});
            for (std::uint32_t place = 0; place < takes_.size(); ++place) {
                const Atom legal = make_legal(take(role, place));
                for (std::uint32_t left = takes_[place]; left <= pile_; ++left) rule(legal, {turn(role), pile(left)});
            }
        }
    }

    void add_steps() {
        for (std::uint32_t left = 0; left <= pile_; ++left) {
            // There are never more of them than in the beginning.
            program_.next.push_back(left == pile_ ? Atom::none : derive(term("next", {program_.fluents[left]})));
            for (std::uint32_t place = 0; place < takes_.size() && left + takes_[place] <= pile_; ++place) {
                for (std::uint32_t role = 0; role < 2; ++role) {
                    rule(program_.next[left], {pile(left + takes_[place]), program_.atom(take(role, place))});
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
        for (std::uint32_t left = 0; left < takes_.front() && left <= pile_; ++left)
            rule(program_.terminal, {pile(left)});
        for (std::uint32_t role = 0; role < 2; ++role) {
            for (const int value : {0, 100}) {
                const Atom goal = derive(term("goal", {program_.roles[role], word(std::to_string(value))}));
                program_.goals.push_back({ground::Role{role}, value, goal});
                for (std::uint32_t left = 0; left < takes_.front() && left <= pile_; ++left) {
                    rule(goal, {pile(left), turn(value == 0 ? role : 1 - role)});
                }
            }
        }
    }

    std::uint32_t pile_;
    std::vector<std::uint32_t> takes_;
    ground::Program program_;
};

inline std::shared_ptr<const ProgramGame> subtraction_game(std::uint32_t pile = 10) {
    return ProgramGame::make_from("subtraction", SubtractionProgram(pile).program());
}

}  // namespace stratagem::machine::testing
