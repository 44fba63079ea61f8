// Remembered calls: what was asked, and every answer found.
//
// A table belongs to one call pattern and one tuple of given values; its answers are the tuples of wanted values, in
// the order found, chained through one arena. All tables of a level live together and are forgotten together: an
// epoch number makes the hash tables empty at once, and all memory is reused.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdl/term.h"
#include "machine/interpreter/relation.h"

namespace stratagem::machine::interpreter {

struct Table {
    enum class Status : std::uint8_t { fresh, running, complete };

    std::uint32_t pattern = 0;
    std::uint32_t key = 0;  // into the arena of keys
    std::uint32_t first = Relation::none;
    std::uint32_t last = Relation::none;
    std::uint32_t count = 0;
    std::uint32_t consumers = Relation::none;  // suspended callers, while running
    std::uint32_t member = 0;                  // its place among the tables under way, while running
    std::uint32_t owner = 0;                   // of its answers in the hash table
    Status status = Status::fresh;
};

class Tables {
  public:
    void clear();
    // Facts held, for limits.
    std::size_t size() const { return tables_.size() + answer_count_; }

    // The table for a call, made when missing.
    std::uint32_t find_or_add(std::uint32_t pattern, std::span<const gdl::Term> key);
    Table& operator[](std::uint32_t table) { return tables_[table]; }
    const gdl::Term* key(const Table& table) const { return keys_.data() + table.key; }

    // Empties a table. Its answers so far stay readable by those who know where they are.
    void start_again(std::uint32_t number);
    // False when the table has the answer already.
    bool add_answer(std::uint32_t number, std::span<const gdl::Term> answer);
    const gdl::Term* values(std::uint32_t answer) const { return answers_.data() + answer + 1; }
    std::uint32_t next(std::uint32_t answer) const { return gdl::index(answers_[answer]); }

  private:
    struct Slot {
        std::uint32_t epoch = 0;
        std::uint32_t hash = 0;
        std::uint32_t entry = 0;
        std::uint32_t owner = 0;  // of an answer: its table's
    };
    struct Hash {
        std::vector<Slot> slots = std::vector<Slot>(256);
        std::uint32_t used = 0;
        std::uint32_t epoch = 1;

        void clear();
        // Room for one more; keeps the slots at most half full.
        void make_room();
    };

    std::vector<Table> tables_;
    std::vector<gdl::Term> keys_;
    std::vector<gdl::Term> answers_;  // each: the place of the next answer of the table, then the values
    std::size_t answer_count_ = 0;
    std::uint32_t owners_ = 0;
    Hash calls_;
    Hash known_answers_;
};

}  // namespace stratagem::machine::interpreter
