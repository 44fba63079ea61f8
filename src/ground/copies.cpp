#include "ground/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "ground/made_names.h"

namespace stratagem::ground {

using gdl::Symbol;
using gdl::Term;
namespace keyword = gdl::keyword;

namespace {

using Key = std::pair<Symbol, std::uint32_t>;  // name and number of arguments

class Copier {
  public:
    Copier(std::vector<Clause>& clauses, gdl::TermPool& terms, Effort& effort)
        : clauses_(clauses), terms_(terms), effort_(effort) {}

    Key key(Term atom) const { return {terms_.symbol(atom), terms_.arity(atom)}; }

    // Relations from which `goal(key)` can be reached, the goals included, among those that `from` reaches.
    template <typename Goal>
    std::set<Key> between(const Key& from, Goal&& goal) {
        const std::set<Key> reached = reach({from}, false);
        std::set<Key> goals;
        for (const Key& one : reached) {
            if (one != from && goal(one)) goals.insert(one);
        }
        if (goals.empty()) return {};
        std::set<Key> found;
        for (const Key& one : reach(goals, true)) {
            if (one != from && reached.contains(one)) found.insert(one);
        }
        return found;
    }

    // Gives each relation a copy; clauses of `user` and of the copies use the copies.
    void copy(const std::set<Key>& relations, const Key& user) {
        std::vector<Clause> made;
        for (Clause& clause : clauses_) {
            effort_.spend(clause.body.size() + 1);
            if (relations.contains(key(clause.head))) {
                Clause& one = made.emplace_back(clause);
                one.head = renamed(one.head);
                use_copies(one, relations);
            }
            if (key(clause.head) == user) use_copies(clause, relations);
        }
        std::move(made.begin(), made.end(), std::back_inserter(clauses_));
    }

  private:
    // Along the uses of relations, or against them.
    std::set<Key> reach(const std::set<Key>& start, bool backwards) {
        std::map<Key, std::vector<Key>> edges;
        for (const Clause& clause : clauses_) {
            effort_.spend(clause.body.size() + 1);
            for (const ClauseLiteral& literal : clause.body) {
                const Key head = key(clause.head);
                const Key used = key(literal.atom);
                edges[backwards ? used : head].push_back(backwards ? head : used);
            }
        }
        std::set<Key> reached;
        std::vector<Key> open(start.begin(), start.end());
        while (!open.empty()) {
            const Key one = open.back();
            open.pop_back();
            if (!reached.insert(one).second) continue;
            const auto next = edges.find(one);
            if (next != edges.end()) open.insert(open.end(), next->second.begin(), next->second.end());
        }
        return reached;
    }

    Term renamed(Term atom) {
        const std::string name =
            fmt::format("{}{}/{}", copy_prefix, terms_.symbols().name(terms_.symbol(atom)), terms_.arity(atom));
        const auto view = terms_.arguments(atom);
        const std::vector<Term> arguments(view.begin(), view.end());
        return terms_.compound(terms_.symbols().intern(name), arguments);
    }

    void use_copies(Clause& clause, const std::set<Key>& relations) {
        for (ClauseLiteral& literal : clause.body) {
            if (literal.kind != ClauseLiteral::Kind::distinct && relations.contains(key(literal.atom))) {
                literal.atom = renamed(literal.atom);
            }
        }
    }

    std::vector<Clause>& clauses_;
    gdl::TermPool& terms_;
    Effort& effort_;
};

// Most games have neither use: one look at the bodies tells.
bool uses(const std::vector<Clause>& clauses, const gdl::TermPool& terms, std::optional<Symbol> head,
          bool (*used)(Symbol)) {
    return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) {
        if (head && terms.symbol(clause.head) != *head) return false;
        return std::any_of(clause.body.begin(), clause.body.end(),
                           [&](const ClauseLiteral& literal) { return used(terms.symbol(literal.atom)); });
    });
}

bool asked_in_play(Symbol symbol) {
    return symbol == keyword::legal || symbol == keyword::goal || symbol == keyword::terminal ||
           symbol == keyword::sees;
}

}  // namespace

void copy_for_init(std::vector<Clause>& clauses, gdl::TermPool& terms, Effort& effort) {
    if (!uses(clauses, terms, std::nullopt, asked_in_play)) return;
    Copier copier(clauses, terms, effort);
    const Key init{keyword::init, 1};
    const std::set<Key> relations = copier.between(init, [](const Key& key) { return asked_in_play(key.first); });
    if (!relations.empty()) copier.copy(relations, init);
}

void copy_for_sees(std::vector<Clause>& clauses, gdl::TermPool& terms, Effort& effort) {
    if (!uses(clauses, terms, keyword::sees, [](Symbol symbol) { return symbol == keyword::next; })) return;
    Copier(clauses, terms, effort).copy({Key{keyword::next, 1}}, Key{keyword::sees, 2});
}

}  // namespace stratagem::ground
