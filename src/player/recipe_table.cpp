#include "player/recipe_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "gdl/game_file.h"

namespace stratagem::player {

namespace {

constexpr std::array random_searches{RecipeSearch{"random"}};
constexpr std::array legal_searches{RecipeSearch{"legal"}};
// By measured strength (docs/search.md): where two move at once, MaxN trusts that the other plays for himself and
// prunes less, and sees less far. Of games of more players too few were measured to leave it.
constexpr GamesOfKind two_at_once{"where two players move at once", [](const analysis::GameKind& facts) {
                                      return facts.players == 2 && !holds(facts.turn_taking);
                                  }};
// Each search says which games it can handle; the last of a list must be able to handle all.
constexpr std::array tree_searches{RecipeSearch{"single"}, RecipeSearch{"alphabeta"},
                                   RecipeSearch{"paranoid", {}, &two_at_once}, RecipeSearch{"maxn"}};
constexpr std::array alpha_beta_searches{RecipeSearch{"alphabeta"}, RecipeSearch{"single"},
                                         RecipeSearch{"paranoid", {}, &two_at_once}, RecipeSearch{"maxn"}};
constexpr std::array max_n_searches{RecipeSearch{"maxn"}, RecipeSearch{"paranoid"}, RecipeSearch{"single"}};
constexpr std::array paranoid_searches{RecipeSearch{"paranoid"}, RecipeSearch{"maxn"}, RecipeSearch{"single"}};
constexpr std::array uct_searches{RecipeSearch{"uct"}};
constexpr std::array plain_searches{RecipeSearch{"mcts-plain"}};
constexpr std::array portfolio_searches{RecipeSearch{"portfolio"}};
constexpr std::array solve_searches{RecipeSearch{"solve"}, RecipeSearch{"single"}, RecipeSearch{"alphabeta"},
                                    RecipeSearch{"paranoid", {}, &two_at_once}, RecipeSearch{"maxn"}};
// As long as evaluators know nothing of the game, playouts know more than they do.
constexpr std::array best_searches{RecipeSearch{"single"}, RecipeSearch{"uct"}};

// The stages of Nexplayer in the thesis, and what came of them.
constexpr std::string_view nex_2 =
    "transformation=soft,distances=on,variable=on,admissible=on,persistence=on,orders=on,chains=on,pieces=30,"
    "mobility=0.3";

constexpr std::array recipes{
    RecipeEntry{"random", "any legal move, by chance", random_searches},
    RecipeEntry{"legal", "always the first legal move", legal_searches},
    RecipeEntry{"blind", "tree search by kind of game that knows nothing but how games end", tree_searches},
    RecipeEntry{"alphabeta", "alpha-beta; games it cannot handle by MaxN or paranoid search", alpha_beta_searches},
    RecipeEntry{"maxn", "everybody plays for himself (MaxN)", max_n_searches},
    RecipeEntry{"paranoid", "everybody plays against us", paranoid_searches},
    RecipeEntry{"uct", "Monte-Carlo tree search with everything that helps", uct_searches},
    RecipeEntry{"mcts-plain", "Monte-Carlo tree search without enhancements, the yardstick for uct", plain_searches},
    RecipeEntry{"solve", "perfect play where the game is small enough, tree search elsewhere", solve_searches},
    RecipeEntry{"flux", "Fluxplayer: fuzzy truth of goals and end, under non-uniform tree search by kind of game",
                tree_searches, false, "fuzzy"},
    RecipeEntry{"kuhl", "Kuhlplayer: every simple feature as a heuristic of its own, the deepest search followed",
                portfolio_searches, false, "single"},
    RecipeEntry{"kuhl-linear", "weights of cells and patterns, learned in the start clock, under the searches of flux",
                tree_searches, false, "linear"},
    RecipeEntry{"nex", "Nexplayer: networks made from the goals, with features, under the searches of flux",
                tree_searches, false, "neural", nex_2},
    RecipeEntry{"nex-1.0", "Nexplayer as it began: C-IL2P, one weight for all neurons of a goal, no features",
                tree_searches, false, "neural", "transformation=cilp,aggregation=sum"},
    RecipeEntry{"nex-1.1", "Nexplayer with the local transformation, no features", tree_searches, false, "neural",
                "transformation=local,aggregation=sum"},
    RecipeEntry{"nex-1.1s", "nex-1.1 with solution cardinality, of whole and of partial solutions", tree_searches,
                false, "neural", "transformation=local,aggregation=sum,solutions=on,partial=on"},
    RecipeEntry{"nex-1.1d", "nex-1.1 with distances and orders", tree_searches, false, "neural",
                "transformation=local,aggregation=sum,weights=thesis,distances=on,variable=on,orders=on"},
    RecipeEntry{"nex-1.1n", "nex-1.1 with distances of fluents along their arguments alone, which are not admissible",
                tree_searches, false, "neural", "transformation=local,aggregation=sum,weights=thesis,distances=on"},
    RecipeEntry{"nex-1.1a", "nex-1.1 with admissible distances alone", tree_searches, false, "neural",
                "transformation=local,aggregation=sum,weights=thesis,admissible=on"},
    RecipeEntry{"nex-1.1p", "nex-1.1 with persistence", tree_searches, false, "neural",
                "transformation=local,aggregation=sum,weights=thesis,persistence=on"},
    RecipeEntry{"nex-1.1f", "nex-1.1 with all features of fluents and conditions", tree_searches, false, "neural",
                "transformation=local,aggregation=sum,weights=thesis,solutions=on,partial=on,distances=on,variable=on,"
                "orders=on,chains=on,admissible=on,persistence=on"},
    RecipeEntry{"nex-2", "soft means instead of squashed sums, and the features that help; the same as nex",
                tree_searches, false, "neural", nex_2},
    RecipeEntry{"best", "what plays best in this kind of game: solves small ones, else single-player search or uct",
                best_searches, true},
};

constexpr std::array common_options{
    Option{"threads", Option::Kind::integer, "0", 0, 256, {}, "threads of the search; 0: as the player is set"},
    Option{"table", Option::Kind::integer, "0", 0, 1 << 20, {}, "megabytes of its table; 0: as the player is set"},
    Option{"ponder", Option::Kind::choice, "auto", 0, 0, "auto|on|off", "search in the others' time"},
    Option{"nodes",
           Option::Kind::integer,
           "0",
           0,
           1e15,
           {},
           "states, or leaves of a Monte-Carlo tree, for each move, the same in every run; 0: as the player is set"},
};

template <typename Entry>
std::vector<std::string> names_of(std::span<const Entry> table) {
    std::vector<std::string> names;
    for (const Entry& entry : table) names.emplace_back(entry.name);
    return names;
}

std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names) {
    const std::optional<std::string> near = gdl::nearest_name(std::string(name), names);
    const std::string hint =
        near ? fmt::format("did you mean '{}'?", *near) : fmt::format("there are: {}", fmt::join(names, ", "));
    return fmt::format("there is no {} '{}'; {}", kind, name, hint);
}

const search::SearchEntry& search_named(const std::string& name) {
    if (const search::SearchEntry* found = search::find_search(name)) return *found;
    const std::vector<std::string> names = names_of(search::search_table());
    if (find_recipe(name) == nullptr) throw OptionError(unknown_name("search", name, names));
    throw OptionError(fmt::format("'{}' is a recipe and no search, so it takes no evaluator; searches are: {}", name,
                                  fmt::join(names, ", ")));
}

const evaluate::EvaluatorEntry& evaluator_named(const std::string& name) {
    if (const evaluate::EvaluatorEntry* found = evaluate::find_evaluator(name)) return *found;
    const RecipeEntry* recipe = find_recipe(name);
    if (recipe == nullptr || recipe->evaluator.empty()) {
        throw OptionError(unknown_name("evaluator", name, names_of(evaluate::evaluator_table())));
    }
    throw OptionError(fmt::format("'{}' is a recipe and no evaluator; it judges by {}{}{}", name, recipe->evaluator,
                                  recipe->judging.empty() ? "" : ":", recipe->judging));
}

// As the recipe of that name has them; of a search without one, the tree searches play what it cannot.
std::vector<RecipeSearch> searches_from(std::string_view first) {
    const RecipeEntry* recipe = find_recipe(first);
    if (recipe != nullptr && recipe->names_search()) return {recipe->searches.begin(), recipe->searches.end()};
    std::vector<RecipeSearch> found{{first}};
    std::ranges::copy_if(tree_searches, std::back_inserter(found),
                         [&](const RecipeSearch& one) { return one.name != first; });
    return found;
}

// An entry with what it refers to.
struct PairEntry {
    std::string name;
    std::string about;
    std::vector<RecipeSearch> searches;
    RecipeEntry entry;
};

}  // namespace

std::string unknown_recipe(std::string_view name) {
    if (search::find_search(name) != nullptr) {
        return fmt::format("there is no recipe '{0}', but a search: write {0}+EVALUATOR", name);
    }
    if (evaluate::find_evaluator(name) != nullptr) {
        return fmt::format("there is no recipe '{0}', but an evaluator: write SEARCH+{0}", name);
    }
    return unknown_name("recipe", name, names_of(recipe_table()));
}

std::span<const RecipeEntry> recipe_table() { return recipes; }

const RecipeEntry* find_recipe(std::string_view name) {
    const auto found = std::ranges::find(recipes, name, &RecipeEntry::name);
    return found == recipes.end() ? nullptr : &*found;
}

std::shared_ptr<const RecipeEntry> make_pair_entry(const std::string& search, const std::string& evaluator) {
    const search::SearchEntry& searching = search_named(search);
    const evaluate::EvaluatorEntry& judging = evaluator_named(evaluator);
    auto made = std::make_shared<PairEntry>();
    made->name = fmt::format("{}+{}", searching.name, judging.name);
    made->about = fmt::format("{}; judged by {}", searching.about, judging.about);
    made->searches = searches_from(searching.name);
    made->entry = {made->name, made->about, made->searches, false, judging.name, {}};
    return {made, &made->entry};
}

std::span<const Option> recipe_options() { return common_options; }

const evaluate::EvaluatorEntry* evaluator_of(const RecipeEntry& entry) {
    const evaluate::EvaluatorEntry* found = evaluate::find_evaluator(entry.evaluator);
    return found == nullptr || found->is_constant ? nullptr : found;
}

std::span<const Option> evaluator_options(const RecipeEntry& entry) {
    const evaluate::EvaluatorEntry* found = evaluator_of(entry);
    return found == nullptr ? std::span<const Option>{} : found->options;
}

const Option* find_option(std::span<const Option> options, std::string_view name) {
    const auto found = std::ranges::find(options, name, &Option::name);
    return found == options.end() ? nullptr : &*found;
}

}  // namespace stratagem::player
