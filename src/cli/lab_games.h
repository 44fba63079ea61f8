// Many games for one experiment: named one by one or by folder, and visited in turn. A game that cannot be used is no
// reason to stop: it is named with the reason, and counted.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/run_game.h"
#include "gdl/game_file.h"

namespace stratagem::cli {

struct LeftOut {
    std::string game;
    std::string why;
};

class LabGames {
  public:
    // Names as find_game has them, or folders of .kif files; none: the bundled games. What cannot be read at all is
    // told on standard error and makes ok() false.
    explicit LabGames(const std::vector<std::string>& names);

    bool ok() const { return ok_; }
    std::size_t size() const { return texts_.size(); }

    using Game = std::shared_ptr<const machine::Game>;
    struct Visitor {
        // Finds something out about a game; false, with the reason in `why`, if that cannot be done.
        std::function<bool(const Game& game, std::string& why)> measure;
        // Tells what measure() found, when nothing else is on the screen.
        std::function<void(const std::string& game)> tell;
        std::function<void(const LeftOut&)> tell_left_out;
    };
    // Grounds each game within the limits and visits it, showing which one it is at. False: interrupted.
    bool for_each(machine::MachineOptions limits, const Interruptible& interruptible, const Visitor& visitor);
    // The same within `seconds` for grounding.
    bool for_each(double seconds, const Interruptible& interruptible, const Visitor& visitor);

    const std::vector<LeftOut>& left_out() const { return left_out_; }
    std::size_t visited() const { return visited_; }

    // Success if any game was visited; otherwise there is no answer.
    int exit_code() const { return visited_ > 0 ? exit_code::success : exit_code::no; }
    // "12 left out: no time to make the networks (a, b), …", over several lines; empty where none is.
    std::string left_out_text() const;
    nlohmann::json left_out_json() const;

  private:
    void add(const std::string& name);
    static bool measure(const gdl::GameText& text, const machine::MachineOptions& limits, const Visitor& visitor,
                        std::string& why);

    std::vector<gdl::GameText> texts_;
    std::vector<LeftOut> left_out_;
    std::size_t visited_ = 0;
    bool ok_ = true;
};

// The options of experiments over many games.
void add_lab_games_option(CLI::App& command, std::vector<std::string>& names);

}  // namespace stratagem::cli
