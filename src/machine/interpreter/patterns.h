// All call patterns seen so far, numbered.
#pragma once

#include <deque>
#include <map>

#include "machine/interpreter/code.h"

namespace stratagem::machine::interpreter {

class Patterns {
  public:
    explicit Patterns(const Rulebook& rulebook) : rulebook_(rulebook) {}

    std::uint32_t find_or_add(Predicate predicate, const std::vector<ColumnUse>& columns) {
        const auto [entry, added] =
            numbers_.try_emplace({predicate, columns}, static_cast<std::uint32_t>(patterns_.size()));
        if (!added) return entry->second;
        CallPattern& pattern = patterns_.emplace_back();
        const PredicateInfo& info = rulebook_[predicate];
        pattern.predicate = predicate;
        pattern.columns = columns;
        pattern.level = info.level;
        pattern.component = info.component;
        pattern.recursive = info.recursive;
        for (const ColumnUse use : columns) {
            if (use == ColumnUse::given) ++pattern.given;
            if (use == ColumnUse::wanted) ++pattern.wanted;
        }
        return entry->second;
    }

    CallPattern& operator[](std::uint32_t number) { return patterns_[number]; }
    const CallPattern& operator[](std::uint32_t number) const { return patterns_[number]; }
    std::size_t size() const { return patterns_.size(); }

  private:
    const Rulebook& rulebook_;
    std::deque<CallPattern> patterns_;  // a deque: code under execution must stay where it is
    std::map<std::pair<Predicate, std::vector<ColumnUse>>, std::uint32_t> numbers_;
};

}  // namespace stratagem::machine::interpreter
