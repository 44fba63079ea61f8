#include "arena/report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "arena/report_svg.h"

namespace stratagem::arena {

namespace {

// Colours are named once for each kind of screen; everything else, the charts too, uses the names.
constexpr std::string_view style = R"css(
:root { color-scheme: light dark;
  --ground: #fcfcfa; --card: #ffffff; --ink: #1d1f23; --muted: #62666e; --rule: #d9dade; --mark: #2461a8; --bar: #5b8cc8;
  --even: #a4561c; --good: #dcefe1; --bad: #f7e0da; --error: #b3261e;
  --c31: #c92a2a; --c32: #2b8a3e; --c33: #946200; --c34: #1864ab; --c35: #862e9c; --c36: #0b7285; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #16181c; --card: #1f2227; --ink: #e6e7ea; --muted: #a2a7b0; --rule: #3a3e46; --mark: #8ab8f5; --bar: #5f8fce;
  --even: #e0975a; --good: #1f3a2a; --bad: #45261f; --error: #ff8a80;
  --c31: #ff8787; --c32: #8ce99a; --c33: #ffd43b; --c34: #74c0fc; --c35: #e599f7; --c36: #66d9e8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 16px 64px; max-width: 1080px; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 36px 0 8px; } h3 { font-size: 15px; margin: 0 0 6px; }
p { max-width: 75ch; margin: 6px 0; } .muted { color: var(--muted); } .error { color: var(--error); font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 10px; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
th { font-weight: 600; color: var(--muted); } th:first-child, td:first-child, .moves td, .moves th { text-align: left; }
td.plain { text-align: left; white-space: normal; overflow-wrap: anywhere; } td.good { background: var(--good); } td.bad { background: var(--bad); } td a { color: inherit; }
.cards { display: flex; flex-wrap: wrap; gap: 12px; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 12px 14px; max-width: 100%; }
svg { display: block; max-width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .muted { fill: var(--muted); } svg .grid { stroke: var(--rule); } svg .axis { stroke: var(--muted); }
svg .even { stroke: var(--even); stroke-dasharray: 4 3; } svg .interval { stroke: var(--mark); stroke-width: 2; }
svg .point { fill: var(--mark); } svg .bar { fill: var(--bar); }
details { border-bottom: 1px solid var(--rule); padding: 4px 0; } details details { margin-left: 18px; }
summary { cursor: pointer; } summary b { font-weight: 600; } code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
.boards { display: flex; flex-wrap: wrap; gap: 10px; padding: 6px 0; } .boards figure { margin: 0; max-width: 100%;
  background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 8px 10px; }
.boards figcaption { font-size: 13px; max-width: 40ch; } .boards pre { margin: 6px 0 0; overflow-x: auto; font: 13px/1.25 ui-monospace, monospace; }
.c2 { color: var(--muted); } .c7 { background: var(--rule); font-weight: 700; border-radius: 3px; }
.c31 { color: var(--c31); } .c32 { color: var(--c32); } .c33 { color: var(--c33); } .c34 { color: var(--c34); }
.c35 { color: var(--c35); } .c36 { color: var(--c36); }
.moves { font: 13px ui-monospace, monospace; margin: 6px 0; } .moves td, .moves th { padding: 1px 14px 1px 0; border: 0; }
)css";

std::string commas(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t place = text.size(); place > 3;) {
        place -= 3;
        text.insert(place, ",");
    }
    return text;
}

std::string points_text(const Sample& points) { return points.count() == 0 ? "–" : mean_text(points); }

std::string rate_text(std::optional<double> rate) { return rate ? fmt::format("{:.3f}", *rate) : "–"; }

std::string day_text(std::int64_t milliseconds) {
    // A damaged record may hold any number; this is the last year of four digits.
    if (milliseconds < 0 || milliseconds >= 253'402'300'800'000) return "?";
    const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(seconds));
}

// For a shell.
std::string shell_word(const std::string& word) {
    const bool plain = std::ranges::all_of(word, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-./:=,").find(c) != std::string_view::npos;
    });
    if (plain && !word.empty()) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

class Page {
  public:
    explicit Page(const ReportSource& source) : source_(source), order_(source.standings.ranking()) {
        names_.resize(source.spec.players.size());
        labels_.resize(source.spec.players.size());
        // Numbered by rank: names may be long and cut.
        for (std::size_t rank = 0; rank < order_.size(); ++rank) {
            labels_[order_[rank]] = fmt::format("{}. {}", rank + 1, source.spec.players[order_[rank]].name);
            names_[order_[rank]] = escape_html(labels_[order_[rank]]);
        }
        lengths_.resize(source.standings.games().size());
        times_.resize(source.spec.players.size());
    }

    std::string make() {
        draw_boards();
        const std::string matches = all_matches();  // first: it collects what the charts show
        text_ = fmt::format(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n"
            "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
            escape_html(source_.spec.name), style);
        head();
        standing_table();
        cross_table();
        interval_plots();
        distributions();
        text_ += matches;
        provenance();
        return text_ + "</body>\n</html>\n";
    }

  private:
    void draw_boards() {
        if (!source_.boards) return;
        std::size_t bytes = 0;
        for (const StoredMatch& match : source_.matches) {
            if (bytes >= source_.most_board_bytes) return;
            const std::optional<MatchRecord> record = source_.record(match.number);
            if (!record) continue;
            std::string drawn = source_.boards(*record);
            if (bytes + drawn.size() > source_.most_board_bytes) continue;
            bytes += drawn.size();
            if (!drawn.empty()) boards_.emplace(match.number, std::move(drawn));
        }
    }

    void head() {
        const TournamentSpec& spec = source_.spec;
        text_ += fmt::format(
            "<p class=\"muted\">{} of {} matches, {} players, {} games; {}; {} matches of each "
            "group in each game{}{}; seed {}.</p>\n",
            source_.matches.size(), source_.plan.size(), spec.players.size(), spec.games.size(),
            spec.nodes ? fmt::format("{} nodes for each move", *spec.nodes)
                       : fmt::format("start clock {}, play clock {}", duration_text(spec.clocks.start.count()),
                                     duration_text(spec.clocks.play.count())),
            spec.matches, spec.swap ? ", in rotating roles" : "",
            spec.opening > 0 ? fmt::format(", after {} random moves", spec.opening) : "", spec.seed);
        if (!source_.matches.empty()) {
            text_ += fmt::format("<p class=\"muted\">Played from {} to {}.</p>\n", day_text(first_), day_text(last_));
        }
        if (source_.standings.incomplete() > 0) {
            text_ += fmt::format("<p class=\"error\">{} matches did not come to an end and have no points.</p>\n",
                                 source_.standings.incomplete());
        }
        for (const auto& [number, tries] : source_.failed) {
            const PlannedMatch* planned = find_planned(source_.plan, number);
            if (planned == nullptr) continue;
            std::string players;
            for (const std::size_t player : planned->seating) {
                players += fmt::format("{}{}", players.empty() ? "" : ", ", names_[player]);
            }
            text_ += fmt::format(
                "<p class=\"error\" id=\"m{}\">Match #{} of {} ({}) failed: it was begun {} times and never came to an "
                "end.</p>\n",
                number + 1, number + 1, escape_html(source_.standings.games()[planned->game]), players, tries);
        }
    }

    void provenance() {
        const Provenance& from = source_.provenance;
        if (from.version.empty()) return;
        text_ += "<h2>Where this comes from</h2>\n<table>\n";
        const auto row = [&](const std::string& name, const std::string& value) {
            text_ +=
                fmt::format("<tr><td>{}</td><td class=\"plain\">{}</td></tr>\n", escape_html(name), escape_html(value));
        };
        for (const auto& [name, value] : lines_of(from)) row(name, value);
        for (const Provenance::Game& game : from.games) row("rules of " + game.name, game.rules);
        for (const Provenance::Player& player : from.players) row(player.name, player.recipe);
        text_ += "</table>\n";
    }

    void standing_table() {
        text_ +=
            "<h2>Standings</h2>\n<div class=\"wide\"><table>\n<tr><th>player</th><th>matches</th><th>mean points</th>"
            "<th>win rate</th><th>Elo</th><th>won / drawn / lost</th><th>errors</th><th>states/s</th>"
            "<th>slowest move</th></tr>\n";
        for (const std::size_t player : order_) {
            const Tally& one = source_.standings.overall(player);
            const std::optional<Rating>& rating = source_.standings.ratings()[player];
            text_ += fmt::format(
                "<tr><td title=\"{}\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{} / {} / {}</td>{}"
                "<td>{}</td><td>{}</td></tr>\n",
                escape_html(source_.spec.players[player].text), names_[player], one.points().count(),
                points_text(one.points()), rate_text(one.win_rate()),
                rating ? fmt::format("{:+.0f} ± {:.0f}", rating->elo, rating->ci95) : "–", one.wins(), one.draws(),
                one.losses(), error_cell(one),
                one.states_per_second() > 0 ? commas(static_cast<std::uint64_t>(one.states_per_second())) : "–",
                duration_text(one.slowest()));
        }
        text_ +=
            "</table></div>\n<p class=\"muted\">Points are goal values, 0 to 100, with the 95 % confidence interval of "
            "their mean: Wilson's for wins, draws and losses, Student's for graded points. The win rate is a player's "
            "part of all points made in its matches. Elo "
            "is relative to the mean of the players here, with its 95 % interval. Errors are moves that were illegal "
            "(IL), late (TO) or did not come (CE), and were replaced.</p>\n";
    }

    static std::string error_cell(const Tally& one) {
        if (one.errors() == 0) return "<td>0</td>";
        std::string parts;
        for (const auto& [count, fault] : {std::pair{one.illegal(), Fault::illegal}, std::pair{one.late(), Fault::late},
                                           std::pair{one.unreachable(), Fault::unreachable}}) {
            if (count > 0) parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", count, to_string(fault));
        }
        return fmt::format("<td class=\"error\">{}</td>", parts);
    }

    void cross_table() {
        if (order_.size() < 2) return;
        text_ += "<h2>Who against whom</h2>\n<div class=\"wide\"><table>\n<tr><th>mean points of … against</th>";
        for (const std::size_t other : order_) text_ += fmt::format("<th>{}</th>", names_[other]);
        text_ += "</tr>\n";
        for (const std::size_t player : order_) {
            text_ += fmt::format("<tr><td>{}</td>", names_[player]);
            for (const std::size_t other : order_) text_ += cross_cell(player, other);
            text_ += "</tr>\n";
        }
        text_ +=
            "</table></div>\n<p class=\"muted\">Shaded where the 95 % interval of the difference between the two does "
            "not "
            "reach 0. A cell leads to the first match of its pair.</p>\n";
    }

    std::string cross_cell(std::size_t player, std::size_t other) const {
        const Pairing& pair = source_.standings.pairing(player, other);
        if (player == other || pair.points.count() == 0) return "<td class=\"muted\">–</td>";
        const std::optional<Range> lead = pair.lead.interval95();
        const std::string_view kind = !lead ? "" : lead->low > 0 ? "good" : lead->high < 0 ? "bad" : "";
        const auto first = std::ranges::find_if(source_.matches, [&](const StoredMatch& match) {
            return std::ranges::count(match.seating, player) > 0 && std::ranges::count(match.seating, other) > 0;
        });
        return fmt::format(
            R"(<td class="{}" title="{} won, {} drawn, {} lost; win rate {}"><a href="#m{}">{}</a></td>)", kind,
            pair.wins, pair.draws, pair.losses, rate_text(pair.win_rate()), first->number + 1,
            points_text(pair.points));
    }

    void interval_plots() {
        text_ += "<h2>Mean points by game</h2>\n<div class=\"cards\">\n";
        const Standings& standings = source_.standings;
        for (std::size_t game = 0; game < standings.games().size(); ++game) {
            std::vector<Interval> rows;
            double sum = 0;
            for (const std::size_t player : order_) {
                const Tally& one = standings.in_game(game, player);
                if (one.points().count() == 0) continue;
                rows.push_back(
                    {labels_[player], one.points().mean(), one.points().interval95(), points_text(one.points())});
                sum += one.points().mean();
            }
            if (rows.empty()) continue;
            const std::string& name = standings.games()[game];
            text_ += fmt::format("<div class=\"card\"><h3>{}</h3>\n{}</div>\n", escape_html(name),
                                 interval_plot(rows, sum / static_cast<double>(rows.size()),
                                               fmt::format("Mean points of each player in {}", name)));
        }
        text_ +=
            "</div>\n<p class=\"muted\">Bars are 95 % confidence intervals; the broken line is the mean of all "
            "players.</p>\n";
    }

    void distributions() {
        text_ += "<h2>Length of matches</h2>\n<div class=\"cards\">\n";
        for (std::size_t game = 0; game < lengths_.size(); ++game) {
            if (lengths_[game].empty()) continue;
            const std::string& name = source_.standings.games()[game];
            Sample steps;
            for (const std::size_t length : lengths_[game]) steps.add(static_cast<double>(length));
            text_ += fmt::format(
                "<div class=\"card\"><h3>{} <span class=\"muted\">mean {:.1f} moves</span></h3>\n{}</div>\n",
                escape_html(name), steps.mean(),
                histogram(whole_number_bins(lengths_[game], 40), Scale::linear, "moves",
                          fmt::format("How long matches of {} were", name)));
        }
        text_ += "</div>\n<h2>Time per move</h2>\n<div class=\"cards\">\n";
        for (const std::size_t player : order_) {
            std::vector<double>& times = times_[player];
            if (times.empty()) continue;
            std::ranges::sort(times);
            text_ += fmt::format(
                "<div class=\"card\"><h3>{} <span class=\"muted\">median {}, {} moves</span></h3>\n{}</div>\n",
                names_[player], duration_text(times[times.size() / 2]), commas(times.size()),
                histogram(logarithmic_bins(times), Scale::logarithmic, "",
                          fmt::format("How long {} took for a move", source_.spec.players[player].name),
                          source_.spec.clocks.play.count()));
        }
        text_ +=
            "</div>\n<p class=\"muted\">Moves with a choice only. The axis of times is logarithmic; the broken line is "
            "the play clock.</p>\n";
    }

    std::string all_matches() {
        std::string text = "<h2>Matches</h2>\n";
        const std::vector<std::string>& games = source_.standings.games();
        for (std::size_t game = 0; game < games.size(); ++game) {
            std::string list;
            std::size_t count = 0;
            for (const StoredMatch& match : source_.matches) {
                if (match.game != games[game]) continue;
                list += one_match(match, game);
                ++count;
            }
            if (count == 0) continue;
            text += fmt::format("<details><summary><b>{}</b>, {} match{}</summary>\n{}</details>\n",
                                escape_html(games[game]), count, count == 1 ? "" : "es", list);
        }
        return text;
    }

    std::string one_match(const StoredMatch& match, std::size_t game) {
        std::string line = fmt::format("#{}", match.number + 1);
        std::size_t errors = 0;
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            const SeatResult& one = match.seats[seat];
            line += fmt::format("{} {} <span class=\"muted\">({})</span> <b>{}</b>", seat == 0 ? "" : ",",
                                names_[match.seating[seat]], escape_html(one.role),
                                match.complete ? std::to_string(one.score) : "–");
            errors += one.errors();
        }
        line += fmt::format(" <span class=\"muted\">{} moves, {}</span>", match.steps, duration_text(match.seconds));
        if (!match.complete) line += " <span class=\"error\">not ended</span>";
        if (errors > 0) line += fmt::format(" <span class=\"error\">{} errors</span>", errors);
        if (boards_.contains(match.number)) line += fmt::format(" <a href=\"#b{}\">boards</a>", match.number + 1);
        // The place to go to lies inside: browsers open what they are sent into.
        std::string text = fmt::format("<details><summary>{}</summary><div id=\"m{}\">\n", line, match.number + 1);
        if (match.complete) lengths_[game].push_back(match.steps);
        if (const std::optional<MatchRecord> record = source_.record(match.number)) {
            collect(match, *record);
            if (const auto drawn = boards_.find(match.number); drawn != boards_.end()) {
                text += fmt::format(
                    "<details><summary>Boards</summary><div class=\"boards\" id=\"b{}\">\n{}</div></details>\n",
                    match.number + 1, drawn->second);
            }
            text += moves_table(*record);
        } else {
            text += "<p class=\"error\">The record of this match is damaged.</p>\n";
        }
        if (const PlannedMatch* planned = find_planned(source_.plan, match.number)) {
            text += fmt::format(
                "<p class=\"muted\">Again: <code>{}</code></p>\n",
                escape_html(replay_command(source_.spec, source_.spec.games[game], match, planned->opening_seed)));
        }
        if (!source_.database.empty()) {
            text += fmt::format("<p class=\"muted\">To look at: <code>stratagem view {} --match {}</code></p>\n",
                                escape_html(shell_word(source_.database)), match.number + 1);
        }
        return text + "</div></details>\n";
    }

    void collect(const StoredMatch& match, const MatchRecord& record) {
        first_ = first_ == 0 ? record.start_time : std::min(first_, record.start_time);
        last_ = std::max(last_, record.state_times.empty() ? record.start_time : record.state_times.back());
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            const auto role = static_cast<std::size_t>(std::ranges::find(record.roles, match.seats[seat].role) -
                                                       record.roles.begin());
            for (std::size_t step = 0; step < record.moves.size(); ++step) {
                const double* time = recorded(record.reply_milliseconds, step, role);
                const std::uint32_t* choices = recorded(record.legal_counts, step, role);
                if (time == nullptr || choices == nullptr || *choices < 2) continue;
                times_[match.seating[seat]].push_back(*time / 1000);
            }
        }
    }

    static std::string moves_table(const MatchRecord& record) {
        std::string text = R"(<div class="wide"><table class="moves"><tr><th></th>)";
        for (const std::string& role : record.roles) text += fmt::format("<th>{}</th>", escape_html(role));
        text += "</tr>\n";
        for (std::size_t step = 0; step < record.moves.size(); ++step) {
            text += fmt::format("<tr><td class=\"muted\">{}</td>", step + 1);
            for (std::size_t role = 0; role < record.moves[step].size(); ++role) {
                const std::string* mark = recorded(record.errors, step, role);
                const bool marked = mark != nullptr && !mark->empty();
                text += fmt::format("<td>{}{}</td>", escape_html(record.moves[step][role]),
                                    marked ? fmt::format(" <span class=\"error\">{}</span>", escape_html(*mark)) : "");
            }
            text += "</tr>\n";
        }
        return text + "</table></div>\n";
    }

    const ReportSource& source_;
    std::vector<std::size_t> order_;
    std::vector<std::string> labels_;                // by player: rank and name
    std::vector<std::string> names_;                 // the same, escaped
    std::map<std::size_t, std::string> boards_;      // by number
    std::vector<std::vector<std::size_t>> lengths_;  // by game
    std::vector<std::vector<double>> times_;         // by player, in seconds
    std::int64_t first_ = 0, last_ = 0;
    std::string text_;
};

}  // namespace

std::string replay_command(const TournamentSpec& spec, const std::string& game, const StoredMatch& match,
                           std::uint64_t opening_seed) {
    std::string players;
    for (const std::size_t player : match.seating) {
        players += (players.empty() ? "" : ",") + spec.players[player].text;
    }
    const TournamentSpec defaults;
    std::string text =
        fmt::format("stratagem match {} --players {} --seed {} --start-clock {} --play-clock {}", shell_word(game),
                    shell_word(players), match.seed, spec.clocks.start.count(), spec.clocks.play.count());
    if (spec.nodes) text += fmt::format(" --nodes {}", *spec.nodes);
    if (spec.threads != defaults.threads) text += fmt::format(" --threads {}", spec.threads);
    if (spec.table_megabytes != defaults.table_megabytes) text += fmt::format(" --table {}", spec.table_megabytes);
    if (spec.max_moves != defaults.max_moves) text += fmt::format(" --max-moves {}", spec.max_moves);
    if (spec.grace != defaults.grace) text += fmt::format(" --grace {}", spec.grace);
    if (spec.opening > 0) text += fmt::format(" --opening {} --opening-seed {}", spec.opening, opening_seed);
    if (spec.ponder) text += " --ponder";
    if (spec.prepare) text += " --prepare";
    return text;
}

std::string html_report(const ReportSource& source) { return Page(source).make(); }

}  // namespace stratagem::arena
