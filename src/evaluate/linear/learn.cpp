#include "evaluate/linear/learn.h"

#include <algorithm>

#include "machine/circuit/circuit.h"

namespace stratagem::evaluate::linear {

namespace {

// A tenth of the time there is.
machine::Stop share_of(const machine::Stop& stop) {
    if (stop.deadline.is_never()) return stop;
    return {Deadline::after(stop.deadline.remaining() / 10), stop.flag};
}

analysis::Symmetries symmetries_of(const analysis::Findings& known, const analysis::Analysis* asked,
                                   const machine::Stop& stop) {
    if (asked == nullptr || known.symmetries().complete) return known.symmetries();
    return asked->ask({analysis::Item::symmetries}, share_of(stop)).symmetries();
}

// Whether one gets what the other loses decides how many sums there are.
analysis::GameKind kind_of(const analysis::Findings& known, const analysis::Analysis* asked,
                           const machine::Stop& stop) {
    using analysis::Item;
    if (asked == nullptr) return known.kind();
    return asked->ask({Item::kind, Item::turns, Item::goal_sum}, share_of(stop)).kind();
}

}  // namespace

LearnSettings settings_of(const OptionValues& values) {
    LearnSettings settings;
    settings.patterns = values.flag("patterns");
    settings.symmetries = values.flag("symmetries");
    settings.limits.walks = values.real("walks");
    settings.play.lambda = values.real("lambda");
    settings.play.opening = values.real("opening");
    settings.play.explore = values.real("explore");
    settings.play.step = values.real("step");
    settings.play.most_states = static_cast<std::uint64_t>(values.integer("states"));
    return settings;
}

std::unique_ptr<SelfPlay> prepare_learning(const machine::Game& game, const analysis::Findings& known,
                                           const analysis::Analysis* asked, const LearnSettings& settings,
                                           const machine::Stop& stop) {
    const std::shared_ptr<const machine::Circuit> circuit = game.circuit();
    if (circuit == nullptr) return nullptr;
    Cells cells(known);
    const TurnCells turns = find_turn_cells(cells, known);
    const analysis::Symmetries found = settings.symmetries ? symmetries_of(known, asked, stop) : analysis::Symmetries{};
    const analysis::GameKind kind = kind_of(known, asked, stop);
    Views views = settings.symmetries ? find_views(cells, turns.control, kind.roles, found)
                                      : plain_views(cells, turns.control, kind.roles);
    std::vector<Pattern> patterns;
    if (settings.patterns) {
        const std::vector<Pattern> of_rules = patterns_of_rules(cells, turns.is_one, known, settings.limits, stop);
        const std::size_t sums = views.blocks * std::max<std::size_t>(Seats(kind).count(), 1);
        Room room{settings.limits.most_patterns, settings.most_weights / sums};
        // Walks first, as many as there may be: they hold more than what rules ask for.
        const auto some_of = [&](const std::vector<Pattern>& from, double for_each_cell) {
            const auto most = static_cast<std::size_t>(for_each_cell * static_cast<double>(cells.size()));
            const std::vector<Pattern> some = one_of_each(views.kept, cells, from, most, room);
            patterns.insert(patterns.end(), some.begin(), some.end());
        };
        some_of(walks(cells, of_rules, settings.limits, settings.play.seed), settings.limits.walks);
        some_of(of_rules, settings.limits.asked);
    }
    auto tuples = std::make_shared<const Tuples>(std::move(cells), turns.control, std::move(views), patterns);
    return std::make_unique<SelfPlay>(circuit, kind, std::move(tuples), settings.play);
}

}  // namespace stratagem::evaluate::linear
