#include "lab/alike.h"

#include <algorithm>
#include <chrono>

#include "evaluate/feature/random_games.h"
#include "evaluate/registry.h"

namespace stratagem::lab {

namespace {

bool search_alike(const player::Recipe& first, const player::Recipe& second) {
    const player::RecipeEntry *a = first.entry(), *b = second.entry();
    if (a == nullptr || b == nullptr || a->evaluator != b->evaluator || a->solve_first != b->solve_first) return false;
    if (first.threads() != second.threads() || first.table_megabytes() != second.table_megabytes()) return false;
    return first.ponder() == second.ponder() &&
           std::ranges::equal(a->searches, b->searches,
                              [&](const player::RecipeSearch& one, const player::RecipeSearch& other) {
                                  return one.name == other.name && first.options_for(one) == second.options_for(other);
                              });
}

// Pre: both evaluators are of the circuit. Not checked: evaluators do not say what game they are of.
bool judge_alike(const evaluate::Evaluator& first, const evaluate::Evaluator& second,
                 const std::shared_ptr<const machine::Circuit>& circuit, const AlikeSearch& search) {
    const machine::Stop stop{Deadline::after(std::chrono::duration<double>(search.seconds)), search.abort};
    const auto one = first.start(), other = second.start();
    const auto roles = static_cast<std::uint32_t>(circuit->program().roles.size());
    machine::CircuitMachine machine(circuit);
    machine::Random random(search.seed);
    bool same = true;
    std::size_t seen = 0;
    const auto compare = [&](const machine::CircuitMachine& at) {
        ++seen;
        for (std::uint32_t i = 0; same && i < roles; ++i) {
            const machine::Role role{i};
            same = one->value(at.current(), role) == other->value(at.current(), role);
        }
    };
    while (same && seen < search.states) {
        const std::size_t before = seen;
        if (!evaluate::feature::play_random_game(machine, nullptr, random, stop, compare,
                                                 [](const std::vector<int>&) {}))
            break;
        if (seen == before) break;  // the game is over before it begins
    }
    return same && seen >= search.states;
}

}  // namespace

PlayComparison::PlayComparison(std::shared_ptr<const machine::Game> game, const AlikeSearch& search)
    : game_(std::move(game)), search_(search) {}

bool PlayComparison::play_alike(const player::Recipe& first, const player::Recipe& second) {
    if (!search_alike(first, second)) return false;
    if (first.entry()->evaluator.empty()) return true;
    if (game_->program() == nullptr) return false;
    const evaluate::EvaluatorEntry* entry = evaluate::find_evaluator(first.entry()->evaluator);
    if (entry == nullptr) return false;
    // From one analysis, as it is not to matter that one of them had more time.
    const evaluate::Material material = evaluate::make_material(game_, search_.seconds, search_.abort, search_.seed);
    analysis_ = material.asked;
    const auto made = [&](const player::Recipe& recipe) {
        return entry->make(material, OptionValues(entry->options, recipe.options_for_evaluator()));
    };
    const auto one = made(first), other = made(second);
    return one != nullptr && other != nullptr && judge_alike(*one, *other, game_->circuit(), search_);
}

bool play_alike(const std::shared_ptr<const machine::Game>& game, const player::Recipe& first,
                const player::Recipe& second, const AlikeSearch& search) {
    return PlayComparison(game, search).play_alike(first, second);
}

}  // namespace stratagem::lab
