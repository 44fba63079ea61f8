#include "player/recipe.h"

#include <fmt/format.h>

#include <algorithm>

#include "evaluate/registry.h"

namespace stratagem::player {

namespace {

// Whatever can have options that people give: a search of the recipe, or its evaluator.
struct Holder {
    std::string_view name;
    std::span<const Option> options;
    std::string base;   // values where people give nothing
    std::string given;  // and where they do
};

std::span<const Option> options_of(const RecipeSearch& search) {
    const search::SearchEntry* found = search::find_search(search.name);
    return found == nullptr ? std::span<const Option>{} : found->options;
}

bool some_search_has(const RecipeEntry& entry, std::string_view option) {
    return std::ranges::any_of(entry.searches, [&](const RecipeSearch& search) {
        return find_option(options_of(search), option_name(option)) != nullptr;
    });
}

// The evaluators that have an option, for a recipe that has none of them.
std::string evaluators_with(std::string_view option) {
    std::vector<std::string_view> found;
    for (const evaluate::EvaluatorEntry& entry : evaluate::evaluator_table()) {
        if (find_option(entry.options, option_name(option)) != nullptr) found.push_back(entry.name);
    }
    return fmt::format("{}", fmt::join(found, " and "));
}

// Says which options there are, or that another part of the recipe has this one.
[[noreturn]] void unknown_option(const RecipeEntry& entry, const std::string& option, bool of_search,
                                 bool of_evaluator) {
    const std::string_view name = option_name(option);
    const std::string_view search = entry.searches.front().name;
    if (!of_search && some_search_has(entry, option)) {
        throw OptionError(
            fmt::format("option '{}' is one of the search: write {}:{}+{}", name, search, option, entry.evaluator));
    }
    if (!of_evaluator && find_option(evaluator_options(entry), name) != nullptr) {
        throw OptionError(
            fmt::format("option '{}' is one of the evaluator: write {}+{}:{}", name, search, entry.evaluator, option));
    }
    std::vector<Option> all;
    const auto add = [&](std::span<const Option> some) {
        for (const Option& one : some) {
            if (find_option(all, one.name) == nullptr) all.push_back(one);
        }
    };
    if (of_evaluator) add(evaluator_options(entry));
    for (const RecipeSearch& one : entry.searches) {
        if (of_search) add(options_of(one));
    }
    add(recipe_options());
    const std::string others = evaluators_with(option);
    if (!others.empty() && evaluator_of(entry) == nullptr) {
        throw OptionError(fmt::format("there is no option '{}' without an evaluator that has it ({})", name, others));
    }
    (void)OptionValues(all, option);  // throws, and says what would be right
    throw OptionError(fmt::format("there is no option '{}'", name));
}

// Why the value of an option changes nothing in what has it; empty where it does. Throws
// OptionError for a value that is not accepted.
std::string_view without_effect(const Holder& holder, const Option& option, std::span<const std::string_view> facts) {
    const OptionValues base(holder.options, holder.base), values(holder.options, holder.given);
    if (base.text(option.name) == values.text(option.name)) return {};
    return values.unmet(option.needs, facts);
}

}  // namespace

Recipe::Recipe(std::string_view text) : text_(without_spaces(text)), common_(recipe_options(), "") {
    const RecipeText read = read_recipe(text_);
    if (read.evaluator) {
        entry_ = make_pair_entry(read.first.name, read.evaluator->name);
    } else {
        const RecipeEntry* found = find_recipe(read.first.name);
        if (found == nullptr) throw OptionError(unknown_recipe(read.first.name));
        entry_ = {std::shared_ptr<void>(), found};  // tables live for ever
    }
    try {
        take(read.first.options, true, !read.evaluator);
        if (read.evaluator) take(read.evaluator->options, false, true);
        common_ = OptionValues(recipe_options(), fmt::format("{}", fmt::join(given_common_, ",")));
        if (nodes() && ponder() == true) {
            throw OptionError("nodes and ponder=on cannot work together: how far pondering comes depends on the clock");
        }
        for (const std::string& option : given_) check_effect(option);
        for (const std::string& option : given_evaluator_) check_effect(option);
        check_evaluator();
    } catch (const OptionError& fault) {
        throw OptionError(fmt::format("recipe '{}': {}", entry_->name, fault.what()));
    }
}

Recipe::Recipe(std::string name, MakeSearch make)
    : text_(std::move(name)), make_(std::move(make)), common_(recipe_options(), "") {}

void Recipe::take(const std::vector<std::string>& options, bool to_searches, bool to_evaluator) {
    const auto add = [](std::vector<std::string>& place, const std::string& option) {
        const auto same = [&](const std::string& one) { return option_name(one) == option_name(option); };
        if (std::ranges::any_of(place, same)) {
            throw OptionError(fmt::format("option '{}' is given twice", option_name(option)));
        }
        place.push_back(option);
    };
    for (const std::string& option : options) {
        const bool common = find_option(recipe_options(), option_name(option)) != nullptr;
        const bool searching = !common && to_searches && some_search_has(*entry_, option);
        const bool judging =
            !common && to_evaluator && find_option(evaluator_options(*entry_), option_name(option)) != nullptr;
        if (common) add(given_common_, option);
        if (searching) add(given_, option);
        if (judging) add(given_evaluator_, option);
        if (!common && !searching && !judging) unknown_option(*entry_, option, to_searches, to_evaluator);
    }
}

// At least one of those that have the option must take its value, and in at least one it must make a difference.
void Recipe::check_effect(const std::string& given) const {
    const std::string_view name = option_name(given);
    const bool valued = name.size() < given.size();
    std::vector<Holder> holders;
    for (const RecipeSearch& search : entry_->searches) {
        holders.push_back({search.name, options_of(search), base_for(search), options_for(search)});
    }
    holders.push_back(
        {entry_->evaluator, evaluator_options(*entry_), std::string(entry_->judging), options_for_evaluator()});
    std::vector<std::string_view> facts;
    if (evaluator_of(*entry_) != nullptr) facts.push_back(search::has_evaluator);
    const Holder* refusing = nullptr;
    std::string_view unmet, of;
    for (const Holder& holder : holders) {
        const Option* option = find_option(holder.options, name);
        if (option == nullptr) continue;
        const bool flag = !valued && option->kind == Option::Kind::flag;
        if (!flag && !accepts(*option, valued ? std::string_view(given).substr(name.size() + 1) : "")) {
            refusing = &holder;
            continue;
        }
        const std::string_view missing = without_effect(holder, *option, facts);
        if (missing.empty()) return;
        if (!unmet.empty()) continue;
        unmet = missing;
        of = holder.name;
    }
    if (!unmet.empty()) {
        const std::string hint =
            unmet == search::has_evaluator ? fmt::format(": write {}:{}+EVALUATOR", of, given) : std::string();
        throw OptionError(fmt::format("{} has no effect without {}{}", given, unmet, hint));
    }
    if (refusing != nullptr) (void)OptionValues(refusing->options, given);  // throws, and says what would be right
}

// Somebody must ask it, and its options must work together.
void Recipe::check_evaluator() const {
    const evaluate::EvaluatorEntry* evaluator = evaluator_of(*entry_);
    if (evaluator == nullptr) return;
    const OptionValues judging(evaluator->options, options_for_evaluator());
    if (evaluator->check != nullptr) evaluator->check(judging);
    std::string_view first_unmet;
    for (const RecipeSearch& search : entry_->searches) {
        const search::SearchEntry* found = search::find_search(search.name);
        if (found == nullptr) continue;
        const bool never = found->asks == search::never_asks;
        const OptionValues values(found->options, options_for(search));
        const std::string_view unmet = never ? found->asks : values.unmet(found->asks);
        if (unmet.empty()) return;
        // Searches that stand in for the one that is named do not make up for it.
        if (first_unmet.empty()) first_unmet = unmet;
        if (entry_->names_search()) break;
    }
    const std::string_view search = entry_->searches.front().name;
    throw OptionError(first_unmet == search::never_asks
                          ? fmt::format("the evaluator has no effect: {} asks none", search)
                          : fmt::format("the evaluator has no effect without {}", first_unmet));
}

std::string Recipe::base_for(const RecipeSearch& chosen) const {
    const search::SearchEntry* found = search::find_search(chosen.name);
    const bool judged = found != nullptr && entry_ != nullptr && evaluator_of(*entry_) != nullptr;
    return overlaid(judged ? found->with_evaluator : std::string_view{}, split_options(chosen.options));
}

std::string Recipe::options_for(const RecipeSearch& chosen) const {
    std::vector<std::string> own;
    const std::span<const Option> options = options_of(chosen);
    for (const std::string& given : given_) {
        const Option* option = find_option(options, option_name(given));
        if (option == nullptr) continue;
        const std::size_t equals = given.find('=');
        const bool flag = equals == std::string::npos && option->kind == Option::Kind::flag;
        // What another search of the recipe calls by the same name may have other values.
        if (flag || (equals != std::string::npos && accepts(*option, std::string_view(given).substr(equals + 1)))) {
            own.push_back(given);
        }
    }
    return overlaid(base_for(chosen), own);
}

std::string Recipe::options_for_search(std::string_view name) const {
    if (entry_ == nullptr) return {};
    const auto found = std::ranges::find(entry_->searches, name, &RecipeSearch::name);
    return found == entry_->searches.end() ? std::string() : options_for(*found);
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

}  // namespace stratagem::player
