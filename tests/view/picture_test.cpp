// Pictures hold what there is to see, and renderers show it: by hand, without a game.
#include "view/picture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "view/text_picture.h"

namespace stratagem::view {
namespace {

// Two columns, one row, a cross with a mark beside an empty place.
Picture example() {
    GridPicture grid;
    grid.columns = {"a", "b"};
    grid.rows = {"1"};
    grid.boards.push_back({{}, {{true, true, {0, 1}}, {true, false, {}}}});
    grid.legend = {{"cross", "c", 0, 0}, {"marked", "m", 1, 1}};
    grid.background = "blank";
    return {{grid}, {"(control white)"}};
}

TEST(Picture, AsText) {
    EXPECT_EQ(to_text(example()),
              "1  cm  .\n"
              "    a  b\n"
              "(control white)\n");
    EXPECT_EQ(to_text(example(), {.legend = true, .others = false}),
              "1  cm  .\n"
              "    a  b\n"
              "c=cross m=marked .=blank\n");
    EXPECT_EQ(to_text({}), "");
}

TEST(Picture, AsColouredText) {
    EXPECT_EQ(to_text(example(), {.colour = true, .others = false}),
              "\x1b[2m1\x1b[0m  \x1b[36;7mcm\x1b[0m  \x1b[2m.\x1b[0m\n"
              "  \x1b[2m  a  b\x1b[0m\n");
}

TEST(Picture, AsHtml) {
    EXPECT_EQ(to_html(lay_out(example(), {.others = false})),
              "<span class=\"c2\">1</span>  <span class=\"c36 c7\">cm</span>  <span class=\"c2\">.</span>\n"
              "  <span class=\"c2\">  a  b</span>\n");
    Line line;
    line.add("<", {Style::Kind::coloured, 1});
    line.add(" ");
    line.add("x", {Style::Kind::coloured, 1});
    line.add("&");
    EXPECT_EQ(to_html({line}), "<span class=\"c33\">&lt; x</span>&amp;\n");
}

TEST(Picture, AsJson) {
    const nlohmann::json json = to_json(example());
    const nlohmann::json& grid = json.at("grids").at(0);
    EXPECT_EQ(grid.at("columns"), nlohmann::json({"a", "b"}));
    EXPECT_EQ(grid.at("boards").at(0).at("cells"), nlohmann::json::parse("[[[0, 1], []]]"));
    EXPECT_EQ(grid.at("boards").at(0).at("changed"), nlohmann::json::parse("[[0, 0]]"));
    EXPECT_EQ(grid.at("legend").at(1),
              (nlohmann::json{{"name", "marked"}, {"sign", "m"}, {"colour", 1}, {"layer", 1}}));
    EXPECT_EQ(grid.at("background"), "blank");
    EXPECT_EQ(json.at("others"), nlohmann::json({"(control white)"}));
    Picture gone = example();
    gone.grids[0].boards[0].cells[1].there = false;
    gone.grids[0].background.reset();
    EXPECT_EQ(to_json(gone).at("grids").at(0).at("boards").at(0).at("cells"),
              nlohmann::json::parse("[[[0, 1], null]]"));
    EXPECT_TRUE(to_json(gone).at("grids").at(0).at("background").is_null());
}

TEST(TextLines, BlocksSideBySide) {
    const Lines tall{Line("ab"), Line("c")};
    const Lines wide{Line("wide")};
    EXPECT_EQ(to_terminal(side_by_side({tall, wide, tall}, 2), false),
              "ab    wide\n"
              "c\n"
              "\n"
              "ab\n"
              "c\n");
}

TEST(TextLines, Wrapped) {
    EXPECT_EQ(wrapped({"one", "two", "three"}, 7), "one two\nthree\n");
    EXPECT_EQ(wrapped({"longer than that", "x"}, 4), "longer than that\nx\n");
    EXPECT_EQ(wrapped({}, 10), "");
    EXPECT_EQ(wrapped_text("  one  two ", 100), "one two\n");
}

}  // namespace
}  // namespace stratagem::view
