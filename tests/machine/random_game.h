// Random small games for tests that compare two ways of running rules: stratified, safe, with finitely many terms, and
// otherwise as unreasonable as possible (recursion through the state and through moves, or inside or, negated distinct,
// function terms in every place, whole fluents and moves as variables, roles that get stuck, no or several goals).
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

namespace stratagem::machine::testing {

class RandomGame {
  public:
    explicit RandomGame(std::uint64_t seed) : random_(seed) {}

    std::string rules() {
        std::string text = "(role r) (role s) (d a) (d b) (d c) (t a) (t (h a)) (t (h b))";
        for (const char* fluent : {"on", "(f a)", "(f c)", "(g a (h b))"}) text += fmt::format(" (whole {})", fluent);
        for (int i = 0; i < 4; ++i) text += fmt::format(" (e {} {})", constant(), constant());
        for (int i = 0; i < 2; ++i) text += fmt::format(" (init (f {}))", constant());
        for (int i = 0; i < 3; ++i) text += fmt::format(" (init (g {} (h {})))", constant(), constant());
        if (below(2) == 0) text += " (init on)";
        text += " (init (turn r))";
        for (const Family family : {Family::fixed, Family::state, Family::moves}) {
            for (int relation = 0; relation < relation_count; ++relation) {
                for (int i = 0; i <= below(3); ++i) add(text, family, relation, head_of(family, relation));
            }
        }
        text += "\n(<= (next (turn s)) (true (turn r)))\n(<= (next (turn r)) (true (turn s)))";
        for (const char* role : {"r", "s"}) {
            if (below(4) != 0) text += fmt::format("\n(legal {} noop)", role);
            add_asked(text, Family::state, fmt::format("(legal {} (m {}))", role, term()));
            add_asked(text, Family::state, fmt::format("(legal {} (put {} (h {})))", role, term(), term()));
            for (const char* value : {"0", "50", "100"}) {
                add_asked(text, Family::state, fmt::format("(goal {} {})", role, value));
            }
        }
        if (below(2) == 0) add_asked(text, Family::state, "(legal ?v0 (m ?v1)) (role ?v0)");
        for (int i = 0; i < 3; ++i) add_asked(text, Family::moves, fmt::format("(next (f {}))", term()));
        for (int i = 0; i < 3; ++i) {
            add_asked(text, Family::moves, fmt::format("(next (g {} (h {})))", term(), term()));
        }
        // A frame rule: everything stays unless a move says otherwise.
        text += "\n(<= (next (g ?x ?y)) (true (g ?x ?y)) (not (does r (m ?x))))";
        add_asked(text, Family::moves, "(next on)");
        add_asked(text, Family::state, "(terminal) (true (f a)) (true (turn s))");
        return text;
    }

  private:
    // Relations that may ask for nothing of the state, for the state, and for moves too.
    enum class Family { fixed, state, moves };
    static constexpr int relation_count = 6;
    static int stratum(int relation) { return relation / 2; }
    static int arity(int relation) { return relation % 3; }
    static char letter(Family family) { return family == Family::fixed ? 'u' : family == Family::state ? 'p' : 'q'; }

    int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
    std::string constant() { return std::string(1, static_cast<char>('a' + below(3))); }
    std::string term() { return below(5) == 0 ? constant() : fmt::format("?v{}", below(4)); }

    std::string call(Family family, int relation, bool packed) {
        if (arity(relation) == 0) return fmt::format("{}{}", letter(family), relation);
        std::string text = fmt::format("({}{}", letter(family), relation);
        for (int i = 0; i < arity(relation); ++i) {
            // Some relations hold function terms at one place, so that taking them apart is tried.
            const bool wrap = packed && i == 0 && relation >= 4;
            text += wrap ? fmt::format(" (h {})", term()) : " " + term();
        }
        return text + ")";
    }
    std::string head_of(Family family, int relation) { return call(family, relation, true); }

    std::string atom(Family family, int lowest_forbidden) {
        const int kind = below(family == Family::moves ? 10 : family == Family::state ? 8 : 4);
        switch (kind) {
            case 0:
                return fmt::format("(e {} {})", term(), term());
            case 4:
                return fmt::format("(true (f {}))", term());
            case 5:
                return fmt::format("(true (g {} (h {})))", term(), term());
            case 6:
                return below(2) == 0 ? "(true on)" : fmt::format("(true (g {} {}))", term(), term());
            case 7:
                return below(3) == 0 ? "(true ?w)" : fmt::format("(true (f {}))", term());
            case 8:
                return fmt::format("(does r (m {}))", term());
            case 9:
                return below(2) == 0
                           ? fmt::format("(does {} (put {} (h {})))", below(2) == 0 ? "r" : "s", term(), term())
                           : fmt::format("(does s {})", below(2) == 0 ? "noop" : "?m");
            default:
                break;
        }
        // A relation of this family below the limit, or any of an earlier family.
        const auto chosen = below(2) == 0 ? family : static_cast<Family>(below(static_cast<int>(family) + 1));
        if (chosen != family) return call(chosen, below(relation_count), below(2) == 0);
        if (lowest_forbidden == 0) return fmt::format("(e {} {})", term(), term());
        return call(family, below(lowest_forbidden), below(2) == 0);
    }

    std::string literal(Family family, int relation, int depth) {
        const int same = (stratum(relation) + 1) * 2;
        const int lower = stratum(relation) * 2;
        switch (below(depth > 0 ? 12 : 7)) {
            case 0:
                return fmt::format("(distinct {} {})", term(), term());
            case 1:
                return fmt::format("(not {})", atom(family, lower));
            case 2:
                return fmt::format("(not (distinct {} {}))", term(), term());
            case 7:
            case 8:
                return fmt::format("(or {} {})", literal(family, relation, depth - 1),
                                   literal(family, relation, depth - 1));
            case 9:
                return fmt::format("(not (and {} {}))", atom(family, lower), atom(family, lower));
            case 10:
                return fmt::format("(not (or {} {}))", atom(family, lower), atom(family, lower));
            case 11:
                return fmt::format("(or (and {} {}) {})", literal(family, relation, depth - 1),
                                   literal(family, relation, depth - 1), literal(family, relation, depth - 1));
            default:
                return atom(family, same);
        }
    }

    std::string guard(Family family, const std::string& variable) {
        if (variable == "?w") return "(whole ?w)";
        if (variable == "?m") return "(d ?n) (not (distinct ?m (m ?n))) (legal s ?m)";
        switch (below(family == Family::fixed ? 4 : 5)) {
            case 0:
                return fmt::format("(t {})", variable);
            case 1:
                return fmt::format("(or (d {0}) (e {0} a))", variable);
            case 2:
                return fmt::format("(e {} {})", variable, below(2) == 0 ? variable : constant());
            case 4:
                return fmt::format("(or (t {0}) (true (f {0})))", variable);
            default:
                return fmt::format("(d {})", variable);
        }
    }

    // Safe, since every variable is in a guard; guards come first or last.
    void add(std::string& text, Family family, int relation, const std::string& head) {
        std::string body;
        for (int i = 0; i <= below(4); ++i) body += " " + literal(family, relation, 2);
        std::string guards;
        for (const char* variable : {"?v0", "?v1", "?v2", "?v3", "?w", "?m"}) {
            if ((head + body).find(variable) != std::string::npos) guards += " " + guard(family, variable);
        }
        // The head may bring conditions of its own.
        const std::size_t end = head.find(") (");
        const std::string own = end == std::string::npos ? "" : head.substr(end + 1);
        text += fmt::format("\n(<= {}{}{})", end == std::string::npos ? head : head.substr(0, end + 1), own,
                            below(2) == 0 ? guards + body : body + guards);
    }
    // Heads that no rule asks for stand above all strata.
    void add_asked(std::string& text, Family family, const std::string& head) {
        add(text, family, relation_count, head);
    }

    std::mt19937_64 random_;
};

}  // namespace stratagem::machine::testing
