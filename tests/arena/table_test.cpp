#include "arena/table.h"

#include <gmock/gmock.h>

namespace stratagem::arena {
namespace {

Table table_of() {
    Table table;
    table.title = "50 % & more";
    table.columns = {{"player"}, {"recipe", false, true}, {"mean", true}};
    table.rows = {{"uct_1", "uct:rave=on,mast=off", "62.5"}, {"a \"b\" | c", "", ""}};
    table.about = {{"seed", "7"}};
    return table;
}

TEST(Table, Csv) {
    EXPECT_EQ(to_text(table_of(), TableForm::csv),
              "player,recipe,mean,seed\r\n"
              "uct_1,\"uct:rave=on,mast=off\",62.5,7\r\n"
              "\"a \"\"b\"\" | c\",,,7\r\n");
}

TEST(Table, Markdown) {
    EXPECT_EQ(to_text(table_of(), TableForm::markdown),
              "### 50 % & more\n\n"
              "| player | mean |\n| --- | ---: |\n| uct\\_1 | 62.5 |\n| a \"b\" \\| c |  |\n\n- seed: 7\n");
}

TEST(Table, Latex) {
    EXPECT_EQ(to_text(table_of(), TableForm::latex),
              "% seed: 7\n% 50 \\% \\& more\n\\begin{tabular}{lr}\n\\hline\nplayer & mean \\\\\n\\hline\n"
              "uct\\_1 & 62.5 \\\\\na \"b\" | c &  \\\\\n\\hline\n\\end{tabular}\n");
}

TEST(Table, FormsByEnding) {
    EXPECT_EQ(form_of("a/b.csv"), TableForm::csv);
    EXPECT_EQ(form_of("b.md"), TableForm::markdown);
    EXPECT_EQ(form_of("b.tex"), TableForm::latex);
    EXPECT_EQ(form_of("b.html"), std::nullopt);
    EXPECT_EQ(form_of("csv"), std::nullopt);
}

}  // namespace
}  // namespace stratagem::arena
