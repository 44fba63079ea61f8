// The searches there are, under the names people choose them by, with their options. Adding one touches its own folder
// and the table in registry.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "analysis/analysis.h"
#include "evaluate/evaluator.h"
#include "machine/game.h"
#include "search/search.h"
#include "util/options.h"

namespace stratagem::search {

// A game made ready for searching. Lives as long as the searches made from it.
struct Problem {
    std::shared_ptr<const machine::Game> game;
    std::shared_ptr<const analysis::Analysis> analysis;    // what is known of it; null: nobody asks
    analysis::GameKind facts;                              // of that, what decides how to search
    std::shared_ptr<const evaluate::Evaluator> evaluator;  // never null; the constant one if there is no better
};

struct SearchSettings {
    std::uint64_t seed = 1;
    std::size_t threads = 1;  // one thread: the same search in every run
    std::size_t table_megabytes = 256;
    const std::atomic<bool>* interrupt = nullptr;  // ends what is made ready beforehand; not used afterwards
    // Ends what a search prepares while it is made, with what there is by then.
    Stop stop = {};
    // Options of a search that is used inside of another one; null: their defaults.
    std::function<std::string(std::string_view search)> options_of = {};
    std::function<void(const std::string&)> log = {};  // called while the search is made; may be empty
};

// SearchEntry::asks of searches that never do.
constexpr std::string_view never_asks = "never";
// Among the facts for conditions on options (OptionValues::unmet): states are judged by more than a constant.
constexpr std::string_view has_evaluator = "an evaluator";

struct SearchEntry {
    std::string_view name;
    std::string_view about;
    std::span<const Option> options;
    bool (*can_handle)(const analysis::GameKind&);
    std::unique_ptr<Search> (*make)(const Problem&, const SearchSettings&, const OptionValues&);
    // The condition on its options under which the evaluator is asked at all; empty: always.
    std::string_view asks = {};
    // Options with other defaults where there is an evaluator that knows something.
    std::string_view with_evaluator = {};
};

std::span<const SearchEntry> search_table();
const SearchEntry* find_search(std::string_view name);

}  // namespace stratagem::search
