// Games for tests of machines: bundled ones by name, and small ones written in place.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "gdl/game_files.h"
#include "gdl/read.h"
#include "machine/gdl_game.h"

namespace stratagem::machine::testing {

inline gdl::Description described(const std::string& rules, const std::string& name = "test.kif") {
    gdl::ReadResult result = gdl::read_and_check(name, rules);
    EXPECT_TRUE(result.ok()) << name;
    return std::move(result.description);
}

inline gdl::Description described_file(const std::filesystem::path& path) {
    return described(gdl::testing::content_of(path), path.filename().string());
}

inline gdl::Description bundled(const std::string& game) {
    return described_file(std::filesystem::path(STRATAGEM_GAMES_DIR) / (game + ".kif"));
}

inline std::unique_ptr<Machine> made(const gdl::Description& description, MachineKind kind) {
    MachineOptions options;
    options.kind = kind;
    const GdlGame game(description, options);
    EXPECT_EQ(game.kind(), kind) << game.note();
    return game.make();
}

// Two roles take turns to count to three; who gets there has won. Small enough to work everything out by hand.
inline const std::string counting_game = R"(
    (role white) (role black)
    (init (count 0)) (init (control white))
    (succ 0 1) (succ 1 2) (succ 2 3)
    (other white black) (other black white)
    (<= (legal ?p (add 1)) (true (control ?p)) (true (count ?n)) (succ ?n ?m))
    (<= (legal ?p (add 2)) (true (control ?p)) (true (count ?n)) (succ ?n ?m) (succ ?m ?k))
    (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
    (<= (next (count ?m)) (does ?p (add 1)) (true (count ?n)) (succ ?n ?m))
    (<= (next (count ?k)) (does ?p (add 2)) (true (count ?n)) (succ ?n ?m) (succ ?m ?k))
    (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
    (<= terminal (true (count 3)))
    (<= (goal ?p 100) (true (count 3)) (other ?p ?q) (true (control ?q)))
    (<= (goal ?p 0) (true (control ?p)))
)";

}  // namespace stratagem::machine::testing
