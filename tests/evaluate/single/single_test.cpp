// Single features: their values by hand, their heuristics, and the evaluator that offers them.
#include "evaluate/single/single.h"

#include <gmock/gmock.h>

#include "machine/machine_games.h"
#include "machine/random.h"

namespace stratagem::evaluate::single {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// A board of three by three with two pieces, of which one may go to the right; whoever stays gets gold.
const std::string walking_game = R"(
    (role a) (role b)
    (s c1 c2) (s c2 c3) (n 0 1) (n 1 2) (n 2 3)
    (init (cell c1 c1 k)) (init (cell c2 c1 e)) (init (cell c3 c1 e))
    (init (cell c1 c2 e)) (init (cell c2 c2 e)) (init (cell c3 c2 q))
    (init (cell c1 c3 e)) (init (cell c2 c3 e)) (init (cell c3 c3 e))
    (init (gold a 1)) (init (step 0))
    (<= (legal a right) (true (cell ?x c1 k)) (s ?x ?y))
    (legal a stay) (legal b noop)
    (<= (target ?y) (true (cell ?x c1 k)) (s ?x ?y))
    (<= (next (cell ?y c1 k)) (does a right) (true (cell ?x c1 k)) (s ?x ?y))
    (<= (next (cell ?x c1 e)) (does a right) (true (cell ?x c1 k)))
    (<= (next (cell ?x c1 e)) (does a right) (true (cell ?x c1 e)) (not (target ?x)))
    (<= (next (cell ?x c1 ?w)) (does a stay) (true (cell ?x c1 ?w)))
    (<= (next (cell ?x ?y ?w)) (true (cell ?x ?y ?w)) (distinct ?y c1))
    (<= (next (gold a ?m)) (does a stay) (true (gold a ?k)) (n ?k ?m))
    (<= (next (gold a ?k)) (does a right) (true (gold a ?k)))
    (<= (next (step ?m)) (true (step ?k)) (n ?k ?m))
    (<= terminal (true (step 2)))
    (<= (goal a 100) (true (cell c3 c1 k))) (<= (goal a 20) (not (true (cell c3 c1 k))))
    (<= (goal b 0) (true (cell c3 c1 k))) (<= (goal b 100) (not (true (cell c3 c1 k)))))";

struct Judged {
    // What is not known in that time may be missing, but features are made.
    explicit Judged(const gdl::Description& rules, double seconds = 2)
        : game(std::make_shared<machine::GdlGame>(rules)), material(make_material(game, seconds, nullptr, 1)) {
        material.stop = {};
    }

    std::shared_ptr<const Evaluator> make(const std::string& options) const {
        const EvaluatorEntry* entry = find_evaluator("single");
        return entry->make(material, OptionValues(entry->options, options));
    }
    std::vector<std::string> names(bool by_templates = true) const {
        std::vector<std::string> result;
        if (const auto set = make_feature_set(material, by_templates)) {
            for (const Feature& feature : set->features) result.push_back(feature.name);
        }
        return result;
    }

    std::shared_ptr<const machine::Game> game;
    Material material;
};

machine::State after(machine::Machine& machine, const machine::State& state, const std::string& move) {
    machine::State next;
    const std::vector<machine::Move> joint{*machine.find_move(machine::Role{0}, move),
                                           *machine.find_move(machine::Role{1}, "noop")};
    machine.next(state, joint, next);
    return next;
}

TEST(SingleFeatures, AreThoseOfTheTable) {
    const Judged judged(machine::testing::described(walking_game));
    const std::vector<std::string> names = judged.names();
    EXPECT_THAT(names, ::testing::UnorderedElementsAre("cell.k.1", "cell.q.1", "cell.q.2", "cell.k-q.distance",
                                                       "gold.a.value2"))
        << "the row of k is always the first, and the step counter is no feature";
    const Judged othello(machine::testing::bundled("nothello"));
    EXPECT_EQ(othello.names().size(), 3u) << "markers are counted";
    const Judged hallway(machine::testing::bundled("hallway"));
    EXPECT_THAT(hallway.names(), Contains("pawn.white.3"));
    EXPECT_THAT(hallway.names(), Contains("pawn.white-black.distance"));
    EXPECT_THAT(hallway.names(), Contains("walls_left.black.value2"));
    EXPECT_THAT(hallway.names(), Not(Contains(HasSubstr("moves_made"))));
}

TEST(SingleFeatures, HaveTheValuesOfTheThesis) {
    const Judged judged(machine::testing::described(walking_game));
    const auto machine = judged.game->make();
    const machine::State start = machine->initial();
    const machine::State moved = after(*machine, start, "right");
    const machine::State stayed = after(*machine, start, "stay");
    const auto value = [&](const std::string& options, const machine::State& state) {
        return judged.make(options)->value(state, machine::Role{0});
    };
    // H = 1 + 0 + (100 - 0 - 2) V
    EXPECT_DOUBLE_EQ(value("feature=cell.k.1,direction=max", start), 1);
    EXPECT_DOUBLE_EQ(value("feature=cell.k.1,direction=max", moved), 50);
    EXPECT_DOUBLE_EQ(value("feature=cell.k.1,direction=min", start), 99);
    EXPECT_DOUBLE_EQ(value("feature=cell.k-q.distance,direction=max", start), 99);  // 2 + 1 of 3
    EXPECT_DOUBLE_EQ(value("feature=cell.k-q.distance,direction=max", moved), 1 + 98 * 2.0 / 3);
    EXPECT_DOUBLE_EQ(value("feature=gold.a.value2,direction=max", start), 1 + 98 * 1.0 / 3);
    EXPECT_DOUBLE_EQ(value("feature=gold.a.value2,direction=max", stayed), 1 + 98 * 2.0 / 3);
    const Explanation why = judged.make("feature=cell.k.1,direction=max")->explain(moved, machine::Role{0});
    EXPECT_THAT(why.text, HasSubstr("cell.k.1 as large as can be, 1 of 0 to 2"));
    EXPECT_DOUBLE_EQ(why.value, 50);
    ASSERT_EQ(why.parts.size(), 1u);
    EXPECT_EQ(why.parts[0].text, "(cell c2 c1 k)");
}

TEST(SingleFeatures, AreNamedOrNumbered) {
    const Judged judged(machine::testing::described(walking_game));
    const auto machine = judged.game->make();
    const std::vector<std::string> names = judged.names();
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(judged.make("feature=" + names[i])->value(machine->initial(), machine::Role{0}),
                  judged.make("feature=" + std::to_string(i + 1))->value(machine->initial(), machine::Role{0}));
    }
    EXPECT_THROW(judged.make("feature=0"), OptionError);
    EXPECT_THROW(judged.make("feature=cell.k.9"), OptionError);
    EXPECT_THROW(judged.make("feature=999"), OptionError);
}

// Who names no feature goes by what goes along with the end; a is to be where k is on the right.
TEST(SingleFeatures, OfferAllAndChooseOne) {
    const Judged judged(machine::testing::described(walking_game));
    const auto chosen = judged.make("");
    EXPECT_EQ(chosen->parts().size(), 2 * judged.names().size());
    EXPECT_EQ(chosen->parts()[1].name, "min:" + judged.names()[0]);
    EXPECT_TRUE(judged.make("feature=1")->parts().empty());
    const auto machine = judged.game->make();
    const machine::State moved = after(*machine, machine->initial(), "right");
    const machine::State stayed = after(*machine, machine->initial(), "stay");
    EXPECT_GT(chosen->value(moved, machine::Role{0}), chosen->value(stayed, machine::Role{0}));
    EXPECT_LT(chosen->value(moved, machine::Role{1}), chosen->value(stayed, machine::Role{1}));
}

TEST(SingleFeatures, AreFollowedFromStateToState) {
    for (const std::string name : {"hallway", "minichess", "maze_chase"}) {
        const Judged judged(machine::testing::bundled(name), 1);
        for (const std::string structures : {"templates", "meaning"}) {
            const auto all = judged.make("structures=" + structures);
            ASSERT_NE(all, nullptr) << name;
            const auto machine = judged.game->make();
            std::vector<std::unique_ptr<Evaluation>> work;
            const std::vector<Evaluator::Part> parts = all->parts();
            for (const Evaluator::Part& part : parts) work.push_back(part.evaluator->start());
            machine::Random random(3);
            machine::State state = machine->initial(), next;
            for (int step = 0; step < 15 && !machine->terminal(state); ++step) {
                for (std::size_t i = 0; i < parts.size(); ++i) {
                    const double value = work[i]->value(state, machine::Role{0});
                    EXPECT_EQ(value, parts[i].evaluator->value(state, machine::Role{0})) << name << parts[i].name;
                    EXPECT_GE(value, 1);
                    EXPECT_LE(value, 99);
                }
                std::vector<machine::Move> joint, legal;
                for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
                    machine->legal(state, machine::Role{role}, legal);
                    joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
                }
                machine->next(state, joint, next);
                std::swap(state, next);
            }
        }
    }
}

TEST(SingleFeatures, NoneWithoutGroundRules) {
    machine::MachineOptions options;
    options.kind = machine::MachineKind::interpreter;
    Material material;
    material.game = std::make_shared<machine::GdlGame>(machine::testing::bundled("tic_tac_toe"), options);
    std::string said;
    material.log = [&](const std::string& line) { said += line; };
    const EvaluatorEntry* entry = find_evaluator("single");
    EXPECT_EQ(entry->make(material, OptionValues(entry->options, "")), nullptr);
    EXPECT_THAT(said, HasSubstr("cannot be grounded"));
}

}  // namespace
}  // namespace stratagem::evaluate::single
