#include "evaluate/condition_words.h"

#include <fmt/format.h>

#include <string_view>

#include "gdl/print.h"
#include "ground/made_names.h"

namespace stratagem::evaluate {

std::string words(const ground::Program& program, ground::Fluent fluent) {
    return gdl::to_kif(program.terms, program.fluents[ground::index(fluent)]);
}

std::string author_name(const ground::Program& program, ground::Atom atom) {
    const std::uint32_t number = ground::index(atom);
    if (atom == ground::Atom::none || number < program.first_derived() || number >= program.atom_count()) return {};
    const std::string name = gdl::to_kif(program.terms, program.derived[number - program.first_derived()]);
    return ground::is_made_name(name.starts_with('(') ? std::string_view(name).substr(1) : name) ? "" : name;
}

std::string common_pattern(const ground::Program& program, std::span<const ground::Fluent> fluents) {
    std::vector<std::string> pattern;
    std::string functor;
    for (const ground::Fluent fluent : fluents) {
        const std::string name = words(program, fluent);
        const std::string its_functor = name.substr(0, name.find(' '));
        const std::span<const gdl::Term> arguments = program.terms.arguments(program.fluents[ground::index(fluent)]);
        if (functor.empty()) {
            functor = its_functor;
            for (const gdl::Term argument : arguments) pattern.push_back(gdl::to_kif(program.terms, argument));
            continue;
        }
        if (functor != its_functor || arguments.size() != pattern.size()) return {};
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            if (pattern[i] != gdl::to_kif(program.terms, arguments[i])) {
                pattern[i] = std::string("?") + static_cast<char>('a' + i % 26);
            }
        }
    }
    if (pattern.empty()) return {};
    return fmt::format("{} {})", functor, fmt::join(pattern, " "));
}

}  // namespace stratagem::evaluate
