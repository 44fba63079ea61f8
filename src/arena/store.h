// Where matches are kept: one SQLite file that survives whatever ends the program.
//
// A match is inserted with everything that belongs to it in one transaction when it has ended; there is nothing to
// repair after a crash. A run is what matches belong to: a tournament, found again by its key, in which each number is
// there once or not at all; or the matches of one command, which start a new run each time.
#pragma once

#include <cstdint>
#include <filesystem>
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

    // Makes the file where there is none. Throws StoreError, also for a file that is something else or of a version
    // not yet known here; so does everything below.
    explicit Store(const std::filesystem::path& file);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // The run with this key, or a new one. `spec` says for people what it is.
    Run open(const std::string& key, const std::string& spec);
    // A new one.
    Run begin(const std::string& spec);

    // False, and nothing is changed, when this number is there already.
    bool add(Run run, const StoredMatch& match, const MatchRecord& record);

    // In ascending order.
    std::vector<std::size_t> numbers(Run run);
    std::vector<StoredMatch> matches(Run run);
    std::optional<MatchRecord> record(Run run, std::size_t number);

  private:
    class Database;
    std::unique_ptr<Database> database_;
};

}  // namespace stratagem::arena
