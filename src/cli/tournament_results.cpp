#include "cli/tournament_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "arena/report.h"
#include "arena/standings.h"
#include "arena/standings_table.h"
#include "cli/tables.h"
#include "cli/tournament_text.h"
#include "util/output_file.h"
#include "view/record_view.h"

namespace stratagem::cli {

namespace {

class Results {
  public:
    explicit Results(const Tournament& cup) : cup_(cup) {}

    bool tell_all() {
        std::vector<arena::StoredMatch> matches = cup_.store->matches(cup_.run);
        std::erase_if(matches, [&](const arena::StoredMatch& match) { return !belongs(match); });
        const arena::Standings standings(cup_.spec.players.size(), cup_.names, matches);
        if (cup_.options.json) {
            print_json(summary_json(cup_, standings));
        } else {
            print_table(cup_, standings);
        }
        try_flush_output();  // what cannot be printed is said in the end, and keeps nothing from being written
        for (const auto& [number, tries] : cup_.failed) {
            tell("stratagem: match {} was begun {} times, never came to an end and counts as failed\n", number + 1,
                 tries);
        }
        if (!cup_.failed.empty())
            tell("stratagem: to try what failed again: --tries {}\n", cup_.failed.begin()->second + 1);
        bool written = true;
        // A record that cannot be read is missing from the page, and nothing else is.
        std::set<std::size_t> damaged;
        const auto record = [&](std::size_t number) -> std::optional<arena::MatchRecord> {
            try {
                return cup_.store->record(cup_.run, number);
            } catch (const arena::StoreError& fault) {
                if (damaged.insert(number).second) tell("stratagem: {}; it is left out\n", fault.what());
                written = false;
                return std::nullopt;
            }
        };
        const auto attempt = [&](const std::function<void()>& work) {
            try {
                work();
            } catch (const arena::RecordError& fault) {
                tell("stratagem: {}\n", fault.what());
                written = false;
            }
        };
        if (!cup_.spec.records.empty()) attempt([&] { write_records(matches, record); });
        attempt([&] {
            write_tables(cup_.options.tables,
                         arena::standings_table(cup_.spec.name, standings, standings.ranking(),
                                                arena::labels_of(cup_.contest.entrants), cup_.provenance));
        });
        if (!cup_.spec.report.empty()) {
            arena::ReportSource source{cup_.spec, standings, matches, cup_.plan, record};
            source.failed = cup_.failed;
            source.provenance = cup_.provenance;
            source.database = cup_.spec.database.string();
            source.boards = [&](const arena::MatchRecord& one) { return boards_of(one); };
            source.most_board_bytes = static_cast<std::size_t>(cup_.options.board_megabytes * 1'000'000);
            attempt([&] { write_report(arena::html_report(source)); });
        }
        return written;
    }

  private:
    // A match as drawings for the page. The game is looked at once, and not again where it cannot be.
    std::string boards_of(const arena::MatchRecord& record) {
        const auto place = std::ranges::find(cup_.names, record.game);
        if (place == cup_.names.end()) return "";
        const auto [known, is_new] = evidence_.try_emplace(record.game);
        if (is_new) {
            const arena::ContestGame& game = *cup_.contest.games[static_cast<std::size_t>(place - cup_.names.begin())];
            try {
                known->second = view::look_at(*game.game());
            } catch (const std::runtime_error& fault) {
                tell("stratagem: {}: boards are drawn from records alone: {}\n", record.game, fault.what());
                known->second.order = view::CoordinateOrder(game.unprepared());
            }
        }
        return view::to_html(view::RecordView(record, known->second));
    }

    // False for one of a longer plan, and for a row that something has changed.
    bool belongs(const arena::StoredMatch& match) const {
        const arena::PlannedMatch* planned = arena::find_planned(cup_.plan, match.number);
        if (planned == nullptr) return false;
        const bool whole = match.game == cup_.names[planned->game] && match.seating == planned->seating;
        if (!whole) {
            tell("stratagem: {}: match {} is damaged and left out\n", cup_.spec.database.string(), match.number + 1);
        }
        return whole;
    }

    void write_records(const std::vector<arena::StoredMatch>& matches,
                       const std::function<std::optional<arena::MatchRecord>(std::size_t)>& record) const {
        for (const arena::StoredMatch& match : matches) {
            if (const std::optional<arena::MatchRecord> one = record(match.number)) {
                arena::write_record(cup_.spec.records, *one);
            }
        }
    }

    void write_report(const std::string& page) const {
        if (const WriteProblem problem = write_file(cup_.spec.report, page)) {
            throw arena::RecordError(fmt::format("cannot write {}: {}", cup_.spec.report.string(), *problem));
        }
        if (!cup_.options.json) fmt::print("\nThe whole story: {}\n", cup_.spec.report.string());
    }

    const Tournament& cup_;
    std::map<std::string, view::BoardEvidence> evidence_;
};

}  // namespace

bool tell_results(const Tournament& cup) { return Results(cup).tell_all(); }

}  // namespace stratagem::cli
