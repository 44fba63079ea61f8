#include "cli/command.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <system_error>

#include "gdl/game_file.h"
#include "util/memory_limit.h"
#include "util/number_text.h"

namespace stratagem::cli {

namespace {

int output_fault = 0;  // why standard output could not be written; there is one such stream, and so one such fault

}  // namespace

void add_notation_option(CLI::App& command, std::optional<gdl::Notation>& notation) {
    static const std::map<std::string, gdl::Notation> names{{"kif", gdl::Notation::kif},
                                                            {"infix", gdl::Notation::infix}};
    command
        .add_option_function<gdl::Notation>(
            "--syntax", [&notation](const gdl::Notation& chosen) { notation = chosen; },
            "Notation of the input: kif or infix (default: guessed from the text)")
        ->transform(CLI::CheckedTransformer(names, CLI::ignore_case).description(""))
        ->type_name("kif|infix");
}

std::shared_ptr<const gdl::Description> load(const std::string& game, Context& context,
                                             std::optional<gdl::Notation> notation, bool show_warnings) {
    gdl::GameText text = gdl::find_game(game);
    if (!text.ok()) {
        tell("stratagem: {}\n", text.error);
        context.exit_code = exit_code::usage;
        return nullptr;
    }
    gdl::ReadResult result = gdl::read_and_check(std::move(text.name), std::move(text.text), notation);
    const bool colour = use_colour(stderr);
    constexpr std::size_t most_told = 100;  // the count of errors below tells the rest
    std::size_t shown = 0;
    for (const gdl::Diagnostic& diagnostic : result.diagnostics.all()) {
        if (diagnostic.severity == gdl::Severity::warning && !show_warnings) continue;
        if (++shown > most_told) break;
        tell("{}", gdl::render(*result.description.source, diagnostic, colour));
    }
    if (!result.ok()) {
        tell("stratagem: {} is not a valid game: {} error{}\n", result.description.source->name(),
             result.diagnostics.errors(), result.diagnostics.errors() == 1 ? "" : "s");
        context.exit_code = exit_code::no;
        return nullptr;
    }
    return std::make_shared<const gdl::Description>(std::move(result.description));
}

void print_json(const nlohmann::json& object) {
    fmt::print("{}\n", object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

bool use_colour(std::FILE* stream) {
    const char* refused = std::getenv("NO_COLOR");
    return (refused == nullptr || *refused == '\0') && isatty(fileno(stream)) == 1;
}

int memory_ran_out() {
    const std::optional<std::uint64_t> limit = memory_limit_megabytes();
    tell("stratagem: a limit was hit: {}\n",
         limit ? fmt::format("the work needs more than the {} MB of --memory", with_commas(*limit)) : "memory ran out");
    return exit_code::limit;
}

std::size_t terminal_width() {
    constexpr std::size_t usual = 80;
    winsize size{};
    return ioctl(fileno(stdout), TIOCGWINSZ, &size) != 0 || size.ws_col < 20 ? usual : size.ws_col;
}

void flush_output() {
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "standard output");
}

int output_failed(int error) {
    if (error == EPIPE) {
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
    tell("stratagem: standard output cannot be written: {}\n", std::strerror(error));
    return exit_code::usage;
}

void try_flush_output() {
    if (std::fflush(stdout) != 0 && output_fault == 0) output_fault = errno;
}

int finish_output(int code) {
    try_flush_output();
    if (output_fault != 0) return output_failed(output_fault);
    return std::ferror(stdout) == 0 ? code : output_failed(EIO);
}

std::string examples(std::initializer_list<std::string_view> lines) {
    std::string text = lines.size() == 1 ? "Example:\n" : "Examples:\n";
    for (const std::string_view line : lines) text += fmt::format("  {}\n", line);
    return text;
}

}  // namespace stratagem::cli
