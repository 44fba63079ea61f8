#include "player/recipe.h"

#include <gmock/gmock.h>

#include <set>

#include "evaluate/registry.h"
#include "machine/machine_games.h"
#include "player/engine.h"
#include "player/margin.h"
#include "player/spelled_out.h"

namespace stratagem::player {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

// What reports say of a recipe can be played again.
TEST(Recipe, SpelledOutIsTheSameRecipe) {
    PlayerSettings settings;
    settings.search.threads = 2;
    for (const RecipeEntry& entry : recipe_table()) {
        const Recipe recipe(entry.name);
        const std::string all = spelled_out(recipe, settings);
        EXPECT_THAT(all, HasSubstr("threads=2,table=256,ponder=on"));
        const Recipe again(all);
        EXPECT_EQ(again.entry(), recipe.entry());
        EXPECT_EQ(spelled_out(again, {}), all) << "nothing is left to the settings";
        EXPECT_EQ(searches_spelled_out(again), searches_spelled_out(recipe));
        EXPECT_EQ(searches_spelled_out(recipe).size(), entry.searches.size());
    }
    EXPECT_THAT(spelled_out(Recipe("uct:exploration=0.7"), {}), HasSubstr("exploration=0.7"));
    EXPECT_THAT(spelled_out(Recipe("uct:table=8"), {}), HasSubstr("table=8,"));
    settings.nodes = 500;
    EXPECT_THAT(spelled_out(Recipe("uct"), settings), HasSubstr("threads=1,table=256,ponder=off,nodes=500"));
    EXPECT_THAT(spelled_out(Recipe("uct:nodes=7"), settings), HasSubstr("nodes=7"));
}

TEST(Recipe, TableHasWhatIsPromised) {
    std::set<std::string_view> names;
    for (const RecipeEntry& entry : recipe_table()) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
        EXPECT_FALSE(entry.about.empty()) << entry.name;
        EXPECT_FALSE(entry.searches.empty()) << entry.name;
        EXPECT_EQ(find_recipe(entry.name), &entry);
    }
    for (const char* name :
         {"random",   "legal",    "blind",    "alphabeta", "maxn",    "paranoid", "uct",      "mcts-plain",
          "solve",    "flux",     "nex",      "nex-1.0",   "nex-1.1", "nex-1.1s", "nex-1.1d", "nex-1.1n",
          "nex-1.1p", "nex-1.1a", "nex-1.1f", "nex-2",     "kuhl",    "best"}) {
        EXPECT_TRUE(names.contains(name)) << name;
    }
}

TEST(Recipe, EverySearchNamedIsRegisteredAndItsOptionsAreRight) {
    for (const RecipeEntry& entry : recipe_table()) {
        for (const RecipeSearch& one : entry.searches) {
            const search::SearchEntry* found = search::find_search(one.name);
            ASSERT_NE(found, nullptr) << entry.name << " names " << one.name;
            EXPECT_NO_THROW(OptionValues(found->options, one.options)) << entry.name << " names " << one.name;
        }
    }
}

TEST(Recipe, ReadsTheOptionsEveryRecipeHas) {
    const Recipe plain("random");
    EXPECT_EQ(plain.text(), "random");
    EXPECT_FALSE(plain.threads() || plain.table_megabytes() || plain.ponder());
    const Recipe full("random: threads=2, table=64, ponder=off");
    EXPECT_EQ(full.text(), "random:threads=2,table=64,ponder=off");
    EXPECT_EQ(full.threads(), 2u);
    EXPECT_EQ(full.table_megabytes(), 64u);
    EXPECT_EQ(full.ponder(), false);
    EXPECT_EQ(full.options_for(full.entry()->searches.front()), "");
}

// What the evaluator refuses once there is a game, the recipe refuses before.
TEST(Recipe, RefusesOptionsThatCannotWorkTogether) {
    EXPECT_THAT([] { Recipe("nex-1.1s:transformation=cilp"); },
                ThrowsMessage<OptionError>(HasSubstr("recipe 'nex-1.1s': features need transformation=local or soft")));
    EXPECT_THAT([] { Recipe("flux:truth=0.6,threshold=0.7"); },
                ThrowsMessage<OptionError>(HasSubstr("'threshold' must be at most 'truth'")));
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    evaluate::Material material;
    material.game = std::make_shared<const machine::GdlGame>(description);
    const auto message_of = [](const auto& attempt) -> std::string {
        try {
            attempt();
            return "";
        } catch (const OptionError& fault) {
            return fault.what();
        }
    };
    std::vector<std::string> all;
    for (const std::string kind : {"cilp", "local", "soft"}) {
        for (const std::string feature : {"distances", "persistence", "admissible", "orders", "chains", "variable",
                                          "solutions", "partial", "mobility", "pieces", "depth", "goals"}) {
            const bool counted =
                feature == "mobility" || feature == "pieces" || feature == "depth" || feature == "goals";
            all.push_back("transformation=" + kind + "," + feature + (counted ? "=1" : "=on"));
        }
    }
    std::size_t refused = 0;
    for (const std::string recipe : {"nex", "nex-1.0", "nex-1.1", "nex-1.1s", "nex-1.1f"}) {
        for (const std::string& options : all) {
            // Without a game only what is said of the options can be refused, with one they are used.
            std::optional<Recipe> made;
            const std::string before = message_of([&] { made.emplace(recipe + ":" + options); });
            const evaluate::EvaluatorEntry& neural = *evaluate::find_evaluator("neural");
            if (made) {
                EXPECT_EQ(message_of([&] {
                              neural.make(material, OptionValues(neural.options, made->options_for_evaluator()));
                          }),
                          "")
                    << recipe << ":" << options;
            } else {
                ++refused;
                EXPECT_THAT(before,
                            ::testing::AnyOf(HasSubstr("features need"), HasSubstr("chains=on has no effect without")))
                    << recipe << ":" << options;
                EXPECT_THAT(options, ::testing::AnyOf(HasSubstr("cilp"), HasSubstr("chains=on")));
            }
        }
    }
    EXPECT_GT(refused, 20U);
}

TEST(Recipe, SaysWhatWouldBeRight) {
    EXPECT_THAT([] { Recipe("chess-master"); }, ThrowsMessage<OptionError>(HasSubstr("there are: random, legal")));
    EXPECT_THAT([] { Recipe("random:colour=red"); }, ThrowsMessage<OptionError>(HasSubstr("recipe 'random'")));
    EXPECT_THAT([] { Recipe("random:threads=many"); }, ThrowsMessage<OptionError>(HasSubstr("threads")));
    EXPECT_THAT([] { Recipe("best:nonuniform=on"); }, ThrowsMessage<OptionError>(HasSubstr("nonuniform")))
        << "none of the searches it may choose has it";
    EXPECT_THROW(Recipe(""), OptionError);
}

TEST(Recipe, GivesOptionsToItsSearch) {
    const search::SearchEntry* uct = search::find_search("uct");
    ASSERT_TRUE(uct != nullptr && !uct->options.empty());
    const Option& option = uct->options.front();
    const std::string given = std::string(option.name) + "=" + std::string(option.default_value);
    const Recipe recipe("uct:" + given + ",threads=3");
    EXPECT_EQ(recipe.options_for(recipe.entry()->searches.front()), given);
    EXPECT_EQ(recipe.options_for({"other", "a=b"}), "a=b");
}

TEST(Recipe, GivesOptionsToItsEvaluator) {
    for (const RecipeEntry& entry : recipe_table()) {
        if (entry.evaluator.empty()) {
            EXPECT_THAT(evaluator_options(entry), IsEmpty()) << entry.name;
        } else {
            EXPECT_NE(evaluate::find_evaluator(entry.evaluator), nullptr) << entry.name;
            EXPECT_NO_THROW(OptionValues(evaluator_options(entry), entry.judging)) << entry.name;
        }
    }
    const Recipe recipe("flux:power=10,threads=2,orders=off");
    EXPECT_EQ(recipe.options_for_evaluator(), "power=10,orders=off");
    EXPECT_EQ(recipe.options_for(recipe.entry()->searches.front()), "");
    EXPECT_EQ(recipe.threads(), 2u);
    EXPECT_EQ(Recipe("nex-1.1p:standard=40,persistence=off").options_for_evaluator(),
              "transformation=local,aggregation=sum,weights=thesis,standard=40,persistence=off");
    EXPECT_THAT([] { Recipe("flux:power=lots"); }, ThrowsMessage<OptionError>(HasSubstr("power")));
    EXPECT_THAT([] { Recipe("uct:power=10"); }, ThrowsMessage<OptionError>(HasSubstr("power")));
}

// The evaluator of the recipe is what the search gets, and its options are those given.
TEST(Recipe, EnginesHaveTheEvaluatorTheyName) {
    const auto prepared = std::make_shared<const machine::GdlGame>(machine::testing::bundled("breakthrough"));
    // At first both sides are worth the same, so look at the state after a move.
    const auto machine = prepared->make();
    std::vector<machine::Move> joint, moves;
    for (std::uint32_t role = 0; role < machine->role_count(); ++role) {
        machine->legal(machine->initial(), machine::Role{role}, moves);
        ASSERT_FALSE(moves.empty());
        joint.push_back(moves.front());
    }
    machine::State state = machine->initial();
    machine->next(machine->initial(), joint, state);
    const auto value_by = [&](const char* recipe) {
        const auto engine = make_engine(Recipe(recipe), prepared, {});
        return engine->problem.evaluator->value(state, machine::Role{0});
    };
    EXPECT_EQ(value_by("blind"), 50);
    EXPECT_NE(value_by("flux"), 50);
    EXPECT_NE(value_by("flux"), value_by("flux:power=5"));
}

TEST(Recipe, ListsMayHaveOptionsWithCommas) {
    EXPECT_THAT(split_recipes("uct,random"), ElementsAre("uct", "random"));
    EXPECT_THAT(split_recipes("uct:rave=on,mast=off,random,legal:threads=2"),
                ElementsAre("uct:rave=on,mast=off", "random", "legal:threads=2"));
    EXPECT_THAT(split_recipes("uct:rave=on,uct:rave=off"), ElementsAre("uct:rave=on", "uct:rave=off"));
    EXPECT_THAT(split_recipes(""), IsEmpty());
}

TEST(Engine, ObservesAndChooses) {
    const gdl::Description description = machine::testing::bundled("tic_tac_toe");
    std::vector<std::string> lines;
    EngineSettings settings;
    settings.start_seconds = 1000;
    settings.search.table_megabytes = 1;
    settings.log = [&](std::string_view line) { lines.emplace_back(line); };
    const std::unique_ptr<Engine> engine =
        make_engine(Recipe("random"), std::make_shared<const machine::GdlGame>(description), settings);
    EXPECT_EQ(engine->search_name, "random");
    EXPECT_TRUE(holds(engine->problem.facts.two_player_zero_sum));
    EXPECT_THAT(lines, ElementsAre(HasSubstr("2 of 2 roles choose, in turns, zero-sum"),
                                   ::testing::MatchesRegex("start clock 1000.00 s: facts .* \\(300 games\\), search .* "
                                                           "\\(random\\); .* left for the search")));
    EXPECT_TRUE(engine->search->choose(engine->problem.game->make()->initial(), machine::Role{0}, {}).move);
}

TEST(Margin, IsTheFloorAndTheWorstOfTheLastMoves) {
    Margin margin(Margin::Duration(1), 3);
    EXPECT_EQ(margin.value().count(), 1);
    margin.learn(Margin::Duration(-5));
    EXPECT_EQ(margin.value().count(), 1) << "being early is no credit";
    margin.learn(Margin::Duration(4));
    EXPECT_EQ(margin.value().count(), 5);
    margin.learn(Margin::Duration(2));
    EXPECT_EQ(margin.value().count(), 5);
    margin.learn(Margin::Duration(0));
    margin.learn(Margin::Duration(0));
    EXPECT_EQ(margin.value().count(), 3) << "the worst has been forgotten";
}

}  // namespace
}  // namespace stratagem::player
