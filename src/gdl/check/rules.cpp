// Single rules that do nothing: repeated ones, ones whose conditions exclude each other, ones that assume what they
// say.
#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gdl/check/passes.h"
#include "gdl/check/walk.h"

namespace stratagem::gdl::passes {

namespace {

// The rule as a word over numbers; equal words for equal rules, since terms are stored once.
void spell(const Literal& literal, std::u32string& word) {
    word += static_cast<char32_t>(literal.kind);
    if (literal.parts.empty()) {
        word += static_cast<char32_t>(index(literal.atom));
        return;
    }
    word += static_cast<char32_t>(literal.parts.size());
    for (const Literal& part : literal.parts) spell(part, word);
}

void check_repeated(const Context& context) {
    std::unordered_map<std::u32string, Node> known;
    std::vector<std::uint32_t> facts(context.terms.size(), 0);  // by term: number of the rule that states it, from 1
    for (std::uint32_t i = 0; i < context.description.rules.size(); ++i) {
        const Rule& rule = context.description.rules[i];
        if (rule.body.empty()) {
            std::uint32_t& first = facts[index(rule.head)];
            if (first == 0) {
                first = i + 1;
                continue;
            }
            const Node place = context.description.rules[first - 1].node;
            context.report("W707", rule.node, fmt::format("this fact repeats the one in {}", context.line(place)));
            continue;
        }
        std::u32string word(1, static_cast<char32_t>(index(rule.head)));
        for (const Literal& literal : rule.body) spell(literal, word);
        const auto [place, added] = known.try_emplace(std::move(word), rule.node);
        if (added) continue;
        context.report("W707", rule.node, fmt::format("this rule repeats the one in {}", context.line(place->second)));
    }
}

class ConditionPass {
  public:
    explicit ConditionPass(const Context& context) : context_(context), required_(context.terms.size(), 0) {}

    void run() {
        for (const Rule& rule : context_.description.rules) {
            if (rule.body.empty()) continue;
            ++round_;
            for (const Literal& literal : rule.body) collect(literal);
            if (required(rule.head)) {
                context_.report("W714", rule.head_node, "the head of this rule is one of its own conditions");
            }
            for (const Literal& literal : rule.body) judge(literal);
        }
    }

  private:
    // The atoms that must hold for the body to hold.
    void collect(const Literal& literal) {
        if (literal.kind == Literal::Kind::atom) required_[index(literal.atom)] = round_;
        if (literal.kind != Literal::Kind::conjunction) return;
        for (const Literal& part : literal.parts) collect(part);
    }

    void judge(const Literal& literal) {
        switch (literal.kind) {
            case Literal::Kind::atom:
                break;
            case Literal::Kind::distinct:
                if (left(literal) == right(literal)) {
                    context_.report("W709", literal.node, "distinct never holds for two equal terms");
                }
                break;
            case Literal::Kind::negation:
                judge_negation(literal);
                break;
            case Literal::Kind::conjunction:
            case Literal::Kind::disjunction:
                for (const Literal& part : literal.parts) judge(part);
                break;
        }
    }

    void judge_negation(const Literal& literal) {
        const Literal& inner = literal.parts.front();
        if (inner.kind == Literal::Kind::atom && required(inner.atom)) {
            context_.report("W709", literal.node, "this negation excludes another condition of the rule",
                            "both can never hold together; remove one of them");
        }
        if (inner.kind == Literal::Kind::distinct && left(inner) != right(inner) &&
            context_.terms.is_ground(inner.atom)) {
            context_.report("W709", literal.node,
                            "the two terms are different, so the negation of distinct never holds");
        }
    }

    bool required(Term atom) const { return required_[index(atom)] == round_; }
    Term left(const Literal& literal) const { return context_.terms.argument(literal.atom, 0); }
    Term right(const Literal& literal) const { return context_.terms.argument(literal.atom, 1); }

    const Context& context_;
    std::vector<std::uint32_t> required_;  // by term: the last rule that requires it, counted in round_
    std::uint32_t round_ = 0;
};

}  // namespace

void check_rules(const Context& context) {
    check_repeated(context);
    ConditionPass(context).run();
}

}  // namespace stratagem::gdl::passes
