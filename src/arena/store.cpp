#include "arena/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <chrono>
#include <concepts>
#include <mutex>
#include <string_view>

namespace stratagem::arena {

namespace {

// "STRM": tells our files from those of others.
constexpr std::int64_t application_id = 0x5354524D;
constexpr std::int64_t schema_version = 2;  // 1 had no rules and no attempts

constexpr const char* schema = R"sql(
CREATE TABLE runs (
    id      INTEGER PRIMARY KEY,
    key     TEXT UNIQUE,           -- of a tournament; none for the matches of one command
    spec    TEXT NOT NULL,
    started INTEGER NOT NULL       -- milliseconds of the time of day
);
CREATE TABLE matches (
    id       INTEGER PRIMARY KEY,
    run      INTEGER NOT NULL REFERENCES runs (id),
    number   INTEGER NOT NULL,     -- in the plan of the run
    game     TEXT NOT NULL,
    seed     INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    steps    INTEGER NOT NULL,
    seconds  REAL NOT NULL,
    record   TEXT NOT NULL,        -- JSON, as published, but for the rules
    UNIQUE (run, number)
);
CREATE TABLE seats (
    match       INTEGER NOT NULL REFERENCES matches (id),
    seat        INTEGER NOT NULL,
    entrant     INTEGER NOT NULL,  -- the number of the player in its run
    player      TEXT NOT NULL,
    role        TEXT NOT NULL,
    score       INTEGER NOT NULL,
    illegal     INTEGER NOT NULL,
    late        INTEGER NOT NULL,
    unreachable INTEGER NOT NULL,
    start_fault INTEGER NOT NULL,
    fallbacks   INTEGER NOT NULL,
    searches    INTEGER NOT NULL,
    states      INTEGER NOT NULL,
    seconds     REAL NOT NULL,
    slowest     REAL NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
)sql";

// The rules of a game are the same in all its matches, and larger than most of their records.
constexpr const char* since_version_2 = R"sql(
CREATE TABLE rules (
    hash TEXT PRIMARY KEY,         -- gameRulesHash of records
    text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE attempts (
    run    INTEGER NOT NULL REFERENCES runs (id),
    number INTEGER NOT NULL,
    begun  INTEGER NOT NULL,       -- how often, of a match that has no end yet
    PRIMARY KEY (run, number)
) WITHOUT ROWID;
)sql";

std::int64_t milliseconds_now() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

// A prepared statement, bound by place and read by column.
class Statement {
  public:
    Statement(sqlite3* database, const char* text) : database_(database) {
        if (sqlite3_prepare_v3(database, text, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr) != SQLITE_OK)
            fail();
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    // Ready to be stepped through with these values.
    template <typename... Values>
    Statement& with(const Values&... values) {
        sqlite3_reset(statement_);
        int place = 0;
        (bind(++place, values), ...);
        return *this;
    }
    // False when there are no more rows.
    bool step() {
        const int code = sqlite3_step(statement_);
        if (code == SQLITE_ROW) return true;
        if (code != SQLITE_DONE) {
            const std::string what = message();
            sqlite3_reset(statement_);
            throw StoreError(what);
        }
        sqlite3_reset(statement_);
        return false;
    }

    std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
    std::size_t size(int column) const { return static_cast<std::size_t>(integer(column)); }
    double real(int column) const { return sqlite3_column_double(statement_, column); }
    std::string text(int column) const {
        const auto* bytes = sqlite3_column_text(statement_, column);
        const int length = sqlite3_column_bytes(statement_, column);
        return bytes == nullptr ? ""
                                : std::string(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
    }

  private:
    std::string message() const {
        const char* file = sqlite3_db_filename(database_, "main");
        return fmt::format("{}: {}", file == nullptr ? "" : file, sqlite3_errmsg(database_));
    }
    void fail() const { throw StoreError(message()); }
    template <std::integral Value>
    void bind(int place, Value value) {
        if (sqlite3_bind_int64(statement_, place, static_cast<std::int64_t>(value)) != SQLITE_OK) fail();
    }
    void bind(int place, double value) {
        if (sqlite3_bind_double(statement_, place, value) != SQLITE_OK) fail();
    }
    void bind(int place, std::nullptr_t) {
        if (sqlite3_bind_null(statement_, place) != SQLITE_OK) fail();
    }
    void bind(int place, const std::string& value) {
        if (sqlite3_bind_text(statement_, place, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT) !=
            SQLITE_OK) {
            fail();
        }
    }

    sqlite3* database_;
    sqlite3_stmt* statement_ = nullptr;
};

}  // namespace

class Store::Database {
  public:
    Database(const std::filesystem::path& file, Access access)
        : file_(file.string()), writes_(access == Access::write) {
        const int how = access == Access::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
        // The order counts: what is opened must be closed even if it is of no use.
        if (sqlite3_open_v2(file_.c_str(), &handle_, how | SQLITE_OPEN_NOMUTEX, nullptr) != SQLITE_OK) {
            const std::string what = handle_ != nullptr ? sqlite3_errmsg(handle_) : "no memory";
            sqlite3_close(handle_);
            throw StoreError(fmt::format("cannot open {}: {}", file_, what));
        }
    }
    ~Database() {
        insert_match.reset();
        insert_seat.reset();
        insert_rules.reset();
        delete_attempt.reset();
        if (writes_) leave_nothing_beside();
        sqlite3_close(handle_);
    }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    sqlite3* handle() { return handle_; }
    std::mutex& mutex() { return mutex_; }
    const std::string& file() const { return file_; }

    void execute(const char* text) {
        char* message = nullptr;
        if (sqlite3_exec(handle_, text, nullptr, nullptr, &message) == SQLITE_OK) return;
        const std::string what = message != nullptr ? message : "unknown error";
        sqlite3_free(message);
        throw StoreError(fmt::format("{}: {}", file_, what));
    }
    std::int64_t number(const char* text) {
        Statement statement(handle_, text);
        return statement.step() ? statement.integer(0) : 0;
    }

    // All or nothing.
    template <typename Work>
    auto transaction(Work&& work) {
        execute("BEGIN IMMEDIATE");
        try {
            auto result = work();
            execute("COMMIT");
            return result;
        } catch (...) {
            sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
            throw;
        }
    }

    // Statements used for each match, made when first needed.
    Statement& prepared(std::unique_ptr<Statement>& place, const char* text) {
        if (!place) place = std::make_unique<Statement>(handle_, text);
        return *place;
    }
    std::unique_ptr<Statement> insert_match, insert_seat, insert_rules, delete_attempt;
    std::int64_t version = schema_version;  // of the file

  private:
    // A log beside the file serves those who write at the same time. One that only reads could not put it away again,
    // so the last one who writes leaves a file without. While others have it open, it stays as it is.
    void leave_nothing_beside() {
        sqlite3_busy_timeout(handle_, 0);
        sqlite3_exec(handle_, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
    }

    std::string file_;
    bool writes_;
    sqlite3* handle_ = nullptr;
    std::mutex mutex_;
};

StoredMatch summarise(std::size_t number, std::string game, std::vector<std::size_t> seating,
                      const MatchResult& result) {
    StoredMatch match;
    match.number = number;
    match.game = std::move(game);
    match.seed = result.seed;
    match.complete = result.complete;
    match.steps = result.steps;
    match.seconds = result.seconds;
    match.seating = std::move(seating);
    match.seats = result.seats;
    return match;
}

Store::Store(const std::filesystem::path& file, Access access) : database_(std::make_unique<Database>(file, access)) {
    Database& database = *database_;
    sqlite3_busy_timeout(database.handle(), 30'000);
    // The version of a file that is there; nothing where there is none.
    const auto version_of = [&]() -> std::optional<std::int64_t> {
        const std::int64_t version = database.number("PRAGMA user_version");
        if (version == 0 && database.number("SELECT count(*) FROM sqlite_master") == 0) return std::nullopt;
        if (database.number("PRAGMA application_id") != application_id) {
            throw StoreError(fmt::format("{} is a database, but not one of matches", database.file()));
        }
        if (version > schema_version) {
            throw StoreError(fmt::format("{} was written by a newer version of this program", database.file()));
        }
        return version;
    };
    try {
        const std::optional<std::int64_t> version = version_of();
        if (access == Access::read) {
            if (!version) throw StoreError(fmt::format("{} is empty", database.file()));
            database.version = *version;
            return;
        }
        database.execute("PRAGMA journal_mode = WAL");
        if (version != schema_version) {
            database.transaction([&] {
                const std::optional<std::int64_t> there = version_of();
                if (there == schema_version) return 0;  // another process was faster
                if (!there) database.execute(schema);
                database.execute(since_version_2);
                database.execute(fmt::format("PRAGMA application_id = {}", application_id).c_str());
                database.execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
                return 0;
            });
        }
        // The end of the process loses nothing; a power cut may lose the last matches, but never half of one.
        database.execute("PRAGMA synchronous = NORMAL");
        database.execute("PRAGMA foreign_keys = ON");
    } catch (const StoreError& fault) {
        const std::string what = fault.what();
        if (what.find(database.file()) != std::string::npos) throw;
        throw StoreError(fmt::format("{}: {}", database.file(), what));
    }
}

Store::~Store() = default;

Store::Run Store::open(const std::string& key, const std::string& spec) {
    const std::scoped_lock lock(database_->mutex());
    sqlite3* handle = database_->handle();
    return database_->transaction([&] {
        Statement(handle, "INSERT OR IGNORE INTO runs (key, spec, started) VALUES (?, ?, ?)")
            .with(key, spec, milliseconds_now())
            .step();
        Statement find(handle, "SELECT id FROM runs WHERE key = ?");
        find.with(key).step();
        return Run{find.integer(0)};
    });
}

Store::Run Store::begin(const std::string& spec) {
    const std::scoped_lock lock(database_->mutex());
    sqlite3* handle = database_->handle();
    return database_->transaction([&] {
        Statement(handle, "INSERT INTO runs (key, spec, started) VALUES (NULL, ?, ?)")
            .with(spec, milliseconds_now())
            .step();
        return Run{sqlite3_last_insert_rowid(handle)};
    });
}

bool Store::add(Run run, const StoredMatch& match, const MatchRecord& record) {
    nlohmann::json object = to_json(record);
    object.erase("gameRules");
    const std::string text = object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    const std::scoped_lock lock(database_->mutex());
    Database& database = *database_;
    sqlite3* handle = database.handle();
    return database.transaction([&] {
        database
            .prepared(database.insert_match,
                      "INSERT OR IGNORE INTO matches (run, number, game, seed, complete, steps, seconds, record) "
                      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            .with(static_cast<std::int64_t>(run), match.number, match.game, match.seed, match.complete, match.steps,
                  match.seconds, text)
            .step();
        if (sqlite3_changes(handle) == 0) return false;
        const std::int64_t id = sqlite3_last_insert_rowid(handle);
        Statement& insert = database.prepared(database.insert_seat,
                                              "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            const SeatResult& one = match.seats[seat];
            insert
                .with(id, seat, match.seating.at(seat), one.player, one.role, one.score, one.illegal, one.late,
                      one.unreachable, static_cast<int>(one.start), one.fallbacks, one.searches, one.states,
                      one.seconds, one.slowest)
                .step();
        }
        if (!record.rules.empty()) {
            database.prepared(database.insert_rules, "INSERT OR IGNORE INTO rules VALUES (?, ?)")
                .with(record.rules_hash, record.rules)
                .step();
        }
        database.prepared(database.delete_attempt, "DELETE FROM attempts WHERE run = ? AND number = ?")
            .with(static_cast<std::int64_t>(run), match.number)
            .step();
        return true;
    });
}

std::size_t Store::begin_match(Run run, std::size_t number) {
    const std::scoped_lock lock(database_->mutex());
    sqlite3* handle = database_->handle();
    return database_->transaction([&] {
        Statement(handle,
                  "INSERT INTO attempts VALUES (?, ?, 1) ON CONFLICT (run, number) DO UPDATE SET begun = begun + 1")
            .with(static_cast<std::int64_t>(run), number)
            .step();
        Statement find(handle, "SELECT begun FROM attempts WHERE run = ? AND number = ?");
        return find.with(static_cast<std::int64_t>(run), number).step() ? find.size(0) : std::size_t{1};
    });
}

void Store::withdraw_match(Run run, std::size_t number) {
    const std::scoped_lock lock(database_->mutex());
    Statement(database_->handle(), "UPDATE attempts SET begun = begun - 1 WHERE run = ? AND number = ? AND begun > 0")
        .with(static_cast<std::int64_t>(run), number)
        .step();
}

std::map<std::size_t, std::size_t> Store::unfinished(Run run) {
    std::map<std::size_t, std::size_t> found;
    if (database_->version < 2) return found;
    const std::scoped_lock lock(database_->mutex());
    // A match that two processes played at the same time may have an end and an attempt.
    Statement select(database_->handle(),
                     "SELECT number, begun FROM attempts a WHERE run = ?1 AND begun > 0 AND NOT EXISTS "
                     "(SELECT 1 FROM matches m WHERE m.run = ?1 AND m.number = a.number)");
    select.with(static_cast<std::int64_t>(run));
    while (select.step()) found[select.size(0)] = select.size(1);
    return found;
}

std::vector<Store::Run> Store::runs() {
    const std::scoped_lock lock(database_->mutex());
    Statement select(database_->handle(), "SELECT id FROM runs ORDER BY id");
    std::vector<Run> found;
    while (select.step()) found.push_back(Run{select.integer(0)});
    return found;
}

std::optional<Store::Place> Store::find(const std::string& match_id) {
    const std::scoped_lock lock(database_->mutex());
    // By text, since one damaged record would end a search by its JSON.
    const std::string written = nlohmann::json(match_id).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    Statement select(database_->handle(), "SELECT run, number FROM matches WHERE instr(record, ?) > 0 LIMIT 1");
    if (!select.with("\"matchId\":" + written).step()) return std::nullopt;
    return Place{Run{select.integer(0)}, select.size(1)};
}

std::vector<std::size_t> Store::numbers(Run run) {
    const std::scoped_lock lock(database_->mutex());
    Statement select(database_->handle(), "SELECT number FROM matches WHERE run = ? ORDER BY number");
    select.with(static_cast<std::int64_t>(run));
    std::vector<std::size_t> found;
    while (select.step()) found.push_back(select.size(0));
    return found;
}

std::vector<StoredMatch> Store::matches(Run run) {
    const std::scoped_lock lock(database_->mutex());
    Statement select(database_->handle(),
                     "SELECT m.number, m.game, m.seed, m.complete, m.steps, m.seconds, s.entrant, s.player, s.role, "
                     "s.score, s.illegal, s.late, s.unreachable, s.start_fault, s.fallbacks, s.searches, s.states, "
                     "s.seconds, s.slowest FROM matches m JOIN seats s ON s.match = m.id WHERE m.run = ? "
                     "ORDER BY m.number, s.seat");
    select.with(static_cast<std::int64_t>(run));
    std::vector<StoredMatch> found;
    while (select.step()) {
        if (found.empty() || found.back().number != select.size(0)) {
            StoredMatch& match = found.emplace_back();
            match.number = select.size(0);
            match.game = select.text(1);
            match.seed = static_cast<std::uint64_t>(select.integer(2));
            match.complete = select.integer(3) != 0;
            match.steps = select.size(4);
            match.seconds = select.real(5);
        }
        found.back().seating.push_back(select.size(6));
        SeatResult& seat = found.back().seats.emplace_back();
        seat.player = select.text(7);
        seat.role = select.text(8);
        seat.score = static_cast<int>(select.integer(9));
        seat.illegal = select.size(10);
        seat.late = select.size(11);
        seat.unreachable = select.size(12);
        seat.start = static_cast<Fault>(select.integer(13));
        seat.fallbacks = select.size(14);
        seat.searches = select.size(15);
        seat.states = static_cast<std::uint64_t>(select.integer(16));
        seat.seconds = select.real(17);
        seat.slowest = select.real(18);
    }
    return found;
}

std::optional<MatchRecord> Store::record(Run run, std::size_t number) {
    const std::scoped_lock lock(database_->mutex());
    Statement select(database_->handle(), "SELECT record FROM matches WHERE run = ? AND number = ?");
    if (!select.with(static_cast<std::int64_t>(run), number).step()) return std::nullopt;
    try {
        MatchRecord record = record_from_text(select.text(0));
        if (record.rules.empty() && !record.rules_hash.empty() && database_->version >= 2) {
            Statement rules(database_->handle(), "SELECT text FROM rules WHERE hash = ?");
            if (rules.with(record.rules_hash).step()) record.rules = rules.text(0);
        }
        return record;
    } catch (const RecordError& fault) {
        throw StoreError(
            fmt::format("{}: the record of match {} is damaged: {}", database_->file(), number + 1, fault.what()));
    }
}

}  // namespace stratagem::arena
