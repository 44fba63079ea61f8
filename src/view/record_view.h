// A recorded match as people look at it: every position drawn, with the moves made there, what the players thought and
// how long they took.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

#include "arena/record.h"
#include "view/board.h"
#include "view/text_picture.h"

namespace stratagem::view {

class RecordView {
  public:
    // Boards are looked for in what is known of the game and in the states of the record; there are none where it has
    // no states. Control characters are taken out of all texts, since they go to a terminal.
    explicit RecordView(arena::MatchRecord record, BoardEvidence evidence = {});

    const arena::MatchRecord& record() const { return record_; }
    // The first is the beginning, the last the end: as many as moves and one.
    std::size_t positions() const { return record_.moves.size() + 1; }

    // Lines that end with a line break.
    std::string heading() const;
    std::string position(std::size_t step, const TextStyle& style) const;
    // The state alone, what changed marked; nothing where it is not known.
    std::optional<Picture> picture(std::size_t step) const;
    nlohmann::json position_json(std::size_t step) const;
    // The moves that led to a position, but for those without a choice: "x (mark 1 1)".
    std::string moves_before(std::size_t step) const;
    // What is to be said of a move besides, on one line: time, value, faults.
    std::string remarks(std::size_t step, std::size_t role) const;

  private:
    std::string role_name(std::size_t role) const;
    std::string move_lines(std::size_t step) const;
    std::string end_lines() const;

    arena::MatchRecord record_;
    std::vector<FluentTexts> states_;
    std::optional<Board> board_;
    std::string budget_;  // of recipes that played by counts and not by the clock
};

// Where a record has moves only, the rules tell the states, as far as the moves are legal.
void add_states(arena::MatchRecord& record, const machine::Game& game);

// All positions side by side, for a page.
std::string to_html(const RecordView& view);

// What a player thought, on one line; empty where it had no opinion.
std::string thought_text(const arena::Thought& thought);

}  // namespace stratagem::view
