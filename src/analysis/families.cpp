#include "analysis/families.h"

#include <algorithm>
#include <map>

namespace stratagem::analysis {

std::vector<Family> make_families(const ground::Program& program) {
    std::vector<Family> families;
    std::map<std::pair<gdl::Symbol, std::uint32_t>, std::size_t> places;
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
        const gdl::Term term = program.fluents[i];
        const auto key = std::pair(program.terms.symbol(term), program.terms.arity(term));
        const auto [place, added] = places.emplace(key, families.size());
        if (added) {
            families.push_back({key.first, key.second, {}, {}});
            families.back().values.resize(key.second);
        }
        Family& family = families[place->second];
        family.members.push_back(Fluent{i});
        for (std::uint32_t argument = 0; argument < key.second; ++argument) {
            const gdl::Term value = program.terms.argument(term, argument);
            std::vector<gdl::Term>& values = family.values[argument];
            if (std::ranges::find(values, value) == values.end()) values.push_back(value);
        }
    }
    return families;
}

}  // namespace stratagem::analysis
