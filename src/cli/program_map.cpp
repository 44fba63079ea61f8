#include "cli/program_map.h"

#include <algorithm>

namespace stratagem::cli {

namespace {

// The parser's own words for kinds of numbers and text.
std::string_view for_people(std::string_view type) {
    if (type == "UINT" || type == "INT") return "N";
    if (type == "FLOAT") return "X";
    return type;
}

std::vector<const CLI::Validator*> validators_of(const CLI::Option& option) {
    // Only const access is wanted; the parser offers none, nor does it say how many there are.
    auto& changeable = const_cast<CLI::Option&>(option);
    std::vector<const CLI::Validator*> found;
    try {
        for (int i = 0;; ++i) found.push_back(changeable.get_validator(i));
    } catch (const CLI::OptionNotFound&) {
        return found;
    }
}

const CLI::Validator* range_of(const CLI::Option& option) {
    for (const CLI::Validator* one : validators_of(option)) {
        if (one->get_name() == "whole number" || one->get_name() == "number") return one;
    }
    return nullptr;
}

void collect_named(const CLI::App& app, std::vector<const CLI::Option*>& found) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->nonpositional() && std::ranges::find(found, option) == found.end()) found.push_back(option);
    }
}

}  // namespace

std::vector<const CLI::App*> visible_commands(const CLI::App& app) {
    return app.get_subcommands(
        [](const CLI::App* one) { return !one->get_name().empty() && !one->get_group().empty(); });
}

const CLI::App* find_command(const CLI::App& app, std::string_view name) {
    const std::vector<const CLI::App*> found =
        app.get_subcommands([&](const CLI::App* one) { return one->get_name() == name && !name.empty(); });
    return found.empty() ? nullptr : found.front();
}

std::string full_name(const CLI::App& app) {
    return app.get_parent() == nullptr ? app.get_name() : full_name(*app.get_parent()) + " " + app.get_name();
}

std::vector<const CLI::Option*> named_options(const CLI::App& app) {
    std::vector<const CLI::Option*> found;
    collect_named(app, found);  // with those of its groups
    if (app.get_fallthrough() && app.get_parent() != nullptr && app.get_parent()->get_parent() != nullptr) {
        for (const CLI::Option* option : named_options(*app.get_parent())) {
            if (find_option(app, "--" + option->get_single_name()) == nullptr) found.push_back(option);
        }
    }
    return found;
}

std::vector<const CLI::Option*> positional_arguments(const CLI::App& app) {
    return app.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

const CLI::Option* find_option(const CLI::App& app, std::string_view name) {
    return app.get_option_no_throw(std::string(name));
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string value_name(const CLI::Option& option) {
    // The parser adds a colon and what each validator says of itself.
    std::string name = option.get_type_name();
    for (const CLI::Validator* one : validators_of(option)) {
        const std::string said = one->get_description();
        if (!said.empty() && name.size() > said.size()) name.resize(name.size() - said.size() - 1);
    }
    return std::string(for_people(name));
}

std::string value_range(const CLI::Option& option) {
    const CLI::Validator* range = range_of(option);
    return range == nullptr ? std::string() : range->get_description();
}

bool is_whole_number(const CLI::Option& option) {
    const CLI::Validator* range = range_of(option);
    return range != nullptr && range->get_name() == "whole number";
}

bool is_number(const CLI::Option& option) { return range_of(option) != nullptr; }

std::string option_name(const CLI::Option& option) {
    return option.get_positional() ? option.get_name(true, false) : option.get_name(false, true);
}

}  // namespace stratagem::cli
