#include "machine/game.h"

#include <algorithm>
#include <bit>

#include "machine/single_playouts.h"
#include "util/contract.h"

namespace stratagem::machine {

namespace {

constexpr std::string_view chance = "random";

}  // namespace

const std::string& Game::note() const {
    static const std::string none;
    return none;
}

std::unique_ptr<Playouts> Game::make_playouts(std::uint64_t seed, std::uint64_t stream, bool,
                                              const std::atomic<bool>*) const {
    return make_single_playouts(*this, seed, stream);
}

std::optional<State> Game::read_state(std::span<const std::uint64_t> words) const {
    STRATAGEM_EXPECTS(has_fixed_numbers());
    const std::size_t fluents = statistics().fluents;
    if (words.size() != (fluents + 63) / 64) return std::nullopt;
    const std::size_t used = fluents % 64;
    if (used != 0 && (words.back() >> used) != 0) return std::nullopt;
    return State::from_words(words);
}

bool is_chance(const Game& game, Role role) { return game.roles()[ground::index(role)] == chance; }

std::size_t seat_count(const Game& game) {
    return game.roles().size() - static_cast<std::size_t>(std::ranges::count(game.roles(), chance));
}

}  // namespace stratagem::machine
