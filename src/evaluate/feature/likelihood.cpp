#include "evaluate/feature/likelihood.h"

#include <algorithm>
#include <map>
#include <utility>

#include "evaluate/feature/random_games.h"

namespace stratagem::evaluate::feature {

namespace {

// What is alike is as likely, though not by chance: which of them was drawn more often is a matter of numbers. Counts
// are whole, so that their sums are the same in any order.
template <typename ClassOf>
void share_among_alike(std::vector<double>& counts, ClassOf&& class_of) {
    std::map<std::uint32_t, std::pair<double, double>> alike;  // sum and number
    for (std::size_t i = 0; i < counts.size(); ++i) {
        auto& [sum, number] = alike[class_of(i)];
        sum += counts[i];
        number += 1;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto& [sum, number] = alike[class_of(i)];
        counts[i] = sum / number;
    }
}

}  // namespace

Likelihood::Likelihood(const std::shared_ptr<const machine::Circuit>& circuit, const analysis::NeutralOrder* order,
                       const machine::Stop& stop) {
    constexpr std::size_t games = 300, most_states = 30'000;
    const std::size_t fluents = circuit->program().fluents.size();
    // By fluent: states in which it holds, those of them from which it does at the end, and all from which it does.
    std::vector<double> now(fluents, 0), kept(fluents, 0), ended(fluents, 0);
    double states = 0, counted = 0;  // of all games, of those that ended
    machine::CircuitMachine machine(circuit);
    machine::Random random(2);
    std::vector<double> in_game(fluents);
    while (games_ < games && states < most_states) {
        std::fill(in_game.begin(), in_game.end(), 0);
        double length = 0;
        bool ended_here = false;
        const auto see = [&](machine::CircuitMachine& at) {
            ++length;
            at.current().for_each([&](ground::Fluent fluent) { in_game[ground::index(fluent)] += 1; });
        };
        const auto end = [&](const std::vector<int>&) { ended_here = true; };
        if (!play_random_game(machine, order, random, stop, see, end)) break;
        states += length;
        // A game that was cut short says nothing of its end.
        if (!ended_here) continue;
        ++games_;
        for (std::size_t i = 0; i < fluents; ++i) now[i] += in_game[i];
        machine.current().for_each([&](ground::Fluent fluent) {
            kept[ground::index(fluent)] += in_game[ground::index(fluent)];
            ended[ground::index(fluent)] += length;
        });
        counted += length;
    }
    if (order != nullptr) {
        const auto class_of = [&](std::size_t i) {
            return order->class_of(circuit->program().atom(ground::Fluent{static_cast<std::uint32_t>(i)}));
        };
        for (std::vector<double>* counts : {&now, &kept, &ended}) share_among_alike(*counts, class_of);
    }
    for (std::size_t i = 0; i < fluents; ++i) {
        kept_.push_back((kept[i] + 1) / (now[i] + 2));
        gained_.push_back((ended[i] - kept[i] + 1) / (counted - now[i] + 2));
    }
}

}  // namespace stratagem::evaluate::feature
