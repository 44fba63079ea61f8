#include "analysis/symmetry_group.h"

#include <map>
#include <set>

namespace stratagem::analysis {

Symmetry identity(const ground::Program& program) {
    Symmetry same;
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) same.fluents.push_back(Fluent{i});
    for (std::uint32_t i = 0; i < program.moves.size(); ++i) same.moves.push_back(Move{i});
    for (std::uint32_t i = 0; i < program.roles.size(); ++i) same.roles.push_back(Role{i});
    same.keeps_start = true;
    return same;
}

Symmetry chain(const Symmetry& first, const Symmetry& second) {
    Symmetry both;
    for (const Fluent one : first.fluents) both.fluents.push_back(second.fluents[ground::index(one)]);
    for (const Move one : first.moves) both.moves.push_back(second.moves[ground::index(one)]);
    for (const Role one : first.roles) both.roles.push_back(second.roles[ground::index(one)]);
    both.keeps_start = first.keeps_start && second.keeps_start;
    return both;
}

Symmetry inverse(const Symmetry& symmetry) {
    Symmetry back = symmetry;
    for (std::uint32_t i = 0; i < symmetry.fluents.size(); ++i) {
        back.fluents[ground::index(symmetry.fluents[i])] = Fluent{i};
    }
    for (std::uint32_t i = 0; i < symmetry.moves.size(); ++i) back.moves[ground::index(symmetry.moves[i])] = Move{i};
    for (std::uint32_t i = 0; i < symmetry.roles.size(); ++i) back.roles[ground::index(symmetry.roles[i])] = Role{i};
    return back;
}

namespace {

// A group that is listed completely, and grows by one generator at a time (Dimino's algorithm).
class ListedGroup {
  public:
    ListedGroup(Symmetry identity, std::size_t most) : most_(most) { add(std::move(identity)); }

    // Takes the generator in with all that follows from it. False: that would be too many, and the group stays as it
    // was.
    bool extend(const Symmetry& generator) {
        if (known_.contains(generator.fluents)) return true;
        const std::size_t before = elements_.size();
        // With h running through the group there was: each round adds h·r for a new r, and looks where the generators
        // lead from r. A set of whole cosets that no generator leads out of is a group.
        generators_.push_back(generator);
        std::vector<std::size_t> leaders;  // places of the elements r
        if (!add_coset(before, generator, leaders)) return shrink(before);
        for (std::size_t i = 0; i < leaders.size(); ++i) {
            for (const Symmetry& step : generators_) {
                const Symmetry reached = chain(elements_[leaders[i]], step);
                if (known_.contains(reached.fluents)) continue;
                if (!add_coset(before, reached, leaders)) return shrink(before);
            }
        }
        return true;
    }

    std::vector<Symmetry> take() && { return std::move(elements_); }

  private:
    void add(Symmetry one) {
        known_.insert(one.fluents);
        elements_.push_back(std::move(one));
    }

    bool add_coset(std::size_t group, const Symmetry& leader, std::vector<std::size_t>& leaders) {
        if (elements_.size() + group > most_) return false;
        leaders.push_back(elements_.size());  // the group begins with the one that changes nothing
        for (std::size_t i = 0; i < group; ++i) add(chain(elements_[i], leader));
        return true;
    }

    bool shrink(std::size_t size) {
        for (std::size_t i = size; i < elements_.size(); ++i) known_.erase(elements_[i].fluents);
        elements_.erase(elements_.begin() + static_cast<std::ptrdiff_t>(size), elements_.end());
        generators_.pop_back();
        return false;
    }

    std::size_t most_;
    std::vector<Symmetry> elements_;
    std::vector<Symmetry> generators_;
    std::set<std::vector<Fluent>> known_;  // what the elements do to fluents
};

// Calls back with generators of those symmetries that leave every role where it is, until that says false. Schreier's
// lemma: where r leads to an arrangement of the roles, and a generator g on to another one that s leads to, r·g·s⁻¹
// keeps the roles, and all such together generate all that do.
template <typename Use>
void for_each_role_keeping(const ground::Program& program, const Symmetries& found, Use use) {
    constexpr std::size_t most_arrangements = 24;  // of four players; of more, what these give is still right
    std::vector<Symmetry> leading{identity(program)};
    std::map<std::vector<Role>, std::size_t> place{{leading[0].roles, 0}};
    for (std::size_t i = 0; i < leading.size(); ++i) {
        for (const Symmetry& generator : found.generators) {
            Symmetry reached = chain(leading[i], generator);
            const auto there = place.find(reached.roles);
            if (there != place.end()) {
                if (!use(chain(reached, inverse(leading[there->second])))) return;
            } else if (leading.size() < most_arrangements) {
                place.emplace(reached.roles, leading.size());
                leading.push_back(std::move(reached));
            }
        }
    }
}

}  // namespace

std::vector<Symmetry> symmetry_group(const ground::Program& program, const Symmetries& found, std::size_t most) {
    constexpr std::size_t most_failures = 32;  // each takes as long as listing the group
    ListedGroup group(identity(program), most);
    std::size_t failures = 0;
    for_each_role_keeping(program, found, [&](const Symmetry& generator) {
        if (!group.extend(generator)) ++failures;
        return failures < most_failures;
    });
    return std::move(group).take();
}

}  // namespace stratagem::analysis
