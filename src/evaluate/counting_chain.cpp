#include "evaluate/counting_chain.h"

#include <map>
#include <optional>
#include <set>

#include "evaluate/same_conditions.h"

namespace stratagem::evaluate {

namespace {

constexpr std::size_t most_rules = 300'000;  // looked at in all
constexpr std::size_t most_links = 1024;
constexpr std::size_t most_depth = 8;  // of steps that are chains themselves
constexpr std::size_t least_links = 2;

}  // namespace

class ChainFinder::Walk {
  public:
    Walk(const analysis::RuleIndex& rules, const machine::Stop& stop)
        : rules_(rules), program_(rules.program()), stop_(stop), same_(rules) {}

    const CountingChain& find(std::span<const Counted> says, std::span<const std::uint32_t> place_of) {
        std::pair<const std::uint32_t*, std::vector<std::pair<Atom, std::uint32_t>>> key{place_of.data(), {}};
        for (const Counted& one : says) key.second.emplace_back(one.atom, one.place);
        const auto [known, added] = known_.try_emplace(std::move(key));
        if (added) known->second = find_new(says, place_of);
        return known->second;
    }

  private:
    CountingChain find_new(std::span<const Counted> says, std::span<const std::uint32_t> place_of) {
        place_of_ = place_of;
        start_ = nowhere;
        std::vector<Link> links;
        if (!collect({says.begin(), says.end()}, nowhere, 0, links)) return {};
        if (std::ranges::all_of(links, never_fails)) return {};
        return assembled(links);
    }

    using Codes = SameConditions::Codes;
    // How often conditions change the number by how much: where the order ends it may be less.
    using Link = std::map<Codes, std::map<std::int64_t, std::size_t>>;
    struct Rule {
        std::uint32_t place = 0;
        std::span<const ground::Condition> body;
    };
    // Conditions that are alike in all rules: a relation and, where there are several of it, an argument that tells
    // them apart.
    struct Slot {
        gdl::Symbol symbol{};
        std::uint32_t arity = 0;
        std::uint32_t argument = nowhere;
        gdl::Term value{};
    };
    // What the number was before, by rule.
    using Before = std::vector<Counted>;

    bool is_derived(Atom atom) const { return ground::index(atom) >= program_.first_derived(); }
    gdl::Term term(Atom atom) const { return program_.derived[ground::index(atom) - program_.first_derived()]; }
    gdl::Term argument(Atom atom, std::uint32_t which) const { return program_.terms.argument(term(atom), which); }
    std::uint32_t place(Atom atom, std::uint32_t which) const { return place_of_[gdl::index(argument(atom, which))]; }

    // From the top down, until nothing was counted before. `start`: the number before all of it, or nowhere where that
    // is to be found. False where it is no chain, or too long.
    bool collect(std::vector<Counted> family, std::uint32_t start, std::size_t depth, std::vector<Link>& links) {
        while (links.size() < most_links && !stop_.now()) {
            const std::optional<std::vector<Rule>> rules = rules_of(family);
            if (!rules || rules->empty()) return false;
            const std::optional<Before> before = find_before(family, *rules);
            if (!before) {
                if (start == nowhere) start = start_ = first_place(*rules, links);
                links.push_back(link(*rules, Before(rules->size(), Counted{Atom::none, start})));
                return true;
            }
            if (!take_apart(*rules, *before, depth, links)) links.push_back(link(*rules, *before));
            std::map<Atom, std::uint32_t> below;
            for (const Counted& one : *before) below[one.atom] = one.place;
            family.clear();
            for (const auto& [atom, at] : below) family.push_back({atom, at});
        }
        return false;
    }

    // The number before the first step is nowhere in the rules: the least of those after it, or the greatest if the
    // others count down.
    static std::uint32_t first_place(const std::vector<Rule>& rules, const std::vector<Link>& links) {
        std::int64_t up = 0;
        for (const Link& link : links) {
            for (const auto& [conditions, changes] : link) up += most_frequent(changes);
        }
        return up < 0 ? std::ranges::max(rules, {}, &Rule::place).place
                      : std::ranges::min(rules, {}, &Rule::place).place;
    }

    static std::int64_t most_frequent(const std::map<std::int64_t, std::size_t>& changes) {
        return std::ranges::max_element(changes, {}, [](const auto& one) { return one.second; })->first;
    }

    std::optional<std::vector<Rule>> rules_of(std::span<const Counted> family) {
        std::vector<Rule> result;
        for (const Counted& one : family) {
            if (!is_derived(one.atom) || rules_.recursive(one.atom)) return std::nullopt;
            for (const std::uint32_t rule : rules_.rules(one.atom)) result.push_back({one.place, program_.body(rule)});
        }
        looked_at_ += result.size();
        if (looked_at_ > most_rules) return std::nullopt;
        return result;
    }

    bool fits(const Slot& slot, ground::Condition condition) const {
        if (!condition.positive() || !is_derived(condition.atom())) return false;
        const gdl::Term of = term(condition.atom());
        if (program_.terms.symbol(of) != slot.symbol || program_.terms.arity(of) != slot.arity) return false;
        return slot.argument == nowhere || program_.terms.argument(of, slot.argument) == slot.value;
    }

    // By rule; empty unless there is one in each.
    std::vector<Atom> atoms_in(const Slot& slot, const std::vector<Rule>& rules) const {
        std::vector<Atom> result;
        for (const Rule& rule : rules) {
            Atom found = Atom::none;
            for (const ground::Condition condition : rule.body) {
                if (!fits(slot, condition)) continue;
                if (found != Atom::none) return {};
                found = condition.atom();
            }
            if (found == Atom::none) return {};
            result.push_back(found);
        }
        return result;
    }

    // The atoms of all slots, by rule.
    std::vector<std::vector<Atom>> slots(const std::vector<Rule>& rules) const {
        std::vector<std::vector<Atom>> result;
        const auto try_slot = [&](const Slot& slot) {
            std::vector<Atom> atoms = atoms_in(slot, rules);
            if (atoms.empty()) return false;
            if (std::ranges::find(result, atoms) == result.end()) result.push_back(std::move(atoms));
            return true;
        };
        for (const ground::Condition condition : rules.front().body) {
            if (!condition.positive() || !is_derived(condition.atom())) continue;
            const gdl::Term of = term(condition.atom());
            Slot slot{program_.terms.symbol(of), program_.terms.arity(of), nowhere, {}};
            if (try_slot(slot)) continue;
            for (slot.argument = 0; slot.argument < slot.arity; ++slot.argument) {
                slot.value = program_.terms.argument(of, slot.argument);
                if (try_slot(slot)) break;
            }
        }
        return result;
    }

    // An atom of each rule with an argument that says what the number was, and that is not a step, which would say
    // both. If there are several, that by which what conditions change says most with least.
    std::optional<Before> find_before(std::span<const Counted> family, const std::vector<Rule>& rules) {
        std::set<Atom> own;
        for (const Counted& one : family) own.insert(one.atom);
        std::optional<Before> best;
        std::size_t fewest = 0;
        for (const std::vector<Atom>& atoms : slots(rules)) {
            if (std::ranges::any_of(atoms, [&](Atom atom) { return own.contains(atom) || rules_.recursive(atom); }))
                continue;
            for (const std::uint32_t which : numbers_in(atoms, rules)) {
                Before made;
                for (const Atom atom : atoms) made.push_back({atom, place(atom, which)});
                const std::size_t different = pairs(link(rules, made));
                if (best && fewest <= different) continue;
                best = std::move(made);
                fewest = different;
            }
        }
        return best;
    }

    static std::size_t pairs(const Link& link) {
        std::size_t sum = 0;
        for (const auto& [conditions, changes] : link) sum += changes.size();
        return sum;
    }

    // The arguments that may be the number before.
    std::vector<std::uint32_t> numbers_in(const std::vector<Atom>& atoms, const std::vector<Rule>& rules) const {
        std::vector<std::uint32_t> varying, result;
        bool says_after = false;
        const std::uint32_t arity = program_.terms.arity(term(atoms.front()));
        for (std::uint32_t k = 0; k < arity; ++k) {
            const auto same = [&](Atom atom) { return argument(atom, k) == argument(atoms.front(), k); };
            if (std::ranges::all_of(atoms, same)) continue;
            varying.push_back(k);
            bool after = true, known = true;
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                known = known && place(atoms[i], k) != nowhere;
                after = after && place(atoms[i], k) == rules[i].place;
            }
            says_after = says_after || after;
            if (known) result.push_back(k);
        }
        if (says_after && varying.size() > 1) return {};
        return result;
    }

    Link link(const std::vector<Rule>& rules, const Before& before) {
        Link made;
        for (std::size_t i = 0; i < rules.size(); ++i) {
            const std::int64_t change = std::int64_t{rules[i].place} - before[i].place;
            ++made[same_.codes(rules[i].body, before[i].atom)][change];
        }
        return made;
    }

    // Steps that are chains themselves, and numbers that are added: looked at for one number before, since they do the
    // same with the others.
    bool take_apart(const std::vector<Rule>& rules, const Before& before, std::size_t depth, std::vector<Link>& links) {
        if (depth == most_depth) return false;
        std::map<Atom, std::vector<Counted>> steps;  // by atom before: other atoms, and the changes that they make
        std::map<Atom, std::uint32_t> from;
        for (std::size_t i = 0; i < rules.size(); ++i) {
            if (rules[i].body.size() != 2) return false;
            const bool second = rules[i].body[0].atom() == before[i].atom;
            const ground::Condition other = rules[i].body[second ? 1 : 0];
            if (!other.positive() || !is_derived(other.atom())) return false;
            steps[before[i].atom].push_back({other.atom(), rules[i].place - before[i].place});
            from[before[i].atom] = before[i].place;
        }
        // Where the order does not cut it short: with the most ways to go on, the least of those.
        const auto best = std::ranges::min_element(steps, {}, [&](const auto& one) {
            return std::pair(-static_cast<std::int64_t>(one.second.size()), from.at(one.first));
        });
        const std::optional<std::pair<std::vector<Counted>, std::uint32_t>> number = number_of(best->second);
        std::vector<Link> inner;
        if (!number || !collect(number->first, number->second, depth + 1, inner)) return false;
        if (inner.size() < least_links) return false;
        links.insert(links.end(), inner.begin(), inner.end());
        return true;
    }

    // What these atoms say, if that is the change and a number that is always the same: with this number.
    std::optional<std::pair<std::vector<Counted>, std::uint32_t>> number_of(std::span<const Counted> steps) const {
        const gdl::Term first = term(steps.front().atom);
        const auto alike = [&](const Counted& one) {
            return program_.terms.symbol(term(one.atom)) == program_.terms.symbol(first) &&
                   program_.terms.arity(term(one.atom)) == program_.terms.arity(first);
        };
        const auto same_change = [&](const Counted& one) { return one.place == steps.front().place; };
        if (!std::ranges::all_of(steps, alike) || std::ranges::all_of(steps, same_change)) return std::nullopt;
        for (std::uint32_t k = 0; k < program_.terms.arity(first); ++k) {
            std::vector<Counted> says;
            for (const Counted& one : steps) says.push_back({one.atom, place(one.atom, k)});
            const std::uint32_t always =
                says.front().place - steps.front().place;  // changes may be negative: modulo 2^32
            bool fits = true;
            for (std::size_t i = 0; i < says.size(); ++i) {
                fits = fits && says[i].place != nowhere && says[i].place - steps[i].place == always;
            }
            if (fits) return std::pair(std::move(says), always);
        }
        return std::nullopt;
    }

    // One of its steps holds in every state.
    static bool never_fails(const Link& link) {
        return std::ranges::any_of(link, [&](const auto& step) {
            const Codes& codes = step.first;
            return codes.empty() || (codes.size() == 1 && link.contains(Codes{!codes.front()}));
        });
    }

    CountingChain assembled(const std::vector<Link>& links) const {
        CountingChain made;
        made.start = start_;
        std::uint32_t number = 0;
        for (const Link& link : links) {
            std::vector<std::pair<std::int64_t, const Codes*>> steps;
            for (const auto& [conditions, changes] : link) {
                const std::int64_t change = most_frequent(changes);
                if (change != 0) steps.emplace_back(change, &conditions);
            }
            std::ranges::stable_sort(steps, std::greater{}, [](const auto& one) { return one.first; });
            for (const auto& [change, conditions] : steps) {
                const auto first = static_cast<std::uint32_t>(made.conditions.size());
                made.conditions.insert(made.conditions.end(), conditions->begin(), conditions->end());
                const auto end = static_cast<std::uint32_t>(made.conditions.size());
                made.steps.push_back({number, static_cast<std::int32_t>(change), first, end});
            }
            number += steps.empty() ? 0 : 1;
        }
        return number < least_links ? CountingChain{} : made;
    }

    const analysis::RuleIndex& rules_;
    const ground::Program& program_;
    const machine::Stop& stop_;
    SameConditions same_;
    std::span<const std::uint32_t> place_of_;  // of what is looked for
    std::uint32_t start_ = nowhere;            // of the whole chain, once it is known
    std::size_t looked_at_ = 0;
    // What was found, by order and what says the number: several comparisons may be about one number.
    std::map<std::pair<const std::uint32_t*, std::vector<std::pair<Atom, std::uint32_t>>>, CountingChain> known_;
};

ChainFinder::ChainFinder(const analysis::RuleIndex& rules, const machine::Stop& stop)
    : walk_(std::make_unique<Walk>(rules, stop)) {}
ChainFinder::~ChainFinder() = default;

CountingChain ChainFinder::find(std::span<const Counted> says, std::span<const std::uint32_t> place_of) {
    return walk_->find(says, place_of);
}

}  // namespace stratagem::evaluate
