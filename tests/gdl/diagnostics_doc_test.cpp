// docs/diagnostics.md keeps its word: it explains every code, and each of its examples gives that code and no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gdl/read.h"

namespace stratagem::gdl {
namespace {

struct Example {
    std::string language;  // gdl, infix, or text for what cannot be shown
    std::string code;      // or "base"
    bool alone = false;
    bool simulate = false;  // the fault shows only when the game is played: tests/machine/tools/simulate_test.cpp
    std::string text;
};

struct Page {
    std::vector<std::string> headings;  // "E501 variable of the head not bound"
    std::vector<Example> examples;

    std::string base() const {
        for (const Example& example : examples) {
            if (example.code == "base") return example.text;
        }
        return {};
    }
};

Page read_page() {
    Page page;
    std::ifstream file(std::string(STRATAGEM_SOURCE_DIR) + "/docs/diagnostics.md");
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("```") && inside) {
            inside = false;
        } else if (line.starts_with("```")) {
            inside = true;
            Example example;
            std::istringstream words(line.substr(3));
            std::string kind;
            words >> example.language >> example.code >> kind;
            example.alone = kind == "alone";
            example.simulate = kind == "simulate";
            page.examples.push_back(example);
        } else if (inside) {
            page.examples.back().text += line + "\n";
        } else if (line.starts_with("### ")) {
            page.headings.push_back(line.substr(4));
        }
    }
    return page;
}

std::set<std::string> codes_of(std::string text) {
    std::set<std::string> codes;
    const ReadResult result = read_and_check("example", std::move(text));
    for (const Diagnostic& diagnostic : result.diagnostics.all()) codes.emplace(diagnostic.code);
    return codes;
}

TEST(DiagnosticsPage, ExplainsEveryCodeUnderItsTitleInOrder) {
    std::vector<std::string> expected;
    for (const DiagnosticCode& code : diagnostic_codes()) {
        expected.push_back(std::string(code.code) + " " + std::string(code.title));
    }
    EXPECT_EQ(read_page().headings, expected);
}

TEST(DiagnosticsPage, HasOneExampleForEachCode) {
    std::map<std::string, int> count;
    for (const Example& example : read_page().examples) ++count[example.code];
    EXPECT_EQ(count["base"], 1);
    for (const DiagnosticCode& code : diagnostic_codes()) EXPECT_EQ(count[std::string(code.code)], 1) << code.code;
    EXPECT_EQ(count.size(), diagnostic_codes().size() + 1);
}

TEST(DiagnosticsPage, BaseGameIsFlawless) { EXPECT_THAT(codes_of(read_page().base()), ::testing::IsEmpty()); }

TEST(DiagnosticsPage, EachExampleGivesItsCodeAndNoOther) {
    const Page page = read_page();
    for (const Example& example : page.examples) {
        if (example.language == "text" || example.code == "base" || example.simulate) continue;
        const std::string text = example.alone ? example.text : page.base() + example.text;
        EXPECT_THAT(codes_of(text), ::testing::ElementsAre(example.code)) << text;
    }
}

TEST(DiagnosticsPage, ExamplesToBePlayedAreFlawlessOnPaper) {
    for (const Example& example : read_page().examples) {
        if (!example.simulate) continue;
        EXPECT_THAT(codes_of(example.text), ::testing::IsEmpty()) << example.text;
    }
}

TEST(DiagnosticsPage, EachCodeWithoutATextHasItsCase) {
    const Page page = read_page();
    std::string deep = "(init ";
    for (int i = 0; i < 1001; ++i) deep += "(f ";
    deep += "x";
    deep.append(1002, ')');
    std::string wide = "(init (row";
    for (int i = 0; i < 1001; ++i) wide += " 1";
    wide += "))";
    // What is read differently as a whole stands alone; the rest follows the base game.
    const std::map<std::string, std::string> cases = {
        {"E104", page.base() + deep},
        {"E105", page.base() + "(init (count " + std::string(70000, 'a') + "))"},
        {"E106", page.base() + "\a"},
        {"E107", "\xFF\xFE(\0r\0"},
        {"E108", std::string(max_source_bytes + 1, ' ')},
        {"E114", page.base() + wide},
        {"W119", page.base() + "(init (count wei\xDF))"},
    };
    std::set<std::string> without_text;
    for (const Example& example : page.examples) {
        if (example.language == "text") without_text.insert(example.code);
    }
    std::set<std::string> with_case;
    for (const auto& [code, text] : cases) {
        with_case.insert(code);
        EXPECT_THAT(codes_of(text), ::testing::ElementsAre(code));
    }
    EXPECT_EQ(with_case, without_text);
}

}  // namespace
}  // namespace stratagem::gdl
