// The game as a whole, seen from its roles: there are some, each can move and is rewarded, and no other is spoken of.
#include <fmt/format.h>

#include <unordered_set>
#include <utility>
#include <vector>

#include "gdl/check/passes.h"
#include "gdl/check/spelling.h"
#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

struct RoleFact {
    Term role{};
    Node node = Node::none;
};

class RolePass {
  public:
    explicit RolePass(const Context& context) : context_(context) {
        for (const Rule& rule : context.description.rules) {
            if (!is(rule.head, keyword::role, 1)) continue;
            if (!rule.body.empty() || !context.terms.is_ground(rule.head)) {
                unknown_ = true;  // E302 is enough: who the roles are cannot be told
            } else if (const Term role = context.terms.argument(rule.head, 0); known_.insert(role).second) {
                roles_.push_back({role, rule.head_node});
                if (context.terms.arity(role) == 0) speller_.add(context.name(context.terms.symbol(role)));
            }
        }
    }

    void run() {
        if (unknown_) return;
        if (roles_.empty()) {
            context_.report("E701", Node::none, "the game has no roles");
            return;
        }
        need("W703", keyword::goal, "has no goal: no rule defines '(goal {} ...)'");
        need("W704", keyword::legal, "never has a legal move: no rule defines '(legal {} ...)'");
        for (const Rule& rule : context_.description.rules) {
            foreign_role(rule.head, rule.head_node);
            for_each_condition(rule, [&](const Literal& c, bool) { foreign_role(c.atom, c.node); });
        }
    }

  private:
    bool is(Term atom, Symbol name, std::uint32_t arity) const {
        return context_.terms.symbol(atom) == name && context_.terms.arity(atom) == arity;
    }

    // Each role should be the first argument of some head of `keyword`, by name or by a variable.
    void need(std::string_view code, Symbol keyword, std::string_view complaint) {
        std::unordered_set<Term> served;
        for (const Rule& rule : context_.description.rules) {
            if (!is(rule.head, keyword, 2)) continue;
            const Term role = context_.terms.argument(rule.head, 0);
            if (!context_.terms.is_ground(role)) return;
            served.insert(role);
        }
        for (const RoleFact& fact : roles_) {
            const Symbol name = context_.terms.symbol(fact.role);
            // Nature (GDL-II) moves, but wants nothing.
            if (served.contains(fact.role) || (keyword == keyword::goal && name == keyword::random)) continue;
            context_.report(code, fact.node,
                            fmt::format("the role '{0}' {1}", context_.name(name),
                                        fmt::format(fmt::runtime(complaint), context_.name(name))));
        }
    }

    void foreign_role(Term atom, Node node) {
        const Symbol name = context_.terms.symbol(atom);
        const bool speaks_of_role = name == keyword::role || name == keyword::legal || name == keyword::does ||
                                    name == keyword::goal || name == keyword::input || name == keyword::sees;
        if (!speaks_of_role || context_.terms.arity(atom) != static_cast<std::uint32_t>(keyword_arity(name))) return;
        bool first = true;
        for_each_argument(context_.description, atom, node, [&](Term role, Node place) {
            if (!std::exchange(first, false) || !context_.terms.is_ground(role) || known_.contains(role)) return;
            const std::string_view word = context_.name(context_.terms.symbol(role));
            context_.report("W711", place, fmt::format("'{}' is used as a role but is none", word),
                            speller_.hint(word, "the role"));
        });
    }

    const Context& context_;
    std::vector<RoleFact> roles_;
    std::unordered_set<Term> known_;
    Speller speller_;
    bool unknown_ = false;
};

}  // namespace

void check_roles(const Context& context) { RolePass(context).run(); }

}  // namespace stratagem::gdl::passes
