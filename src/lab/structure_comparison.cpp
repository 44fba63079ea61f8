#include "lab/structure_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "analysis/analysis.h"
#include "analysis/templates.h"
#include "gdl/print.h"

namespace stratagem::lab {

namespace {

using analysis::PlainBoard;
using analysis::PlainMarker;
using analysis::PlainQuantity;
using analysis::PlainStructures;

constexpr std::array<std::string_view, structure_counts> count_names{"orders",  "counters", "boards",  "ordered",
                                                                     "markers", "pieces",   "amounts", "teams"};

class Described {
  public:
    Described(const PlainStructures& structures, const ground::Program& program)
        : structures_(structures), terms_(program.terms) {
        for (const analysis::Order& order : structures.orders) add("order " + symbol(order.relation));
        for (const analysis::PlainCounter& one : structures.counters) add("counter " + family(one.family));
        for (const PlainBoard& board : structures.boards) describe(board);
        for (const PlainQuantity& one : structures.quantities) {
            add(fmt::format("quantity {} -{}", family(one.family), one.output + 1));
            counts_[amounts] += one.amounts.size();
        }
        counts_[0] = structures.orders.size();
        counts_[1] = structures.counters.size();
        counts_[2] = structures.boards.size();
        counts_[7] = std::set(structures.team.begin(), structures.team.end()).size();
    }

    const StructureComparison::Counts& counts() const { return counts_; }
    const std::vector<std::string>& parts() const { return parts_; }
    std::vector<std::string> without(const Described& other) const {
        std::vector<std::string> alone;
        std::ranges::copy_if(parts_, std::back_inserter(alone), [&](const std::string& part) {
            return std::ranges::find(other.parts_, part) == other.parts_.end();
        });
        return alone;
    }

  private:
    static constexpr std::size_t amounts = 6;

    void add(std::string part) { parts_.push_back(std::move(part)); }
    std::string symbol(gdl::Symbol one) const { return std::string(terms_.symbols().name(one)); }
    std::string family(std::size_t number) const { return symbol(structures_.families[number].name); }

    void describe(const PlainBoard& board) {
        std::string name = "board " + family(board.family);
        for (const std::uint32_t place : board.content) name += fmt::format(" -{}", place + 1);
        add(name);
        if (board.is_ordered()) add("ordered " + name);
        counts_[3] += board.is_ordered() ? 1U : 0U;
        counts_[4] += board.markers.size();
        std::string pieces;
        for (const PlainMarker& marker : board.markers) {
            if (!marker.piece) continue;
            ++counts_[5];
            pieces += ' ';
            for (const gdl::Term value : marker.content) pieces += gdl::to_kif(terms_, value) + " ";
            pieces.pop_back();
        }
        if (!pieces.empty()) add(fmt::format("pieces of {}:{}", name, pieces));
    }

    const PlainStructures& structures_;
    const gdl::TermPool& terms_;
    StructureComparison::Counts counts_{};
    std::vector<std::string> parts_;
};

}  // namespace

std::string_view to_string(StructureCount what) { return count_names[static_cast<std::size_t>(what)]; }

std::optional<StructureComparison> compare_structures(const std::shared_ptr<const machine::Game>& game,
                                                      const StructureLook& look, std::string& why) {
    const machine::Stop stop{Deadline::after(std::chrono::duration<double>(look.seconds)), look.abort};
    const analysis::Analysis analysis(game, {.seed = look.seed});
    const analysis::Findings known = analysis.ask({analysis::Item::kind, analysis::Item::structures}, stop);
    if (known.program() == nullptr || known.samples() == nullptr) {
        why = "no time to look at states";
        return std::nullopt;
    }
    // A tenth of the time, as in the thesis.
    const machine::Stop tenth{Deadline::after(std::chrono::duration<double>(look.seconds / 10)), look.abort};
    const PlainStructures found = analysis::find_by_templates(*known.program(), *known.samples(), tenth);
    const PlainStructures meant = analysis::plain_structures_by_meaning(known);
    const Described by_templates(found, *known.program()), by_meaning(meant, *known.program());
    StructureComparison result;
    result.by_templates = by_templates.counts();
    result.by_meaning = by_meaning.counts();
    result.templates_alone = by_templates.without(by_meaning);
    result.meaning_alone = by_meaning.without(by_templates);
    result.states = found.states;
    result.complete = found.complete && meant.complete;
    result.roles_differ = found.team != meant.team;
    return result;
}

}  // namespace stratagem::lab
