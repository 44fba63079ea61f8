#include "machine/interpreter/relation.h"

#include <algorithm>

#include "util/contract.h"

namespace stratagem::machine::interpreter {

using gdl::Term;

void Relation::clear() {
    rows_.clear();
    size_ = 0;
    for (Index& index : indexes_) {
        if (index.indexed == 0) continue;
        index.indexed = 0;
        index.keys = 0;
        if (++index.epoch == 0) {  // all numbers used: the one time the slots are really wiped
            std::ranges::fill(index.slots, Slot{});
            index.epoch = 1;
        }
    }
}

void Relation::add(std::span<const Term> row) {
    STRATAGEM_EXPECTS(row.size() == arity_ && !contains(row));
    rows_.insert(rows_.end(), row.begin(), row.end());
    ++size_;
}

bool Relation::contains(std::span<const Term> row) {
    if (arity_ == 0) return size_ > 0;
    std::vector<std::uint32_t> columns(arity_);
    for (std::uint32_t i = 0; i < arity_; ++i) columns[i] = i;
    return first(index_on(columns), row.data()) != none;
}

std::uint32_t Relation::index_on(const std::vector<std::uint32_t>& columns) {
    for (std::uint32_t i = 0; i < indexes_.size(); ++i) {
        if (indexes_[i].columns == columns) return i;
    }
    Index index;
    index.columns = columns;
    if (!columns.empty()) index.slots.resize(16);
    indexes_.push_back(std::move(index));
    return static_cast<std::uint32_t>(indexes_.size() - 1);
}

std::uint32_t Relation::first(std::uint32_t index, const Term* key) {
    Index& on = indexes_[index];
    if (on.columns.empty()) return size_ > 0 ? 0 : none;
    if (on.indexed != size_) take_in_new_rows(on);
    std::uint64_t mixed = 0;
    for (std::size_t i = 0; i < on.columns.size(); ++i) mixed = mix_hash(mixed, gdl::index(key[i]));
    const std::uint32_t hash = finish_hash(mixed);
    const std::size_t mask = on.slots.size() - 1;
    for (std::size_t slot = hash & mask; on.slots[slot].epoch == on.epoch; slot = (slot + 1) & mask) {
        if (on.slots[slot].hash != hash) continue;
        const Term* head = row(on.slots[slot].row);
        bool equal = true;
        for (std::size_t i = 0; equal && i < on.columns.size(); ++i) equal = head[on.columns[i]] == key[i];
        if (equal) return on.slots[slot].row;
    }
    return none;
}

std::uint32_t Relation::distinct_keys(std::uint32_t index) {
    Index& on = indexes_[index];
    if (on.columns.empty()) return size_ > 0 ? 1 : 0;
    if (on.indexed != size_) take_in_new_rows(on);
    return on.keys;
}

void Relation::take_in_new_rows(Index& index) {
    if (std::size_t{size_} * 2 > index.slots.size()) {
        std::size_t wanted = index.slots.size();
        while (std::size_t{size_} * 2 > wanted) wanted *= 2;
        index.slots.assign(wanted, Slot{});
        index.epoch = 1;
        index.indexed = 0;
        index.keys = 0;
    }
    if (index.next.size() < size_) index.next.resize(size_);
    for (; index.indexed < size_; ++index.indexed) insert(index, index.indexed);
}

void Relation::insert(Index& index, std::uint32_t number) const {
    const Term* values = row(number);
    std::uint64_t mixed = 0;
    for (const std::uint32_t column : index.columns) mixed = mix_hash(mixed, gdl::index(values[column]));
    const std::uint32_t hash = finish_hash(mixed);
    const std::size_t mask = index.slots.size() - 1;
    std::size_t slot = hash & mask;
    for (; index.slots[slot].epoch == index.epoch; slot = (slot + 1) & mask) {
        if (index.slots[slot].hash != hash) continue;
        const Term* head = row(index.slots[slot].row);
        const bool equal =
            std::ranges::all_of(index.columns, [&](std::uint32_t column) { return head[column] == values[column]; });
        if (!equal) continue;
        index.next[number] = index.slots[slot].row;
        index.slots[slot].row = number;
        return;
    }
    index.slots[slot] = {index.epoch, hash, number};
    index.next[number] = none;
    ++index.keys;
}

}  // namespace stratagem::machine::interpreter
