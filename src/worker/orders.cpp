#include "worker/orders.h"

#include <chrono>
#include <cmath>

#include "worker/frame.h"

namespace stratagem::worker {

namespace {

using json = nlohmann::json;
std::int64_t ticks(TimePoint time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

TimePoint time_of(const json& value) { return TimePoint(std::chrono::nanoseconds(value.get<std::int64_t>())); }

json texts(const std::vector<std::string>& strings) {
    json list = json::array();
    for (const std::string& one : strings) list.push_back(as_text(one));
    return list;
}

std::string string_of(const json& value) { return as_bytes(value.get_ref<const std::string&>()); }

std::vector<std::string> strings_of(const json& value) {
    std::vector<std::string> strings;
    for (const json& one : value.get_ref<const json::array_t&>()) strings.push_back(string_of(one));
    return strings;
}

// JSON has no other numbers.
double finite(double value) { return std::isfinite(value) ? value : 0; }

template <typename T>
json maybe(const std::optional<T>& value) {
    return value ? json(*value) : json();
}

json machine_json(const machine::MachineOptions& options) {
    return {{"kind", static_cast<int>(options.kind)},           {"build_seconds", options.build_limit_seconds},
            {"build_bytes", options.build_limit_bytes},         {"facts", options.interpreter.max_facts},
            {"term_depth", options.interpreter.max_term_depth}, {"lane_width", options.lane_width}};
}

machine::MachineOptions machine_of(const json& value) {
    machine::MachineOptions options;
    options.kind = static_cast<machine::MachineKind>(value.at("kind").get<int>());
    value.at("build_seconds").get_to(options.build_limit_seconds);
    value.at("build_bytes").get_to(options.build_limit_bytes);
    value.at("facts").get_to(options.interpreter.max_facts);
    value.at("term_depth").get_to(options.interpreter.max_term_depth);
    value.at("lane_width").get_to(options.lane_width);
    return options;
}

json settings_json(const player::PlayerSettings& settings) {
    return {{"seed", settings.search.seed},
            {"threads", settings.search.threads},
            {"table", settings.search.table_megabytes},
            {"ponder", settings.ponder},
            {"nodes", maybe(settings.nodes)},
            {"patience", settings.patience.count()},
            {"machine", machine_json(settings.machine)},
            {"reply_margin", settings.reply_margin.count()},
            {"search_margin", settings.search_margin.count()},
            {"grace", settings.grace.count()}};
}

player::PlayerSettings settings_of(const json& value) {
    player::PlayerSettings settings;
    value.at("seed").get_to(settings.search.seed);
    value.at("threads").get_to(settings.search.threads);
    value.at("table").get_to(settings.search.table_megabytes);
    value.at("ponder").get_to(settings.ponder);
    if (!value.at("nodes").is_null()) settings.nodes = value.at("nodes").get<std::uint64_t>();
    settings.patience = player::Seconds(value.at("patience").get<double>());
    settings.machine = machine_of(value.at("machine"));
    settings.reply_margin = player::Seconds(value.at("reply_margin").get<double>());
    settings.search_margin = player::Seconds(value.at("search_margin").get<double>());
    settings.grace = std::chrono::milliseconds(value.at("grace").get<std::int64_t>());
    return settings;
}

json match_json(const player::TextMatch& match) {
    std::optional<int> notation;
    if (match.notation) notation = static_cast<int>(*match.notation);
    return {{"name", as_text(match.name)},
            {"rules", as_text(match.rules)},
            {"notation", maybe(notation)},
            {"role", as_text(match.role)},
            {"start_clock", match.clocks.start.count()},
            {"play_clock", match.clocks.play.count()},
            {"state", match.state ? texts(*match.state) : json()}};
}

player::TextMatch match_of(const json& value) {
    player::TextMatch match;
    match.name = string_of(value.at("name"));
    match.rules = string_of(value.at("rules"));
    match.notation.reset();
    if (const json& notation = value.at("notation"); !notation.is_null()) {
        match.notation = static_cast<gdl::Notation>(notation.get<int>());
    }
    match.role = string_of(value.at("role"));
    match.clocks.start = player::Seconds(value.at("start_clock").get<double>());
    match.clocks.play = player::Seconds(value.at("play_clock").get<double>());
    if (const json& state = value.at("state"); !state.is_null()) match.state = strings_of(state);
    return match;
}

struct OrderPrinter {
    json operator()(const PrepareOrder& order) const {
        return {{"do", "prepare"}, {"machine", machine_json(order.machine)}, {"match", match_json(order.match)}};
    }
    json operator()(const StartOrder& order) const {
        json history = json::array();
        for (const JointMove& last : order.history) history.push_back(texts(last));
        return {{"do", "start"},
                {"recipe", as_text(order.recipe)},
                {"settings", settings_json(order.settings)},
                {"match", match_json(order.match)},
                {"received", ticks(order.received)},
                {"history", std::move(history)}};
    }
    json operator()(const PlayOrder& order) const {
        return {{"do", "play"}, {"turn", order.turn}, {"last", texts(order.last)}, {"received", ticks(order.received)}};
    }
    json operator()(const WatchOrder& order) const {
        return {{"do", "watch"}, {"last", texts(order.last)}, {"received", ticks(order.received)}};
    }
    json operator()(const FitsOrder& order) const {
        return {{"do", "fits"}, {"number", order.number}, {"moves", texts(order.moves)}, {"until", ticks(order.until)}};
    }
    json operator()(const Ping&) const { return {{"do", "ping"}}; }
};

Order order_of(const json& message) {
    const auto& kind = message.at("do").get_ref<const std::string&>();
    if (kind == "ping") return Ping{};
    if (kind == "prepare") return PrepareOrder{machine_of(message.at("machine")), match_of(message.at("match"))};
    if (kind == "play") {
        return PlayOrder{message.at("turn").get<std::uint64_t>(), strings_of(message.at("last")),
                         time_of(message.at("received"))};
    }
    if (kind == "watch") return WatchOrder{strings_of(message.at("last")), time_of(message.at("received"))};
    if (kind == "fits") {
        return FitsOrder{message.at("number").get<std::uint64_t>(), strings_of(message.at("moves")),
                         time_of(message.at("until"))};
    }
    if (kind == "start") {
        StartOrder order{string_of(message.at("recipe")),
                         settings_of(message.at("settings")),
                         match_of(message.at("match")),
                         time_of(message.at("received")),
                         {}};
        for (const json& last : message.at("history")) order.history.push_back(strings_of(last));
        return order;
    }
    throw FrameError("an order nobody knows");
}

struct WordPrinter {
    json operator()(const Prepared&) const { return {{"is", "prepared"}}; }
    json operator()(const player::Opening& opening) const {
        return {{"is", "opening"},
                {"known", opening.known},
                {"fault", as_text(opening.fault)},
                {"roles", texts(opening.roles)},
                {"own", opening.own},
                {"sees", opening.sees}};
    }
    json operator()(const AnswerWord& word) const {
        const player::Answer& answer = word.answer;
        return {{"is", "answer"},
                {"turn", word.turn},
                {"move", as_text(answer.move)},
                {"source", static_cast<int>(answer.source)},
                {"value", finite(answer.choice.value)},
                {"judged", answer.choice.judged},
                {"proved", answer.choice.proved},
                {"depth", answer.choice.depth},
                {"nodes", answer.choice.nodes},
                {"playouts", answer.choice.playouts},
                {"seconds", finite(answer.choice.seconds)},
                {"note", as_text(answer.choice.note)},
                {"starved", word.starved}};
    }
    json operator()(const FitWord& word) const {
        return {{"is", "fit"}, {"number", word.number}, {"fits", maybe(word.fits)}};
    }
    json operator()(const LogWord& word) const { return {{"is", "log"}, {"line", as_text(word.line)}}; }
    json operator()(const Pong&) const { return {{"is", "pong"}}; }
};

player::Opening opening_of(const json& message) {
    player::Opening opening;
    message.at("known").get_to(opening.known);
    opening.fault = string_of(message.at("fault"));
    opening.roles = strings_of(message.at("roles"));
    message.at("own").get_to(opening.own);
    message.at("sees").get_to(opening.sees);
    if (opening.fault.empty() && opening.own >= opening.roles.size()) throw FrameError("a role that is not there");
    return opening;
}

AnswerWord answer_of(const json& message) {
    AnswerWord word;
    message.at("turn").get_to(word.turn);
    message.at("starved").get_to(word.starved);
    player::Answer& answer = word.answer;
    answer.move = string_of(message.at("move"));
    const int source = message.at("source").get<int>();
    if (source < 0 || source > static_cast<int>(player::Answer::Source::nothing)) throw FrameError("no such source");
    answer.source = static_cast<player::Answer::Source>(source);
    message.at("value").get_to(answer.choice.value);
    message.at("judged").get_to(answer.choice.judged);
    message.at("proved").get_to(answer.choice.proved);
    message.at("depth").get_to(answer.choice.depth);
    message.at("nodes").get_to(answer.choice.nodes);
    message.at("playouts").get_to(answer.choice.playouts);
    message.at("seconds").get_to(answer.choice.seconds);
    answer.choice.note = string_of(message.at("note"));
    return word;
}

Word word_of(const json& message) {
    const auto& kind = message.at("is").get_ref<const std::string&>();
    if (kind == "pong") return Pong{};
    if (kind == "prepared") return Prepared{};
    if (kind == "log") return LogWord{string_of(message.at("line"))};
    if (kind == "answer") return answer_of(message);
    if (kind == "opening") return opening_of(message);
    if (kind == "fit") {
        FitWord word{message.at("number").get<std::uint64_t>(), std::nullopt};
        if (const json& fits = message.at("fits"); !fits.is_null()) word.fits = fits.get<bool>();
        return word;
    }
    throw FrameError("a word nobody knows");
}

}  // namespace

nlohmann::json to_json(const Order& order) { return std::visit(OrderPrinter{}, order); }

Order read_order(const nlohmann::json& message) {
    try {
        return order_of(message);
    } catch (const json::exception& fault) {
        throw FrameError(fault.what());
    }
}

nlohmann::json to_json(const Word& word) { return std::visit(WordPrinter{}, word); }

Word read_word(const nlohmann::json& message) {
    try {
        return word_of(message);
    } catch (const json::exception& fault) {
        throw FrameError(fault.what());
    }
}

}  // namespace stratagem::worker
