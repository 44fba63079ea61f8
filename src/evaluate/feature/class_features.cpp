#include "evaluate/feature/class_features.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "gdl/print.h"
#include "machine/circuit/circuit.h"

namespace stratagem::evaluate::feature {

namespace {

constexpr double unit = 0x1p30;

void put(machine::State& state, ground::Fluent fluent, bool holds) {
    if (state.holds(fluent) != holds) state.flip(fluent);
}

// Which role chooses while which fluent holds, and whatever holds instead.
struct Turns {
    std::vector<ground::Fluent> all;
    std::vector<std::uint32_t> chooser;
};

Turns turns_of(const analysis::Analysis& analysis) {
    Turns turns;
    for (const analysis::Structure& one : analysis.structures) {
        if (one.kind != analysis::Structure::Kind::control) continue;
        turns.all = analysis.families[one.family].members;
        turns.chooser = one.chooser;
        turns.chooser.resize(turns.all.size(), 0xFFFFFFFFU);
        break;
    }
    return turns;
}

}  // namespace

ClassFeatures::ClassFeatures(std::shared_ptr<const machine::Circuit> circuit, const RandomGames& seen,
                             const analysis::Analysis* analysis, const ClassSettings& settings,
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

void ClassFeatures::find_depth(const analysis::Analysis& analysis) {
    for (const analysis::Structure& one : analysis.structures) {
        if (one.kind != analysis::Structure::Kind::step_counter) continue;
        const analysis::Family& family = analysis.families[one.family];
        const auto ordered =
            std::ranges::find_if(one.arguments, [](const auto& each) { return each.order.has_value(); });
        if (ordered == one.arguments.end()) continue;
        const analysis::Order& order = analysis.orders[*ordered->order];
        const auto place = static_cast<std::size_t>(ordered - one.arguments.begin());
        // Time goes by in the direction of the order, or against it.
        const bool forward = one.rising != analysis::Verdict::refuted;
        double last = 0;
        for (const ground::Fluent fluent : family.members) {
            const gdl::Term value =
                analysis.program->terms.arguments(analysis.program->fluents[ground::index(fluent)])[place];
            const auto at = order.index_of(gdl::to_kif(analysis.program->terms, value));
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

void ClassFeatures::find_pieces(const analysis::Analysis& analysis, const RandomGames& seen,
                                const machine::Stop& stop) {
    for (const analysis::Structure& one : analysis.structures) {
        if (one.kind == analysis::Structure::Kind::board) find_pieces(analysis, one, seen, stop);
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
void ClassFeatures::find_pieces(const analysis::Analysis& analysis, const analysis::Structure& board,
                                const RandomGames& seen, const machine::Stop& stop) {
    const analysis::Family& family = analysis.families[board.family];
    const ground::Program& program = circuit_->program();
    std::map<std::vector<gdl::Term>, std::vector<ground::Fluent>> by_content;
    for (const ground::Fluent fluent : family.members) {
        const auto arguments = program.terms.arguments(program.fluents[ground::index(fluent)]);
        std::vector<gdl::Term> content;
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            if (board.arguments[k].output) content.push_back(arguments[k]);
        }
        by_content[content].push_back(fluent);
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
        if (board.total == analysis::Verdict::refuted || frequency(fluents) <= most) continue;
        most = frequency(fluents);
        empty = &content;
    }
    const auto cell_of = [&](ground::Fluent fluent) {
        const auto arguments = program.terms.arguments(program.fluents[ground::index(fluent)]);
        std::vector<gdl::Term> cell;
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            if (!board.arguments[k].output) cell.push_back(arguments[k]);
        }
        return cell;
    };
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

double ClassFeatures::piece_value(ground::Fluent fluent, machine::Role role) const {
    return whole_ * value_[ground::index(role)][ground::index(fluent)];
}

// Whether those who had more pieces or moves towards the end of a random game got more in its end.
void ClassFeatures::find_use(const RandomGames& seen, const machine::Stop& stop) {
    const bool pieces = counts_.found(Feature::piece_value) > 0, moves = settings_.mobility > 0;
    if (!pieces && !moves) return;
    constexpr std::size_t games = 1000;
    constexpr double fade = 0.9;  // of what was seen a step before
    constexpr auto most_time = std::chrono::milliseconds(300);
    const machine::Stop here{Deadline::earlier(Deadline::after(most_time), stop.deadline), stop.flag};
    machine::CircuitMachine machine(circuit_);
    machine::Random random(2);
    const Mobility mobility(circuit_, seen.moves);
    Correlation by_pieces, by_moves;
    std::vector<double> now(role_count()), more_pieces(role_count()), more_moves(role_count());
    for (std::size_t game = 0; game < games; ++game) {
        std::ranges::fill(more_pieces, 0);
        std::ranges::fill(more_moves, 0);
        const auto see = [&](machine::CircuitMachine& at) {
            for (std::size_t role = 0; role < role_count() && pieces; ++role) {
                now[role] = 0;
                at.current().for_each([&](ground::Fluent fluent) { now[role] += value_[role][ground::index(fluent)]; });
            }
            for (std::size_t role = 0; role < role_count() && pieces; ++role) {
                more_pieces[role] = fade * more_pieces[role] + lead(now, role);
            }
            if (!moves) return;
            mobility.count(at, now);
            for (std::size_t role = 0; role < role_count(); ++role) {
                more_moves[role] = fade * more_moves[role] + lead(now, role);
            }
        };
        const auto end = [&](const std::vector<int>& goals) {
            for (std::size_t role = 0; role < role_count(); ++role) {
                if (goals[role] < 0) continue;
                by_pieces.add(more_pieces[role], goals[role]);
                by_moves.add(more_moves[role], goals[role]);
            }
        };
        if (!play_random_game(machine, random, here, see, end)) break;
    }
    const auto use = [&](const Correlation& by) {
        constexpr double sure = 3, unsure = 1.0 / 3;  // standard deviations; part of the bonus
        // What one has, the other has not: only games are independent of each other.
        const double off = by.value() * std::sqrt(static_cast<double>(by.count()) / static_cast<double>(role_count()));
        return off > sure ? 1 : off < -sure ? -1 : unsure;
    };
    use_of_pieces_ = use(by_pieces);
    use_of_moves_ = use(by_moves);
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
    return bonus + settings_.mobility * use_of_moves_ * more / (1 + std::abs(more));
}

}  // namespace stratagem::evaluate::feature
