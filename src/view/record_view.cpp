#include "view/record_view.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <set>

#include "arena/replay_record.h"
#include "arena/report_svg.h"
#include "machine/machine_text.h"
#include "util/number_text.h"

namespace stratagem::view {

namespace {

using arena::recorded;
using nlohmann::json;

void clean(std::string& text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    }
}

template <typename Value>
void clean(std::vector<Value>& values) {
    for (Value& value : values) clean(value);
}

void clean(arena::MatchRecord& record) {
    clean(record.match_id);
    clean(record.game);
    clean(record.tournament);
    clean(record.problem);
    clean(record.roles);
    clean(record.player_names);
    clean(record.states);
    clean(record.moves);
    clean(record.errors);
    clean(record.fault_notes);
    clean(record.start_errors);
    for (auto& step : record.thoughts) {
        for (std::optional<arena::Thought>& thought : step) {
            if (!thought) continue;
            clean(thought->source);
            clean(thought->note);
        }
    }
}

FluentTexts fluents_in(const std::string& state) {
    FluentTexts fluents;
    for (const std::string& fact : arena::facts_in(state)) fluents.push_back(read_fluent(fact));
    std::ranges::sort(fluents,
                      [](const FluentText& a, const FluentText& b) { return natural_less(to_text(a), to_text(b)); });
    return fluents;
}

// "1000 nodes per move", if it was so many and no clock that ended the thoughts of recipes.
std::string counted_budget(const arena::MatchRecord& record) {
    const json origin = json::parse(record.provenance, nullptr, false);
    if (!origin.is_object() || !origin.contains("budget") || !origin["budget"].is_string()) return {};
    std::string budget = origin["budget"].get<std::string>();
    clean(budget);
    return budget.ends_with("nodes per move") ? budget : "";
}

std::string seconds_text(double milliseconds) { return fmt::format("{:.3f} s", milliseconds / 1000); }

}  // namespace

RecordView::RecordView(arena::MatchRecord record, BoardEvidence evidence) : record_(std::move(record)) {
    clean(record_);
    budget_ = counted_budget(record_);
    std::set<std::string> known;
    for (const FluentText& fluent : evidence.fluents) known.insert(to_text(fluent));
    constexpr std::size_t enough = 60;  // of a long match, every so many states tell as much as all
    for (std::size_t i = 0; i < record_.states.size(); ++i) {
        states_.push_back(fluents_in(record_.states[i]));
        for (const FluentText& fluent : states_.back()) {
            if (known.insert(to_text(fluent)).second) evidence.fluents.push_back(fluent);
        }
        if (i % (1 + record_.states.size() / enough) == 0) evidence.states.push_back(states_.back());
    }
    if (evidence.roles.empty()) evidence.roles = record_.roles;
    if (!states_.empty()) board_.emplace(evidence);
}

void add_states(arena::MatchRecord& record, const machine::Game& game) {
    const std::unique_ptr<machine::Machine> machine = game.make();
    machine::State state = machine->initial();
    machine::State next;
    record.states.push_back(machine::state_text(*machine, state));
    for (const std::vector<std::string>& moves : record.moves) {
        std::vector<machine::Move> joint;
        for (std::uint32_t role = 0; role < machine->role_count() && role < moves.size(); ++role) {
            std::vector<machine::Move> legal;
            machine->legal(state, machine::Role{role}, legal);
            const auto found =
                std::ranges::find_if(legal, [&](machine::Move one) { return machine->move_name(one) == moves[role]; });
            if (found != legal.end()) joint.push_back(*found);
        }
        if (joint.size() != machine->role_count()) return;
        machine->next(state, joint, next);
        std::swap(state, next);
        record.states.push_back(machine::state_text(*machine, state));
    }
}

std::string RecordView::role_name(std::size_t role) const {
    return role < record_.roles.size() ? record_.roles[role] : fmt::format("player {}", role + 1);
}

std::string RecordView::heading() const {
    std::string text = fmt::format("{}  {}\n", record_.game, record_.match_id);
    std::string players;
    for (std::size_t role = 0; role < record_.role_count(); ++role) {
        players += fmt::format("{}{}", players.empty() ? "" : ", ", role_name(role));
        if (role < record_.player_names.size()) players += fmt::format(": {}", record_.player_names[role]);
        if (role < record_.goals.size()) players += fmt::format(" {}", record_.goals[role]);
        if (role < record_.start_errors.size() && !record_.start_errors[role].empty()) {
            players += fmt::format(" ({} at the start)", record_.start_errors[role]);
        }
    }
    if (!players.empty()) text += players + '\n';
    std::vector<std::string> facts;
    if (!budget_.empty()) facts.push_back(budget_);
    // Players elsewhere keep the clocks whatever others count.
    const bool clocked = budget_.empty() || std::ranges::any_of(record_.player_names, [](const std::string& name) {
                             return name.find("://") != std::string::npos;
                         });
    if (clocked && (record_.start_clock > 0 || record_.play_clock > 0)) {
        facts.push_back(fmt::format("start clock {} s, play clock {} s", record_.start_clock, record_.play_clock));
    }
    if (record_.seed != 0) facts.push_back(fmt::format("seed {}", record_.seed));
    if (!record_.tournament.empty()) facts.push_back(record_.tournament);
    // Years that calendars have words for; a damaged record may hold any number.
    if (record_.start_time > 0 && record_.start_time < 253'402'300'800'000) {
        facts.push_back(
            fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(record_.start_time / 1000))));
    }
    if (!facts.empty()) text += fmt::format("{}\n", fmt::join(facts, "; "));
    return text;
}

std::optional<Picture> RecordView::picture(std::size_t step) const {
    if (!board_ || step >= states_.size()) return {};
    return board_->picture(states_[step], step > 0 ? &states_[step - 1] : nullptr);
}

std::string RecordView::moves_before(std::size_t step) const {
    std::string text;
    if (step == 0) return text;
    const std::vector<std::string>& moves = record_.moves[step - 1];
    for (std::size_t role = 0; role < moves.size(); ++role) {
        const std::uint32_t* count = recorded(record_.legal_counts, step - 1, role);
        if (moves.size() > 1 && count != nullptr && *count < 2) continue;
        text += fmt::format("{}{} {}", text.empty() ? "" : "   ", role_name(role), moves[role]);
    }
    return text;
}

std::string RecordView::position(std::size_t step, const TextStyle& style) const {
    const std::string moves = moves_before(step);
    std::string text = fmt::format("{} of {}{}{}\n", step, record_.moves.size(), moves.empty() ? "" : "   ", moves);
    const std::optional<Picture> drawn = picture(step);
    const std::string shown = drawn ? to_text(*drawn, style) : "";
    text += shown.empty() ? "(this state is not in the record)\n" : shown;
    return text + (step < record_.moves.size() ? move_lines(step) : end_lines());
}

std::string RecordView::move_lines(std::size_t step) const {
    std::size_t role_width = 0;
    std::size_t move_width = 0;
    const std::vector<std::string>& moves = record_.moves[step];
    for (std::size_t role = 0; role < moves.size(); ++role) {
        role_width = std::max(role_width, role_name(role).size());
        move_width = std::max(move_width, moves[role].size());
    }
    std::string text;
    for (std::size_t role = 0; role < moves.size(); ++role) {
        std::string line = fmt::format("  {:<{}}  {:<{}}  {}", role_name(role), role_width, moves[role], move_width,
                                       remarks(step, role));
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string RecordView::remarks(std::size_t step, std::size_t role) const {
    std::vector<std::string> parts;
    const std::uint32_t* count = recorded(record_.legal_counts, step, role);
    const double* time = recorded(record_.reply_milliseconds, step, role);
    const std::optional<arena::Thought>* thought = recorded(record_.thoughts, step, role);
    const bool is_ours = thought != nullptr && thought->has_value();
    if (time != nullptr && *time > 0 && (count == nullptr || *count > 1)) {
        const bool counted = !budget_.empty() && is_ours;
        parts.push_back(record_.play_clock > 0 && !counted
                            ? fmt::format("{} of {} s", seconds_text(*time), record_.play_clock)
                            : seconds_text(*time));
    }
    if (is_ours) {
        if (std::string opinion = thought_text(**thought); !opinion.empty()) parts.push_back(std::move(opinion));
    }
    if (const std::string* error = recorded(record_.errors, step, role); error != nullptr && !error->empty()) {
        const std::string* note = recorded(record_.fault_notes, step, role);
        parts.push_back(note != nullptr && !note->empty() ? fmt::format("{} ({}), replaced", *error, *note)
                                                          : fmt::format("{}, replaced", *error));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string RecordView::end_lines() const {
    if (!record_.completed) {
        return fmt::format("  not ended{}{}\n", record_.problem.empty() ? "" : ": ", record_.problem);
    }
    std::string text = "  end";
    for (std::size_t role = 0; role < record_.goals.size(); ++role) {
        text += fmt::format("{} {} {}", role == 0 ? ":" : ",", role_name(role), record_.goals[role]);
    }
    return text + '\n';
}

json RecordView::position_json(std::size_t step) const {
    json object{{"match", record_.match_id},
                {"game", record_.game},
                {"step", step},
                {"steps", record_.moves.size()},
                {"last", step == record_.moves.size()},
                {"roles", record_.roles},
                {"players", record_.player_names}};
    if (const std::optional<Picture> drawn = picture(step)) {
        json facts = json::array();
        for (const FluentText& fluent : states_[step]) facts.push_back(to_text(fluent));
        object["state"] = std::move(facts);
        object["board"] = to_text(*drawn);
        object["picture"] = to_json(*drawn);
    }
    if (step == record_.moves.size()) {
        object["completed"] = record_.completed;
        object["goals"] = record_.goals;
        return object;
    }
    object["moves"] = record_.moves[step];
    json errors = json::array(), seconds = errors, values = errors, depths = errors, nodes = errors, notes = errors;
    for (std::size_t role = 0; role < record_.moves[step].size(); ++role) {
        const std::string* error = recorded(record_.errors, step, role);
        const double* time = recorded(record_.reply_milliseconds, step, role);
        const std::optional<arena::Thought>* thought = recorded(record_.thoughts, step, role);
        const bool known = thought != nullptr && thought->has_value();
        errors.push_back(error == nullptr ? "" : *error);
        seconds.push_back(time == nullptr ? json() : json(*time / 1000));
        values.push_back(known ? json((*thought)->value) : json());
        depths.push_back(known ? json((*thought)->depth) : json());
        nodes.push_back(known ? json(std::max((*thought)->nodes, (*thought)->playouts)) : json());
        notes.push_back(known ? json((*thought)->note) : json());
    }
    object.update({{"errors", std::move(errors)},
                   {"seconds", std::move(seconds)},
                   {"values", std::move(values)},
                   {"depths", std::move(depths)},
                   {"nodes", std::move(nodes)},
                   {"notes", std::move(notes)},
                   {"start_clock", record_.start_clock},
                   {"play_clock", record_.play_clock}});
    return object;
}

std::string to_html(const RecordView& view) {
    const arena::MatchRecord& record = view.record();
    std::string html;
    for (std::size_t step = 0; step < view.positions(); ++step) {
        html += fmt::format("<figure><figcaption><b>{}</b> {}", step, arena::escape_html(view.moves_before(step)));
        for (std::size_t role = 0; step > 0 && role < record.moves[step - 1].size(); ++role) {
            const std::string said = view.remarks(step - 1, role);
            if (!said.empty()) html += fmt::format("<br><span class=\"muted\">{}</span>", arena::escape_html(said));
        }
        const std::optional<Picture> drawn = view.picture(step);
        const TextStyle style{.legend = step == 0, .width = 72};
        html += fmt::format("</figcaption><pre>{}</pre></figure>\n", drawn ? to_html(lay_out(*drawn, style)) : "");
    }
    return html;
}

std::string thought_text(const arena::Thought& thought) {
    std::vector<std::string> parts;
    if (thought.source != "search" && thought.source != "only move") parts.push_back(thought.source);
    // Who looks at one state only, as random players do, has no opinion.
    const bool searched = thought.nodes > 1 || thought.playouts > 0 || thought.depth > 0;
    if (searched || thought.proved) {
        parts.push_back(fmt::format("value {:.1f}{}", thought.value, thought.proved ? " proved" : ""));
    }
    if (thought.depth > 0) parts.push_back(fmt::format("depth {}", thought.depth));
    if (thought.playouts > 0) {
        parts.push_back(fmt::format("{} playouts", with_commas(thought.playouts)));
    } else if (searched) {
        parts.push_back(fmt::format("{} nodes", with_commas(thought.nodes)));
    }
    std::string text = fmt::format("{}", fmt::join(parts, ", "));
    if (!thought.note.empty()) text += fmt::format("{}{}", text.empty() ? "" : ": ", thought.note);
    return text;
}

}  // namespace stratagem::view
