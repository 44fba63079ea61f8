#include "search/common/table.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace stratagem::search {

namespace {

// Where things lie in the data word: score 24 bits, best 14, depth 8, height 8, bound 2, proofs 2, generation 4,
// hoped 1; the highest bit is 1, so that no entry is 0.
constexpr unsigned best_shift = 24;
constexpr unsigned depth_shift = 38;
constexpr unsigned height_shift = 46;
constexpr unsigned bound_shift = 54;
constexpr unsigned at_least_shift = 56;
constexpr unsigned at_most_shift = 57;
constexpr unsigned generation_shift = 58;
constexpr unsigned hoped_shift = 62;
constexpr std::uint64_t used = std::uint64_t{1} << 63;

constexpr std::size_t large_page = std::size_t{2} << 20;

static_assert(score_infinity < 1 << 23);

}  // namespace

Table::Table(std::size_t bytes) : buckets_(nullptr, Release{alignof(Bucket)}) {
    const std::size_t buckets = std::bit_floor(std::max<std::size_t>(1, bytes / sizeof(Bucket)));
    mask_ = buckets - 1;
    const std::size_t size = buckets * sizeof(Bucket);
    // Looking up is waiting for memory, half of it for the page tables: large pages make this much shorter.
    const std::size_t alignment = size >= large_page ? large_page : alignof(Bucket);
    void* const memory = ::operator new (size, std::align_val_t{alignment});
#ifdef __linux__
    if (size >= large_page) madvise(memory, size, MADV_HUGEPAGE);  // a wish; nothing is lost without
#endif
    auto* const first = static_cast<Bucket*>(memory);
    std::uninitialized_value_construct_n(first, buckets);
    buckets_ = std::unique_ptr<Bucket[], Release>(first, Release{alignment});
}

void Table::Release::operator()(Bucket* buckets) const { ::operator delete (buckets, std::align_val_t{alignment}); }

std::uint64_t Table::pack(const TableEntry& entry) const {
    const auto score = static_cast<std::uint64_t>(static_cast<std::uint32_t>(entry.result.score) & 0xFFFFFFU);
    return used | score | std::uint64_t{std::min(entry.best, max_best)} << best_shift |
           std::uint64_t{entry.depth} << depth_shift | std::uint64_t{entry.result.height} << height_shift |
           static_cast<std::uint64_t>(entry.bound) << bound_shift |
           std::uint64_t{entry.result.at_least} << at_least_shift |
           std::uint64_t{entry.result.at_most} << at_most_shift | std::uint64_t{entry.result.hoped} << hoped_shift |
           generation_ << generation_shift;
}

TableEntry Table::unpack(std::uint64_t data) {
    TableEntry entry;
    // The 24 bits with their sign.
    entry.result.score = static_cast<Score>(static_cast<std::uint32_t>(data & 0xFFFFFFU) << 8) >> 8;
    entry.best = static_cast<std::uint16_t>(data >> best_shift & max_best);
    entry.depth = static_cast<std::uint8_t>(data >> depth_shift & 0xFFU);
    entry.result.height = static_cast<std::uint8_t>(data >> height_shift & 0xFFU);
    entry.bound = static_cast<Bound>(data >> bound_shift & 3U);
    entry.result.at_least = (data >> at_least_shift & 1U) != 0;
    entry.result.at_most = (data >> at_most_shift & 1U) != 0;
    entry.result.hoped = (data >> hoped_shift & 1U) != 0;
    return entry;
}

// Depth counts one each, a search gone by as much as 16 of depth, a proof as 4 more; nothing is worth less than empty.
int Table::worth(std::uint64_t data) const {
    if (data == 0) return -1'000;
    const std::uint64_t age = (generation_ - (data >> generation_shift)) & generation_mask;
    const bool proof = (data >> at_least_shift & 3U) == 3U;
    return static_cast<int>(data >> depth_shift & 0xFFU) + (proof ? 4 : 0) - 16 * static_cast<int>(age);
}

std::optional<TableEntry> Table::find(std::uint64_t key) const {
    for (const Slot& slot : buckets_[key & mask_].slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if (data != 0 && (slot.check.load(std::memory_order_relaxed) ^ data) == key) return unpack(data);
    }
    return std::nullopt;
}

void Table::store(std::uint64_t key, const TableEntry& entry) {
    Slot* place = nullptr;
    int least = 0;
    TableEntry kept = entry;
    for (Slot& slot : buckets_[key & mask_].slots) {
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if (data != 0 && (slot.check.load(std::memory_order_relaxed) ^ data) == key) {
            const TableEntry old = unpack(data);
            if (old.result.proved() && !entry.result.proved()) return;
            if (entry.best == 0) kept.best = old.best;
            place = &slot;
            break;
        }
        const int value = worth(data);
        if (place == nullptr || value < least) {
            place = &slot;
            least = value;
        }
    }
    const std::uint64_t data = pack(kept);
    place->data.store(data, std::memory_order_relaxed);
    place->check.store(key ^ data, std::memory_order_relaxed);
}

void Table::clear() {
    for (std::uint64_t i = 0; i <= mask_; ++i) {
        for (Slot& slot : buckets_[i].slots) {
            slot.data.store(0, std::memory_order_relaxed);
            slot.check.store(0, std::memory_order_relaxed);
        }
    }
    generation_ = 0;
}

double Table::fullness() const {
    const std::uint64_t sample = std::min<std::uint64_t>(mask_ + 1, 1024);
    std::size_t filled = 0;
    for (std::uint64_t i = 0; i < sample; ++i) {
        for (const Slot& slot : buckets_[i].slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            if (data != 0 && (data >> generation_shift & generation_mask) == generation_) ++filled;
        }
    }
    return static_cast<double>(filled) / static_cast<double>(sample * bucket_size);
}

}  // namespace stratagem::search
