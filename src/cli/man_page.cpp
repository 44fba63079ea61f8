#include "cli/man_page.h"

#include <fmt/format.h>

#include <string_view>

#include "build_info.h"
#include "cli/program_map.h"

namespace stratagem::cli {

namespace {

// Text in which nothing has a meaning for roff.
std::string plain(std::string_view text) {
    std::string safe;
    bool line_begins = true;
    for (const char c : text) {
        if (line_begins && (c == '.' || c == '\'')) safe += "\\&";
        if (c == '\\') {
            safe += "\\e";
        } else if (c == '-') {
            safe += "\\-";
        } else {
            safe += c;
        }
        line_begins = c == '\n';
    }
    return safe;
}

// A list without spaces, which may be longer than a line: it may be broken after its commas.
std::string breakable(std::string_view list) {
    std::string text;
    for (const char c : plain(list)) text += c == ',' ? ",\\:" : std::string(1, c);
    return text;
}

// Lines that stay as they are.
std::string as_it_stands(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    return text.empty() ? std::string() : fmt::format(".PP\n.nf\n{}\n.fi\n", plain(text));
}

std::string option_entry(const CLI::Option& option) {
    std::string text = fmt::format(".TP\n\\fB{}\\fR", plain(option_name(option)));
    if (takes_value(option) && !option.get_positional()) text += fmt::format(" \\fI{}\\fR", plain(value_name(option)));
    text += fmt::format("\n{}", plain(option.get_description()));
    if (const std::string range = value_range(option); !range.empty()) text += fmt::format(" ({})", plain(range));
    if (takes_value(option) && !option.get_default_str().empty()) {
        text += fmt::format("; default {}", breakable(option.get_default_str()));
    }
    return text + "\n";
}

void add_command_section(const CLI::App& app, std::string& text) {
    text += fmt::format(".SS {}\n{}\n", plain(full_name(app)), plain(app.get_description()));
    const auto arguments = positional_arguments(app);
    for (const CLI::Option* one : arguments) text += option_entry(*one);
    for (const CLI::Option* one : named_options(app)) {
        if (one->get_lnames() != std::vector<std::string>{"help"}) text += option_entry(*one);
    }
    text += as_it_stands(app.get_footer());
    for (const CLI::App* inner : visible_commands(app)) add_command_section(*inner, text);
}

}  // namespace

std::string man_page(const CLI::App& program) {
    std::string text = fmt::format(".TH STRATAGEM 1 \"\" \"stratagem {}\" \"User Commands\"\n", build_info::version);
    text += ".ad l\n";  // long lists of words without a space leave nothing to stretch
    text += ".SH NAME\nstratagem \\- a general game player: give it the rules, it works out how to play\n";
    text += ".SH SYNOPSIS\n.B stratagem\n.RI [ COMMAND \" [\" ARGUMENTS ]]\n";
    text += fmt::format(".SH DESCRIPTION\n{}\n", plain(program.get_description()));
    text +=
        ".PP\nFILE is the path of a game in GDL, the name of a bundled game (stratagem list games), a folder in the\n"
        "layout of the public game repository, or \\- for standard input. A RECIPE names a way to play (stratagem "
        "list\n"
        "recipes). Data goes to standard output, messages and progress to standard error.\n";
    text += ".SH COMMANDS\n";
    for (const CLI::App* one : visible_commands(program)) add_command_section(*one, text);
    text +=
        ".SH EXIT STATUS\n"
        ".TP\n.B 0\nsuccess\n"
        ".TP\n.B 1\nthe answer is no: invalid rules, a mismatch, a file that is not formatted\n"
        ".TP\n.B 2\nwrong usage, input that cannot be read, or output that cannot be written\n"
        ".TP\n.B 3\na limit of time or memory was hit\n"
        ".TP\n.B 70\nand above: a bug; please report it\n"
        ".TP\n.B 130\ninterrupted by Ctrl\\-C\n"
        ".SH ENVIRONMENT\n"
        ".TP\n.B STRATAGEM_GAMES\nfolder of the bundled games, instead of those that came with the program\n"
        ".TP\n.B NO_COLOR\nif set and not empty, no colours\n";
    return text;
}

}  // namespace stratagem::cli
