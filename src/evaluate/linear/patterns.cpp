#include "evaluate/linear/patterns.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "machine/random.h"

namespace stratagem::evaluate::linear {

namespace {

std::size_t contents_of(const Cells& cells, const Pattern& pattern, std::size_t most) {
    std::size_t result = 1;
    for (const std::uint32_t cell : pattern) result = std::min(most + 1, result * cells.contents(cell));
    return result;
}

// The cells that a rule asks for, its conditions written out.
class Asked {
  public:
    Asked(const Cells& cells, const analysis::RuleIndex& rules, const ground::Program& program,
          const std::vector<bool>& of_turns, std::size_t most_cells)
        : cells_(cells),
          rules_(rules),
          program_(program),
          of_turns_(of_turns),
          most_cells_(most_cells),
          known_(program.atom_count()) {}

    // One for each way to write the rule out; none of more cells than wanted.
    std::vector<Pattern> of_rule(std::size_t rule, std::size_t depth = 0) {
        std::vector<Pattern> result{{}};
        for (const ground::Condition condition : program_.body(rule)) {
            const std::vector<Pattern> more = of_atom(condition.atom(), depth);
            if (more.empty() || result.size() * more.size() > most_ways) continue;
            std::vector<Pattern> joined;
            for (const Pattern& one : result) {
                for (const Pattern& other : more) {
                    Pattern both;
                    std::ranges::set_union(one, other, std::back_inserter(both));
                    if (both.size() <= most_cells_) joined.push_back(std::move(both));
                }
            }
            result = std::move(joined);
        }
        return result;
    }

  private:
    static constexpr std::size_t most_ways = 16, deepest = 4;

    // None for what is not looked into.
    std::vector<Pattern> of_atom(ground::Atom atom, std::size_t depth) {
        const std::uint32_t number = ground::index(atom);
        if (number < program_.first_move_atom()) {
            const std::uint32_t cell = cells_.cell_of(machine::Fluent{number});
            return of_turns_[cell] ? std::vector<Pattern>{} : std::vector<Pattern>{{cell}};
        }
        if (number < program_.first_derived() || depth == deepest) return {};
        if (known_[number]) return *known_[number];
        const auto rules = rules_.rules(atom);
        known_[number].emplace();  // of itself it says nothing
        if (rules.size() > most_ways) return {};
        std::vector<Pattern> result;
        for (const std::uint32_t rule : rules) {
            for (Pattern& pattern : of_rule(rule, depth + 1)) {
                if (!pattern.empty()) result.push_back(std::move(pattern));
            }
        }
        std::ranges::sort(result);
        result.erase(std::unique(result.begin(), result.end()), result.end());
        if (result.size() > most_ways) result.clear();
        known_[number] = result;
        return result;
    }

    const Cells& cells_;
    const analysis::RuleIndex& rules_;
    const ground::Program& program_;
    const std::vector<bool>& of_turns_;
    std::size_t most_cells_;
    std::vector<std::optional<std::vector<Pattern>>> known_;  // by atom
};

}  // namespace

std::vector<Pattern> patterns_of_rules(const Cells& cells, const std::vector<bool>& of_turns,
                                       const analysis::Findings& analysis, const PatternLimits& limits,
                                       const machine::Stop& stop) {
    const ground::Program& program = *analysis.program();
    const std::shared_ptr<const analysis::RuleIndex> rules = analysis::shared_rules(&analysis, analysis.program());
    Asked asked(cells, *rules, program, of_turns, limits.most_cells);
    std::map<Pattern, std::size_t> found;  // in how many rules
    for (std::size_t rule = 0; rule < program.rule_count() && !stop.now(); ++rule) {
        for (Pattern& pattern : asked.of_rule(rule)) {
            if (pattern.size() > 1 && contents_of(cells, pattern, limits.most_contents) <= limits.most_contents) {
                ++found[std::move(pattern)];
            }
        }
    }
    std::vector<std::pair<Pattern, std::size_t>> ranked(found.begin(), found.end());
    // Larger ones first: they hold what smaller ones do.
    std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) {
        return std::pair(a.first.size(), a.second) > std::pair(b.first.size(), b.second);
    });
    std::vector<Pattern> result;
    for (auto& [pattern, count] : ranked) {
        if (static_cast<double>(result.size()) >= limits.asked * static_cast<double>(cells.size())) break;
        result.push_back(std::move(pattern));
    }
    return result;
}

std::vector<Pattern> walks(const Cells& cells, const std::vector<Pattern>& asked, const PatternLimits& limits,
                           std::uint64_t seed) {
    std::vector<std::set<std::uint32_t>> neighbours(cells.size());
    for (const Pattern& pattern : asked) {
        // Two cells are neighbours where a rule asks for nothing between them; of a line of four only the whole is
        // known, so its cells are neighbours all.
        for (const std::uint32_t one : pattern) {
            for (const std::uint32_t other : pattern) {
                if (one != other) neighbours[one].insert(other);
            }
        }
    }
    machine::Random random(seed);
    std::vector<Pattern> result;
    const std::set<Pattern> known(asked.begin(), asked.end());
    std::set<Pattern> seen = known;
    const auto wanted =
        std::min(limits.most_patterns, static_cast<std::size_t>(limits.walks * static_cast<double>(cells.size())));
    std::vector<std::uint32_t> starts;
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
        if (!neighbours[cell].empty()) starts.push_back(cell);
    }
    for (std::size_t i = 0, tries = 0; !starts.empty() && result.size() < wanted && tries < 4 * wanted; ++tries) {
        Pattern pattern{starts[i++ % starts.size()]};
        while (pattern.size() < limits.most_walk) {
            std::vector<std::uint32_t> ways;
            for (const std::uint32_t next : neighbours[pattern.back()]) {
                if (std::ranges::find(pattern, next) == pattern.end()) ways.push_back(next);
            }
            if (ways.empty()) break;
            pattern.push_back(ways[random.below(static_cast<std::uint32_t>(ways.size()))]);
            if (contents_of(cells, pattern, limits.most_contents) > limits.most_contents) {
                pattern.pop_back();
                break;
            }
        }
        std::ranges::sort(pattern);
        if (pattern.size() > 1 && seen.insert(pattern).second) result.push_back(std::move(pattern));
    }
    return result;
}

std::vector<Pattern> one_of_each(const std::vector<Exchange>& kept, const Cells& cells,
                                 const std::vector<Pattern>& patterns, std::size_t most, Room& room) {
    std::vector<Pattern> result;
    std::set<Pattern> done;
    for (const Pattern& pattern : patterns) {
        if (done.contains(pattern)) continue;
        for (const Exchange& one : kept) {
            Pattern image;
            for (const std::uint32_t cell : pattern) {
                image.push_back(
                    cells.cell_of(machine::Fluent{one.fluents[ground::index(cells.fluents(cell).front())]}));
            }
            std::ranges::sort(image);
            done.insert(std::move(image));
        }
        const std::size_t of_one = contents_of(cells, pattern, room.contents);
        // At least one look at each, however many symmetries there are.
        if (result.size() * kept.size() >= most || kept.size() > room.looks || of_one > room.contents) continue;
        room.looks -= kept.size();
        room.contents -= of_one;
        result.push_back(pattern);
    }
    return result;
}

}  // namespace stratagem::evaluate::linear
