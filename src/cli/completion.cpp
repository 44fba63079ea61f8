#include "cli/completion.h"

#include <algorithm>
#include <string_view>

#include "cli/program_map.h"
#include "evaluate/registry.h"
#include "gdl/game_file.h"
#include "machine/game.h"
#include "player/recipe.h"

namespace stratagem::cli {

namespace {

using Words = std::vector<std::string>;

template <typename Table>
void add_names(Words& found, const Table& table) {
    for (const auto& entry : table) found.emplace_back(entry.name);
}

// From a '+' on, an evaluator is missing; the search before it may have options.
Words recipe_names(std::string_view unfinished) {
    Words found;
    const std::size_t plus = unfinished.rfind('+');
    if (plus == std::string_view::npos) {
        add_names(found, player::recipe_table());
        return found;
    }
    add_names(found, evaluate::evaluator_table());
    for (std::string& name : found) name.insert(0, unfinished.substr(0, plus + 1));
    return found;
}

Words choices_in(std::string_view text) {
    Words found;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('|'), text.size());
        found.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found;
}

// A list of recipes is finished from its last comma on, or from the '+' after it.
Words finished_lists(std::string_view unfinished) {
    const std::size_t comma = unfinished.rfind(',');
    const std::string before(comma == std::string_view::npos ? std::string_view{} : unfinished.substr(0, comma + 1));
    Words found = recipe_names(unfinished.substr(before.size()));
    for (std::string& name : found) name.insert(0, before);
    return found;
}

// By what stands for the value in help; see value_name().
Words values_of(const CLI::Option& option, std::string_view unfinished) {
    const std::string name = value_name(option);
    const std::string argument = option.get_positional() ? option_name(option) : std::string();
    Words found;
    if (argument == "FILE" || argument == "GAMES" || argument == "GAME") {
        add_names(found, gdl::bundled_games());
        found.emplace_back(files_fit);
    } else if (argument == "RECIPE" || name == "RECIPE") {
        found = recipe_names(unfinished);
    } else if (name == "RECIPE,…" || name == "PLAYER,…") {
        found = finished_lists(unfinished);
    } else if (name == "EVALUATOR") {
        found = recipe_names(unfinished);
        if (unfinished.find('+') == std::string_view::npos) add_names(found, evaluate::evaluator_table());
    } else if (name == "MACHINE") {
        add_names(found, machine::machine_table());
    } else if (name.find('|') != std::string::npos) {
        found = choices_in(name);
    } else if (!is_number(option)) {
        found.emplace_back(files_fit);
    }
    return found;
}

// Some shells give "--x=y" and "uct:z" as three words.
Words joined(std::span<const std::string> words) {
    Words found;
    bool glue = false;
    for (const std::string& word : words) {
        const bool separator = word == "=" || word == ":";
        if (!found.empty() && (glue || separator)) {
            found.back() += word;
        } else {
            found.push_back(word);
        }
        glue = separator;
    }
    return found;
}

// Where a command line has got to.
struct Place {
    const CLI::App* app = nullptr;
    const CLI::Option* waiting = nullptr;  // for its value
    std::size_t arguments = 0;             // positional ones so far

    void pass(const std::string& word) {
        if (waiting != nullptr) {
            waiting = nullptr;
        } else if (word.starts_with("-") && word.size() > 1) {
            const CLI::Option* option = find_option(*app, word);
            if (option != nullptr && takes_value(*option)) waiting = option;
        } else if (const CLI::App* inner = find_command(*app, word)) {
            app = inner;
            arguments = 0;
        } else {
            ++arguments;
        }
    }
};

Words fitting(const Place& place, const std::string& unfinished) {
    if (place.waiting != nullptr) return values_of(*place.waiting, unfinished);
    Words found;
    if (unfinished.starts_with("-")) {
        for (const CLI::Option* option : named_options(*place.app)) {
            for (const std::string& name : option->get_lnames()) found.push_back("--" + name);
        }
        return found;
    }
    for (const CLI::App* one : visible_commands(*place.app)) found.push_back(one->get_name());
    const std::vector<const CLI::Option*> arguments = positional_arguments(*place.app);
    if (found.empty() && !arguments.empty()) {
        const CLI::Option& last = *arguments.back();
        const bool more = last.get_expected_max() == CLI::detail::expected_max_vector_size;
        if (place.arguments < arguments.size()) return values_of(*arguments[place.arguments], unfinished);
        if (more) return values_of(last, unfinished);
    }
    return found;
}

}  // namespace

std::vector<std::string> completions(const CLI::App& program, std::span<const std::string> given) {
    Words words = joined(given);
    if (words.empty()) words.emplace_back();
    Place place{&program};
    for (std::size_t i = 0; i + 1 < words.size(); ++i) place.pass(words[i]);
    std::string unfinished = words.back();
    std::string before;  // what the answers begin with besides
    if (const std::size_t equals = unfinished.find('='); unfinished.starts_with("--") && equals != std::string::npos) {
        place.pass(unfinished.substr(0, equals));
        // A shell that split the word at '=' wants the value alone, and so does one that did not after its prefix.
        const bool split = given.size() > 1 && (given.back() == "=" || given[given.size() - 2] == "=");
        if (!split) before = unfinished.substr(0, equals + 1);
        unfinished.erase(0, equals + 1);
    }
    Words found;
    for (const std::string& word : fitting(place, unfinished)) {
        if (word == files_fit || word.starts_with(unfinished))
            found.push_back(word == files_fit ? word : before + word);
    }
    return found;
}

std::string bash_completion_script() {
    return R"(# Completion of stratagem for bash; printed by: stratagem completion bash
_stratagem() {
    local found word
    COMPREPLY=()
    found=$("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return
    word=${COMP_WORDS[COMP_CWORD]}
    [[ $word == = ]] && word=
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
        elif [[ -n $line ]]; then
            COMPREPLY+=("$line")
        fi
    done <<<"$found"
}
complete -F _stratagem stratagem
)";
}

std::string zsh_completion_script() {
    return R"(#compdef stratagem
# Completion of stratagem for zsh; printed by: stratagem completion zsh
_stratagem() {
    local program=${(Q)words[1]}
    local -a found
    local -i none=1
    # Without the quotes they are written in; the last one up to the cursor.
    found=("${(@f)$($~program completion words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    found=("${(@)found:#}")
    local -i files=${found[(Ie):files]}
    found=("${(@)found:#:files}")
    (( ${#found} )) && compadd -a found && none=0
    if (( files )); then
        [[ $PREFIX == --*=* ]] && compset -P '*='
        _files && none=0
    fi
    return none
}
# From a folder in $fpath this is the function itself; a script that is sourced only tells of it.
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
    _stratagem "$@"
else
    compdef _stratagem stratagem
fi
)";
}

}  // namespace stratagem::cli
