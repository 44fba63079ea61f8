#include "evaluate/feature/class_features.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "machine/circuit/circuit.h"

namespace stratagem::evaluate::feature {

namespace {

constexpr double unit = 0x1p40;  // finer than what names may change by the order of sums

void put(machine::State& state, ground::Fluent fluent, bool holds) {
    if (state.holds(fluent) != holds) state.flip(fluent);
}

// Boards have pieces in cells; where the rules say of each thing where it is, it is the other way round.
bool has_pieces(const analysis::Structure& structure) {
    return structure.kind == analysis::Structure::Kind::board || structure.kind == analysis::Structure::Kind::places;
}

// What is in a cell of a board, or which cell it is.
std::vector<gdl::Term> part_of(const ground::Program& program, const analysis::Structure& board, ground::Fluent fluent,
                               bool content) {
    const auto arguments = program.terms.arguments(program.fluents[ground::index(fluent)]);
    std::vector<gdl::Term> part;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const bool output = board.arguments[k].output;
        const bool of_content = board.kind == analysis::Structure::Kind::board ? output : !output;
        if (of_content == content) part.push_back(arguments[k]);
    }
    return part;
}

// Which role chooses while which fluent holds, and whatever holds instead.
struct Turns {
    std::vector<ground::Fluent> all;
    std::vector<std::uint32_t> chooser;
};

Turns turns_of(const analysis::Findings& analysis) {
    Turns turns;
    for (const analysis::Structure& one : analysis.structures()) {
        if (one.kind != analysis::Structure::Kind::control) continue;
        turns.all = analysis.families()[one.family].members;
        turns.chooser = one.chooser;
        turns.chooser.resize(turns.all.size(), 0xFFFFFFFFU);
        break;
    }
    return turns;
}

}  // namespace

ClassFeatures::ClassFeatures(std::shared_ptr<const machine::Circuit> circuit, const RandomGames& seen,
                             const analysis::Findings* analysis, const ClassSettings& settings,
                             const machine::Stop& stop)
    : circuit_(std::move(circuit)),
      settings_(settings),
      goals_defined_(seen.goals_defined),
      value_(role_count(), std::vector<double>(seen.often.size(), 0)),
      depth_(seen.often.size(), 0) {
    if (settings.mobility > 0) counts_.find(Feature::mobility);
    for (std::size_t role = 0; role < role_count() && settings.goals > 0; ++role) {
        if (goals_defined_[role]) {
            counts_.find(Feature::goal_value);
        } else {
            counts_.skip(Feature::goal_value, "undefined before the end, or always the same");
        }
    }
    if (analysis != nullptr && settings.depth > 0) find_depth(*analysis);
    if (analysis != nullptr && settings.pieces > 0) find_pieces(*analysis, seen, stop);
    find_use(seen, stop);
    weigh();
}

void ClassFeatures::find_depth(const analysis::Findings& analysis) {
    for (const analysis::Structure& one : analysis.structures()) {
        if (one.kind != analysis::Structure::Kind::step_counter) continue;
        const analysis::Family& family = analysis.families()[one.family];
        const auto ordered =
            std::ranges::find_if(one.arguments, [](const auto& each) { return each.order.has_value(); });
        if (ordered == one.arguments.end()) continue;
        const analysis::Order& order = analysis.orders()[*ordered->order];
        const auto place = static_cast<std::size_t>(ordered - one.arguments.begin());
        // Time goes by in the direction of the order, or against it.
        const bool forward = one.rising != analysis::Verdict::refuted;
        double last = 0;
        for (const ground::Fluent fluent : family.members) {
            const gdl::Term value =
                analysis.program()->terms.arguments(analysis.program()->fluents[ground::index(fluent)])[place];
            const auto at = order.index_of(value);
            if (at) depth_[ground::index(fluent)] = *at;
            if (at) last = std::max(last, static_cast<double>(*at));
        }
        for (const ground::Fluent fluent : family.members) {
            double& depth = depth_[ground::index(fluent)];
            depth = last > 0 ? (forward ? depth : last - depth) / last : 0;
        }
        counts_.find(Feature::depth);
        return;
    }
    counts_.skip(Feature::depth, "the rules count no steps");
}

void ClassFeatures::find_pieces(const analysis::Findings& analysis, const RandomGames& seen,
                                const machine::Stop& stop) {
    for (const analysis::Structure& one : analysis.structures()) {
        if (has_pieces(one)) find_pieces(analysis, one, seen, stop);
    }
    if (counts_.found(Feature::piece_value) == 0) {
        for (const analysis::Structure& one : analysis.structures()) {
            if (has_pieces(one)) find_pieces_in_play(analysis, one, seen, stop);
        }
    }
    if (counts_.found(Feature::piece_value) == 0) counts_.skip(Feature::piece_value, "no pieces that move");
    const machine::CircuitMachine machine(circuit_);
    for (const std::vector<double>& values : value_) {
        double sum = 0;
        machine.initial().for_each([&](ground::Fluent fluent) { sum += values[ground::index(fluent)]; });
        whole_ = std::max(whole_, sum);
    }
    for (std::vector<double>& values : value_) {
        for (double& value : values) value = whole_ > 0 ? value / whole_ : 0;
    }
}

// Every content of the board in every cell, alone.
void ClassFeatures::find_pieces(const analysis::Findings& analysis, const analysis::Structure& board,
                                const RandomGames& seen, const machine::Stop& stop) {
    const analysis::Family& family = analysis.families()[board.family];
    const ground::Program& program = circuit_->program();
    std::map<std::vector<gdl::Term>, std::vector<ground::Fluent>> by_content;
    for (const ground::Fluent fluent : family.members) {
        by_content[part_of(program, board, fluent, true)].push_back(fluent);
    }
    // Where every cell has a content, that of an empty one is the most frequent.
    const auto frequency = [&](const std::vector<ground::Fluent>& fluents) {
        double sum = 0;
        for (const ground::Fluent fluent : fluents) sum += seen.often[ground::index(fluent)];
        return sum;
    };
    const std::vector<gdl::Term>* empty = nullptr;
    double most = -1;
    for (const auto& [content, fluents] : by_content) {
        const bool filled = board.kind == analysis::Structure::Kind::board && board.total != analysis::Verdict::refuted;
        if (!filled || frequency(fluents) <= most) continue;
        most = frequency(fluents);
        empty = &content;
    }
    const auto cell_of = [&](ground::Fluent fluent) { return part_of(program, board, fluent, false); };
    machine::CircuitMachine machine(circuit_);
    const Turns turns = turns_of(analysis);
    machine::State bare = machine.initial();
    for (const ground::Fluent fluent : family.members) put(bare, fluent, false);
    std::map<std::vector<gdl::Term>, ground::Fluent> blanks;
    if (empty != nullptr) {
        for (const ground::Fluent fluent : by_content[*empty]) {
            put(bare, fluent, true);
            blanks.emplace(cell_of(fluent), fluent);
        }
    }
    std::vector<machine::Move> legal;
    for (std::uint32_t role = 0; role < role_count(); ++role) {
        machine::State start = bare;
        if (const auto own = std::ranges::find(turns.chooser, role); own != turns.chooser.end()) {
            for (const ground::Fluent turn : turns.all) put(start, turn, false);
            put(start, turns.all[static_cast<std::size_t>(own - turns.chooser.begin())], true);
        }
        const auto moves_in = [&](const machine::State& in) {
            machine.legal(in, machine::Role{role}, legal);
            return static_cast<double>(legal.size());
        };
        const double without = moves_in(start);
        for (const auto& [content, fluents] : by_content) {
            if (&content == empty) continue;
            double sum = 0;
            for (const ground::Fluent fluent : fluents) {
                if (stop.now()) {
                    counts_.skip(Feature::piece_value, "no time");
                    return;
                }
                machine::State alone = start;
                const auto blank = blanks.find(cell_of(fluent));
                if (blank != blanks.end()) put(alone, blank->second, false);
                put(alone, fluent, true);
                sum += std::max(0.0, moves_in(alone) - without);
            }
            const double value = sum / static_cast<double>(fluents.size());
            if (value <= 0) continue;
            counts_.find(Feature::piece_value);
            for (const ground::Fluent fluent : fluents) value_[role][ground::index(fluent)] = value;
        }
    }
}

// Where nothing moves alone, as without a king that has to be safe: by the moves that are lost when a piece is taken
// off, in states of random games.
void ClassFeatures::find_pieces_in_play(const analysis::Findings& analysis, const analysis::Structure& board,
                                        const RandomGames& seen, const machine::Stop& stop) {
    const analysis::Family& family = analysis.families()[board.family];
    const ground::Program& program = circuit_->program();
    constexpr std::size_t games = 10, every = 7, most_asked = 5000;
    std::vector<bool> on_board(depth_.size(), false);
    for (const ground::Fluent fluent : family.members) on_board[ground::index(fluent)] = true;
    struct Lost {
        double sum = 0, count = 0;
    };
    const auto content_of = [&](ground::Fluent fluent) { return part_of(program, board, fluent, true); };
    std::vector<std::map<std::vector<gdl::Term>, Lost>> lost(role_count());
    machine::CircuitMachine machine(circuit_), other(circuit_);
    machine::Random random(3);
    std::vector<machine::Move> legal;
    std::size_t states = 0, asked = 0;
    const auto see = [&](machine::CircuitMachine& at) {
        if (states++ % every != 0 || asked > most_asked)
            return;  // a state is looked at whole: its fluents have no order
        for (std::uint32_t role = 0; role < role_count(); ++role) {
            const auto with = static_cast<double>(at.legal(machine::Role{role}).size());
            if (with <= 1) continue;
            machine::State without = at.current();
            at.current().for_each([&](ground::Fluent fluent) {
                if (!on_board[ground::index(fluent)] || stop.now()) return;
                ++asked;
                put(without, fluent, false);
                other.legal(without, machine::Role{role}, legal);
                put(without, fluent, true);
                Lost& here = lost[role][content_of(fluent)];
                here.count += 1;
                // Taking off what others depend on, such as a king, says nothing about its own moves.
                if (!legal.empty()) here.sum += std::max(0.0, with - static_cast<double>(legal.size()));
            });
        }
    };
    for (std::size_t game = 0; game < games && asked < most_asked; ++game) {
        if (!play_random_game(machine, seen.order.get(), random, stop, see, [](const std::vector<int>&) {})) break;
    }
    // What is of the same use to all belongs to nobody, such as an empty cell; and where only one role has pieces by
    // this measure, it measures something else.
    std::map<std::vector<gdl::Term>, std::vector<double>> values;
    std::vector<bool> owns(role_count(), false);
    for (const ground::Fluent fluent : family.members) {
        const std::vector<gdl::Term> content = content_of(fluent);
        if (values.contains(content)) continue;
        std::vector<double> by_role;
        for (std::size_t role = 0; role < role_count(); ++role) {
            const Lost& one = lost[role][content];
            by_role.push_back(one.count > 0 ? one.sum / one.count : 0);
        }
        const auto most = std::ranges::max_element(by_role);
        const bool owned = *most > 0 && *most - std::ranges::min(by_role) > 0.1 * *most;
        if (owned) owns[static_cast<std::size_t>(most - by_role.begin())] = true;
        values[content] = owned ? by_role : std::vector<double>(role_count(), 0);
    }
    if (std::ranges::count(owns, true) < 2) return;
    for (const auto& [content, by_role] : values) {
        if (std::ranges::max(by_role) > 0) counts_.find(Feature::piece_value);
    }
    for (const ground::Fluent fluent : family.members) {
        for (std::size_t role = 0; role < role_count(); ++role) {
            value_[role][ground::index(fluent)] = values[content_of(fluent)][role];
        }
    }
}

double ClassFeatures::piece_value(ground::Fluent fluent, machine::Role role) const {
    return whole_ * value_[ground::index(role)][ground::index(fluent)];
}

// Whether those who had more pieces towards the end of a random game got more in its end.
void ClassFeatures::find_use(const RandomGames& seen, const machine::Stop& stop) {
    if (counts_.found(Feature::piece_value) == 0) return;
    constexpr std::size_t games = 1000, most_states = 25'000;
    constexpr double fade = 0.9;  // of what was seen a step before
    machine::CircuitMachine machine(circuit_);
    machine::Random random(2);
    std::vector<Correlation> by_role(role_count());
    std::vector<double> now(role_count()), more(role_count());
    std::size_t states = 0;
    for (std::size_t game = 0; game < games && states < most_states; ++game) {
        std::ranges::fill(more, 0);
        double weight = 0;
        const auto see = [&](machine::CircuitMachine& at) {
            ++states;
            weight = fade * weight + 1;
            std::ranges::fill(now, 0);
            at.current().for_each([&](ground::Fluent fluent) {
                for (std::size_t role = 0; role < role_count(); ++role)
                    now[role] += value_[role][ground::index(fluent)];
            });
            for (std::size_t role = 0; role < role_count(); ++role) more[role] = fade * more[role] + lead(now, role);
        };
        const auto end = [&](const std::vector<int>& goals) {
            for (std::size_t role = 0; role < role_count(); ++role) {
                if (goals[role] >= 0) by_role[role].add(more[role] / weight, goals[role]);
            }
        };
        if (!play_random_game(machine, seen.order.get(), random, stop, see, end)) break;
    }
    // Of each role by itself, as one may be better off from the beginning. What one has the other has not: only games
    // are independent of each other.
    constexpr double sure = 3, unsure = 1.0 / 3;  // standard deviations; part of the bonus
    double off = 0;
    for (const Correlation& by : by_role) off += by.value() * std::sqrt(static_cast<double>(by.count()));
    off /= static_cast<double>(role_count());
    use_of_pieces_ = off > sure ? 1 : off < -sure ? -1 : unsure;
}

// All pieces of the first state together are worth what pieces may bring at most.
void ClassFeatures::weigh() {
    const bool counted = counts_.found(Feature::piece_value) + counts_.found(Feature::depth) > 0;
    if (!counted) return;
    weight_.assign(role_count(), Sums(depth_.size(), 0));
    std::vector<double> by_role(role_count());
    for (std::size_t i = 0; i < depth_.size(); ++i) {
        for (std::size_t role = 0; role < role_count(); ++role) by_role[role] = value_[role][i];
        for (std::size_t role = 0; role < role_count(); ++role) {
            const double points = settings_.pieces * use_of_pieces_ * lead(by_role, role) - settings_.depth * depth_[i];
            weight_[role][i] = std::llround(unit * points);
        }
    }
}

void ClassFeatures::flip(ground::Fluent fluent, bool holds, Sums& sums) const {
    for (std::size_t role = 0; role < weight_.size(); ++role) {
        const std::int64_t weight = weight_[role][ground::index(fluent)];
        sums[role] += holds ? weight : -weight;
    }
}

double ClassFeatures::bonus(machine::Role role, const Sums& sums, const Mobility::Memory& mobility) const {
    const double most = settings_.pieces + settings_.depth;
    const double bonus = std::clamp(static_cast<double>(sums[ground::index(role)]) / unit, -most, most);
    if (!wants_mobility()) return bonus;
    const double more = lead(mobility.moves, ground::index(role));
    return bonus + settings_.mobility * more / (1 + std::abs(more));
}

}  // namespace stratagem::evaluate::feature
