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

// How many weights a content has.
std::size_t most_sums(const analysis::GameKind& kind, const Cells& cells, const TurnCells& turns) {
    const std::size_t phases = turns.control < cells.size() ? cells.fluents(turns.control).size() : 1;
    return phases * std::max<std::size_t>(Seats(kind).count(), 1);
}

}  // namespace

LearnSettings settings_of(const OptionValues& values) {
    LearnSettings settings;
    settings.patterns = values.flag("patterns");
    settings.symmetries = values.flag("symmetries");
    settings.limits.walks = values.real("walks");
    settings.play.lambda = values.real("lambda");
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
    const CellSymmetries symmetries(cells, found);
    const analysis::GameKind kind = kind_of(known, asked, stop);
    std::vector<Pattern> patterns;
    if (settings.patterns) {
        patterns = patterns_of_rules(cells, turns.is_one, known, settings.limits, stop);
        const std::vector<Pattern> walked = walks(cells, patterns, settings.limits, settings.play.seed);
        patterns.insert(patterns.end(), walked.begin(), walked.end());
        const double most = (settings.limits.asked + settings.limits.walks) * static_cast<double>(cells.size());
        patterns = close_under(symmetries, cells, patterns,
                               std::min(settings.limits.most_patterns, static_cast<std::size_t>(most)),
                               settings.most_weights / most_sums(kind, cells, turns));
    }
    auto tuples = std::make_shared<const Tuples>(std::move(cells), turns.control, patterns);
    return std::make_unique<SelfPlay>(circuit, kind, std::move(tuples), symmetries, settings.play);
}

}  // namespace stratagem::evaluate::linear
