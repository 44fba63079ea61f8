#include "machine/fingerprint.h"

#include <fmt/format.h>

#include <string_view>

#include "gdl/print.h"
#include "util/fnv_hash.h"

namespace stratagem::machine {

namespace {

using ground::index;

// Two sums over the same numbers that start and mix differently.
class Sum {
  public:
    void add(std::uint64_t number) {
        sum_.high = combine_hashes(sum_.high, number);
        sum_.low = combine_hashes(sum_.low, ~number * 0x9E3779B97F4A7C15ULL);
    }
    void add(std::string_view text) {
        add(text.size());
        for (; text.size() >= 8; text.remove_prefix(8)) add(bytes(text.substr(0, 8)));
        if (!text.empty()) add(bytes(text));
    }
    Fingerprint result() const { return sum_; }

  private:
    static std::uint64_t bytes(std::string_view text) {
        std::uint64_t number = 0;
        for (const char c : text) number = number << 8 | static_cast<unsigned char>(c);
        return number;
    }

    Fingerprint sum_{0x243F6A8885A308D3ULL, 0x13198A2E03707344ULL};
};

}  // namespace

std::string Fingerprint::to_text() const { return fmt::format("{:016x}{:016x}", high, low); }

Fingerprint fingerprint_of(const ground::Program& program) {
    Sum sum;
    sum.add(program.roles.size());
    for (const gdl::Term role : program.roles) sum.add(gdl::to_kif(program.terms, role));
    sum.add(program.fluents.size());
    for (const gdl::Term fluent : program.fluents) sum.add(gdl::to_kif(program.terms, fluent));
    sum.add(program.moves.size());
    for (const ground::GroundMove& move : program.moves) {
        sum.add(index(move.role));
        sum.add(gdl::to_kif(program.terms, move.term));
    }
    sum.add(program.initial.size());
    for (const ground::Fluent fluent : program.initial) sum.add(index(fluent));
    for (const ground::Atom atom : program.next) sum.add(index(atom));
    for (const ground::Atom atom : program.legal) sum.add(index(atom));
    for (const ground::GoalEntry& goal : program.goals) {
        sum.add(index(goal.role));
        sum.add(static_cast<std::uint64_t>(goal.value));
        sum.add(index(goal.atom));
    }
    sum.add(index(program.terminal));
    for (std::size_t rule = 0; rule < program.rule_count(); ++rule) {
        sum.add(index(program.head(rule)));
        sum.add(program.body(rule).size());
        for (const ground::Condition condition : program.body(rule)) sum.add(condition.code());
    }
    // What analysis finds depends on them too.
    for (const ground::StaticRelation& relation : program.statics) {
        sum.add(program.terms.symbols().name(relation.symbol()));
        sum.add(std::uint64_t{relation.arity()});
        sum.add(std::uint64_t{relation.complete()});
        sum.add(relation.size());
        for (std::size_t i = 0; i < relation.size(); ++i) {
            for (const gdl::Term term : relation.tuple(i)) sum.add(gdl::to_kif(program.terms, term));
        }
    }
    return sum.result();
}

}  // namespace stratagem::machine
