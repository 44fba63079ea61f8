#include "analysis/families.h"

#include <map>
#include <unordered_set>

namespace stratagem::analysis {

std::vector<Family> make_families(const ground::Program& program) {
    std::vector<Family> families;
    std::map<std::pair<gdl::Symbol, std::uint32_t>, std::size_t> places;
    std::vector<std::vector<std::unordered_set<gdl::Term>>> known;  // by family and argument: its values
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
        const gdl::Term term = program.fluents[i];
        const auto key = std::pair(program.terms.symbol(term), program.terms.arity(term));
        const auto [place, added] = places.emplace(key, families.size());
        if (added) {
            families.push_back({key.first, key.second, {}, {}});
            families.back().values.resize(key.second);
            known.emplace_back(key.second);
        }
        Family& family = families[place->second];
        family.members.push_back(Fluent{i});
        for (std::uint32_t argument = 0; argument < key.second; ++argument) {
            const gdl::Term value = program.terms.argument(term, argument);
            if (known[place->second][argument].insert(value).second) family.values[argument].push_back(value);
        }
    }
    return families;
}

}  // namespace stratagem::analysis
