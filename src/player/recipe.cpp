#include "player/recipe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "evaluate/registry.h"
#include "gdl/game_file.h"

namespace stratagem::player {

namespace {

constexpr std::array random_searches{RecipeSearch{"random"}};
constexpr std::array legal_searches{RecipeSearch{"legal"}};
// Each search says which games it can handle; the last of a list must be able to handle all.
constexpr std::array tree_searches{RecipeSearch{"single"}, RecipeSearch{"alphabeta"}, RecipeSearch{"maxn"},
                                   RecipeSearch{"paranoid"}};
constexpr std::array alpha_beta_searches{RecipeSearch{"alphabeta"}, RecipeSearch{"single"}, RecipeSearch{"maxn"},
                                         RecipeSearch{"paranoid"}};
constexpr std::array max_n_searches{RecipeSearch{"maxn"}, RecipeSearch{"paranoid"}, RecipeSearch{"single"}};
constexpr std::array paranoid_searches{RecipeSearch{"paranoid"}, RecipeSearch{"maxn"}, RecipeSearch{"single"}};
constexpr std::array uct_searches{RecipeSearch{"uct"}};
constexpr std::array plain_searches{RecipeSearch{"mcts-plain"}};
constexpr std::array solve_searches{RecipeSearch{"solve"}, RecipeSearch{"single"}, RecipeSearch{"alphabeta"},
                                    RecipeSearch{"maxn"}, RecipeSearch{"paranoid"}};
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
    RecipeEntry{"nex", "Nexplayer: networks made from the goals, with features, under the searches of flux",
                tree_searches, false, "neural", nex_2},
    RecipeEntry{"nex-1.0", "Nexplayer as it began: C-IL2P, one weight for all neurons, no features", tree_searches,
                false, "neural", "transformation=cilp"},
    RecipeEntry{"nex-1.1", "Nexplayer with the local transformation, no features", tree_searches, false, "neural",
                "transformation=local"},
    RecipeEntry{"nex-1.1s", "nex-1.1 with solution cardinality, of whole and of partial solutions", tree_searches,
                false, "neural", "transformation=local,solutions=on,partial=on"},
    RecipeEntry{"nex-1.1d", "nex-1.1 with distances and orders", tree_searches, false, "neural",
                "transformation=local,distances=on,variable=on,orders=on"},
    RecipeEntry{"nex-1.1p", "nex-1.1 with persistence", tree_searches, false, "neural",
                "transformation=local,persistence=on"},
    RecipeEntry{
        "nex-1.1a", "nex-1.1 with all features", tree_searches, false, "neural",
        "transformation=local,solutions=on,partial=on,distances=on,variable=on,orders=on,chains=on,admissible=on,"
        "persistence=on"},
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
           "states or playouts for each move, the same in every run; 0: as the player is set"},
};

std::string_view name_of(std::string_view item) { return item.substr(0, item.find('=')); }

bool is_one_of(std::span<const Option> options, std::string_view item) {
    return std::ranges::any_of(options, [&](const Option& option) { return option.name == name_of(item); });
}

bool is_common(std::string_view item) { return is_one_of(common_options, item); }

std::vector<std::string> items_of(std::string_view options) {
    std::vector<std::string> items;
    while (!options.empty()) {
        const std::size_t end = std::min(options.find(','), options.size());
        if (end > 0) items.emplace_back(options.substr(0, end));
        options.remove_prefix(std::min(end + 1, options.size()));
    }
    return items;
}

// Options with others in the place of those of the same name.
std::string overlaid(std::string_view options, const std::vector<std::string>& given) {
    std::vector<std::string> items = items_of(options);
    for (const std::string& one : given) {
        std::erase_if(items, [&](const std::string& item) { return name_of(item) == name_of(one); });
        items.push_back(one);
    }
    return fmt::format("{}", fmt::join(items, ","));
}

std::string without_spaces(std::string_view text) {
    std::string kept;
    std::ranges::copy_if(text, std::back_inserter(kept), [](char c) { return c != ' ' && c != '\t'; });
    return kept;
}

std::string_view options_part(std::string_view text) {
    const std::size_t colon = text.find(':');
    return colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
}

OptionValues common_values(std::string_view options) {
    std::vector<std::string> items = items_of(options);
    std::erase_if(items, [](const std::string& item) { return !is_common(item); });
    return {common_options, fmt::format("{}", fmt::join(items, ","))};
}

}  // namespace

std::string unknown_recipe(std::string_view name) {
    std::vector<std::string> names;
    for (const RecipeEntry& entry : recipes) names.emplace_back(entry.name);
    const std::optional<std::string> near = gdl::nearest_name(name, names);
    const std::string hint =
        near ? fmt::format("did you mean '{}'?", *near) : fmt::format("there are: {}", fmt::join(names, ", "));
    return fmt::format("there is no recipe '{}'; {}", name, hint);
}

std::span<const RecipeEntry> recipe_table() { return recipes; }

const RecipeEntry* find_recipe(std::string_view name) {
    const auto found = std::ranges::find(recipes, name, &RecipeEntry::name);
    return found == recipes.end() ? nullptr : &*found;
}

std::span<const Option> recipe_options() { return common_options; }

std::span<const Option> search_options(const RecipeEntry& entry) {
    // Where the name of the recipe is not that of a search, which search it will be depends on the game.
    if (entry.name != entry.searches.front().name) return {};
    const search::SearchEntry* found = search::find_search(entry.searches.front().name);
    return found == nullptr ? std::span<const Option>{} : found->options;
}

std::span<const Option> evaluator_options(const RecipeEntry& entry) {
    const evaluate::EvaluatorEntry* found = evaluate::find_evaluator(entry.evaluator);
    return found == nullptr ? std::span<const Option>{} : found->options;
}

Recipe::Recipe(std::string_view text)
    : text_(without_spaces(text)), common_(common_values(options_part(text_))), given_(items_of(options_part(text_))) {
    const std::string_view name = std::string_view(text_).substr(0, text_.find(':'));
    entry_ = find_recipe(name);
    if (entry_ == nullptr) {
        throw OptionError(unknown_recipe(name));
    }
    if (nodes() && ponder() == true) {
        throw OptionError(fmt::format(
            "recipe '{}': nodes and ponder=on cannot work together: how far pondering comes depends on the clock",
            name));
    }
    std::erase_if(given_, is_common);
    const auto judges = std::stable_partition(given_.begin(), given_.end(), [&](const std::string& item) {
        return !is_one_of(evaluator_options(*entry_), item);
    });
    given_evaluator_.assign(judges, given_.end());
    given_.erase(judges, given_.end());
    try {
        // Only to hear of mistakes before any game is prepared.
        const OptionValues judging(evaluator_options(*entry_), options_for_evaluator());
        const evaluate::EvaluatorEntry* evaluator = evaluate::find_evaluator(entry_->evaluator);
        if (evaluator != nullptr && evaluator->check != nullptr) evaluator->check(judging);
        if (!given_.empty()) OptionValues(search_options(*entry_), options_for(entry_->searches.front()));
    } catch (const OptionError& fault) {
        throw OptionError(fmt::format("recipe '{}': {}", name, fault.what()));
    }
}

Recipe::Recipe(std::string name, MakeSearch make)
    : text_(std::move(name)), make_(std::move(make)), common_(common_options, "") {}

std::string Recipe::options_for(const RecipeSearch& chosen) const {
    const bool first = entry_ != nullptr && chosen.name == entry_->searches.front().name;
    return overlaid(chosen.options, first ? given_ : std::vector<std::string>{});
}

std::string Recipe::options_for_evaluator() const {
    return overlaid(entry_ == nullptr ? std::string_view{} : entry_->judging, given_evaluator_);
}

std::optional<std::size_t> Recipe::threads() const {
    const auto given = static_cast<std::size_t>(common_.integer("threads"));
    return given == 0 ? std::nullopt : std::optional(given);
}

std::optional<std::size_t> Recipe::table_megabytes() const {
    const auto given = static_cast<std::size_t>(common_.integer("table"));
    return given == 0 ? std::nullopt : std::optional(given);
}

std::optional<bool> Recipe::ponder() const {
    const std::string& given = common_.choice("ponder");
    return given == "auto" ? std::nullopt : std::optional(given == "on");
}

std::optional<std::uint64_t> Recipe::nodes() const {
    const auto given = static_cast<std::uint64_t>(common_.integer("nodes"));
    return given == 0 ? std::nullopt : std::optional(given);
}

std::vector<std::string> split_recipes(std::string_view text) {
    std::vector<std::string> found;
    for (const std::string& piece : items_of(text)) {
        const std::size_t equals = piece.find('=');
        if (!found.empty() && equals != std::string::npos && equals < piece.find(':')) {
            found.back() += "," + piece;
        } else {
            found.push_back(piece);
        }
    }
    return found;
}

}  // namespace stratagem::player
