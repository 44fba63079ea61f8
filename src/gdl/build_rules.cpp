// From the tree of words and lists to rules over hash-consed terms.
#include <fmt/format.h>

#include <optional>
#include <unordered_set>

#include "gdl/reader.h"

namespace stratagem::gdl {

namespace {

class Builder {
  public:
    Builder(Description& description, Diagnostics& diagnostics)
        : tree_(description.syntax), terms_(description.terms), diagnostics_(diagnostics) {}

    // Nothing when the statement has a fault, which is then reported. All faults of a rule are looked for.
    std::optional<Rule> statement(Node node) {
        Rule rule;
        rule.node = node;
        const Node first = tree_[node].first_child;
        const bool is_rule = tree_[node].kind == NodeKind::list && first != Node::none &&
                             tree_[first].kind == NodeKind::word && tree_[first].symbol == keyword::implies;
        if (!is_rule) {
            rule.head_node = node;
            const std::optional<Term> head = atom(node);
            if (!head) return std::nullopt;
            rule.head = *head;
            return rule;
        }
        rule.head_node = tree_[first].next_sibling;
        if (rule.head_node == Node::none) {
            diagnostics_.add("E110", tree_[node].span, "this rule has no head");
            return std::nullopt;
        }
        const std::optional<Term> head = atom(rule.head_node);
        bool sound = head.has_value();
        for (Node part = tree_[rule.head_node].next_sibling; part != Node::none; part = tree_[part].next_sibling) {
            std::optional<Literal> literal = this->literal(part);
            if (literal) {
                rule.body.push_back(std::move(*literal));
            } else {
                sound = false;
            }
        }
        if (!sound) return std::nullopt;
        rule.head = *head;
        return rule;
    }

  private:
    std::string text_of(Symbol symbol) const { return std::string(terms_.symbols().name(symbol)); }

    // The first word of a list, or nothing (reported). An empty list was reported by the reader.
    std::optional<Symbol> functor(Node node) {
        const Node first = tree_[node].first_child;
        if (first == Node::none) return std::nullopt;
        if (tree_[first].kind != NodeKind::word) {
            const bool variable = tree_[first].kind == NodeKind::variable;
            diagnostics_.add("E111", tree_[first].span,
                             variable ? "a variable cannot be the name of a relation or function"
                                      : "a list stands where the name of a relation or function should be");
            return std::nullopt;
        }
        return tree_[first].symbol;
    }

    std::optional<Literal> literal(Node node) {
        Literal result;
        result.node = node;
        if (tree_[node].kind != NodeKind::list) {
            if (tree_[node].kind == NodeKind::word && tree_[node].symbol == keyword::distinct) {
                diagnostics_.add("E112", tree_[node].span, "'distinct' needs two arguments");
                return std::nullopt;
            }
            const std::optional<Term> term = atom(node);
            if (!term) return std::nullopt;
            result.atom = *term;
            return result;
        }
        const std::optional<Symbol> name = functor(node);
        if (!name) return std::nullopt;
        if (*name == keyword::distinct) return distinct(node, std::move(result));
        if (!is_connective(*name) || *name == keyword::implies) {
            const std::optional<Term> term = atom(node);
            if (!term) return std::nullopt;
            result.atom = *term;
            return result;
        }
        result.kind = *name == keyword::negation      ? Literal::Kind::negation
                      : *name == keyword::disjunction ? Literal::Kind::disjunction
                                                      : Literal::Kind::conjunction;
        bool sound = true;
        std::size_t count = 0;
        for (Node part = tree_[tree_[node].first_child].next_sibling; part != Node::none;
             part = tree_[part].next_sibling, ++count) {
            std::optional<Literal> operand = literal(part);
            if (operand) {
                result.parts.push_back(std::move(*operand));
            } else {
                sound = false;
            }
        }
        if (count == 0 || (result.kind == Literal::Kind::negation && count != 1)) {
            diagnostics_.add("E112", tree_[node].span, fmt::format("'{}' with {} operands", text_of(*name), count),
                             result.kind == Literal::Kind::negation
                                 ? "write (not A) with one condition; (not (and A B)) or (not (or A B)) for several"
                                 : "");
            return std::nullopt;
        }
        if (!sound) return std::nullopt;
        return result;
    }

    std::optional<Literal> distinct(Node node, Literal result) {
        result.kind = Literal::Kind::distinct;
        const std::optional<Term> whole = arguments(node, keyword::distinct);
        if (!whole) return std::nullopt;
        if (terms_.arity(*whole) != 2) {
            diagnostics_.add("E112", tree_[node].span,
                             fmt::format("'distinct' with {} arguments instead of 2", terms_.arity(*whole)));
            return std::nullopt;
        }
        result.atom = *whole;
        return result;
    }

    // An atom: a constant or a compound whose name is no connective.
    std::optional<Term> atom(Node node) {
        if (tree_[node].kind == NodeKind::variable) {
            diagnostics_.add("E115", tree_[node].span,
                             fmt::format("the variable ?{} stands where a condition or fact should be",
                                         text_of(tree_[node].symbol)));
            return std::nullopt;
        }
        if (tree_[node].kind == NodeKind::word) {
            if (is_connective(tree_[node].symbol)) {
                diagnostics_.add("E112", tree_[node].span,
                                 fmt::format("'{}' without operands", text_of(tree_[node].symbol)));
                return std::nullopt;
            }
            return terms_.constant(tree_[node].symbol);
        }
        const std::optional<Symbol> name = functor(node);
        if (!name) return std::nullopt;
        if (is_connective(*name)) {
            diagnostics_.add("E113", tree_[node].span, fmt::format("'{}' cannot stand here", text_of(*name)),
                             *name == keyword::implies ? "rules cannot be nested: start a new statement" : "");
            return std::nullopt;
        }
        return arguments(node, *name);
    }

    std::optional<Term> term(Node node) {
        const SyntaxNode& syntax = tree_[node];
        if (syntax.kind == NodeKind::variable) return terms_.variable(syntax.symbol);
        if (syntax.kind == NodeKind::word) return terms_.constant(syntax.symbol);
        const std::optional<Symbol> name = functor(node);
        if (!name) return std::nullopt;
        if (is_connective(*name) || *name == keyword::distinct) {
            diagnostics_.add("E113", syntax.span, fmt::format("'{}' cannot stand inside a term", text_of(*name)));
            return std::nullopt;
        }
        return arguments(node, *name);
    }

    std::optional<Term> arguments(Node node, Symbol name) {
        // One stack for all levels: a vector per term would dominate the time of reading.
        const std::size_t base = stack_.size();
        bool sound = true;
        std::size_t count = 0;
        for (Node part = tree_[tree_[node].first_child].next_sibling; part != Node::none;
             part = tree_[part].next_sibling) {
            if (++count > max_arity) continue;
            const std::optional<Term> argument = term(part);
            if (argument) {
                stack_.push_back(*argument);
            } else {
                sound = false;
            }
        }
        if (count > max_arity) {
            diagnostics_.add("E114", tree_[tree_[node].first_child].span,
                             fmt::format("'{}' has {} arguments", text_of(name), count));
            sound = false;
        }
        std::optional<Term> result;
        if (sound) result = terms_.compound(name, std::span(stack_).subspan(base));
        stack_.resize(base);
        return result;
    }

    const SyntaxTree& tree_;
    TermPool& terms_;
    Diagnostics& diagnostics_;
    std::vector<Term> stack_;
};

}  // namespace

void build_rules(Description& description, Diagnostics& diagnostics) {
    Builder builder(description, diagnostics);
    description.rules.reserve(description.syntax.statements.size());
    for (const Node node : description.syntax.statements) {
        std::optional<Rule> rule = builder.statement(node);
        if (rule) description.rules.push_back(std::move(*rule));
    }
}

std::vector<Term> Description::roles() const {
    std::vector<Term> roles;
    std::unordered_set<Term> known;
    for (const Rule& rule : rules) {
        if (terms.symbol(rule.head) != keyword::role || terms.arity(rule.head) != 1) continue;
        if (!rule.body.empty() || !terms.is_ground(rule.head)) continue;
        const Term role = terms.argument(rule.head, 0);
        if (known.insert(role).second) roles.push_back(role);
    }
    return roles;
}

}  // namespace stratagem::gdl
