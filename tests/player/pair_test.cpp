// Recipes made of a search and an evaluator, and options of recipes that choose among searches.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "evaluate/registry.h"
#include "machine/machine_games.h"
#include "machine/random.h"
#include "player/engine.h"
#include "player/recipe.h"
#include "player/spelled_out.h"

namespace stratagem::player {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

std::string error_of(const std::string& recipe) {
    try {
        const Recipe made(recipe);
        return "";
    } catch (const OptionError& fault) {
        return fault.what();
    }
}

TEST(RecipeText, IsANameOrAPair) {
    const RecipeText name = read_recipe(" nex-1.1s : pieces=10, threads=2 ");
    EXPECT_EQ(name.first.name, "nex-1.1s");
    EXPECT_THAT(name.first.options, ElementsAre("pieces=10", "threads=2"));
    EXPECT_FALSE(name.evaluator);
    const RecipeText pair = read_recipe("uct:rave_equivalence=1e+06,rave+neural:power=5");
    EXPECT_EQ(pair.first.name, "uct");
    EXPECT_THAT(pair.first.options, ElementsAre("rave_equivalence=1e+06", "rave")) << "that '+' belongs to a number";
    ASSERT_TRUE(pair.evaluator);
    EXPECT_EQ(pair.evaluator->name, "neural");
    EXPECT_THAT(pair.evaluator->options, ElementsAre("power=5"));
    EXPECT_THROW(read_recipe("uct+neural+fuzzy"), OptionError);
    EXPECT_EQ(read_recipe("uct+").evaluator->name, "");
}

TEST(RecipeText, ListsMayHavePairsWithOptions) {
    EXPECT_THAT(split_recipes("uct+neural,alphabeta+fuzzy"), ElementsAre("uct+neural", "alphabeta+fuzzy"));
    EXPECT_THAT(split_recipes("uct:rave=on,mast=off+neural:count=3,power=5,random"),
                ElementsAre("uct:rave=on,mast=off+neural:count=3,power=5", "random"));
    EXPECT_THAT(split_recipes("alphabeta:mask=on+fuzzy,uct+fuzzy:power=5,threads=2,legal"),
                ElementsAre("alphabeta:mask=on+fuzzy", "uct+fuzzy:power=5,threads=2", "legal"));
}

TEST(Pair, IsASearchWithItsStandInsAndAnEvaluator) {
    const Recipe recipe("alphabeta:nonuniform=off+fuzzy:power=5");
    EXPECT_TRUE(recipe.is_pair());
    EXPECT_FALSE(Recipe("alphabeta").is_pair());
    EXPECT_EQ(recipe.entry()->name, "alphabeta+fuzzy");
    EXPECT_EQ(recipe.entry()->evaluator, "fuzzy");
    EXPECT_EQ(recipe.options_for_evaluator(), "power=5");
    EXPECT_EQ(recipe.options_for_search("alphabeta"), "nonuniform=off");
    EXPECT_EQ(recipe.options_for_search("paranoid"), "nonuniform=off") << "it stands in for alphabeta, and has it too";
    EXPECT_EQ(recipe.options_for_search("maxn"), "nonuniform=off");
    EXPECT_EQ(recipe.options_for_search("single"), "");
    const Recipe copy = recipe;
    EXPECT_EQ(copy.entry()->searches.size(), find_recipe("alphabeta")->searches.size());
    const Recipe single("single+neural:transformation=local,nodes=77");
    EXPECT_EQ(single.entry()->searches.front().name, "single");
    EXPECT_EQ(single.entry()->searches.back().name, "maxn") << "somebody must play games of two";
    EXPECT_EQ(single.nodes(), 77u);
    EXPECT_EQ(Recipe("uct:threads=3+fuzzy:table=9").threads(), 3u);
    EXPECT_EQ(Recipe("uct:threads=3+fuzzy:table=9").table_megabytes(), 9u);
}

TEST(Pair, TheEvaluatorIsUsedUnlessSaidOtherwise) {
    EXPECT_THAT(Recipe("uct+neural").options_for_search("uct"), HasSubstr("evaluator="));
    EXPECT_THAT(Recipe("uct+neural").options_for_search("uct"), Not(HasSubstr("none")));
    EXPECT_EQ(Recipe("uct:evaluator=cutoff,cutoff=3+neural").options_for_search("uct"), "evaluator=cutoff,cutoff=3");
    EXPECT_EQ(Recipe("uct").options_for_search("uct"), "");
    EXPECT_EQ(Recipe("uct+constant").options_for_search("uct"), "");
}

TEST(Pair, SaysWhatIsWrong) {
    EXPECT_THAT(error_of("ucx+neural"), HasSubstr("there is no search 'ucx'; did you mean 'uct'?"));
    EXPECT_THAT(error_of("uct+neurla"), HasSubstr("there is no evaluator 'neurla'; did you mean 'neural'?"));
    EXPECT_THAT(error_of("flux+neural"), HasSubstr("'flux' is a recipe and no search"));
    EXPECT_THAT(error_of("uct+nex-1.1"), HasSubstr("it judges by neural:transformation=local"));
    EXPECT_THAT(error_of("single"), HasSubstr("write single+EVALUATOR"));
    EXPECT_THAT(error_of("fuzzy"), HasSubstr("write SEARCH+fuzzy"));
    EXPECT_THAT(error_of("uct+neural+fuzzy"), HasSubstr("more than one '+'"));
    EXPECT_THAT(error_of("uct+"), HasSubstr("there is no evaluator ''"));
    EXPECT_THAT(error_of("+fuzzy"), HasSubstr("there is no search ''"));
    EXPECT_THAT(error_of("uct+neural:exploration=1"), HasSubstr("write uct:exploration=1+neural"));
    EXPECT_THAT(error_of("uct:pieces=1+neural"), HasSubstr("write uct+neural:pieces=1"));
    EXPECT_THAT(error_of("alphabeta+fuzzy:powr=5"), HasSubstr("did you mean 'power'?"));
    EXPECT_THAT(error_of("uct:threads=2+fuzzy:threads=2"), HasSubstr("'threads' is given twice"));
    EXPECT_THAT(error_of("flux:power=3,power=4"), HasSubstr("'power' is given twice"));
    EXPECT_THAT(error_of("uct+neural:transformation=cilp,distances=on"), HasSubstr("features need transformation"));
    EXPECT_THAT(error_of("uct:nodes=5+neural:ponder=on"), HasSubstr("cannot work together"));
}

// Each option that depends on others, with a value that is not the one it has anyway.
TEST(Recipe, OptionsWithoutEffectAreErrors) {
    for (const auto& [recipe, missing] : std::vector<std::pair<std::string, std::string>>{
             {"uct:evaluator=leaf",
              "evaluator=leaf has no effect without an evaluator: write uct:evaluator=leaf+EVALUATOR"},
             {"best:evaluator=prior", "write uct:evaluator=prior+EVALUATOR"},
             {"uct:evaluator=leaf+constant", "an evaluator"},
             {"uct:evaluator_weight=0.7", "evaluator=leaf"},
             {"uct:evaluator=prior,evaluator_weight=0.7+fuzzy", "evaluator=leaf"},
             {"uct:prior_visits=5,evaluator=leaf+fuzzy", "evaluator=prior"},
             {"uct:prior_visits=5", "evaluator=prior"},
             {"uct:cutoff=5+fuzzy", "evaluator=cutoff"},
             {"uct:greedy=0.5", "mast=on"},
             {"uct:rave_equivalence=5", "rave=on"},
             {"uct:history=on,lanes=off", "lanes=on"},
             {"uct:history=on,mast=on", "mast=off"},
             {"uct:playouts=4,rave=on", "rave=off"},
             {"uct:leaves=4,lanes=off", "lanes=on"},
             {"uct:lanes=off,evaluator=cutoff+fuzzy", "evaluator!=cutoff"},
             {"uct:fpu=0.1,all_first=on", "all_first=off"},
             {"uct:playouts=4,evaluator=leaf,evaluator_weight=1+fuzzy", "evaluator_weight!=1"},
             {"uct:evaluator=none+fuzzy", "evaluator!=none"},
             {"single:bestfirst=off+fuzzy", "bestfirst=on"},
             {"random+fuzzy", "random asks none"},
             {"legal+neural", "legal asks none"},
             {"mcts-plain+neural", "mcts-plain asks none"},
             {"flux:bestfirst=off,diving=off,deepening=off", "bestfirst=on or diving=on"},
             {"solve:share=0,megabytes=5", "share!=0"},
             {"alphabeta+constant:power=5", "without an evaluator that has it (fuzzy and neural)"},
             {"uct:power=5", "without an evaluator that has it (fuzzy and neural)"},
             {"uct+fuzzy:distance=axes,boards=off", "boards!=off"},
             {"nex-1.0:difference=1.5", "transformation=local"},
             {"nex-1.1:count=3", "transformation=soft"},
             {"uct+neural:chains=on", "orders=on"},
             {"uct+neural:probable=0.7", "distances=on or "},
             {"uct+neural:undecided=thesis,orders=on", "distances=on or persistence=on"}}) {
        EXPECT_THAT(error_of(recipe), HasSubstr(missing)) << recipe;
    }
    // What is the case anyway may be said.
    for (const char* recipe :
         {"uct:greedy=0.6,mast=off", "uct:evaluator=none", "uct:evaluator_weight=0.50", "nex:orders=off,chains=on",
          "uct+constant", "random+constant:threads=2", "nex-1.0:difference=1"}) {
        EXPECT_EQ(error_of(recipe), "") << recipe;
    }
}

TEST(Recipe, OptionsReachEverySearchThatHasThem) {
    const Recipe flux("flux:nonuniform=off,prune=off,diving=off,others=random,power=5,horizon=4,ranking=values");
    EXPECT_EQ(flux.options_for_search("alphabeta"), "nonuniform=off,horizon=4,ranking=values");
    EXPECT_EQ(flux.options_for_search("paranoid"), "nonuniform=off,others=random,horizon=4,ranking=values");
    EXPECT_EQ(flux.options_for_search("maxn"), "nonuniform=off,prune=off,others=random,horizon=4");
    EXPECT_EQ(flux.options_for_search("single"), "diving=off");
    EXPECT_EQ(flux.options_for_evaluator(), "power=5");
    EXPECT_EQ(Recipe("best:exploration=1").options_for_search("uct"), "exploration=1");
    // Searches that call different things by the same name take the values they know.
    const Recipe serial("blind:others=serial");
    EXPECT_EQ(serial.options_for_search("maxn"), "others=serial");
    EXPECT_EQ(serial.options_for_search("paranoid"), "");
    EXPECT_THAT(error_of("blind:others=nobody"), HasSubstr("must be one of"));
    EXPECT_THAT(error_of("blind:exploration=1"), HasSubstr("there is no option 'exploration'"));
}

// Otherwise one text would mean two things.
TEST(Recipe, NoOptionIsOneOfASearchAndOfAnEvaluator) {
    std::set<std::string_view> searching, judging;
    for (const search::SearchEntry& entry : search::search_table()) {
        for (const Option& option : entry.options) searching.insert(option.name);
    }
    for (const evaluate::EvaluatorEntry& entry : evaluate::evaluator_table()) {
        for (const Option& option : entry.options) judging.insert(option.name);
    }
    for (const Option& option : recipe_options()) {
        EXPECT_FALSE(searching.contains(option.name) || judging.contains(option.name)) << option.name;
    }
    for (const std::string_view name : judging) EXPECT_FALSE(searching.contains(name)) << name;
}

// Conditions speak of options that are there, and hold for the defaults of what they belong to or are worth giving.
TEST(Recipe, WhatOptionsNeedCanBeChecked) {
    const std::array facts{search::has_evaluator};
    for (const search::SearchEntry& entry : search::search_table()) {
        const OptionValues defaults(entry.options, "");
        for (const Option& option : entry.options) EXPECT_NO_THROW(defaults.unmet(option.needs, facts)) << option.name;
        if (entry.asks != search::never_asks) {
            EXPECT_NO_THROW(defaults.unmet(entry.asks)) << entry.name;
        }
        EXPECT_NO_THROW(OptionValues(entry.options, entry.with_evaluator)) << entry.name;
    }
    for (const evaluate::EvaluatorEntry& entry : evaluate::evaluator_table()) {
        const OptionValues defaults(entry.options, "");
        for (const Option& option : entry.options) EXPECT_NO_THROW(defaults.unmet(option.needs)) << option.name;
    }
}

std::string random_value(const Option& option, machine::Random& random) {
    switch (option.kind) {
        case Option::Kind::flag:
            return random.below(2) == 0 ? "on" : "off";
        case Option::Kind::integer:
            return fmt::format("{}",
                               static_cast<std::int64_t>(option.least) +
                                   random.below(static_cast<std::uint32_t>(std::min(option.most - option.least, 1e9))));
        case Option::Kind::real:
            return fmt::format("{}", option.least + (option.most - option.least) * random.below(1001) / 1000.0);
        case Option::Kind::text:
            return std::string(option.default_value);
        case Option::Kind::choice:
            break;
    }
    std::vector<std::string> all;
    std::string_view left = option.choices;
    while (!left.empty()) {
        const std::size_t end = std::min(left.find('|'), left.size());
        all.emplace_back(left.substr(0, end));
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return all[random.below(static_cast<std::uint32_t>(all.size()))];
}

std::string random_options(std::span<const Option> options, machine::Random& random) {
    std::string text;
    for (const Option& option : options) {
        if (random.below(4) != 0) continue;
        text += fmt::format("{}{}={}", text.empty() ? ":" : ",", option.name, random_value(option, random));
    }
    return text;
}

// What reports say of any search with any evaluator and any options is the same recipe.
TEST(Pair, SpelledOutIsTheSameRecipe) {
    machine::Random random(7);
    std::size_t good = 0, bad = 0;
    for (int round = 0; round < 40; ++round) {
        for (const search::SearchEntry& search : search::search_table()) {
            for (const evaluate::EvaluatorEntry& evaluator : evaluate::evaluator_table()) {
                const std::string text = fmt::format("{}{}+{}{}", search.name, random_options(search.options, random),
                                                     evaluator.name, random_options(evaluator.options, random));
                std::optional<Recipe> recipe;
                try {
                    recipe.emplace(text);
                    ++good;
                } catch (const OptionError&) {
                    ++bad;
                    continue;
                }
                const std::string all = spelled_out(*recipe, {});
                SCOPED_TRACE(text + "\n" + all);
                const Recipe again(all);
                EXPECT_EQ(spelled_out(again, {}), all);
                EXPECT_EQ(searches_spelled_out(again), searches_spelled_out(*recipe));
                EXPECT_EQ(again.entry()->name, recipe->entry()->name);
                ASSERT_THAT(split_recipes("random," + all + ",legal"), ElementsAre("random", all, "legal"));
            }
        }
    }
    EXPECT_GT(good, 300U);
    EXPECT_GT(bad, 50U) << "options without effect are among them";
}

TEST(Recipe, SpelledOutHasWhatPeopleGaveToAnySearch) {
    for (const std::string text : {"blind:others=serial", "blind:others=paranoid", "blind:others=random",
                                   "flux:mask=on", "solve:prune=off", "best:exploration=1,diving=off"}) {
        const Recipe recipe(text);
        const std::string all = spelled_out(recipe, {});
        EXPECT_THAT(all, HasSubstr(text.substr(text.find(':') + 1).substr(0, 6))) << all;
        const Recipe again(all);
        EXPECT_EQ(searches_spelled_out(again), searches_spelled_out(recipe)) << all;
        EXPECT_EQ(spelled_out(again, {}), all);
    }
}

std::unique_ptr<Engine> engine_for(const std::string& recipe, const std::string& game, std::vector<std::string>& lines,
                                   machine::MachineKind kind = machine::MachineKind::circuit) {
    machine::MachineOptions options;
    options.kind = kind;
    EngineSettings settings;
    settings.nodes = 200;
    settings.search.table_megabytes = 4;
    settings.log = [&](std::string_view line) { lines.emplace_back(line); };
    return make_engine(Recipe(recipe),
                       std::make_shared<const machine::GdlGame>(machine::testing::bundled(game), options), settings);
}

// By the kind of game, whatever it is called.
TEST(Recipe, GamesOfTwoWhoMoveAtOnceAreSearchedByParanoidSearch) {
    for (const std::string recipe : {"flux", "nex", "blind", "alphabeta", "alphabeta+fuzzy"}) {
        std::vector<std::string> lines;
        EXPECT_EQ(engine_for(recipe, "rock_paper_scissors", lines)->search_name, "paranoid") << recipe;
        EXPECT_THAT(lines, Contains("paranoid, where two players move at once")) << recipe;
        EXPECT_EQ(engine_for(recipe, "three_player_tic_tac_toe", lines)->search_name, "maxn") << recipe;
    }
    std::vector<std::string> lines;
    EXPECT_EQ(engine_for("flux", "maze_chase", lines)->search_name, "maxn") << "three";
    EXPECT_EQ(engine_for("maxn", "rock_paper_scissors", lines)->search_name, "maxn") << "as asked for";
}

TEST(Pair, FallsBackWhereItsSearchCannotPlayAndSaysSo) {
    std::vector<std::string> lines;
    const auto engine = engine_for("alphabeta+fuzzy", "three_player_tic_tac_toe", lines);
    EXPECT_EQ(engine->search_name, "maxn");
    EXPECT_FALSE(engine->problem.evaluator->is_constant());
    EXPECT_THAT(lines, Contains("alphabeta cannot handle this game: maxn plays it"));
    lines.clear();
    EXPECT_EQ(engine_for("single+fuzzy", "tic_tac_toe", lines)->search_name, "alphabeta");
    EXPECT_THAT(lines, Contains("single cannot handle this game: alphabeta plays it"));
    lines.clear();
    EXPECT_EQ(engine_for("flux", "tic_tac_toe", lines)->search_name, "alphabeta");
    EXPECT_THAT(lines, Not(Contains(HasSubstr("cannot handle")))) << "it chooses by kind of game";
}

// Too large or too odd to ground: then there is no evaluator, and the search plays without.
TEST(Pair, PlaysWithoutAnEvaluatorWhereNoneCanBeMade) {
    for (const std::string recipe : {"uct+neural", "uct:evaluator=prior+fuzzy", "uct:evaluator=cutoff+neural",
                                     "alphabeta+fuzzy", "uct:threads=2+neural"}) {
        for (const std::string game : {"tic_tac_toe", "rock_paper_scissors"}) {
            std::vector<std::string> lines;
            const auto engine = engine_for(recipe, game, lines, machine::MachineKind::interpreter);
            EXPECT_TRUE(engine->problem.evaluator->is_constant());
            EXPECT_THAT(lines, Contains(HasSubstr("every state is worth the same")));
            search::Budget budget;
            budget.max_nodes = 50;
            const auto machine = engine->problem.game->make();
            EXPECT_TRUE(engine->search->choose(machine->initial(), machine::Role{0}, budget).move);
        }
    }
}

}  // namespace
}  // namespace stratagem::player
