// Where matches are kept: one SQLite file that survives whatever ends the program.
//
// A match is inserted with everything that belongs to it in one transaction when it has ended; there is nothing to
// repair after a crash. A run is what matches belong to: a tournament, found again by its key, in which each number is
// there once or not at all; or the matches of one command, which start a new run each time.
//
// What crashes the program leaves no match behind, so that one would be begun again and again: how often a match was
// begun is written before it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "arena/match.h"
#include "arena/record.h"

namespace stratagem::arena {

struct StoreError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What is counted of a match.
struct StoredMatch {
    std::size_t number = 0;
    std::string game;
    std::uint64_t seed = 0;
    bool complete = false;
    std::size_t steps = 0;
    double seconds = 0;
    std::vector<std::size_t> seating;  // by seat: the number of the player
    std::vector<SeatResult> seats;

    friend bool operator==(const StoredMatch&, const StoredMatch&) = default;
};
StoredMatch summarise(std::size_t number, std::string game, std::vector<std::size_t> seating,
                      const MatchResult& result);

// May be used from several threads, and several processes may have the same file open.
class Store {
  public:
    enum class Run : std::int64_t {};
    enum class Access : std::uint8_t { write, read };

    // Makes the file where there is none, unless it is only read. Throws StoreError, also for a file that is something
    // else or of a version not yet known here; so does everything below.
    explicit Store(const std::filesystem::path& file, Access access = Access::write);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // The run with this key, or a new one. `spec` says for people what it is.
    Run open(const std::string& key, const std::string& spec);
    // A new one.
    Run begin(const std::string& spec);

    // False, and nothing is changed, when this number is there already.
    bool add(Run run, const StoredMatch& match, const MatchRecord& record);

    // Before a match is played: how often it was begun, this time included.
    std::size_t begin_match(Run run, std::size_t number);
    // It was left without a result in good order: that time does not count.
    void withdraw_match(Run run, std::size_t number);
    // Matches that were begun and are not there, with how often.
    std::map<std::size_t, std::size_t> unfinished(Run run);

    // In ascending order.
    std::vector<Run> runs();
    std::vector<std::size_t> numbers(Run run);
    std::vector<StoredMatch> matches(Run run);
    // Throws StoreError for one that is damaged.
    std::optional<MatchRecord> record(Run run, std::size_t number);

    struct Place {
        Run run{};
        std::size_t number = 0;
    };
    // Of the match with this id.
    std::optional<Place> find(const std::string& match_id);

  private:
    class Database;
    std::unique_ptr<Database> database_;
};

}  // namespace stratagem::arena
