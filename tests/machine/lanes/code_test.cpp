// Code of every width, machine code and table, computes what the straight line says, in every lane and nowhere else.
#include "machine/lanes/code.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "machine/lanes/random_logic.h"

namespace stratagem::machine::lanes {
namespace {

using testing::RandomLogic;
using testing::Words;

std::vector<Row> random_rows(Random& random, std::size_t count) {
    std::vector<Row> rows(count);
    for (Row& row : rows) {
        for (std::uint64_t& word : row.words) word = random.next();
    }
    return rows;
}

// Inputs from both places they may come from, outputs to both places they may go to, with gaps.
Binding spread(std::size_t inputs, std::size_t outputs) {
    Binding binding;
    for (std::uint32_t i = 0; i < inputs; ++i) {
        binding.inputs.push_back({i % 3 == 0 ? Place::random : Place::state, i + i / 5});
    }
    for (std::uint32_t i = 0; i < outputs; ++i) {
        binding.outputs.push_back({i % 2 == 0 ? Place::next : Place::results, i + i / 4});
    }
    return binding;
}

// Runs the code on random rows twice and compares every row there is.
void expect_code(const Code& code, const StraightLine& line, const Binding& binding, std::uint64_t seed) {
    Random random(seed);
    const std::size_t rows = 2 * (binding.inputs.size() + binding.outputs.size()) + 2;
    const std::vector<Row> state = random_rows(random, rows);
    const std::vector<Row> bits = random_rows(random, rows);
    std::vector<Row> next = random_rows(random, rows);
    std::vector<Row> results = random_rows(random, rows);
    const std::vector<Row> beyond = random_rows(random, 1);
    std::vector<Row> scratch(code.scratch_rows() + 1, beyond[0]);
    std::vector<Row> expected_next = next;
    std::vector<Row> expected_results = results;
    for (std::size_t word = 0; word < row_words; ++word) {
        Words inputs;
        for (const RowName& name : binding.inputs) {
            inputs.push_back((name.place == Place::state ? state : bits)[name.number].words[word]);
        }
        const Words outputs = testing::evaluate(line, inputs, binding.outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const RowName name = binding.outputs[i];
            (name.place == Place::next ? expected_next : expected_results)[name.number].words[word] = outputs[i];
        }
    }
    for (int run = 0; run < 2; ++run) {
        code.run({state.data(), next.data(), bits.data(), results.data(), scratch.data()});
        for (std::size_t i = 0; i < rows; ++i) {
            ASSERT_EQ(next[i].words, expected_next[i].words) << "next " << i;
            ASSERT_EQ(results[i].words, expected_results[i].words) << "results " << i;
        }
        ASSERT_EQ(scratch.back().words, beyond[0].words) << "more scratch than said";
    }
}

class EachWidth : public ::testing::TestWithParam<Width> {
  protected:
    void SetUp() override {
        if (!is_available(GetParam())) GTEST_SKIP() << "not on this processor";
    }
    unsigned arity() const { return entry_of(GetParam()).arity; }
    void expect_line(const StraightLine& line, std::size_t outputs, std::uint64_t seed) const {
        ASSERT_TRUE(line.is_consistent());
        const Binding binding = spread(line.input_count, outputs);
        if (GetParam() != Width::portable64) {
            ASSERT_TRUE(make_native_code(line, binding, GetParam())) << "no executable memory?";
        }
        expect_code(*make_code(line, binding, GetParam()), line, binding, seed);
    }
};

TEST_P(EachWidth, SmallRandomLogic) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        RandomLogic random(seed, 1 + seed % 9, seed);
        const auto roots = random.roots(1 + seed % 20).first;
        expect_line(compile(random.logic, roots, arity()), roots.size(), seed);
        if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
}

// More values alive than any processor has registers.
TEST_P(EachWidth, LargeRandomLogicSpills) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        RandomLogic random(seed, 40 * seed, 2500);
        const auto roots = random.roots(300).first;
        const StraightLine line = compile(random.logic, roots, arity());
        EXPECT_GT(make_code(line, spread(line.input_count, roots.size()), GetParam())->scratch_rows(), 0U);
        expect_line(line, roots.size(), seed);
        if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
}

// Every function of the inputs, with operands in registers and in memory, needed again or not.
TEST_P(EachWidth, EveryTable) {
    const unsigned tables = arity() == 3 ? 256 : 16;
    for (std::uint8_t inputs = 1; inputs <= arity(); ++inputs) {
        for (unsigned table = 0; table < tables; ++table) {
            StraightLine line;
            line.input_count = 3;
            unsigned whole = arity() == 3 ? table : table | table << 4;
            // Tables say nothing about inputs that are not there.
            if (inputs == 2) whole = (whole & 0xFU) | (whole & 0xFU) << 4;
            if (inputs == 1) whole = table % 2 == 0 ? 0x55 : 0xAA;
            const auto value = static_cast<std::uint8_t>(whole);
            const auto operation = [&](Value a, Value b, Value c) {
                return Operation{{a, inputs > 1 ? b : a, inputs > 2 ? c : a}, inputs, value};
            };
            line.operations = {operation(0, 1, 2), operation(3, 0, 1), operation(3, 4, 2), operation(5, 3, 0),
                               operation(4, 5, 6)};
            line.stores = {{2, 0, 4}, {4, 1, 6}, {5, 2, 7}};
            if (table % 2 == 0) line.stores.push_back({5, 3, 3});
            expect_line(line, 3 + (table % 2 == 0 ? 1 : 0), table);
            if (HasFatalFailure()) FAIL() << "table " << table << " of " << int{inputs};
        }
    }
}

TEST_P(EachWidth, StoresOfAllKinds) {
    Logic logic;
    const Signal a = logic.input();
    const Signal b = logic.input();
    const Signal both = logic.both(a, b);
    for (const std::vector<Signal>& roots : {std::vector<Signal>{},
                                             {always},
                                             {never, always, never},
                                             {a},
                                             {!a},
                                             {a, b, a, !b},
                                             {both, both},
                                             {!both},
                                             {both, !both, both},
                                             {!both, a, always, !both, !a}}) {
        expect_line(compile(logic, roots, arity()), roots.size(), roots.size() + 1);
    }
}

// Enough code and rows that offsets and jumps no longer fit into a byte.
TEST_P(EachWidth, FarRows) {
    RandomLogic random(5, 3000, 6000);
    const auto roots = random.roots(3000).first;
    expect_line(compile(random.logic, roots, arity()), roots.size(), 1);
}

INSTANTIATE_TEST_SUITE_P(Code, EachWidth, ::testing::Values(Width::portable64, Width::avx2, Width::avx512),
                         [](const auto& entry) { return "bits" + std::string(entry_of(entry.param).name); });

TEST(Code, TableCodeOfNarrowLines) {
    RandomLogic random(9, 30, 800);
    const auto roots = random.roots(50).first;
    const StraightLine line = compile(random.logic, roots, 2);
    const Binding binding = spread(line.input_count, roots.size());
    const auto code = make_table_code(line, binding);
    EXPECT_GE(code->size(), line.operations.size());
    expect_code(*code, line, binding, 1);
}

TEST(Code, WidthsHaveNames) {
    for (const Width width : {Width::portable64, Width::avx2, Width::avx512}) {
        EXPECT_EQ(find_width(entry_of(width).name), width);
        EXPECT_EQ(entry_of(width).width, width);
    }
    EXPECT_EQ(find_width("128"), std::nullopt);
    EXPECT_TRUE(is_available(Width::portable64));
    EXPECT_TRUE(is_available(widest()));
    EXPECT_FALSE(native_is_available(Width::portable64));
}

}  // namespace
}  // namespace stratagem::machine::lanes
