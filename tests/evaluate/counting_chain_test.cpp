// Numbers that are counted by walking over the board: where a step fails, the count goes on from where it was.
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <set>

#include "evaluate/neural_game.h"
#include "gdl/scramble.h"

namespace stratagem::evaluate::neural::testing {
namespace {

using feature::Feature;

// Five cells are filled in turn; who has more stones wins. A cell without a stone lets no step pass.
const std::string stones = R"(
    (role red) (role black)
    (cell a) (cell b) (cell c) (cell d) (cell e)
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
    (<= (more ?x ?y) (succ ?y ?x)) (<= (more ?x ?y) (succ ?z ?x) (more ?z ?y))
    (number 0) (<= (number ?x) (succ ?y ?x))
    (init (control red))
    (<= (next (control red)) (true (control black))) (<= (next (control black)) (true (control red)))
    (<= (taken ?c) (true (stone ?c ?r)))
    (<= (legal ?r (put ?c)) (true (control ?r)) (cell ?c) (not (taken ?c)))
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= (next (stone ?c ?r)) (does ?r (put ?c)))
    (<= (next (stone ?c ?r)) (true (stone ?c ?r)))
    (<= terminal (taken a) (taken b) (taken c) (taken d) (taken e))
    (<= (goal red 100) (leads red)) (<= (goal red 0) (not (leads red)))
    (<= (goal black 100) (leads black)) (<= (goal black 0) (not (leads black)))
)";
const std::string steps = R"(
    (<= (leads red) (count red ?x) (count black ?y) (more ?x ?y))
    (<= (leads black) (count black ?x) (count red ?y) (more ?x ?y))
    (<= (step ?c ?p ?u ?v) (true (stone ?c ?p)) (succ ?u ?v))
    (<= (step ?c ?p ?u ?u) (role ?p) (number ?u) (true (stone ?c ?q)) (distinct ?p ?q))
)";
const std::string conjunction = stones + steps + R"(
    (<= (count ?p ?v) (step a ?p 0 ?v1) (step b ?p ?v1 ?v2) (step c ?p ?v2 ?v3) (step d ?p ?v3 ?v4)
        (step e ?p ?v4 ?v))
)";
// By halves, each of which is a chain.
const std::string halves = stones + steps + R"(
    (<= (count ?p ?v) (half a b ?p 0 ?u) (half c d ?p ?u ?w) (step e ?p ?w ?v))
    (<= (half ?c ?d ?p ?u ?w) (pair ?c ?d) (step ?c ?p ?u ?v) (step ?d ?p ?v ?w))
    (pair a b) (pair c d)
)";
const std::string recursion = stones + steps + R"(
    (after a b) (after b c) (after c d) (after d e)
    (<= (upto a ?p ?v) (step a ?p 0 ?v))
    (<= (upto ?d ?p ?v) (after ?c ?d) (upto ?c ?p ?u) (step ?d ?p ?u ?v))
    (<= (count ?p ?v) (upto e ?p ?v))
)";
// Both numbers at once, as in the thesis.
const std::string together = stones + R"(
    (<= (leads red) (counts ?x ?y) (more ?x ?y))
    (<= (leads black) (counts ?y ?x) (more ?x ?y))
    (<= (step ?c ?x ?y ?v ?y) (number ?y) (true (stone ?c red)) (succ ?x ?v))
    (<= (step ?c ?x ?y ?x ?v) (number ?x) (true (stone ?c black)) (succ ?y ?v))
    (<= (counts ?x5 ?y5) (step a 0 0 ?x1 ?y1) (step b ?x1 ?y1 ?x2 ?y2) (step c ?x2 ?y2 ?x3 ?y3)
        (step d ?x3 ?y3 ?x4 ?y4) (step e ?x4 ?y4 ?x5 ?y5))
)";

Settings with_chains(Transformation kind, bool chains = true) {
    Settings settings = settings_for(kind);
    settings.features.orders = true;
    settings.features.chains = chains;
    return settings;
}

// "rb-r": a red stone, a black one, none, a red one.
std::vector<std::string> board(const std::string& cells) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] != '-')
            result.push_back(
                fmt::format("(stone {} {})", static_cast<char>('a' + i), cells[i] == 'r' ? "red" : "black"));
    }
    return result;
}

std::vector<std::string> all_boards() {
    std::vector<std::string> result;
    for (int n = 0; n < 243; ++n) {
        std::string cells;
        for (int i = 0, rest = n; i < 5; ++i, rest /= 3) cells += "-rb"[rest % 3];
        result.push_back(cells);
    }
    return result;
}

std::uint32_t count_of(const std::string& cells, char whose) {
    return static_cast<std::uint32_t>(std::ranges::count(cells, whose));
}

// The signs of all goals are their truth, and following gives what starting anew does.
void expect_sound(const NeuralGame& game, const State& state, Work& following) {
    Work fresh(*game.evaluator);
    fresh.move_to(state);
    for (const DomainTheory::Goal& goal : game.evaluator->goals().theory().goals()) {
        const std::optional<int> now = game.machine->goal(state, goal.role);
        const double answer = game.evaluator->goals().answer(fresh.goals(), goal.condition);
        ASSERT_NE(answer, 0.0);
        if (now) {
            ASSERT_EQ(answer > 0, *now == goal.value);
        }
        ASSERT_EQ(following.value(state, goal.role), fresh.value(state, goal.role));
    }
    ASSERT_EQ(following.goals().values.output, fresh.goals().values.output);
}

struct Form {
    const char* name = "";
    const std::string* rules = nullptr;
};
void PrintTo(const Form& form, std::ostream* to) { *to << form.name; }

class CountingChain : public ::testing::TestWithParam<Form> {};

TEST_P(CountingChain, GoesOnWhereAStepFails) {
    NeuralGame game(machine::testing::described(*GetParam().rules), {}, 5);
    for (const Transformation kind : {Transformation::local, Transformation::soft}) {
        game.set(with_chains(kind, false));
        EXPECT_EQ(game.evaluator->feature_counts().found(Feature::counting_chain), 0U);
        const auto value = [&](const std::string& cells) { return game.value(game.state(board(cells))); };
        EXPECT_EQ(value("rr---"), value("bb---")) << "there is no number";
        const double few = value("rrrbb"), all = value("rrrrr"), lost = value("rbbbb");
        game.set(with_chains(kind));
        EXPECT_EQ(game.evaluator->feature_counts().found(Feature::counting_chain), 4U);
        // What the rules say is as before, to the last bit.
        EXPECT_EQ(value("rrrbb"), few);
        EXPECT_EQ(value("rrrrr"), all);
        EXPECT_EQ(value("rbbbb"), lost);
        // The lead counts, wherever the stones are.
        std::map<int, double> by_lead;
        for (const std::string& cells : all_boards()) {
            if (count_of(cells, '-') == 0) continue;
            const int lead = static_cast<int>(count_of(cells, 'r')) - static_cast<int>(count_of(cells, 'b'));
            EXPECT_EQ(by_lead.emplace(lead, value(cells)).first->second, value(cells)) << cells;
        }
        ASSERT_EQ(by_lead.size(), 9U);
        for (int lead = -4; lead < 4; ++lead) EXPECT_LT(by_lead[lead], by_lead[lead + 1]) << lead;
    }
}

TEST_P(CountingChain, CountsWhatTheRulesCountAndStaysSound) {
    NeuralGame game(machine::testing::described(*GetParam().rules), {}, 5);
    for (const Transformation kind : {Transformation::local, Transformation::soft}) {
        game.set(with_chains(kind));
        const GradedTheory& goals = game.evaluator->goals();
        Work following(*game.evaluator);
        for (const std::string& cells : all_boards()) {
            SCOPED_TRACE(cells);
            std::size_t comparisons = 0;
            const State state = game.state(board(cells));
            expect_sound(game, state, following);
            if (HasFatalFailure()) return;
            for (std::uint32_t i = 0; i < goals.theory().size(); ++i) {
                if (goals.theory().node(i).kind != DomainTheory::Kind::comparison) continue;
                ++comparisons;
                const Comparison& comparison = goals.theory().comparison(goals.theory().node(i));
                const Network::CountedSides sides = goals.network().count_sides(following.goals().values, i);
                const std::set<std::uint32_t> counted{sides.left, sides.right};
                EXPECT_EQ(counted, (std::set<std::uint32_t>{count_of(cells, 'r'), count_of(cells, 'b')}));
                EXPECT_EQ(sides.guessed(), count_of(cells, '-') > 0);
                // Walking all the way gives what the rules say.
                const auto holds = [&](const evaluate::CountingChain& chain) {
                    return [&](std::uint32_t k) {
                        const ground::Condition condition = chain.conditions[k];
                        EXPECT_LT(ground::index(condition.atom()), game.prepared.circuit()->program().fluents.size());
                        return state.holds(Fluent{ground::index(condition.atom())}) == condition.positive();
                    };
                };
                EXPECT_EQ(comparison.left_chain.walk(comparison.size, holds(comparison.left_chain)), sides.left);
                EXPECT_EQ(comparison.right_chain.walk(comparison.size, holds(comparison.right_chain)), sides.right);
            }
            EXPECT_EQ(comparisons, 2U);
        }
    }
}

TEST_P(CountingChain, DoesNotDependOnNames) {
    const gdl::Description description = machine::testing::described(*GetParam().rules);
    const gdl::Scrambled scrambled = gdl::scramble(description, 5);
    NeuralGame game(machine::testing::described(*GetParam().rules), with_chains(Transformation::soft), 5);
    NeuralGame other(machine::testing::described(scrambled.text), with_chains(Transformation::soft), 5);
    for (const std::string& cells : all_boards()) {
        std::vector<std::string> there;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i] == '-') continue;
            there.push_back(fmt::format("({} {} {})", scrambled.names.at("stone"),
                                        scrambled.names.at(std::string(1, static_cast<char>('a' + i))),
                                        scrambled.names.at(cells[i] == 'r' ? "red" : "black")));
        }
        for (const std::uint32_t role : {0U, 1U}) {
            EXPECT_EQ(game.value(game.state(board(cells)), role), other.value(other.state(there), role)) << cells;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, CountingChain,
                         ::testing::Values(Form{"conjunction", &conjunction}, Form{"halves", &halves},
                                           Form{"recursion", &recursion}, Form{"together", &together}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(CountingChains, AreExplained) {
    NeuralGame game(machine::testing::described(conjunction), {}, 5);
    const auto said = [&] {
        std::string all;
        std::vector<Explanation> open{game.evaluator->explain(game.state(board("rr-b-")), Role{0})};
        while (!open.empty()) {
            const Explanation one = std::move(open.back());
            open.pop_back();
            all += one.text + "\n";
            open.insert(open.end(), one.parts.begin(), one.parts.end());
        }
        return all;
    };
    game.set(with_chains(Transformation::soft, false));
    EXPECT_NE(said().find("nothing more than nothing"), std::string::npos) << said();
    game.set(with_chains(Transformation::soft));
    EXPECT_NE(said().find("so far (count red 2) more than so far (count black 1)"), std::string::npos) << said();
}

// Discs of a row are counted, or not, in every state: there is nothing to go on with.
TEST(CountingChains, AreLeftOutWhereNoStepFails) {
    for (const char* name : {"othello", "skirmish"}) {
        NeuralGame game(machine::testing::bundled(name), {}, 2);
        game.set(with_chains(Transformation::soft));
        EXPECT_GT(game.evaluator->comparison_count(), 0U) << name;
        EXPECT_EQ(game.evaluator->feature_counts().found(Feature::counting_chain), 0U) << name;
    }
}

// The game for which the thesis has them: dice on nine cells, counted row by row.
TEST(CountingChains, CountTheDiceOfTheThesis) {
    const std::vector<std::filesystem::path> files = gdl::testing::shared_files();
    const auto file = std::ranges::find(files, "cephalopodMicro", [](const auto& path) { return path.stem(); });
    if (file == files.end()) GTEST_SKIP() << "no ../shared/games beside the project";
    NeuralGame game(machine::testing::described_file(*file), {}, 10);
    std::vector<std::size_t> different;
    for (const bool chains : {false, true}) {
        game.set(with_chains(Transformation::soft, chains));
        EXPECT_EQ(game.evaluator->feature_counts().found(Feature::counting_chain), chains ? 4U : 0U);
        Work following(*game.evaluator);
        machine::Random random(2);
        State state = game.machine->initial();
        std::map<std::pair<int, int>, std::set<double>> by_dice;  // how many there are, and the lead
        std::set<double> values;
        for (int step = 0; step < 300; ++step) {
            expect_sound(game, state, following);
            if (HasFatalFailure()) return;
            values.insert(following.value(state, Role{0}));
            int dice = 0, lead = 0;
            state.for_each([&](Fluent fluent) {
                const std::string name = game.machine->fluent_name(fluent);
                if (!name.starts_with("(cell")) return;
                ++dice;
                lead += name.find("red") != std::string::npos ? 1 : -1;
            });
            if (!game.machine->terminal(state)) by_dice[{dice, lead}].insert(following.value(state, Role{0}));
            game.advance(state, random);
        }
        different.push_back(values.size());
        if (!chains) continue;
        for (auto one = by_dice.begin(); one != by_dice.end(); ++one) {
            EXPECT_EQ(one->second.size(), 1U) << one->first.first << " " << one->first.second;
            if (one == by_dice.begin() || std::prev(one)->first.first != one->first.first) continue;
            EXPECT_GT(*one->second.begin(), *std::prev(one)->second.begin()) << one->first.first;
        }
    }
    fmt::print("values without and with chains: {} {}\n", different[0], different[1]);
    EXPECT_GT(different[1], different[0]);
}

}  // namespace
}  // namespace stratagem::evaluate::neural::testing
