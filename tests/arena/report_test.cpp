// The report: whole, escaped, and nothing in it from elsewhere. How it looks is looked at in a browser.
#include "arena/report.h"

#include <gmock/gmock.h>

#include <limits>

#include "arena/report_svg.h"

namespace stratagem::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(ReportSvg, Escapes) {
    EXPECT_EQ(escape_html("<a href=\"x\">&'\x1b\n"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    EXPECT_EQ(escape_html("größer"), "größer");
}

TEST(ReportSvg, Durations) {
    EXPECT_EQ(duration_text(0.000028), "28 µs");
    EXPECT_EQ(duration_text(0.0638), "63.8 ms");
    EXPECT_EQ(duration_text(0.99999), "1 s");
    EXPECT_EQ(duration_text(12.5), "12.5 s");
}

std::vector<std::size_t> counts(const std::vector<Bin>& bins) {
    std::vector<std::size_t> found;
    for (const Bin& bin : bins) found.push_back(bin.count);
    return found;
}

TEST(ReportSvg, Bins) {
    EXPECT_THAT(counts(whole_number_bins(std::vector<std::size_t>{5, 5, 7, 9}, 40)), ElementsAre(2, 0, 1, 0, 1));
    const std::vector<Bin> wide = whole_number_bins(std::vector<std::size_t>{0, 99}, 10);
    EXPECT_EQ(wide.size(), 10u);
    EXPECT_EQ(wide[3].from, 30);
    EXPECT_EQ(wide[3].to, 40);
    EXPECT_THAT(whole_number_bins({}, 10), IsEmpty());
    EXPECT_THAT(counts(logarithmic_bins(std::vector<double>{0.011, 0.011, 0.02})), ElementsAre(2, 1));
    EXPECT_THAT(counts(logarithmic_bins(std::vector<double>{0})), ElementsAre(1)) << "no time at all is very little";
}

TEST(ReportSvg, PlotsSayWhatTheyShow) {
    const std::string plot =
        interval_plot(std::vector<Interval>{{"<uct>", 75, Range{60, 80}, "note"},
                                            {"a name that is much too long for its place", 5, {}, ""}},
                      50, "title");
    EXPECT_THAT(plot, HasSubstr("<title>&lt;uct&gt;: 75.0 [60.0, 80.0]</title>"));
    EXPECT_THAT(plot, HasSubstr("a name that is mu…"));
    EXPECT_THAT(plot, HasSubstr("aria-label=\"title\""));
    EXPECT_EQ(histogram({}, Scale::linear, "moves", "t"), "");
    EXPECT_THAT(histogram(std::vector<Bin>{{5, 6, 2}, {6, 7, 0}}, Scale::linear, "moves", "t"),
                HasSubstr("5 moves: 2"));
}

TournamentSpec spec_of() {
    TournamentSpec spec;
    spec.name = "<Spring & more>";
    spec.games = {"heap"};
    spec.players = {{"one <b>", "uct:rave=on"}, {"two", "it's"}};
    return spec;
}

StoredMatch match_of(std::size_t number) {
    StoredMatch match;
    match.number = number;
    match.game = "heap";
    match.seed = 77 + number;
    match.complete = true;
    match.steps = 1;
    match.seating = {1, 0};
    match.seats.resize(2);
    match.seats[0] = {.player = "two", .role = "first", .score = 100, .illegal = 1};
    match.seats[1] = {.player = "one <b>", .role = "second", .score = 0};
    return match;
}

std::optional<MatchRecord> record_of(std::size_t) {
    MatchRecord record;
    record.match_id = "m";
    record.roles = {"first", "second"};
    record.moves = {{"(take <2>)", "noop"}};
    record.errors = {{"IL", ""}};
    record.reply_milliseconds = {{12, 0.1}};
    record.legal_counts = {{3, 1}};
    record.start_time = 1'700'000'000'000;
    record.state_times = {1'700'000'000'000, 1'700'000'001'000};
    return record;
}

std::vector<PlannedMatch> numbered(std::size_t count) {
    std::vector<PlannedMatch> plan(count);
    for (std::size_t i = 0; i < count; ++i) plan[i].number = i;
    return plan;
}
const std::vector<PlannedMatch> planned = numbered(6);

TEST(Report, IsWholeAndSafe) {
    const TournamentSpec spec = spec_of();
    const std::vector<StoredMatch> matches{match_of(0), match_of(4)};
    const Standings standings(2, {"heap"}, matches);
    const std::string page = html_report({spec, standings, matches, planned, record_of});
    EXPECT_THAT(page, HasSubstr("<title>&lt;Spring &amp; more&gt;</title>"));
    EXPECT_THAT(page, HasSubstr("2 of 6 matches"));
    EXPECT_THAT(page, HasSubstr("one &lt;b&gt;"));
    EXPECT_THAT(page, Not(HasSubstr("one <b>")));
    EXPECT_THAT(page, HasSubstr("(take &lt;2&gt;) <span class=\"error\">IL</span>"));
    EXPECT_THAT(page, HasSubstr("id=\"m5\""));
    EXPECT_THAT(page, HasSubstr("href=\"#m1\""));
    EXPECT_THAT(page, HasSubstr("2 IL")) << "errors of both matches together";
    EXPECT_THAT(page, HasSubstr("2023-11-14 22:13:20 UTC"));
    EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
    for (const char* foreign : {"<script", "src=", "@import", "url(", "http:", "https:", "<link"}) {
        EXPECT_THAT(page, Not(HasSubstr(foreign)));
    }
}

TEST(Report, ShowsBoardsWhileThereIsRoom) {
    const TournamentSpec spec = spec_of();
    const std::vector<StoredMatch> matches{match_of(0), match_of(1), match_of(4)};
    const Standings standings(2, {"heap"}, matches);
    ReportSource source{spec, standings, matches, planned, record_of};
    source.boards = [](const MatchRecord&) { return "<pre>" + std::string(989, '.') + "</pre>"; };
    source.most_board_bytes = 2'500;
    source.database = "my cup.db";
    const std::string page = html_report(source);
    EXPECT_THAT(page, HasSubstr("<a href=\"#b1\">boards</a>"));
    EXPECT_THAT(page, HasSubstr("id=\"b2\""));
    EXPECT_THAT(page, Not(HasSubstr("b5\"")));
    EXPECT_THAT(page, HasSubstr("stratagem view &#39;my cup.db&#39; --match 5"));
}

TEST(Report, NamesWhatFailedAndWhatIsDamaged) {
    const TournamentSpec spec = spec_of();
    const std::vector<StoredMatch> matches{match_of(0)};
    const Standings standings(2, {"heap"}, matches);
    std::vector<PlannedMatch> plan = numbered(6);
    plan[3].seating = {1, 0};
    ReportSource source{spec, standings, matches, plan, [](std::size_t) { return std::optional<MatchRecord>(); }};
    source.failed = {{3, 2}, {99, 2}};
    const std::string page = html_report(source);
    EXPECT_THAT(page, HasSubstr("one &lt;b&gt;) failed: it was begun 2 times"));
    EXPECT_THAT(page, HasSubstr("Match #4 of heap ("));
    EXPECT_THAT(page, Not(HasSubstr("#100")));
    EXPECT_THAT(page, HasSubstr("The record of this match is damaged."));
}

// As a damaged record may have it: nothing but moves, and a time that no calendar has.
TEST(Report, TakesRecordsAsTheyAre) {
    const TournamentSpec spec = spec_of();
    const std::vector<StoredMatch> matches{match_of(0)};
    const Standings standings(2, {"heap"}, matches);
    const auto record = [](std::size_t) {
        MatchRecord bare;
        bare.match_id = "m";
        bare.moves = {{"(take 1)", "noop"}, {"noop", "(take 1)"}};
        bare.start_time = std::numeric_limits<std::int64_t>::max();
        return std::optional(bare);
    };
    EXPECT_THAT(html_report({spec, standings, matches, planned, record}), HasSubstr("(take 1)"));
}

TEST(Report, OfNothingYet) {
    const TournamentSpec spec = spec_of();
    const Standings standings(2, {"heap"}, {});
    EXPECT_THAT(html_report({spec, standings, {}, planned, record_of}), HasSubstr("0 of 6 matches"));
}

TEST(Report, SaysHowToSeeAMatchAgain) {
    TournamentSpec spec = spec_of();
    EXPECT_EQ(replay_command(spec, "heap", match_of(0), 5),
              "stratagem match heap --players 'it'\\''s,uct:rave=on' --seed 77 --start-clock 10 --play-clock 1");
    spec.threads = 2;
    spec.ponder = true;
    EXPECT_THAT(replay_command(spec, "a b.kif", match_of(0), 5), HasSubstr("'a b.kif'"));
    EXPECT_THAT(replay_command(spec, "heap", match_of(0), 5), HasSubstr("--threads 2 --ponder"));
    spec.opening = 3;
    EXPECT_THAT(replay_command(spec, "heap", match_of(0), 5), HasSubstr("--opening 3 --opening-seed 5"));
}

}  // namespace
}  // namespace stratagem::arena
