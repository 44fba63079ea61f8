// Other names, other order, same game.
//
// Which numbers mean themselves? Those that may become the value of a goal. They are found by a flow analysis that
// ignores direction: argument positions are joined (union-find) whenever a variable of a rule stands in both, and a
// number is kept when it stands in a position joined with the value of goal. A fluent's arguments are the same
// positions in init, true, next and base, a move's in legal, does and input.
#include "gdl/scramble.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "gdl/format.h"
#include "gdl/print.h"
#include "gdl/read.h"
#include "util/contract.h"

namespace stratagem::gdl {

namespace {

// The standard fixes the numbers of the engine but not those of its distributions and shuffles; a seed must mean the
// same everywhere, so both are written out here.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    // Uniform in [0, bound). Pre: bound > 0.
    std::uint64_t below(std::uint64_t bound) {
        STRATAGEM_EXPECTS(bound > 0);
        const std::uint64_t rest = (0 - bound) % bound;  // 2^64 mod bound: the draws below it would be one too many
        for (;;) {
            const std::uint64_t value = engine_();
            if (value >= rest) return value % bound;
        }
    }

    template <typename T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }

  private:
    std::mt19937_64 engine_;
};

class Names {
  public:
    explicit Names(Draw& draw) : draw_(draw) {}

    // A word of syllables, never the same twice and never a keyword.
    std::string fresh() {
        static constexpr std::string_view consonants = "bdfghjklmnprstvwz";
        static constexpr std::string_view vowels = "aeiou";
        std::string name;
        Symbol keyword{};
        std::uint64_t syllables = 2 + draw_.below(2);
        do {
            // Longer after each failure: short names run out in large descriptions.
            name.clear();
            for (std::uint64_t i = 0; i < syllables; ++i) {
                name += consonants[draw_.below(consonants.size())];
                name += vowels[draw_.below(vowels.size())];
            }
            ++syllables;
        } while (keywords_.find(name, keyword) || !used_.insert(name).second);
        return name;
    }

  private:
    Draw& draw_;
    const SymbolTable keywords_;
    std::unordered_set<std::string> used_;
};

bool is_integer(std::string_view name) {
    if (!name.empty() && (name.front() == '-' || name.front() == '+')) name.remove_prefix(1);
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The flow of numbers to the value of goal.
class GoalNumbers {
  public:
    explicit GoalNumbers(const Description& description) : terms_(description.terms) {
        for (const Rule& rule : description.rules) {
            variables_.clear();
            add_arguments(rule.head, true);
            for (const Literal& literal : rule.body) {
                for_each_atom(literal, true, [this](const Literal& part, bool) {
                    // A comparison moves nothing.
                    if (part.kind == Literal::Kind::atom) add_arguments(part.atom, true);
                });
            }
        }
    }

    std::unordered_set<Symbol> kept() {
        std::unordered_set<Symbol> symbols;
        const std::size_t goal = find(node({keyword::goal, 2, 1, true}));
        for (const auto& [position, symbol] : numbers_) {
            if (find(position) == goal) symbols.insert(symbol);
        }
        return symbols;
    }

  private:
    struct Place {
        Symbol name{};
        std::uint32_t arity = 0;
        std::uint32_t position = 0;
        bool of_relation = false;

        bool operator==(const Place&) const = default;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& place) const noexcept {
            constexpr std::size_t factor = 0x9E3779B97F4A7C15ULL;
            std::size_t value = index(place.name);
            for (const std::size_t part :
                 {std::size_t{place.arity}, std::size_t{place.position}, std::size_t{place.of_relation}}) {
                value = (value ^ (value >> 29)) * factor + part;
            }
            return value * factor;
        }
    };

    static Symbol shared_name(Symbol relation) {
        if (relation == keyword::init || relation == keyword::next || relation == keyword::base) return keyword::true_;
        if (relation == keyword::does || relation == keyword::input) return keyword::legal;
        return relation;
    }

    void add_arguments(Term term, bool is_relation) {
        const Symbol name = is_relation ? shared_name(terms_.symbol(term)) : terms_.symbol(term);
        const auto arguments = terms_.arguments(term);
        for (std::uint32_t i = 0; i < arguments.size(); ++i) {
            const std::size_t here = node({name, terms_.arity(term), i, is_relation});
            const Term argument = arguments[i];
            if (terms_.is_variable(argument)) {
                const auto [known, added] = variables_.emplace(argument, here);
                if (!added) join(known->second, here);
            } else if (terms_.arity(argument) > 0) {
                add_arguments(argument, false);
            } else if (is_integer(terms_.symbols().name(terms_.symbol(argument)))) {
                numbers_.emplace_back(here, terms_.symbol(argument));
            }
        }
    }

    std::size_t node(const Place& place) {
        const auto [known, added] = places_.emplace(place, parents_.size());
        if (added) parents_.push_back(parents_.size());
        return known->second;
    }

    std::size_t find(std::size_t item) {
        while (parents_[item] != item) item = parents_[item] = parents_[parents_[item]];
        return item;
    }

    void join(std::size_t a, std::size_t b) { parents_[find(a)] = find(b); }

    const TermPool& terms_;
    std::unordered_map<Place, std::size_t, PlaceHash> places_;
    std::vector<std::size_t> parents_;
    std::unordered_map<Term, std::size_t> variables_;  // of the rule at hand, where first seen
    std::vector<std::pair<std::size_t, Symbol>> numbers_;
};

// Rebuilds rules over another pool, where the symbols have their new names.
class Renamer {
  public:
    Renamer(const Description& description, Draw& draw)
        : terms_(description.terms), words_(terms_.symbols().size(), Fate::unseen), variables_(words_) {
        for (const Symbol symbol : GoalNumbers(description).kept()) words_[index(symbol)] = Fate::kept;
        for (const Rule& rule : description.rules) {
            see(rule.head);
            for (const Literal& literal : rule.body) {
                for_each_atom(literal, true, [this](const Literal& part, bool) { see(part.atom); });
            }
        }
        // In the order of the symbols, which is that of the text: the same text gives the same names.
        Names names(draw);
        for (std::uint32_t i = 0; i < words_.size(); ++i) {
            const std::string_view old_name = terms_.symbols().name(Symbol{i});
            new_words_.push_back(words_[i] == Fate::renamed ? names.fresh() : std::string(old_name));
            new_variables_.push_back(variables_[i] == Fate::renamed ? names.fresh() : std::string());
            const bool listed = words_[i] != Fate::unseen && !is_keyword(Symbol{i});
            if (listed) names_.emplace(old_name, new_words_.back());
        }
    }

    Term rename(Term term) {
        const std::uint32_t symbol = index(terms_.symbol(term));
        if (terms_.is_variable(term)) return renamed_.variable(renamed_.symbols().intern(new_variables_[symbol]));
        std::vector<Term> arguments;
        for (const Term argument : terms_.arguments(term)) arguments.push_back(rename(argument));
        return renamed_.compound(renamed_.symbols().intern(new_words_[symbol]), arguments);
    }

    Literal rename(const Literal& literal) {
        Literal result;
        result.kind = literal.kind;
        const bool has_atom = literal.kind == Literal::Kind::atom || literal.kind == Literal::Kind::distinct;
        if (has_atom) result.atom = rename(literal.atom);
        for (const Literal& part : literal.parts) result.parts.push_back(rename(part));
        return result;
    }

    Rule rename(const Rule& rule) {
        Rule result;
        result.head = rename(rule.head);
        for (const Literal& literal : rule.body) result.body.push_back(rename(literal));
        return result;
    }

    const TermPool& renamed_terms() const { return renamed_; }
    std::map<std::string, std::string> take_names() { return std::move(names_); }

  private:
    enum class Fate : std::uint8_t { unseen, kept, renamed };

    void see(Term term) {
        const Symbol symbol = terms_.symbol(term);
        Fate& fate = (terms_.is_variable(term) ? variables_ : words_)[index(symbol)];
        if (fate == Fate::unseen) {
            fate = is_keyword(symbol) && !terms_.is_variable(term) ? Fate::kept : Fate::renamed;
        }
        for (const Term argument : terms_.arguments(term)) see(argument);
    }

    const TermPool& terms_;
    TermPool renamed_;
    std::vector<Fate> words_;      // by symbol: constants, functors, relations
    std::vector<Fate> variables_;  // by symbol: a variable ?x and a constant x have nothing in common
    std::vector<std::string> new_words_;
    std::vector<std::string> new_variables_;
    std::map<std::string, std::string> names_;
};

// Roles keep their order among themselves: wherever the shuffle put a role comes the next of them.
std::vector<std::size_t> shuffled_order(const Description& description, Draw& draw) {
    std::vector<std::size_t> order(description.rules.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    draw.shuffle(order);
    const auto is_role = [&](std::size_t i) {
        return description.terms.symbol(description.rules[i].head) == keyword::role;
    };
    std::size_t next_role = 0;
    for (std::size_t& i : order) {
        if (!is_role(i)) continue;
        while (!is_role(next_role)) ++next_role;
        i = next_role++;
    }
    return order;
}

}  // namespace

Scrambled scramble(const Description& description, std::uint64_t seed) {
    Draw draw(seed);
    Renamer renamer(description, draw);
    std::string text;
    for (const std::size_t i : shuffled_order(description, draw)) {
        const Rule rule = renamer.rename(description.rules[i]);
        text += to_kif(renamer.renamed_terms(), rule);
        text += '\n';
    }
    Scrambled result;
    result.text = format(read("scrambled", std::move(text), Notation::kif).description, Notation::kif);
    result.names = renamer.take_names();
    return result;
}

}  // namespace stratagem::gdl
