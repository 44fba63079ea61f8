#include "search/max_n/vector_table.h"

#include <algorithm>
#include <bit>

namespace stratagem::search {

VectorTable::VectorTable(std::size_t bytes, std::size_t roles) : roles_(roles) {
    const std::size_t bucket = 2 * (sizeof(Entry) + roles * sizeof(Score));
    const std::size_t buckets = std::bit_floor(std::max<std::size_t>(1, bytes / bucket));
    mask_ = buckets - 1;
    entries_.resize(2 * buckets);
    values_.resize(2 * buckets * roles);
}

VectorTable::Found VectorTable::find(std::uint64_t key) const {
    const std::size_t first = 2 * (key & mask_);
    for (std::size_t place = first; place < first + 2; ++place) {
        if (!entries_[place].used || entries_[place].key != key) continue;
        return {&entries_[place], {values_.data() + place * roles_, roles_}};
    }
    return {};
}

void VectorTable::store(const Entry& entry, std::span<const Score> values) {
    const std::size_t first = 2 * (entry.key & mask_);
    std::size_t place = first + 1;
    const Entry& deep = entries_[first];
    if (deep.used && deep.key == entry.key) {
        if (deep.complete && !entry.complete) return;
        place = first;
    } else if (!deep.used || deep.generation != generation_ || deep.depth <= entry.depth) {
        // What was deepest so far is still worth more than what came last.
        entries_[first + 1] = deep;
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(first * roles_), roles_,
                    values_.begin() + static_cast<std::ptrdiff_t>((first + 1) * roles_));
        place = first;
    }
    entries_[place] = entry;
    entries_[place].used = true;
    entries_[place].generation = generation_;
    std::copy(values.begin(), values.end(), values_of(place).begin());
}

}  // namespace stratagem::search
