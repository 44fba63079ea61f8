#include "arena/schedule.h"

#include <algorithm>
#include <numeric>

namespace stratagem::arena {

namespace {

// The next group in lexicographic order; false after the last.
bool next_group(Seating& group, std::size_t players) {
    for (std::size_t place = group.size(); place-- > 0;) {
        if (group[place] + (group.size() - place) < players) {
            std::iota(group.begin() + static_cast<std::ptrdiff_t>(place), group.end(), group[place] + 1);
            return true;
        }
    }
    return false;
}

}  // namespace

std::size_t whole_rotations(std::size_t matches, std::size_t seats, bool swap) {
    return swap && seats > 0 ? (matches + seats - 1) / seats * seats : matches;
}

std::vector<Seating> schedule(std::size_t players, std::size_t seats, std::size_t matches, bool swap) {
    if (seats == 0 || players < seats) return {};
    std::vector<Seating> groups;
    Seating group(seats);
    std::iota(group.begin(), group.end(), std::size_t{0});
    do {
        groups.push_back(group);
    } while (next_group(group, players));

    std::vector<Seating> all;
    for (std::size_t match = 0; match < matches; ++match) {
        for (Seating& seating : groups) {
            all.push_back(seating);
            if (swap) std::rotate(seating.begin(), seating.begin() + 1, seating.end());
        }
    }
    return all;
}

}  // namespace stratagem::arena
