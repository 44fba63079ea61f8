#include "cli/usage.h"

// The only file that needs all of CLI11: with its formatter it compiles the tables of virtual functions that belong to
// it, a second for each file. The others include CLI/App.hpp.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "cli/program_map.h"
#include "gdl/game_file.h"

namespace stratagem::cli {

namespace {

// The command that was chosen, as far as it was understood.
const CLI::App& chosen(const CLI::App& program) {
    const CLI::App* app = &program;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    return *app;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
    const std::optional<std::string> near = gdl::nearest_name(word, names);
    return near ? fmt::format("; did you mean '{}'?", *near) : std::string();
}

std::string unknown_option(const CLI::App& app, const std::string& word) {
    const std::string bare = word.substr(0, word.find('='));
    std::vector<std::string> names;
    for (const CLI::Option* option : named_options(app)) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return fmt::format("there is no option '{}'{}", bare, did_you_mean(bare, names));
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* one : visible_commands(app)) names.push_back(one->get_name());
    return names;
}

// What was not understood comes first: it is the reason for most of what is missing.
std::string fault_line(const CLI::App& program, const CLI::App& app, const CLI::ParseError& fault) {
    const std::vector<std::string> rest = program.remaining(true);
    for (const std::string& word : rest) {
        if (word.size() > 1 && word.front() == '-' && word != "--") return unknown_option(app, word);
    }
    const std::vector<std::string> commands = command_names(app);
    if (!rest.empty() && !commands.empty()) return unknown_command(app, rest.front());
    if (!rest.empty()) return fmt::format("'{}' is one argument too many", rest.front());
    if (!commands.empty() && dynamic_cast<const CLI::RequiredError*>(&fault) != nullptr) {
        return fmt::format("say which: {}", fmt::join(commands, ", "));
    }
    return fault.what();
}

}  // namespace

HelpFormat::HelpFormat() { column_width(34); }

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
    std::string text;
    if (takes_value(*option) && !option->get_positional()) text += " " + value_name(*option);
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
    if (option->get_required()) text += " REQUIRED";
    return text;
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
    std::vector<std::string> notes;
    if (const std::string range = value_range(*option); !range.empty()) notes.push_back(range);
    if (takes_value(*option) && !option->get_default_str().empty()) {
        notes.push_back("default " + option->get_default_str());
    }
    for (const CLI::Option* other : option->get_excludes()) notes.push_back("not with " + option_name(*other));
    for (const CLI::Option* other : option->get_needs()) notes.push_back("only with " + option_name(*other));
    const std::string& about = option->get_description();
    return notes.empty() ? about : fmt::format("{} ({})", about, fmt::join(notes, "; "));
}

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
    std::string text = CLI::Formatter::make_option(option, is_positional);
    const std::string name = make_option_name(option, is_positional) + make_option_opts(option);
    // Of a character of several bytes (UTF-8) all but the first are of this form and take no place.
    const auto unseen = static_cast<std::size_t>(
        std::ranges::count_if(name, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }));
    constexpr std::size_t indent = 2;
    const std::size_t end = indent + name.size();
    if (end < get_column_width()) text.insert(end, unseen, ' ');
    return text;
}

std::string help_text(const CLI::App& app) {
    return app.get_formatter()->make_help(&app, full_name(app), CLI::AppFormatMode::Normal);
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
    const std::vector<std::string> names = command_names(app);
    const std::string near = did_you_mean(word, names);
    const bool whole_program = app.get_parent() == nullptr;
    return fmt::format("there is no {} '{}'{}", whole_program ? "command" : app.get_name(), word,
                       near.empty() && !whole_program ? fmt::format("; there are: {}", fmt::join(names, ", ")) : near);
}

std::string usage_fault(const CLI::App& program, const CLI::ParseError& fault) {
    const CLI::App& app = chosen(program);
    const std::string name = full_name(app);
    return fmt::format("{}: {}\nSee '{} --help'.\n", name, fault_line(program, app, fault), name);
}

}  // namespace stratagem::cli
