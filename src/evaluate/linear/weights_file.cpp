#include "evaluate/linear/weights_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "gdl/print.h"

namespace stratagem::evaluate::linear {

namespace {

using nlohmann::json;

constexpr std::string_view kind = "stratagem linear weights 2";

std::string name_of(const ground::Program& program, gdl::Term term) { return gdl::to_kif(program.terms, term); }

// What is wrong with a file, on the way to whoever reads it.
struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <typename T>
T get(const json& from, const char* name) {
    const auto found = from.find(name);
    if (found == from.end()) throw Wrong(fmt::format("'{}' is missing", name));
    return found->get<T>();
}

Cells read_cells(const json& file, const ground::Program& program) {
    std::map<std::string, machine::Fluent> by_name;
    for (std::uint32_t i = 0; i < program.fluents.size(); ++i) {
        by_name.emplace(name_of(program, program.fluents[i]), machine::Fluent{i});
    }
    std::vector<std::vector<machine::Fluent>> cells;
    std::size_t count = 0;
    for (const std::vector<std::string>& names : get<std::vector<std::vector<std::string>>>(file, "cells")) {
        std::vector<machine::Fluent>& cell = cells.emplace_back();
        for (const std::string& name : names) {
            const auto found = by_name.find(name);
            if (found == by_name.end())
                throw Wrong(fmt::format("the game has no fluent {}, or it is there twice", name));
            cell.push_back(found->second);
            by_name.erase(found);
            ++count;
        }
        if (cell.empty()) throw Wrong("a cell is empty");
    }
    if (!by_name.empty()) throw Wrong(fmt::format("the game has a fluent {} that no cell has", by_name.begin()->first));
    std::vector<bool> full(cells.size(), false);
    for (const std::size_t cell : get<std::vector<std::size_t>>(file, "full")) {
        if (cell >= cells.size()) throw Wrong("there is no such cell as is full");
        full[cell] = true;
    }
    return Cells(std::move(cells), std::move(full), count);
}

Seats read_seats(const json& file, const ground::Program& program) {
    std::vector<Seats::Place> places;
    const json roles = get<json>(file, "roles");
    if (roles.size() != program.roles.size()) throw Wrong("the game has another number of roles");
    std::size_t seats = 0;
    for (std::size_t i = 0; i < roles.size(); ++i) {
        if (get<std::string>(roles[i], "name") != name_of(program, program.roles[i]))
            throw Wrong("the game has other roles");
        Seats::Place place{get<std::size_t>(roles[i], "seat"), get<int>(roles[i], "sign"),
                           get<double>(roles[i], "least"), get<double>(roles[i], "most")};
        const bool fits = place.sign > 0 ? place.seat == seats : place.sign == 0 || place.seat < seats;
        if (!fits || place.sign < -1 || place.sign > 1 || !(place.least < place.most)) {
            throw Wrong("roles have no proper places");
        }
        if (place.sign > 0) ++seats;
        places.push_back(place);
    }
    return Seats(std::move(places));
}

// An exchange in which everything becomes something else than all the others, and cells become cells.
Exchange read_exchange(const json& file, const Cells& cells, std::size_t roles) {
    const auto permutes = [](const std::vector<std::uint32_t>& one, std::size_t size) {
        std::vector<bool> met(size, false);
        for (const std::uint32_t becomes : one) {
            if (becomes >= size || met[becomes]) return false;
            met[becomes] = true;
        }
        return one.size() == size;
    };
    const auto becomes = get<std::vector<std::uint32_t>>(file, "fluents");
    Exchange result{{}, get<std::vector<std::uint32_t>>(file, "roles")};
    if (!permutes(becomes, cells.fluent_count()) || !permutes(result.roles, roles)) {
        throw Wrong("a symmetry is no exchange");
    }
    // Written in the order of cells, as numbers may be others.
    std::vector<std::uint32_t> order;
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
        for (const machine::Fluent fluent : cells.fluents(cell)) order.push_back(ground::index(fluent));
    }
    result.fluents.resize(becomes.size());
    for (std::size_t i = 0; i < order.size(); ++i) result.fluents[order[i]] = order[becomes[i]];
    if (!keeps_cells(result, cells, static_cast<std::uint32_t>(cells.size()))) {
        throw Wrong("a symmetry tears cells apart");
    }
    return result;
}

json write_exchange(const Exchange& exchange, const Cells& cells) {
    std::vector<std::uint32_t> place(cells.fluent_count());
    std::vector<std::uint32_t> order;
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
        for (const machine::Fluent fluent : cells.fluents(cell)) {
            place[ground::index(fluent)] = static_cast<std::uint32_t>(order.size());
            order.push_back(ground::index(fluent));
        }
    }
    std::vector<std::uint32_t> becomes;
    for (const std::uint32_t fluent : order) becomes.push_back(place[exchange.fluents[fluent]]);
    return {{"fluents", becomes}, {"roles", exchange.roles}};
}

Views read_views(const json& file, const Cells& cells, std::uint32_t control, const Seats& seats) {
    Views result;
    const std::size_t roles = seats.places().size();
    for (const json& one : get<json>(file, "kept")) result.kept.push_back(read_exchange(one, cells, roles));
    result.blocks = get<std::size_t>(file, "blocks");
    for (const json& one : get<json>(file, "views")) {
        result.of_phase.push_back({read_exchange(one, cells, roles), get<std::size_t>(one, "block")});
        if (result.of_phase.back().block >= result.blocks) throw Wrong("a view has no block");
        for (std::uint32_t role = 0; role < roles; ++role) {
            const machine::Role image{result.of_phase.back().exchange.roles[role]};
            if (seats.plays(machine::Role{role}) != seats.plays(image)) throw Wrong("a player becomes chance");
        }
    }
    const std::size_t phases = control < cells.size() ? cells.fluents(control).size() : 1;
    if (result.kept.empty() || result.of_phase.size() != phases || result.blocks > phases) {
        throw Wrong("there is not a view for each phase");
    }
    return result;
}

std::shared_ptr<const Tuples> read_tuples(const json& file, Cells cells, const Seats& seats) {
    constexpr double most_weights = 100e6;
    auto patterns = get<std::vector<Pattern>>(file, "patterns");
    double weights = 0;
    for (const Pattern& pattern : patterns) {
        double contents = 1;
        for (std::size_t i = 0; i < pattern.size(); ++i) {
            if (pattern[i] >= cells.size() || (i > 0 && pattern[i] <= pattern[i - 1])) {
                throw Wrong("a pattern has no proper cells");
            }
            contents *= static_cast<double>(cells.contents(pattern[i]));
        }
        weights += contents;
        if (weights > most_weights) throw Wrong("patterns have too many contents");
    }
    const auto control = get<std::uint32_t>(file, "control");
    if (control > cells.size()) throw Wrong("there is no such cell as 'control' says");
    Views views = read_views(file, cells, control, seats);
    return std::make_shared<const Tuples>(std::move(cells), control, std::move(views), std::move(patterns));
}

Model read(const json& file, const ground::Program& program) {
    if (!file.is_object() || file.value("kind", "") != kind) throw Wrong(fmt::format("this is no file of {}", kind));
    Cells cells = read_cells(file, program);
    Seats seats = read_seats(file, program);
    std::shared_ptr<const Tuples> tuples = read_tuples(file, std::move(cells), seats);
    Model model{std::move(tuples), std::move(seats), {}};
    model.weights.assign(model.weight_count(), 0);
    const auto pairs = get<std::vector<std::int64_t>>(file, "weights");
    std::size_t place = 0;
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
        if (pairs[i] < 0 || static_cast<std::uint64_t>(pairs[i]) >= model.weights.size() - place) {
            throw Wrong("there are more weights than contents");
        }
        place += static_cast<std::size_t>(pairs[i]);
        constexpr std::int64_t most = 0x7FFF;
        model.weights[place] = static_cast<std::int16_t>(std::clamp<std::int64_t>(pairs[i + 1], -most, most));
    }
    return model;
}

}  // namespace

std::string to_json(const Model& model, const ground::Program& program) {
    const Tuples& tuples = *model.tuples;
    json file{{"kind", kind}, {"unit", Model::unit}, {"control", tuples.control()}};
    for (std::uint32_t cell = 0; cell < tuples.cells().size(); ++cell) {
        json names = json::array();
        for (const machine::Fluent fluent : tuples.cells().fluents(cell)) {
            names.push_back(name_of(program, program.fluents[ground::index(fluent)]));
        }
        file["cells"].push_back(std::move(names));
    }
    file["full"] = json::array();
    for (std::uint32_t cell = 0; cell < tuples.cells().size(); ++cell) {
        if (tuples.cells().is_full(cell)) file["full"].push_back(cell);
    }
    file["patterns"] = tuples.patterns();
    file["blocks"] = tuples.views().blocks;
    for (const Exchange& one : tuples.views().kept) file["kept"].push_back(write_exchange(one, tuples.cells()));
    for (const Views::View& view : tuples.views().of_phase) {
        file["views"].push_back(write_exchange(view.exchange, tuples.cells()));
        file["views"].back()["block"] = view.block;
    }
    for (std::size_t role = 0; role < program.roles.size(); ++role) {
        const Seats::Place& place = model.seats.places()[role];
        file["roles"].push_back({{"name", name_of(program, program.roles[role])},
                                 {"seat", place.seat},
                                 {"sign", place.sign},
                                 {"least", place.least},
                                 {"most", place.most}});
    }
    // Most are nothing: how many places further, then the weight.
    std::vector<std::int64_t> pairs;
    std::size_t last = 0;
    for (std::size_t i = 0; i < model.weights.size(); ++i) {
        if (model.weights[i] == 0) continue;
        pairs.push_back(static_cast<std::int64_t>(i - last));
        pairs.push_back(model.weights[i]);
        last = i;
    }
    file["weights"] = std::move(pairs);
    return file.dump() + "\n";
}

std::variant<Model, std::string> model_from_json(std::string_view text, const ground::Program& program) {
    try {
        return read(json::parse(text), program);
    } catch (const json::exception& error) {
        return fmt::format("not as weights are written: {}", error.what());
    } catch (const Wrong& wrong) {
        return std::string(wrong.what());
    }
}

}  // namespace stratagem::evaluate::linear
