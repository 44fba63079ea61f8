#include "machine/interpreter/tables.h"

#include <algorithm>
#include <utility>

namespace stratagem::machine::interpreter {

using gdl::Term;

void Tables::Hash::clear() {
    used = 0;
    if (++epoch == 0) {
        std::ranges::fill(slots, Slot{});
        epoch = 1;
    }
}

void Tables::Hash::make_room() {
    if ((std::size_t{used} + 1) * 2 <= slots.size()) return;
    std::vector<Slot> old(slots.size() * 2);
    std::swap(old, slots);
    const std::size_t mask = slots.size() - 1;
    for (const Slot& slot : old) {
        if (slot.epoch != epoch) continue;
        std::size_t place = slot.hash & mask;
        while (slots[place].epoch == epoch) place = (place + 1) & mask;
        slots[place] = slot;
    }
}

void Tables::clear() {
    tables_.clear();
    keys_.clear();
    answers_.clear();
    answer_count_ = 0;
    owners_ = 0;
    calls_.clear();
    known_answers_.clear();
}

std::uint32_t Tables::find_or_add(std::uint32_t pattern, std::span<const Term> key) {
    std::uint64_t mixed = mix_hash(0, pattern);
    for (const Term value : key) mixed = mix_hash(mixed, gdl::index(value));
    const std::uint32_t hash = finish_hash(mixed);
    std::size_t mask = calls_.slots.size() - 1;
    std::size_t place = hash & mask;
    for (; calls_.slots[place].epoch == calls_.epoch; place = (place + 1) & mask) {
        if (calls_.slots[place].hash != hash) continue;
        const Table& table = tables_[calls_.slots[place].entry];
        if (table.pattern == pattern && std::equal(key.begin(), key.end(), this->key(table))) {
            return calls_.slots[place].entry;
        }
    }
    const auto added = static_cast<std::uint32_t>(tables_.size());
    calls_.slots[place] = {calls_.epoch, hash, added, 0};
    ++calls_.used;
    calls_.make_room();
    Table& table = tables_.emplace_back();
    table.pattern = pattern;
    table.owner = owners_++;
    table.key = static_cast<std::uint32_t>(keys_.size());
    keys_.insert(keys_.end(), key.begin(), key.end());
    return added;
}

void Tables::start_again(std::uint32_t number) {
    Table& table = tables_[number];
    table.first = table.last = table.consumers = Relation::none;
    table.count = 0;
    table.owner = owners_++;
}

bool Tables::add_answer(std::uint32_t number, std::span<const Term> answer) {
    Table& table = tables_[number];
    if (!answer.empty()) {
        std::uint64_t mixed = mix_hash(1, table.owner);
        for (const Term value : answer) mixed = mix_hash(mixed, gdl::index(value));
        const std::uint32_t hash = finish_hash(mixed);
        const std::size_t mask = known_answers_.slots.size() - 1;
        std::size_t place = hash & mask;
        for (; known_answers_.slots[place].epoch == known_answers_.epoch; place = (place + 1) & mask) {
            const Slot& slot = known_answers_.slots[place];
            if (slot.hash != hash || slot.owner != table.owner) continue;
            if (std::equal(answer.begin(), answer.end(), values(slot.entry))) return false;
        }
        known_answers_.slots[place] = {known_answers_.epoch, hash, static_cast<std::uint32_t>(answers_.size()),
                                       table.owner};
        ++known_answers_.used;
        known_answers_.make_room();
    } else if (table.count > 0) {
        return false;
    }
    const auto entry = static_cast<std::uint32_t>(answers_.size());
    answers_.push_back(Term{Relation::none});
    answers_.insert(answers_.end(), answer.begin(), answer.end());
    if (table.count == 0) {
        table.first = entry;
    } else {
        answers_[table.last] = Term{entry};
    }
    table.last = entry;
    ++table.count;
    ++answer_count_;
    return true;
}

}  // namespace stratagem::machine::interpreter
