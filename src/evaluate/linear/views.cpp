#include "evaluate/linear/views.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace stratagem::evaluate::linear {

namespace {

std::size_t phases_of(const Cells& cells, std::uint32_t control) {
    return control < cells.size() ? cells.fluents(control).size() : 1;
}

Exchange nothing_exchanged(std::size_t fluents, std::size_t roles) {
    Exchange result{std::vector<std::uint32_t>(fluents), std::vector<std::uint32_t>(roles)};
    std::iota(result.fluents.begin(), result.fluents.end(), 0U);
    std::iota(result.roles.begin(), result.roles.end(), 0U);
    return result;
}

Exchange one_after_the_other(const Exchange& first, const Exchange& second) {
    Exchange result = first;
    for (std::uint32_t& fluent : result.fluents) fluent = second.fluents[fluent];
    for (std::uint32_t& role : result.roles) role = second.roles[role];
    return result;
}

// Nothing where there are more than `most`.
std::optional<std::vector<Exchange>> closure(const Exchange& unit, const std::vector<Exchange>& generators,
                                             std::size_t most) {
    std::vector<Exchange> all{unit};
    std::set<Exchange> known{unit};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const Exchange& generator : generators) {
            Exchange next = one_after_the_other(all[i], generator);
            if (!known.insert(next).second) continue;
            if (all.size() == most) return std::nullopt;
            all.push_back(std::move(next));
        }
    }
    return all;
}

// What a phase becomes.
std::size_t phase_after(const Exchange& exchange, const Cells& cells, std::uint32_t control, std::size_t phase) {
    if (control >= cells.size()) return phase;
    const std::uint32_t turn = ground::index(cells.fluents(control)[phase]);
    return cells.place_of(machine::Fluent{exchange.fluents[turn]});
}

}  // namespace

bool keeps_cells(const Exchange& exchange, const Cells& cells, std::uint32_t control) {
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
        const auto becomes = [&](machine::Fluent fluent) {
            return cells.cell_of(machine::Fluent{exchange.fluents[ground::index(fluent)]});
        };
        const std::uint32_t image = becomes(cells.fluents(cell).front());
        if (cells.contents(image) != cells.contents(cell) || cells.is_full(image) != cells.is_full(cell) ||
            (cell == control && image != control) ||
            !std::ranges::all_of(cells.fluents(cell), [&](machine::Fluent one) { return becomes(one) == image; })) {
            return false;
        }
    }
    return true;
}

Views plain_views(const Cells& cells, std::uint32_t control, std::size_t roles) {
    const Exchange unit = nothing_exchanged(cells.fluent_count(), roles);
    Views result;
    result.blocks = phases_of(cells, control);
    for (std::size_t phase = 0; phase < result.blocks; ++phase) result.of_phase.push_back({unit, phase});
    result.kept = {unit};
    return result;
}

Views find_views(const Cells& cells, std::uint32_t control, std::size_t roles, const analysis::Symmetries& found,
                 std::size_t most) {
    constexpr std::size_t most_fluents = 1'000'000;  // of all exchanges together
    const Exchange unit = nothing_exchanged(cells.fluent_count(), roles);
    most = std::min(most, most_fluents / std::max<std::size_t>(cells.fluent_count(), 1) + 1);
    std::vector<Exchange> generators, all{unit};
    for (const analysis::Symmetry& symmetry : found.generators) {
        Exchange one = unit;
        for (std::size_t i = 0; i < one.fluents.size(); ++i) one.fluents[i] = ground::index(symmetry.fluents[i]);
        for (std::size_t i = 0; i < roles; ++i) one.roles[i] = ground::index(symmetry.roles[i]);
        if (!keeps_cells(one, cells, control)) continue;
        generators.push_back(std::move(one));
        if (auto more = closure(unit, generators, most)) {
            all = std::move(*more);
        } else {
            generators.pop_back();
        }
    }
    Views result;
    const std::size_t phases = phases_of(cells, control);
    result.blocks = 0;
    for (const Exchange& one : all) {
        bool keeps = one.roles == unit.roles;
        for (std::size_t phase = 0; phase < phases; ++phase) {
            keeps = keeps && phase_after(one, cells, control, phase) == phase;
        }
        if (keeps) result.kept.push_back(one);
    }
    for (std::size_t phase = 0; phase < phases; ++phase) {
        // The first phase it can be made, by the first exchange that does.
        Views::View view{unit, 0};
        std::size_t least = phase;
        for (const Exchange& one : all) {
            const std::size_t becomes = phase_after(one, cells, control, phase);
            if (becomes >= least) continue;
            least = becomes;
            view.exchange = one;
        }
        view.block = least == phase ? result.blocks++ : result.of_phase[least].block;
        result.of_phase.push_back(std::move(view));
    }
    return result;
}

}  // namespace stratagem::evaluate::linear
