#include "gdl/term.h"

#include <algorithm>

namespace stratagem::gdl {

TermPool::TermPool() : slots_(1024, 0) {}

Term TermPool::variable(Symbol name) {
    Record record;
    record.symbol = name;
    record.kind_is_variable = true;
    record.ground = false;
    return find_or_add(record, {});
}

Term TermPool::compound(Symbol functor, std::span<const Term> arguments) {
    Record record;
    record.symbol = functor;
    record.arity = static_cast<std::uint32_t>(arguments.size());
    record.ground =
        std::all_of(arguments.begin(), arguments.end(), [this](Term argument) { return is_ground(argument); });
    return find_or_add(record, arguments);
}

std::span<const Term> TermPool::arguments(Term term) const {
    const Record& record = records_[index(term)];
    return std::span(arguments_).subspan(record.first_argument, record.arity);
}

std::size_t TermPool::hash(const Record& record, std::span<const Term> arguments) const {
    // Multiply-xorshift over the integers that make up a term.
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15ULL;
    std::uint64_t value = (std::uint64_t{index(record.symbol)} << 1) | (record.kind_is_variable ? 1U : 0U);
    value *= factor;
    for (const Term argument : arguments) {
        value ^= value >> 29;
        value = (value + index(argument) + 1) * factor;
    }
    return static_cast<std::size_t>(value ^ (value >> 32));
}

Term TermPool::find_or_add(const Record& record, std::span<const Term> arguments) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash(record, arguments) & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
        const Term candidate{slots_[slot] - 1};
        const Record& other = records_[index(candidate)];
        if (other.symbol == record.symbol && other.kind_is_variable == record.kind_is_variable &&
            std::ranges::equal(this->arguments(candidate), arguments)) {
            return candidate;
        }
    }
    const Term term{static_cast<std::uint32_t>(records_.size())};
    Record stored = record;
    stored.first_argument = static_cast<std::uint32_t>(arguments_.size());
    // `arguments` may view arguments_ itself, which push_back could move: index, don't iterate.
    const bool own = !arguments.empty() && arguments.data() >= arguments_.data() &&
                     arguments.data() < arguments_.data() + arguments_.size();
    const std::size_t offset = own ? static_cast<std::size_t>(arguments.data() - arguments_.data()) : 0;
    for (std::size_t i = 0; i < stored.arity; ++i) {
        const Term argument = own ? arguments_[offset + i] : arguments[i];
        arguments_.push_back(argument);
    }
    records_.push_back(stored);
    slots_[slot] = index(term) + 1;
    if (records_.size() * 2 > slots_.size()) grow();
    return term;
}

void TermPool::grow() {
    slots_.assign(slots_.size() * 2, 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t i = 0; i < records_.size(); ++i) {
        std::size_t slot = hash(records_[i], arguments(Term{i})) & mask;
        while (slots_[slot] != 0) slot = (slot + 1) & mask;
        slots_[slot] = i + 1;
    }
}

}  // namespace stratagem::gdl
