#include "ground/relation.h"

#include <algorithm>
#include <unordered_set>

namespace stratagem::ground {

using gdl::Term;

namespace {

constexpr std::uint64_t factor = 0x9E3779B97F4A7C15ULL;

// One step of a multiply-xorshift hash over integers.
std::uint64_t mix(std::uint64_t value, Term term) {
    value ^= value >> 29;
    return (value + gdl::index(term) + 1) * factor;
}

std::size_t finish(std::uint64_t value) { return static_cast<std::size_t>(value ^ (value >> 32)); }

}  // namespace

Relation::Relation(std::uint32_t arity) : arity_(arity), slots_(16), distinct_(arity) {}

std::size_t Relation::hash(std::span<const Term> tuple) const {
    std::uint64_t value = factor;
    for (const Term term : tuple) value = mix(value, term);
    return finish(value);
}

Relation::Row Relation::find(std::span<const Term> tuple) const {
    const std::size_t mask = slots_.size() - 1;
    const std::size_t hashed = hash(tuple);
    for (std::size_t slot = hashed & mask; slots_[slot].row_plus_one != 0; slot = (slot + 1) & mask) {
        const Row row = slots_[slot].row_plus_one - 1;
        if (slots_[slot].hash == static_cast<std::uint32_t>(hashed) && std::ranges::equal(this->tuple(row), tuple)) {
            return row;
        }
    }
    return no_row;
}

Relation::Row Relation::intern(std::span<const Term> tuple, bool& added) {
    const std::size_t mask = slots_.size() - 1;
    const std::size_t hashed = hash(tuple);
    std::size_t slot = hashed & mask;
    for (; slots_[slot].row_plus_one != 0; slot = (slot + 1) & mask) {
        const Row row = slots_[slot].row_plus_one - 1;
        if (slots_[slot].hash == static_cast<std::uint32_t>(hashed) && std::ranges::equal(this->tuple(row), tuple)) {
            added = false;
            return row;
        }
    }
    added = true;
    const Row row = static_cast<Row>(row_count_++);
    data_.insert(data_.end(), tuple.begin(), tuple.end());
    active_.push_back(false);
    slots_[slot] = {row + 1, static_cast<std::uint32_t>(hashed)};
    if (row_count_ * 2 > slots_.size()) grow();
    return row;
}

void Relation::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& entry : old) {
        if (entry.row_plus_one == 0) continue;
        std::size_t slot = hash(tuple(entry.row_plus_one - 1)) & mask;
        while (slots_[slot].row_plus_one != 0) slot = (slot + 1) & mask;
        slots_[slot] = entry;
    }
}

void Relation::activate(Row row) {
    if (active_[row]) return;
    active_[row] = true;
    active_list_.push_back(row);
    for (auto& [mask, index] : indexes_) index.add(*this, row);
}

Relation::Index& Relation::index(Mask mask) {
    const auto found = indexes_.find(mask);
    if (found != indexes_.end()) return found->second;
    Index& index = indexes_.emplace(mask, Index(*this, mask)).first->second;
    for (const Row row : active_list_) index.add(*this, row);
    return index;
}

std::size_t Relation::distinct(std::uint32_t column) {
    Distinct& entry = distinct_[column];
    // Counting again only after the relation has doubled keeps the total work linear.
    if (active_list_.size() <= entry.counted_rows * 2 && entry.values > 0) return entry.values;
    std::unordered_set<std::uint32_t> values;
    for (const Row row : active_list_) values.insert(gdl::index(at(row, column)));
    entry.counted_rows = active_list_.size();
    entry.values = std::max<std::size_t>(1, values.size());
    return entry.values;
}

std::size_t Relation::bytes() const {
    std::size_t total = data_.capacity() * sizeof(Term) + active_.capacity() / 8 +
                        active_list_.capacity() * sizeof(Row) + slots_.capacity() * sizeof(Slot);
    for (const auto& [mask, index] : indexes_) total += index.bytes();
    return total;
}

Relation::Index::Index(const Relation& relation, Mask mask) : chains_(16) {
    for (std::uint32_t column = 0; column < relation.arity() && column < 64; ++column) {
        if ((mask >> column & 1U) != 0) columns_.push_back(column);
    }
}

std::size_t Relation::Index::hash_row(const Relation& relation, Row row) const {
    std::uint64_t value = factor;
    for (const std::uint32_t column : columns_) value = mix(value, relation.at(row, column));
    return finish(value);
}

Relation::Row Relation::Index::first(const Relation& relation, std::span<const Term> key) const {
    std::uint64_t value = factor;
    for (const Term term : key) value = mix(value, term);
    const std::size_t mask = chains_.size() - 1;
    for (std::size_t slot = finish(value) & mask; chains_[slot].first != no_row; slot = (slot + 1) & mask) {
        const Row row = chains_[slot].first;
        bool equal = true;
        for (std::size_t i = 0; i < columns_.size() && equal; ++i) equal = relation.at(row, columns_[i]) == key[i];
        if (equal) return row;
    }
    return no_row;
}

void Relation::Index::add(const Relation& relation, Row row) {
    if (next_.size() <= row) next_.resize(std::max<std::size_t>(row + 1, next_.size() * 2), no_row);
    next_[row] = no_row;
    const std::size_t mask = chains_.size() - 1;
    std::size_t slot = hash_row(relation, row) & mask;
    for (; chains_[slot].first != no_row; slot = (slot + 1) & mask) {
        const Row other = chains_[slot].first;
        const bool equal = std::all_of(columns_.begin(), columns_.end(), [&](std::uint32_t column) {
            return relation.at(row, column) == relation.at(other, column);
        });
        if (!equal) continue;
        next_[chains_[slot].last] = row;
        chains_[slot].last = row;
        return;
    }
    chains_[slot] = {row, row};
    if (++used_ * 2 > chains_.size()) grow(relation);
}

void Relation::Index::grow(const Relation& relation) {
    std::vector<Chain> old(chains_.size() * 2);
    old.swap(chains_);
    const std::size_t mask = chains_.size() - 1;
    for (const Chain& chain : old) {
        if (chain.first == no_row) continue;
        std::size_t slot = hash_row(relation, chain.first) & mask;
        while (chains_[slot].first != no_row) slot = (slot + 1) & mask;
        chains_[slot] = chain;
    }
}

}  // namespace stratagem::ground
